"""The plane of Last_letter_2 with measured lift and drag: tables as flown, channels, camera and laser mounts."""

import math
import subprocess
import sys

import mujoco
import numpy as np
import pytest

import cupola
from cupola.physics.atmosphere import Atmosphere, atmosphere
from cupola.physics.rotation import euler_from_quaternion
from cupola.record.read import Recording
from cupola.record.world_recorder import WorldRecorder

DENSITY = atmosphere(0.0, Atmosphere()).density


@pytest.fixture(scope="module")
def fly(make_world):
    """In the air, level: sticks and velocity in body axes [m/s]."""

    def start(sticks=(0, 0, 0, -1), velocity=(15, 0, 0), **scenario):
        entry = {"model": "plane_1wing_sensors", "position": [0, 0, 0], "velocity_b": [*velocity]}
        world = make_world(entry, **scenario)
        world.sticks([*sticks])
        return world

    return start


def test_mass_and_centre_of_mass(fly):
    world = fly()
    assert world.model.body_subtreemass[1] == pytest.approx(3.42 + 2e-5, abs=1e-12)
    assert world.data.subtree_com[1] == pytest.approx([0.109, 0, -0.027], abs=5e-4)


# Annex C: angle of attack [deg], lift and drag coefficient; None where only one is printed.
CHECKS = [
    (-10, -0.3822, None), (-5, None, 0.0301), (0, 0.622, 0.0432), (10, 1.5372, 0.1137), (15, 1.802, 0.180),
    (17, 1.839, None), (25, 1.301, 0.564), (45, 0.8589, 1.3802), (90, 0.0, 2.0),
]  # fmt: skip


@pytest.mark.parametrize(("degrees", "lift", "drag"), CHECKS)
def test_the_wing_reads_its_tables(fly, degrees, lift, drag):
    alpha, speed = math.radians(degrees), 12.0
    world = fly(velocity=(speed * math.cos(alpha), 0, -speed * math.sin(alpha)))
    world.step()  # shows the loads at its start
    wing = world.part("wing").outputs
    c_lift, c_drag = wing.c_lift, wing.c_drag
    assert wing.alpha == pytest.approx(alpha, abs=1e-12)
    assert lift is None or c_lift == pytest.approx(lift, abs=5.1e-5)
    assert drag is None or c_drag == pytest.approx(drag, abs=5.1e-5)
    push = 0.5 * DENSITY * speed**2 * 0.45
    assert wing.force.z == pytest.approx(
        push * (c_drag * math.sin(alpha) + c_lift * math.cos(alpha)), rel=1e-9, abs=1e-9
    )
    assert wing.force.x == pytest.approx(
        push * (c_lift * math.sin(alpha) - c_drag * math.cos(alpha)), rel=1e-9, abs=1e-9
    )


def test_past_90_degrees_the_ends_of_the_tables_are_held(fly):
    world = fly(velocity=(-12, 0, 0.01))
    world.step()
    wing = world.part("wing").outputs
    assert abs(wing.alpha) > 3.1 and abs(wing.c_lift) < 1e-9 and wing.c_drag == pytest.approx(2.0, abs=1e-9)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_positive_commands_give_positive_moments_of_the_books(fly, axis):
    books = np.array([1, -1, -1])  # front-left-up to front-right-down
    plus, minus = (fly([*(sign * 0.2 * (k == axis) for k in range(3)), -1]) for sign in (1, -1))
    for world in (plus, minus):
        world.step()
    torque = np.subtract(plus.part("wing").outputs.torque, minus.part("wing").outputs.torque) * books
    push = 2 * 0.2 * 0.5 * DENSITY * 0.45 * 15.0**2
    own = [0.2618 * 1.88 * 0.1028, 0.4363 * 0.24 * 1.079, 0.4363 * 1.88 * 0.0476][axis]
    assert torque[axis] == pytest.approx(push * own, rel=1e-9)
    for world in (plus, minus):
        world.step(50)
    rate = (np.array(plus.motion().rate_b) - minus.motion().rate_b) * books
    assert rate[axis] > 0.02 and np.argmax(np.abs(rate)) == axis


