"""A motor with its propeller at a site: thrust along the site's x axis.

One sign for all engines: `direction` +1 turns right-handed about +x; the torque on the vehicle opposes the rotation.
The six models of motor are variants of one kind: a world compiles only those that it has.
"""

import math
from typing import Any, ClassVar, Literal

from pydantic import Field

from cupola.kernel.motion import SiteFrame, SiteMotion
from cupola.parts.binding import Arrow, BindContext, Curve, Row, Take, row_type
from cupola.parts.curve import curve_columns
from cupola.parts.described import RootFrame, RotorPlace
from cupola.parts.families import Load
from cupola.parts.propulsion.propeller import Propeller
from cupola.parts.propulsion.rotor_checks import check_motor
from cupola.parts.propulsion.rotor_models import (
    Demand,
    Disc,
    RotorLoad,
    RotorOutput,
    ShaftState,
    electric_now,
    electric_spin,
    elements_now,
    gazebo_now,
    generic_now,
    idle_now,
    lagged_now,
    loaded,
    near_ground,
    quadratic_now,
    stream_of,
    turned,
    voltage_ratio,
)
from cupola.physics.atmosphere import Atmosphere, atmosphere
from cupola.physics.battery import BatteryState, Draw, motor_draw
from cupola.physics.blades import (
    SEA_LEVEL,
    SIDE_FORCE,
    LaggedMotor,
    blades_along,
    blades_aside,
    lagged_speed,
    side_force,
)
from cupola.physics.gazebo_motor import GazeboMotor, gazebo_aside, gazebo_speed
from cupola.physics.motor import (
    ElectricMotor,
    GenericMotor,
    QuadraticMotor,
    generic_motor,
    quadratic_motor,
    spin_up,
    spin_up_literal,
)
from cupola.physics.propeller import BladeElement, element_load, inflow_step
from cupola.physics.rotation import Vector, Wrench, length
from cupola.physics.slipstream import Stream
from cupola.xmath import Number, clip

NO_TORQUE = Vector(0.0, 0.0, 0.0)
LIFTING = 0.7
"""Cosine of its axis to the vertical of the root beyond which a rotor counts as one that lifts."""
NO_CHANNEL = 0
"""Slot of the commands that is always zero."""
MODELS = ("generic", "electric", "quadratic", "lagged", "gazebo", "elements")


