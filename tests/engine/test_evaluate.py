"""Asking a world: forces and accelerations at a state, air at a place, contacts by name; nothing is moved by asking."""

import math

import mujoco
import numpy as np
import pytest

from cupola.kernel import rows
from cupola.schema.yaml_files import InputError

BOX = (
    '<body name="base"><freejoint/><geom name="box" type="box" size="0.1 0.1 0.1" mass="2"/><site name="hook"/></body>'
)
SPRING = """from cupola import Load, Vector, Wrench

class Spring(Load):
    stiffness: float = 1.0

    def step(self, motion, density, drive):
        return Wrench(Vector(self.stiffness, 0.0, 0.0), Vector(0.0, 0.0, 0.0))
"""


@pytest.fixture(scope="module")
def quad(make_world):
    world = make_world({"model": "quadcopter", "position": [0, 0, 5]})
    world.run(0.3)
    return world


def test_asking_moves_nothing(quad, digest):
    before, data = digest(quad), [quad.data.qacc.copy(), quad.data.xfrc_applied.copy()]
    quad.evaluate(start={"position": (1, 2, 3), "velocity_b": (4, 5, 6)}, commands=[0.9] * 4, wind=(1, 2, 3))
    quad.contacts()
    quad.air()
    assert digest(quad) == before
    np.testing.assert_array_equal(quad.data.qacc, data[0])
    np.testing.assert_array_equal(quad.data.xfrc_applied, data[1])
    assert float(quad.arrays.air["wind_speed"][0]) == 0.0


def test_newton_and_euler(quad):
    """Loads of parts and weight make the accelerations: m a = F, I w' = M at rest."""
    found = quad.evaluate(start={"attitude_deg": (20, 0, 0)}, commands=[0.5] * 4)
    mass = float(quad.model.body_subtreemass[quad.instances[0].root])
    np.testing.assert_allclose(found.specific_force_b, np.array(found.force_b) / mass, atol=1e-12)
    tilt = math.radians(20.0)
    up = found.force_b.z / mass
    np.testing.assert_allclose(found.accel_w, [0.0, -up * math.sin(tilt), up * math.cos(tilt) - 9.81], atol=1e-9)
    sums = np.sum([[*load.force, *load.torque] for load in found.loads.values()], axis=0)
    np.testing.assert_allclose(sums, [*found.force_b, *found.moment_b], atol=1e-12)
    assert set(found.loads) == {"motor1", "motor2", "motor3", "motor4"}
    assert found.outputs["motor1"].thrust == pytest.approx(found.loads["motor1"].force.z)
    # The shafts of a pair turn alike: more of it yaws, and nothing else.
    turned = quad.evaluate(start={}, commands={0: 0.6, 1: 0.5, 2: 0.6, 3: 0.5})
    np.testing.assert_allclose([turned.moment_b.x, turned.moment_b.y], 0.0, atol=1e-12)
    inertia = np.zeros((quad.model.nv, quad.model.nv))
    mujoco.mj_fullM(quad.model, quad.data, inertia)
    assert turned.angular_accel_b.z == pytest.approx(turned.moment_b.z / inertia[5, 5], rel=1e-9)


def test_wind_is_the_same_as_moving_against_it(quad):
    still = quad.evaluate(start={"velocity_b": (0, 0, -3)}, commands=[0.5] * 4)
    blown = quad.evaluate(start={"position": (0, 0, 0)}, commands=[0.5] * 4, wind=(0, 0, 3))
    assert blown.force_b.z == pytest.approx(still.force_b.z, rel=1e-12)
    assert blown.air.wind_w == (0.0, 0.0, 3.0)


def test_each_of_two_parts_in_plain_python_is_asked_for_itself(vehicle, make_world):
    parts = {f"spring{k}": {"kind": "mine.py:Spring", "site": "hook", "stiffness": float(k)} for k in (1, 2)}
    world = make_world(vehicle(BOX, files={"mine.py": SPRING}, parts=parts), gravity=0)
    loads = world.evaluate().loads
    assert {name: load.force.x for name, load in loads.items()} == {"spring1": 1.0, "spring2": 2.0}


def test_what_cannot_be_asked_says_why(quad, make_world):
    with pytest.raises(InputError, match="channels 0 to 19"):
        quad.evaluate(commands={20: 1.0})
    with pytest.raises(InputError, match=r"start: speed: .*; its keys: position"):
        quad.evaluate(start={"speed": 3})
    with pytest.raises(InputError, match="three finite numbers"):
        quad.evaluate(wind=(1, 2))
    with pytest.raises(InputError, match="settle"):
        quad.evaluate(commands=[0.5], settled=False)
    with pytest.raises(InputError, match="no free joint"):
        make_world("cepheus_sim").evaluate(start={"position": (1, 0, 0)})


def test_air_at_a_vehicle_a_part_and_a_point(make_world):
    air = {"wind": {"speed": 5, "from_deg": 270, "height": 10, "exponent": 0.2}}
    world = make_world({"model": "quadcopter", "position": [0, 0, 20]}, air=air)
    assert world.air().wind_w.x == pytest.approx(5.0 * 2.0**0.2)
    assert world.air("motor1").height == pytest.approx(20.01)
    high = world.air((0.0, 0.0, 1000.0))
    assert high.height == 1000.0 and high.wind_w.x == pytest.approx(5.0 * 100.0**0.2)
    assert high.density == pytest.approx(1.1117, abs=1e-3)  # standard atmosphere at 1000 m
    with pytest.raises(InputError, match="has no site"):
        world.air("mixer")
    with pytest.raises(InputError, match="no part 'nose'"):
        world.air("nose")


def test_a_box_stands_on_the_floor_with_its_weight(vehicle, make_world):
    world = make_world({"model": vehicle(BOX), "position": [0, 0, 0.1]}, floor={})
    world.run(1.0)
    contacts = world.contacts()
    assert {(one.first, one.second) for one in contacts} == {("floor", "toy/box")}
    assert sum(one.force_w.z for one in contacts) == pytest.approx(2.0 * 9.81, rel=1e-4)
    assert sum(one.force_w.z for one in world.evaluate().contacts) == pytest.approx(2.0 * 9.81, rel=1e-4)
    assert all(one.normal_w.z == pytest.approx(1.0) and one.depth > 0.0 for one in contacts)


def test_a_torque_turns_a_body_and_no_more(vehicle, make_world):
    world = make_world(vehicle(BOX), gravity=0)
    world.push("toy/base", (0, 0, 0), torque_w=(0, 0, 0.02))
    world.run(0.5)
    inertia = 2.0 * (0.2**2 + 0.2**2) / 12.0
    assert world.motion().rate_b.z == pytest.approx(0.5 * 0.02 / inertia, rel=1e-9)
    assert max(map(abs, world.motion().vel_w)) < 1e-12
    kept = world.snapshot()
    world.push("toy/base", (0, 0, 0))
    world.restore(kept)
    world.run(0.5)
    assert world.motion().rate_b.z == pytest.approx(0.02 / inertia, rel=1e-9)
    with pytest.raises(InputError, match=r"push: torque_w\[1\]: expected a finite number"):
        world.push("toy/base", (0, 0, 0), torque_w=(0, float("nan"), 0))


def test_plain_python_reads_the_columns_that_compiled_code_reads():
    """A column named as a method of NumPy's rows is that method in plain Python; pointers are read compiled only."""
    taken = {
        name
        for row in vars(rows).values()
        if isinstance(row, np.dtype)
        for name in row.names
        if hasattr(np.record, name)
    }
    assert taken <= {"data"}
