"""The whole dynamics of one vehicle as the world computes them: coordinates, joints, and what its parts remember.

Nothing is modelled a second time: actuators act for a very short while, then the loads are those of a step. Numbers of
that short while are extrapolated to none, so lags are exact.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import mujoco
import numpy as np

from cupola.analysis.controls import find_channels, find_hinges
from cupola.analysis.coordinates import FreeBody, Joint, coordinates_of
from cupola.analysis.hidden_memory import ASIDE, refuse_hidden_memory
from cupola.analysis.inner_states import (
    SEEN,
    SEEN_IN_CONTACT,
    Found,
    InnerState,
    Response,
    candidates,
    find_inner_states,
)
from cupola.analysis.level import Level
from cupola.analysis.moving_air import refuse_unsteady_air
from cupola.analysis.standing import contacts_of, refuse_place
from cupola.analysis.system import STEP, Array, Derivative, System, Variable
from cupola.engine.loop import accelerate_as_is, act_now, advance, arrive_now
from cupola.kernel.observation import observation_in
from cupola.physics.airfoil import airflow
from cupola.physics.rotation import Vector, frd, rotate, unrotate
from cupola.sim.evaluation import accelerate, complain, untouched
from cupola.sim.world import World

SHORT = 1e-6
"""[s] of the short step in which the actuators act."""
SOLVER = 1e-15
"""Tolerance of MuJoCo's solver, which differences must not see."""
SLOW = 0.05
"""[m/s] of air below which there are no angles of attack and of sideslip."""
FELT = tuple(Variable(f"force_{axis}", "m/s²") for axis in "xyz")
"""Specific force front, right, down, of a body that moves freely."""
PATH = tuple(map(Variable, ("airspeed", "alpha", "beta", "climb", "turn_rate"), ("m/s", "rad", "rad", "rad", "rad/s")))
"""And its motion through the air, where there is one."""
GOES_ON, TURNED = 1e-2, 0.3
"""[1/s] A number that changes by more of itself does not come to rest; by how much it is changed to see its effect."""
RESTING = 0.5
"""[s] in which a vehicle with contact comes to rest."""
THINNEST, STRAIGHT = 1e-5, 1e-3
"""Least scale of what touches something: contacts are thin; and how straight the forces must be over a step."""


