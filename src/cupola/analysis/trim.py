"""Steady flight: the angles and commands at which nothing changes but place and heading.

Unknown are the angle of attack, the bank and the controls; the sideslip is zero as long as two controls act sideways,
and the climb is as asked as long as there is a throttle.
Pitch follows from the climb angle (Stevens, Lewis and Johnson, Aircraft Control and Simulation, section 3.6), the rates
from the turn. Solved as bounded least squares on the six accelerations of the compiled world.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.optimize import least_squares

from cupola.analysis.aircraft import Aircraft, Array, Flight
from cupola.analysis.controls import Control
from cupola.schema.yaml_files import InputError

BALANCED = 1e-8
"""Largest acceleration that counts as none [m/s², rad/s²]."""
STEEPEST = math.radians(80.0)
ALPHA_MAX, BETA_MAX, BANK_MAX = 0.6, 0.5, 1.4
"""Range of the search [rad]."""
STANDARD_GRAVITY = 9.81
"""For the first guess of the bank only [m/s²]."""
FIRST_ALPHAS = (0.05, 0.2, -0.05)
NEAR_END = 1e-3
"""A command this close to its end, as a share of its range, is said to saturate."""
ACCELERATIONS = ("u_dot", "v_dot", "w_dot", "p_dot", "q_dot", "r_dot")


class Condition(NamedTuple):
    """What is asked for."""

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

    def values(self) -> dict[str, float]:
        """Values of the controls by name."""
        return {control.name: float(value) for control, value in zip(self.controls, self.inputs, strict=True)}

    def commands(self) -> dict[int, float]:
        """What each command channel must say."""
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
    problem = _Problem(aircraft, condition)
    best = min((problem.solve(alpha) for alpha in FIRST_ALPHAS), key=lambda found: float(np.abs(found.residuals).max()))
    if np.abs(best.residuals).max() > BALANCED:
        raise InputError(f"{aircraft.name} has no trim at {condition}: {problem.obstacle(best)}")
    return best


class _Problem:
    """Unknowns, their ranges, and the accelerations they leave."""

    def __init__(self, aircraft: Aircraft, condition: Condition) -> None:
        self.aircraft, self.condition = aircraft, condition
        names = [control.name for control in aircraft.controls]
        self.ends = {"alpha": ALPHA_MAX, "bank": BANK_MAX}
        if sum(name.startswith(("aileron", "rudder")) for name in names) < 2:
            self.ends["beta"] = BETA_MAX
        if "throttle" not in names:
            self.ends["climb"] = STEEPEST
            if condition.climb:
                raise InputError(f"{aircraft.name} has no throttle, so its climb is found and cannot be asked for")
        self.high = np.array([*self.ends.values(), *(control.high for control in aircraft.controls)])
        self.low = np.array([*(-end for end in self.ends.values()), *(control.low for control in aircraft.controls)])

    def solve(self, alpha: float) -> Trim:
        """Least squares from a first guess of the angle of attack."""
        guess = 0.5 * (self.low + self.high)
        guess[:2] = alpha, math.atan(self.condition.airspeed * self.condition.turn_rate / STANDARD_GRAVITY)
        found = least_squares(
            self.accelerations,
            np.clip(guess, self.low + 1e-6, self.high - 1e-6),
            "3-point",
            (self.low, self.high),
            xtol=1e-15,
            ftol=1e-15,
            gtol=1e-15,
        )
        return self.flight(found.x)

    def accelerations(self, unknown: Array) -> Array:
        """The six that must vanish."""
        state, inputs = self.state(unknown)
        return self.aircraft.derivative(state, inputs).rates[:6]

    def flight(self, unknown: Array) -> Trim:
        """The unknowns by name."""
        state, inputs = self.state(unknown)
        angles = self.angles(unknown)
        condition = self.condition._replace(climb=angles["climb"])
        left = self.accelerations(unknown)
        return Trim(condition, state, angles["alpha"], angles["beta"], self.aircraft.controls, inputs, left)

    def angles(self, unknown: Array) -> dict[str, float]:
        """Those that are unknown, and those that are given."""
        found = dict(zip(self.ends, unknown.tolist(), strict=False))
        return {"beta": 0.0, "climb": self.condition.climb, **found}

    def state(self, unknown: Array) -> tuple[Flight, Array]:
        """State and inputs of a set of unknowns; airspeed, climb and turn are always as asked."""
        angles = self.angles(unknown)
        alpha, beta, phi = angles["alpha"], angles["beta"], angles["bank"]
        speed, turn = self.condition.airspeed, self.condition.turn_rate
        front, right, down = math.cos(alpha) * math.cos(beta), math.sin(beta), math.sin(alpha) * math.cos(beta)
        theta = _pitch(front, math.sin(phi) * right + math.cos(phi) * down, math.sin(angles["climb"]))
        p, q, r = -math.sin(theta), math.sin(phi) * math.cos(theta), math.cos(phi) * math.cos(theta)
        velocity = (speed * front, speed * right, speed * down)
        state = Flight(*velocity, turn * p, turn * q, turn * r, phi, theta, h=self.condition.altitude)
        return state, np.array(unknown[len(self.ends) :], np.float64)

    def obstacle(self, best: Trim) -> str:
        """Which command is at its end, and the largest acceleration that is left."""
        ends = []
        for control, value in zip(best.controls, best.inputs, strict=True):
            if min(value - control.low, control.high - value) < NEAR_END * (control.high - control.low):
                ends.append(
                    f"{control.name} saturates at {value:.4g}{'' if control.unit == '1' else ' ' + control.unit}"
                )
        if ALPHA_MAX - abs(best.alpha) < NEAR_END:
            ends.append(f"the angle of attack reaches {math.degrees(best.alpha):.0f}°")
        if BANK_MAX - abs(best.state.phi) < NEAR_END:
            ends.append(f"the bank reaches {math.degrees(best.state.phi):.0f}°")
        worst = int(np.argmax(np.abs(best.residuals)))
        unit = "m/s²" if worst < 3 else "rad/s²"
        left = f"the best balance leaves {ACCELERATIONS[worst]} = {best.residuals[worst]:.3g} {unit}"
        return "; ".join([*(ends or ["no command is at its end, yet they do not balance"]), left])


def _pitch(front: float, below: float, climb: float) -> float:
    """Pitch [rad] of a path whose sine of climb is given, with the direction of motion in banked body axes."""
    root = front * front - climb * climb + below * below
    return math.atan2(front * below + climb * math.sqrt(max(root, 0.0)), front * front - climb * climb)
