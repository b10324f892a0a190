"""Force sensors, motion capture and joint encoders in the loop."""

import math
from pathlib import Path

import mujoco
import numpy as np
import pytest

from cupola.physics.rotation import Quaternion, euler_from_quaternion
from cupola.schema.yaml_files import InputError

IDLE = {"use": "idle", "rate_hz": 1}
HAND = 0.6
BODY = f"""<body name="base"><joint name="x" type="slide" axis="1 0 0"/>
<inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/><site name="base"/>
<body name="arm" pos="0.2 0 0"><joint name="shoulder" axis="0 0 1"/>
<inertial pos="0.1 0 0" mass="0.3" diaginertia="1 1 1"/>
<body name="fore" pos="0.2 0 0"><joint name="elbow" axis="0 0 1"/>
<inertial pos="0.1 0 0" mass="0.3" diaginertia="1 1 1"/>
<body name="hand" pos="0.2 0 0"><inertial pos="0.1 0 0" mass="{HAND}" diaginertia="0.01 0.01 0.01"/>
<site name="wrist"/><site name="tip" pos="0.2 0 0"/></body></body></body></body>"""


@pytest.fixture
def arm(vehicle, make_world):
    count = iter(range(100))

    def make(parts, **entry):
        folder = vehicle(BODY, name=f"arm{next(count)}", parts=parts, controller=IDLE)
        scenario = {"physics_hz": 1000, "integrator": "RK4", "gravity": entry.pop("gravity", 0.0)}
        return make_world({"model": folder, "name": "arm", **entry}, **scenario)

    return make


def force(**errors):
    return {"force": {"kind": "force_torque", "site": "wrist", "rate_hz": 100, **errors}}


def told(world, name):
    return world.samples["arm", name].latest()


def test_at_rest_it_feels_the_weight_beyond_it(arm):
    world = arm(force(), gravity=9.81)
    world.run(0.05)
    assert told(world, "force").force_s == pytest.approx((0.0, 0.0, -HAND * 9.81), abs=1e-9)
    assert told(world, "force").torque_s == pytest.approx((0.0, HAND * 9.81 * 0.1, 0.0), abs=1e-9)


def test_it_feels_the_inertia_of_what_it_carries(arm):
    """A push on the base moves all: the sensor feels the hand's share, backward, as an accelerometer would tell."""
    imu = {"imu": {"kind": "imu", "site": "wrist", "rate_hz": 100}}
    world = arm({**force(), **imu})
    world.push("arm/base", (3.2, 0.0, 0.0))
    world.run(0.05)
    total = 2.0 + 0.3 + 0.3 + HAND
    assert told(world, "force").force_s.x == pytest.approx(-HAND * 3.2 / total, rel=1e-9)
    assert told(world, "force").force_s.x == pytest.approx(-HAND * told(world, "imu").accel_s.x, rel=1e-9)


def test_it_agrees_with_mujocos_own_sensor(vehicle, make_world):
    folder = vehicle(BODY, parts=force(), controller=IDLE)
    sensors = '<sensor><force site="wrist"/><torque site="wrist"/></sensor>'
    model = Path(folder) / "model.xml"
    model.write_text(model.read_text().replace("</mujoco>", f"{sensors}</mujoco>"))
    entry = {"model": folder, "name": "arm", "joints_deg": {"shoulder": 20, "elbow": 40}}
    world = make_world(entry, physics_hz=1000, integrator="RK4")
    world.push("arm/hand", (1.0, -2.0, 0.5), (0.2, 0.0, 0.0))
    world.data.qvel[1:3] = 2.0, -3.0
    world.step(200)
    ours = told(world, "force")
    twin = mujoco.MjData(world.model)
    twin.qpos[:], twin.qvel[:], twin.xfrc_applied[:] = world.data.qpos, world.data.qvel, world.data.xfrc_applied
    mujoco.mj_forward(world.model, twin)
    assert [*ours.force_s, *ours.torque_s] == pytest.approx(-twin.sensordata, rel=1e-6, abs=1e-9)


