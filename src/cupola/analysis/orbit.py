"""Periodic orbits: the motion of a bird that repeats itself beat by beat, and what becomes of small changes of it.

Found is a state that a whole cycle of the simulation leads back to, with averages that were asked for. Its linear model
goes from beat to beat: x[k+1] = A x[k] + B u[k], each taken where the crank stands as at the beginning (Poincaré's
section), so a beat may take longer. The eigenvalues of A are Floquet's multipliers: Nayfeh and Balachandran, Applied
Nonlinear Dynamics (1995), chapter 3.
"""

import cmath
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cupola.analysis.balance import Solution, Wanted, balance, name_free
from cupola.analysis.cycle import TURN, Cycle, Flown
from cupola.analysis.dynamics import Dynamics
from cupola.analysis.equilibrium import FIRST_ALPHAS, PATH, USUAL, first_flight
from cupola.analysis.linear_model import LinearModel, units_of
from cupola.analysis.modes import Mode
from cupola.analysis.obstacle import PLACE, obstacle
from cupola.analysis.system import Array, Jacobian, scales_of
from cupola.engine.loop import reopen
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

RELAXED = 3
"""Cycles simulated before the first guess, for air and joints to settle."""
ROUNDS = 4
"""Number of restarts of the search."""
DEPENDS = 1e-6
"""Relative change that counts as a dependence."""
GONE = 1e-6
"""Multipliers below this value are not reported."""
NAMED = 0.3
"""A mode is named after the states that take part at least by this share of the first."""


@dataclass(frozen=True)
class PeriodicOrbit:
    """A periodic motion. Values by name are averages over a cycle."""

    system: Cycle
    state: Array
    """State at the start of a cycle."""
    inputs: Array
    """Commands, and the period."""
    rates: Array
    """Change of each state over a cycle, divided by the period; positions may keep changing."""
    outputs: Array
    """Averages."""
    free: tuple[str, ...]
    """Undetermined quantities, in words."""
    notes: tuple[str, ...]
    """Assumptions."""
    clock: str
    """The angle that rotates once per cycle."""
    flown: Flown
    """A cycle, tick by tick."""
    jacobian: Jacobian

    @property
    def period(self) -> float:
        """[s]"""
        return float(self.inputs[-1])

    def values(self) -> dict[str, float]:
        """Averages and commands by name."""
        found = dict(zip((one.name for one in self.system.controls), self.inputs.tolist(), strict=True))
        return found | dict(zip((one.name for one in self.system.outputs), self.outputs.tolist(), strict=True))

    def __getitem__(self, name: str) -> float:
        """An average, a command, or the period."""
        self.system.find(name)
        return self.values()[name]

    def times(self) -> Array:
        """[s] from the beginning of a cycle to its end, tick by tick."""
        return np.linspace(0.0, self.period, len(self.flown.states))

    def trace(self, name: str) -> Array:
        """A state at each of these times."""
        known = [one.name for one in self.system.states]
        if name not in known:
            raise InputError(f"{self.system.name} has no state {name!r}; it has: {', '.join(known)}")
        return np.array(self.flown.states[:, known.index(name)])

    def commands(self) -> dict[int, float]:
        """Value of each command channel."""
        pairs = zip(self.system.controls, self.inputs.tolist(), strict=True)
        return {channel: one.command(value) for one, value in pairs for channel in one.channels}

    def put(self, world: World | None = None) -> None:
        """Set a world of the same scenario to the start of a cycle, with the commands. Its step is not stretched."""
        whole = self.system.whole if world is None else Dynamics(world, self.system.name).like(self.system.whole)
        whole.put(self.state, self.inputs[:-1])
        whole.world.arrays.drive[:] = whole.world.arrays.command
        reopen(whole.world._table)

    @cached_property
    def model(self) -> LinearModel:
        """From beat to beat: see `cupola.linearize`."""
        return _section(self)

    @property
    def multipliers(self) -> Array:
        """Floquet multipliers, largest first, of all states that something depends on."""
        return np.array([one for one, _ in _multipliers(self.model, self.system)])

    @property
    def stable(self) -> bool:
        """Whether all small disturbances decay."""
        return bool(np.abs(self.multipliers).max(initial=0.0) < 1.0)

    def modes(self) -> list[Mode]:
        """Floquet's modes, slow before fast: exponents by the second, named after the states that take part most."""
        found = []
        for value, name in _multipliers(self.model, self.system):
            if abs(value) > GONE and value.imag >= 0.0:
                exponent = cmath.log(value) / self.period
                found.append(Mode(name, exponent.real, exponent.imag))
        return found


