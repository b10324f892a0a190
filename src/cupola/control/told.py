"""Records shared by the signals of several controllers. An error is the actual value minus the set-point."""

import math
from typing import NamedTuple

from cupola.physics.rotation import Vector
from cupola.xmath import Number

NOTHING = math.nan
"""Value of a set-point that does not exist at the moment."""
NOWHERE = Vector(NOTHING, NOTHING, NOTHING)


class PlanarPose(NamedTuple):
    """Position and heading in a plane."""

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
