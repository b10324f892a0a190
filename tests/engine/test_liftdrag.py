"""The `liftdrag` part in the loop: where it acts, what it hears, what it shows."""

import math
from typing import Any, cast

import numpy as np
import pytest

from cupola.cockpit.frame import Frame
from cupola.kernel.records import flat, leaves
from cupola.record import Recording
from cupola.record.world_recorder import WorldRecorder
from cupola.schema.yaml_files import InputError

BODY = """<body name="base"><freejoint/><inertial pos="0.2 -0.1 0.3" mass="50" diaginertia="10 12 14"/>
<geom size="0.1" mass="0"/><site name="base"/>
<body name="flap" pos="-1 0 0"><joint name="flap" axis="0 1 0"/><geom size="0.05" mass="0.1"/></body></body>"""
SURFACE = {"a0": 0.1, "cla": 4.0, "cda": 0.3, "cma": -0.5, "alpha_stall": 0.3, "area": 2.0}


@pytest.fixture
def flying(vehicle, make_world):
    """A world of one surface on a body that flies; returns it with a function that reads what the surface shows."""
    count = 0

    def make(air=None, velocity=(30.0, 0.0, 0.0), rate=(0.0, 0.0, 0.0), height=0.0, **part):
        nonlocal count
        count += 1
        entry = {"kind": "liftdrag", "site": "base", "surface": SURFACE, "cp": [1.0, 2.0, 0.5], **part}
        folder = vehicle(BODY, name=f"toy{count}", parts={"wing": entry})
        start = {"model": folder, "position": [0, 0, height], "velocity_b": velocity, "rate_b": rate}
        world = make_world(start, air=air or {"density": 1.2}, gravity=0.0)
        world.accelerate()
        return world, lambda: world.part("wing").outputs

    return make


def torque_about_origin(out):
    return np.array(out.torque)


def force(out):
    return np.array(out.force)


def test_forces_act_at_the_centre_of_pressure_or_astray(flying):
    """D-3: the plugin adds the centre of mass of the link to the centre of pressure; velocities are right in both."""
    _, right = flying(mode="corrected", surface={**SURFACE, "cma": 0.0})
    _, astray = flying(mode="faithful")
    cp, com = np.array([1.0, 2.0, 0.5]), np.array([0.2, -0.1, 0.3])
    np.testing.assert_allclose(torque_about_origin(right()), np.cross(cp, force(right())), rtol=1e-9)
    np.testing.assert_allclose(torque_about_origin(astray()), np.cross(cp + com, force(astray())), rtol=1e-9)


def test_velocity_of_a_turning_link(flying):
    for mode in ("faithful", "corrected"):
        out = flying(mode=mode, rate=(0.0, 0.0, 2.0))[1]()
        assert out.vel == pytest.approx((30.0 - 4.0, 2.0, 0.0))


def test_what_it_adds_is_what_the_body_feels(flying):
    world, read = flying(mode="corrected")
    root = world.model.body(f"{world.instances[0].name}/base").id
    arm = np.array([0.2, -0.1, 0.3])
    np.testing.assert_allclose(world.arrays.xfrc_applied[root, :3], force(read()), rtol=1e-12)
    about_com = torque_about_origin(read()) - np.cross(arm, force(read()))
    np.testing.assert_allclose(world.arrays.xfrc_applied[root, 3:], about_com, rtol=1e-9)


def test_wind_and_height_reach_the_mended_surface_only(flying):
    tail_wind = {"wind": {"speed": 10.0, "from_deg": 270.0}, "density": 1.2}
    assert flying(mode="corrected", air=tail_wind)[1]().speed == pytest.approx(20.0)
    assert flying(mode="faithful", air=tail_wind)[1]().speed == pytest.approx(30.0)
    low, high = (flying(mode="corrected", air={"altitude": h})[1]().lift for h in (0.0, 5000.0))
    assert high / low == pytest.approx(0.7361 / 1.225, rel=1e-3)
    assert flying(mode="faithful", air={"altitude": 5000.0})[1]().pressure == pytest.approx(0.5 * 1.2041 * 900.0)
    assert flying(mode="corrected", air_density=1.1, air={"altitude": 5000.0})[1]().pressure == pytest.approx(495.0)
    assert flying(mode="corrected", air={"space": True})[1]().lift == 0.0


def test_a_control_is_the_angle_of_its_joint(flying):
    """D-14: read from the joint itself, however it got there."""
    controls = [{"joint": "flap", "lift": -2.0, "drag": 0.1, "moment": 0.3, "cp": 0.4}]
    for mode in ("faithful", "corrected"):
        world, read = flying(mode=mode, controls=controls)
        still = read()
        world.data.qpos[7] = -0.1
        world.accelerate()
        moved = read()
        assert moved.control == -0.1 and moved.c_lift - still.c_lift == pytest.approx(0.2, rel=1e-4)
        added = moved.c_drag - still.c_drag, moved.c_moment - still.c_moment
        assert added == pytest.approx((0.0, 0.0) if mode == "faithful" else (0.01, -0.03), abs=1e-5)
        arm = torque_about_origin(moved) - np.cross([1.0, 2.0, 0.5], force(moved)) - [0, -moved.moment, 0]
        if mode == "corrected":  # the centre of pressure has moved back by 4 cm
            np.testing.assert_allclose(arm, np.cross([-0.04, 0, 0], force(moved)), rtol=1e-3, atol=1e-6)


