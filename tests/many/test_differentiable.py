"""Flights in JAX: the same as whole worlds, with the slopes that differences between whole worlds have."""

import numpy as np
import pytest

import cupola
from cupola import InputError
from cupola.many.differentiable import Differentiable

jax = pytest.importorskip("jax", reason="jax is not installed: pip install 'cupola[jax]'")
STICKS = [0.62, 0.6, 0.61, 0.63]
RATE = 400
"""[Hz] of the physics, the law and the inertial unit: a cycle is one tick."""
QUICKLY = {"xla_backend_optimization_level": 0}
"""Compiled once, run once."""
STEP = 1e-4
"""Relative, of the differences between worlds."""


def thrown(**more) -> cupola.Scenario:
    """A vehicle that tumbles, with its motors on."""
    direct = {"use": "direct", "rate_hz": RATE, "channel": 0, "parameters": {"low": [0.0] * 8, "high": [1.0] * 8}}
    start = {"position": [0, 0, 30], "velocity_b": [3, -2, 1], "rate_b": [0.5, 0.4, 0.3], "attitude_deg": [20, 10, 30]}
    vehicle = {"model": "quadcopter", "controller": direct, "mode": "mission", **start, **more.pop("vehicle", {})}
    air = {"wind": {"speed": 2.0, "from_deg": 250.0}}
    return cupola.Scenario(**{"physics_hz": RATE, "vehicles": [vehicle], "air": air, **more})


def placed(flight: Differentiable, numbers):
    """At the start, with its sticks where they shall be."""
    now = flight.first(numbers)
    rows = np.array([flight.rows[f"sticks.{k}"] for k in range(4)])
    return now._replace(numbers=now.numbers.at[rows].set(np.array(STICKS)))


def seen(flight: Differentiable, now):
    names = [f"{what}.{axis}" for what in ("pos", "vel", "rate") for axis in "xyz"]
    return now.numbers[np.array([flight.rows[name] for name in names])]


def whole(scenario, names, rows, ticks, sticks=STICKS):
    """Place, velocity and rate of whole worlds whose numbers are rows."""
    numbers = {name: rows[:, k] for k, name in enumerate(names)}
    with cupola.batch(scenario, len(rows), numbers) as worlds:
        worlds.set(f"{worlds.pattern.instances[0].name}.sticks", [*sticks, *[0.0] * 16])
        worlds.step(ticks)
        now = worlds.state()
        return np.concatenate([now.pos_w, now.vel_w, now.rate_b], axis=1)


def test_a_flight_and_its_slopes_are_those_of_whole_worlds():
    names = [f"quadcopter.{name}" for name in ("base.mass", "base.inertia_y", "motor1.k_motor", "frame.c_drag")]
    flight, ticks = Differentiable(thrown(), names), 80

    def ends(numbers):
        return seen(flight, flight.advance(numbers, placed(flight, numbers), ticks))

    ways = flight.values * np.array([1.0, 3.0, -2.0, 5.0])  # all at once: tracing is what costs
    follow = jax.jit(lambda x, way: jax.jvp(ends, (x,), (way,)), compiler_options=QUICKLY)
    end, slope = follow(flight.values, ways)
    rows = flight.values + np.array([[0.0], [STEP], [-STEP]]) * ways
    found = whole(thrown(), names, rows, ticks)
    assert np.asarray(end) == pytest.approx(found[0], abs=1e-9)
    assert np.asarray(slope) == pytest.approx((found[1] - found[2]) / (2.0 * STEP), rel=1e-5, abs=1e-6)
    for k in range(len(names)):  # and each makes a difference
        assert np.abs(follow(flight.values, ways * np.eye(len(names))[k])[1]).max() > 1e-4


def test_a_law_that_decides_has_slopes_by_its_gains():
    law = {"use": "multirotor_velocity", "rate_hz": RATE, "channel": 4}
    scenario, names = thrown(vehicle={"controller": law}), ["quadcopter.velocity_kp"]
    flight = Differentiable(scenario, names)
    end, slope = jax.jvp(
        lambda x: seen(flight, flight.advance(x, flight.first(x), 1)), (flight.values,), (flight.values,)
    )
    rows = flight.values * np.array([[1.0], [1.0 + STEP], [1.0 - STEP]])
    found = whole(scenario, names, rows, 1, [0.0] * 4)
    assert np.asarray(end) == pytest.approx(found[0], abs=1e-9)
    wanted = (found[1] - found[2]) / (2.0 * STEP)
    assert np.asarray(slope) == pytest.approx(wanted, rel=1e-5, abs=1e-9) and np.abs(wanted).max() > 1e-6


def test_what_has_no_gradient_is_refused():
    names = ["quadcopter.base.mass"]
    with pytest.raises(InputError, match="chance has no gradient"):
        Differentiable(thrown(vehicle={"parts": {"imu": {"accel_noise": 0.01}}}), names)
    with pytest.raises(InputError, match="maas"):
        Differentiable(thrown(), ["quadcopter.base.maas"])
    with pytest.raises(InputError, match="several vehicles"):
        two: dict = {"vehicles": [{"model": "quadcopter", "name": name} for name in ("a", "b")]}
        Differentiable(cupola.Scenario(**two), ["a.base.mass"])
