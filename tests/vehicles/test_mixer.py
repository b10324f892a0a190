"""Allocation from geometry: what the controller asks for is what the vehicle does."""

import shutil
from pathlib import Path

import numpy as np
import pytest

import cupola
from cupola.physics.rotation import euler_from_quaternion

TRICOPTER = Path(__file__).parents[2] / "examples" / "tricopter"

ASKS = """
from cupola import Controller


class Asks(Controller):
    def step(self, obs, ref):
        return {asked}
"""


@pytest.fixture
def tricopter(tmp_path):
    shutil.copytree(TRICOPTER, tmp_path / "tricopter")
    return tmp_path / "tricopter"


@pytest.mark.parametrize("asked", [(9.81, 0, 0, 0), (11.0, 2.0, 0, 0), (9.81, 0, -3.0, 0), (9.81, 0, 0, 0.5)])
def test_the_vehicle_accelerates_as_asked(tricopter, asked):
    # Wait until the tail's servo (30 ms) has settled, then read the accelerations of the last step from MuJoCo. The
    # vehicle turns meanwhile, so gyroscopic terms of order rate² remain.
    # The mixer allocates for a vehicle at rest; here it moves already, so the drag of its rotors is left out.
    (tricopter / "asks.py").write_text(ASKS.format(asked=asked))
    still = (tricopter / "vehicle.yaml").read_text().replace("kind: rotor,", "kind: rotor, side_force: 0,")
    (tricopter / "vehicle.yaml").write_text(still)
    world = cupola.load(str(tricopter / "vehicle.yaml"), controllers={"tricopter": f"{tricopter}/asks.py:Asks"})
    world.data.qpos[2] = 10.0
    world.step(600)
    specific = world.data.qacc[:3] + np.array([0, 0, 9.81])
    up_b = world.data.xmat[world.instances[0].root].reshape(3, 3)[:, 2]
    assert specific @ up_b == pytest.approx(asked[0], rel=0.01)
    assert world.data.qacc[3:6] == pytest.approx(asked[1:], abs=0.15)


def test_the_tricopter_flies_its_plan_and_lands():
    world = cupola.load(str(TRICOPTER / "vehicle.yaml"))
    last = world.instances[0].resolved.controller.plan[-1]
    world.run(30.0)
    end = world.motion()
    off = np.array(end.pos_w) - last.position
    assert np.hypot(off[0], off[1]) < 0.1 and end.pos_w.z < 0.05
    assert np.degrees(euler_from_quaternion(end.quat_wb).yaw) == pytest.approx(last.yaw_deg, abs=3)
    assert list(world.command()[:4]) == [0, 0, 0, 0]


def test_three_fixed_rotors_are_refused(tricopter):
    file = tricopter / "vehicle.yaml"
    text = file.read_text()
    assert "tilts: {tail: tail_servo}" in text
    file.write_text(text.replace("tilts: {tail: tail_servo}", "tilts: {}"))
    with pytest.raises(cupola.InputError, match="cannot command thrust, roll, pitch and yaw independently"):
        cupola.load(str(file))
