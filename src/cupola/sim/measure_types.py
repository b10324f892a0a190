"""Checks of measure expressions: which signals they name, and whether their units agree."""

from collections.abc import Mapping
from typing import NamedTuple

from cupola.parts.shown import Signal
from cupola.schema.expressions import COMPARED, ExpressionError, Node
from cupola.schema.units import ONE, SECOND, Unit, read_unit

TIME = "time"
"""The one name that is no signal: [s] since the start."""
SHOWN = 12
"""Names that an error lists at most."""
OVER_THE_RUN = ("duration", "time_of", "count", "first", "final", "rms", "mean", "integral")
"""Functions that make one value of a whole run; min and max do, too, of one argument."""


class Type(NamedTuple):
    """Type of a subexpression."""

    series: bool
    """One value for each row of the run, or one for the run."""
    logical: bool
    unit: Unit | None
    """None: a plain number, compatible with every unit."""


class Names:
    """Names and units available to expressions; checks them before anything runs."""

    def __init__(self, signals: list[Signal], phases: Mapping[str, tuple[str, ...]]) -> None:
        self.signals: dict[str, Signal] = {one.name: one for one in signals}
        self.phases = phases
        self.groups: dict[str, list[str]] = {}
        self.inside: dict[str, list[str]] = {}
        for name in self.signals:
            words = name.split(".")
            for k in range(len(words)):
                into = self.inside.setdefault(".".join(words[:k]), [])
                into += [words[k]] if words[k] not in into else []
            if len(words) > 1:
                self.groups.setdefault(".".join(words[:-1]), []).append(name)

    def check(self, tree: Node) -> Type:
        """Type of an expression; refuses invalid ones."""
        found = self._type(tree)
        if found.series:
            said = "final(...), duration(...)" if found.logical else "final(...), mean(...), rms(...), max(...)"
            raise ExpressionError(tree.at, f"this has a value at every row of the run: say which counts, as {said}")
        return found

    def check_series(self, tree: Node) -> Type:
        """Type of an expression that must have a value at every row."""
        found = self._type(tree)
        if not found.series:
            raise ExpressionError(tree.at, "this is one value for the whole run: a curve needs one at every row")
        return found

    def used(self, tree: Node) -> set[str]:
        """Names of the signals that an expression reads."""
        own = set(self.groups.get(tree.word, ())) if tree.word not in self.signals else {tree.word}
        own = own if tree.kind == "name" and tree.word != TIME else set()
        return own.union(*(self.used(one) for one in tree.inside))

    def _type(self, node: Node) -> Type:
        kind = node.kind
        if kind == "number":
            return Type(False, False, node.unit)
        if kind == "name":
            return Type(True, False, self._unit(node))
        if kind == "text":
            raise ExpressionError(node.at, "a text stands beside == only, for a phase: controller.phase == 'landed'")
        if kind == "==" and any(one.kind == "text" for one in node.inside):
            return self._phase(node)
        if kind == "norm":
            return self._norm(node)
        inside = [self._type(one) for one in node.inside]
        series = any(one.series for one in inside)
        if kind in ("and", "or", "not", "duration", "time_of", "count"):
            self._want(node, inside, logical=True)
        elif kind == "when":
            self._want(node._replace(inside=node.inside[:1]), inside[:1], logical=False)
            self._want(node._replace(inside=node.inside[1:]), inside[1:], logical=True)
        elif kind not in ("first", "final"):
            self._want(node, inside, logical=False)
        if kind in OVER_THE_RUN or (kind in ("min", "max") and len(inside) == 1):
            return self._reduced(node, inside[0])
        if kind == "derivative" and not series:
            raise ExpressionError(node.at, "derivative is over time: what is inside is one value only")
        if kind in ("and", "or", "not"):
            return Type(series, True, None)
        if kind in COMPARED:
            self._alike(node, inside)
            return Type(series, True, None)
        if kind in ("+", "-", "min", "max"):
            return Type(series, False, self._alike(node, inside))
        if kind == "when":
            return Type(True, False, inside[0].unit)
        return Type(series, False, self._product(node, inside))

    def _unit(self, node: Node) -> Unit:
        if node.word == TIME:
            return SECOND
        if node.word not in self.signals:
            raise ExpressionError(node.at, self._unknown(node.word))
        factor, unit = read_unit(self.signals[node.word].unit)
        return unit if factor == 1.0 else Unit(None, self.signals[node.word].unit)

    def _unknown(self, name: str) -> str:
        """Error text for an unknown signal: the existing names at the first wrong step."""
        if name in self.inside:
            return f"{name} has several numbers: take norm({name}), or one of: {self._listed(name)}"
        words = name.split(".")
        known = next(k for k in range(len(words) - 1, -1, -1) if ".".join(words[:k]) in self.inside)
        before = ".".join(words[:known])
        where = f"{before} has: " if before else "there are: "
        return f"there is no signal {name!r}; {where}{self._listed(before)}" + ("" if before else f", {TIME}")

    def _listed(self, group: str) -> str:
        found = self.inside.get(group, [])
        return ", ".join(found[:SHOWN]) + (f" and {len(found) - SHOWN} more" if len(found) > SHOWN else "")

    def _want(self, node: Node, inside: list[Type], *, logical: bool) -> None:
        for one, found in zip(node.inside, inside, strict=True):
            if found.logical != logical:
                wanted = "a condition, as z > 2 m" if logical else "a number"
                got = "a condition" if found.logical else "a number"
                raise ExpressionError(one.at, f"{_said(node.kind)} takes {wanted}, got {got}")

    def _reduced(self, node: Node, inside: Type) -> Type:
        if not inside.series:
            raise ExpressionError(node.at, f"{node.kind} goes over the run: what is inside is one value only")
        units = {"duration": SECOND, "time_of": SECOND, "count": ONE}
        unit = units.get(node.kind, inside.unit)
        if node.kind == "integral":
            unit = (inside.unit or ONE).times(SECOND)
        return Type(False, inside.logical and node.kind in ("first", "final"), unit)

    def _alike(self, node: Node, inside: list[Type]) -> Unit | None:
        """The common unit of numbers that are added or compared."""
        units = [one.unit for one in inside if one.unit is not None]
        for unit in units[1:]:
            if not units[0].same(unit):
                got = f"{units[0].text} and {unit.text}"
                raise ExpressionError(node.at, f"{_said(node.kind)} needs equal units, got {got}")
        return units[0] if units else None

    def _product(self, node: Node, inside: list[Type]) -> Unit | None:
        first = inside[0].unit
        if node.kind in ("negative", "abs"):
            return first
        if node.kind == "sqrt":
            return first.to(0.5) if first else None
        if node.kind == "derivative":
            return (first or ONE).times(SECOND, -1.0)
        second = inside[1].unit
        if node.kind == "^":
            number = node.inside[1]
            times = -number.inside[0].value if number.kind == "negative" else number.value
            constant = number.kind == "number" or (number.kind == "negative" and number.inside[0].kind == "number")
            if second is not None and not second.same(ONE):
                raise ExpressionError(number.at, f"an exponent has no unit, got {second.text}")
            if not constant and first is not None and not first.same(ONE):
                raise ExpressionError(number.at, f"what has a unit, here {first.text}, needs a plain number here")
            return first.to(times) if first and constant else first
        if second is None:
            return first
        return (first or ONE).times(second, 1.0 if node.kind == "*" else -1.0)

    def _phase(self, node: Node) -> Type:
        """A comparison with the name of a phase."""
        name, text = sorted(node.inside, key=lambda one: one.kind == "text")
        if name.kind != "name" or name.word not in self.phases:
            known = ", ".join(self.phases) or "none here"
            raise ExpressionError(node.at, f"only a phase is compared with a text; signals that are phases: {known}")
        if text.word not in self.phases[name.word]:
            known = ", ".join(self.phases[name.word])
            raise ExpressionError(text.at, f"{name.word} is never {text.word!r}; it is one of: {known}")
        return Type(True, True, None)

    def _norm(self, node: Node) -> Type:
        first = node.inside[0]
        if len(node.inside) == 1 and first.kind == "name" and first.word not in self.signals:
            if first.word not in self.groups:
                raise ExpressionError(first.at, self._unknown(first.word))
            names = self.groups[first.word]
            parts = tuple(Node("name", first.at, word=name) for name in names)
            return Type(True, False, self._alike(node, [Type(True, False, self._unit(one)) for one in parts]))
        if len(node.inside) == 1:
            raise ExpressionError(node.at, "norm takes a group, as quadcopter.position, or several numbers")
        inside = [self._type(one) for one in node.inside]
        self._want(node, inside, logical=False)
        return Type(any(one.series for one in inside), False, self._alike(node, inside))


def _said(kind: str) -> str:
    return {"negative": "-"}.get(kind, kind)
