"""The expressions between `${` and `}` of a xacro file, evaluated without running anything else.

Beside arithmetic they may have lists and dictionaries, as `load_yaml` reads them, and a few methods of texts and lists.
"""

import ast
import math
import operator
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from cupola.schema.input_files import InputError, boundary, finite
from cupola.schema.validation_messages import short

OPERATORS: dict[type, Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda one, all_: one in all_,
    ast.NotIn: lambda one, all_: one not in all_,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(math, name)
    for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt", "hypot", "exp", "log", "floor", "ceil",
                 "radians", "degrees", "pow")
} | {"abs": abs, "fabs": abs, "min": min, "max": max, "float": float, "int": int, "round": round}  # fmt: skip
FUNCTIONS |= {"len": len, "str": str, "bool": bool, "list": list, "sum": sum, "sorted": sorted}
METHODS: dict[type, tuple[str, ...]] = {
    str: ("startswith", "endswith", "lower", "upper", "strip", "lstrip", "rstrip", "replace", "split", "join"),
    dict: ("keys", "values", "items", "get"),
    list: ("index", "count"),
}
CONSTANTS = {"pi": math.pi, "e": math.e, "True": True, "False": False, "true": True, "false": False, "None": None}
TRUTHS = {"true": True, "True": True, "false": False, "False": False}
DOLLAR = re.compile(r"\$\{([^}$]*)\}")
LONGEST, LONGEST_TEXT = 1000, 10_000
"""Characters of an expression, and of a text with the values put in."""
MOST = 10_000
"""Values in a list, and in the lists in it."""
LARGEST = 2.0**1023
"""No number grows beyond; a power that would is not even computed."""


def fill(
    text: str, names: Mapping[str, Any], where: str, functions: Mapping[str, Callable[..., Any]] | None = None
) -> str:
    """The text with every `${...}` replaced by its value."""
    if "${" not in text:
        return text
    filled = DOLLAR.sub(lambda found: as_text(evaluate(found[1], names, where, functions)), text)
    if "${" in filled:
        raise InputError(f"{where}: a ${{ is not closed in {short(text)!r}")
    if len(filled) > LONGEST_TEXT:
        raise InputError(f"{where}: {short(text)!r} grows to more than {LONGEST_TEXT} characters")
    return filled


