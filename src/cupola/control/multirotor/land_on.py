"""Lands on another vehicle while it drives: above it first, then down with it, then the motors stop.

It follows a point over the deck with the deck's own velocity fed forward, so a steady motion of the deck leaves no
error. The point sinks only while the vehicle is over the deck. The deck is what another vehicle measures by a `truth`
part called `deck`.
"""

from typing import NamedTuple

from cupola.config.controller import Setpoint, parameter
from cupola.config.stick_words import NO_STICKS
from cupola.control.multirotor.geometric import point_thrust
from cupola.control.multirotor.waypoints import Accelerations
from cupola.control.waypoints import Expected, VelocityGains, lag_of, limit, track_velocity
from cupola.kernel.commands import THRUST_AND_TURN
from cupola.kernel.observation import Observation, Reference
from cupola.physics.rotation import Vector, add, length, scale, subtract
from cupola.schema.input_files import InputError

DECK = "deck"
APPROACHING, SINKING, LANDED = range(3)
STILL, SETTLED = 0.1, 0.2
"""[m/s] against the deck and [s]: slower and longer than this it stands there, though it wants to sink."""
OFF = Accelerations(0.0, 0.0, 0.0, 0.0)


class LandOnSignals(NamedTuple):
    """Set-points and errors (actual minus set-point)."""

    position: Vector
    """[m] of the point that it follows, world axes."""
    error: Vector
    """[m], world axes."""
    above: float
    """[m] over the deck that it wants to be."""
    off_deck: float
    """[m] beside the middle of the deck."""
    phase: float
    """[1]."""


class LandOn(VelocityGains):
    """Follows the deck of another vehicle and lands on it; for any vehicle that has a `mixer`."""

    stick_words = NO_STICKS
    needs = THRUST_AND_TURN
    Signals = LandOnSignals
    phases = ("approaching", "landing", "landed")

    position_kp: parameter = parameter(1.5, low=0, high=5, unit="1/s")
    tilt_bandwidth: parameter = parameter(8.0, low=1, high=40, unit="rad/s")
    yaw_bandwidth: parameter = parameter(2.5, low=0.2, high=20, unit="rad/s")
    damping: parameter = parameter(0.9, low=0.2, high=3)
    height: parameter = parameter(1.5, low=0.2, high=20, unit="m", about="over the deck before it comes down")
    sink: parameter = parameter(0.4, low=0.05, high=2, unit="m/s", about="at which it comes down")
    cone: parameter = parameter(0.12, low=0.01, high=2, unit="m", about="beside the middle within which it comes down")
    speed_max: parameter = parameter(3.0, low=0.1, high=20, unit="m/s")

    def reset(self) -> None:
        """Begin anew."""
        decks = [name for name in self.sensors if name.endswith(f"/{DECK}")]
        if len(decks) != 1:
            known = ", ".join(decks) or "none"
            raise InputError(
                f"multirotor_land_on needs one other vehicle with a truth part {DECK!r}; there are: {known}"
            )
        self.deck: str = decks[0]
        self.above, self.held, self.phase = float(self.height), 0.0, APPROACHING
        self.expected: Expected | None = None
        self.told = LandOnSignals(Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0), self.above, 0.0, APPROACHING)

    def step(self, obs: Observation, ref: Reference) -> Accelerations:
        """Accelerations that keep it over the deck, and bring it down there."""
        deck = self.sensors[self.deck]()
        if deck is None or self.phase == LANDED:
            return OFF
        away = subtract(obs.pos_w, deck.pos_w)
        beside = float(length(Vector(away.x, away.y, 0.0)))
        if beside < self.cone and away.z < self.above + self.cone:
            self.phase = SINKING
            self.above = max(self.above - self.sink * obs.period, -0.5 * self.height)
        held = self.above < 0.0 and abs(obs.vel_w.z - deck.vel_w.z) < STILL
        self.held = self.held + obs.period if held else 0.0
        if self.held > SETTLED:
            self.phase = LANDED
            return OFF
        point = add(deck.pos_w, Vector(0.0, 0.0, self.above))
        towards = limit(scale(self.position_kp, subtract(point, obs.pos_w)), self.speed_max)
        before = self.expected or Expected(obs.vel_w, Vector(0.0, 0.0, 0.0))
        push = track_velocity(add(deck.vel_w, towards), before, lag_of(self), obs, self)
        self.expected = push.expected
        self.told = LandOnSignals(point, subtract(obs.pos_w, point), self.above, beside, self.phase)
        return point_thrust(push.accel_w, 0.0, 0.0, obs, self)

    def signals(self) -> LandOnSignals:
        """Its set-points."""
        return self.told._replace(phase=self.phase)

    def goal(self, obs: Observation, ref: Reference, state: object) -> Setpoint | None:
        """The point over the deck."""
        return Setpoint(*self.told.position, 0.0)

    def mission(self, obs: Observation, ref: Reference, state: object) -> str:
        """Its phase."""
        return self.phases[self.phase]
