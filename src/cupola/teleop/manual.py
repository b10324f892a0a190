"""Manual control of a Mecanum base: keys pressed and released, a gamepad, a mouse in; wheel speeds or a velocity out.

Pure logic without a window, a device or a clock. Whoever has those tells it what happens and asks, as often as needed,
what to send now: drawing does not disturb the sending.

The stop is not undone by what is still held: a key must be pressed anew, a stick or the cursor pass its centre.
"""

import math
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from cupola.build.controller_runner import ControllerRunner
from cupola.control.mecanum.drive import MecanumDrive
from cupola.control.mecanum.wheels import MecanumWheels
from cupola.physics.mecanum import Wheels
from cupola.physics.planar import Twist
from cupola.schema.yaml_files import InputError
from cupola.teleop.manual_modes import (
    DRIVE_KEYS,
    GEAR_KEYS,
    GEARS,
    MODE_KEYS,
    MODES,
    NEXT_KEYS,
    PICK_KEYS,
    STOP_KEYS,
    Mode,
    Pad,
)

STEP = 0.1
"""Of full deflection, per press and per notch of the mouse wheel."""
SMOOTH = 1.0
"""[1/s] a held key moves a value."""
CENTRE = 0.05
"""A stick or the cursor closer than this is at rest."""
SEND_HZ = 10.0

Command = Wheels | Twist


class Shown(NamedTuple):
    """Data for a display."""

    mode: int
    """From 1."""
    modes: tuple[tuple[str, str], ...]
    """Name of each mode, and why it cannot be chosen; empty when it can."""
    gear: int
    """From 1."""
    gears: tuple[float, ...]
    values: tuple[float, ...]
    """Deflections, -1 to 1: four wheels, or forward, left, counter-clockwise."""
    command: Command
    """In SI units."""
    stopped: bool


