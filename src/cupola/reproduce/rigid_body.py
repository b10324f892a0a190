"""A free body that tumbles about three unequal axes, against the closed form in elliptic functions."""

from collections.abc import Iterator

from cupola.reproduce.row import Row, at_most
from cupola.reproduce.tumbling import tumble_error

SOURCE = "Landau and Lifshitz, Mechanics, §37 (closed form)"
ATTITUDE_DEG, MOMENTUM = 1e-6, 1e-9
"""Bars for 30 s in steps of 1 ms with RK4."""


def rows(full: bool) -> Iterator[Row]:
    """Errors after 30 s."""
    attitude, momentum = tumble_error()
    yield at_most("tumbling_attitude", SOURCE, "attitude after 30 s, RK4 1 ms", ATTITUDE_DEG, attitude, "deg")
    yield at_most("tumbling_momentum", SOURCE, "angular momentum, relative, RK4 1 ms", MOMENTUM, momentum)
