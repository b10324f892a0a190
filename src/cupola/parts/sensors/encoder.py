"""Encoders on hinges: angle and speed of each, ideal unless told otherwise.

Those of the wheels of a base may also say where it is by what they measure: `odometry_of`. They do not feel slip.
"""

import math
from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from cupola.kernel.links import gear_play_at
from cupola.kernel.records import reader, size, writer
from cupola.parts.binding import BindContext, row_type
from cupola.parts.sensors.sensor import Message, NoiseKey, Sensor, draw
from cupola.physics.drive import GearPlay
from cupola.physics.mecanum import Mecanum, Wheels, body_twist
from cupola.physics.noise import gaussian_pair
from cupola.physics.planar import Pose, Twist, advance
from cupola.xmath import Number, cos, floor, sin

CORNERS = ("fr", "fl", "rl", "rr")
"""How names of a base's four wheels end."""
POSE: int = size(Pose)
WAY = (
    *("pose.pose.position.x", "pose.pose.position.y", "pose.pose.orientation.z", "pose.pose.orientation.w"),
    *("twist.twist.linear.x", "twist.twist.linear.y", "twist.twist.angular.z"),
)
"""Of the base: the fields of its message, in the order of a sample."""
RUNOUT_LANE = 1000
"""Of its random numbers."""
NONE = -1
"""In place of a hinge that turns with another one, or of a gear with play."""


class Way(NamedTuple):
    """What a sample says of the base, in the order of `WAY`."""

    x: float
    y: float
    sine: float
    """Of half the heading, as in a quaternion."""
    cosine: float
    moving: Twist


wheels_at: Any = reader(Wheels)
way_at: Any = reader(Way)
pose_at: Any = reader(Pose)
write_pose: Any = writer(Pose)
write_way: Any = writer(Way)


class EncoderNumbers(NamedTuple):
    """Errors of all hinges."""

    resolution: float
    """[rad] between two marks; 0: none."""
    angle_noise: float
    speed_noise: float
    incremental: float
    """1: counts from where it was switched on."""
    runout: float
    radius: float
    """[m] of the wheels of the base whose way it adds up; 0: none."""
    track: float
    wheelbase: float
    slope: float


class Hinge(NamedTuple):
    """One hinge among the constants."""

    coordinate: float
    """Place of its angle."""
    dof: float
    """Place of its speed."""
    with_coordinate: float
    """The same of the hinge that turns its encoder too; -1: none."""
    with_dof: float
    sign: float
    """-1: counts backward."""
    play: float
    """Where the play of the gear of its motor is given; -1: none."""


class EncoderReading(NamedTuple):
    """One sample, in the order of the joints."""

    angles: tuple[float, ...]
    """[rad]."""
    speeds: tuple[float, ...]
    """[rad/s]."""


class OdometryReading(NamedTuple):
    """One sample of encoders that add up the way of a base."""

    angles: tuple[float, ...]
    """[rad]."""
    speeds: tuple[float, ...]
    """[rad/s]."""
    pose: Pose
    """Of the base, from where it was at the first sample."""
    twist: Twist


