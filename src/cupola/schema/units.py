"""Units as products of SI base units: what a product, a root or an integral of numbers with units is measured in."""

import re
from typing import NamedTuple

BASE = ("kg", "m", "s", "A", "K", "rad")
Powers = tuple[float, ...]
NONE: Powers = (0.0,) * len(BASE)
POWERS = {"⁻": "-", "⁰": "0", "¹": "1", "²": "2", "³": "3", "⁴": "4"}


def _of(**powers: float) -> Powers:
    return tuple(powers.get(name, 0.0) for name in BASE)


SYMBOLS: dict[str, tuple[float, Powers]] = {
    "1": (1.0, NONE),
    **{name: (1.0, _of(**{name: 1.0})) for name in BASE},
    "g": (1e-3, _of(kg=1)),
    "km": (1e3, _of(m=1)),
    "cm": (1e-2, _of(m=1)),
    "mm": (1e-3, _of(m=1)),
    "ms": (1e-3, _of(s=1)),
    "min": (60.0, _of(s=1)),
    "h": (3600.0, _of(s=1)),
    "Hz": (1.0, _of(s=-1)),
    "deg": (0.017453292519943295, _of(rad=1)),
    "°": (0.017453292519943295, _of(rad=1)),
    "rpm": (0.10471975511965977, _of(rad=1, s=-1)),
    "N": (1.0, _of(kg=1, m=1, s=-2)),
    "mN": (1e-3, _of(kg=1, m=1, s=-2)),
    "J": (1.0, _of(kg=1, m=2, s=-2)),
    "W": (1.0, _of(kg=1, m=2, s=-3)),
    "Pa": (1.0, _of(kg=1, m=-1, s=-2)),
    "V": (1.0, _of(kg=1, m=2, s=-3, A=-1)),
    "T": (1.0, _of(kg=1, s=-2, A=-1)),
    "Ω": (1.0, _of(kg=1, m=2, s=-3, A=-2)),
    "%": (0.01, NONE),
}
"""Factor to SI, and base units, of every symbol that is known."""
NAMED = {
    SYMBOLS["N"][1]: "N",
    SYMBOLS["J"][1]: "J",
    SYMBOLS["W"][1]: "W",
    SYMBOLS["Pa"][1]: "Pa",
    SYMBOLS["V"][1]: "V",
    _of(kg=1, m=1, s=-1): "N s",
    _of(A=1, s=1): "A s",
}
"""Products that have a name."""


class Unit(NamedTuple):
    """What a number is measured in."""

    powers: Powers | None
    """Of the base units; None: the symbol is not known here."""
    text: str

    def same(self, other: "Unit") -> bool:
        """Whether the two can be added; angles are numbers."""
        if self.powers is None or other.powers is None:
            return self.powers == other.powers and self.text == other.text
        return self.powers[:-1] == other.powers[:-1]

    def times(self, other: "Unit", power: float = 1.0) -> "Unit":
        """The unit of a product with a power of another one."""
        if self.powers is None or other.powers is None:
            return UNKNOWN
        return of_powers(tuple(a + power * b for a, b in zip(self.powers, other.powers, strict=True)))

    def to(self, power: float) -> "Unit":
        """The unit of a power."""
        return ONE.times(self, power)


ONE = Unit(NONE, "1")
SECOND = Unit(_of(s=1), "s")
UNKNOWN = Unit(None, "")


def of_powers(powers: Powers) -> Unit:
    """The unit of some powers of the base units, spelled."""
    without_angle = (*powers[:-1], 0.0)
    if named := NAMED.get(without_angle):
        return Unit(powers, named)
    if without_angle != NONE and powers[-1] != 0.0 and abs(powers[-1]) != 1.0:
        powers = without_angle
    above = [_spelled(name, power) for name, power in zip(BASE, powers, strict=True) if power > 0]
    below = [_spelled(name, -power) for name, power in zip(BASE, powers, strict=True) if power < 0]
    return Unit(powers, "/".join([" ".join(above) or "1", *below]))


def _spelled(name: str, power: float) -> str:
    said = {1.0: "", 2.0: "²", 3.0: "³", 4.0: "⁴"}.get(power, f"^{power:g}")
    return name + said


def read_unit(text: str) -> tuple[float, Unit]:
    """Factor to SI, and the unit in SI, of a text such as `kg/m³`, `N m`, `km/h`; an unknown one keeps its text."""
    factor, powers, sign = 1.0, NONE, 1.0
    for word in re.findall(r"/|[^\s/·*]+", text):
        if word == "/":
            sign = -1.0
            continue
        found = re.fullmatch(r"(.+?)\^?(-?\d+|[⁻⁰¹²³⁴]+)?", word)
        name, power = (word, "") if word in SYMBOLS or found is None else (found[1], found[2] or "")
        if name not in SYMBOLS:
            return 1.0, Unit(None, text)
        times = sign * float("".join(POWERS.get(c, c) for c in power) or 1)
        scale, base = SYMBOLS[name]
        factor *= scale**times
        powers = tuple(a + times * b for a, b in zip(powers, base, strict=True))
        sign = 1.0
    return factor, Unit(powers, text) if factor == 1.0 else of_powers(powers)
