"""The wake of a rotor on other vehicles: momentum, decay, and what a vehicle below it feels."""

import math

import numpy as np
import pytest

from cupola import InputError
from cupola.config.air import Air
from cupola.config.scenario import Scenario, VehicleEntry, find_scenario
from cupola.kernel.links import stream_at
from cupola.physics.rotation import Vector
from cupola.physics.slipstream import Stream, induced_speed, jet_velocity
from cupola.sim.world import World

DENSITY, RADIUS, THRUST = 1.2, 0.15, 8.0
STILL = Stream(Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 1.0), induced_speed(THRUST, 0.0, DENSITY, RADIUS), 0.0, RADIUS)
PLATE = {"plate": {"kind": "bluff", "site": "base", "body": {"area": 0.05, "c_drag": 1.2}}}
BODY = '<body name="base"><geom type="box" size="0.1 0.1 0.01" mass="1"/><site name="base"/></body>'


@pytest.mark.parametrize("far", [4.0, 20.0, 60.0])
def test_the_jet_carries_the_thrust_however_far(far):
    """Momentum is conserved as the jet widens and slows: its flux is the thrust, to what measured constants allow."""
    x = np.linspace(0.0, 40.0 * RADIUS, 4001)
    speed = np.array([-jet_velocity(STILL, Vector(r, 0.0, -far * RADIUS)).z for r in x])
    flux = np.trapezoid(DENSITY * speed**2 * 2.0 * math.pi * x, x)
    assert flux == pytest.approx(THRUST, rel=0.05)


def test_far_behind_it_slows_with_the_distance():
    near, far = (-jet_velocity(STILL, Vector(0.0, 0.0, -s * RADIUS)).z for s in (30.0, 60.0))
    assert near == pytest.approx(2.0 * far, rel=1e-3)
    half = -jet_velocity(STILL, Vector(0.096 * 60.0 * RADIUS, 0.0, -60.0 * RADIUS)).z
    assert half == pytest.approx(0.5 * far, rel=1e-9)


def two(vehicle, make_world, wakes, **above):
    """A hovering quadcopter above a plate that is held."""
    plate = vehicle(BODY, parts=PLATE, name=f"plate_{wakes:d}")
    entry = {"model": "quadcopter", "position": [0.0, 0.0, 3.0], **above}
    entry["controller"] = {"use": "quadcopter_waypoints", "rate_hz": 400, "plan": [{"position": entry["position"]}]}
    held = {"model": plate, "position": [0.3, 0.3, 1.0], "freedom": "fixed"}
    return make_world(entry, held, air={"wakes": wakes}, physics_hz=2000)


def test_a_plate_below_feels_the_downwash_and_one_beside_does_not(vehicle, make_world):
    world = two(vehicle, make_world, True)
    world.run(1.0)
    assert world.arrays.air_samples[1]["wind_z"] < -1.0
    assert abs(world.arrays.air_samples[0]["wind_z"]) < 1e-9  # its own wake is not wind to it
    expected = sum(
        jet_velocity(stream_at(world.arrays.given, row["given"]), Vector(0.3, 0.3, 1.0)).z for row in world.arrays.jets
    )
    assert world.arrays.air_samples[1]["wind_z"] == pytest.approx(expected, rel=1e-3)


def test_off_it_changes_no_bit(vehicle, make_world, digest):
    off, on = two(vehicle, make_world, False), two(vehicle, make_world, True)
    for world in (off, on):
        world.run(0.2)
    assert len(off.arrays.jets) == 0 and len(on.arrays.jets) == 4
    assert off.data.qpos[:7].tobytes() == on.data.qpos[:7].tobytes()  # the one above feels nothing of the one below


def test_a_snapshot_holds_the_wakes(vehicle, make_world, digest):
    world = two(vehicle, make_world, True)
    world.run(0.2)
    saved = world.snapshot()
    world.run(0.1)
    end = digest(world)
    world.restore(saved)
    world.run(0.1)
    assert digest(world) == end


def test_a_rotor_whose_disc_is_unknown_is_refused_by_name(vehicle, make_world):
    rotor = {"kind": "rotor", "site": "base", "channel": 0, "direction": 1}
    folder = vehicle(BODY, parts={"fan": rotor})
    with pytest.raises(InputError, match=r"air\.wakes: the wake of toy\.fan needs the radius"):
        make_world(folder, air={"wakes": True})


