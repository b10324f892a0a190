"""Operating points of anything: the state and the commands at which a vehicle stays as it is, or moves on steadily.

Unknown are the attitude of a body that moves freely, angles and rates of joints, what parts remember, and channels.
What was not asked for is at rest. A motion through the air that was asked for is straight, level and without sideslip
as far as something can make it so; what cannot be made so is found, and said.
"""

import math
from collections.abc import Iterable, Mapping

import numpy as np

from cupola.analysis.balance import BALANCED, Solution, Wanted, balance, name_free
from cupola.analysis.coordinates import Flight
from cupola.analysis.dynamics import Dynamics
from cupola.analysis.obstacle import PLACE, obstacle
from cupola.analysis.operating_point import OperatingPoint
from cupola.analysis.settled import Settled
from cupola.analysis.system import Array, System
from cupola.physics.mecanum import wheel_speeds
from cupola.physics.planar import Twist
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

PATH = ("airspeed", "alpha", "beta", "climb", "turn_rate")
"""Quantities of a motion through the air."""
MOTION = ("u", "v", "w", "p", "q", "r")
USUAL = {"turn_rate": 0.0, "climb": 0.0, "beta": 0.0}
"""Default conditions of a motion through the air, in order of priority."""
FIRST_ALPHAS = (0.05, 0.2, -0.05)
FIRST_COMMANDS = (0.0, 1.0, 5.0)
"""Added to channels without a range: a stopped motor has no slope."""
MOST_INNER = 60
"""Numbers that parts remember beyond which they must come to rest by themselves: the air along a wing."""
ALMOST = 1e-5
"""Rates in scales per second that count as none where so many numbers are asked for a short while only."""
TRIED = 0.05
"""Change of a channel that must have an effect for it to count as an input."""
SLOW_DRIFT = 1e-3
"""[1/s] A number of a part that changes by less of itself is taken as constant, and said: the charge of a battery."""
NO_DRIFT = 1e-7
"""[1/s] smaller rates count as rounding."""


def equilibrium(
    world: World,
    hold: Mapping[str, float] | None = None,
    free: Iterable[str] = (),
    vehicle: str | None = None,
) -> OperatingPoint:
    """The operating point nearest to the present state of a vehicle; an `InputError` says why there is none.

    `hold` gives values to states, channels and quantities by name: `{"airspeed": 20, "climb": 0.1}`, `{"elbow": 1.2}`,
    `{"channel_3": 0.5}`. `free` names what shall be found though it is held unless said otherwise, such as `"h"`. The
    world stays as it is.
    """
    system = Dynamics(world, vehicle)
    with system.asked():
        system.refuse_hidden_memory()
        return _Question(system, dict(hold or {}), set(free)).answer()


