"""Options of the air in flight, on the shipped vehicles: hover near the ground, trim, a plane that stands still."""

import json
import math

import mujoco
import numpy as np
import pytest
import yaml

from cupola.analysis import Aircraft, Condition, linearize, modes, trim
from cupola.config.vehicle import MODELS
from cupola.physics.ground import rotor_gain


@pytest.fixture
def refitted(tmp_path):
    """A shipped vehicle with more keys on some parts; returns its folder."""

    def write(name, **changes):
        folder = MODELS / name
        content = yaml.safe_load((folder / "vehicle.yaml").read_text())
        content["mjcf"] = str(folder / content["mjcf"])
        for part, keys in changes.items():
            content["parts"][part].update(keys)
        target = tmp_path / f"{name}{len(list(tmp_path.iterdir()))}"
        target.mkdir()
        (target / "vehicle.yaml").write_text(json.dumps(content))
        return str(target)

    return write


def hover(make_world, model, height):
    """Mean command of the motors and their height, after a minute of holding `height`."""
    controller = {"use": "quadcopter_waypoints", "rate_hz": 400, "plan": [{"position": [0, 0, height]}]}
    world = make_world({"model": model, "position": [0, 0, height], "controller": controller}, floor={})
    world.run(60.0)
    sites = [world.part(f"motor{i}").row.site for i in (1, 2, 3, 4)]
    return np.mean(world.command()[:4]), world.data.site_xpos[sites, 2].mean(), world


def test_a_quadcopter_hovers_on_less_throttle_near_the_ground(make_world, refitted):
    motors = {f"motor{i}": {"ground_effect": True} for i in (1, 2, 3, 4)}
    model = refitted("quadcopter", **motors)
    plain, _, _ = hover(make_world, "quadcopter", 0.15)
    high, _, _ = hover(make_world, model, 5.0)
    low, rotors, world = hover(make_world, model, 0.15)
    # Thrust goes with the square of the throttle, and the four of them hold the weight in each case.
    radius = math.sqrt(0.017 / math.pi)
    gain = rotor_gain(rotors, radius, 1.0128 * 9.81 / 4, 0.0, 1.0, 1.225)
    assert gain > 1.01
    assert (plain / low) ** 2 == pytest.approx(gain, rel=1e-4)
    assert high == pytest.approx(plain, rel=5e-4)  # the air is 4e-4 thinner up there
    assert np.linalg.norm(world.motion().vel_w) < 1e-4


WASH = {"wing": {"wash": [{"rotor": "motor1", "share": 0.3}]}}


def torque_at_standstill(make_world, model, pitch):
    """Pitching torque of the wing on a plane at rest at full throttle, nose up positive [N m]."""
    world = make_world({"model": model, "position": [0, 0, 50]}, gravity=0.0)
    world.sticks([0, pitch, 0, 1])
    world.step(1)
    return -world.part("wing").outputs.torque.y


def test_the_elevator_of_a_plane_at_standstill_obeys_at_full_throttle(make_world, refitted):
    model = refitted("plane_1wing", **WASH)
    neutral, up, down = (torque_at_standstill(make_world, model, pitch) for pitch in (0.0, 1.0, -1.0))
    # The stream of this motor is k_motor = 55 m/s fast far behind it; here, at s = 0.5 m: 27.5 (1 + s / root(s2 + R2)).
    radius = math.sqrt(0.01619 / math.pi)
    speed = 27.5 * (1 + 0.5 / math.hypot(0.5, radius))
    moment = 0.3 * 0.5 * 1.219 * speed**2 * 0.30 * 0.15 * 1.0 * 0.3491
    assert up - neutral == pytest.approx(moment, rel=1e-2)
    assert down - neutral == pytest.approx(-moment, rel=1e-2)
    assert torque_at_standstill(make_world, "plane_1wing", 1.0) == pytest.approx(0.0, abs=1e-3)


def test_full_up_elevator_lifts_the_nose_before_the_plane_rolls(make_world, refitted):
    """On its wheels, held by nothing but its own inertia, in the first quarter of a second."""
    pitched = {}
    for name, model in (("wash", refitted("plane_1wing", **WASH)), ("none", "plane_1wing")):
        for stick in (1.0, -1.0):
            world = make_world({"model": model, "position": [0, 0, 0.2]}, floor={})
            world.sticks([0, 0, 0, -1])
            world.run(1.0)
            world.sticks([0, stick, 0, 1])
            world.run(0.25)
            assert world.motion().vel_b.x < 3.0
            q = world.motion().quat_wb
            pitched[name, stick] = -math.asin(2 * (q.w * q.y - q.z * q.x))
    assert pitched["wash", 1.0] - pitched["wash", -1.0] > math.radians(2)
    assert abs(pitched["none", 1.0] - pitched["none", -1.0]) < math.radians(0.3)


