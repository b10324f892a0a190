"""The arithmetic between `${` and `}` of a xacro file, evaluated without running anything else."""

import ast
import math
import operator
import re
import warnings
from collections.abc import Callable, Mapping
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
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(math, name)
    for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt", "hypot", "exp", "log", "floor", "ceil",
                 "radians", "degrees", "pow")
} | {"abs": abs, "fabs": abs, "min": min, "max": max, "float": float, "int": int, "round": round}  # fmt: skip
CONSTANTS = {"pi": math.pi, "e": math.e, "True": True, "False": False}
DOLLAR = re.compile(r"\$\{([^}$]*)\}")
LONGEST, LONGEST_TEXT = 1000, 10_000
"""Characters of an expression, and of a text with the values put in."""
LARGEST = 2.0**1023
"""No number grows beyond; a power that would is not even computed."""


def fill(text: str, names: Mapping[str, Any], where: str) -> str:
    """The text with every `${...}` replaced by its value."""
    if "${" not in text:
        return text
    filled = DOLLAR.sub(lambda found: as_text(evaluate(found[1], names, where)), text)
    if "${" in filled:
        raise InputError(f"{where}: a ${{ is not closed in {short(text)!r}")
    if len(filled) > LONGEST_TEXT:
        raise InputError(f"{where}: {short(text)!r} grows to more than {LONGEST_TEXT} characters")
    return filled


def evaluate(text: str, names: Mapping[str, Any], where: str) -> Any:
    """Value of an expression: numbers, properties, + - * / // % **, comparisons, and the functions above."""
    if len(text) > LONGEST:
        raise InputError(f"{where}: an expression has more than {LONGEST} characters: {short(text)!r}")
    with boundary(where, f"cannot evaluate ${{{short(text)}}}"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Python about odd literals: the value is what counts
        return _value(ast.parse(text.strip(), mode="eval").body, names)


def as_text(value: Any) -> str:
    """A number with every digit, text as it is."""
    return repr(value) if isinstance(value, float) else str(value)


def as_value(text: str) -> Any:
    """A property's text as a number where it is one."""
    number = finite(text)
    if number is None:
        return text
    return int(text) if re.fullmatch(r"[-+]?\d+", text.strip()) else number


def _bounded(value: Any) -> Any:
    """A value that is finite and fits."""
    if isinstance(value, str):
        if len(value) > LONGEST_TEXT:
            raise ValueError(f"a text of more than {LONGEST_TEXT} characters")
    elif not isinstance(value, int | float) or not abs(value) <= LARGEST:
        raise ValueError("the value is not a finite number")
    return value


def _apply(op: ast.AST, *given: Any) -> Any:
    """An operator at work on numbers; texts are joined and compared, nothing else."""
    if any(isinstance(one, str) for one in given) and not isinstance(op, ast.Add | ast.Eq | ast.NotEq | ast.Not):
        raise ValueError("a text where a number is expected")
    if isinstance(op, ast.Pow):
        base, exponent = given
        if abs(base) > 1 and exponent * math.log2(abs(base)) >= math.log2(LARGEST):
            raise ValueError("the value is not a finite number")
    return _bounded(OPERATORS[type(op)](*given))


def _value(node: ast.AST, names: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=int() | float() | str()):
            return _bounded(node.value)
        case ast.Name(id=name):
            if name not in names and name not in CONSTANTS:
                raise ValueError(f"there is no property {name!r}; there are: {', '.join(sorted(names)) or 'none'}")
            return names[name] if name in names else CONSTANTS[name]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return _apply(op, _value(left, names), _value(right, names))
        case ast.UnaryOp(op=op, operand=operand) if type(op) in OPERATORS:
            return _apply(op, _value(operand, names))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in OPERATORS:
            return _apply(op, _value(left, names), _value(right, names))
        case ast.BoolOp(op=op, values=values):
            found: Any = True
            for value in values:  # as Python does: the rest is not looked at where the answer is known
                found = _value(value, names)
                if bool(found) == isinstance(op, ast.Or):
                    break
            return found
        case ast.IfExp(test=test, body=body, orelse=otherwise):
            return _value(body if _value(test, names) else otherwise, names)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
            return _bounded(FUNCTIONS[name](*(_value(argument, names) for argument in arguments)))
        case ast.Call(func=ast.Attribute(value=ast.Name(id="math"), attr=name), args=arguments) if name in FUNCTIONS:
            return _bounded(FUNCTIONS[name](*(_value(argument, names) for argument in arguments)))
        case ast.Attribute(value=ast.Name(id="math"), attr=name) if name in CONSTANTS:
            return CONSTANTS[name]
    said = short(ast.unparse(node))
    raise ValueError(f"{said} is beyond what is understood here: arithmetic and {', '.join(FUNCTIONS)}")