class Rotor(Load):
    """Motor and propeller. Give the parameters of one of `MODELS`; without any the motor is off."""

    kind: Literal["rotor"]
    channel: int = Field(ge=-1, description="command channel of the throttle, 0 to 1")
    direction: Literal[-1, 1] = Field(description="+1: right-handed about the site's x axis")
    generic: GenericMotor | None = None
    electric: ElectricMotor | None = None
    quadratic: QuadraticMotor | None = None
    lagged: LaggedMotor | None = None
    gazebo: GazeboMotor | None = Field(None, description="motor plugin of PX4 or gz-sim, site x along the link's z")
    elements: Propeller | None = Field(None, description="blades by their geometry: blade elements and momentum")
    efficiency: Curve | None = Field(None, description="propeller efficiency against advance ratio, for electric")
    c_power: Curve | None = Field(None, description="power coefficient against advance ratio, for electric")
    battery: str | None = Field(
        None, description="battery part that feeds an electric motor; without one it never sags"
    )
    law: Literal["corrected", "thesis"] = Field(
        "corrected", description="thrust of a generic motor lost to air along the shaft, or to all air as printed"
    )
    spin_up: Literal["physical", "literal"] = Field(
        "physical", description="literal: the thesis's rule, step-size free"
    )
    radius: float | None = Field(None, gt=0, description="[m] of the disc; without it, that of the motor's numbers")
    side_force: float | None = Field(
        None,
        ge=0,
        le=2,
        description="drag across the shaft, a share; unless given 0.2 for a rotor that lifts, 0 for one that pulls",
    )
    ground_effect: bool = Field(False, description="more thrust near the floor")
    reactions: bool = Field(False, description="gyroscopic and spin-up torque of the spinning mass")
    inertia: float | None = Field(
        None, gt=0, description="[kg m²] of shaft and propeller, for reactions; an electric motor has its own"
    )

    Numbers = (GenericMotor, ElectricMotor, QuadraticMotor, LaggedMotor, GazeboMotor, Disc)
    Index: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("channel", "thesis", "literal", "fed", "ground", "first", "count"), "i8"),
        **curve_columns("efficiency", "c_power"),
    }
    State = ShaftState
    Output = RotorOutput
    Element = row_type(BladeElement)
    takes: ClassVar[dict[str, Take]] = {"battery_state": Take(BatteryState, "battery", fresh=True)}
    feeds: ClassVar[dict[str, Any]] = {"draw": (Draw, "battery")}
    gives = Stream
    settles = ("omega",)
    order = 70
    arrow = Arrow("thrust")
    message = "cupola_msgs/msg/Rotor"
    shaft = ("angle", "omega")

    def used_channels(self) -> tuple[int, ...]:
        """The throttle."""
        return (self.channel,)

    def thrust_channel(self) -> int | None:
        """The throttle."""
        return self.channel if self.channel >= 0 else None

    def variant(self) -> str:
        """The model of its motor; one without numbers is switched off."""
        return next((name for name in MODELS if getattr(self, name) is not None), "idle")

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Of its motor, of its disc, and of its curves."""
        check_motor(self, MODELS)
        motor = self.generic or self.electric or self.quadratic or self.lagged or self.gazebo
        row: dict[str, Any] = {**(motor._asdict() if motor else {}), "direction": self.direction}
        row |= {"channel": places.channel(self.channel), "literal": self.spin_up == "literal"}
        row["thesis"] = self.law == "thesis"
        row |= {"fed": self.battery is not None, "ground": self.ground_effect and places.ground}
        row |= {"radius": self.disc_radius(), "shaft_inertia": self.shaft_inertia() if self.reactions else 0.0}
        row["side"] = self.side_share(places)
        row |= {"efficiency": places.curve(self.efficiency), "c_power": places.curve(self.c_power)}
        if self.elements:
            row |= {"speed_max": self.elements.speed_max, "time_constant": self.elements.time_constant}
            row |= {"first": len(places.constants), "count": self.elements.rings}
            for ring in self.elements.elements():
                places.constants += ring
        return row

    def initial_state(self) -> ShaftState:
        """At rest; an electric motor at its least speed."""
        return ShaftState(self.direction * self.electric.omega_min if self.electric else 0.0)

    def initial_memory(self) -> list[float]:
        """Speed that each ring of blades gives to the air [m/s]."""
        return [0.0] * self.elements.rings if self.elements else []

    def fail(self, row: Row, failure: str) -> None:
        """Without power it hears nothing."""
        row["channel"] = NO_CHANNEL

    def why_not_given(self) -> str:
        """A stream is as wide as the disc."""
        return "" if self.disc_radius() > 0.0 else "needs the radius of its disc [m]"

    def disc_radius(self) -> float:
        """Of the disc that the propeller sweeps [m]; 0 when nothing says."""
        if self.radius is not None:
            return self.radius
        if self.elements:
            return self.elements.radius
        if self.generic:
            return math.sqrt(max(self.generic.s_prop, 0.0) / math.pi)
        return 0.5 * (
            self.electric.prop_diameter if self.electric else self.quadratic.diameter if self.quadratic else 0
        )

    def static_lift(self) -> tuple[float, float]:
        """Full static thrust at sea level [N], and torque about the shaft per thrust [m]."""
        density = atmosphere(0.0, Atmosphere()).density
        if self.generic is not None:
            full = generic_motor(1.0, 0.0, density, self.direction, self.generic)
        elif self.lagged is not None:
            full = blades_along(self.lagged.speed_max, 0.0, density, self.direction, self.lagged)
        elif self.gazebo is not None:
            thrust = self.gazebo.motor_constant * self.gazebo.max_rot_velocity**2
            return thrust, -self.direction * self.gazebo.moment_constant
        else:
            raise ValueError("a mixer needs rotors with generic, lagged or gazebo numbers")
        return float(full.thrust), float(full.torque / full.thrust)

    def side_share(self, places: BindContext) -> float:
        """Of `side_force`: given, or that of a rotor that lifts; blades with numbers of their own have theirs."""
        own = {"lagged": "k_drag", "gazebo": "rotor_drag_coefficient"}.get(self.variant())
        if self.side_force is not None and own:
            raise ValueError(f"side_force: {self.variant()} numbers have their own, {own}")
        if own:
            return 0.0
        if self.side_force is not None:
            if self.side_force > 0.0 and self.disc_radius() == 0.0:
                raise ValueError("side_force needs the radius of the disc [m]")
            return self.side_force
        up = RootFrame(places.model, places.root).axis(places.site(self.site)).z
        return SIDE_FORCE if up > LIFTING else 0.0

    def describe(self, places: BindContext, frame: RootFrame) -> RotorPlace:
        """Position, thrust axis and strength."""
        site = places.site(self.site)
        known = self.variant() in ("generic", "lagged", "gazebo")
        thrust, ratio = self.static_lift() if known else (math.nan, math.nan)
        place, axis = frame.place(site), frame.axis(site)
        drag = self.side_drag(places)
        return RotorPlace(self.channel, place, axis, self.direction, thrust, ratio, self.disc_radius(), drag)

    def side_drag(self, places: BindContext) -> float:
        """Force against motion across the shaft, per velocity and root of the thrust, at sea level."""
        if self.lagged is not None:
            return self.lagged.k_drag / math.sqrt(self.lagged.k_thrust) if self.lagged.k_thrust > 0.0 else 0.0
        one = side_force(1.0, Vector(0.0, 1.0, 0.0), SEA_LEVEL, self.disc_radius(), self.side_share(places))
        return -float(one.y)

    def shaft_inertia(self) -> float:
        """Of shaft and propeller about the shaft [kg m²]; 0 when nothing says."""
        return self.electric.inertia if self.electric else self.inertia or 0.0

    @staticmethod
    def demand_electric(p: Number, state: ShaftState, drive: Number) -> Demand:
        """Current from the battery at its throttle and present speed."""
        throttle = clip(drive[p.channel], 0.0, 1.0)
        return Demand(motor_draw(throttle, abs(state.omega) / (2.0 * math.pi * p.k_v), p.r_motor))

    @staticmethod
    def actuate(p: Number, state: ShaftState, drive: Number, dt: Number) -> ShaftState:
        """A motor that follows its throttle at once, or one that is switched off."""
        return turned(p, state, p.direction * p.k_omega * clip(drive[p.channel], 0.0, 1.0), dt)

    @staticmethod
    def actuate_electric(
        p: Number,
        state: ShaftState,
        motion: SiteMotion,
        density: Number,
        drive: Number,
        battery_state: BatteryState,
        constants: Number,
        dt: Number,
    ) -> ShaftState:
        """Spins up under the torques of motor and propeller."""
        throttle = clip(drive[p.channel], 0.0, 1.0)
        voltage = throttle * voltage_ratio(p, battery_state)
        spin = electric_spin(p, state.omega, voltage, motion.vel_air_s.x, density, constants)
        if p.literal:
            return turned(p, state, spin_up_literal(state.omega, spin.omega_dot, throttle, p.direction, p), dt)
        return turned(p, state, spin_up(state.omega, spin.omega_dot, p.direction, dt, p), dt)

    @staticmethod
    def actuate_quadratic(
        p: Number, state: ShaftState, motion: SiteMotion, density: Number, drive: Number, dt: Number
    ) -> ShaftState:
        """The speed at which its torques balance."""
        throttle = clip(drive[p.channel], 0.0, 1.0)
        now = quadratic_motor(throttle, length(motion.vel_air_s), density, p.direction, p)
        return turned(p, state, now.omega, dt)

    @staticmethod
    def actuate_lagged(p: Number, state: ShaftState, drive: Number, dt: Number) -> ShaftState:
        """Follows its throttle with a lag."""
        omega = lagged_speed(state.omega, clip(drive[p.channel], 0.0, 1.0), p.direction, dt, p)
        return turned(p, state, omega, dt)

    @staticmethod
    def actuate_gazebo(p: Number, state: ShaftState, drive: Number, dt: Number) -> ShaftState:
        """Follows its throttle, faster up than down; a reversible one also below zero."""
        throttle = clip(drive[p.channel], -1.0 if p.reversible > 0.0 else 0.0, 1.0)
        return turned(p, state, p.direction * gazebo_speed(p.direction * state.omega, throttle, dt, p), dt)

    @staticmethod
    def actuate_elements(
        p: Number,
        state: ShaftState,
        motion: SiteMotion,
        drive: Number,
        elements: Number,
        memory: Number,
        dt: Number,
    ) -> ShaftState:
        """The same, and each ring of the blades moves its air."""
        omega = lagged_speed(state.omega, clip(drive[p.channel], 0.0, 1.0), p.direction, dt, p)
        for k in range(p.count):
            memory[k] = inflow_step(memory[k], abs(omega), motion.vel_air_s.x, dt, elements[k])
        return turned(p, state, omega, dt)

    @staticmethod
    def settled(state: ShaftState) -> ShaftState:
        """At rest, whatever the last try left."""
        return ShaftState(state.omega, state.angle, 0.0)

    @staticmethod
    def settled_elements(
        p: Number, state: ShaftState, motion: SiteMotion, elements: Number, memory: Number
    ) -> ShaftState:
        """The same, and the air where it ends if all else stays."""
        for k in range(p.count):
            memory[k] = element_load(abs(state.omega), motion.vel_air_s.x, 1.0, elements[k]).induced
        return ShaftState(state.omega, state.angle, 0.0)

    @staticmethod
    def load(
        p: Number,
        state: ShaftState,
        out: RotorOutput,
        motion: SiteMotion,
        density: Number,
        height: Number,
        spin_s: Vector,
        frame: SiteFrame,
        dt: Number,
    ) -> RotorLoad:
        """Thrust and torque at the present motion, and what a lifting rotor feels from the side."""
        now = near_ground(p, out, motion, density, height, frame)
        aside = Wrench(side_force(now.thrust, motion.vel_air_s, density, p.radius, p.side), NO_TORQUE)
        return loaded(p, state, now, aside, motion, spin_s, dt)

    @staticmethod
    def load_lagged(
        p: Number,
        state: ShaftState,
        out: RotorOutput,
        motion: SiteMotion,
        density: Number,
        height: Number,
        spin_s: Vector,
        frame: SiteFrame,
        dt: Number,
    ) -> RotorLoad:
        """The same, and what the blades feel from the side."""
        side = blades_aside(out.omega, motion.vel_air_s, motion.rate_s, density, p)
        return loaded(p, state, near_ground(p, out, motion, density, height, frame), side, motion, spin_s, dt)

    @staticmethod
    def load_gazebo(
        p: Number,
        state: ShaftState,
        out: RotorOutput,
        motion: SiteMotion,
        density: Number,
        height: Number,
        spin_s: Vector,
        frame: SiteFrame,
        dt: Number,
    ) -> RotorLoad:
        """The same, and what its plugin feels across the axis of its joint."""
        side = gazebo_aside(out.omega, motion.vel_air_s, p.direction, p)
        return loaded(p, state, near_ground(p, out, motion, density, height, frame), side, motion, spin_s, dt)

    @staticmethod
    def publish(
        p: Number, out: RotorOutput, motion: SiteMotion, density: Number, height: Number, frame: SiteFrame
    ) -> Stream:
        """The stream behind its disc."""
        return stream_of(p, near_ground(p, out, motion, density, height, frame), motion, density, frame)

    derived: ClassVar[dict[str, str]] = {"out": "now"}
    now_idle: ClassVar[Any] = staticmethod(idle_now)
    now_generic: ClassVar[Any] = staticmethod(generic_now)
    now_electric: ClassVar[Any] = staticmethod(electric_now)
    now_quadratic: ClassVar[Any] = staticmethod(quadratic_now)
    now_lagged: ClassVar[Any] = staticmethod(lagged_now)
    now_gazebo: ClassVar[Any] = staticmethod(gazebo_now)
    now_elements: ClassVar[Any] = staticmethod(elements_now)