def test_contact_is_felt(vehicle, make_world):
    body = """<body name="base"><joint type="slide" axis="1 0 0"/><geom size="0.05" mass="1"/><site name="base"/>
    <body name="hand" pos="0.2 0 0"><geom size="0.05" mass="0.5"/><site name="wrist"/></body></body>"""
    folder = vehicle(body, parts=force(), controller=IDLE)
    wall = {"position": [0.3, 0, 0], "size": [0.1, 1, 1]}
    world = make_world(
        {"model": folder, "name": "arm"}, obstacles=[wall], physics_hz=1000, integrator="RK4", gravity=0.0
    )
    world.push("arm/base", (2.0, 0.0, 0.0))
    world.run(3.0)
    assert told(world, "force").force_s.x == pytest.approx(-2.0, rel=1e-3)


def test_a_tare_takes_the_mean_while_it_lasts(arm):
    world = arm(force(force_noise=1e-3, tare_channel=0), gravity=9.81)
    world.run(0.1)
    world.turn(0, 1.0)
    world.run(2.0)
    world.turn(0, 0.0)
    world.run(0.01)
    after = world.samples["arm", "force"].count
    world.run(1.0)
    rows = world.samples["arm", "force"].since(after)[:, 1:4]
    assert np.abs(rows.mean(axis=0)).max() < 4e-3
    assert rows.std(axis=0) == pytest.approx(np.full(3, 1e-2), rel=0.25)


def test_gain_and_a_zero_that_does_not_come_back(arm):
    world = arm(force(gain=0.9, play=2.0, hysteresis=0.1))

    def after(load):
        world.push("arm/hand", (0.0, 0.0, load), (0.1, 0.0, 0.0))
        world.run(0.05)
        return told(world, "force").force_s.z

    assert after(1.5) == pytest.approx(0.9 * 1.5)
    assert after(0.0) == pytest.approx(0.0, abs=1e-9)
    assert after(5.0) == pytest.approx(0.9 * 5.0 - 0.1 * 3.0)
    assert after(0.0) == pytest.approx(-0.1 * 2.0)


def test_a_steady_load_creeps_and_leaves_a_zero_of_the_other_sign(arm):
    """Less is said of it within seconds, whichever way it pulls; once it is off, the zero comes back slowly."""
    world = arm(force(gain=0.98, creep=0.03, creep_time=1.5, recovery_time=5.0))

    def after(load, seconds):
        world.push("arm/hand", (0.0, 0.0, load), (0.1, 0.0, 0.0))
        world.run(seconds)
        return told(world, "force").force_s.z

    for load in (-10.0, 5.0):
        assert after(load, 0.02) == pytest.approx(0.98 * load, rel=1e-3)
        assert after(load, 1.5) == pytest.approx(load * (0.98 - 0.03 * (1.0 - math.exp(-1.0))), rel=1e-3)
        assert after(load, 20.0) == pytest.approx(0.95 * load, rel=1e-4)
        assert after(0.0, 0.02) == pytest.approx(-0.03 * load, rel=0.01)
        assert after(0.0, 5.0) == pytest.approx(-0.03 * load * math.exp(-1.0), rel=0.01)
        assert after(0.0, 100.0) == pytest.approx(0.0, abs=1e-8)


def test_beyond_a_load_it_creeps_by_as_much_whatever_the_load(arm):
    world = arm(force(creep=0.05, creep_load=4.0, creep_time=0.1, recovery_time=0.1))
    for load, lost in ((2.0, 0.1), (4.0, 0.2), (9.0, 0.2), (-3.0, -0.15), (-20.0, -0.2)):
        world.push("arm/hand", (0.0, 0.0, load), (0.1, 0.0, 0.0))
        world.run(2.0)
        assert load - told(world, "force").force_s.z == pytest.approx(lost, abs=1e-6)


def test_a_weight_that_has_hung_for_long_creeps_no_more(arm):
    world = arm(force(creep=0.05, creep_time=2.0, recovery_time=2.0), gravity=10.0)
    world.run(0.02)
    at_once = told(world, "force").force_s.z
    world.run(3.0)
    assert at_once == pytest.approx(-0.95 * 10.0 * HAND) and told(world, "force").force_s.z == pytest.approx(at_once)


