"""Control allocation from geometry: wanted accelerations in, rotor throttles (and tilts) out.

The pseudo-inverse of what each rotor does to the vehicle gives the thrusts; since mass, inertia and places are read
from the compiled model, a controller that commands accelerations flies any multirotor. A rotor on a tilting joint
counts as two forces, along and across its shaft. Actuators of the MuJoCo model that push or turn a body at a site
(`pushers`) are mixed in the same way, their controls instead of throttles, and so are servos that turn shafts with
blades (`shafts`), whose thrust is given. Method: Johansen and Fossen, Control
allocation, Automatica 2013.
"""

from typing import Any, ClassVar, Literal, NamedTuple

import mujoco
import numpy as np
from pydantic import Field, model_validator

from cupola.kernel.commands import THRUST_AND_TURN
from cupola.kernel.records import flat, reader, size
from cupola.parts.binding import BindContext
from cupola.parts.part import Part
from cupola.schema.yaml_files import Entry
from cupola.xmath import Number, atan2, clip, maximum, sqrt, where

INPUTS = 4
FEWEST = 3
"""Forces that may be enough, where one of them tilts."""


class Shares(NamedTuple):
    """Force of a rotor per unit of each input [N by m/s² or rad/s²]."""

    thrust: Number
    roll: Number
    pitch: Number
    yaw: Number


class MixedRotor(NamedTuple):
    """Data of a rotor for the mixer."""

    along: Shares
    """Along its shaft."""
    across: Shares
    """Across it, by tilting; zeros where it cannot."""
    full: Number
    """[N] at full throttle."""
    throttle: Number
    """Its channel."""
    tilt: Number
    """Channel of the servo that tilts it; 0: none."""
    direct: Number
    """1: its channel takes the force itself, whichever its sign; 0: a throttle, whose square is the force."""


rotor_at = reader(MixedRotor)
PER_ROTOR = size(MixedRotor)


class BladedShaft(Entry):
    """A propeller whose blades are surfaces of their own, on a shaft that a servo turns."""

    site: str = Field(description="frame on what carries the shaft, x along the thrust")
    thrust: float = Field(gt=0, description="[N] in air at rest, at full command")
    ratio: float = Field(0.0, description="[m] torque of the air about x per thrust")


class Mixed(NamedTuple):
    """Answer of `actuate`."""

    ok: bool


