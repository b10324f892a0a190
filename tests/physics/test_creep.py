"""Creep of Mecanum rollers against the balance of forces that it follows from."""

import math

import numpy as np
import pytest

from cupola.physics.creep import creep
from cupola.physics.mecanum import VELMA, contacts, wheel_speeds
from cupola.physics.planar import Twist

PLACES = np.array([(0.36, -0.38), (0.36, 0.38), (-0.36, 0.38), (-0.36, -0.38)])
HANDS = np.array([1.0, -1.0, 1.0, -1.0])


def columns(directions):
    """Forces and moment about the middle of a unit force at each wheel."""
    moments = PLACES[:, 0] * directions[:, 1] - PLACES[:, 1] * directions[:, 0]
    return np.column_stack([directions, moments]).T


@pytest.mark.parametrize("twist", [Twist(0.1, 0.2, 0.3), Twist(-0.4, 0.1, 0.05), Twist(0.0, -0.3, -0.7)])
def test_pushes_balance_resistances_with_the_least_effort(twist):
    speeds = wheel_speeds(twist, VELMA)
    across = np.array([c.across for c in contacts(twist, speeds, VELMA)])
    resistance = -across / (np.abs(across) + 1e-3)
    axes = np.column_stack([np.ones(4), HANDS]) / math.sqrt(2)
    normals = np.column_stack([-HANDS, np.ones(4)]) / math.sqrt(2)
    pushes = -np.linalg.pinv(columns(axes)) @ (columns(normals) @ resistance)
    assert creep(twist, speeds, VELMA, 0.02) == pytest.approx(-0.02 * np.abs(across) * pushes, rel=1e-9)


def test_sideways_it_loses_twice_the_share_and_forward_nothing():
    aside, ahead = Twist(0.0, 0.2, 0.0), Twist(0.2, 0.0, 0.0)
    slip = creep(aside, wheel_speeds(aside, VELMA), VELMA, 0.02)
    # Slip s along (1, ±1) / √2 is a loss of √2 s of the sideways speed.
    assert np.array(slip) * HANDS * math.sqrt(2) == pytest.approx(-2 * 0.02 * 0.2, rel=0.01)
    assert creep(ahead, wheel_speeds(ahead, VELMA), VELMA, 0.02) == pytest.approx((0.0,) * 4, abs=1e-12)


def test_a_base_that_stands_does_not_creep():
    assert creep(Twist(0.0, 0.0, 0.0), wheel_speeds(Twist(0.0, 0.0, 0.0), VELMA), VELMA, 0.02) == (0.0,) * 4
