"""How exact the motion is: a free body that tumbles, against the closed form."""

from collections.abc import Iterator

from cupola.bench.result import Result, at_most
from cupola.reproduce.rigid_body import ATTITUDE_DEG, MOMENTUM
from cupola.reproduce.tumbling import tumble_error


def cases() -> Iterator[Result]:
    """30 s in steps of 1 ms with RK4."""
    attitude, momentum = tumble_error()
    yield at_most("tumbling body, RK4 1 ms, 30 s: attitude error", attitude, "deg", ATTITUDE_DEG)
    yield at_most("tumbling body, RK4 1 ms, 30 s: change of angular momentum", momentum, "relative", MOMENTUM)
