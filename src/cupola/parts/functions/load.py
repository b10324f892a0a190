"""A load by functions: the kernels of aircraft and engines whose forces come from tables."""

from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from cupola.kernel.memory import window
from cupola.kernel.motion import SiteFrame, SiteMotion
from cupola.kernel.records import size
from cupola.parts.binding import Arrow, BindContext
from cupola.parts.families import Load
from cupola.parts.functions.part import COLUMNS, FunctionPart
from cupola.parts.functions.quantities import AngleRates, air_velocity, angle_rates, at_rest, fill, root, run
from cupola.physics.flight_data import BODY, STABILITY, WIND, AirHere, Level, body_axes
from cupola.physics.rotation import Vector, Wrench, frd
from cupola.xmath import Number

AXES = {"body": BODY, "stability": STABILITY, "wind": WIND}
AxesName = Literal["body", "stability", "wind"]


class FunctionLoadOutput(NamedTuple):
    """What the functions answered, and the flight they were asked about."""

    force: Vector
    """[N] axes of the site."""
    torque: Vector
    """[N m] about the site, in its axes."""
    airspeed: Number
    """[m/s]"""
    alpha: Number
    """[rad]"""
    beta: Number
    """[rad]"""
    mach: Number
    """[1]"""
    outside: Number
    """[1] number of the first table that was left, in the order in which they are used; 0: none."""


class FunctionLoadAnswer(NamedTuple):
    """Answer of `load`."""

    output: FunctionLoadOutput
    wrench: Wrench


SHOWN = size(FunctionLoadOutput)


class FunctionLoad(FunctionPart, Load):
    """A force and a torque at a site, in axes front, right, down."""

    motion_at: Literal["centre_of_mass", "site"] = Field(
        "centre_of_mass", description="whose motion through the air the functions are given"
    )

    Index: ClassVar[dict[str, str]] = {**dict.fromkeys(COLUMNS, "i8"), "central": "i8", "force_axes": "i8"} | {
        "torque_axes": "i8"
    }
    State = AngleRates
    Output = FunctionLoadOutput
    order = 82
    arrow = Arrow("force")
    events: ClassVar[dict[str, str]] = {"left": "outside its table"}

    def axes(self) -> tuple[str, str]:
        """Axes of its force and of its torque."""
        return "body", "body"

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Its program, its axes, and whose motion counts."""
        force, torque = self.axes()
        central = self.motion_at == "centre_of_mass"
        return {
            **super().numbers(places),
            "central": central,
            "force_axes": AXES[force],
            "torque_axes": AXES[torque],
        }

    @staticmethod
    def actuate(
        p: Number, state: AngleRates, output: FunctionLoadOutput, motion: SiteMotion, centre_s: Vector, dt: Number
    ) -> AngleRates:
        """How fast the angles of the flow change, from tick to tick."""
        return angle_rates(p, state, air_velocity(motion, _arm(p, centre_s)), dt, output.outside)

    @staticmethod
    def settled(p: Number, motion: SiteMotion, centre_s: Vector) -> AngleRates:
        """Where no time passes nothing changes."""
        return at_rest(air_velocity(motion, _arm(p, centre_s)))

    @staticmethod
    def load(
        p: Number,
        state: AngleRates,
        motion: SiteMotion,
        centre_s: Vector,
        frame: SiteFrame,
        level: Level,
        air_here: AirHere,
        drive: Number,
        qpos: Number,
        constants: Number,
        outputs: Number,
        tick: Number,
        dt: Number,
    ) -> FunctionLoadAnswer:
        """Force and torque in the axes of the site."""
        block = window(constants, p.block, p.block_size)
        vel_air = air_velocity(motion, _arm(p, centre_s))
        data = fill(p, block, motion, vel_air, frame, level, air_here, state, tick * dt, dt)
        outside = run(p, block, drive, qpos, outputs, p.output + SHOWN)
        force = Vector(root(p, block, 0), root(p, block, 1), root(p, block, 2))
        torque = Vector(root(p, block, 3), root(p, block, 4), root(p, block, 5))
        turned = body_axes(Wrench(force, torque), p.force_axes, p.torque_axes, data.alpha, data.beta)
        load = Wrench(frd(turned.force), frd(turned.torque))
        shown = FunctionLoadOutput(load.force, load.torque, data.airspeed, data.alpha, data.beta, data.mach, outside)
        return FunctionLoadAnswer(shown, load)


def _arm(p: Number, centre_s: Vector) -> Vector:
    """From the site to the point whose motion counts, axes of the site [m]."""
    if p.central:
        return centre_s
    return Vector(0.0, 0.0, 0.0)