def periodic_orbit(
    world: World,
    hold: Mapping[str, float] | None = None,
    free: Iterable[str] = (),
    vehicle: str | None = None,
    clock: str | None = None,
) -> PeriodicOrbit:
    """The periodic motion under held commands nearest to the present state; an `InputError` says why there is none.

    `hold` gives values to averages over a cycle (`airspeed`, `climb`, `theta`, ...), to channels and to `period`.
    Without a quantity of flight it stays where it is. `free` names what shall be found though it is held unless said
    otherwise, such as `"climb"`. `clock` is the angle that goes round once in a cycle, such as the crank of a bird:
    what goes on by itself in a part, or the joint of a shaft. The world stays as it is.
    """
    system = Dynamics(world, vehicle)
    with system.asked(), system.held_commands():
        system.refuse_hidden_memory()
        return _Question(system, dict(hold or {}), set(free), clock).answer()


class _Question:
    """What is held, and what is tried."""

    def __init__(self, system: Dynamics, hold: dict[str, float], free: set[str], clock: str | None) -> None:
        self.system, self.hold, self.free, self.clock = system, hold, free, clock
        self.begun = system.world.snapshot()
        for name, value in hold.items():
            if not math.isfinite(value):
                raise InputError(f"hold: {name} must be a finite number, got {value}")
        if not min(hold.get("airspeed", 1.0), hold.get("period", 1.0)) > 0.0:
            raise InputError("airspeed and period must be positive")
        self.flying = system.flies and any(name in PATH for name in (*hold, *free))
        system.through_air = self.flying
        if self.flying:
            system.leave_out_contacts()
        chosen = {k: v for k, v in USUAL.items() if k not in hold and k not in free} if self.flying else {}
        self.held = {**chosen, **{k: v for k, v in hold.items() if k != "period"}}
        self.notes = [f"{name} was not given: taken as 0 on average" for name in chosen]

    def answer(self) -> PeriodicOrbit:
        """The first solution, from several angles of attack."""
        inputs, clock = self._set_going()
        reasons = []
        for alpha in (self.hold["alpha"],) if "alpha" in self.hold else FIRST_ALPHAS if self.flying else (0.0,):
            cycle, state, there = self._guess(inputs, clock, alpha)
            found = self._solve(cycle, state, there)
            if found.solved:
                return self._orbit(cycle, found)
            reasons.append((float(np.linalg.norm(found.left)), obstacle(cycle, found)))
        asked = ", ".join(f"{name} = {value:g}" for name, value in self.hold.items()) or "rest"
        raise InputError(f"{self.system.name} has no periodic orbit at {asked}: {min(reasons)[1]}")

    def _set_going(self) -> tuple[Array, str]:
        """Commands under which an angle rotates, and its name."""
        state, inputs = self.system.present()
        for k, control in enumerate(self.system.controls):
            inputs[k] = self.hold.get(control.name, min(max(inputs[k], control.low), control.high))
        if self.clock is not None:
            return inputs, self.clock
        state = self._at_hinges(state, inputs)
        for felt in (True, False):  # at rest not all that acts is felt
            if names := self.system.going_on(state, inputs, felt):
                return inputs, names[0]
        for k, control in enumerate(self.system.controls):
            trial = inputs.copy()
            trial[k] = 0.5 * (control.low + control.high) if math.isfinite(control.high - control.low) else 1.0
            if control.name not in self.hold and (names := self.system.going_on(state, trial)):
                return trial, names[0]
        raise InputError(
            f"nothing of {self.system.name} goes round under these commands, so nothing repeats itself: hold the "
            "command that sets it going, name what does as `clock`, or ask for an equilibrium"
        )

    def _at_hinges(self, state: Array, inputs: Array) -> Array:
        """Coordinates with the joints where servos hold them."""
        self.system.settle(state, inputs)
        state = self.system.at_hinges(state)
        self.system.settle(state, inputs)
        return state

    def _guess(self, inputs: Array, name: str, alpha: float) -> tuple[Cycle, Array, Array]:
        """Where to begin: the air and the joints have got used to the flapping."""
        system = self.system
        system.forget()
        system.world._go_back(self.begun)
        state = system.present()[0]
        if self.flying:
            state[:9] = first_flight(self.hold, alpha, state)
        state = self._at_hinges(state, inputs)
        system.take_all_states()
        state = np.concatenate([state, system.remembered()])
        where = {one.name: k for k, one in enumerate(system.states)}
        if name not in where or system.states[where[name]].unit != "rad":
            known = ", ".join(one.name for one in system.states if one.unit == "rad")
            raise InputError(f"clock: {system.name} has no angle {name!r}; it has: {known}")
        for one in self.hold.keys() & where.keys():
            state[where[one]] = self.hold[one]
        speed = abs(float(system.derivative(state, inputs).rates[where[name]]))
        period = self.hold.get("period") or (TURN / speed if speed > 0.0 else 0.0)
        if not period > 0.0:
            raise InputError(f"{name} stands still under these commands: hold the period")
        cycle = Cycle(system, where[name], period)
        there, begun = np.append(inputs, period), state.copy()
        for _ in range(RELAXED):
            state = cycle.fly(state, there).states[-1]
            state[: 12 if system.flies else 0] = begun[: 12 if system.flies else 0]
            state[where[name]] = begun[where[name]]
        return cycle, state, there

    def _solve(self, cycle: Cycle, state: Array, inputs: Array) -> Solution:
        """Newton's method, begun again where the corrected Jacobian leads no further, or a beat has other steps."""
        wanted = self._wanted(cycle, state, inputs)
        for _ in range(ROUNDS):
            found = balance(cycle, state, inputs, wanted)
            state, inputs = found.state, found.inputs
            if not found.solved:
                cycle.start_anew()
            elif not cycle.retimed(state, inputs):
                break
        return found

    def _wanted(self, cycle: Cycle, state: Array, inputs: Array) -> Wanted:
        for name in (*self.held, *self.free):
            cycle.find(name)
        where = {one.name: k for k, one in enumerate(cycle.states)}
        place = {where[name] for name in PLACE} if self.system.flies else set()
        every, n = set(range(len(cycle.states))), len(cycle.states)
        effect = np.abs(cycle.jacobian(state, inputs).A * scales_of(cycle)[:n] / scales_of(cycle)[:n, None])
        # What only counts may go on: work done so far, the turn of a shaft on which nothing depends.
        counts = {k for k in every - place - {cycle.clock} if effect[:, k].max() * inputs[-1] < DEPENDS}
        return Wanted(
            tuple(sorted(every - place - counts - {cycle.clock})),
            tuple(k for k in self._acting(cycle, state, inputs) if cycle.controls[k].name not in self.hold),
            tuple(sorted(every - counts - (place if self.flying else set()))),
            (),
            tuple((*cycle.names()[name], value) for name, value in self.held.items() if "channel_" not in name),
            tuple(sorted(place)),
        )

    def _acting(self, cycle: Cycle, state: Array, inputs: Array) -> list[int]:
        """Inputs that have an effect."""
        base, found = cycle.derivative(state, inputs).rates, []
        for k, scale in enumerate(scales_of(cycle)[len(state) :]):
            trial = inputs.copy()
            trial[k] += 0.05 * scale * (-1.0 if trial[k] + 0.05 * scale > cycle.controls[k].high else 1.0)
            if (np.abs(cycle.derivative(state, trial).rates - base) > 1e-9 * (1.0 + np.abs(base))).any():
                found.append(k)
        return found

    def _orbit(self, cycle: Cycle, found: Solution) -> PeriodicOrbit:
        return PeriodicOrbit(
            cycle,
            found.state,
            found.inputs,
            found.rates,
            found.outputs,
            name_free(cycle, found.free),
            tuple(self.notes),
            cycle.states[cycle.clock].name,
            cycle.fly(found.state, found.inputs),
            cycle.exactly(found.state, found.inputs),
        )