class Manual:
    """State of manual control."""

    def __init__(
        self, *, wheels: bool = True, velocity: bool = True, nan: bool = True, mode: int = 1, gear: int = 5,
        rate_hz: float = SEND_HZ,
    ) -> None:  # fmt: skip
        """`wheels`, `velocity`: commands that the receiver takes; `nan`: whether NaN keeps a wheel's last command."""
        if not wheels and not velocity:
            raise InputError("manual control needs a vehicle that takes wheel speeds or velocities")
        self._takes = {"wheels": wheels, "velocity": velocity}
        self._nan, self._period = nan, 1.0 / rate_hz
        self._pad: Pad | None = None
        self._mouse: tuple[float, float] | None = None
        self._down: set[str] = set()
        self._acting: set[str] = set()
        self._sent, self._at_once = -math.inf, False
        self._asked: float | None = None
        if not 1 <= gear <= len(PICK_KEYS):
            raise InputError(f"there are gears 1 to {len(PICK_KEYS)}, got {gear}")
        self.number, self.gear = 0, gear
        usable = [n for n in range(1, len(MODES) + 1) if not self.why_not(n)]
        self.choose(mode if mode in usable else usable[0])

    @property
    def mode(self) -> Mode:
        """The present way to drive."""
        return MODES[self.number - 1]

    # what happens

    def press(self, key: str) -> None:
        """A key or button went down; a keyboard's repetition of it changes nothing."""
        if key in self._down:
            return
        self._down.add(key)
        if key in STOP_KEYS:
            self.stop()
        elif key in NEXT_KEYS:
            self._next()
        elif key in MODE_KEYS:
            if not self.why_not(MODE_KEYS[key]):
                self.choose(MODE_KEYS[key])
        elif key in GEAR_KEYS:
            self.gear = min(max(self.gear + GEAR_KEYS[key], 1), len(self._gears()))
        elif key in PICK_KEYS:
            self.gear = PICK_KEYS[key]
        elif key in DRIVE_KEYS[self.mode.output] and self.mode.style != "pad":
            self._begin(key)

    def release(self, key: str) -> None:
        """A key or button went up."""
        self._down.discard(key)
        self._acting.discard(key)

    def hold(self, keys: Collection[str]) -> None:
        """These are down and no others: what is new was pressed, what is missing released."""
        for key in self._down.difference(keys):
            self.release(key)
        for key in keys:
            self.press(key)

    def release_all(self) -> None:
        """The window lost the keyboard focus: release all keys."""
        self._down.clear()
        self._acting.clear()

    def pad(self, sticks: Pad | None) -> None:
        """Where the gamepad's sticks are; None: it is not plugged in."""
        if sticks is None and self.mode.style == "pad":
            self.stop()
        self._pad = sticks
        if self.mode.style == "pad" and sticks is not None:
            self._follow(sticks)

    def mouse(self, cursor: tuple[float, float] | None) -> None:
        """Where the cursor is, right and up, -1 to 1 from the centre of the panel: the tip of the velocity."""
        if cursor is None and self.mode.style == "mouse":
            self.stop()
        self._mouse = cursor
        if self.mode.style == "mouse" and cursor is not None:
            self._follow(cursor)

    def scroll(self, notches: float) -> None:
        """The mouse wheel turned, up positive: a tenth of the turn rate per notch."""
        if self.mode.style == "mouse":
            self.stopped = False
            self._values[2] = _limit(self._values[2] + STEP * notches)

    def stop(self) -> None:
        """Everything to zero, at once, and really zero: no wheel is left alone until something is pressed again."""
        self._values = [0.0] * (4 if self.mode.output == "wheels" else 3)
        self._acting.clear()
        self.stopped = self._at_once = self._waits = True

    def choose(self, number: int) -> None:
        """Change the mode, beginning with a stop; an unavailable mode is refused."""
        if why := self.why_not(number):
            raise InputError(f"mode {number} cannot be chosen: {why}")
        self.number = number
        self.stop()

    # what follows

    def why_not(self, number: int) -> str:
        """Why a mode cannot be chosen now; empty when it can."""
        if not 1 <= number <= len(MODES):
            return f"there are modes 1 to {len(MODES)}"
        mode = MODES[number - 1]
        if not self._takes[mode.output]:
            return f"nobody takes {mode.output}"
        if mode.holds and not self._nan:
            return "wheels cannot be left alone here"
        if mode.style == "pad" and self._pad is None:
            return "there is no gamepad"
        if mode.style == "mouse" and self._mouse is None:
            return "there is no mouse"
        return ""

    def poll(self, time: float) -> Command | None:
        """What to send at `time` [s], at the times k / rate, and at once after a stop; None: nothing now."""
        self._move(0.0 if self._asked is None else time - self._asked)
        self._asked = time
        due = math.floor(time / self._period + 1e-9) * self._period
        if due <= self._sent and not self._at_once:
            return None
        self._sent, self._at_once = max(due, self._sent), False
        return self.command()

    def command(self) -> Command:
        """Wheel speeds [rad/s] or velocity [m/s, rad/s] now."""
        factor = self._gears()[self.gear - 1]
        numbers = [factor * value for value in self._values]
        if self.mode.output == "velocity":
            return Twist(*numbers)
        leave = self.mode.holds and not self.stopped
        return Wheels(*(math.nan if leave and number == 0.0 else number for number in numbers))

    def shown(self) -> Shown:
        """For a panel."""
        modes = tuple((mode.name, self.why_not(number)) for number, mode in enumerate(MODES, 1))
        return Shown(self.number, modes, self.gear, self._gears(), tuple(self._values), self.command(), self.stopped)

    def _gears(self) -> tuple[float, ...]:
        return GEARS[self.mode.output]

    def _next(self) -> None:
        order = [(self.number + k) % len(MODES) + 1 for k in range(len(MODES))]
        self.choose(next(number for number in order if not self.why_not(number)))

    def _begin(self, key: str) -> None:
        index, sign = DRIVE_KEYS[self.mode.output][key]
        if self.mode.style == "mouse" and index != 2:
            return  # the cursor says where to; keys only turn
        self.stopped = False
        self._acting.add(key)
        if self.mode.style == "step":
            self._values[index] = _limit(round(self._values[index] + sign * STEP, 6))

    def _move(self, dt: float) -> None:
        """Let held keys do what they do in `dt` [s]."""
        ways = [0.0] * len(self._values)
        for key in self._acting:
            index, sign = DRIVE_KEYS[self.mode.output][key]
            ways[index] += sign
        if self.mode.style == "press" and not self.stopped:
            self._values = ways
        elif self.mode.style in ("smooth", "mouse"):
            moved = [_limit(v + w * SMOOTH * dt) for v, w in zip(self._values, ways, strict=True)]
            self._values = moved if any(ways) else self._values

    def _follow(self, axes: Pad | tuple[float, float]) -> None:
        """Take a stick or the cursor as it is, once it has been at its centre."""
        at_rest = max(abs(axis) for axis in axes) < CENTRE
        self._waits = self._waits and not at_rest
        if self._waits:
            return
        self.stopped = self.stopped and at_rest
        if not isinstance(axes, Pad):
            right, up = axes
            self._values[:2] = [_limit(up), _limit(-right)]
        elif self.mode.output == "wheels":
            wheels = axes.right_y, axes.left_y, axes.left_x, axes.right_x
            self._values = [_limit(axis) for axis in wheels]
        else:
            self._values = [_limit(axes.right_y), _limit(-axes.right_x), _limit(-axes.left_x)]


def _limit(value: float) -> float:
    return min(max(value, -1.0), 1.0)


def manual_for(runners: Mapping[Any, ControllerRunner], **options: Any) -> Manual | None:
    """Manual control for a vehicle with these controllers by mode; None if none of them takes base velocities."""
    takes = {mode: type(runner.controller) for mode, runner in runners.items()}
    wheels, velocity = takes.get("raw") is MecanumWheels, takes.get("assisted") is MecanumDrive
    return Manual(wheels=wheels, velocity=velocity, **options) if wheels or velocity else None


def drive(world: Any, manual: Manual, time: float, vehicle: str | None = None) -> None:
    """Send what is due to a vehicle whose raw mode is `mecanum_wheels` and whose assisted mode is `mecanum_drive`."""
    command = manual.poll(time)
    if command is None:
        return
    mode = "raw" if isinstance(command, Wheels) else "assisted"
    if world.mode(vehicle) != mode:
        world.take_over(mode, vehicle)
    limits = world.runner(vehicle).controller.values
    if isinstance(command, Wheels):
        world.sticks([_stick(speed, -limits["speed"], limits["speed"]) for speed in command], vehicle)
        return
    axes = (("linear_y", command.y), ("linear_x", command.x), ("angular_z", command.yaw))
    world.sticks(
        [-_stick(wish, limits[f"{axis}_min_velocity"], limits[f"{axis}_max_velocity"]) for axis, wish in axes], vehicle
    )


def _stick(wish: float, low: float, high: float) -> float:
    """Where a stick must be for a speed; a limit of 0 lets nothing through, no number stays none."""
    full = low if wish < 0.0 else high
    return abs(wish / full) * math.copysign(1.0, wish) if full else 0.0
