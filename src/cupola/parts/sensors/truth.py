"""The exact motion of a site, at a rate of its own: what a perfect sensor would say."""

from typing import Literal, NamedTuple

from cupola.kernel.motion import PointMotion
from cupola.parts.sensors.sensor import Message, Sensor
from cupola.physics.rotation import Quaternion, Vector

POSE = (
    *(f"pose.pose.position.{axis}" for axis in "xyz"),
    *(f"pose.pose.orientation.{axis}" for axis in "wxyz"),
    *(f"twist.twist.linear.{axis}" for axis in "xyz"),
    *(f"twist.twist.angular.{axis}" for axis in "xyz"),
)
"""Fields of an odometry message in the order of a motion, which has the velocity in world axes between."""
POSE_AT = (*range(7), *range(10, 16))
"""Where they lie among the numbers of a motion."""


class TruthReading(NamedTuple):
    """Exact motion of a site, in the world and in its own axes."""

    pos_w: Vector
    """[m]"""
    quat_ws: Quaternion
    vel_w: Vector
    """[m/s]"""
    vel_s: Vector
    """[m/s]"""
    rate_s: Vector
    """[rad/s]"""


class Truth(Sensor):
    """Position, attitude, velocity and rate without error."""

    kind: Literal["truth"]

    Sample = TruthReading

    def messages(self, frame: str) -> tuple[Message, ...]:
        """An odometry, whose velocity is in axes of the site, and the velocity in world axes."""
        fields = dict(zip(POSE, POSE_AT, strict=True))
        velocity = {f"twist.linear.{axis}": self.sample_names().index(f"vel_w.{axis}") for axis in "xyz"}
        return (
            Message("nav_msgs/msg/Odometry", fields, {"header.frame_id": "world", "child_frame_id": frame}),
            Message("geometry_msgs/msg/TwistStamped", velocity, {"header.frame_id": "world"}, "velocity"),
        )

    @staticmethod
    def measure(exact: PointMotion) -> TruthReading:
        """Everything as it is."""
        return TruthReading(exact.pos_w, exact.quat_wb, exact.vel_w, exact.vel_b, exact.rate_b)
