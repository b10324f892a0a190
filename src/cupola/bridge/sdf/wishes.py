"""How a source moves a joint from outside: to an angle, at a speed, or with a torque."""

from typing import NamedTuple

ANGLE, SPEED, TORQUE = "angle", "speed", "torque"
INTERFACES = {"position": ANGLE, "velocity": SPEED, "effort": TORQUE}
"""Words of ROS for them, which stand in many longer ones: PositionJointInterface, position_controllers/..."""


class Wish(NamedTuple):
    """What somebody outside sets of a joint."""

    mode: str = ANGLE
    most: float | None = None
    """[rad, rad/s or N m; m, m/s or N]: at full command, where known."""
    effort: float | None = None
    """[N m] or [N] that the drive may use, where known."""
    ends: tuple[float, float] | None = None
    """Of the command, where the source gives both."""

    def within(self, low: float, high: float) -> tuple[float, float]:
        """The narrower of these ends and its own."""
        if self.ends is not None and self.ends[0] < self.ends[1]:
            low, high = max(low, self.ends[0]), min(high, self.ends[1])
        return low, high


class Wheels(NamedTuple):
    """Joints of a vehicle on wheels, by what a plugin calls them; here by their names in the MJCF."""

    left: dict[str, float]
    right: dict[str, float]
    """With 1 where a joint that turns forward drives ahead, else -1."""
    steering: dict[str, float]
    """With 1 where an angle is one to the left, else -1."""


def mode_of(text: str) -> str | None:
    """The mode that a word of ROS or of a plugin means."""
    low = text.lower().replace("force", "effort")
    return next((mode for word, mode in INTERFACES.items() if word in low), None)
