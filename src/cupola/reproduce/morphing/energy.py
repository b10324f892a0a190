"""A bird in free fall through nothing but its own air: does the energy of body, wings and air add up?

No gravity, no friction, no stall: a body with two wings on hinges with springs is thrown and left alone. Body and wings
move in their plane of symmetry (forward, up, pitch, flap). What the air takes is either in its added mass or gone into
the wake with the power N (Dₖ - w) of each strip (see `physics.strip`), so

    kinetic energy of body, wings and added mass + springs + work into the wake = what it was.

The air's mass stands on the left side of the equations of motion with that of the wings (J are the strips' Jacobians):
Σ Jᵀ m J dν/dt = ... , as explicit forces it would make a light wing unstable.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from cupola.physics.rotation import Vector, angle_of
from cupola.physics.section import section_polar
from cupola.physics.strip import (
    Strip,
    StripFlow,
    StripState,
    added_energy,
    added_mass,
    effective_down,
    strip_flow,
    strip_rates,
    strip_start,
    strip_wrench,
)

Array = Any
DENSITY = 1.2
FORWARD, UP, PITCH, FLAP = range(4)
WAKES = len(StripState._fields) - 2
"""Lags of the wake; the last two numbers of a state are those of the stall."""


class Bird(NamedTuple):
    """Masses and springs."""

    strips: int = 5
    half_span: float = 0.5
    chord: float = 0.15
    behind: float = 0.02
    """Hinge and quarter chord behind the centre of mass of the body [m]."""
    body_mass: float = 0.6
    body_inertia: float = 0.004
    """About the pitch axis [kg m²]."""
    wing_mass: float = 0.05
    """Of each [kg], spread along the span."""
    spring: float = 3.0
    """Of each hinge [N m / rad]."""


class Fall(NamedTuple):
    """Energies over time [J]."""

    time: Array
    mechanical: Array
    """Body, wings, springs."""
    air: Array
    """In the added mass."""
    wake: Array
    """Work that went into the wake so far."""

    def error(self) -> float:
        """Largest change of the sum, by the energy at the start."""
        total = self.mechanical + self.air + self.wake
        return float(np.abs(total - total[0]).max() / total[0])


def fall(duration: float = 10.0, dt: float = 0.004, bird: Bird | None = None, suction: float = 1.0) -> Fall:
    """Throw a bird with its wings bent up and let go, RK4 with steps of `dt` [s]."""
    model = _Model(bird or Bird(), suction)
    speed, gamma = np.array([6.0, 0.5, -0.5, 0.0]), 0.8
    state = model.pack(speed, gamma, strip_start(model.flow(speed, gamma), model.p), 0.0)
    kept = []
    steps = round(duration / dt)
    for step in range(steps + 1):
        speed, gamma, _, lost = model.unpack(state)
        if step % 10 == 0:
            kept.append((step * dt, *model.energies(speed, gamma), lost))
        a = model.rates(state)
        b = model.rates(state + 0.5 * dt * a)
        c = model.rates(state + 0.5 * dt * b)
        state = state + dt / 6.0 * (a + 2.0 * b + 2.0 * c + model.rates(state + dt * c))
    return Fall(*np.array(kept).T)


class _Model:
    """Jacobians and equations of motion; the two wings are mirror images and count twice.

    The speeds are forward, up, pitch (about y, nose down) and flap. All vectors of the wings are in axes of the left
    strips, which turn with the flap angle γ about x.
    """

    def __init__(self, bird: Bird, suction: float) -> None:
        self.bird = bird
        self.y = (np.arange(bird.strips) + 0.5) * bird.half_span / bird.strips
        self.p = Strip(bird.chord, bird.half_span / bird.strips, suction=suction)
        self.point_mass = bird.wing_mass / bird.strips
        self.air = added_mass(DENSITY, self.p)

    def jacobian(self, gamma: float) -> Array:
        """Velocity of the strips' origins per unit of each speed (4, 3, strips)."""
        c, s, d, one = math.cos(gamma), math.sin(gamma), self.bird.behind, np.ones_like(self.y)
        zero = 0.0 * one
        pitch = [s * self.y, d * s * one, d * c * one]
        return np.array([[one, zero, zero], [zero, s * one, c * one], pitch, [zero, zero, self.y]])

    def turned(self, gamma: float) -> Array:
        """Change of the Jacobian with γ."""
        c, s, d, one = math.cos(gamma), math.sin(gamma), self.bird.behind, np.ones_like(self.y)
        zero = 0.0 * one
        still = [zero, zero, zero]
        return np.array([still, [zero, c * one, -s * one], [c * self.y, d * c * one, -d * s * one], still])

    def rate(self, speed: Array, gamma: float) -> Vector:
        """Of the strips [rad/s]."""
        return Vector(speed[FLAP], speed[PITCH] * math.cos(gamma), -speed[PITCH] * math.sin(gamma))

    def flow(self, speed: Array, gamma: float) -> StripFlow:
        """Of the strips."""
        x, y, z = np.einsum("a,ais->is", speed, self.jacobian(gamma))
        return strip_flow(Vector(x, y, z), self.rate(speed, gamma), self.p)

    def rates(self, state: Array) -> Array:
        """Change of everything per second."""
        speed, gamma, air, _ = self.unpack(state)
        flow = self.flow(speed, gamma)
        down = effective_down(air, flow, self.p)
        alpha = angle_of(down, flow.forward)
        wrench = strip_wrench(flow, down, 1.0, section_polar(alpha, 1.0, self.p), DENSITY, self.p)
        mass, force = self._inertia(speed, gamma)
        push = np.array([wrench.force.x, wrench.force.y, wrench.force.z])
        force = force + 2.0 * np.einsum("ais,is->a", self.jacobian(gamma), push)
        force[PITCH] += 2.0 * math.cos(gamma) * float(np.sum(wrench.torque.y))
        lost = 2.0 * float((wrench.force.z * (flow.felt - down)).sum())
        change = np.linalg.solve(mass, force)
        return self.pack(change, float(speed[FLAP]), strip_rates(air, flow, alpha, self.p), lost)

    def _inertia(self, speed: Array, gamma: float) -> tuple[Array, Array]:
        """Mass matrix of body, wings and added mass, and the forces of inertia and springs."""
        bird, flap = self.bird, speed[FLAP]
        mass = np.diag([bird.body_mass, bird.body_mass, bird.body_inertia, 0.0])
        force = bird.body_mass * np.array([-speed[PITCH] * speed[UP], speed[PITCH] * speed[FORWARD], 0.0, 0.0])
        force[FLAP] -= 2.0 * bird.spring * gamma
        per, turned = self.jacobian(gamma), flap * self.turned(gamma)
        velocity = np.einsum("a,ais->is", speed, per)
        swung = np.einsum("a,ais->is", speed, turned) + np.cross(self.rate(speed, gamma), velocity, axisb=0).T
        mass = mass + 2.0 * self.point_mass * np.einsum("ais,bis->ab", per, per)
        force = force - 2.0 * self.point_mass * np.einsum("ais,is->a", per, swung)
        # The air at mid-chord, and its turning about it: both in the strips' own axes, which need no cross product.
        arm, turning = (0.5 - self.p.origin) * bird.chord, 0.03125 * self.air * bird.chord**2
        down, drift = -per[:, 2], -turned[:, 2]
        nose, nose_drift = np.zeros_like(down), np.zeros_like(down)
        nose[PITCH], nose_drift[PITCH] = -math.cos(gamma), flap * math.sin(gamma)
        down, drift = down + arm * nose, drift + arm * nose_drift
        mass = mass + 2.0 * (self.air * down @ down.T + turning * nose @ nose.T)
        force = force - 2.0 * (self.air * down @ (speed @ drift) + turning * nose @ (speed @ nose_drift))
        return mass, force

    def energies(self, speed: Array, gamma: float) -> tuple[float, float]:
        """Mechanical energy, and that of the added mass [J]."""
        bird = self.bird
        velocity = np.einsum("a,ais->is", speed, self.jacobian(gamma))
        body = 0.5 * bird.body_mass * (speed[FORWARD] ** 2 + speed[UP] ** 2)
        body += 0.5 * bird.body_inertia * speed[PITCH] ** 2
        wings = self.point_mass * float((velocity**2).sum())
        air = 2.0 * float(added_energy(self.flow(speed, gamma), DENSITY, self.p).sum())
        return float(body) + wings + bird.spring * gamma * gamma, air

    def pack(self, speed: Array, gamma: float, air: StripState, lost: float) -> Array:
        """One vector; stall has no part in it."""
        return np.concatenate([speed, [gamma], *air[:WAKES], [lost]])

    def unpack(self, state: Array) -> tuple[Array, float, StripState, float]:
        """And back."""
        wakes = state[5:-1].reshape(WAKES, -1)
        air = StripState._make([*wakes, np.zeros_like(wakes[0]), np.ones_like(wakes[0])])
        return state[:4], float(state[4]), air, float(state[-1])
