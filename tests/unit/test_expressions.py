"""The grammar of measures: what it reads, what it refuses and where, and that no text can do harm."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cupola.schema.expressions import DEEPEST, FUNCTIONS, LONGEST, MOST, ExpressionError, Node, parse_expression
from cupola.schema.units import ONE, SECOND, UNKNOWN, read_unit


def spelled(node: Node) -> str:
    """A tree with all its parentheses."""
    inside = [spelled(one) for one in node.inside]
    if node.kind == "number":
        return f"{node.value:g}" + (f"[{node.unit.text}]" if node.unit else "")
    if node.kind in ("name", "text"):
        return node.word
    if node.kind in FUNCTIONS:
        return f"{node.kind}({', '.join(inside)})"
    return f"({node.kind} {' '.join(inside)})"


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("1 + 2 * 3", "(+ 1 (* 2 3))"),
        ("1 - 2 - 3", "(- (- 1 2) 3)"),
        ("8 / 4 / 2", "(/ (/ 8 4) 2)"),
        ("2 ^ 3 ^ 2", "(^ 2 (^ 3 2))"),
        ("-2 ^ 2", "(negative (^ 2 2))"),
        ("2 ^ -1", "(^ 2 (negative 1))"),
        ("(1 + 2) * 3", "(* (+ 1 2) 3)"),
        ("a.x < 1 and not b.y > 2 or c.z == 3", "(or (and (< a.x 1) (not (> b.y 2))) (== c.z 3))"),
        ("rms(a.x - b.x when a.z > 2)", "rms((when (- a.x b.x) (> a.z 2)))"),
        ("max(a.x, 2, -b.y)", "max(a.x, 2, (negative b.y))"),
        ("a.command.0 + a.out[3]", "(+ a.command.0 a.out[3])"),
        ("`a.odd-name x` * 2", "(* a.odd-name x 2)"),
        ("a.phase == 'take-off'", "(== a.phase take-off)"),
        ('a.phase == "take-off"', "(== a.phase take-off)"),
        (".5e1 + 1.", "(+ 5 1)"),
    ],
)
def test_operators_bind_as_in_a_book(text, tree):
    assert spelled(parse_expression(text)) == tree


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("5 cm", 0.05, "m"),
        ("90 deg", math.pi / 2, "rad"),
        ("36 km/h", 10.0, "m/s"),
        ("2 m/s²", 2.0, "m/s²"),
        ("2 m/s^2", 2.0, "m/s^2"),
        ("3 N m", 3.0, "N m"),
        ("60 rpm", 2 * math.pi, "rad/s"),
        ("50 %", 0.5, "1"),
        ("2 min", 120.0, "s"),
    ],
)
def test_numbers_may_have_units_and_become_si(text, value, unit):
    node = parse_expression(text)
    assert node.value == pytest.approx(value, rel=1e-15)
    assert node.unit is not None and node.unit.text == unit


def test_what_follows_a_number_is_a_unit_only_where_it_cannot_be_a_signal():
    assert spelled(parse_expression("3 m/s.x")) == "(/ 3[m] s.x)"
    assert spelled(parse_expression("3 m / 2 s")) == "(/ 3[m] 2[s])"
    with pytest.raises(ExpressionError, match="character 3: expected the end or an operator, got 'min'"):
        parse_expression("3 min(a.x)")


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        ("", 1, "expected a number"),
        ("   ", 4, "expected a number"),
        ("1 +", 4, "expected a number"),
        ("rms(a.x", 8, "after the arguments of rms"),
        ("(a.x + 1", 9, "for the '\\(' at character 1"),
        ("a.x b.x", 5, "expected the end"),
        ("a.x < 1 < 2", 9, "do not chain"),
        ("rsm(a.x)", 1, "no function 'rsm'; there are: abs, sqrt"),
        ("rms()", 5, "expected a number"),
        ("rms(a.x, b.x)", 1, "rms takes one argument, got 2"),
        ("1 + $", 5, "'\\$' means nothing"),
        ("a.x = 2", 5, "'=' means nothing"),
        ("a.x != 2", 5, "'!' means nothing"),
        ("1e999", 1, "too large"),
        ("'text", 1, "means nothing"),
    ],
)
def test_a_mistake_is_answered_with_its_place(text, at, words):
    with pytest.raises(ExpressionError, match=f"^character {at}: .*{words}"):
        parse_expression(text)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000 + "1" + ")" * 5000,
        "(" * (DEEPEST + 1) + "1" + ")" * (DEEPEST + 1),
        "-" * 900 + "1",
        "not " * 240 + "a.x > 1",
        "^".join(["2"] * 400),
        "abs(" * 200 + "1" + ")" * 200,
        "+".join(["1"] * (MOST + 1)),
        "1" * (LONGEST + 1),
        "(" * 900,
    ],
    ids=lambda text: f"{text[:8]} x {len(text)}",
)
def test_no_text_is_too_deep_or_too_long(text):
    with pytest.raises(ExpressionError):
        parse_expression(text)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "a.__class__.__mro__()",
        "lambda: 1",
        "[x for x in y]",
        "1 if 2 else 3",
        "open('/etc/passwd')",
        "a.x; b.x",
        "exec('1')",
        "{1}",
        "a.x @ b.x",
        "0x41",
        "1_000",
    ],
)
def test_nothing_of_python_gets_through(text):
    with pytest.raises(ExpressionError):
        parse_expression(text)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="abc.123+-*/^()<>=, 'mswhenandotrN`[]%°", max_size=60))
def test_any_text_is_read_or_refused_with_its_place(text):
    try:
        parse_expression(text)
    except ExpressionError as error:
        assert str(error).startswith("character ")


@pytest.mark.parametrize(
    ("text", "factor", "said"),
    [
        ("kg/m³", 1.0, "kg/m³"),
        ("N m", 1.0, "N m"),
        ("1/m/s", 1.0, "1/m/s"),
        ("km", 1e3, "m"),
        ("furlong", 1.0, "furlong"),
    ],
)
def test_units_are_read(text, factor, said):
    found, unit = read_unit(text)
    assert (found, unit.text) == (factor, said)
    assert (unit.powers is None) == (text == "furlong")


def test_products_roots_and_integrals_have_units():
    newton, metre, watt = (read_unit(text)[1] for text in ("N", "m", "W"))
    assert newton.times(metre).text == "J"
    assert watt.times(SECOND).text == "J"
    assert newton.times(SECOND).text == "N s"
    assert metre.times(SECOND, -2.0).text == "m/s²"
    assert metre.to(2.0).to(0.5).same(metre)
    assert read_unit("rad/s")[1].times(SECOND).text == "rad"
    assert metre.times(metre, -1.0).text == "1"
    assert read_unit("N m")[1].same(read_unit("J")[1])
    assert read_unit("rad")[1].same(ONE)
    assert not metre.same(SECOND)
    assert newton.times(read_unit("furlong")[1]) == UNKNOWN
