"""DeLaurier's strip: its closed limits, and the stall."""

import math

import numpy as np
import pytest

from cupola.physics.delaurier import Deficiency, FlappingMotion, FlappingStrip, flapping_load, scherer
from cupola.reproduce.morphing.theory import plunging

STILL = FlappingMotion(0.0, 0.0, 0.02, 0.0, 0.0)


def test_no_motion_is_a_finite_wing():
    p = FlappingStrip(0.2, 1.0, 8.0, mean_pitch=0.002, stall_low=-1.0, stall_high=1.0)
    load = flapping_load(STILL._replace(pitch=0.002), 10.0, 5.0, Deficiency(1.0, 0.0), 1.2, p)
    assert load.lift == pytest.approx(0.5 * 1.2 * 100.0 * 0.2 * 2.0 * math.pi * 0.8 * 0.002, rel=1e-4)
    # What is left of the suction and the tilted normal force is the induced drag.
    lift = load.lift / (0.5 * 1.2 * 100.0 * 0.2)
    assert load.thrust / (0.5 * 1.2 * 100.0 * 0.2) == pytest.approx(-(lift**2) / (math.pi * 8.0), rel=1e-3)
    assert load.power == 0.0


@pytest.mark.parametrize("k", [0.05, 0.3, 1.0])
def test_plunging_in_plane_flow_is_garricks(k):
    thrust, power = plunging(k)
    assert (thrust, power) == (pytest.approx(1.0, abs=1e-5), pytest.approx(1.0, abs=1e-5))


def test_a_slow_beat_has_no_deficiency():
    assert scherer(0.0, 8.0) == (1.0, 0.0)
    assert scherer(1e6, 1e6).f == pytest.approx(0.5, abs=1e-5)


def test_beyond_its_limits_the_strip_is_a_plate_square_to_its_flow():
    p = FlappingStrip(0.2, 1.0, 8.0, stall_high=0.2)
    load = flapping_load(FlappingMotion(8.0, 0.0, 0.0, 0.0, 0.0), 10.0, 5.0, Deficiency(0.7, -0.1), 1.2, p)
    assert load.attached == 0.0 and load.thrust == 0.0
    assert load.lift == pytest.approx(1.98 * 0.5 * 1.2 * math.hypot(10.0, 8.0) * 8.0 * 0.2)


def test_friction_takes_thrust():
    motion = FlappingMotion(np.array([1.0, -1.0]), 0.0, 0.0, 0.0, 0.0)
    smooth = flapping_load(motion, 10.0, 5.0, Deficiency(0.7, -0.1), 1.2, FlappingStrip(0.2, 1.0, 8.0))
    rough = flapping_load(motion, 10.0, 5.0, Deficiency(0.7, -0.1), 1.2, FlappingStrip(0.2, 1.0, 8.0, c_friction=0.02))
    np.testing.assert_allclose(smooth.thrust - rough.thrust, 0.5 * 1.2 * 0.02 * 100.0 * 0.2)