def evaluate(
    text: str, names: Mapping[str, Any], where: str, functions: Mapping[str, Callable[..., Any]] | None = None
) -> Any:
    """Value of an expression: of numbers, texts, lists and properties, with the functions above and those given."""
    if len(text) > LONGEST:
        raise InputError(f"{where}: an expression has more than {LONGEST} characters: {short(text)!r}")
    with boundary(where, f"cannot evaluate ${{{short(text)}}}"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Python about odd literals: the value is what counts
        return _Evaluation(names, {**FUNCTIONS, **(functions or {})}).value(ast.parse(text.strip(), mode="eval").body)


def as_text(value: Any) -> str:
    """A number with every digit, text as it is."""
    return repr(value) if isinstance(value, float) else str(value)


def as_value(text: str) -> Any:
    """A property's text as a number or a truth where it is one, as xacro takes it."""
    number = finite(text)
    if number is None:
        return TRUTHS.get(text.strip(), text)
    return int(text) if re.fullmatch(r"[-+]?\d+", text.strip()) else number


def _bounded(value: Any, left: int = MOST) -> Any:
    """A value that is finite and fits."""
    if isinstance(value, str):
        if len(value) > LONGEST_TEXT:
            raise ValueError(f"a text of more than {LONGEST_TEXT} characters")
    elif isinstance(value, list | tuple | dict):
        if count(value) > left:
            raise ValueError(f"more than {left} values in a list")
    elif value is not None and (not isinstance(value, int | float) or not abs(value) <= LARGEST):
        raise ValueError("the value is not a finite number")
    return value


def count(value: Any) -> int:
    """Of a list or a dictionary, with all that is in it."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return 1 + sum(count(one) for one in inside)


def _apply(op: ast.AST, *given: Any) -> Any:
    """An operator at work on numbers; texts and lists are joined, compared and searched, nothing else."""
    if not isinstance(op, ast.Add | ast.Eq | ast.NotEq | ast.Not | ast.In | ast.NotIn | ast.Is | ast.IsNot):
        for one in given:
            if not isinstance(one, int | float):
                raise ValueError(f"{'a text' if isinstance(one, str) else short(repr(one))} where a number is expected")
    if isinstance(op, ast.Pow):
        base, exponent = given
        if abs(base) > 1 and exponent * math.log2(abs(base)) >= math.log2(LARGEST):
            raise ValueError("the value is not a finite number")
    return _bounded(OPERATORS[type(op)](*given))


class Later:
    """A property that names others which are not there yet; it is evaluated where it is used."""

    def __init__(self, evaluate_now: Callable[[], Any]) -> None:
        self._evaluate, self._asked = evaluate_now, False

    def value(self) -> Any:
        """Of the property as things stand now."""
        if self._asked:
            raise ValueError("a property that needs itself")
        self._asked = True
        try:
            return self._evaluate()
        finally:
            self._asked = False


class _Evaluation:
    """One expression with its properties and functions."""

    def __init__(self, names: Mapping[str, Any], functions: Mapping[str, Callable[..., Any]]) -> None:
        self._names, self._functions = names, functions

    def value(self, node: ast.AST) -> Any:
        """Of a piece of it."""
        match node:
            case ast.Constant(value=int() | float() | str() | None):
                return _bounded(node.value)
            case ast.Name(id=name):
                return self._name(name)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                return _apply(op, self.value(left), self.value(right))
            case ast.UnaryOp(op=op, operand=operand) if type(op) in OPERATORS:
                return _apply(op, self.value(operand))
            case ast.Compare(left=left, ops=ops, comparators=others) if all(type(op) in OPERATORS for op in ops):
                row = self._all([left, *others])
                return all(_apply(op, *pair) for op, pair in zip(ops, pairwise(row), strict=True))
            case ast.BoolOp(op=op, values=values):
                found: Any = True
                for value in values:  # as Python does: the rest is not looked at where the answer is known
                    found = self.value(value)
                    if bool(found) == isinstance(op, ast.Or):
                        break
                return found
            case ast.IfExp(test=test, body=body, orelse=otherwise):
                return self.value(body if self.value(test) else otherwise)
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return _bounded(self._all(items))
            case ast.Subscript(value=whole, slice=ast.Slice(lower=lower, upper=upper, step=None)):
                ends = (None if end is None else self.value(end) for end in (lower, upper))
                return self.value(whole)[slice(*ends)]
            case ast.Subscript(value=whole, slice=key):
                return self._item(self.value(whole), self.value(key), ast.unparse(whole))
            case ast.Call(func=func, args=arguments, keywords=[]):
                return self._call(func, self._all(arguments))
            case ast.Attribute(value=ast.Name(id="math"), attr=name) if name in CONSTANTS:
                return CONSTANTS[name]
            case ast.Attribute(value=whole, attr=name) if isinstance(found := self.value(whole), dict):
                return self._item(found, name, ast.unparse(whole))
        return self._refuse(node)

    def _all(self, nodes: Sequence[ast.AST]) -> list[Any]:
        return [self.value(one) for one in nodes]

    def _name(self, name: str) -> Any:
        if name not in self._names and name not in CONSTANTS:
            known = ", ".join(sorted(self._names)) or "none"
            raise ValueError(f"there is no property {name!r}; there are: {known}")
        found = self._names[name] if name in self._names else CONSTANTS[name]
        return found.value() if isinstance(found, Later) else found

    @staticmethod
    def _item(whole: Any, key: Any, said: str) -> Any:
        try:
            return whole[key]
        except (KeyError, IndexError):
            known = ", ".join(map(str, whole)) if isinstance(whole, dict) else f"{len(whole)} values"
            raise ValueError(f"there is no {key!r} in {short(said)}; there are: {short(known)}") from None
        except TypeError:
            raise ValueError(f"{short(said)} is {short(repr(whole))}, which has no {key!r}") from None

    def _call(self, func: ast.expr, given: list[Any]) -> Any:
        """A function, also as `math.sin` or `xacro.load_yaml`, or a method of a text, a list or a dictionary."""
        match func:
            case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="math" | "xacro"), attr=name):
                if name in self._functions:
                    return _bounded(self._functions[name](*given))
            case ast.Attribute(value=whole, attr=name):
                owner = self.value(whole)
                if name in METHODS.get(type(owner), ()):
                    if name == "replace" and len(owner) * max(map(len, given), default=1) > LONGEST_TEXT:
                        raise ValueError(f"a text of more than {LONGEST_TEXT} characters")
                    found = getattr(owner, name)(*given)
                    plain = isinstance(found, str | int | float | list | dict) or found is None
                    return _bounded(found if plain else list(found))
        return self._refuse(func)

    def _refuse(self, node: ast.AST) -> Any:
        raise ValueError(
            f"{short(ast.unparse(node))} is beyond what is understood here: "
            f"arithmetic, lists, {', '.join(self._functions)}"
        )
