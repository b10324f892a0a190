"""A rotor of a helicopter by blade elements: collective and cyclic pitch, flapping blades, a stabilizer bar.

Main and tail rotors are of this kind: without `flap` the blades are stiff, without `cyclic` there is none. Thrust is
along the x axis of the site. `direction` +1 turns right-handed about it.
"""

import math
from typing import Any, ClassVar, Literal

from pydantic import Field

from cupola.kernel.commands import BLADE_ANGLES
from cupola.kernel.motion import SiteFrame, SiteMotion
from cupola.parts.binding import Arrow, BindContext, Take, row_type
from cupola.parts.described import BladedDisc, RootFrame
from cupola.parts.families import Load
from cupola.parts.propulsion.blade_disc import disc_load, hub_torque
from cupola.parts.propulsion.disc_motion import (
    DiscMove,
    DiscOutput,
    DiscState,
    DiscWrench,
    RotorNumbers,
    asked_tilt,
    bar_at,
    moved,
    pitch_of,
    shaft_speed,
)
from cupola.parts.propulsion.propeller import Blades
from cupola.physics.blades import SEA_LEVEL
from cupola.physics.helicopter import DriveShaft, ShaftTorque
from cupola.physics.propeller import BladeElement
from cupola.physics.rotation import Vector, Wrench, scale
from cupola.physics.slipstream import Stream
from cupola.schema.yaml_files import Entry
from cupola.xmath import Number

SETTLING, SETTLING_STEP = 800, 1e-3
"""Steps of [s] in which inflow and flapping come to rest when a trim asks where; the bar is put there."""


LONG = 1e9
"""[s] after which a bar rests."""


class Swash(Entry):
    """A command that moves the swashplate, or the pitch of a tail rotor."""

    channel: int = Field(ge=0, description="command channel, -1 to 1")
    gain: float = Field(description="[rad] at 1: pitch of the blades, or tilt of the disc that is asked for")
    rest: float = Field(0.0, description="[rad] at 0")


OFF = Swash(channel=0, gain=0.0)
"""No cyclic."""


class Flapping(Entry):
    """Blades that flap about a hinge at the shaft, held by a spring."""

    inertia: float = Field(gt=0, description="[kg m²] of one blade about its hinge")
    stiffness: float = Field(0.0, ge=0, description="[N m/rad] of the spring of one blade")


class Bar(Entry):
    """A stabilizer bar with paddles: its tilt is added to the cyclic pitch of the blades."""

    lock: float = Field(gt=0, description="its Lock number: it follows within 16 / (lock speed) [s]")
    share: float = Field(ge=0, le=1, description="of the cyclic command that goes by the bar")


