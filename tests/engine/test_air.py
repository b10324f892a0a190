"""Wind, gusts and turbulence as wings and rotors feel them; the atmosphere with height; space."""

import math

import numpy as np
import pytest

from cupola.physics.atmosphere import Atmosphere, atmosphere

SURFACE = {"area": 0.3, "span": 2.0, "chord": 0.15, "c_lift_0": 0.3, "c_lift_a": 5.0, "c_drag_p": 0.04}
GENERIC = {"s_prop": 0.02, "c_prop": 1.0, "k_motor": 50.0, "k_t_p": 1e-4, "k_omega": 100.0}
PARTS = {
    "wing": {"kind": "airfoil", "site": "wing", "surface": SURFACE},
    "motor": {"kind": "rotor", "site": "prop", "channel": 3, "direction": 1, "generic": GENERIC},
}


@pytest.fixture
def stand(vehicle, make_world):
    """A wing at height `z` and a rotor 30 m above it, on a mast that cannot move; it heads `yaw` degrees."""

    def make(air, z=10.0, yaw=0.0):
        body = f"""<body name="base" pos="0 0 {z}" euler="0 0 {yaw}"><geom size="0.1"/>
          <site name="wing"/><site name="prop" pos="0 0 30"/></body>"""
        return make_world(vehicle(body, name=f"at{z:.0f}_{yaw:.0f}".replace("-", "_"), parts=PARTS), air=air)

    return make


def felt(world):
    """Airspeed, angle of attack and sideslip of the wing; airspeed of the rotor."""
    wing = world.part("wing").outputs
    return wing.airspeed, wing.alpha, wing.beta, world.part("motor").outputs.airspeed


def gust(world):
    """The gust at the vehicle [m/s, world]."""
    air = world.arrays.air_samples[0]
    return np.array([air.gust_x, air.gust_y, air.gust_z])


def test_wind_grows_with_the_height_of_each_part(stand):
    world = stand({"wind": {"speed": 6, "from_deg": 90, "height": 10, "exponent": 0.3}}, z=40)
    world.step()
    speed, alpha, beta, at_rotor = felt(world)
    assert (speed, at_rotor) == pytest.approx((6 * 4**0.3, 6 * 7**0.3), rel=1e-14)
    assert (alpha, beta) == pytest.approx((0, 0), abs=1e-15)  # from the east, head on
    air = world.arrays.air_samples[0]
    np.testing.assert_allclose([air.wind_x, air.wind_y, air.wind_z], [-6 * 4**0.3, 0, 0], atol=1e-14)


@pytest.mark.parametrize(
    ("from_deg", "yaw", "beta"),
    [(90, 0, 0), (0, 0, -90), (180, 0, 90), (0, 90, 0), (45, 45, 0), (60, 0, -30), (120, 0, 30)],
)
def test_the_bearing_is_where_the_wind_comes_from(stand, from_deg, yaw, beta):
    # World x is east, y north. Sideslip is positive when the air comes from the right.
    world = stand({"wind": {"speed": 6, "from_deg": from_deg}}, yaw=yaw)
    world.step()
    assert math.degrees(felt(world)[2]) == pytest.approx(beta, abs=1e-9)


def test_a_gust_rises_holds_and_falls(stand):
    world = stand({"gusts": [{"start": 0.1, "rise": 0.2, "hold": 0.3, "velocity": [-4, 0, 3]}]})
    for _ in range(1900):
        t = world.time
        up, down = (0.5 - 0.5 * math.cos(math.pi * min(max((t - s) / 0.2, 0), 1)) for s in (0.1, 0.6))
        world.step()
        speed, alpha, _, at_rotor = felt(world)
        assert speed == pytest.approx(5 * (up - down), abs=1e-12)
        assert at_rotor == pytest.approx(speed, abs=1e-12)
        if speed > 1e-6:  # rising air from ahead: lift from below
            assert alpha == pytest.approx(math.atan2(3, 4), abs=1e-9)


