"""Parameters that a controller declares: numbers, vectors or matrices; with a default or read from the robot."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from cupola.schema.tunable_fields import Parameter

if TYPE_CHECKING:
    from cupola.config.robot import Robot

Array = np.ndarray[Any, Any]
FromRobot = Callable[["Robot", int], float]
"""Reads a number from the robot; the integer is the first command channel of the controller."""
ELEMENT = re.compile(r"(\w+)\[([\d, ]+)\]")
CALIBRATION = 0.05
"""Fraction by which a number in a file may differ from the model's as a calibration; beyond that it is refused."""


class parameter:  # noqa: N801 - reads as a declaration, like `property`
    """Declare a tunable number of a controller, or an array of them.

    With `robot` it has no default of its own: the number is that of the robot. A file may still give another one,
    within the share `within` of it.
    """

    name: str = "parameter"
    low: float
    high: float
    unit: str
    about: str
    robot: FromRobot | None
    within: float
    shape: tuple[int, ...]
    default: Any

    def __init__(
        self,
        default: Any = None,
        *,
        low: float,
        high: float,
        unit: str = "1",
        about: str = "",
        robot: FromRobot | None = None,
        within: float = CALIBRATION,
    ) -> None:
        if (default is None) == (robot is None):
            raise ValueError("parameter: give either a default or robot=, the function that reads it from the robot")
        self.low, self.high, self.unit, self.about = float(low), float(high), unit, about
        self.robot, self.within = robot, within
        self.shape = np.shape(default) if default is not None else ()
        self.default = None if default is None else self.checked(default)

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type) -> Any:
        return self if instance is None else instance.value_of(self.name)

    def __set__(self, instance: Any, value: Any) -> None:
        instance.set(self.name, value)
        instance.given |= {self.name}

    def checked(self, value: Any) -> Any:
        """A float or a read-only array of the declared shape and range; refuses anything else."""
        try:
            found = np.array(value, float)
        except (TypeError, ValueError):
            raise ValueError(f"{self.name} must be {self._shaped()}, got {value!r}") from None
        if found.shape != self.shape:
            raise ValueError(f"{self.name} must be {self._shaped()}, got {value!r}")
        if not np.all((found >= self.low) & (found <= self.high)):
            raise ValueError(f"{self.name} must lie between {self.low:g} and {self.high:g}, got {value!r}")
        if not self.shape:
            return float(found)
        found.flags.writeable = False
        return found

    def with_element(self, value: Any, at: tuple[int, ...], number: float) -> Any:
        """A copy of the array with another number at one place."""
        changed = np.array(value)
        changed[at] = self._one(number)
        return self.checked(changed)

    def elements(self, value: Any = None) -> dict[str, Parameter]:
        """Each number by its name: the parameter itself, or `gain[0,1]` of an array; `value` instead of the default."""
        default = self.default if value is None else value
        told = np.full(self.shape, np.nan) if default is None else np.asarray(default)
        return {
            element_name(self.name, at): Parameter(float(told[at]), self.low, self.high, self.unit, self.about)
            for at in np.ndindex(self.shape)
        }

    def _one(self, number: float) -> float:
        if not self.low <= number <= self.high:
            raise ValueError(f"{self.name} must lie between {self.low:g} and {self.high:g}, got {number!r}")
        return number

    def _shaped(self) -> str:
        return f"{' × '.join(map(str, self.shape))} numbers" if self.shape else "a number"


def element_name(name: str, at: tuple[int, ...]) -> str:
    """Name of an element of an array."""
    return f"{name}[{','.join(map(str, at))}]" if at else name


def element_at(name: str) -> tuple[str, tuple[int, ...] | None]:
    """The parameter that a name means, and the place in it; None for the whole."""
    found = ELEMENT.fullmatch(name)
    return (found[1], tuple(int(k) for k in found[2].split(","))) if found else (name, None)