@pytest.mark.parametrize(("joint", "stick", "full", "axis"), [("camera", 4, 2.0, 2), ("laser", 5, -1.0, 1)])
def test_mounts_turn_with_their_sticks(fly, joint, stick, full, axis):
    world = fly(velocity=(0, 0, 0), gravity=0.0, air={"space": True})
    hinge = world.data.joint(f"plane_1wing_sensors/{joint}")
    assert np.argmax(np.abs(world.model.joint(hinge.id).axis)) == axis
    for sign in (1, -1):
        before = hinge.qpos[0]
        world.sticks([sign if k == stick else 0 for k in range(6)])
        world.run(1.0)
        assert (hinge.qpos[0] - before) / np.sign(sign * full) == pytest.approx(0.5, abs=0.01)  # at 0.5 rad/s
        world.run(8.0)
        assert hinge.qpos[0] == pytest.approx(sign * full, abs=2e-3)  # full stick is the end of the range
    other = world.data.joint("plane_1wing_sensors/" + {"camera": "laser", "laser": "camera"}[joint])
    assert abs(other.qpos[0]) < 1e-3


def test_camera_and_laser_sit_where_the_source_puts_them(fly):
    world = fly()
    camera, laser = (world.data.site(f"plane_1wing_sensors/{name}") for name in ("camera", "laser"))
    assert camera.xpos == pytest.approx([0, 0.9, -0.07], abs=1e-9)
    assert laser.xpos == pytest.approx([0.45, 0, -0.14], abs=1e-9)
    assert camera.xmat.reshape(3, 3)[:, 0] == pytest.approx([math.cos(0.6), -math.sin(0.6), 0], abs=1e-8)
    assert laser.xmat.reshape(3, 3)[:, 0] == pytest.approx([1, 0, 0], abs=1e-9)


def test_its_sensors_have_the_numbers_of_the_source(fly):
    camera, laser, imu = (fly().samples["plane_1wing_sensors", name].part for name in ("camera", "laser", "imu"))
    assert (camera.width_px, camera.height_px, camera.rate_hz, camera.field_of_view) == (800, 800, 30, 1.3962634)
    assert (camera.near, camera.far, camera.noise, camera.delay) == (0.02, 300, 0.007, 0)
    assert (laser.rays, laser.rate_hz, laser.range_min, laser.range_max, laser.noise) == (720, 40, 0.1, 30, 0.01)
    assert (laser.angles()[0], laser.angles()[-1]) == pytest.approx((-1.570796, 1.570796), abs=1e-6)
    assert (imu.rate_hz, imu.accel_noise, imu.rate_noise, imu.delay) == (100, 0, 0, 0)


def test_its_sensors_have_topics_of_their_own(fly, tmp_path):
    world = fly(record={"pictures": "jpeg"})
    tap = WorldRecorder(world, tmp_path / "a.mcap")
    world.run(0.1)
    tap.close()
    recording, home = Recording(tmp_path / "a.mcap"), "/plane_1wing_sensors"
    expected = {"camera/image/compressed": 4, "camera/camera_info": 4, "laser": 5, "imu": 11}
    frames = {"camera": "camera_optical_site", "laser": "laser_site", "imu": "base_site"}
    for topic, count in expected.items():
        table = recording.table(f"{home}/{topic}", text=True)
        assert len(table["time"]) == count
        assert set(table["header.frame_id"]) == {f"plane_1wing_sensors/{frames[topic.split('/')[0]]}"}


