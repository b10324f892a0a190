"""Records that the signals of several controllers are made of. Errors are what is, less what is wanted."""

import math
from typing import NamedTuple

from cupola.physics.rotation import Vector
from cupola.xmath import Number

NOTHING = math.nan
"""Stands for what is not wanted at the moment."""
NOWHERE = Vector(NOTHING, NOTHING, NOTHING)


class PlanarPose(NamedTuple):
    """Place and heading on a plane."""

    x: Number
    """[m]."""
    y: Number
    """[m]."""
    yaw: Number
    """[rad]."""


class PlanarTwist(NamedTuple):
    """Velocity on a plane in the body's own axes, x forward and y left."""

    x: Number
    """[m/s]."""
    y: Number
    """[m/s]."""
    yaw: Number
    """[rad/s]."""
