"""Siblings of the examples in `docs/add_a_part.md`: parts of a user's own that do what these do not."""

import pytest

from cupola import InputError

MASS, G = 2.0, 9.81
BODY = f"""<body name="base"><freejoint/><inertial pos="0 0 0" mass="{MASS}" diaginertia="1 1 1"/>
<geom size="0.1" mass="0"/><site name="here"/>
<body name="pan"><inertial pos="0 0 0" mass="0.5" diaginertia="1 1 1"/><site name="wrist"/></body></body>"""
SENSORS = '''
from typing import ClassVar, NamedTuple

from cupola import Load, Sensor, Vector, Wrench
from cupola.kernel.motion import TrueInertial


class Felt(NamedTuple):
    accel: Vector
    """[m/s²] axes of the site."""


class Accelerometer(Sensor):
    Sample = Felt
    plain = False

    @staticmethod
    def measure(inertial: TrueInertial) -> Felt:
        return Felt(inertial.accel_s)


class Shaken(NamedTuple):
    size: float
    """[m/s²]"""


class Shake(Sensor):
    """Asks for the accelerations by a function of its own."""

    Sample = Shaken
    derived: ClassVar[dict[str, str]] = {"size": "length"}
    plain = False

    @staticmethod
    def length(inertial: TrueInertial):
        return inertial.accel_s.z

    @staticmethod
    def measure(size) -> Shaken:
        return Shaken(size)


class Weight(NamedTuple):
    force: Vector
    """[N]"""


class Scale(Sensor):
    Sample = Weight
    plain = False

    @staticmethod
    def measure(wrench: Wrench) -> Weight:
        return Weight(wrench.force)


class Early(Load):
    @staticmethod
    def load(inertial: TrueInertial) -> Wrench:
        return Wrench(inertial.accel_s, Vector(0.0, 0.0, 0.0))
'''
HERE = {"site": "here", "rate_hz": 50}


@pytest.mark.parametrize("plain", ["False", "True"], ids=["compiled", "plain"])
@pytest.mark.parametrize("alone", [False, True], ids=["beside an imu", "alone"])
def test_a_sensor_gets_what_it_asks_for(vehicle, make_world, plain, alone):
    """It asks by the names of its parameters; no sensor of ours need be there, and nothing else be declared."""
    parts = {"accel": {"kind": "own.py:Accelerometer", **HERE}, "shake": {"kind": "own.py:Shake", **HERE}}
    parts |= {"scale": {"kind": "own.py:Scale", "site": "wrist", "rate_hz": 50}}
    parts |= {} if alone else {"imu": {"kind": "imu", **HERE}}
    code = SENSORS.replace("plain = False", f"plain = {plain}")
    world = make_world(vehicle(BODY, parts=parts, files={"own.py": code}), physics_hz=1000)
    world.push("toy/base", (0.0, 0.0, (MASS + 0.5) * (G + 3.0)))
    world.step(101)
    assert world.samples["toy", "accel"].latest().accel == pytest.approx((0.0, 0.0, G + 3.0), abs=1e-9)
    assert world.samples["toy", "shake"].latest().size == pytest.approx(G + 3.0, abs=1e-9)
    assert abs(world.samples["toy", "scale"].latest().force.z) == pytest.approx(0.5 * (G + 3.0), abs=1e-9)


@pytest.mark.parametrize("asked", ["inertial", "wrench", "noise", "index"])
def test_what_only_sensors_are_given_is_refused_elsewhere(vehicle, make_world, asked):
    """Accelerations are known after the step: a load would read those of long ago."""
    code = SENSORS.replace("def load(inertial: TrueInertial)", f"def load({asked}: TrueInertial)")
    folder = vehicle(BODY, parts={"early": {"kind": "own.py:Early", "site": "here"}}, files={"own.py": code})
    with pytest.raises(InputError, match=rf"^Early: load is not given '{asked}': only measure is$"):
        make_world(folder)