def test_the_lower_of_two_quadcopters_is_pushed_down_in_passing():
    scenario = find_scenario("passing_over")[0]
    down = {}
    for wakes in (True, False):
        world = World(scenario.model_copy(update={"air": scenario.air.model_copy(update={"wakes": wakes})}))
        world.run(7.0)
        down[wakes] = float(world.measures()["lower pushed down by"].value or 0.0)
    assert down[False] < 0.001 and 0.015 < down[True] < 0.03  # measured: 0.0002 and 0.020


def test_a_quadcopter_lands_on_a_driving_base_and_stays_there():
    world = World(*find_scenario("landing_on_base"))
    world.run(13.0)
    found = {name: measure.value for name, measure in world.measures().items()}
    assert float(found["landed after"] or 0.0) == pytest.approx(11.5, abs=1.5)
    assert float(found["beside the middle of the deck"] or 0.0) < 0.05
    before = [np.array(world.motion(name).pos_w) for name in ("base", "drone")]
    world.run(5.0)
    base, drone = (np.array(world.motion(name).pos_w) for name in ("base", "drone"))
    assert np.linalg.norm(base - before[0]) > 0.3  # it drives on, with the drone on its deck
    np.testing.assert_allclose(drone - base, before[1] - before[0], atol=0.02)


def test_landing_without_a_deck_is_refused(make_world):
    entry = {"model": "quadcopter", "controller": {"use": "multirotor_land_on", "rate_hz": 400, "channel": 4}}
    with pytest.raises(InputError, match=r"needs one other vehicle with a truth part 'deck'; there are: none"):
        make_world(entry)


def test_an_engine_of_tables_leaves_no_jet_and_says_so(vehicle, make_world, caplog):
    folder = vehicle(BODY, name="tabled", parts={"jet": {"kind": "table_engine", "site": "base", "thrust": "10"}})
    both = [{"model": folder, "name": name, "position": [0, 0, z]} for name, z in (("a", 1), ("b", 9))]
    for vehicles, wakes in ((both, True), (both, False), (both[:1], True)):
        caplog.clear()
        make_world(*vehicles, air={"wakes": wakes})
        said = [record.message for record in caplog.records if "no jet is left" in record.message]
        assert said == (["air.wakes: no jet is left by a.jet (table_engine), b.jet (table_engine); `rotor` and "
                         "`helicopter_rotor` leave one"] if len(vehicles) == 2 and wakes else [])  # fmt: skip


@pytest.mark.parametrize(
    ("model", "told"), [("plane_1wing", "airfoil"), ("robird", "theory unsteady_strips"), ("cessna", "liftdrag")]
)
def test_wings_that_neither_leave_nor_feel_wakes_say_so_once_and_only_beside_others(model, told, caplog):
    pair = tuple(VehicleEntry(model=model, name=name) for name in "ab")
    for vehicles, wakes in ((pair, True), (pair, False), (pair[:1], True)):
        caplog.clear()
        World(Scenario(vehicles=vehicles, air=Air(wakes=wakes)))
        said = [record.message for record in caplog.records if "no wake of wings" in record.message]
        assert len(said) == (len(vehicles) == 2 and wakes)
        assert all(f"({told})" in text and " a." in text and " b." in text for text in said)


def test_rotors_that_are_off_leave_no_jet(vehicle, make_world):
    """One of a helicopter has lost its blades; one of a quadcopter stops. What is below them feels it."""
    plate = {"model": vehicle(BODY, parts=PLATE), "position": [0.0, 0.0, 1.0], "freedom": "fixed"}
    for model, mesh in (("xcell", "main"), ("xcell", "tail"), ("quadcopter", "motor1")):
        above = {"model": model, "position": [0.0, 0.0, 4.0], "freedom": "fixed"}
        world = make_world(above, plate, air={"wakes": True}, physics_hz=2000)
        world.run(0.5)
        (row,) = [bound.row for bound in world.assembly.parts if bound.full_name == f"{model}.{mesh}"]
        blows = stream_at(world.arrays.given, row["given"]).induced
        assert abs(blows) > 0.1, (model, mesh)
        world.fail(f"{model}.{mesh}", "off")
        world.run(1.0)
        now = stream_at(world.arrays.given, row["given"])
        assert abs(now.induced) < 0.02 * abs(blows), (model, mesh)
        assert now.radius > 0.0
        world.fail(f"{model}.{mesh}", "off", 0.0)
        world.run(1.0)
        assert abs(stream_at(world.arrays.given, row["given"]).induced) > 0.1, (model, mesh)
