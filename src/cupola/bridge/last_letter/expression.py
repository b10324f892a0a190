"""The arithmetic between `${` and `}` of a xacro file, evaluated without running anything else."""

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from cupola.schema.yaml_files import InputError

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
    name: getattr(math, name) for name in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt", "radians")
} | {"degrees": math.degrees, "pow": math.pow, "abs": abs, "min": min, "max": max, "float": float, "int": int}
CONSTANTS = {"pi": math.pi, "e": math.e, "True": True, "False": False}
DOLLAR = re.compile(r"\$\{([^}]*)\}")


def fill(text: str, names: Mapping[str, Any], where: str) -> str:
    """The text with every `${...}` replaced by its value."""
    return DOLLAR.sub(lambda found: as_text(evaluate(found[1], names, where)), text)


def evaluate(text: str, names: Mapping[str, Any], where: str) -> Any:
    """Value of an expression: numbers, properties, + - * / // % **, comparisons, and the functions above."""
    try:
        return _value(ast.parse(text.strip(), mode="eval").body, names)
    except (SyntaxError, ValueError, TypeError, ZeroDivisionError, OverflowError) as error:
        raise InputError(f"{where}: cannot evaluate ${{{text}}}: {error}") from None


def as_text(value: Any) -> str:
    """A number with every digit, text as it is."""
    return repr(value) if isinstance(value, float) else str(value)


def as_value(text: str) -> Any:
    """A property's text as a number where it is one."""
    try:
        return int(text) if re.fullmatch(r"[-+]?\d+", text.strip()) else float(text)
    except ValueError:
        return text


def _value(node: ast.AST, names: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=int() | float() | str()):
            return node.value
        case ast.Name(id=name):
            known = {**CONSTANTS, **names}
            if name not in known:
                raise ValueError(f"there is no property {name!r}; there are: {', '.join(sorted(names)) or 'none'}")
            return known[name]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return OPERATORS[type(op)](_value(left, names), _value(right, names))
        case ast.UnaryOp(op=op, operand=operand) if type(op) in OPERATORS:
            return OPERATORS[type(op)](_value(operand, names))
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in OPERATORS:
            return OPERATORS[type(op)](_value(left, names), _value(right, names))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
            return FUNCTIONS[name](*(_value(argument, names) for argument in arguments))
        case ast.Call(func=ast.Attribute(value=ast.Name(id="math"), attr=name), args=arguments) if name in FUNCTIONS:
            return FUNCTIONS[name](*(_value(argument, names) for argument in arguments))
        case ast.Attribute(value=ast.Name(id="math"), attr=name) if name in CONSTANTS:
            return CONSTANTS[name]
    raise ValueError(f"{ast.unparse(node)} is beyond what is understood here: arithmetic and {', '.join(FUNCTIONS)}")
