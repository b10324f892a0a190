"""What a vehicle does when a stick moves, in the words that are printed beside the sticks of the page."""

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
"""Of a controller that does not listen to the sticks."""
STICK_NAMES = StickWords(
    roll=("roll +", "roll −"), pitch=("pitch +", "pitch −"), yaw=("yaw +", "yaw −"), throttle=("power +", "power −")
)
"""Of one that does not say what it does with them: the names of the sticks."""
VELOCITY = StickWords(
    roll=("right", "left"), pitch=("back", "forward"), yaw=("turn right", "turn left"), throttle=("up", "down")
)
"""Of one that flies the velocity for which the sticks ask."""
DRIVING = VELOCITY._replace(throttle=("", ""))
