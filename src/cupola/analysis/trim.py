"""Steady flight: the angles and commands at which nothing changes but place and heading.

Airspeed, rate of turn and climb are held (Stevens, Lewis and Johnson, Aircraft Control and Simulation, section 3.6);
the sideslip is zero as long as two controls act sideways, and the climb is found where there is no throttle. Solved by
`balance.py` on the accelerations of the compiled world: what nothing acts on stays zero, and is said.
"""

import math
from typing import NamedTuple

import numpy as np

from cupola.analysis.aircraft import Aircraft
from cupola.analysis.balance import BALANCED, Solution, Wanted, balance, closest, name_free
from cupola.analysis.controls import Control, stopped
from cupola.analysis.coordinates import Flight
from cupola.analysis.equilibrium import first_flight
from cupola.analysis.hidden_memory import refuse_hidden_memory
from cupola.analysis.obstacle import obstacle, saturated
from cupola.analysis.system import Array
from cupola.schema.yaml_files import InputError

STEEPEST = math.radians(80.0)
ALPHA_MAX, BANK_MAX = 0.6, 1.4
"""Beyond these it does not fly [rad]."""
HIDDEN = 1e-9
"""An acceleration that differs by more when it is asked for again depends on what was asked in between."""
FIRST_ALPHAS = (0.05, 0.2, -0.05)
ACCELERATIONS = ("u_dot", "v_dot", "w_dot", "p_dot", "q_dot", "r_dot")


class Condition(NamedTuple):
    """The problem: unknowns and conditions."""

    airspeed: float
    """[m/s]."""
    climb: float = 0.0
    """Angle of the path above the horizon [rad]."""
    turn_rate: float = 0.0
    """Of the heading, to the right [rad/s]."""
    altitude: float = 100.0
    """Above the world's z = 0 [m]."""

    def __str__(self) -> str:
        turning = f", turning at {math.degrees(self.turn_rate):.3g}°/s" if self.turn_rate else ""
        climbing = f", climbing at {math.degrees(self.climb):.3g}°" if self.climb else ""
        return f"{self.airspeed:g} m/s at {self.altitude:g} m{climbing}{turning}"


class Trim(NamedTuple):
    """A steady flight."""

    condition: Condition
    state: Flight
    alpha: float
    beta: float
    """Angles of attack and of sideslip [rad]."""
    controls: tuple[Control, ...]
    inputs: Array
    """Values of the controls, in their units."""
    residuals: Array
    """What is left of the accelerations u, v, w [m/s²] and p, q, r [rad/s²]."""
    free: tuple[str, ...] = ()
    """What is not determined, in words: it was left at zero."""

    def values(self) -> dict[str, float]:
        """Values of the controls by name."""
        return {control.name: float(value) for control, value in zip(self.controls, self.inputs, strict=True)}

    def commands(self) -> dict[int, float]:
        """Value of each command channel."""
        pairs = zip(self.controls, self.inputs, strict=True)
        return {channel: one.command(float(value)) for one, value in pairs for channel in one.channels}

    def start(self) -> dict[str, tuple[float, ...]]:
        """The same state as an entry of a scenario: position, attitude, velocities, in the axes of the world."""
        s = self.state
        numbers = {
            "position": (s.x, -s.y, s.h),
            "attitude_deg": (math.degrees(s.phi), -math.degrees(s.theta), -math.degrees(s.psi)),
            "velocity_b": (s.u, -s.v, -s.w),
            "rate_b": (s.p, -s.q, -s.r),
        }
        return {key: tuple(value + 0.0 for value in values) for key, values in numbers.items()}  # no minus zero


