"""Labels of the sticks: the effect of each stick in words, shown beside the sticks of the page."""

from typing import NamedTuple


class StickWords(NamedTuple):
    """For each stick what happens towards +1 and towards -1; empty: nothing.

    The sticks are those of a pilot: +1 is right for `roll` and `yaw`, pulled back for `pitch`, up for `throttle`.
    """

    roll: tuple[str, str] = ("", "")
    pitch: tuple[str, str] = ("", "")
    yaw: tuple[str, str] = ("", "")
    throttle: tuple[str, str] = ("", "")


NO_STICKS = StickWords()
"""For a controller that ignores the sticks."""
STICK_NAMES = StickWords(
    roll=("roll +", "roll −"), pitch=("pitch +", "pitch −"), yaw=("yaw +", "yaw −"), throttle=("power +", "power −")
)
"""For a controller without labels of its own: the names of the sticks."""
VELOCITY = StickWords(
    roll=("right", "left"), pitch=("back", "forward"), yaw=("turn right", "turn left"), throttle=("up", "down")
)
"""For a controller whose sticks command a velocity."""
DRIVING = VELOCITY._replace(throttle=("", ""))