def test_tables_take_the_place_of_lines(flying):
    tables = {
        "lift": {"breaks": [-0.2, 0.0, 0.2], "coefficients": [0, 0, 5.0, -0.8, 0, 0, 4.0, 0.2]},
        "drag": {"coefficients": [0.02, 0.0, 0.5]},
        "moment": {"coefficients": [0.01]},
    }
    alpha = 0.15
    velocity = (30 * math.cos(alpha), 0.0, -30 * math.sin(alpha))
    out = flying(mode="corrected", velocity=velocity, surface={"area": 2.0, "alpha_stall": 0.6}, **tables)[1]()
    assert out.c_lift == pytest.approx(0.2 + 4.0 * 0.15, rel=1e-6)
    assert out.c_drag == pytest.approx(0.02 + 0.5 * 0.15**2, rel=1e-6) and out.c_moment == pytest.approx(0.01)


def test_derivatives_of_a_whole_aircraft(flying):
    advanced = {"area": 0.34, "mac": 0.22, "ar": 6.5, "eff": 0.97, "alpha_stall": 0.3391428111, "cl0": 0.15188,
                "cla": 5.015, "cd0": 0.029, "cem0": 0.075, "cema": -0.463966}  # fmt: skip
    controls = [{"joint": "flap", "moment": -1.0, "yaw": 0.2}]
    air = {"density": 1.2041}
    kind = {"advanced": advanced, "surface": None, "controls": controls, "cp": [0, 0, 0]}
    world, read = flying(air=air, velocity=(15.0, 0.0, 0.0), **kind)
    out = read()
    assert (out.lift, out.drag) == pytest.approx((6.909506, 1.370994), abs=1e-6)
    assert out.torque.y == pytest.approx(-0.759938, abs=1e-6)  # nose up is about -y here
    world.data.qpos[7] = 0.1
    world.accelerate()
    push = 0.5 * 1.2041 * 225.0 * 0.34
    assert read().torque.y - out.torque.y == pytest.approx(0.1 * push * 0.22)
    assert read().torque.z == pytest.approx(-0.02 * push * math.sqrt(0.34 * 6.5))


def test_everything_it_computes_is_recorded_and_shown(flying, tmp_path):
    world, read = flying(mode="corrected")
    names = {signal.name.rpartition("wing.")[2] for signal in world.signals() if ".wing." in signal.name}
    assert names == set(leaves(cast(Any, type(read()))))
    tap = WorldRecorder(world, tmp_path / "wing.mcap")
    world.observers.append(tap)
    world.run(0.1)
    tap.close()
    table = Recording(tmp_path / "wing.mcap").table(f"/{world.instances[0].name}/wing")
    for name, value in zip(leaves(cast(Any, type(read()))), flat(read()), strict=True):
        assert table[name][-1] == value


def test_its_arrow_stands_at_the_centre_of_pressure(flying):
    world, read = flying(mode="corrected")
    frame = Frame(world)
    frame.fill()
    section = next(one for one in frame.layout if one.name == "forces")
    arrow = frame.numbers[section.offset : section.offset + 6]
    np.testing.assert_allclose(arrow[:3], [1.0, 2.0, 0.5], atol=1e-12)
    np.testing.assert_allclose(arrow[3:], force(read()), rtol=1e-12)


@pytest.mark.parametrize(
    ("part", "complaint"),
    [
        ({"surface": None}, "give either surface or advanced numbers"),
        ({"upward": [2, 0, 0]}, "must not be parallel"),
        ({"mode": "faithful", "lift": {"coefficients": [0.1]}}, "faithful takes one control and no tables"),
        ({"controls": [{"joint": "flop"}]}, "the model has no joint 'flop'; its joint names: flap"),
        ({"site": "wing"}, "the model has no site 'wing'"),
    ],
)
def test_bad_parts_are_refused(flying, part, complaint):
    with pytest.raises(InputError, match=complaint):
        flying(**part)


BLADES = """<body name="base"><joint name="rail" type="slide" axis="1 0 0"/><geom size="0.1" mass="1"/>
<body name="blade1" pos="3 0 1.5" euler="{roll} 0 0"><inertial pos="0 5.5 0" mass="1" diaginertia="1 1 1"/>
<site name="blade1"/></body>
<body name="blade2" pos="3 0 1.5" euler="-{roll} 0 0"><inertial pos="0 -5.5 0" mass="1" diaginertia="1 1 1"/>
<site name="blade2"/></body></body>"""


@pytest.mark.parametrize("mode", ["faithful", "corrected"])
def test_gz_sims_own_regression(vehicle, make_world, mode):
    """Two blades rolled by ±0.1 rad on a rail, pulled to -0.2 m/s: lift cla a0 q A, of which cos(0.1) is up.

    gz-sim's integration test asks for 1e-4 N; both modes lie far from any defect here.
    """
    numbers = {"a0": 0.1, "cla": 4.0, "cda": 20.0, "cma": 0.0, "alpha_stall": 10.0, "cla_stall": -0.2, "area": 10.0}
    parts = {
        f"blade{k}": {
            "kind": "liftdrag", "site": f"blade{k}", "mode": mode, "surface": {**numbers, "mcoeff": 20.0},
            "cp": [0, side * 5.0, 0], "forward": [-1, 0, 0], "air_density": 1.2041,
        }
        for k, side in ((1, 1), (2, -1))
    }  # fmt: skip
    folder = vehicle(BLADES.format(roll=math.degrees(0.1)), name="blades", parts=parts)
    world = make_world(folder, physics_hz=1000)
    body = world.model.body("blades/base").id
    for _ in range(1000):
        speed = float(world.data.qvel[0])
        world.arrays.external_wrench[body, 0] = 100.0 * (-0.2 - speed)
        world.step()
    world.accelerate()
    speed = float(world.data.qvel[0])
    up = world.arrays.xfrc_applied[world.model.body("blades/blade1").id, 2]
    assert speed < -0.15
    assert up == pytest.approx(4.0 * 0.1 * 0.5 * 1.2041 * speed**2 * 10.0 * math.cos(0.1), abs=1e-4) and up > 0.0
