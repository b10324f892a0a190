"""Calculations of DAVE-ML, which are content MathML, as expressions."""

from collections.abc import Callable
from xml.etree import ElementTree as ET

from cupola.bridge.formulas import Formulas, number
from cupola.schema.input_files import InputError, finite

SIGNS = {"plus": "+", "times": "*", "and": "and", "or": "or"}
"""Of any number of arguments."""
BETWEEN = {"divide": "/", "power": "^", "lt": "<", "gt": ">", "leq": "<=", "geq": ">=", "eq": "=="}
"""Of two."""
CALLS = {
    "abs": "abs", "root": "sqrt", "exp": "exp", "ln": "log", "floor": "floor", "ceiling": "ceiling", "sin": "sin",
    "cos": "cos", "tan": "tan", "arcsin": "asin", "arccos": "acos", "arctan": "atan",
}  # fmt: skip
"""Of one; functions here."""
WRITTEN = {
    "sec": "(1 / cos({0}))", "csc": "(1 / sin({0}))", "cot": "(1 / tan({0}))", "not": "(not {0})",
    "arcsec": "acos(1 / {0})", "arccsc": "asin(1 / {0})", "arccot": "atan(1 / {0})",
    "sinh": "(0.5 * (exp({0}) - exp(-{0})))", "cosh": "(0.5 * (exp({0}) + exp(-{0})))",
    "tanh": "(1 - 2 / (exp(2 * {0}) + 1))", "arcsinh": "(sign({0}) * log(abs({0}) + sqrt({0} * {0} + 1)))",
    "arccosh": "log({0} + sqrt({0} * {0} - 1))", "arctanh": "(0.5 * log((1 + {0}) / (1 - {0})))",
}  # fmt: skip
"""Of one, written out."""
PAIRS = {
    "neq": "(not ({0} == {1}))",
    "xor": "(not ((not {0}) == (not {1})))",
    "implies": "((not {0}) or {1})",
    # Both are cut towards zero, as in C and Fortran.
    "quotient": "(sign({0} / {1}) * floor(abs({0} / {1})))",
    "rem": "({0} - {1} * sign({0} / {1}) * floor(abs({0} / {1})))",
    "atan2": "atan2({0}, {1})",
}
"""Of two, written out."""
CONSTANTS = {"pi": "3.141592653589793", "exponentiale": "2.718281828459045", "true": "1", "false": "0"}
QUALIFIERS = ("degree", "logbase")


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
            return self._named("".join(element.itertext()).strip())
        if tag in CONSTANTS:
            return CONSTANTS[tag]
        if tag == "piecewise":
            return self._piecewise(element)
        if tag == "apply":
            return self._apply(element)
        if tag == "semantics":  # what follows the first is how it is drawn
            return self.text(next(iter(element), element.makeelement("nothing", {})))
        raise InputError(f"MathML: <{tag}> is not read here")

    def _apply(self, element: ET.Element) -> str:
        if not len(element):
            raise InputError("MathML: an <apply> is empty")
        head, *rest = list(element)
        if head.tag in ("piecewise", "apply", "ci", "cn") and not rest:  # a superfluous <apply>
            return self.text(head)
        tag = (head.text or "").strip() if head.tag == "csymbol" else head.tag
        qualifiers = {piece.tag: piece for piece in rest if piece.tag in QUALIFIERS}
        inside = [self.text(piece) for piece in rest if piece.tag not in QUALIFIERS]
        if qualifiers:
            return self._qualified(tag, qualifiers, inside)
        f, count = self._formulas, len(inside)
        if tag in SIGNS and inside:
            return f.chain(SIGNS[tag], inside)
        if tag in ("min", "max") and inside:
            return f.nested(tag, inside)
        if count == 2 and (tag in BETWEEN or tag == "minus"):
            return f"({f.short(inside[0])} {BETWEEN.get(tag, '-')} {f.short(inside[1])})"
        if count == 1 and tag == "minus":
            return f"(-{f.short(inside[0])})"
        if count == 1 and tag in CALLS:
            return f.call(CALLS[tag], inside[0])
        if count == 1 and tag == "log":
            return self._logarithm("10.0", inside[0])
        forms = {1: WRITTEN, 2: PAIRS}.get(count, {})
        if tag in forms:
            return f.short(forms[tag].format(*(f.named(piece) for piece in inside)))
        raise InputError(f"MathML: <{tag or head.tag}/> with {count} arguments is not read here")

    def _qualified(self, tag: str, qualifiers: dict[str, ET.Element], inside: list[str]) -> str:
        """A root with its degree, or a logarithm with its base."""
        if len(inside) == 1 and (tag, *qualifiers) == ("root", "degree"):
            degree = self.text(only(qualifiers["degree"]))
            return f"({self._formulas.short(inside[0])} ^ (1 / {self._formulas.short(degree)}))"
        if len(inside) == 1 and (tag, *qualifiers) == ("log", "logbase"):
            return self._logarithm(self.text(only(qualifiers["logbase"])), inside[0])
        raise InputError(f"MathML: <{tag}/> with <{next(iter(qualifiers))}> is not read here")

    def _logarithm(self, base: str, of: str) -> str:
        f = self._formulas
        return f"(log({f.short(of)}) / log({f.short(base)}))"

    def _piecewise(self, element: ET.Element) -> str:
        otherwise = element.find("otherwise")
        if otherwise is None:
            raise InputError("MathML: a <piecewise> without <otherwise> has no value where no condition holds")
        found = self.text(only(otherwise))
        for piece in reversed(element.findall("piece")):
            if len(piece) != 2:
                raise InputError(f"MathML: a <piece> has a value and a condition, got {len(piece)} elements")
            value, condition = (self.text(one) for one in piece)
            found = self._formulas.call("if", condition, value, found)
        return found


def only(element: ET.Element) -> ET.Element:
    """The one element inside another."""
    if len(element) != 1:
        raise InputError(f"MathML: <{element.tag}> holds one element, got {len(element)}")
    return element[0]


def _number(element: ET.Element) -> float:
    """Of a <cn>; its exponent or its denominator may stand behind a <sep/>."""
    kind, base = element.get("type", "real"), element.get("base", "10")
    first, after = (element.text or "").strip(), element.find("sep")
    second = (after.tail or "").strip() if after is not None else ""
    found: float | None = None
    if base == "10" and kind == "e-notation" and after is not None:
        found = finite(f"{first}e{second}")
    elif base == "10" and kind == "rational" and (below := finite(second)):
        above = finite(first)
        found = None if above is None else above / below
    elif base == "10" and kind in ("real", "integer", "double", "float", "e-notation", "constant") and after is None:
        found = finite(first)
    if found is None:
        said = f"{first} {second}".strip()
        raise InputError(f"MathML: <cn type={kind!r} base={base!r}> {said!r} is no number that is read here")
    return found