class Encoder(Sensor):
    """Angle and speed of some hinges. With `marks`, angles are steps, and speeds are differences of them."""

    kind: Literal["encoder"]
    site: str = "base"
    joints: list[str] = Field(min_length=1, description="hinges of the model")
    marks: int = Field(0, ge=0, description="per turn of the hinge; 0: ideal")
    incremental: bool = Field(False, description="angles count from where the hinges were at the start")
    reversed: list[str] = Field([], description="hinges whose encoders count backward")
    coupled: dict[str, str] = Field(
        {}, description="hinge whose encoder turns with another hinge too: it says the sum of both"
    )
    angle_noise: float = Field(0.0, ge=0, description="[rad] standard deviation of a sample")
    speed_noise: float = Field(0.0, ge=0, description="[rad/s] standard deviation of a sample")
    runout: float = Field(
        0.0, ge=0, le=1, description="[rad] largest error of discs off their centres: once a turn, the same every turn"
    )
    odometry_of: str | None = Field(
        None, description="Mecanum wheels, by the name of their part, whose base's way it adds up from its samples"
    )

    Numbers = (EncoderNumbers,)
    Index: ClassVar[dict[str, str]] = {"first": "i8", "count": "i8"}
    Element = row_type(Hinge)
    noise_fields = ("angle_noise", "speed_noise", "runout")

    def width(self) -> int:
        """Angles, speeds, perhaps the way of the base."""
        return 2 * len(self.joints) + (len(WAY) if self.odometry_of else 0)

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Errors, and where its hinges lie."""
        for name in (*self.reversed, *self.coupled):
            if name not in self.joints:
                raise ValueError(f"{name!r} is none of its joints: {', '.join(self.joints)}")
        row = {**super().numbers(places), "first": len(places.constants), "count": len(self.joints)}
        for name in self.joints:
            places.constants += map(float, self._hinge(places, name))
        row |= dict(zip(Mecanum._fields, self._base(places), strict=True))
        return row | {"resolution": 2.0 * math.pi / self.marks if self.marks else 0.0}

    def _base(self, places: BindContext) -> Mecanum:
        """Sizes of the base whose wheels it measures; of radius 0 without one."""
        if self.odometry_of is None:
            return Mecanum(0.0, 0.0, 0.0, 1.0)
        part = places.parts.get(self.odometry_of)
        if part is None or part.kind != "mecanum":
            there = ", ".join(name for name, one in places.parts.items() if one.kind == "mecanum") or "none"
            raise ValueError(f"odometry_of: there are no Mecanum wheels {self.odometry_of!r}; there are: {there}")
        if tuple(self.joints) != tuple(part.wheel_bodies()):
            raise ValueError(f"odometry_of: joints must be those of {self.odometry_of}: {list(part.wheel_bodies())}")
        sizes: Mecanum = getattr(part, "kinematics")(places)  # noqa: B009 - parts of that kind have it
        return sizes

    def _hinge(self, places: BindContext, name: str) -> Hinge:
        own = _places_of(places, name)
        with_it = _places_of(places, self.coupled[name]) if name in self.coupled else (NONE, NONE)
        sign = -1.0 if name in self.reversed else 1.0
        return Hinge(*own, *with_it, sign, _play_at(places, name) if self.marks else NONE)

    def initial_memory(self) -> list[float]:
        """The last angles, those at the start, whether these are known; of a base its pose and its last step."""
        return [0.0] * (2 * len(self.joints) + 1 + (POSE + len(CORNERS) if self.odometry_of else 0))

    def reading(self, s: list[float]) -> EncoderReading | OdometryReading:
        """Angles and speeds, perhaps the way of the base."""
        n = len(self.joints)
        angles, speeds = tuple(s[:n]), tuple(s[n : 2 * n])
        if not self.odometry_of:
            return EncoderReading(angles, speeds)
        way = way_at(s, 2 * n)
        pose = Pose(way.x, way.y, 2.0 * math.atan2(way.sine, way.cosine))
        return OdometryReading(angles, speeds, pose, way.moving)

    def messages(self, frame: str) -> tuple[Message, ...]:
        """A JointState; of the four wheels of a base also the thesis's message, wheel by wheel."""
        n = len(self.joints)
        fields = {f"position.{k}": k for k in range(n)} | {f"velocity.{k}": n + k for k in range(n)}
        joints = Message("sensor_msgs/msg/JointState", fields, {"header.frame_id": frame, "name": self.joints})
        corners = [name.rpartition("_")[2] for name in self.joints]
        if sorted(corners) != sorted(CORNERS):
            return (joints,)
        wheels = {f"angle.{wheel}": k for k, wheel in enumerate(corners)}
        wheels |= {f"velocity.{wheel}": n + k for k, wheel in enumerate(corners)}
        told = (joints, Message("cupola_msgs/msg/Encoders", wheels, {"header.frame_id": frame}, "wheels"))
        if not self.odometry_of:
            return told
        way = {field: 2 * n + k for k, field in enumerate(WAY)}
        frames = {"header.frame_id": "odom", "child_frame_id": frame}
        return (*told, Message("nav_msgs/msg/Odometry", way, frames, "odometry"))

    @staticmethod
    def measure(
        p: Number,
        qpos: Number,
        qvel: Number,
        given: Number,
        elements: Number,
        sample: Number,
        memory: Number,
        noise: NoiseKey,
    ) -> None:
        """Angles, then speeds, of its hinges."""
        count = elements.shape[0]
        angles, speeds = sample[:count], sample[count:]
        before, start, started = memory[:count], memory[count : 2 * count], memory[2 * count :]
        for k in range(count):
            hinge = elements[k]
            angle, speed = qpos[int(hinge.coordinate)], qvel[int(hinge.dof)]
            if hinge.play >= 0.0:
                play = gear_play_at(given, int(hinge.play))
                if play.present > 0.0:  # the encoder sits on the motor
                    angle, speed = angle + play.angle, play.speed
            if hinge.with_coordinate >= 0.0:
                angle += qpos[int(hinge.with_coordinate)]
                speed += qvel[int(hinge.with_dof)]
            if p.incremental > 0.0 and started[0] == 0.0:
                start[k] = hinge.sign * angle
            said = measure_turn(p, hinge.sign * angle - start[k], hinge.sign * speed, before[k], k, noise)
            if p.radius > 0.0:
                started[1 + POSE + k] = said.angle - before[k] if started[0] > 0.0 else 0.0
            angles[k], speeds[k], before[k] = said.angle, said.speed, said.angle
        started[0] = 1.0
        if p.radius > 0.0:
            add_up(p, started[1:], speeds, sample[2 * count :])