def trim(aircraft: Aircraft, condition: Condition) -> Trim:
    """Steady flight at a condition; an `InputError` says what stands in the way when there is none."""
    if not condition.airspeed > 0.0:
        raise InputError(f"the airspeed must be positive, got {condition.airspeed:g} m/s")
    if not abs(condition.climb) <= STEEPEST:
        raise InputError(f"the climb must lie within ±80°, got {math.degrees(condition.climb):g}°")
    names = [control.name for control in aircraft.controls]
    glides = "throttle" not in names
    if glides and condition.climb:
        raise InputError(f"{aircraft.name} has no throttle, so its climb follows and cannot be given")
    if glides and (idle := stopped(aircraft.world, aircraft.instance)):
        raise InputError(
            f"{aircraft.name} has no thrust ahead: {', '.join(idle)} would stand still in a trim. "
            "For hover and other flights on them use cupola.equilibrium"
        )
    aircraft.at_airspeed(condition.airspeed)
    held = {"airspeed": condition.airspeed, "turn_rate": condition.turn_rate}
    held |= {} if glides else {"climb": condition.climb}
    held |= {"beta": 0.0} if sum(name.startswith(("aileron", "rudder")) for name in names) >= 2 else {}
    guesses = [_guess(aircraft, condition, held, alpha) for alpha in FIRST_ALPHAS]
    refuse_hidden_memory(
        aircraft.world, aircraft.name, lambda s, u, _: aircraft.derivative(s, u).rates, *guesses[0], HIDDEN
    )
    tries = [balance(aircraft, *guess, _wanted(aircraft, held)) for guess in guesses]
    best = min(tries, key=lambda found: (not _flies(found), float(np.abs(found.left).max())))
    if not _flies(best):
        near = closest(aircraft, best, _wanted(aircraft, held))
        best = balance(aircraft, near.state, near.inputs, _wanted(aircraft, held))  # another way there
        if not _flies(best):
            raise InputError(f"{aircraft.name} has no trim at {condition}: {_why_not(aircraft, near, tries)}")
    state = Flight(*best.state.tolist())
    alpha, beta, climb = (float(best.outputs[aircraft.find(name)[1]]) for name in ("alpha", "beta", "climb"))
    free = tuple(said.replace("v:", "sideslip (v):", 1) for said in name_free(aircraft, best.free))
    found = condition._replace(climb=climb if glides else condition.climb)
    return Trim(found, state, alpha, beta, aircraft.controls, best.inputs, best.rates[:6], free)


def _guess(aircraft: Aircraft, condition: Condition, held: dict[str, float], alpha: float) -> tuple[Array, Array]:
    """State and inputs to begin with, from a guess of the angle of attack."""
    state = np.zeros(len(aircraft.states))
    state[:9] = first_flight({**held, "climb": condition.climb}, alpha, state)
    state[aircraft.find("h")[1]] = condition.altitude
    inputs = np.array([min(max(0.5 * (one.low + one.high), one.low), one.high) for one in aircraft.controls])
    return state, inputs


def _wanted(aircraft: Aircraft, held: dict[str, float]) -> Wanted:
    moving = tuple(range(8))  # u v w p q r phi theta; heading and place are free
    values = tuple((*aircraft.find(name), value) for name, value in held.items())
    return Wanted(moving, tuple(range(len(aircraft.controls))), moving, (), values)


def _flies(found: Solution) -> bool:
    """Balanced, neither stalled nor on its side."""
    state = Flight(*found.state.tolist())
    balanced = found.solved and np.abs(found.rates[:6]).max() <= BALANCED
    return bool(balanced and abs(math.atan2(state.w, state.u)) < ALPHA_MAX and abs(state.phi) < BANK_MAX)


def _why_not(aircraft: Aircraft, best: Solution, tries: list[Solution]) -> str:
    """Which command is at its end, and the largest acceleration that is left.

    The best point lies a little inside the ends; if at none, the ends count at which every search stopped.
    """
    if not any(saturated(one, float(value)) for one, value in zip(aircraft.controls, best.inputs, strict=True)):
        for k, control in enumerate(aircraft.controls):
            first, *others = (float(one.inputs[k]) for one in tries)
            if saturated(control, first) and others == [first] * len(others):
                best.inputs[k] = first
    state, ends = Flight(*best.state.tolist()), []
    if abs(alpha := math.atan2(state.w, state.u)) >= ALPHA_MAX:
        ends.append(f"the angle of attack reaches {math.degrees(alpha):.0f}°; ")
    if abs(state.phi) >= BANK_MAX:
        ends.append(f"the bank reaches {math.degrees(state.phi):.0f}°; ")
    return "".join(ends) + obstacle(aircraft, best, range(6))
