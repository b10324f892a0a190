"""The mixing of the thesis's quadcopter."""

import numpy as np
import pytest

from cupola.control.mixing import mix_quad

MATRIX = np.array([[1, 1, 1, 1], [-1, -1, 1, 1], [1, -1, -1, 1], [-1, 1, -1, 1]]) / 4
"""Throttle, roll, pitch, yaw from the four motors: Last_letter_2 §5.4."""


@pytest.mark.parametrize("wish", [(0.5, 0, 0, 0), (0.5, 0.1, 0, 0), (0.5, 0, 0.1, 0), (0.5, 0.05, -0.1, 0.2)])
def test_mixing_inverts_the_matrix_of_the_thesis(wish):
    assert MATRIX @ np.array(mix_quad(*wish)) == pytest.approx(wish, abs=1e-15)


def test_motor_signals_stay_between_0_and_1():
    assert set(mix_quad(0.5, 5.0, 0.0, 0.0)) == {0.0, 1.0}
    assert set(mix_quad(-3.0, 0.0, 0.0, 0.0)) == {0.0}
