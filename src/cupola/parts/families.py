"""The families that a part of your own derives from: loads and actuators. Sensors are in `parts/sensors/sensor.py`."""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

from pydantic import Field

from cupola.kernel.motion import SiteMotion
from cupola.parts.binding import Arrow, BindContext
from cupola.parts.part import Part
from cupola.physics.rotation import Vector, Wrench


class Held(NamedTuple):
    """The load that a part in plain Python exerts until it is asked again."""

    force: Vector = Vector(0.0, 0.0, 0.0)
    """[N] axes of the site."""
    torque: Vector = Vector(0.0, 0.0, 0.0)
    """[N m] axes of the site."""


class Load(Part):
    """Something that pushes on the vehicle at a site. A load of your own derives from this and writes `step`."""

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
    """What a held load shows, and exerts."""

    output: Held
    wrench: Wrench


class HeldLoad(Load):
    """The kernels of all loads in plain Python: `step` is asked once per tick and held."""

    State = Held
    Output = Held
    arrow = Arrow("force")

    @staticmethod
    def load(state: Held) -> HeldAnswer:
        """What `step` said."""
        return HeldAnswer(state, Wrench(state.force, state.torque))


class HeldValue(NamedTuple):
    """What an actuator in plain Python gives until it is asked again."""

    value: float = 0.0
    """[1]"""


class Actuator(Part):
    """Something between a command channel and the parts that read it. One of your own writes `step`."""

    channel: int = Field(ge=0, description="command channel it acts on")

    Index: ClassVar[Mapping[str, str]] = {"channel": "i8"}
    order: ClassVar[int] = 35
    """After mixers and servos, and before everything that reads the channel."""
    failures: ClassVar[tuple[str, ...]] = ("off",)

    def runs_in_python(self) -> bool:
        """If it has `step`."""
        return self.plain or type(self).step is not Actuator.step

    @classmethod
    def group(cls) -> type[Part]:
        """An actuator that only has `step` shows what it gives."""
        return HeldActuator if cls.step is not Actuator.step else super().group()

    def used_channels(self) -> tuple[int, ...]:
        """The one channel."""
        return (self.channel,)

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Its fields, and the slot of its channel."""
        return {**super().numbers(places), "channel": places.channel(self.channel)}

    def step(self, command: float, dt: float) -> float:
        """Actuator in plain Python, once per tick: what its channel becomes."""
        raise NotImplementedError(f"{type(self).__name__} has no step()")


class HeldActuator(Actuator):
    """All actuators in plain Python."""

    Output = HeldValue
