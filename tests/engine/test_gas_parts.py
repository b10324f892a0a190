"""Bottles, air bearings and thrusters in the loop."""

import math

import pytest

from cupola.physics.gas import VISCOSITY, film_drag
from cupola.schema.yaml_files import InputError

MASS = 4.0
BODY = f"""<body name="base"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>
<joint axis="0 0 1"/><inertial pos="0 0 0" mass="{MASS}" diaginertia="0.1 0.1 0.2"/>
<site name="base"/><site name="side" pos="0 0.5 0"/></body>"""
PAD = {"kind": "air_bearing", "site": "base", "diameter": 0.038}
JET = {"kind": "thruster_pair", "channel": 0, "thrust": 0.6, "specific_impulse": 45.0}


@pytest.fixture
def floater(vehicle, make_world):
    count = iter(range(100))

    def make(parts, **entry):
        name = f"floater{next(count)}"
        folder = vehicle(BODY, name=name, parts=parts, controller={"use": "idle", "rate_hz": 1})
        return make_world({"model": folder, "name": "floater", **entry}, physics_hz=1000, integrator="RK4")

    return make


def test_a_film_slows_a_pad_exponentially(floater):
    viscosity = 100.0 * VISCOSITY
    world = floater({"pad": {**PAD, "viscosity": viscosity}}, velocity_b=[0.3, 0.4, 0.0])
    world.run(5.0)
    left = math.exp(-film_drag(0.038, 5e-6, viscosity) * 5.0 / MASS)
    assert world.motion().vel_w == pytest.approx((0.3 * left, 0.4 * left, 0.0), rel=1e-9)


def test_without_gas_it_lies_on_the_table(floater):
    tank = {"kind": "gas_tank", "mass": 1e-4, "reserve": 1e-5}
    pad = {**PAD, "tank": "tank", "flow_lpm": 3.0, "load": 40.0, "friction": 0.2}  # 99 mg a second
    world = floater({"tank": tank, "pad": pad}, velocity_b=[0.5, 0.0, 0.0])
    world.run(0.9)
    assert world.motion().vel_w.x == pytest.approx(0.5, abs=0.002)
    world.run(0.3)
    lasted = 1e-4 / (1.977 * 3e-3 / 60.0)
    expected = 0.5 - 0.2 * 40.0 / MASS * (1.2 - lasted)
    assert world.motion().vel_w.x == pytest.approx(expected, abs=0.01)
    world.run(1.0)
    assert world.motion().vel_w.x == pytest.approx(0.0, abs=1e-4)


def test_a_thruster_pushes_both_ways_at_its_site(floater):
    for sign in (1.0, -1.0):
        world = floater({"jet": {**JET, "site": "side"}})
        world.turn(0, sign)
        world.run(0.1)
        world.turn(0, 0.0)
        world.run(0.1)
        seen = world.motion()
        assert seen.vel_w.x == pytest.approx(sign * 0.6 * 0.1 / MASS, rel=1e-3)
        assert seen.rate_b.z == pytest.approx(-sign * 0.6 * 0.5 * 0.1 / 0.2, rel=1e-3)


@pytest.mark.parametrize(("asked", "given"), [(0.002, 0.02), (0.02, 0.02), (0.05, 0.05)])
def test_a_pulse_lasts_its_least_time_whatever_the_delay(floater, asked, given):
    world = floater({"jet": {**JET, "site": "base", "delay": 0.005, "pulse_min": 0.02}})
    world.turn(0, 1.0)
    world.step(4)
    assert world.motion().vel_w.x == 0.0
    world.restart()
    world.turn(0, 1.0)
    world.step(round(asked * 1000))
    world.turn(0, 0.0)
    world.step(200)
    assert world.motion().vel_w.x == pytest.approx(0.6 * given / MASS, rel=1e-9)


def test_small_commands_do_nothing(floater):
    world = floater({"jet": {**JET, "site": "base"}})
    world.turn(0, 0.49)
    world.run(0.1)
    assert world.motion().vel_w.x == 0.0


def test_a_delay_longer_than_a_pulse_is_refused(floater):
    with pytest.raises(InputError, match="pulse_min must not be shorter than delay"):
        floater({"jet": {**JET, "site": "base", "delay": 0.05, "pulse_min": 0.02}})


def test_thrust_uses_gas_and_ends_with_it(floater):
    parts = {
        "tank": {"kind": "gas_tank", "mass": 1e-3, "reserve": 1e-4},
        "jet": {**JET, "site": "base", "tank": "tank"},
        "gauge": {"kind": "monitor", "of": "tank", "rate_hz": 100},
    }
    world = floater(parts)
    world.turn(0, 1.0)
    world.run(0.5)
    told = world.samples["floater", "gauge"].latest()
    assert told.flow == pytest.approx(0.6 / (45.0 * 9.80665))
    assert told.mass == pytest.approx(1e-3 - 0.5 * told.flow, rel=0.01)
    assert told.share == 1.0
    world.run(3.0)
    told = world.samples["floater", "gauge"].latest()
    assert told.mass == pytest.approx(0.0, abs=2e-6)
    assert world.motion().vel_w.x == pytest.approx(
        1e-3 * 45.0 * 9.80665 / MASS, rel=0.01
    )  # all its gas, all its impulse


def test_an_unknown_tank_and_a_monitor_before_its_part_are_refused(floater):
    with pytest.raises(InputError, match=r"tank: there is no part 'keg' that gives a GasSupply; there are: none"):
        floater({"pad": {**PAD, "tank": "keg"}})
    tank = {"kind": "gas_tank", "mass": 1e-3, "reserve": 1e-4}
    with pytest.raises(InputError, match="must be listed before its monitor"):
        floater({"gauge": {"kind": "monitor", "of": "tank", "rate_hz": 10}, "tank": tank})
    with pytest.raises(InputError, match=r"no part 'keg' with outputs; there are: tank"):
        floater({"tank": tank, "gauge": {"kind": "monitor", "of": "keg", "rate_hz": 10}})


def test_the_pressures_of_a_bottle_are_those_of_its_regulator_and_of_boiling_liquid_until_it_is_dry(floater):
    """5 bar and more until the reserve is left, then what the gas itself has; 50 bar before, while liquid is left."""
    tank = {"kind": "gas_tank", "mass": 0.02, "reserve": 1e-3, "pressure": 5e5, "bottle_pressure": 5e6}
    world = floater({"tank": tank, "jet": {**JET, "site": "base", "specific_impulse": 5.0, "tank": "tank"}})
    world.turn(0, 1.0)
    seen = []
    while world.time < 2.0:
        world.step(10)
        seen.append([world.signal(f"floater.tank.{name}") for name in ("mass", "pressure", "bottle_pressure")])
    liquid = [row for row in seen if row[0] > 0.01]
    steady = [row for row in seen if 0.001 < row[0] < 0.01]
    empty = [row for row in seen if 1e-5 < row[0] < 0.001]
    assert liquid and steady and empty
    assert all(row[1:] == [5e5, 5e6] for row in liquid)
    assert all(row[1] == 5e5 and 5e5 < row[2] < 5e6 for row in steady)
    for mass, behind, before in empty:
        assert behind == pytest.approx(before) == pytest.approx(5e5 * mass / 1e-3)


def test_a_regulator_does_not_raise_a_pressure(floater):
    with pytest.raises(InputError, match="cannot hold 500000 Pa"):
        floater({"tank": {"kind": "gas_tank", "mass": 0.02, "reserve": 1e-3, "pressure": 5e5, "bottle_pressure": 4e5}})
