"""What a part tells controllers and estimators about itself, in the axes of the root body at the model's zero posture.

Places are counted from the vehicle's centre of mass.
"""

import math
from typing import Any, NamedTuple

import mujoco
import numpy as np

from cupola.physics.mecanum import Mecanum, slope_of
from cupola.physics.rotation import Vector


class RotorPlace(NamedTuple):
    """A motor with its propeller."""

    channel: int
    place: Vector
    """[m]."""
    axis: Vector
    """Where its thrust points."""
    direction: int
    """+1: right-handed about that axis."""
    full_thrust: float
    """[N] at rest at sea level; not a number where its model has none without a run."""
    torque_ratio: float
    """[m] torque about the axis on the vehicle, per thrust."""
    radius: float
    """[m] of the disc; 0: unknown."""
    side_drag: float
    """[N s/m per root of N] force against motion across the shaft, per velocity and root of the thrust, sea level."""


class BladedDisc(NamedTuple):
    """A rotor with collective pitch: closed forms of its thrust for small angles, per density and shaft speed Ω."""

    channel: int
    """Of the collective."""
    place: Vector
    """[m]."""
    axis: Vector
    """Where its thrust points."""
    direction: int
    """+1: right-handed about that axis."""
    speed: float
    """[rad/s] Ω at which it is held."""
    area: float
    """[m²] of the disc that moves air."""
    lift: float
    """[m⁴] thrust by Ω² and pitch."""
    slope: float
    """[m³] thrust lost by Ω and induced speed."""
    profile: float
    """[m⁵] torque of the blades' friction by Ω²."""
    collective_gain: float
    """[rad] pitch of the blades per command."""
    collective_rest: float
    """[rad] pitch of the blades at command 0."""
    tilt: tuple[Vector, Vector]
    """[rad] tilt of the disc per command of the cyclic about y and about z of its site; zero without one."""
    tilt_channels: tuple[int, int]
    """-1: none."""
    lag: float
    """[s] by which the disc follows a body that turns, at sea level; 0 where blades do not flap."""


class WheelSet(NamedTuple):
    """Four Mecanum wheels on the corners of a rectangle about the root body."""

    channel: int
    radius: float
    track: float
    wheelbase: float
    """[m]."""
    roller_angle: float
    """[rad] of a roller's axis to that of its wheel."""
    torque_max: float
    """[N m] of a motor."""

    def kinematics(self) -> Mecanum:
        """Kinematics between wheel speeds and motion of the body."""
        return Mecanum(self.radius, self.track, self.wheelbase, slope_of(self.roller_angle))


class JointDrive(NamedTuple):
    """A motor on a joint."""

    channel: int
    joint: str
    acts_back: bool
    """Whether the command is the torque on the motor's carrier: a reaction wheel."""
    rotor_inertia: float
    """[kg m²] of the rotor, reflected to the joint."""
    dry: float
    """[N m] dry friction at the joint."""
    efficiency: float = 1.0
    """Of its gear."""
    torque_max: float = math.inf
    """[N m] at the joint."""
    speed_max: float = math.inf
    """[rad/s] of the joint beyond which it drives no further."""


class NozzlePair(NamedTuple):
    """Two nozzles back to back."""

    channel: int
    place: Vector
    """[m]."""
    axis: Vector
    """Where a positive command pushes."""
    thrust: float
    """[N]."""
    pulse_min: float
    """[s]."""


class GripperPlace(NamedTuple):
    """A gripper."""

    channel: int
    site: str
    catches: str
    """Name of the sites of other vehicles that it can hold."""
    reach: float
    """[m] from which it can."""
    tilt: float
    """[rad] up to which it can."""


class ScannerPlace(NamedTuple):
    """A laser scanner whose rays lie in the plane of the base."""

    x: float
    y: float
    """[m] from the origin of the root."""
    yaw: float
    """[rad] of the axis from which its rays count."""
    first: float
    last: float
    """[rad] of the first and the last ray."""
    rays: int
    range_min: float
    range_max: float
    """[m]."""


class RootFrame:
    """Positions and axes of a vehicle in the axes of its root body, at the zero posture of the compiled model."""

    def __init__(self, model: Any, root: int) -> None:
        self.model: Any = model
        self.data: Any = mujoco.MjData(model)
        # Places only: vehicles that are not yet where they start lie in each other, and many would touch at once.
        mujoco.mj_kinematics(model, self.data)
        mujoco.mj_comPos(model, self.data)
        self.turn: Any = self.data.xmat[root].reshape(3, 3)
        self.origin: Any = self.data.xpos[root]
        self.center_w: Any = self.data.subtree_com[root]

    def point(self, point_w: Any) -> Vector:
        """A point of the world [m], from the origin of the root."""
        return Vector(*(self.turn.T @ (point_w - self.origin)).tolist())

    def direction(self, vector_w: Any) -> Vector:
        """A direction of the world."""
        return Vector(*(self.turn.T @ vector_w).tolist())

    def matrix(self, turn: Any, diagonal: Any) -> tuple[Vector, Vector, Vector]:
        """A tensor given by its principal values and the axes of them in the world."""
        axes = self.turn.T @ turn.reshape(3, 3)
        one, two, three = (Vector(*row) for row in (axes @ np.diag(diagonal) @ axes.T).tolist())
        return one, two, three

    def place(self, site: int) -> Vector:
        """Of a site [m], from the centre of mass."""
        return Vector(*(self.turn.T @ (self.data.site_xpos[site] - self.center_w)).tolist())

    def axis(self, site: int) -> Vector:
        """The x axis of a site."""
        return self.direction(self.data.site_xmat[site].reshape(3, 3)[:, 0])


class Swing(NamedTuple):
    """What a part moves to and fro by one of its channels, at full throttle in the midst of its way down."""

    rate: float
    """[rad/s]"""
    angle: float
    """[rad]"""


class Spring(NamedTuple):
    """A spring and damper that a part computes itself, once per tick."""

    name: str
    """The number that says how stiff it is."""
    site: int
    """Site of the model that it pulls."""
    stiffness: float
    """[N/m]."""
    damping: float
    """[N s/m]."""


Described = RotorPlace | BladedDisc | WheelSet | JointDrive | NozzlePair | GripperPlace | ScannerPlace
