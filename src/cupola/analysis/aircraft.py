"""An aeroplane as flight mechanics sees it: twelve states, its controls, and how fast the states change.

Everything is asked of the compiled world, so the equations are those that fly. Actuators are where they come to rest,
joints where they are held: the short model that the books know. `dynamics.py` has all of it.
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import mujoco
import numpy as np

from cupola.analysis.controls import Control, Hinge, find_controls, find_hinges
from cupola.analysis.coordinates import SCALES, UNITS, Flight, attitude, flight_rates
from cupola.analysis.level import Level
from cupola.analysis.moving_air import present_air, refuse_moving_air
from cupola.analysis.system import Array, Derivative, System, Variable
from cupola.build.compile import VehicleInstance
from cupola.physics.airfoil import airflow
from cupola.physics.rotation import Vector, frd, rotate, subtract, unrotate
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

PROBE = 20.0
"""[m/s] airspeed at which the effect of a control is measured."""
SURFACES = ("aileron", "elevator", "rudder")
"""Name of a surface by the axis it turns the aircraft about."""


STATES = Flight._fields
OUTPUTS = (*STATES, "airspeed", "alpha", "beta", "force_x", "force_y", "force_z", "climb", "turn_rate")
"""The states, the airspeed triplet, the specific force front, right, down, path angle and rate of turn."""
OUTPUT_UNITS = (*UNITS, "m/s", "rad", "rad", "m/s²", "m/s²", "m/s²", "rad", "rad/s")
TINY = 1e-9


class Aircraft(System):
    """One vehicle of a world, asked but not flown: the world is put into any state, and no time passes.

    The world is reset. What fails or is pushed stays so.
    """

    def __init__(self, world: World, vehicle: str | None = None) -> None:
        names = [instance.name for instance in world.instances]
        if vehicle is not None and vehicle not in names:
            raise InputError(f"there is no vehicle {vehicle!r}; there are: {', '.join(names)}")
        self.world = world
        self.instance: VehicleInstance = world.instances[names.index(vehicle) if vehicle else 0]
        self.name: str = self.instance.name
        model, root = world.model, self.instance.root
        joint = int(model.body_jntadr[root])
        parts = self.instance.vehicle.parts.values()
        if joint < 0 or model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_FREE:
            raise InputError(f"{self.name} is not free to fly: its root body has no free joint")
        if not any(part.lifts for part in parts):
            raise InputError(f"{self.name} has no airfoil; only vehicles with wings have a trimmed glide or cruise")
        refuse_moving_air(world, self.name)
        self._air = present_air(world)
        rows = zip(STATES, UNITS, SCALES, strict=True)
        self.states = tuple(Variable(name, unit, scale) for name, unit, scale in rows)
        self.outputs = tuple(Variable(name, unit) for name, unit in zip(OUTPUTS, OUTPUT_UNITS, strict=True))
        self._level = Level(world.scenario)
        self._at = int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
        _reset(world)
        self._hinges: list[Hinge] = []
        if any(part.control_joints() for part in parts):
            self._hinges = find_hinges(world, self.instance)
        self.controls: tuple[Control, ...] = ()
        self.controls = self._named(find_controls(world, self.instance))
        if not self.controls:
            raise InputError(f"{self.name} has no surface or throttle on a channel of its own: use cupola.equilibrium")

    def hold(self, state: Flight, inputs: Array) -> None:
        """Set the state of the vehicle and its controls, in the order of `controls`."""
        if present_air(self.world) is not self._air:  # it was tuned meanwhile
            refuse_moving_air(self.world, self.name)
            self._air = present_air(self.world)
        q, d = self._at
        data, slots = self.world.data, self.world.arrays.command[self.instance.channels]
        quat_wb = attitude(state)
        # Round a planet it makes no difference where it flies: there it is asked above the origin.
        x, y = (0.0, 0.0) if self._level.is_round else (state.x, -state.y)
        data.qpos[q : q + 7] = [x, y, state.h, *quat_wb]
        data.qvel[d : d + 3] = rotate(quat_wb, frd(Vector(state.u, state.v, state.w)))
        data.qvel[d + 3 : d + 6] = frd(Vector(state.p, state.q, state.r))
        for control, value in zip(self.controls, inputs, strict=True):
            slots[list(control.channels)] = control.command(float(value))
        data.qpos[[hinge.place for hinge in self._hinges]] = 0.0
        for hinge in self._hinges:
            data.qpos[hinge.place] += hinge.angle * slots[hinge.channel]

    def at_airspeed(self, airspeed: float) -> None:
        """Measure velocities and places by an airspeed [m/s]."""
        far = {"m/s": airspeed, "m": airspeed}
        self.states = tuple(one._replace(scale=far.get(one.unit, 1.0)) for one in self.states)

    def derivative(self, state: Sequence[float] | Array, inputs: Array) -> Derivative:
        """Derivatives of the states, with the actuators in steady state."""
        state = Flight(*np.asarray(state, np.float64).tolist())
        self.hold(state, inputs)
        with self._alone():
            self.world.accelerate()
        d = self._at[1]
        quat_wb = attitude(state)
        qacc = self._stiff() if self._hinges else self.world.data.qacc
        accel_w, angular_b = (Vector(*qacc[k : k + 3].tolist()) for k in (d, d + 3))
        vel_w = rotate(quat_wb, frd(Vector(state.u, state.v, state.w)))
        felt_w = subtract(accel_w, self._level.pull(vel_w, state.h))
        rates = flight_rates(state, accel_w, angular_b, self._level.turning(vel_w, state.h))
        flow = airflow(Vector(state.u, state.v, state.w))
        climb = math.asin(max(-1.0, min(1.0, rates[11] / max(flow.speed, TINY))))
        outputs = [*state, *flow, *frd(unrotate(quat_wb, felt_w)), climb, rates[8]]
        return Derivative(np.array(rates), np.array(outputs))

    def _stiff(self) -> Array:
        """Accelerations with all joints but the free one held: the same forces on the same masses, moving as one."""
        model, data, d = self.world.model, self.world.data, self._at[1]
        force, column, found = np.zeros(model.nv), np.zeros(model.nv), np.zeros(model.nv)
        mujoco.mj_mulM(model, data, force, data.qacc)
        mass = np.zeros((6, 6))
        for k in range(6):
            mujoco.mj_mulM(model, data, column, np.eye(model.nv)[d + k])
            mass[:, k] = column[d : d + 6]
        found[d : d + 6] = np.linalg.solve(mass, force[d : d + 6])
        return found

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Without contact partners: no ground, no other vehicle."""
        option = self.world.model.opt
        before = int(option.disableflags)
        option.disableflags = before | mujoco.mjtDisableBit.mjDSBL_CONTACT
        try:
            yield
        finally:
            option.disableflags = before

    def _named(self, controls: list[Control]) -> tuple[Control, ...]:
        """Surfaces named by their effect; surfaces with the same effect are distinguished by their channel."""
        self.controls = tuple(controls)
        names = [control.name or SURFACES[self._axis(i)] for i, control in enumerate(controls)]
        often = Counter(names)
        return tuple(
            control._replace(name=name if often[name] == 1 else f"{name}_{control.channels[0]}")
            for control, name in zip(controls, names, strict=True)
        )

    def _axis(self, index: int) -> int:
        """Axis of the largest torque of a control: 0 front, 1 right, 2 down."""
        still, moved = np.zeros(len(self.controls)), np.zeros(len(self.controls))
        moved[index] = 0.5 * self.controls[index].high
        state, model, data = Flight(PROBE, 0.0, 0.0, h=100.0), self.world.model, self.world.data
        self.derivative(state, still)
        before = data.qacc.copy()
        self.derivative(state, moved)
        torque = np.zeros(model.nv)
        mujoco.mj_mulM(model, data, torque, data.qacc - before)
        return int(np.argmax(np.abs(torque[self._at[1] + 3 : self._at[1] + 6])))


def _reset(world: World) -> None:
    """To its start, where actuators and parts remember nothing; what fails or pushes it now stays."""
    failed = [one for one in world.faults() if one.amount]
    pushes = world.arrays.applied_forces.copy()
    world.reset()
    for part, kind, amount in failed:
        world.fail(part, kind, amount)
    for body in np.flatnonzero(pushes.any(axis=1)).tolist():
        force, point, torque = pushes[body].reshape(3, 3).tolist()
        world.push(body, force, point, torque)
