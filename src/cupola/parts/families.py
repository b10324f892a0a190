"""Base classes for loads and actuators of your own. That of sensors is in `parts/sensors/sensor.py`."""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, get_type_hints

from pydantic import Field

from cupola.kernel.motion import SiteMotion
from cupola.parts.binding import Arrow, BindContext
from cupola.parts.part import Part
from cupola.physics.rotation import Vector, Wrench


class LoadShown(NamedTuple):
    """What a load shows that declares no `Output` of its own; in plain Python it is held until the next call."""

    force: Vector = Vector(0.0, 0.0, 0.0)
    """[N] axes of the site."""
    torque: Vector = Vector(0.0, 0.0, 0.0)
    """[N m] axes of the site."""


def _returns(kind: type[Part], name: str, field: str) -> bool:
    """Whether a kernel of a kind returns a record with a field, or the record of that name alone."""
    kernel = getattr(kind, name, None)
    answer = get_type_hints(kernel).get("return") if kernel is not None else None
    return field in getattr(answer, "_fields", ()) or getattr(answer, "__name__", "").lower() == field


class Load(Part):
    """A force on the vehicle at a site. Derive your own load from this class and write `step`."""

    site: str = Field(description="site of the MJCF model where the part sits; its axes are the part's axes")

    Output: ClassVar[Any] = None
    arrow: ClassVar[Arrow | None] = None
    failures: ClassVar[tuple[str, ...]] = ("off",)

    @classmethod
    def __pydantic_init_subclass__(cls, **options: Any) -> None:
        """A load without an `Output` shows the wrench that it returns, with an arrow."""
        super().__pydantic_init_subclass__(**options)
        if cls.Output is None and _returns(cls, "load", "wrench"):
            cls.Output, cls.arrow = LoadShown, Arrow("force")

    def runs_in_python(self) -> bool:
        """If it has `step`."""
        return self.plain or type(self).step is not Load.step

    @classmethod
    def group(cls) -> type[Part]:
        """A load that only has `step` is held from tick to tick."""
        return HeldLoad if cls.step is not Load.step else super().group()

    def step(self, motion: SiteMotion, density: float, drive: Any) -> Wrench:
        """Load in plain Python, once per tick: force [N] and torque [N m] at the site, in its axes.

        `drive` holds the channels of the vehicle after servos and mixers.
        """
        raise NotImplementedError(f"{type(self).__name__} has no step()")


class HeldLoad(Load):
    """Kernels of all loads in plain Python: `step` is called once per tick and its result held."""

    State = LoadShown

    @staticmethod
    def load(state: LoadShown) -> Wrench:
        """The result of `step`."""
        return Wrench(state.force, state.torque)


class ChannelShown(NamedTuple):
    """What an actuator shows that declares no `Output` of its own: the value that it gives to its channel."""

    value: float = 0.0
    """[1]"""


class Actuator(Part):
    """Processes a command channel before other parts read it. Derive your own actuator and write `step`."""

    channel: int = Field(ge=0, description="command channel it acts on")

    Index: ClassVar[Mapping[str, str]] = {"channel": "i8"}
    Output: ClassVar[Any] = None
    order: ClassVar[int] = 35
    """After mixers and servos, before everything that reads the channel."""
    failures: ClassVar[tuple[str, ...]] = ("off",)

    @classmethod
    def __pydantic_init_subclass__(cls, **options: Any) -> None:
        """An actuator without an `Output` shows the value that it gives to its channel."""
        super().__pydantic_init_subclass__(**options)
        if cls.Output is None and _returns(cls, "actuate", "channel"):
            cls.Output = ChannelShown

    def runs_in_python(self) -> bool:
        """If it has `step`."""
        return self.plain or type(self).step is not Actuator.step

    @classmethod
    def group(cls) -> type[Part]:
        """The output of an actuator that only has `step`."""
        return HeldActuator if cls.step is not Actuator.step else super().group()

    def used_channels(self) -> tuple[int, ...]:
        """The one channel."""
        return (self.channel,)

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Its fields, and the slot of its channel."""
        return {**super().numbers(places), "channel": places.channel(self.channel)}

    def step(self, command: float, dt: float) -> float:
        """Actuator in plain Python, once per tick: the new value of its channel."""
        raise NotImplementedError(f"{type(self).__name__} has no step()")


class HeldActuator(Actuator):
    """The rows of all actuators in plain Python."""

    Output: ClassVar[Any] = ChannelShown