class Mixer(Part):
    """Four channels command specific thrust along body z [m/s²] and angular accelerations about x, y, z [rad/s²].

    It mixes for controllers that begin at its first channel; one that begins elsewhere moves the rotors itself.
    """

    kind: Literal["mixer"]
    rotors: list[str] = Field(
        default_factory=list, description="names of rotor parts; their channels are not the mixer's"
    )
    channel: int = Field(0, ge=0, description="the first of its four command channels")
    tilts: dict[str, str] = Field(default_factory=dict, description="rotor part: servo part that tilts it")
    pushers: list[str] = Field(
        default_factory=list, description="servo parts whose MuJoCo actuators push or turn a body at a site"
    )

    shafts: dict[str, BladedShaft] = Field(
        default_factory=dict, description="servo part whose channel, 0 to 1, is the speed of a shaft with blades"
    )

    @model_validator(mode="after")
    def _check_enough(self) -> "Mixer":
        given = len((*self.rotors, *self.shafts, *self.pushers))
        if given < FEWEST:
            raise ValueError(f"a mixer needs {FEWEST} rotors, pushers or shafts, got {given}")
        return self

    def used_channels(self) -> tuple[int, ...]:
        """Its four inputs."""
        return tuple(range(self.channel, self.channel + INPUTS))

    Index: ClassVar[dict[str, str]] = dict.fromkeys(
        ("thrust", "roll", "pitch", "yaw", "start", "count", "active"), "i8"
    )
    order = 10
    obeys = THRUST_AND_TURN
    set_by_world = ("active",)

    def commanded_parts(self) -> tuple[str, ...]:
        """Its rotors, the servos that tilt them, shafts and pushers."""
        return (*self.rotors, *self.tilts.values(), *self.shafts, *self.pushers)

    def first_input(self) -> int:
        """It is active for a controller whose commands start here."""
        return self.channel

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Allocation of the compiled model at rest."""
        rotors = [self._part(places, name, "static_lift", "rotor") for name in self.rotors]
        servos = {name: self._part(places, servo, "channel", "servo") for name, servo in self.tilts.items()}
        own = self.used_channels()
        pushers = [self._part(places, name, "moved_actuator", "servo") for name in self.pushers]
        turned = [self._part(places, name, "moved_actuator", "servo") for name in self.shafts]
        moved = dict(zip((*self.rotors, *self.shafts, *self.pushers), (*rotors, *turned, *pushers), strict=True))
        wrong = [name for name, part in moved.items() if part.channel in own]
        if wrong:
            raise ValueError(
                f"channels {own[0]} to {own[-1]} are the mixer's inputs; rotors on them: {', '.join(wrong)}"
            )
        plant = Plant(places.model, places.root)
        columns, full = [], []
        for name, rotor in zip(self.rotors, rotors, strict=True):
            thrust, ratio = rotor.static_lift()
            site = places.site(rotor.site)
            columns.append(plant.along(site, ratio))
            if name in self.tilts:
                columns.append(plant.across(site, ratio))
            full.append(thrust)
        columns += [plant.along(places.site(one.site), one.ratio) for one in self.shafts.values()]
        columns += [plant.pushed(places.actuator(part.actuator)) for part in pushers]
        matrix = np.array(columns).T
        if np.linalg.matrix_rank(matrix, tol=1e-6 * np.abs(matrix).max()) < 4:
            raise ValueError(
                f"the rotors {', '.join(moved)} cannot command thrust, roll, pitch and yaw independently; "
                "add a rotor, or let one tilt (tilts:)"
            )
        inverse = np.linalg.pinv(matrix)
        row: dict[str, Any] = {"start": len(places.constants), "count": len(moved), "active": 1}
        at = 0
        for name, rotor, thrust in zip(self.rotors, rotors, full, strict=True):
            tilts = name in servos
            across = inverse[at + 1] if tilts else np.zeros(INPUTS)
            tilt = places.channel(servos[name].channel) if tilts else 0
            channel = places.channel(rotor.channel)
            mixed = MixedRotor(Shares(*inverse[at]), Shares(*across), thrust, channel, tilt, 0)
            places.constants += flat(mixed)
            at += 1 + tilts
        none = Shares(0.0, 0.0, 0.0, 0.0)
        for shares, part, one in zip(inverse[at:], turned, self.shafts.values(), strict=False):
            places.constants += flat(MixedRotor(Shares(*shares), none, one.thrust, places.channel(part.channel), 0, 0))
        for shares, part in zip(inverse[at + len(turned) :], pushers, strict=True):
            places.constants += flat(MixedRotor(Shares(*shares), none, 1.0, places.channel(part.channel), 0, 1))
        return row | dict(zip(("thrust", "roll", "pitch", "yaw"), map(places.channel, own), strict=True))

    def _part(self, places: BindContext, name: str, skill: str, noun: str) -> Any:
        """A part of this vehicle with the required ability."""
        part = places.parts.get(name)
        if not hasattr(part, skill):
            fitting = ", ".join(n for n, p in places.parts.items() if hasattr(p, skill)) or "none"
            raise ValueError(f"there is no {noun} part {name!r}; there are: {fitting}")
        return part

    @staticmethod
    def actuate(p: Number, drive: Number, constants: Number) -> Mixed:
        """Convert the four commands to throttles and tilts."""
        return Mixed(mix(p, drive, constants))

    settle: ClassVar[Any] = actuate


class Plant:
    """Mass, inertia and places of a vehicle at rest, in the axes of its root body about its centre of mass."""

    def __init__(self, model: Any, root: int) -> None:
        self.model = model
        self.data = mujoco.MjData(model)
        # Places only: vehicles that are not yet where they start lie in each other, and many would touch at once.
        mujoco.mj_kinematics(model, self.data)
        mujoco.mj_comPos(model, self.data)
        self.R_wb = self.data.xmat[root].reshape(3, 3)
        self.com_w = self.data.subtree_com[root]
        self.mass: float = float(model.body_subtreemass[root])
        self.inertia = np.zeros((3, 3))
        for body in range(model.nbody):
            if model.body_rootid[body] == model.body_rootid[root]:
                R_bi = self.R_wb.T @ self.data.ximat[body].reshape(3, 3)
                r = self.R_wb.T @ (self.data.xipos[body] - self.com_w)
                own = R_bi @ np.diag(model.body_inertia[body]) @ R_bi.T
                self.inertia += own + model.body_mass[body] * (r @ r * np.eye(3) - np.outer(r, r))

    def along(self, site: int, ratio: float) -> list[float]:
        """Effect of one newton along a shaft; `ratio` is its reaction torque per thrust [m]."""
        shaft, arm = self._shaft(site), self.R_wb.T @ (self.data.site_xpos[site] - self.com_w)
        return self._effect(shaft, np.cross(arm, shaft) + ratio * shaft)

    def pushed(self, actuator: int) -> list[float]:
        """Effect of one unit of control of an actuator at a site."""
        model = self.model
        if model.actuator_trntype[actuator] != mujoco.mjtTrn.mjTRN_SITE:
            raise ValueError(f"the actuator {model.actuator(actuator).name!r} does not act at a site")
        site = int(model.actuator_trnid[actuator, 0])
        turn = self.R_wb.T @ self.data.site_xmat[site].reshape(3, 3)
        gear = model.actuator_gear[actuator] * model.actuator_gainprm[actuator, 0]
        arm, force = self.R_wb.T @ (self.data.site_xpos[site] - self.com_w), turn @ gear[:3]
        return self._effect(force, np.cross(arm, force) + turn @ gear[3:])

    def across(self, site: int, ratio: float) -> list[float]:
        """What a rotor of one newton does per radian of tilt: its force turns, and its place swings about the hinge."""
        body = self.model.site_bodyid[site]
        while body and self.model.body_jntnum[body] == 0:  # what is fixed to a body that tilts tilts with it
            body = self.model.body_parentid[body]
        joint = self.model.body_jntadr[body]
        if joint < 0 or self.model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_HINGE:
            raise ValueError("a tilting rotor's site must sit on a body with a hinge joint, or on one fixed to it")
        axis = self.R_wb.T @ self.data.xaxis[joint]
        shaft, arm = self._shaft(site), self.R_wb.T @ (self.data.site_xpos[site] - self.com_w)
        swing = np.cross(axis, self.R_wb.T @ (self.data.site_xpos[site] - self.data.xanchor[joint]))
        turned = np.cross(axis, shaft)
        return self._effect(turned, np.cross(arm, turned) + np.cross(swing, shaft) + ratio * turned)

    def _shaft(self, site: int) -> Any:
        return self.R_wb.T @ self.data.site_xmat[site].reshape(3, 3)[:, 0]

    def _effect(self, force: Any, torque: Any) -> list[float]:
        """Acceleration along body z [m/s²] and angular acceleration [rad/s²]."""
        return [force[2] / self.mass, *np.linalg.solve(self.inertia, torque)]


def mix(row: Number, drive: Number, pool: Number) -> bool:
    """Convert the four commands to throttles and tilt angles if the mixer is active; False: NaN."""
    if not row.active:
        return True
    total = 0.0
    thrust, roll, pitch, yaw = drive[row.thrust], drive[row.roll], drive[row.pitch], drive[row.yaw]
    for i in range(row.count):
        rotor = rotor_at(pool, row.start + i * PER_ROTOR)
        a, c = rotor.along, rotor.across
        wanted = a.thrust * thrust + a.roll * roll + a.pitch * pitch + a.yaw * yaw
        along = maximum(wanted, 0.0)
        across = c.thrust * thrust + c.roll * roll + c.pitch * pitch + c.yaw * yaw
        force = sqrt(along * along + across * across)
        total += wanted + across + rotor.full
        throttle = sqrt(clip(force / rotor.full, 0.0, 1.0))
        drive[int(rotor.throttle)] = where(rotor.direct > 0.0, wanted, throttle)
        if rotor.tilt > 0.0:
            drive[int(rotor.tilt)] = where(force > 0.0, atan2(across, maximum(along, 1e-6)), 0.0)
    return abs(total) < 1e300
