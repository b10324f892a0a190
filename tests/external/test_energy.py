"""The port-Hamiltonian wing that ships: its energy, and its closed forms."""

import ctypes
import math

import numpy as np
import pytest

from cupola.parts.external.c_model import PARAMETERS, open_library, variables

MOTOR = '<actuator><motor name="drive" joint="flap"/></actuator>'


def ports(world):
    """What went in and out at the last step, as the world saw it: rate, air, density; torque, force, stored, lost."""
    shown = ("rate", "air", "density", "torque", "force", "stored", "lost")
    return tuple(world.signal(f"{world.instances[0].name}.wing.{name}") for name in shown)


def flap(world, seconds=10.0):
    """Let it flap under an outside torque of 3 Hz; returns energy supplied through the ports, lost, and stored [J]."""
    supplied, lost, moved, dt = 0.0, 0.0, 0.0, world.dt
    for k in range(round(seconds / dt)):
        world.data.ctrl[0] = 0.3 * math.sin(2 * math.pi * 3.0 * k * dt)
        world.step(1)
        rate, air, _, torque, force, stored, loss = ports(world)
        power = -torque * rate - force * air
        supplied, moved, lost = supplied + power * dt, moved + abs(power) * dt, lost + loss * dt
        assert loss >= 0.0
    return supplied, lost, stored, moved


@pytest.fixture
def driven(doors):
    """The wing with a motor in its joint."""
    return lambda door, **more: doors(door, after=MOTOR, **more)


@pytest.mark.parametrize("door", ["c", "fmi2", "fmi3"])
def test_stored_is_supplied_less_lost(driven, door):
    world = driven(door, air={"wind": {"speed": 3.0, "from_deg": 270, "up": 2.0}})
    supplied, lost, stored, moved = flap(world)
    assert moved > 1.0 and lost > 0.1 and stored > 0.0
    assert stored == pytest.approx(supplied - lost, abs=1e-6 * moved)  # the bar
    assert stored == pytest.approx(supplied - lost, abs=1e-12 * moved)  # what the midpoint does


def test_without_losses_all_that_goes_in_is_stored(driven):
    world = driven("fmi2", parameters={"damping": 0.0, "drag": 0.0})
    supplied, lost, stored, moved = flap(world)
    assert lost == 0.0 and moved > 0.1
    assert stored == pytest.approx(supplied, abs=1e-12 * moved)  # nothing of this comes from the model but its torque


@pytest.fixture
def step(built):
    """The wing's step alone: a function of (rate, air, density), a state and a duration."""
    library = open_library(built["c"])
    out = (ctypes.c_double * 5)()

    def call(state, dt, rate=0.0, air=0.0, density=0.0, **parameters):
        found = [parameters.get(one.name, one.start) for one in variables(library, PARAMETERS)]
        given, numbers = (ctypes.c_double * 3)(rate, air, density), (ctypes.c_double * len(found))(*found)
        function = library.cupola_step
        function.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_double] * 2
        arguments = (ctypes.addressof(given), ctypes.addressof(out), ctypes.addressof(state), ctypes.addressof(numbers))
        return lambda: (function(*arguments, 0.0, dt), out, given, numbers)

    return call


def test_a_million_steps_of_an_undamped_spring_lose_nothing(step):
    state = (ctypes.c_double * 2)(0.3, 0.0)
    once = step(state, 0.001, damping=0.0)
    energies = []
    for k in range(1_000_000):
        _, out, _, _ = once()
        if k % 1000 == 0:
            energies.append(out[2])
    # Rounding of 2e6 additions, each of 1e-16 of the energy, at random.
    assert np.ptp(energies) / energies[0] < 1e-12


def test_it_swings_at_the_frequency_of_its_spring(step):
    state, dt = (ctypes.c_double * 2)(0.1, 0.0), 1e-4
    once, crossings, before = step(state, dt, damping=0.0), [], 0.1
    for k in range(20_000):
        once()
        if before > 0.0 >= state[0]:
            crossings.append((k + before / (before - state[0])) * dt)
        before = state[0]
    period = 2 * math.pi * math.sqrt(0.0005 / 2.0)
    # The midpoint rule is slow by (omega dt)² / 12 of a period.
    assert np.diff(crossings).mean() == pytest.approx(period * (1 + (2 * math.pi / period * dt) ** 2 / 12), rel=1e-6)


def test_a_held_wing_in_wind_bends_until_the_spring_holds_the_air(step):
    state = (ctypes.c_double * 2)(0.0, 0.0)
    once = step(state, 0.001, air=3.0, density=1.2, damping=0.05)
    for _ in range(5000):
        _, out, _, _ = once()
    force = -0.5 * 1.2 * 0.05 * 1.8 * 3.0 * 3.0
    assert out[1] == pytest.approx(force, rel=1e-9)
    assert 2.0 * state[0] == pytest.approx(0.25 * force, rel=1e-6) and out[0] == pytest.approx(0.25 * force, rel=1e-6)


def test_a_stiff_wing_needs_no_small_steps(step):
    state = (ctypes.c_double * 2)(0.2, 0.0)
    once = step(state, 0.01, stiffness=2e6, damping=1.0)  # omega dt = 632: an explicit step would end at once
    start = 0.5 * 2e6 * 0.2**2
    for _ in range(1000):
        status, out, _, _ = once()
        assert status == 0 and out[2] <= start * (1 + 1e-12)


@pytest.mark.parametrize("door", ["c", "fmi2"])
def test_wing_and_body_together_keep_their_energy_but_for_the_held_torque(doors, door):
    """In a vacuum, without damping: what is wrong with the sum is of first order in the step of the exchange."""
    errors = []
    for hz in (1000, 2000, 4000):
        world = doors(door, name=f"{door}{hz}", physics_hz=hz, parameters={"damping": 0.0, "drag": 0.0})
        world.data.qvel[0] = 5.0
        worst = 0.0
        for _ in range(hz // 10):
            world.step(1)
            total = 0.5 * 0.006 * world.data.qvel[0] ** 2 + ports(world)[5]
            worst = max(worst, abs(total / (0.5 * 0.006 * 25.0) - 1.0))
        errors.append(worst)
    assert errors[0] / errors[1] == pytest.approx(2.0, rel=0.15)
    assert errors[1] / errors[2] == pytest.approx(2.0, rel=0.15)
