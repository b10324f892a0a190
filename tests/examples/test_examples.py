"""The examples do what they say."""

import math
import runpy
from pathlib import Path

import numpy as np
import pytest

import cupola
from cupola.config.scenario import Scenario, VehicleEntry
from cupola.config.vehicle import ControllerEntry, PlanEntry, shipped_vehicles
from cupola.physics.quintic import quintic
from cupola.physics.rotation import euler_from_quaternion

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a script in a folder of its own; returns its variables."""
    monkeypatch.chdir(tmp_path)
    return lambda name: runpy.run_path(str(EXAMPLES / name), run_name="__main__")


def test_every_example_has_a_test_and_is_short():
    text = Path(__file__).read_text(encoding="utf-8")
    for script in EXAMPLES.rglob("*.py"):
        assert script.name in text, script
        assert len(script.read_text(encoding="utf-8").splitlines()) < 60, script


def test_the_square_meets_its_corners(run):
    found = run("fly_square.py")
    # A waypoint counts as reached at 0.15 m; the last one, at z = 0, is where the body would be inside the floor.
    assert max(found["nearest"]) < 0.15
    assert 18.0 < found["length"] < 24.0  # up, four sides of 4 m and down again is 20 m
    assert Path("out/fly_square.mcap").stat().st_size > 100_000


def test_every_aircraft_flies(run):
    found = run("every_vehicle.py")
    elsewhere = {"simple_model", "velma_base", "flapper", "cepheus", "cepheus_sim", "cepheus_target", "cepheus_cube"}
    elsewhere |= {"servicer", "client"}  # on the ground, on a stand, on a table, in orbit
    assert set(found["summits"]) == set(shipped_vehicles()) - elsewhere
    assert min(found["summits"].values()) > 0.9 and all(found["upright"].values())


def test_the_circle_is_round():
    who = f"{EXAMPLES / 'my_controller.py'}:Circle"
    world = cupola.load("quadcopter", controllers={"quadcopter": who})
    world.run(12.0)
    for _ in range(8):  # the hover throttle is rounded to 0.468, which leaves a height error of millimetres
        world.run(1.0)
        x, y, z = world.motion().pos_w
        assert math.hypot(x, y) == pytest.approx(2.0, abs=0.1)
        assert z == pytest.approx(2.0, abs=0.05)


def test_a_base_finds_its_way_by_laser(run):
    found = run("drive_by_laser.py")
    assert found["off"] < 0.005 and found["nearest"].max() < 0.02


def test_drag_makes_it_lean_into_the_wind(run):
    found = run("airframe_drag.py")
    assert found["bare"] == pytest.approx(0.0, abs=0.01)
    # Steady hover: the thrust leans so that its level part carries the drag, tan = ½ ρ CA V² / (m g).
    lean = math.degrees(math.atan(0.5 * 1.225 * 0.02 * 6.0**2 / (1.0128 * 9.81)))
    assert found["dragged"] == pytest.approx(-lean, rel=0.01)


def test_the_best_beat_carries_the_gull(run):
    found = run("best_beat.py")
    for stroke, twist, beat in found["best"].values():
        assert beat.thrust == pytest.approx(found["tunnel"].drag, rel=0.03) and 0.7 < beat.efficiency < 0.9
        assert beat.power < found["tunnel"].beat(3.0, stroke + 0.05, twist).power
    assert Path("out/best_beat.png").exists()


def test_a_headwind_carries_the_glide_back(run):
    found = run("sweep.py")
    still, time = found["glides"][0]
    for wind, (distance, _) in zip(found["winds"], found["glides"], strict=True):
        # In uniform wind the flight through the air is the same, and the end is found on a grid of 0.01 s.
        assert distance == pytest.approx(still - wind * time, abs=0.01 * 18)
    assert Path("out/sweep.png").exists()


def test_the_circuit_is_flown_and_the_plane_lands(run):
    found = run("fly_circuit.py")
    assert 2.0 < found["lift_off"] < 4.0
    assert found["height_error"] < 2.0 and found["speed_error"] < 2.0
    touch = found["touch"]
    assert abs(found["x"][touch]) < 60.0 and abs(found["y"][touch]) < 6.0
    assert found["z"][-1] < 0.2
    assert Path("out/fly_circuit.png").exists()


def test_the_quadplane_flies_its_mission(run):
    found = run("fly_vtol.py")
    assert found["words"][-1] == "landed" and found["error"] < 1.0
    assert found["lift_on_wing"] == 0.0 and found["airspeed"][found["on_wing"]].min() > 16.0
    assert found["transition"].min() > found["transition"][0] - 1.0 and found["braking"].min() > 28.0
    assert Path("out/fly_vtol.png").exists()


def test_the_crazyflie_meets_the_corners_of_its_figure_eight(run):
    found = run("fly_crazyflie.py")
    assert found["nearest"].max() < 0.15  # where a waypoint counts as reached
    assert 0.5 < max(found["speeds"]) < 1.3 and max(found["leans"]) < 15.0
    assert math.hypot(found["end"].x, found["end"].y) < 0.15


def test_the_satellite_is_captured(run):
    found = run("capture.py")
    assert found["run"].state[-1] == "end" and 5.0 < found["run"].when("contact") < 8.0
    assert found["turned"] < 0.2 and found["slip"] < 1e-4
    assert Path("out/capture.png").exists() and Path("out/capture.mcap").stat().st_size > 100_000


def test_the_future_branches_and_repeats(run):
    found = run("snapshot.py")
    assert found["again"] == found["as_planned"]
    assert found["hasty"] != found["as_planned"]


def test_the_chaser_on_one_axis_touches_and_pushes_on(run):
    found = run("impedance_1d.py")
    time, push, late = found["time"], found["push"], found["late"]
    # In steady contact k e = wanted - push, and the spring of the contact gives e = push / k_e.
    assert push[late].mean() == pytest.approx(0.05 / (1.0 + 100.0 / 2000.0), rel=1e-3) and push.max() < 0.2
    assert 8.0 < found["touch"] < 10.0 and (push[time > 11.0] > 0.0).all()
    free = time < found["touch"]
    expected = [0.5005 * quintic(t, 10.0).share for t in time[free]]
    np.testing.assert_allclose(found["chaser"][free], expected, atol=1e-5)  # the reference is followed, to the step
    assert Path("out/impedance_1d.png").exists()


def test_the_tricopter_flies_its_triangle_and_lands():
    world = cupola.load(str(EXAMPLES / "tricopter"))
    corners, nearest = np.array([[3.0, 2.0, 2.0], [3.0, -2.0, 2.0], [0.0, 0.0, 2.0]]), np.full(3, np.inf)
    for _ in range(200):
        world.run(0.1)
        nearest = np.minimum(nearest, np.linalg.norm(corners - np.array(world.motion().pos_w), axis=1))
    assert nearest.max() < 0.15
    now = world.motion()
    assert np.linalg.norm(now.pos_w) < 0.15  # on its belly, 0.02 m high
    assert np.linalg.norm(now.vel_w) < 1e-3
    assert math.degrees(euler_from_quaternion(now.quat_wb).yaw) == pytest.approx(150.0, abs=2.0)


def test_the_tricopter_hovers_as_its_page_says():
    stay = ControllerEntry(use="multirotor_waypoints", plan=(PlanEntry(position=(0.0, 0.0, 2.0)),))
    entry = VehicleEntry(model=str(EXAMPLES / "tricopter"), controller=stay, position=(0.0, 0.0, 2.0))
    world = cupola.World(Scenario(vehicles=(entry,)))
    world.run(30.0)
    drive = world.arrays.drive[world.instances[0].channels]
    # Each rotor carries a third of the weight; the tail's side force cancels the torque of one rotor, and the lean of
    # the whole vehicle cancels the side force.
    thrust = 0.5 * 1.225 * 0.038 * 0.17 * 60.0**2
    tilt = (4.0e-7 * 800.0**2 / thrust) / 0.25
    assert drive[4:7] == pytest.approx(math.sqrt(0.845 * 9.81 / 3.0 / thrust), rel=0.005)
    assert drive[7] == pytest.approx(tilt, rel=0.02)
    assert euler_from_quaternion(world.motion().quat_wb).roll == pytest.approx(-tilt / 3.0, rel=0.02)
    assert [round(drive[4], 2), round(math.degrees(drive[7])), round(math.degrees(tilt / 3.0), 1)] == [0.44, 4, 1.4]


def test_the_port_hamiltonian_wing_keeps_its_books(run):
    found = run("port_hamiltonian_wing.py")
    assert abs(found["balance"]) < 1e-6 and found["lost"] > 1.0
