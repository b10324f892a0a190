"""When sensors fire, what an IMU feels, how its errors are distributed, and when a late sample becomes visible."""

import math
from typing import Any, cast

import mujoco
import numpy as np
import pytest

from cupola.kernel.motion import TrueInertial
from cupola.parts.sensors.imu import Imu, ImuNumbers
from cupola.parts.sensors.sensor import NoiseKey
from cupola.physics.rotation import Quaternion, Vector
from cupola.reproduce.tumbling import INERTIA, RATE, Tumble
from cupola.schema.yaml_files import InputError

G = 9.81
FIXED = '<body name="base"><geom size="0.1"/><site name="here"/></body>'
MOVING = """<body name="base"><freejoint/><geom size="0.1"/>
  <site name="here" pos="0.3 0.1 -0.2" euler="30 40 50"/></body>"""


def collect(world, sensor, seconds):
    """All samples of `seconds`: the ring holds one second of them."""
    rows = [world.samples[sensor].since(0)]
    for _ in range(seconds):
        before = world.samples[sensor].count
        world.step(world.scenario.physics_hz)
        rows.append(world.samples[sensor].since(before))
    return np.concatenate(rows)


@pytest.mark.parametrize("rate", [2000, 400, 30, 29.97, 7, 0.7])
def test_a_sample_falls_on_the_first_tick_at_or_after_k_over_rate(vehicle, make_world, rate):
    world = make_world(vehicle(FIXED, parts={"truth": {"kind": "truth", "site": "here", "rate_hz": rate}}))
    ticks = collect(world, ("toy", "truth"), 3)[:, 0]
    hundredths = round(100 * rate)  # exact: sample k is due at tick 2000 k / rate, rounded up
    expected = [-(-2000 * 100 * k // hundredths) for k in range(math.floor(3 * rate) + 1)]
    assert ticks.tolist() == expected


def test_a_sensor_cannot_be_faster_than_the_physics(vehicle, make_world):
    folder = vehicle(FIXED, parts={"truth": {"kind": "truth", "site": "here", "rate_hz": 2001}})
    with pytest.raises(InputError, match=r"parts\.truth.*2001.*2000"):
        make_world(folder)


def test_a_sample_shows_the_motion_of_its_own_tick(vehicle, make_world):
    folder = vehicle(MOVING, parts={"truth": {"kind": "truth", "site": "here", "rate_hz": 300}})
    world = make_world({"model": folder, "velocity_b": [3, 2, 1], "rate_b": [1, -2, 3]})
    site = []
    for _ in range(101):
        site.append((world.data.site_xpos[0].copy(), world.data.site_xmat[0].copy()))
        world.step()
    samples = world.samples["toy", "truth"].since(0)
    assert len(samples) == 16
    for tick, *motion in samples:
        place, turn = site[int(tick)]
        assert motion[:3] == place.tolist()
        matrix = np.zeros(9)
        mujoco.mju_quat2Mat(matrix, np.array(motion[3:7]))
        assert matrix == pytest.approx(turn, abs=1e-12)


def test_an_imu_at_rest_feels_gravity_upward(vehicle, make_world):
    tilted = """<body name="base" euler="20 -35 70"><geom size="0.1"/>
      <site name="here" pos="1 2 3" euler="10 20 30"/></body>"""
    world = make_world(vehicle(tilted, parts={"imu": {"kind": "imu", "site": "here", "rate_hz": 100}}))
    up_in_site_axes = world.data.site_xmat[0].reshape(3, 3)[2]
    for _ in range(3):
        reading = world.samples["toy", "imu"].latest()
        np.testing.assert_allclose(reading.accel_s, G * up_in_site_axes, atol=1e-14)
        assert reading.rate_s == (0, 0, 0)
        world.step(50)


def test_an_imu_in_free_fall_feels_nothing(vehicle, make_world):
    world = make_world(vehicle(MOVING, parts={"imu": {"kind": "imu", "site": "here", "rate_hz": 100}}))
    world.step(1000)
    np.testing.assert_allclose(world.samples["toy", "imu"].latest().accel_s, 0, atol=1e-13)


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_an_imu_on_an_arm_feels_centripetal_and_tangential_acceleration(vehicle, make_world, integrator):
    arm, spin_up = 0.7, 3.0
    turntable = f"""<body name="base"><joint type="hinge" axis="0 0 1"/>
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 2"/><site name="here" pos="{arm} 0 0"/></body>"""
    folder = vehicle(turntable, parts={"imu": {"kind": "imu", "site": "here", "rate_hz": 100}})
    world = make_world(folder, integrator=integrator)
    world.arrays.external_wrench[1, 5] = 2.0 * spin_up  # torque = inertia times angular acceleration
    world.step(4000)
    reading, spin = world.samples["toy", "imu"].latest(), spin_up * 2.0
    # Constant acceleration is integrated exactly, so only round-off remains: 4000 additions of 1.5e-3.
    np.testing.assert_allclose(reading.rate_s, [0, 0, spin], atol=1e-11)
    np.testing.assert_allclose(reading.accel_s, [-arm * spin**2, arm * spin_up, G], atol=1e-9)


def test_an_imu_on_a_tumbling_body(vehicle, make_world):
    arm = np.array([0.4, -0.2, 0.3])
    body = """<body name="base"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 2 3"/>
      <site name="here" pos="0.4 -0.2 0.3"/></body>"""
    folder = vehicle(body, parts={"imu": {"kind": "imu", "site": "here", "rate_hz": 100}})
    world = make_world({"model": folder, "rate_b": RATE.tolist()}, integrator="RK4", physics_hz=1000)
    exact = Tumble()
    for _ in range(20):
        world.step(50)
        reading, rate = world.samples["toy", "imu"].latest(), exact.rate_b(np.array(world.time))
        angular = np.cross(INERTIA * rate, rate) / INERTIA
        felt = np.cross(angular, arm) + np.cross(rate, np.cross(rate, arm))
        # The angular acceleration is the mean over the last step, half a step old: h/2 |angular'| |arm|, which is below
        # 0.0005 x 5 rad/s³ x 0.54 m here.
        np.testing.assert_allclose(reading.rate_s, rate, atol=1e-10)
        np.testing.assert_allclose(reading.accel_s, felt, atol=1.4e-3)


IMU = {"kind": "imu", "site": "here"}
SECONDS = 50


def errors_of(vehicle, make_world, rate, **numbers):
    """Samples minus truth of an IMU at rest, columns accel x y z, rate x y z."""
    world = make_world(vehicle(FIXED, parts={"imu": {**IMU, "rate_hz": rate, **numbers}}), physics_hz=400)
    return collect(world, ("toy", "imu"), SECONDS)[:, 1:] - [0, 0, G, 0, 0, 0]


@pytest.mark.parametrize("rate", [100, 400])
def test_white_noise_has_the_density_of_the_data_sheet(vehicle, make_world, rate):
    off = errors_of(vehicle, make_world, rate, accel_noise=0.02, rate_noise=0.003)
    n = len(off)
    # A density per root hertz sampled at `rate` has the deviation density x root(rate) at any rate. The deviation of n
    # samples is known to 1 / root(2 n); a mean and a correlation to 1 / root(n). Five of these pass by chance.
    sigma = math.sqrt(rate) * np.array([0.02] * 3 + [0.003] * 3)
    np.testing.assert_allclose(off.std(axis=0), sigma, rtol=5 / math.sqrt(2 * n))
    assert np.abs(off.mean(axis=0) / sigma).max() < 5 / math.sqrt(n)
    pairs = np.corrcoef(np.hstack([off[1:], off[:-1]]).T)  # other axes, and the sample before
    assert np.abs(pairs - np.eye(12)).max() < 5 / math.sqrt(n)


@pytest.mark.parametrize("rate", [100, 400])
def test_a_bias_walks_with_the_root_of_time(vehicle, make_world, rate):
    bias = [0.1, -0.2, 0.3]
    off = errors_of(vehicle, make_world, rate, accel_walk=0.05, rate_walk=0.001, accel_bias=bias)
    np.testing.assert_allclose(off[0, :3], bias, atol=5 * 0.05 * math.sqrt(1 / rate))
    for lag in (1, rate // 10):  # variance of the change over `lag` samples: walk² x time
        change = off[lag::lag] - off[:-lag:lag][: len(off[lag::lag])]
        sigma = math.sqrt(lag / rate) * np.array([0.05] * 3 + [0.001] * 3)
        np.testing.assert_allclose(change.std(axis=0), sigma, rtol=5 / math.sqrt(2 * len(change)))
        assert np.abs(np.corrcoef(change.T) - np.eye(6)).max() < 5 / math.sqrt(len(change))


def test_slow_errors_keep_their_size_and_forget_with_their_time(vehicle, make_world):
    off = errors_of(vehicle, make_world, 100, accel_drift=0.3, rate_drift=0.02, drift_time=0.5)
    n = SECONDS / (2 * 0.5)  # independent samples: one in two time constants
    np.testing.assert_allclose(off.std(axis=0), [0.3] * 3 + [0.02] * 3, rtol=5 / math.sqrt(2 * n))
    for lag in (1, 25):
        expected = math.exp(-lag / 100 / 0.5)
        shares = [np.corrcoef(axis[lag:], axis[:-lag])[0, 1] for axis in off.T]
        np.testing.assert_allclose(shares, expected, atol=5 * math.sqrt((1 - expected**2) / n))


def unit(inputs, **numbers):
    """What a unit at 1000 Hz says along x while it is pushed so [m/s²] and turns so [rad/s]."""
    part = Imu(kind="imu", site="here", rate_hz=1000, **numbers)
    errors, memory = ImuNumbers(**part.numbers(cast(Any, None))), np.array(part.initial_memory())
    out, said = np.zeros(part.width()), []
    for k, (push, turn) in enumerate(inputs):
        true = TrueInertial(Vector(push, 0.0, G), Vector(turn, 0.0, 0.0), Quaternion(1.0, 0.0, 0.0, 0.0))
        Imu.measure(errors, true, out, memory, NoiseKey(1, 1, k, 0, 0.001))
        said.append(out.copy())
    return np.array(said)


def test_a_unit_on_an_elastic_mount_rings_after_a_jolt():
    jolt = [(0.0, 0.0)] * 10 + [(50.0, 0.0)] * 4 + [(0.0, 0.0)] * 2000
    stiff, ringing = unit(jolt)[:, 0], unit(jolt, ring_hz=20, ring_damping=0.1)[:, 0]
    np.testing.assert_array_equal(stiff, [push for push, _ in jolt])
    assert ringing.max() < 0.5 * stiff.max() and ringing.min() < -0.5 * ringing.max()
    assert ringing.sum() == pytest.approx(stiff.sum(), rel=1e-3)  # the same change of speed in the end
    ups = np.flatnonzero((ringing[:-1] < 0) & (ringing[1:] >= 0))
    np.testing.assert_allclose(np.diff(ups[:5]), 1000 / (20 * math.sqrt(1 - 0.1**2)), atol=1)


def test_the_rate_overshoots_on_an_elastic_mount_and_gravity_does_not_ring_at_the_start():
    said = unit([(0.0, 0.0)] + [(0.0, 0.2)] * 3000, ring_hz=15, ring_damping=0.2)
    over = 1 + math.exp(-math.pi * 0.2 / math.sqrt(1 - 0.2**2))
    assert said[:, 3].max() == pytest.approx(0.2 * over, rel=1e-3) and said[-1, 3] == pytest.approx(0.2)
    np.testing.assert_allclose(said[:, 2], G, rtol=1e-14)


def test_an_imu_may_tell_its_attitude(vehicle, make_world):
    here = {"site": "here", "rate_hz": 100}
    parts = {"imu": {"kind": "imu", "orientation": True, **here}, "truth": {"kind": "truth", **here}}
    world = make_world({"model": vehicle(MOVING, parts=parts), "rate_b": [1.0, -2.0, 0.5]})
    world.run(0.5)
    imu, truth = (world.samples["toy", name].latest() for name in ("imu", "truth"))
    assert imu.quat_ws == truth.quat_ws and abs(imu.quat_ws.w) < 0.99


def test_two_imus_and_two_seeds_have_noise_of_their_own(vehicle, make_world):
    imu = {**IMU, "rate_hz": 400, "accel_noise": 0.02}
    folder = vehicle(FIXED, parts={"one": imu, "two": imu})
    world = make_world(folder, physics_hz=400)
    one, two = (collect(world, ("toy", name), 0)[0, 1] for name in ("one", "two"))
    world.reset(seed=2)
    other = world.samples["toy", "one"].since(0)[0, 1]
    assert len({one, two, other}) == 3
    world.reset(seed=1)
    assert world.samples["toy", "one"].since(0)[0, 1] == one


@pytest.mark.parametrize(("delay", "ticks"), [(0.0, 0), (0.025, 25), (0.0251, 26), (0.2, 200)])
def test_a_late_sample_becomes_visible_after_its_delay(vehicle, make_world, delay, ticks):
    folder = vehicle(MOVING, parts={"truth": {"kind": "truth", "site": "here", "rate_hz": 100, "delay": delay}})
    world = make_world({"model": folder, "velocity_b": [1000, 0, 0]}, physics_hz=1000)  # 1 m per tick tells the stamp
    start = world.data.site_xpos[0, 0]
    for _ in range(250):
        newest = (world.tick - ticks) // 10 * 10  # stamp of the newest sample that is old enough
        visible = world.samples["toy", "truth"].latest()
        if newest < 0:
            assert visible is None
        else:
            assert round(visible.pos_w.x - start) == newest
        world.step()


def test_a_controller_reads_its_sensors_by_name(vehicle, make_world):
    code = """
from cupola import Controller

class Reads(Controller):
    def step(self, obs, ref):
        imu, truth = self.sensors["imu"](), self.sensors["truth"]()
        return [imu.accel_s.z, truth.pos_w.x - obs.pos_w.x, truth.rate_s.z - obs.rate_b.z]
"""
    parts = {"imu": {**IMU, "rate_hz": 100}, "truth": {"kind": "truth", "site": "here", "rate_hz": 100}}
    controller = {"use": "reads.py:Reads", "rate_hz": 100}
    folder = vehicle(FIXED, parts=parts, controller=controller, files={"reads.py": code})
    world = make_world(folder)
    world.step(50)
    np.testing.assert_allclose(world.command()[:3], [G, 0, 0], atol=1e-14)


def test_truth_at_a_turned_site_speaks_of_its_axes(vehicle, make_world):
    # The site is turned by 90° about z and sits 0.5 m ahead: turning at 2 rad/s moves it at 1 m/s to the body's left,
    # which is its own x.
    spinner = """<body name="base"><freejoint/><site name="out" pos="0.5 0 0" euler="0 0 90"/>
    <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>"""
    parts = {"truth": {"kind": "truth", "site": "out", "rate_hz": 100}}
    world = make_world({"model": vehicle(spinner, parts=parts, start={"rate_b": [0, 0, 2.0]})}, gravity=0.0)
    world.step(200)
    truth = world.samples["toy", "truth"].latest()
    yaw = 2.0 * world.time + np.pi / 2
    assert truth.vel_s == pytest.approx((1.0, 0.0, 0.0), abs=1e-9)
    assert truth.rate_s == pytest.approx((0.0, 0.0, 2.0), abs=1e-9)
    assert truth.quat_ws == pytest.approx((np.cos(yaw / 2), 0.0, 0.0, np.sin(yaw / 2)), abs=1e-9)
