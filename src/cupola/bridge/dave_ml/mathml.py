"""Calculations of DAVE-ML, which are content MathML, as expressions."""

from collections.abc import Callable
from xml.etree import ElementTree as ET

from cupola.bridge.formulas import Formulas, number
from cupola.schema.yaml_files import InputError

SIGNS = {"plus": "+", "times": "*", "and": "and", "or": "or"}
"""Of any number of arguments."""
COMPARED = {"lt": "<", "gt": ">", "leq": "<=", "geq": ">=", "eq": "=="}
CALLS = {
    "abs": "abs", "root": "sqrt", "exp": "exp", "ln": "log", "floor": "floor", "ceiling": "ceiling", "sin": "sin",
    "cos": "cos", "tan": "tan", "arcsin": "asin", "arccos": "acos", "arctan": "atan",
}  # fmt: skip
CONSTANTS = {"pi": "3.141592653589793", "exponentiale": "2.718281828459045", "true": "1", "false": "0"}


class MathMl:
    """Translates one calculation after the other; `named` gives the expression of a variable."""

    def __init__(self, formulas: Formulas, named: Callable[[str], str]) -> None:
        self._formulas, self._named = formulas, named

    def text(self, element: ET.Element) -> str:
        """The expression of an element."""
        tag = element.tag
        if tag == "cn":
            return number(_number(element))
        if tag == "ci":
            return self._named((element.text or "").strip())
        if tag in CONSTANTS:
            return CONSTANTS[tag]
        if tag == "piecewise":
            return self._piecewise(element)
        if tag == "apply":
            return self._apply(element)
        raise InputError(f"MathML: <{tag}> is not read here")

    def _apply(self, element: ET.Element) -> str:
        head, *rest = list(element)
        if head.tag in ("piecewise", "apply", "ci", "cn"):  # a superfluous <apply>
            return self.text(head)
        inside = [self.text(piece) for piece in rest if piece.tag not in ("degree", "logbase")]
        f, tag = self._formulas, head.tag
        if tag in SIGNS:
            return f.chain(SIGNS[tag], inside)
        if tag in COMPARED and len(inside) == 2:
            return f"({f.short(inside[0])} {COMPARED[tag]} {f.short(inside[1])})"
        if tag == "neq":
            return f"(not ({f.short(inside[0])} == {f.short(inside[1])}))"
        if tag == "not":
            return f"(not {f.short(inside[0])})"
        if tag == "minus":
            return f"(-{f.short(inside[0])})" if len(inside) == 1 else f"({f.short(inside[0])} - {f.short(inside[1])})"
        if tag == "divide":
            return f"({f.short(inside[0])} / {f.short(inside[1])})"
        if tag == "power":
            return f"({f.short(inside[0])} ^ {f.short(inside[1])})"
        if tag in ("min", "max"):
            return f.nested(tag, inside)
        if tag == "csymbol" and (head.text or "").strip() == "atan2":
            return f.call("atan2", *inside)
        if tag in CALLS and len(rest) == len(inside) == 1:
            return f.call(CALLS[tag], inside[0])
        raise InputError(f"MathML: <{tag}/> with {len(rest)} arguments is not read here")

    def _piecewise(self, element: ET.Element) -> str:
        otherwise = element.find("otherwise")
        if otherwise is None:
            raise InputError("MathML: a <piecewise> without <otherwise> has no value where no condition holds")
        found = self.text(otherwise[0])
        for piece in reversed(element.findall("piece")):
            value, condition = (self.text(one) for one in piece)
            found = self._formulas.call("if", condition, value, found)
        return found


def _number(element: ET.Element) -> float:
    """Of a <cn>, whose exponent may stand behind a <sep/>."""
    exponent = element.find("sep")
    text = (element.text or "").strip()
    return float(f"{text}e{(exponent.tail or '').strip()}" if exponent is not None else text)