def test_the_camera_looks_right_of_ahead_and_turns_with_its_stick(fly):
    """Unturned, 0.6 rad to the right: the white fuselage is in the right of the picture; turned, elsewhere."""
    world = fly(velocity=(0, 0, 0), gravity=0.0, air={"space": True}, floor={})
    samples = world.samples["plane_1wing_sensors", "camera"]

    def columns_of_fuselage(rows=slice(400)):
        picture = samples.latest().picture.astype(int)
        grey = (np.ptp(picture, axis=2) < 20) & (picture.mean(axis=2) > 90)
        return np.nonzero(grey[rows])[1]

    f, cx, cy = samples.part.intrinsics()

    def columns_of_corners(*meshes):
        """Where corners of its white meshes lie by the axes of the camera: x to the right, y down, z ahead."""
        model, data = world.model, world.data
        camera = data.site("plane_1wing_sensors/camera_optical")
        columns = []
        for k in np.flatnonzero(model.geom_type == mujoco.mjtGeom.mjGEOM_MESH):
            mesh = model.mesh(model.geom_dataid[k])
            if mesh.name.split("/")[-1] in meshes:
                corners_g = model.mesh_vert[mesh.vertadr[0] :][: mesh.vertnum[0]]
                corners_w = data.geom_xpos[k] + corners_g @ data.geom_xmat[k].reshape(3, 3).T
                x, y, z = ((corners_w - camera.xpos) @ camera.xmat.reshape(3, 3)).T
                columns += list((cx + f * x / z)[(z > 0.0) & (cy + f * y / z < 400)])
        return columns

    found = columns_of_fuselage()
    assert np.percentile(found, 1) == pytest.approx(min(columns_of_corners("fuselage")), abs=15) and found.max() == 799
    world.sticks([0, 0, 0, 0, 1])  # counter-clockwise, away from the fuselage
    world.run(2.0)
    assert len(columns_of_fuselage()) < 0.02 * len(found)
    world.sticks([0, 0, 0, 0, -1])
    world.run(8.0)
    # To the rear: its end and the rudder are in the left, between the aileron and the elevator.
    now = columns_of_fuselage(slice(250, 325))
    assert np.percentile(now, 99) == pytest.approx(max(columns_of_corners("fuselage", "rudder")), abs=25)
    assert now.min() == 0


def test_pictures_of_a_flight_are_the_same_in_two_processes(tmp_path):
    program = """
import hashlib, cupola
from cupola.record.world_recorder import WorldRecorder
from cupola.record.read import Recording
world = cupola.load("sensor_plane_camera")
tap = WorldRecorder(world, "{}.mcap")
world.observers.append(tap)
world.run(2.0)
tap.close()
recording = Recording("{}.mcap")
shots = recording.pictures("/plane_1wing_sensors/camera/image/compressed", 1000)
total = hashlib.sha256(b"".join(shot.pixels.tobytes() for shot in shots) + world.data.qpos.tobytes())
print(len(shots), total.hexdigest())
"""
    runs = [
        subprocess.Popen([sys.executable, "-c", program.format(k, k)], stdout=subprocess.PIPE, text=True, cwd=tmp_path)
        for k in range(2)
    ]
    first, second = (run.communicate()[0] for run in runs)
    assert first == second and first.startswith("61 ")


def test_takes_off_from_its_wheels_and_flies_on():
    world = cupola.load("sensor_plane_takeoff")
    world.run(2.0)
    assert world.motion().pos_w.z == pytest.approx(0.186, abs=0.005) and world.motion().vel_b.x > 8
    world.run(38.0)
    end = world.motion()
    roll, pitch, _ = np.degrees(euler_from_quaternion(end.quat_wb))
    assert end.pos_w.z > 40 and end.vel_b.x == pytest.approx(15.6, abs=0.6)
    assert abs(roll) < 1 and -12 < pitch < 0  # climbing; pitch is nose down positive
    angles = [world.data.joint(f"plane_1wing_sensors/{name}").qpos[0] for name in ("camera", "laser")]
    assert angles == pytest.approx([-2.0, 1.0], abs=2e-3)
