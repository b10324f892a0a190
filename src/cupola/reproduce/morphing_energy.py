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
    felt_down,
    strip_flow,
    strip_rates,
    strip_start,
    strip_wrench,
)

Array = Any
DENSITY = 1.2
FORWARD, UP, PITCH, FLAP = range(4)


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
    """Jacobians and equations of motion; the two wings are mirror images and count twice."""

    def __init__(self, bird: Bird, suction: float) -> None:
        self.bird = bird
        edges = np.linspace(0.0, bird.half_span, bird.strips + 1)
        self.y = 0.5 * (edges[1:] + edges[:-1])
        self.p = Strip(bird.chord, bird.half_span / bird.strips, suction=suction)
        self.point_mass = bird.wing_mass / bird.strips

    def velocity(self, speed: Array, gamma: float) -> tuple[Array, Array]:
        """Velocity and rate of the left wing's strips (3, strips), body axes."""
        x, y, z = -self.bird.behind, self.y * math.cos(gamma), self.y * math.sin(gamma)
        u, w, pitch, flap = speed
        one = np.ones_like(y)
        velocity = np.array([u + pitch * z, -flap * z, (w - pitch * x) + flap * y])
        return velocity, np.array([flap * one, pitch * one, 0.0 * one])

    def in_strip(self, vectors: Array, gamma: float) -> Vector:
        """Body axes to those of the strips."""
        c, s = math.cos(gamma), math.sin(gamma)
        return Vector(vectors[0], c * vectors[1] + s * vectors[2], c * vectors[2] - s * vectors[1])

    def flow(self, speed: Array, gamma: float) -> StripFlow:
        velocity, rate = self.velocity(speed, gamma)
        return strip_flow(self.in_strip(velocity, gamma), self.in_strip(rate, gamma), self.p)

    def rates(self, state: Array) -> Array:
        """Change of everything per second."""
        speed, gamma, air, _ = self.unpack(state)
        flow = self.flow(speed, gamma)
        down = effective_down(air, flow, self.p)
        alpha = angle_of(down, flow.forward)
        wrench = strip_wrench(flow, down, 1.0, section_polar(alpha, 1.0, self.p), DENSITY, self.p)
        mass, force = self._rigid(speed, gamma)
        force = force + 2.0 * self._air_force(wrench, speed, gamma, mass)
        normal = wrench.force.z
        lost = 2.0 * float((normal * (felt_down(flow, self.p) - down)).sum())
        change = np.linalg.solve(mass, force)
        return self.pack(change, float(speed[FLAP]), strip_rates(air, flow, self.p), lost)

    def _rigid(self, speed: Array, gamma: float) -> tuple[Array, Array]:
        """Mass matrix and inertial forces of body, wings and springs."""
        bird, turn = self.bird, speed[PITCH]
        mass = np.diag([bird.body_mass, bird.body_mass, bird.body_inertia, 0.0])
        # d/dt in turning axes: pitch is about y (left), nose down.
        force = bird.body_mass * np.array([-turn * speed[UP], turn * speed[FORWARD], 0.0, 0.0])
        force[FLAP] -= 2.0 * bird.spring * gamma
        jacobian, drift = self._jacobian(gamma), self._drift(speed, gamma)
        velocity, _ = self.velocity(speed, gamma)
        swung = drift + np.array([turn * velocity[2], 0.0 * velocity[1], -turn * velocity[0]])
        mass = mass + 2.0 * self.point_mass * np.einsum("ais,bis->ab", jacobian, jacobian)
        return mass, force - 2.0 * self.point_mass * np.einsum("ais,is->a", jacobian, swung)

    def _jacobian(self, gamma: float) -> Array:
        """Velocity of the strips per unit of each speed (4, 3, strips)."""
        return np.array([self.velocity(unit, gamma)[0] for unit in np.eye(4)])

    def _drift(self, speed: Array, gamma: float) -> Array:
        """Change of the strips' velocity while the speeds stay (body components)."""
        y, z = self.y * math.cos(gamma), self.y * math.sin(gamma)
        flap = speed[FLAP]
        return np.array([speed[PITCH] * flap * y, -flap * flap * y, -flap * flap * z])

    def _air_force(self, wrench: Any, speed: Array, gamma: float, mass: Array) -> Array:
        """Generalised force of one wing's strips; its added mass joins `mass` (both wings)."""
        force, air = np.zeros(4), added_mass(DENSITY, self.p)
        units = [self.flow(unit, gamma) for unit in np.eye(4)]
        turning = 0.125 * air * (0.5 * self.p.chord) ** 2
        small = 1e-6 * speed[FLAP]
        ahead, behind = self.flow(speed, gamma + small), self.flow(speed, gamma - small)
        down_drift, rate_drift = (ahead.down - behind.down) / 2e-6, (ahead.rate - behind.rate) / 2e-6
        for a, unit in enumerate(np.eye(4)):
            velocity, rate = self.velocity(unit, gamma)
            v, r = self.in_strip(velocity, gamma), self.in_strip(rate, gamma)
            push = v.x * wrench.force.x + v.y * wrench.force.y + v.z * wrench.force.z
            twist = r.x * wrench.torque.x + r.y * wrench.torque.y + r.z * wrench.torque.z
            held = air * units[a].down * down_drift + turning * units[a].rate * rate_drift
            force[a] = float((push + twist - held).sum())
            for b in range(4):
                both = air * units[a].down * units[b].down + turning * units[a].rate * units[b].rate
                mass[a, b] += 2.0 * float(both.sum())
        return force

    def energies(self, speed: Array, gamma: float) -> tuple[float, float]:
        """Mechanical energy, and that of the added mass [J]."""
        bird = self.bird
        velocity, _ = self.velocity(speed, gamma)
        body = (
            0.5 * bird.body_mass * (speed[FORWARD] ** 2 + speed[UP] ** 2) + 0.5 * bird.body_inertia * speed[PITCH] ** 2
        )
        wings = self.point_mass * float((velocity**2).sum())
        air = 2.0 * float(added_energy(self.flow(speed, gamma), DENSITY, self.p).sum())
        return float(body) + wings + bird.spring * gamma * gamma, air

    def pack(self, speed: Array, gamma: float, air: StripState, lost: float) -> Array:
        """One vector; stall has no part in it."""
        return np.concatenate([speed, [gamma], air.wake_1, air.wake_2, air.wake_3, air.wake_4, [lost]])

    def unpack(self, state: Array) -> tuple[Array, float, StripState, float]:
        """And back."""
        one, two, three, four = state[5:-1].reshape(4, -1)
        air = StripState(one, two, three, four, np.zeros_like(one), np.ones_like(one))
        return state[:4], float(state[4]), air, float(state[-1])
