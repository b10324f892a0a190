"""Base classes for loads and actuators of your own. That of sensors is in `parts/sensors/sensor.py`."""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

from pydantic import Field

from cupola.kernel.motion import SiteMotion
from cupola.parts.binding import Arrow, BindContext
from cupola.parts.part import Part
from cupola.physics.rotation import Vector, Wrench


class Held(NamedTuple):
    """The load of a part in plain Python, held until its next call."""

    force: Vector = Vector(0.0, 0.0, 0.0)
    """[N] axes of the site."""
    torque: Vector = Vector(0.0, 0.0, 0.0)
    """[N m] axes of the site."""


class Load(Part):
    """A force on the vehicle at a site. Derive your own load from this class and write `step`."""

    site: str = Field(description="site of the MJCF model where the part sits; its axes are the part's axes")

    failures: ClassVar[tuple[str, ...]] = ("off",)

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


class HeldAnswer(NamedTuple):
    """Outputs and force of a held load."""

    output: Held
    wrench: Wrench


class HeldLoad(Load):
    """Kernels of all loads in plain Python: `step` is called once per tick and its result held."""

    State = Held
    Output = Held
    arrow = Arrow("force")

    @staticmethod
    def load(state: Held) -> HeldAnswer:
        """The result of `step`."""
        return HeldAnswer(state, Wrench(state.force, state.torque))


class HeldValue(NamedTuple):
    """The output of an actuator in plain Python, held until its next call."""

    value: float = 0.0
    """[1]"""


class Actuator(Part):
    """Processes a command channel before other parts read it. Derive your own actuator and write `step`."""

    channel: int = Field(ge=0, description="command channel it acts on")

    Index: ClassVar[Mapping[str, str]] = {"channel": "i8"}
    order: ClassVar[int] = 35
    """After mixers and servos, before everything that reads the channel."""
    failures: ClassVar[tuple[str, ...]] = ("off",)

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
    """All actuators in plain Python."""

    Output = HeldValue
