"""The helicopter: hover of the published model, its modes, and a flight.

Gavrilets, Mettler and Feron give the machine's numbers and closed forms: torque C_Q = C_T λ + σ C_D0 / 8, wake factor
0.9, a disc that follows within 16 / (γ_bar Ω), and moments of the hub by tilt, K_β + T h.
"""

import math
from typing import Any

import numpy as np
import pytest

import cupola
from cupola.config.scenario import VehicleEntry

MASS, GRAVITY, DENSITY = 8.2, 9.81, 1.225
OMEGA, RADIUS, CHORD, SLOPE, DRAG, WAKE = 167.0, 0.775, 0.058, 5.5, 0.024, 0.9
SOLIDITY = 2 * CHORD / (math.pi * RADIUS)
TAIL_ARM, HEIGHT, STIFFNESS, BAR = 0.91, 0.235, 54.0, 0.8
WEIGHT = MASS * GRAVITY


@pytest.fixture(scope="module")
def hover():
    return cupola.equilibrium(cupola.load("xcell", controllers={"xcell": "idle"}))


@pytest.fixture(scope="module")
def flight():
    world = cupola.load("helicopter_flight")
    rows = []
    while world.time < world.scenario.duration:
        world.run(0.25)
        m = world.motion()
        rows.append([world.time, *m.pos_w, *m.vel_w, world.signal("xcell.engine.speed")])
    return world, np.array(rows)


def test_hover_is_that_of_the_published_model(hover):
    world = hover.system.world
    with hover.system.asked():
        hover.system.settle(hover.state, hover.inputs)
        main, tail = world.part("main").outputs, world.part("tail").outputs
        main, tail = (main.thrust, main.power, main.induced, main.collective), (tail.thrust, tail.power)
    density = world.signal("xcell.density")
    area = math.pi * RADIUS**2
    tip = OMEGA * RADIUS
    coefficient = WEIGHT / (density * area * tip**2)
    inflow = math.sqrt(coefficient / (2 * WAKE))
    torque = (coefficient * inflow + SOLIDITY * DRAG / 8) * density * area * tip**2 * RADIUS
    assert main[0] == pytest.approx(WEIGHT, rel=0.01)  # a few degrees of bank
    assert main[2] == pytest.approx(inflow * tip, rel=0.01)
    assert main[1] == pytest.approx(torque * OMEGA, rel=0.015)
    assert main[3] == pytest.approx(3 * (2 * coefficient / (SOLIDITY * SLOPE) + inflow / 2), rel=0.015)
    assert tail[0] == pytest.approx(torque / TAIL_ARM, rel=0.02)
    assert 1000.0 < main[1] + tail[1] < 1300.0  # of the 2000 W that the engine has
    # The tail pushes to the left, so it hangs with its right side down by about that share of the weight.
    assert hover["phi"] == pytest.approx(tail[0] / WEIGHT, rel=0.15) and abs(hover["theta"]) < 0.01


def test_the_disc_and_the_body_swing_as_the_published_model_says(hover):
    modes = np.linalg.eigvals(cupola.linearize(hover).A)
    lag = 16 / (BAR * OMEGA)
    for inertia in (0.18, 0.34):  # roll, pitch: s² + s / τ + (K_β + T h) / I
        stiffness = (STIFFNESS + WEIGHT * HEIGHT) / inertia
        expected = complex(-0.5 / lag, math.sqrt(stiffness - 0.25 / lag**2))
        assert min(abs(modes - expected)) < 0.05 * abs(expected)
    advancing = complex(-1.225 * SLOPE * CHORD * RADIUS**4 / 0.038 * OMEGA / 16, 2 * OMEGA)
    assert min(abs(modes - advancing)) < 0.02 * abs(advancing)
    assert max(modes.real) > 0.1  # a hovering helicopter is unstable without somebody who flies it


def test_its_gains_are_those_of_the_hover(hover):
    controller: Any = cupola.load("xcell").runner().controller
    assert controller.hover_collective == pytest.approx(hover["channel_0"], rel=0.02)
    assert controller.hover_tail == pytest.approx(hover["channel_3"], rel=0.05)
    model = cupola.linearize(hover)
    wanted = {("w", "channel_0"): -controller.climb_effect, ("r", "channel_3"): -controller.yaw_effect}
    for (state, channel), effect in wanted.items():
        at_once = model.B[model.states.index(state), model.inputs.index(channel)]
        # Before the inflow has followed, thrust answers more: by 1 + σ a / 16 λ of the main rotor
        assert at_once / effect == pytest.approx(1.5, abs=0.25)


def test_it_takes_off_flies_turns_and_lands(flight):
    world, rows = flight
    found = {name: measure.value for name, measure in world.measures().items()}
    assert found["fastest"] == pytest.approx(10.0, abs=0.4)
    assert found["highest"] == pytest.approx(15.5, abs=0.6)
    assert found["distance from the path"] < 1.5
    assert found["landed after"] < world.scenario.duration and found["landed off the point"] < 0.4
    assert found["nose at the end"] == pytest.approx(math.pi / 2, abs=0.1)
    assert rows[-1, 3] == pytest.approx(0.246, abs=0.01)  # on its skids
    assert rows[:, 7].min() > 0.93 * OMEGA  # the engine carries all of it


def test_power_is_that_of_hover_and_less_at_ten_metres_a_second(flight):
    found = {name: measure.value for name, measure in flight[0].measures().items()}
    assert found["power in hover"] == pytest.approx(1145.0, rel=0.05)
    assert found["power at 10 m/s"] < 0.93 * found["power in hover"]


def test_without_its_engine_it_comes_down_with_its_rotor_turning_slower():
    world = cupola.load("xcell")
    world.run(4.0)
    world.fail("xcell.engine", "off")
    world.run(0.5)
    speed = world.part("engine").outputs.speed
    # I dΩ/dt = -Q: half of hover's 6.9 N m and the rest as the speed falls
    assert 0.75 * OMEGA < speed < 0.88 * OMEGA
    assert world.motion().vel_w.z < -0.2


def test_sticks_fly_it():
    entry = VehicleEntry(model="xcell", position=(0, 0, 3), mode="assisted")
    world = cupola.World(cupola.Scenario(vehicles=(entry,), physics_hz=1000))
    world.run(2.0)
    world.sticks([0, -1, 0, 0])  # stick forward
    world.run(5.0)
    moved = world.motion()
    assert moved.vel_b.x == pytest.approx(5.0, abs=0.7) and abs(moved.vel_b.y) < 0.5
    world.sticks([0, 0, 0.5, 0])  # nose right
    world.run(3.0)
    assert world.motion().rate_b.z == pytest.approx(-0.75, abs=0.15)
    assert abs(world.motion().pos_w.z - 3.0) < 0.6