def options():
    motor = {"ground_effect": True, "reactions": True, "inertia": 1e-4}
    return {"wing": {**WASH["wing"], "ground_effect": True, "wind_gradient": True}, "motor1": motor}


def test_trim_and_modes_with_all_options(make_world, refitted):
    model = refitted("plane_1wing", **options())
    aircraft, plain = Aircraft(make_world(model, floor={})), Aircraft(make_world("plane_1wing", floor={}))
    high, low = (trim(aircraft, Condition(20.0, altitude=h)) for h in (200.0, 0.25))
    high_plain, low_plain = (trim(plain, Condition(20.0, altitude=h)) for h in (200.0, 0.25))
    for found in (high, low):
        assert np.abs(found.residuals).max() < 1e-8
    # The stream drags at the wing and lifts it: more throttle than the plain plane, a smaller angle of attack.
    assert high.values()["throttle"] > high_plain.values()["throttle"] + 0.01
    assert high.alpha < high_plain.alpha
    # Near the ground both need less than they do high up, beyond what the denser air does for the plain plane.
    assert (
        low.values()["throttle"] - high.values()["throttle"]
        < low_plain.values()["throttle"] - high_plain.values()["throttle"]
    )
    assert low.alpha - high.alpha < low_plain.alpha - high_plain.alpha
    # Flown, it stays put: 5 cm below the wheels the ground lies, and the ground effect is part of the balance.
    entry = {"model": model, **low.start(), "controller": {"use": "pass_through", "rate_hz": 100}}
    world = make_world(entry, floor={}, integrator="RK4", physics_hz=500)
    commands = low.commands()
    world.sticks([commands[0], commands[1], commands[2], 2 * commands[3] - 1])
    world.run(2.0)
    assert world.motion().pos_w.z == pytest.approx(0.25, abs=1e-6)
    model_high = linearize(aircraft, high.state, high.inputs)
    assert np.isfinite(model_high.A).all() and np.isfinite(model_high.B).all()
    assert {"phugoid", "short period", "Dutch roll"} <= {mode.name for mode in modes(model_high)}


def test_the_gyroscope_couples_pitch_and_yaw_in_the_linear_model(make_world, refitted):
    inertia = 2e-3
    spinning = {"motor1": {"reactions": True, "inertia": inertia}}
    found = []
    for model in (refitted("plane_1wing", **spinning), "plane_1wing"):
        aircraft = Aircraft(make_world(model))
        steady = trim(aircraft, Condition(20.0))
        found.append(linearize(aircraft, steady.state, steady.inputs))
        throttle = steady.values()["throttle"]
    with_it, without = found
    assert without.A[4, 5] == pytest.approx(0.0, abs=1e-6)
    # A torque of -r h about the axis of pitch and q h about that of yaw: to the right, the nose goes down.
    spin = inertia * 20.0 * throttle
    world = make_world("plane_1wing")
    answers = np.zeros((2, world.model.nv))
    mujoco.mj_solveM(world.model, world.data, answers, np.eye(world.model.nv)[4:6])
    assert with_it.A[4, 5] - without.A[4, 5] == pytest.approx(-spin * answers[0, 4], rel=1e-5)
    assert with_it.A[5, 4] - without.A[5, 4] == pytest.approx(spin * answers[1, 5], rel=1e-5)


def test_the_same_flight_twice_with_all_options(make_world, refitted, digest):
    model = refitted("plane_1wing", **options())
    entry = {"model": model, "position": [0, 0, 1.5], "velocity_b": [20, 0, 0]}
    wind = {"wind": {"speed": 5, "from_deg": 60, "height": 10, "exponent": 0.2}, "turbulence": {"sigma": [1, 1, 1]}}
    seen = []
    for _ in range(2):
        world = make_world(entry, floor={}, air=wind, integrator="RK4")
        world.sticks([0.05, 0.1, 0, 0.2])
        world.run(1.0)
        seen.append(digest(world))
    assert seen[0] == seen[1]