def _places_of(places: BindContext, name: str) -> tuple[int, int]:
    """Where the model has the angle and the speed of a hinge."""
    joint = places.joint(name)
    return int(places.model.jnt_qposadr[joint]), int(places.model.jnt_dofadr[joint])


def _play_at(places: BindContext, joint: str) -> int:
    """Where the motor of a joint gives the play of its gear; a real encoder sits on the motor."""
    for part in places.parts.values():
        if getattr(part, "gives", None) is GearPlay and getattr(part, "joint", None) == joint:
            return places.given(part, GearPlay)
    return NONE


def add_up(p: Any, memory: Number, speeds: Number, way: Number) -> None:
    """Where the base is after its wheels turned by what lies behind the pose in `memory`, along an arc; how fast."""
    step = body_twist(wheels_at(memory, POSE), p)
    now = advance(pose_at(memory, 0), step, 1.0)
    write_pose(memory, 0, now)
    write_way(way, 0, Way(now.x, now.y, sin(0.5 * now.yaw), cos(0.5 * now.yaw), body_twist(wheels_at(speeds, 0), p)))


class Turned(NamedTuple):
    """Reading of one encoder: [rad], [rad/s]."""

    angle: Number
    speed: Number


def measure_turn(
    p: EncoderNumbers, angle: Number, speed: Number, before: Number, lane: Number, key: NoiseKey
) -> Turned:
    """Angle and speed of one hinge with its errors; `before` is what was said of the angle last time."""
    normal = draw(key, lane)
    said = angle + p.angle_noise * normal.a
    if p.runout > 0.0:  # where the disc stands at its worst is drawn once, with the first sample
        said += p.runout * sin(angle + math.pi * gaussian_pair(key.seed, key.stream, 0, RUNOUT_LANE + lane).a)
    if p.resolution > 0.0:
        said = p.resolution * floor(said / p.resolution)
        first = key.index == 0
        return Turned(said, (0.0 if first else (said - before) / key.interval) + p.speed_noise * normal.b)
    return Turned(said, speed + p.speed_noise * normal.b)
