"""Expressions on the signals of a run, as `rms(plane.controller.height_error when time > 10 s)`: text to a tree.

    expression   choice [when choice]
    choice       both {or both}            both    negated {and negated}        negated    not negated | compared
    compared     sum [< <= > >= == sum]    sum     product {+ - product}        product    signed {* / signed}
    signed       - signed | power          power   value [^ signed]
    value        number [unit] | name | 'text' | function(expression, ...) | (expression)

Nothing of it is ever run as Python. A name is that of a signal; in backquotes it may have any characters.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from cupola.schema.units import SYMBOLS, Unit, read_unit

LONGEST, DEEPEST, MOST = 1000, 32, 200
"""Characters, levels, and nodes of a tree."""
WORDS = ("and", "or", "not", "when")
FUNCTIONS = {
    "abs": (1, 1),
    "sqrt": (1, 1),
    "min": (1, 8),
    "max": (1, 8),
    "norm": (1, 8),
    "derivative": (1, 1),
    "rms": (1, 1),
    "mean": (1, 1),
    "first": (1, 1),
    "final": (1, 1),
    "integral": (1, 1),
    "duration": (1, 1),
    "time_of": (1, 1),
    "count": (1, 1),
}
"""Fewest and most arguments of each function."""
COMPARED = ("<=", ">=", "==", "<", ">")
TOKEN = re.compile(
    r"""\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
    |(?P<name>[^\W\d]\w*(?:\.\w+)*(?:\[\d+\])?)
    |`(?P<quoted>[^`]*)`
    |(?P<text>'[^']*'|"[^"]*")
    |(?P<sign><=|>=|==|[-+*/^()<>,]))""",
    re.VERBOSE,
)
_ONE = "|".join(sorted(map(re.escape, {*SYMBOLS, "N m", "N s"} - {"1"}), key=len, reverse=True))
_POWER = r"(?:[²³]|\^-?\d)?"
UNIT = re.compile(rf"\s*((?:{_ONE}){_POWER}(?:/(?:{_ONE}){_POWER})*)(?![\w.\[(])")
"""What may stand behind a number."""


class ExpressionError(ValueError):
    """What is wrong with an expression, and where."""

    def __init__(self, at: int, message: str) -> None:
        super().__init__(f"character {at + 1}: {message}")


class Node(NamedTuple):
    """A piece of an expression."""

    kind: str
    """number, name, text, or the name of a function or an operator."""
    at: int
    """Where it stands in the text."""
    inside: "tuple[Node, ...]" = ()
    value: float = 0.0
    """Of a number, SI."""
    word: str = ""
    """Of a name or a text."""
    unit: Unit | None = None
    """Of a number that has one."""


class Token(NamedTuple):
    """A word of the text."""

    kind: str
    word: str
    at: int
    value: float = 0.0
    unit: Unit | None = None


def parse_expression(text: str, functions: Mapping[str, tuple[int, int]] = FUNCTIONS) -> Node:
    """The tree of an expression that calls these functions; refuses everything else."""
    if len(text) > LONGEST:
        raise ExpressionError(LONGEST, f"an expression has at most {LONGEST} characters, this one {len(text)}")
    return _Parser(_tokens(text), functions).whole()


def _tokens(text: str) -> list[Token]:
    found, at = [], 0
    while text[at:].strip():
        match = TOKEN.match(text, at)
        if match is None:
            start = at + len(text[at:]) - len(text[at:].lstrip())
            raise ExpressionError(start, f"{text[start]!r} means nothing here")
        kind = str(match.lastgroup)
        word, start, at = match[kind], match.start(kind), match.end()
        if kind == "number":
            unit = UNIT.match(text, at)
            value, factor, said = float(word), 1.0, None
            if unit:
                factor, said = read_unit(unit[1])
                at = unit.end()
            if not abs(value * factor) < 1e300:
                raise ExpressionError(start, f"{word} is too large")
            found.append(Token("number", word, start, value * factor, said))
        elif kind == "text":
            found.append(Token("text", word[1:-1], start))
        elif kind == "name" and word in WORDS:
            found.append(Token("sign", word, start))
        else:
            found.append(Token("name" if kind == "quoted" else kind, word, start))
    return [*found, Token("end", "", len(text))]


class _Parser:
    """Goes through the tokens once; no tree is deeper or larger than is allowed."""

    def __init__(self, tokens: list[Token], functions: Mapping[str, tuple[int, int]]) -> None:
        self._tokens, self._functions = tokens, functions
        self._next = self._depth = self._nodes = 0

    def whole(self) -> Node:
        tree = self._expression()
        if self._now.kind != "end":
            raise ExpressionError(self._now.at, f"expected the end or an operator, got {self._now.word!r}")
        return tree

    @property
    def _now(self) -> Token:
        return self._tokens[self._next]

    def _take(self, *signs: str) -> Token | None:
        """The present token if it is one of these signs."""
        token = self._now
        if token.kind != "sign" or token.word not in signs:
            return None
        self._next += 1
        return token

    def _must(self, sign: str, why: str) -> None:
        if not self._take(sign):
            raise ExpressionError(self._now.at, f"expected {sign!r} {why}, got {self._now.word or 'the end'!r}")

    def _node(self, kind: str, at: int, *inside: Node) -> Node:
        self._nodes += 1
        if self._nodes > MOST:
            raise ExpressionError(at, f"an expression has at most {MOST} pieces")
        return Node(kind, at, inside)

    def _deeper(self, at: int) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise ExpressionError(at, f"an expression has at most {DEEPEST} levels")

    def _expression(self) -> Node:
        self._deeper(self._now.at)
        tree = self._chain(("or",))
        if token := self._take("when"):
            tree = self._node("when", token.at, tree, self._chain(("or",)))
        self._depth -= 1
        return tree

    _LEVELS = (("or",), ("and",), ("not",), COMPARED, ("+", "-"), ("*", "/"))

    def _chain(self, signs: tuple[str, ...]) -> Node:
        """Operators of one level, from left to right."""
        level = self._LEVELS.index(signs)
        if signs == ("not",):
            return self._negated()
        tree = self._below(level)
        while token := self._take(*signs):
            tree = self._node(token.word, token.at, tree, self._below(level))
            if signs == COMPARED:
                if self._now.word in COMPARED:
                    raise ExpressionError(self._now.at, "comparisons do not chain: join them with 'and'")
                break
        return tree

    def _below(self, level: int) -> Node:
        return self._signed() if level + 1 == len(self._LEVELS) else self._chain(self._LEVELS[level + 1])

    def _negated(self) -> Node:
        token = self._take("not")
        if token is None:
            return self._chain(COMPARED)
        self._deeper(token.at)
        tree = self._node("not", token.at, self._negated())
        self._depth -= 1
        return tree

    def _signed(self) -> Node:
        token = self._take("-")
        if token is None:
            return self._power()
        self._deeper(token.at)
        tree = self._node("negative", token.at, self._signed())
        self._depth -= 1
        return tree

    def _power(self) -> Node:
        tree = self._value()
        token = self._take("^")
        if token is None:
            return tree
        self._deeper(token.at)
        tree = self._node("^", token.at, tree, self._signed())
        self._depth -= 1
        return tree

    def _value(self) -> Node:
        token = self._now
        if self._take("("):
            tree = self._expression()
            self._must(")", f"for the '(' at character {token.at + 1}")
            return tree
        if token.kind not in ("number", "name", "text"):
            raise ExpressionError(
                token.at, f"expected a number, a signal or a function, got {token.word or 'the end'!r}"
            )
        self._next += 1
        if token.kind == "name" and self._take("("):
            return self._call(token)
        node = self._node(token.kind, token.at)
        return node._replace(value=token.value, word=token.word, unit=token.unit)

    def _call(self, token: Token) -> Node:
        if token.word not in self._functions:
            known = ", ".join(self._functions)
            raise ExpressionError(token.at, f"there is no function {token.word!r}; there are: {known}")
        inside = [self._expression()]
        while self._take(","):
            inside.append(self._expression())
        self._must(")", f"after the arguments of {token.word}")
        fewest, most = self._functions[token.word]
        if not fewest <= len(inside) <= most:
            raise ExpressionError(token.at, f"{token.word} takes {_range(fewest, most)}, got {len(inside)}")
        return self._node(token.word, token.at, *inside)


def _range(fewest: int, most: int) -> str:
    return "one argument" if fewest == most == 1 else f"{fewest} to {most} arguments"