def test_how_much_it_creeps_is_drawn_once_a_run(arm):
    world = arm(force(creep=0.03, creep_spread=0.5, creep_time=0.1, slow_creep=0.01, slow_creep_time=0.1))
    shares = []
    for seed in range(60):
        world.reset(seed)
        world.push("arm/hand", (0.0, 0.0, -10.0), (0.1, 0.0, 0.0))
        world.run(1.5)
        first = told(world, "force").force_s.z
        world.run(0.5)
        assert told(world, "force").force_s.z == pytest.approx(first, abs=1e-5)
        shares.append(1.0 + first / 10.0)
    assert np.median(shares) == pytest.approx(0.03, abs=0.008)
    assert np.std(shares) == pytest.approx(math.hypot(0.03 * 0.5 * math.exp(0.5 * 0.5**2), 0.01), rel=0.35)


def test_motion_capture_sees_the_pose_late_and_loses_samples(arm):
    eye = {"kind": "motion_capture", "site": "tip", "rate_hz": 100}
    world = arm(
        {"exact": eye, "late": {**eye, "delay": 0.05}, "lossy": {**eye, "dropout": 0.3}}, joints_deg={"elbow": 30}
    )
    world.data.qvel[0] = 0.5
    world.run(1.0)
    exact, late = told(world, "exact"), told(world, "late")
    assert exact.pos_w.x - late.pos_w.x == pytest.approx(0.5 * 0.05, rel=0.2)
    assert euler_from_quaternion(exact.quat_ws).yaw == pytest.approx(world.data.qpos[1] + world.data.qpos[2])
    arrived = len(world.samples["arm", "lossy"].since(0))
    assert 55 <= arrived <= 85
    world.fail("arm.lossy", "loss", 0.0)
    world.run(1.0)
    assert len(world.samples["arm", "lossy"].since(0)) < 90  # what it loses by itself is not mended


def test_motion_capture_noise_is_white_and_wandering(arm):
    eye = {"kind": "motion_capture", "site": "base", "rate_hz": 100, "noise": 1e-5, "turn_noise": 1e-4}
    slow = {**eye, "noise": 0.0, "turn_noise": 0.0, "wander": 2e-5, "wander_time": 0.1}
    world = arm({"white": eye, "slow": slow})
    rows = {"white": [], "slow": []}
    for _ in range(40):
        for name, kept in rows.items():
            first = world.samples["arm", name].count
            kept.append((name, first))
        world.step(1000)
        for name, kept in rows.items():
            kept[-1] = world.samples["arm", name].since(kept[-1][1])[:, 1:]
    white, wandering = (np.concatenate(rows[name]) for name in ("white", "slow"))
    assert white[:, :3].std(axis=0) == pytest.approx(np.full(3, 1e-5), rel=0.05)
    yaws = [euler_from_quaternion(Quaternion(*row)).yaw for row in white[:, 3:].tolist()]
    assert np.std(yaws) == pytest.approx(1e-4, rel=0.05)
    x = wandering[:, 0]
    assert x.std() == pytest.approx(2e-5, rel=0.15)
    assert np.corrcoef(x[1:], x[:-1])[0, 1] == pytest.approx(math.exp(-0.1), abs=0.02)


def test_encoders_count_from_the_start_with_their_signs_and_couplings(arm):
    encoder = {"kind": "encoder", "rate_hz": 1000, "joints": ["shoulder", "elbow"]}
    real = {**encoder, "incremental": True, "reversed": ["shoulder"], "coupled": {"elbow": "shoulder"}}
    world = arm({"exact": encoder, "real": real}, joints_deg={"shoulder": 30, "elbow": -20})
    assert told(world, "real").angles == (0.0, 0.0)
    world.data.qvel[1:] = 0.4, -1.0
    world.run(0.5)
    (q1, q2), (w1, w2) = told(world, "exact")
    a, b = math.radians(30), math.radians(-20)
    assert told(world, "real").angles == pytest.approx((-(q1 - a), (q1 - a) + (q2 - b)))
    assert told(world, "real").speeds == pytest.approx((-w1, w1 + w2))
    world.restart()
    world.run(0.001)
    assert told(world, "real").angles == pytest.approx((0.0, 0.0), abs=1e-12)


def test_an_encoder_refuses_what_it_does_not_read(arm):
    with pytest.raises(InputError, match=r"'elbow' is none of its joints: shoulder"):
        arm({"e": {"kind": "encoder", "rate_hz": 10, "joints": ["shoulder"], "coupled": {"elbow": "shoulder"}}})
