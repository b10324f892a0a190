"""Finds the axes and buttons of a joystick, and the throws for a map."""

from cupola.config.channels import NONE, STICK_CHANNELS
from cupola.teleop.joystick import State

MOVED = 0.5
"""An axis counts as moved beyond this."""
STICKS = ("roll: stick right", "pitch: stick back", "yaw: twist right", "throttle: lever forward")


class Calibration:
    """Watches a device. The first motion of an axis defines its positive side."""

    def __init__(self) -> None:
        self.low: list[float] = []
        self.high: list[float] = []
        self.moved: dict[int, float] = {}
        """Axes in the order in which they were first moved, and the sign of that move."""
        self.pressed: list[int] = []
        """Buttons in the order in which they were first pressed."""
        self._rest: list[float] = []

    def see(self, state: State) -> None:
        """Take in one reading; the first one is the rest position, so a lever may lie at an end."""
        if not self._rest:
            self._rest, self.low, self.high = list(state.axes), list(state.axes), list(state.axes)
        for i, value in enumerate(state.axes):
            self.low[i], self.high[i] = min(self.low[i], value), max(self.high[i], value)
            if i not in self.moved and abs(value - self._rest[i]) > MOVED:
                self.moved[i] = 1.0 if value > self._rest[i] else -1.0
        self.pressed += [i for i, on in enumerate(state.buttons) if on and i not in self.pressed]

    def throw(self, axis: int) -> float:
        """Suggested throw: the end that the axis was first moved towards, as far as it went."""
        if axis not in self.moved:
            return 1.0
        return round(self.high[axis] if self.moved[axis] > 0 else self.low[axis], 3) or 1.0

    def text(self) -> str:
        """A map for a file: axes in the order moved on the first channels, buttons in the order pressed after them."""
        axes = list(self.moved)[:STICK_CHANNELS]
        start = max(6, len(axes))
        buttons = [NONE] * start + self.pressed[: STICK_CHANNELS - start] if self.pressed else []
        return "\n".join(
            [
                f"axes: {axes}",
                f"buttons: {buttons}",
                f"throws: {[self.throw(axis) for axis in axes]}",
                "dead_zone: 0.01",
            ]
        )