def _section(orbit: PeriodicOrbit) -> LinearModel:
    """Changes from one passage of the clock to the next: the time that a beat takes changes with the rest."""
    system, jacobian, period = orbit.system, orbit.jacobian, orbit.period
    n, m = len(system.states), len(system.controls) - 1
    after = period * np.hstack([jacobian.A, jacobian.B])
    after[:, :n] += np.eye(n)
    after[:, -1] += orbit.rates
    seen = np.hstack([jacobian.C, jacobian.D])
    longer = -after[system.clock, : n + m] / after[system.clock, -1]
    after, seen = (rows[:, : n + m] + np.outer(rows[:, -1], longer) for rows in (after, seen))
    kept = [k for k in range(n) if k != system.clock]
    states, inputs = tuple(system.states[k].name for k in kept), tuple(one.name for one in system.controls[:-1])
    return LinearModel(
        after[np.ix_(kept, kept)],
        after[kept, n:],
        seen[:, kept],
        seen[:, n:],
        states,
        inputs,
        tuple(one.name for one in system.outputs),
        orbit.state[kept],
        orbit.inputs[:-1],
        units_of(system),
        period,
    )


def _multipliers(model: LinearModel, system: Cycle) -> list[tuple[complex, str]]:
    """Eigenvalues of what something depends on, the largest first, each with the states that take part in it."""
    known = {one.name: one.scale for one in system.states}
    scale = np.array([known[name] for name in model.states])
    matrix = model.A * scale / scale[:, None]
    change, kept = np.abs(matrix - np.eye(len(matrix))), list(range(len(matrix)))
    while loose := [k for k in kept if change[kept, k].max() < DEPENDS]:  # places, and what only counts
        kept = [k for k in kept if k not in loose]
    values, right = np.linalg.eig(matrix[np.ix_(kept, kept)])
    share = np.abs(right * np.linalg.pinv(right).T)
    found = []
    for column in np.argsort(-np.abs(values), kind="stable"):
        most = share[:, column]
        large = [k for k in np.argsort(-most) if most[k] >= NAMED * most.max()][:3]
        found.append((complex(values[column]), ", ".join(model.states[kept[k]] for k in large)))
    return found