class _Question:
    """Given quantities, unknowns, and first guesses."""

    def __init__(self, system: Dynamics, hold: dict[str, float], free: set[str]) -> None:
        self.system, self.hold, self.free = system, hold, free
        self.notes: list[str] = []
        self.starters: set[int] = set()
        for name, value in hold.items():
            if not math.isfinite(value):
                raise InputError(f"hold: {name} must be a finite number, got {value}")
        self.flying = system.flies and any(name in PATH for name in (*hold, *free))
        if self.flying and not hold.get("airspeed", 1.0) > 0.0:
            raise InputError(f"the airspeed must be positive, got {hold['airspeed']:g} m/s")
        self.start = system.present()
        system.through_air = self.flying
        if self.flying and system.touching:
            self.notes.append("what it touches is left out: it flies")
        if self.flying:
            system.leave_out_contacts()

    def answer(self) -> OperatingPoint:
        """The first solution: with all default conditions, or with fewer."""
        self._refuse_driving()
        usual = {k: v for k, v in USUAL.items() if k not in self.hold and k not in self.free} if self.flying else {}
        reasons: list[tuple[float, str]] = []
        for more in FIRST_COMMANDS if any(not math.isfinite(c.high) for c in self.system.controls) else (0.0,):
            guesses = self._guesses(more)
            if self.system.touching and any(name in MOTION for name in self.hold):
                guesses = [self._rolling(*guesses[0]), *guesses]
            for attempt, insisted in enumerate(_subsets(usual)):
                for state, inputs in guesses if attempt == 0 else guesses[:1]:
                    found = self._solve(state, inputs, insisted)
                    if found.solved and self._sound(found):
                        return self._point(self._tidied(found, state, insisted), usual, insisted)
                    reasons.append((float(np.linalg.norm(found.left)), self._why_not(found)))
        raise InputError(min(reasons)[1])

    def _refuse_driving(self) -> None:
        """For a driving Mecanum base there is no equilibrium; returns the wheel speeds of its motion."""
        moves = {name: self.hold.get(name, 0.0) for name in MOTION}
        wheels = self.system.world.robot(self.system.name).wheels
        if not wheels or not self.system.touching or not any(moves.values()):
            return
        asked = ", ".join(f"{name} = {value:g}" for name, value in moves.items() if value)
        # States are told front-right-down, a twist front-left-up.
        twist = Twist(moves["u"], -moves["v"], -moves["r"])
        said = [
            f"channel_{one.channel + k} = {speed:.4g}"
            for one in wheels.values()
            for k, speed in enumerate(wheel_speeds(twist, one.kinematics()))
        ]
        raise InputError(
            f"{self.system.name} has no operating point at {asked}: it drives, so its wheels and what their motors "
            "remember go on, and the resistance of its rollers has a corner where a roller begins to turn. Let it run "
            f"to a steady motion instead, with {', '.join(said)} rad/s"
        )

    def _guesses(self, more: float) -> list[tuple[Array, Array]]:
        """First guesses: the present state with the given quantities; in flight with several angles of attack."""
        self.system.forget()
        state, inputs = (values.copy() for values in self.start)
        for k, control in enumerate(self.system.controls):
            if control.pushes and not self.system.touching:
                inputs[k] = 0.5
            elif not math.isfinite(control.high):
                inputs[k] += more
            inputs[k] = self.hold.get(control.name, min(max(inputs[k], control.low), control.high))
        if self.system.touching:
            state = self.system.come_to_rest(state, inputs)
        self.system.settle(state, inputs)
        if not self.system.touching:
            state = self.system.at_hinges(state)
            self.system.settle(state, inputs)
        self.system.find_states(state, inputs)
        for name in (*self.hold, *self.free):
            self.system.find(name)
        state = self.system.present()[0]
        if self.system.touching:
            self.system.find_scales(state, inputs)
        else:
            self._leave_alone(state[: len(state) - len(self.system.inner)], inputs)
        where = {one.name: k for k, one in enumerate(self.system.states)}
        if self.system.flies and not self.flying:
            state[[where[name] for name in MOTION]] = 0.0
        for name, value in self.hold.items():
            if name in where:
                state[where[name]] = value
        alphas = FIRST_ALPHAS if self.flying else (0.0,)
        found = []
        for alpha in (self.hold["alpha"],) if "alpha" in self.hold else alphas:
            if self.flying:
                state[:9] = first_flight(self.hold, alpha, state)
            found.append((state.copy(), inputs))
        return found

    def _solve(self, state: Array, inputs: Array, insisted: Mapping[str, float], at_rest: bool = False) -> Solution:
        """First with coordinates alone, if parts settle on their own; then with all their states."""
        system = self.system
        if system.touching:
            return balance(system, state, inputs, self._wanted(system, state, inputs, insisted, at_rest))
        short = Settled(system)
        wanted = self._wanted(short, state[: short.count], inputs, insisted, at_rest)
        found = balance(short, state[: short.count], inputs, wanted)
        if found.solved or len(system.inner) > MOST_INNER:
            whole = short.everything(found.state, found.inputs)
            there = system.derivative(whole, found.inputs)
            free = np.insert(found.free, [short.count] * len(system.inner), 0.0, axis=1)
            found = Solution(whole, found.inputs, *there, found.left, found.solved, free)
        else:
            found = found._replace(state=state, inputs=inputs, rates=np.full(len(state), np.inf))
        wanted = self._wanted(system, found.state, found.inputs, insisted, at_rest)
        if np.abs(found.rates[list(wanted.steady)]).max(initial=0.0) <= BALANCED:
            return found
        if len(system.inner) > MOST_INNER:
            return found._replace(solved=found.solved and self._nearly(found, wanted))
        return balance(system, found.state, found.inputs, wanted)

    def _nearly(self, found: Solution, wanted: Wanted) -> bool:
        """Balanced but for the rounding of a short while."""
        scales = np.array([one.scale for one in self.system.states])
        return bool((np.abs(found.rates) / scales)[list(wanted.steady)].max(initial=0.0) < ALMOST)

    def _wanted(
        self, system: System, state: Array, inputs: Array, insisted: Mapping[str, float], at_rest: bool
    ) -> Wanted:
        kinds = system.names()
        held = {**insisted, **self.hold}
        hidden = {one.name for one in self.system.inner} - set(kinds)
        asked = {
            kinds[name][1]
            for name in self.hold
            if name not in hidden and kinds[name][0] == "state" and not (at_rest and name in MOTION)
        }
        fixed, steady = set(asked), set(range(len(system.states)))
        if self.system.flies:
            place = {name: kinds[name][1] for name in (*PLACE, *MOTION)}
            still = [name for name in (*MOTION, *PLACE) if name not in self.free]
            if self.flying:
                still = [name for name in still if name in PLACE]
            if self.system.touching:
                still = [name for name in still if name not in ("h", "w")]
            fixed |= {place[name] for name in still}
            steady -= {place[name] for name in PLACE if not (name == "h" and self.system.touching)}
        slow = self._slow(state, inputs) if system is self.system else set()
        return Wanted(
            tuple(k for k in range(len(system.states)) if k not in fixed | slow),
            tuple(k for k in self._acting(system, state, inputs) if system.controls[k].name not in self.hold),
            tuple(sorted(steady - slow)),
            tuple(k for k in self.system.angles() if k in steady - slow),
            tuple((*kinds[name], v) for name, v in held.items() if name not in hidden and kinds[name][0] == "output"),
            tuple(sorted(fixed - asked)),
        )

    def _slow(self, state: Array, inputs: Array) -> set[int]:
        """States of parts that change only slowly."""
        first = len(self.system.states) - len(self.system.inner)
        rates = self.system.derivative(state, inputs).rates
        own = self.system.jacobian(state, inputs, columns=range(first, len(state))).A
        found = set()
        for k in range(first, len(state)):
            size = abs(rates[k]) / (1.0 + abs(state[k]))
            if NO_DRIFT < size < SLOW_DRIFT and abs(own[k, k]) < SLOW_DRIFT:
                found.add(k)
                note = f"{self.system.states[k].name} changes by {rates[k]:.2g} per second: taken as constant"
                self.notes += [note] if note not in self.notes else []
        return found

    def _acting(self, system: System, state: Array, inputs: Array) -> list[int]:
        """Channels that have an effect here."""
        base = system.derivative(state, inputs).rates
        found = []
        for k, control in enumerate(system.controls):
            trial = inputs.copy()
            trial[k] += -TRIED if trial[k] + TRIED > control.high else TRIED
            change = np.abs(system.derivative(state, trial).rates - base)
            if (change > 1e-9 * (1.0 + np.abs(base))).any():
                found.append(k)
        return [k for k in found if k not in self.starters]

    def _leave_alone(self, coordinates: Array, inputs: Array) -> None:
        """Channels that drive a rotation, such as the crank of a bird, stay unchanged."""
        self.starters = set()
        if names := self.system.going_on(coordinates, inputs):
            raise InputError(
                f"{self.system.name} has no equilibrium: {names[0]} keeps changing under these commands, "
                "so its motion repeats itself at best: hold what moves it at rest, or ask for a periodic_orbit"
            )
        for k, control in enumerate(self.system.controls):
            trial = inputs.copy()
            trial[k] = min(max(trial[k] + 0.5, control.low), control.high)
            if control.name not in self.hold and (names := self.system.going_on(coordinates, trial)):
                self.starters.add(k)
                note = f"{control.name} sets {names[0]} going: left at {inputs[k]:g}"
                self.notes += [note] if note not in self.notes else []

    def _rolling(self, state: Array, inputs: Array) -> tuple[Array, Array]:
        """A first guess of a motion over the ground: from rest, along what can be changed together without slipping."""
        places = [self.system.names()[name][1] for name in MOTION]
        wanted = state[places].copy()
        there = state.copy()
        there[places] = 0.0
        rest = self._solve(there, inputs, {}, at_rest=True)
        if not len(rest.free):
            return state, inputs
        mix = np.linalg.lstsq(rest.free[:, places].T, wanted, rcond=1e-6)[0]
        point = np.concatenate([rest.state, rest.inputs]) + mix @ rest.free
        return point[: len(state)], point[len(state) :]

    def _tidied(self, found: Solution, guess: Array, insisted: Mapping[str, float]) -> Solution:
        """The same with everything that nothing depends on as it was."""
        n, point = len(guess), np.concatenate([found.state, found.inputs])
        before = np.concatenate([guess, self.start[1]])
        acting = self._acting(self.system, found.state, found.inputs)
        loose = {n + k for k in range(len(found.inputs)) if k not in acting}
        loose |= {int(np.flatnonzero(row)[0]) for row in np.round(found.free, 12) if np.count_nonzero(row) == 1}
        loose -= {n + k for k, one in enumerate(self.system.controls) if one.name in self.hold}
        point[list(loose)] = before[list(loose)]
        again = self._solve(point[:n], point[n:], insisted)
        return again if again.solved else found

    def _sound(self, found: Solution) -> bool:
        """Refuse attitudes near the singularity of the Euler angles."""
        if not self.system.flies:
            return True
        flight = Flight(*found.state[:12])
        return math.cos(flight.theta) > 0.05 and (not self.flying or math.cos(flight.phi) > 0.1)

    def _point(self, found: Solution, usual: Mapping[str, float], insisted: Mapping[str, float]) -> OperatingPoint:
        system, notes = self.system, list(self.notes)
        found = self._with_all_states(found)
        notes += [f"{one.name} moves at a limited rate: in small motions at once" for one in system.limited]
        stops = system.at_stops(found.state, found.inputs)
        notes += [f"{name} is at the end of its range: a linear model holds on one side only" for name in stops]
        stuck = ", ".join(system.stuck(found.state, found.inputs))
        notes += [f"dry friction holds {stuck}: a linear model is that of motions too small to slide"] if stuck else []
        for name in usual:
            value = found.outputs[system.names()[name][1]]
            told = f"{name} was not given: taken as 0" if name in insisted else f"{name} was found: {value:.4g}"
            notes.append(told)
        return OperatingPoint(
            system, found.state, found.inputs, found.rates, found.outputs, name_free(system, found.free), tuple(notes)
        )

    def _with_all_states(self, found: Solution) -> Solution:
        """Look again for what the parts remember: a motor that stood at the first guess turns now."""
        system, before = self.system, len(self.system.inner)
        if system.touching:
            return found
        count = len(found.state) - before
        coordinates = found.state[:count]
        system.settled_rates(coordinates, found.inputs)
        system.world.arrays.state[[one.place for one in system.inner]] = found.state[count:]
        system.rest_here()
        system.find_states(coordinates, found.inputs)
        state = np.concatenate([coordinates, system.remembered()])
        free = np.hstack(
            [found.free[:, :count], np.zeros((len(found.free), len(system.inner))), found.free[:, count + before :]]
        )
        return Solution(state, found.inputs, *system.derivative(state, found.inputs), found.left, found.solved, free)

    def _why_not(self, best: Solution) -> str:
        asked = ", ".join(f"{name} = {value:g}" for name, value in self.hold.items()) or "rest"
        lifts = any(part.lifts for part in self.system.instance.vehicle.parts.values())
        hint = "; its wings carry it only in flight: hold an airspeed" if lifts and not self.flying else ""
        return f"{self.system.name} has no equilibrium at {asked}: {obstacle(self.system, best)}{hint}"


def first_flight(hold: Mapping[str, float], alpha: float, state: Array) -> list[float]:
    """A first guess of straight or turning flight."""
    speed = hold.get("airspeed") or max(float(np.linalg.norm(state[:3])), 1.0)
    turn, climb, beta = hold.get("turn_rate", 0.0), hold.get("climb", 0.0), hold.get("beta", 0.0)
    phi = hold.get("phi", math.atan(speed * turn / 9.81))
    theta = hold.get("theta", climb + alpha * math.cos(phi))
    velocity = (math.cos(alpha) * math.cos(beta), math.sin(beta), math.sin(alpha) * math.cos(beta))
    spin = (-math.sin(theta), math.sin(phi) * math.cos(theta), math.cos(phi) * math.cos(theta))
    return [*(speed * one for one in velocity), *(turn * one for one in spin), phi, theta, float(state[8])]


def _subsets(usual: Mapping[str, float]) -> Iterable[dict[str, float]]:
    """All of it, then without sideslip, without climb, without both; a turn is not made up."""
    seen = []
    for dropped in ((), ("beta",), ("climb",), ("beta", "climb")):
        left = {name: value for name, value in usual.items() if name not in dropped}
        if left not in seen:
            seen.append(left)
            yield left