def test_turbulence_has_its_intensities_in_body_axes(make_world):
    # Nothing holds this vehicle but its inertia: so heavy that gusts do not move it, flying at 20 m/s for 400 s.
    sigma, length, speed = np.array([1.5, 0.8, 0.5]), [20.0, 10.0, 5.0], 20.0
    entry = {
        "model": "plane_1wing",
        "attitude_deg": [0, 0, 60],
        "velocity_b": [speed, 0, 0],
        "position": [0, 0, 50],
    }
    entry["controller"] = {"use": "pass_through", "rate_hz": 50}
    air = {"turbulence": {"sigma": sigma.tolist(), "length": length}}
    world = make_world(entry, air=air, physics_hz=400, gravity=0.0)
    world.part("wing").row.off = world.part("motor1").row.off = 1
    gusts = np.empty((20000, 3))
    for k in range(len(gusts)):
        world.step(8)
        gusts[k] = gust(world)
    assert world.motion().vel_b.x == pytest.approx(speed, rel=1e-12)
    turn = math.radians(60)
    R_wb = np.array([[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0], [0, 0, 1]])
    gusts = gusts @ R_wb
    # Correlation time L / V: the variance of `seconds` of it is known to root(2 x 2 L / V / seconds) at most.
    seconds = len(gusts) / 50
    for i in range(3):
        known = math.sqrt(4 * length[i] / speed / seconds)
        assert gusts[:, i].var() == pytest.approx(sigma[i] ** 2, rel=4 * known)
    # Longitudinal: an exponential correlation, 1/e after L / V = 1 s (MIL-F-8785C).
    u = gusts[:, 0] - gusts[:, 0].mean()
    assert np.mean(u[50:] * u[:-50]) / u.var() == pytest.approx(math.exp(-1), abs=4 / math.sqrt(seconds))
    assert np.abs(np.corrcoef(gusts.T) - np.eye(3)).max() < 4 * math.sqrt(2 * length[0] / speed / seconds)


def test_turbulence_reaches_the_wing(stand):
    world = stand({"wind": {"speed": 10, "from_deg": 90}, "turbulence": {"sigma": [1, 1, 1], "length": [20, 20, 20]}})
    for _ in range(50):
        world.step(10)
        wind = np.array([-10, 0, 0]) + gust(world)
        u, v, w = -wind[0], wind[1], wind[2]  # the air's approach in front-right-down axes of a body at rest
        speed, alpha, beta, at_rotor = felt(world)
        assert world.motion().vel_air_b == pytest.approx(-wind, rel=1e-12)
        assert speed == pytest.approx(np.linalg.norm(wind), rel=1e-12) and at_rotor == pytest.approx(speed, rel=1e-12)
        assert alpha == pytest.approx(math.atan2(w, u), abs=1e-12)
        assert beta == pytest.approx(math.asin(v / speed), abs=1e-12)
    assert abs(wind[1]) > 1e-3


def test_wind_carries_a_vehicle_only_through_its_parts(make_world):
    # In a wind, motion relative to the air is that of still air: the start is moved along, and nothing else changes.
    entry = {
        "model": "plane_1wing",
        "position": [0, 0, 50],
        "controller": {"use": "pass_through", "rate_hz": 100},
    }
    still = make_world({**entry, "velocity_b": [18, 0, 0]}, physics_hz=1000)
    wind = {"wind": {"speed": 6, "from_deg": 90}}
    moving = make_world({**entry, "velocity_b": [12, 0, 0]}, physics_hz=1000, air=wind)
    for world in (still, moving):
        world.sticks([0.2, 0.1, 0, 0])
        world.step(1000)
    expected = np.array(still.motion().pos_w) - [6, 0, 0]
    np.testing.assert_allclose(moving.motion().pos_w, expected, atol=1e-9)
    np.testing.assert_allclose(moving.motion().quat_wb, still.motion().quat_wb, atol=1e-10)


def test_density_falls_with_height(stand):
    low, high = stand({}, z=0), stand({"altitude": 4000}, z=1000)
    for world in (low, high):
        world.step()
    # U.S. Standard Atmosphere 1976 at 0 m and 5000 m, to the digits it prints.
    printed = {low: ([1.2250, 101325, 288.150], 1e-5), high: ([0.73643, 54048, 255.676], 2e-5)}
    for world, (numbers, digits) in printed.items():
        air = world.arrays.air_samples[0]
        assert [air.density, air.pressure, air.temperature] == pytest.approx(numbers, rel=digits)


def test_in_space_nothing_pushes(make_world):
    entry = {
        "model": "plane_1wing",
        "velocity_b": [30, 5, -5],
        "rate_b": [0.1, 0.2, 0.3],
        "position": [0, 0, 50],
    }
    air = {"space": True, "wind": {"speed": 20, "from_deg": 30}, "turbulence": {"sigma": [3, 3, 3]}}
    world = make_world(entry, air=air)
    world.sticks([1, 1, 1, 1])
    world.step(200)
    assert np.abs(world.data.xfrc_applied).max() == 0
    assert world.arrays.air_samples[0].density == world.arrays.air_samples[0].pressure == 0


def test_after_a_step_the_air_is_that_of_the_present_height(make_world):
    wind = {"speed": 6, "from_deg": 90, "height": 10, "exponent": 0.3}
    world = make_world({"model": "plane_1wing", "position": [0, 0, 30], "velocity_b": [0, 0, 40]}, air={"wind": wind})
    for _ in range(20):
        world.step(7)
        height = world.motion().pos_w.z
        air = world.arrays.air_samples[0]
        assert air.wind_x == pytest.approx(-6 * (height / 10) ** 0.3, rel=1e-14)
        assert air.density == pytest.approx(atmosphere(height, Atmosphere()).density, rel=1e-14)
