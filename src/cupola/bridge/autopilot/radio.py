"""The sticks of the world as a radio receiver gives them to an autopilot."""

from collections.abc import Sequence

from cupola.kernel.observation import PITCH, ROLL, THROTTLE, YAW

CHANNELS = 16
ORDER = (ROLL, PITCH, THROTTLE, YAW, *range(4, CHANNELS))


def radio(sticks: Sequence[float], nose_up: int = 2000) -> list[int]:
    """[µs]: roll, pitch, throttle, yaw, then the free sticks. `nose_up`: what the stick pulled back means.

    ArduPilot has 2000 there, Betaflight 1000; else right and more are high.
    """
    found = [1500.0 + 500.0 * min(max(float(sticks[k]), -1.0), 1.0) for k in ORDER]
    if nose_up < 1500:
        found[1] = 3000.0 - found[1]
    return [round(value) for value in found]