class HelicopterRotor(Load):
    """Rotor blades on a shaft driven by an `engine`, or at a fixed speed."""

    kind: Literal["helicopter_rotor"]
    direction: Literal[-1, 1] = Field(description="+1: right-handed about the site's x axis")
    blades: Blades
    collective: Swash
    cyclic_y: Swash | None = Field(None, description="tilts the disc about the site's y axis")
    cyclic_z: Swash | None = Field(None, description="tilts the disc about the site's z axis")
    flap: Flapping | None = Field(None, description="without it the blades are stiff")
    bar: Bar | None = Field(None, description="stabilizer bar")
    wake: float = Field(1.0, gt=0, le=1, description="share of the disc whose air is ideally accelerated")
    engine: str | None = Field(None, description="part `engine` that turns it")
    ratio: float = Field(1.0, gt=0, description="turns per turn of the engine's shaft")
    speed: float | None = Field(None, gt=0, description="[rad/s] without an engine")

    Numbers = (RotorNumbers,)
    Index: ClassVar[dict[str, str]] = dict.fromkeys(("collective", "y", "z", "first", "count"), "i8")
    State = DiscState
    switches = ("angle",)  # nothing depends on how far the shaft has turned
    Output = DiscOutput
    Element = row_type(BladeElement)
    takes: ClassVar[dict[str, Take]] = {"drive_shaft": Take(DriveShaft, "engine")}
    feeds: ClassVar[dict[str, Any]] = {"resisting": (ShaftTorque, "engine")}
    gives = Stream
    order = 72
    obeys = BLADE_ANGLES
    arrow = Arrow("force")
    shaft = ("angle", "omega")

    def model_post_init(self, _: Any) -> None:
        """Refuse what does not go together."""
        if (self.engine is None) == (self.speed is None):
            raise ValueError("give either the engine that turns it or a fixed speed [rad/s]")
        if self.bar is not None and self.flap is None:
            raise ValueError("bar: a stabilizer bar needs blades that flap, give flap")

    def used_channels(self) -> tuple[int, ...]:
        """Collective and cyclic."""
        return tuple(one.channel for one in (self.collective, self.cyclic_y, self.cyclic_z) if one is not None)

    def channel_limits(self) -> dict[int, tuple[float, float]]:
        """Full travel of the swashplate."""
        return dict.fromkeys(self.used_channels(), (-1.0, 1.0))

    def disc_radius(self) -> float:
        """[m]"""
        return self.blades.radius

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Of blades, hinges, bar and swashplate."""
        rings = self.blades.elements()
        row: dict[str, Any] = {"direction": self.direction, "radius": self.blades.radius, "blades": self.blades.blades}
        row |= {"speed": self.speed or 0.0, "ratio": self.ratio}
        row["area"] = self.disc_area()
        row["slope"] = 0.5 * self.blades.section.c_lift_a * self.blades.blades * self._along(1)
        row["flap_inertia"] = self.flap.inertia if self.flap else 0.0
        row["stiffness"] = self.flap.stiffness if self.flap else 0.0
        row |= {"lock": self.bar.lock if self.bar else 0.0, "share": self.bar.share if self.bar else 0.0}
        for name, swash in (("collective", self.collective), ("y", self.cyclic_y), ("z", self.cyclic_z)):
            one = swash or OFF
            row |= {name: places.channel(one.channel), f"{name}_gain": one.gain, f"{name}_rest": one.rest}
        row |= {"first": len(places.constants), "count": len(rings)}
        for ring in rings:
            places.constants += ring
        return row

    def describe(self, places: BindContext, frame: RootFrame) -> BladedDisc:
        """Where it is, and the closed forms of what it does."""
        site, omega = places.site(self.site), self.held_speed(places)
        one, two, three = (self._along(n) for n in (1, 2, 3))
        half, count = 0.5 * self.blades.section.c_lift_a, self.blades.blades
        y, z = (frame.direction(frame.data.site_xmat[site].reshape(3, 3)[:, k]) for k in (1, 2))
        cyclic = (self.cyclic_y or OFF, self.cyclic_z or OFF)
        lag = 2.0 * self.flap.inertia / (SEA_LEVEL * half * three * omega) if self.flap else 0.0
        lag += self.bar.share * 16.0 / (self.bar.lock * omega) if self.bar else 0.0
        return BladedDisc(
            self.collective.channel,
            frame.place(site),
            frame.axis(site),
            self.direction,
            omega,
            self.disc_area(),
            half * count * two,
            half * count * one,
            0.5 * count * self.blades.section.c_friction * three,
            self.collective.gain,
            self.collective.rest,
            (scale(cyclic[0].gain, y), scale(cyclic[1].gain, z)),
            (self.cyclic_y.channel if self.cyclic_y else -1, self.cyclic_z.channel if self.cyclic_z else -1),
            lag,
        )

    def held_speed(self, places: BindContext) -> float:
        """[rad/s] that it is held at."""
        if self.engine is None:
            return self.speed or 0.0
        engine = places.named(self.engine, DriveShaft, "gives")
        return self.ratio * float(getattr(engine, "speed", 0.0))

    def disc_area(self) -> float:
        """[m²] of the disc, less what the contraction of its wake loses."""
        return self.wake * math.fsum(2.0 * math.pi * ring.radius * ring.width for ring in self.blades.elements())

    def _along(self, power: int) -> float:
        """Integral of chord and a power of the radius along one blade."""
        return math.fsum(ring.chord * ring.width * ring.radius**power for ring in self.blades.elements())

    def initial_state(self) -> DiscState:
        """Turning, with nothing moved yet."""
        return DiscState(omega=self.direction * (self.speed or 0.0))

    @staticmethod
    def actuate(
        p: Number,
        state: DiscState,
        motion: SiteMotion,
        density: Number,
        drive: Number,
        drive_shaft: DriveShaft,
        elements: Number,
        dt: Number,
    ) -> DiscMove:
        """Inflow, flapping and bar one tick further, and what the shaft must give."""
        return moved(p, state, shaft_speed(p, drive_shaft), motion, density, drive, elements, dt)

    @staticmethod
    def settled(
        p: Number,
        state: DiscState,
        motion: SiteMotion,
        density: Number,
        drive: Number,
        drive_shaft: DriveShaft,
        elements: Number,
    ) -> DiscMove:
        """Where all this ends if all else stays."""
        omega = shaft_speed(p, drive_shaft)
        bar = bar_at(p, state, omega, asked_tilt(p, drive), motion.rate_s, LONG)
        begun = DiscState(state.angle, state.omega, state.induced, bar.cosine, bar.sine, state.flap)
        now = moved(p, begun, omega, motion, density, drive, elements, SETTLING_STEP)
        for _ in range(SETTLING):
            now = moved(p, now.state, omega, motion, density, drive, elements, SETTLING_STEP)
        at = now.state
        return DiscMove(
            DiscState(state.angle, at.omega, at.induced, at.bar_cosine, at.bar_sine, at.flap), now.resisting
        )

    @staticmethod
    def load(
        p: Number,
        state: DiscState,
        motion: SiteMotion,
        density: Number,
        drive: Number,
        drive_shaft: DriveShaft,
        elements: Number,
    ) -> DiscWrench:
        """Mean load of all blades at the present motion; the reaction of what turns it is against the rotation."""
        omega = abs(state.omega)
        pitch = pitch_of(p, state, drive)
        load = disc_load(p, state.flap, pitch, state.induced, omega, motion, density, elements)
        turning = p.blades * p.flap_inertia * p.ratio * drive_shaft.rate
        aside = hub_torque(p, state.flap, load)
        torque = Vector(-p.direction * (load.torque + turning), aside.y, aside.z)
        out = DiscOutput(
            load.force,
            torque,
            load.force.x,
            load.torque * omega,
            state.omega,
            state.induced,
            pitch.collective,
            state.flap.coning,
            state.flap.cosine,
            p.direction * state.flap.sine,
        )
        return DiscWrench(out, Wrench(load.force, torque))

    @staticmethod
    def publish(p: Number, state: DiscState, motion: SiteMotion, frame: SiteFrame) -> Stream:
        """The stream behind its disc; one that is off has no blades to blow with."""
        induced = 0.0 if p.off else state.induced
        return Stream(frame.pos_w, frame.x_w, induced, motion.vel_air_s.x, p.radius)
