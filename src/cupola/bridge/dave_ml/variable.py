"""A variable of a DAVE-ML file."""

from typing import NamedTuple


class Variable(NamedTuple):
    """One variable of the file."""

    id: str
    name: str
    units: str
    initial: float | None
    low: float
    high: float
    is_input: bool
    is_control: bool
    """An input that moves something."""
    is_output: bool
    own: str
    """Its name in expressions; what clipping leaves of it."""
    raw: str
    """The same before it is clipped."""