class Dynamics(System):
    """x' = f(x, u) of a vehicle. Ask it inside `with dynamics.asked():`; the world is as before afterwards."""

    def __init__(self, world: World, vehicle: str | None = None) -> None:
        self.world, self.index = world, world._index(vehicle)
        self.instance = world.instances[self.index]
        self.name: str = self.instance.name
        refuse_place(world, self.name)
        self._coordinates = coordinates_of(world.model, world.data, self.name, self.instance.root)
        self._level = Level(world.scenario)
        for free in (one for one in self._coordinates if isinstance(one, FreeBody) and self._level.is_round):
            free.level = self._level
        first = self._coordinates[0] if self._coordinates else None
        self.flies: bool = isinstance(first, FreeBody) and first.variables[0].name == "u"
        """Whether its root body moves freely."""
        self.controls = tuple(find_channels(world, self.instance))
        self._inner: list[InnerState] = []
        self._scales: dict[str, float] = {}
        self.limited: list[InnerState] = []
        """States of parts with a rate limit only: in small motions they follow without lag."""
        self._base = world.arrays.state.copy()
        self._given = world.arrays.given.copy()
        self._places = np.zeros(0, np.intp)
        self.through_air = False
        """Whether its motion through the air is needed."""
        self.touching = bool(contacts_of(world, self.name))
        self._name_states()

    @contextmanager
    def asked(self) -> Iterator[None]:
        """Context for evaluations; the world is restored afterwards."""
        refuse_unsteady_air(self.world)  # it may have been tuned since
        with untouched(self.world):
            option = self.world.model.opt
            option.tolerance, option.iterations, option.noslip_tolerance = SOLVER, 200, SOLVER
            option.noslip_iterations = 200 if option.noslip_iterations else 0
            yield

    def present(self) -> tuple[Array, Array]:
        """State and inputs of the world now."""
        read = [value for one in self._coordinates for value in one.read(self.world.data)]
        slots = self.world.arrays.command[self.instance.channels]
        inputs = [float(slots[c.channels[0]]) * c.scale for c in self.controls]
        return np.array([*read, *self.world.arrays.state[self._places]]), np.nan_to_num(np.array(inputs))

    def put(self, state: Array, inputs: Array) -> None:
        """Put the world into a state."""
        arrays, at = self.world.arrays, 0
        for one in self._coordinates:
            one.put(self.world.data, state[at : at + len(one.variables)])
            at += len(one.variables)
        arrays.state[self._places] = state[at:]
        slots = arrays.command[self.instance.channels]
        for control, value in zip(self.controls, inputs, strict=True):
            slots[list(control.channels)] = control.command(float(value))

    def put_all(self, state: Array, inputs: Array) -> None:
        """The same with everything else that the parts remember as it is there."""
        for one in candidates(self.world, self.name):
            self.world.arrays.state[one.place] = self._base[one.place]
        self.put(state, inputs)

    def find_states(self, state: Array, inputs: Array) -> None:
        """Find the states of the parts, near a state."""
        numbers = candidates(self.world, self.name)
        count = sum(len(one.variables) for one in self._coordinates)
        self._inner, self._places = numbers, np.array([one.place for one in numbers], np.intp)

        def respond(values: Array) -> Response:
            self._act(np.concatenate([state[:count], values]), inputs, SHORT)
            return Response(self._after, self.world.data.qacc.copy())

        found = Found([], [])
        if numbers:
            noise = SEEN_IN_CONTACT if self.touching else SEEN
            found = find_inner_states(numbers, self._base[self._places].copy(), respond, SHORT, noise)
        self.limited = found.limited
        self._inner, self._places = found.states, np.array([one.place for one in found.states], np.intp)
        self._name_states()

    def refuse_hidden_memory(self) -> None:
        """States of parts that cannot be set; check them first."""
        coordinates, inputs = self.present()

        slots = self.world.arrays.command[self.instance.channels]
        kept = slots.copy()

        def act(state: Array, given: Array, duration: float) -> Array:
            # A channel that moves nothing now may move what a part remembers.
            slots[:] = np.nan_to_num(kept) + ASIDE if duration else kept
            self._act(state, given, duration or SHORT)
            return np.array(self.world.data.qacc)

        noise = SEEN_IN_CONTACT if self.touching else SEEN
        refuse_hidden_memory(self.world, self.name, act, coordinates, inputs, noise)

    def take_all_states(self) -> None:
        """All states of the parts, whether something depends on them or not."""
        self._inner, self.limited = candidates(self.world, self.name), []
        self._places = np.array([one.place for one in self._inner], np.intp)
        self._name_states()

    def read_rows(self, qpos: Array, qvel: Array, remembered: Array) -> Array:
        """The states of many moments, one per row, from rows of MuJoCo's coordinates and of what parts remember."""
        return np.hstack([*(one.read_rows(qpos, qvel) for one in self._coordinates), remembered[:, self._places]])

    def turning(self) -> list[int]:
        """Indices of angles with period one turn."""
        found, at = [], 0
        for one in self._coordinates:
            if isinstance(one, FreeBody):
                found += [at + 6, at + 8]
            elif isinstance(one, Joint) and one.turns:
                found.append(at)
            at += len(one.variables)
        return found

    def leave_out_contacts(self) -> None:
        """Without contact partners: no ground, no other vehicle."""
        self.world.model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
        self.touching = False
        self._name_states()

    @contextmanager
    def held_commands(self) -> Iterator[None]:
        """Advance without controllers and without a log, which are restored afterwards."""
        arrays = self.world.arrays
        touched: list[Any] = [arrays.world, arrays.controls, arrays.history, arrays.log]
        kept = [(array, array.copy()) for array in touched]
        arrays.world["log_period"], arrays.controls["function"] = 1e15, 0
        try:
            yield
        finally:
            for array, values in kept:
                array[...] = values

    def come_to_rest(self, state: Array, inputs: Array) -> Array:
        """Coordinates after a while with held commands: what touches something only just has no slope to follow."""
        with self.held_commands():
            self.put(state, inputs)
            done = advance(self.world._table, round(RESTING * self.world.scenario.physics_hz))
        if not done:
            complain(self.world)
        self.rest_here()
        return self.present()[0]

    def at_hinges(self, state: Array) -> Array:
        """A state with the joints where servos hold them under the drives of now."""
        drive, state = self.world.arrays.drive[self.instance.channels], state.copy()
        where = {one.name: k for k, one in enumerate(self.states)}
        hinges = find_hinges(self.world, self.instance)
        state[[where[hinge.joint] for hinge in hinges]] = 0.0
        for hinge in hinges:
            state[where[hinge.joint]] += hinge.angle * drive[hinge.channel]
        return state

    def at_stops(self, state: Array, inputs: Array) -> list[str]:
        """Joints that stand at an end of their range, where forces differ from one side to the other."""
        self.put(state, inputs)
        joints = [one for one in self._coordinates if isinstance(one, Joint)]
        return [one.variables[0].name for one in joints if one.at_stop(self.world.data)]

    def going_on(self, coordinates: Array, inputs: Array, felt: bool = True) -> list[str]:
        """What parts remember that never comes to rest there, such as the turn of a crank.

        If `felt`, only what forces depend on there; else only angles.
        """
        numbers, arrays = candidates(self.world, self.name), self.world.arrays
        places = np.array([one.place for one in numbers], np.intp)
        self.settled_rates(coordinates, inputs)
        settled, given, force = arrays.state.copy(), arrays.given.copy(), self.world.data.qacc.copy()

        def act(state: Array) -> Array:
            arrays.state[:], arrays.given[:], arrays.world["dt"] = state, given, SHORT
            act_now(self.world._table)
            return (arrays.state[places] - state[places]) / SHORT

        found = []
        rates = act(settled)
        for k in np.flatnonzero(np.abs(rates) > GOES_ON * (1.0 + np.abs(settled[places]))):
            changed = settled.copy()
            changed[places[k]] += TURNED
            if abs(act(changed)[k] - rates[k]) > 1e-3 * abs(rates[k]):  # it would come to rest
                continue
            if not felt:
                found += [numbers[k].name] if numbers[k].unit == "rad" else []
                continue
            accelerate_as_is(self.world._table, True)
            if (np.abs(self.world.data.qacc - force) > 1e-6 * (1.0 + np.abs(force))).any():
                found.append(numbers[k].name)
        return found

    def find_scales(self, state: Array, inputs: Array) -> None:
        """Shorten the scales of coordinates over which the forces of contacts are not straight."""
        base, states = self.derivative(state, inputs).rates, list(self.states)
        for k in range(sum(len(one.variables) for one in self._coordinates)):
            while states[k].scale > THINNEST:
                step, above, below = STEP * states[k].scale, state.copy(), state.copy()
                above[k] += step
                below[k] -= step
                up, down = self.derivative(above, inputs).rates - base, base - self.derivative(below, inputs).rates
                if np.linalg.norm(up - down) <= STRAIGHT * np.linalg.norm(up + down) + SEEN:
                    break
                states[k] = states[k]._replace(scale=0.1 * states[k].scale)
        self.states = tuple(states)
        self._scales = {one.name: one.scale for one in states}

    def forget(self) -> None:
        """Restart with coordinates alone."""
        self._inner, self.limited, self._scales, self._places = [], [], {}, np.zeros(0, np.intp)
        self._name_states()

    def settle(self, state: Array, inputs: Array) -> None:
        """Settle the states of the parts at a state, as far as the parts define how."""
        self.put(state, inputs)
        accelerate(self.world, settled=True)
        self.rest_here()

    @property
    def inner(self) -> list[InnerState]:
        """States of the parts, which come last among the states."""
        return self._inner

    def remembered(self) -> Array:
        """What the parts remember where it was asked last to begin from."""
        return np.array(self._base[self._places])

    def like(self, other: "Dynamics") -> "Dynamics":
        """With the states of another one, of a world of the same scenario."""
        self._inner, self._places, self._base, self._given = other._inner, other._places, other._base, other._given
        self.limited, self._scales = other.limited, other._scales
        self._name_states()
        return self

    def derivative(self, state: Sequence[float] | Array, inputs: Array) -> Derivative:
        """Derivatives of the states: two short steps, extrapolated to zero length."""
        values = np.asarray(state, np.float64)
        first = self._once(values, inputs, SHORT)
        if not self._inner:
            return first
        half = self._once(values, inputs, SHORT / 2.0)
        return Derivative(2.0 * half.rates - first.rates, 2.0 * half.outputs - first.outputs)

    def holds(self) -> list[bool]:
        """For each joint with dry friction: whether friction held it in the last evaluation."""
        data, friction = self.world.data, mujoco.mjtConstraint.mjCNSTR_FRICTION_DOF
        states = data.efc_state[: data.nefc][data.efc_type[: data.nefc] == friction]
        return [bool(one == mujoco.mjtConstraintState.mjCNSTRSTATE_QUADRATIC) for one in states]

    def stuck(self, state: Array, inputs: Array) -> list[str]:
        """Joints that dry friction holds."""
        self.derivative(state, inputs)
        data, friction = self.world.data, mujoco.mjtConstraint.mjCNSTR_FRICTION_DOF
        rows = np.flatnonzero(data.efc_type[: data.nefc] == friction)
        held = {int(data.efc_id[row]) for row, one in zip(rows, self.holds(), strict=True) if one}
        joints = [one for one in self._coordinates if isinstance(one, Joint)]
        return [one.variables[0].name for one in joints if one.place in held]

    def settled_rates(self, state: Array, inputs: Array) -> Derivative:
        """Derivatives of the coordinates with the states of the parts at rest."""
        arrays = self.world.arrays
        arrays.state[:], arrays.given[:], arrays.world["dt"] = self._base, self._given, self.world.dt
        self.put(np.concatenate([state, self._base[self._places]]), inputs)
        accelerate(self.world, settled=True)
        rates = self._coordinate_rates(state)
        return Derivative(np.array(rates), np.array([*state, *self._seen(state, rates)]))

    def rest_here(self) -> None:
        """Start from the present states of the parts."""
        self._base, self._given = self.world.arrays.state.copy(), self.world.arrays.given.copy()

    def _coordinate_rates(self, state: Array) -> list[float]:
        rates, at = [], 0
        for one in self._coordinates:
            rates += one.rates(self.world.data, state[at : at + len(one.variables)])
            at += len(one.variables)
        return rates

    def _once(self, state: Array, inputs: Array, duration: float) -> Derivative:
        self._act(state, inputs, duration)
        rates = self._coordinate_rates(state)
        inner = (self._after - state[len(rates) :]) / duration
        return Derivative(np.array([*rates, *inner]), np.array([*state, *self._seen(state, rates)]))

    def _act(self, state: Array, inputs: Array, duration: float) -> None:
        """Actuators act for a short while, thrice from the same state: a wing that changes its shape at once then
        stands still, for its speed and acceleration are differences of its last three shapes.
        """
        world = self.world
        world.arrays.state[:], world.arrays.given[:] = self._base, self._given
        world.arrays.world["dt"] = duration
        world.data.qacc_warmstart[:] = 0.0
        self.put(state, inputs)
        if self.limited:
            arrive_now(world._table)
            self.put(state, inputs)
        for _ in range(3):
            world.arrays.state[self._places] = state[len(state) - len(self._places) :]
            if act_now(world._table):
                complain(world)
        self._after = world.arrays.state[self._places].copy()
        if accelerate_as_is(world._table, True):
            complain(world)

    def _seen(self, state: Array, rates: list[float]) -> list[float]:
        if not self.flies:
            return []
        now = observation_in(self.world.arrays.observations[self.index])
        air = frd(now.vel_air_b)
        u, v, w, p, q, r = state[:6]
        turning = np.cross([p, q, r], [u, v, w])
        vel_w = rotate(now.quat_wb, frd(Vector(u, v, w)))
        pull = frd(unrotate(now.quat_wb, self._level.pull(vel_w, state[11])))
        felt = np.array(rates[:3]) + turning - np.array(pull)
        up = rotate(now.quat_wb, now.vel_air_b).z
        if not self.through_air:
            return [float(one) for one in felt]
        flow = airflow(air)
        return [*felt, *flow, float(np.arcsin(np.clip(up / max(flow[0], SLOW), -1.0, 1.0))), rates[8]]

    def _name_states(self) -> None:
        inner = [Variable(one.name, one.unit, 1.0 + abs(float(self._base[one.place]))) for one in self._inner]
        every = (*(v for one in self._coordinates for v in one.variables), *inner)
        self.states = tuple(one._replace(scale=self._scales.get(one.name, one.scale)) for one in every)
        self.outputs = (*self.states, *(FELT if self.flies else ()), *(PATH if self.through_air else ()))

    def angles(self) -> list[int]:
        """Places of joints' angles and of what parts remember: what may turn on for ever."""
        found, at = [], 0
        for one in self._coordinates:
            found += [at + k for k in one.angles]
            at += len(one.variables)
        return [*found, *range(at, len(self.states))]
