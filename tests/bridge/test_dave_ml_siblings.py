"""DAVE-ML files written in the ways the standard allows: each is read rightly, or refused with its place and reason."""

import math

import pytest

from cupola.bridge.dave_ml.checks import run_checks
from cupola.bridge.dave_ml.document import read_dave_ml
from cupola.bridge.dave_ml.units import factor
from cupola.schema.yaml_files import InputError

HEAD = '<?xml version="1.0"?><DAVEfunc xmlns="http://daveml.org/2010/DAVEML"><fileHeader name="x"/>'
INPUTS = """<variableDef name="angleOfAttack" varID="a" units="deg"><isInput/></variableDef>
<variableDef name="mach" varID="m" units="nd"><isControl/></variableDef>"""
OUT = '<variableDef name="out" varID="out" units="{}">{}<isOutput/></variableDef>'
MATH = '<calculation><math xmlns="http://www.w3.org/1998/Math/MathML">{}</math></calculation>'
BREAKS = '<breakpointDef bpID="A"><bpVals>0 10 20</bpVals></breakpointDef>'
ONE = """<function name="f"><independentVarRef varID="a" {0}/><dependentVarRef varID="out"/><functionDefn>
{1}</functionDefn></function>"""
GRID = """<griddedTableDef><breakpointRefs><bpRef bpID="A"/></breakpointRefs><dataTable>1 3 7</dataTable>
</griddedTableDef>"""
SIGNAL = "<signal>{}<signalValue>{}</signalValue>{}</signal>"


def shot(out, a=5.0, m=0.5, tol="<tol>1e-12</tol>", name="<signalName>out</signalName>"):
    inputs = SIGNAL.format("<signalName>angleOfAttack</signalName><signalUnits>deg</signalUnits>", a, "")
    inputs += SIGNAL.format("<varID>m</varID>", m, "")
    return (
        f'<checkData><staticShot name="s"><checkInputs>{inputs}</checkInputs>'
        f"<checkOutputs>{SIGNAL.format(name, out, tol)}</checkOutputs></staticShot></checkData>"
    )


def written(folder, *pieces, head=HEAD):
    (folder / "x.dml").write_text(head + "".join(pieces) + "</DAVEfunc>")
    return read_dave_ml(folder / "x.dml")


def one(tag, *inside):
    return MATH.format(f"<apply>{tag}{''.join(inside)}</apply>")


A, TWO = "<ci>a</ci>", "<cn>2</cn>"
CALCULATED = {  # of a = 5
    one("<root/>", "<degree><cn>3</cn></degree>", A): 5 ** (1 / 3),
    one("<log/>", A): math.log10(5),
    one("<log/>", "<logbase><cn>2</cn></logbase>", A): math.log2(5),
    one("<rem/>", "<cn>-7</cn>", TWO): -1.0,
    one("<quotient/>", "<cn>-7</cn>", TWO): -3.0,
    one("<sec/>", A): 1 / math.cos(5),
    one("<csc/>", A): 1 / math.sin(5),
    one("<cot/>", A): 1 / math.tan(5),
    one("<arccot/>", A): math.atan(1 / 5),
    one("<sinh/>", TWO): math.sinh(2),
    one("<cosh/>", "<cn>-2</cn>"): math.cosh(2),
    one("<tanh/>", TWO): math.tanh(2),
    one("<arcsinh/>", "<cn>-2</cn>"): math.asinh(-2),
    one("<arccosh/>", TWO): math.acosh(2),
    one("<arctanh/>", "<cn>0.5</cn>"): math.atanh(0.5),
    one("<xor/>", "<cn>2</cn>", "<cn>1</cn>"): 0.0,
    one("<implies/>", "<true/>", "<false/>"): 0.0,
    one("<times/>", "<cn type='rational'>1<sep/>3</cn>", A): 5 / 3,
    one("<csymbol definitionURL='http://daveml.org/function_spaces.html#atan2'>atan2</csymbol>", A, TWO): math.atan2(
        5, 2
    ),
    MATH.format("<semantics><ci> a </ci><annotation>alpha</annotation></semantics>"): 5.0,
}


@pytest.mark.parametrize("text", CALCULATED, ids=range(len(CALCULATED)))
def test_functions_of_mathml(tmp_path, text):
    model = written(tmp_path, INPUTS, OUT.format("nd", text), shot(CALCULATED[text]))
    (checked,) = run_checks(model)
    assert checked.passed, checked


READ = {
    "points of one variable, in any order": (
        OUT.format("nd", "") + ONE.format("", "<ungriddedTableDef><dataPoint>10, 3</dataPoint>"
        "<dataPoint>0 1</dataPoint></ungriddedTableDef>"), 2.0),
    "scattered points that are a grid, by reference": (
        OUT.format("nd", "") + '<ungriddedTableDef utID="U"><dataPoint>0 0 1</dataPoint><dataPoint>0 1 2</dataPoint>'
        "<dataPoint>10 1 4</dataPoint><dataPoint>10 0 3</dataPoint></ungriddedTableDef>"
        '<function name="f"><independentVarRef varID="a"/><independentVarRef varID="m"/><dependentVarRef varID="out"/>'
        '<functionDefn><ungriddedTableRef utID="U"/></functionDefn></function>', 2.5),
    "a function of two variables, written out": (
        OUT.format("nd", "") + '<function name="f"><independentVarPts varID="a">0 10</independentVarPts>'
        '<independentVarPts varID="m">0 1</independentVarPts><dependentVarPts varID="out">1 2 3 4</dependentVarPts>'
        "</function>", 2.5),
    "the nearest break": (BREAKS + OUT.format("nd", "") + ONE.format('interpolate="discrete"', GRID), 3.0),
    "the break below": (BREAKS + OUT.format("nd", "") + ONE.format('interpolate="floor"', GRID), 1.0),
    "the break above": (BREAKS + OUT.format("nd", "") + ONE.format('interpolate="ceiling"', GRID), 3.0),
    "in steps over one variable, linear over the other": (
        BREAKS + '<breakpointDef bpID="M"><bpVals>0 1 2</bpVals></breakpointDef>' + OUT.format("nd", "")
        + '<function name="f"><independentVarRef varID="a"/><independentVarRef varID="m" interpolate="ceiling"/>'
        '<dependentVarRef varID="out"/><functionDefn><griddedTableDef><breakpointRefs><bpRef bpID="A"/>'
        '<bpRef bpID="M"/></breakpointRefs>'
        "<dataTable>1 2 9, 3 8 9, 5 7 9</dataTable></griddedTableDef></functionDefn></function>", 5.0),
    "extended over one variable, in steps over the other": (
        BREAKS.replace("0 10 20", "0 2 4") + '<breakpointDef bpID="M"><bpVals>0 1 2</bpVals></breakpointDef>'
        + OUT.format("nd", "") + '<function name="f"><independentVarRef varID="a" extrapolate="both"/>'
        '<independentVarRef varID="m" interpolate="floor"/><dependentVarRef varID="out"/><functionDefn>'
        '<griddedTableDef><breakpointRefs><bpRef bpID="A"/><bpRef bpID="M"/></breakpointRefs>'
        "<dataTable>1 2 9, 3 8 9, 5 7 9</dataTable></griddedTableDef></functionDefn></function>", 6.0),
    "limits of the reference": (BREAKS + OUT.format("nd", "") + ONE.format('min="8" max="9"', GRID), 2.6),
    "variables before they are defined": (
        OUT.format("nd", one("<times/>", "<ci>late</ci>", TWO))
        + f'<variableDef name="late" varID="late" units="nd">{MATH.format(A)}</variableDef>', 10.0),
    "names that differ only in signs": (
        '<variableDef name="p" varID="k-1" units="nd" initialValue="3"/>'
        '<variableDef name="q" varID="k_1" units="nd" initialValue="4"/>'
        + OUT.format("nd", one("<minus/>", "<ci>k-1</ci>", "<ci>k_1</ci>")), -1.0),
    "endless limits": (
        f'<variableDef name="l" varID="l" units="nd" minValue="-INF" maxValue="3">{MATH.format(A)}</variableDef>'
        + OUT.format("nd", MATH.format("<ci>l</ci>")), 3.0),
    "a table of three variables, extended at both ends of one": (
        BREAKS + '<breakpointDef bpID="M"><bpVals>0 1</bpVals></breakpointDef><breakpointDef bpID="K">'
        '<bpVals>0 2</bpVals></breakpointDef><variableDef name="k" varID="k" units="nd" initialValue="3"/>'
        + OUT.format("nd", "") + '<function name="f"><independentVarRef varID="a"/><independentVarRef varID="m"/>'
        '<independentVarRef varID="k" extrapolate="both"/><dependentVarRef varID="out"/><functionDefn><griddedTableDef>'
        '<breakpointRefs><bpRef bpID="A"/><bpRef bpID="M"/><bpRef bpID="K"/></breakpointRefs>'
        "<dataTable>1 2, 3 4, 5 7, 6 9, 8 3, 1 0</dataTable></griddedTableDef></functionDefn></function>", 6.375),
    "one break": (
        BREAKS.replace("0 10 20", "4") + OUT.format("nd", "") + ONE.format("", GRID.replace("1 3 7", "9")), 9.0),
    "extended below only, above it is held": (
        BREAKS.replace("0 10 20", "0 2 4") + OUT.format("nd", "") + ONE.format('extrapolate="min"', GRID), 7.0),
    "extended above": (
        BREAKS.replace("0 10 20", "0 2 4") + OUT.format("nd", "") + ONE.format('extrapolate="max"', GRID), 9.0),
    "an uncertainty": (
        OUT.format("nd", MATH.format(A) + '<uncertainty effect="additive"><normalPDF numSigmas="3"><bounds>0.1'
        "</bounds></normalPDF></uncertainty>"), 5.0),
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_files_that_are_read(tmp_path, name):
    pieces, value = READ[name]
    (checked,) = run_checks(written(tmp_path, INPUTS, pieces, shot(value)))
    assert checked.passed, checked


@pytest.mark.parametrize(
    "head",
    [
        '<?xml version="1.0" standalone="no"?><!DOCTYPE DAVEfunc PUBLIC "-//AIAA//DTD for Flight Dynamic Models - '
        'Functions 1.9//EN" "DAVEfunc.dtd"><DAVEfunc><fileHeader name="x"/>',
        '<DAVEfunc xmlns="http://daveml.org/2010/DAVEML" xmlns:m="http://www.w3.org/1998/Math/MathML">',
    ],
)
def test_headers_of_other_editions(tmp_path, head):
    text = MATH.format(A)
    if "xmlns:m" in head:
        text = "<calculation><m:math><m:ci>a</m:ci></m:math></calculation>"
    (checked,) = run_checks(written(tmp_path, INPUTS, OUT.format("nd", text), shot(5.0), head=head))
    assert checked.passed


def test_check_cases_in_other_units_without_tolerance_and_by_id(tmp_path):
    out = OUT.format("deg", MATH.format(A))
    names = "<signalName>out</signalName><signalUnits>rad</signalUnits>"
    for name, value in ((names, math.radians(5.0)), ("<varID>out</varID>", 5.0), ("<signalID>out</signalID>", 5.0)):
        (checked,) = run_checks(written(tmp_path, INPUTS, out, shot(value, tol="", name=name)))
        assert checked.passed, checked
    assert run_checks(written(tmp_path, INPUTS, out)) == []


@pytest.mark.parametrize(
    ("units", "si"),  # as NIST SP 811 prints them
    [("lbf_in2", 6894.757), ("inHg", 3386.389), ("nmi", 1852.0), ("slug_ft3", 515.3788), ("ftlbf", 1.355818),
     ("slugft2", 1.355818), ("nmi_h", 0.5144444), ("mi", 1609.344), ("rpm", 0.1047198), ("dgR", 1 / 1.8)],
)  # fmt: skip
def test_units_are_those_of_the_tables(units, si):
    assert factor(units, "x") == pytest.approx(si, rel=1e-6)


IT = OUT.format("nd", MATH.format(A))
REFUSED = {
    "a spline of nobody": (BREAKS + OUT.format("nd", "") + ONE.format('interpolate="akima"', GRID),
        "function f: interpolation 'akima' is unknown; there are: linear, discrete, floor, ceiling, quadraticSpline"),
    "a spline of too few values": (
        BREAKS + OUT.format("nd", "") + ONE.format('interpolate="cubicSpline"', GRID.replace("1 3 7", "1 3")),
        r"function f: breaks \(3\) need 3 values, got 2"),
    "a spline whose breaks fall": (
        BREAKS.replace("0 10 20", "20 10 0") + OUT.format("nd", "") + ONE.format('interpolate="cubicSpline"', GRID),
        "function f: the breaks of a must rise"),
    "a spline through one point": (
        BREAKS.replace("0 10 20", "0") + OUT.format("nd", "")
        + ONE.format('interpolate="quadraticSpline"', GRID.replace("1 3 7", "1")),
        "interpolation 'quadraticSpline' needs two breaks at least"),
    "an unknown extrapolation": (BREAKS + OUT.format("nd", "") + ONE.format('extrapolate="none"', GRID),
        "function f: extrapolation 'none' is unknown"),
    "steps that go on": (BREAKS + OUT.format("nd", "") + ONE.format('interpolate="floor" extrapolate="max"', GRID),
        "extrapolation of what is interpolated by 'floor'"),
    "falling breaks": (BREAKS.replace("0 10 20", "20 10 0") + OUT.format("nd", "") + ONE.format("", GRID),
        r"function f: the breaks of a must rise"),
    "too few values": (BREAKS + OUT.format("nd", "") + ONE.format("", GRID.replace("1 3 7", "1 3")),
        r"function f: breaks \(3 of a\) need 3 values, got 2"),
    "a value that is none": (BREAKS + OUT.format("nd", "") + ONE.format("", GRID.replace("1 3 7", "1 nan 7")),
        "function f: dataTable: expected a finite number, got 'nan'"),
    "breaks in Fortran's way": (BREAKS.replace("10", "1.0D1"), "breakpointDef A: expected a finite number"),
    "no such breaks": (OUT.format("nd", "") + ONE.format("", GRID), "function f: there is no breakpointDef 'A'"),
    "no such table": (OUT.format("nd", "") + ONE.format("", '<griddedTableRef gtID="G"/>'),
        "function f: there is no griddedTableDef 'G'"),
    "two sources": (BREAKS + IT + ONE.format("", GRID), "out: has two sources: a calculation and function f"),
    "two functions": (BREAKS + OUT.format("nd", "") + ONE.format("", GRID) * 2, "out is already given by function f"),
    "one ID twice": (IT * 2, "there are two <variableDef> with the varID 'out'"),
    "a variable of itself": (OUT.format("nd", one("<plus/>", "<ci>out</ci>", TWO)), r"out needs itself: out -> out"),
    "repeated breaks": (BREAKS.replace("0 10 20", "0 10 10") + OUT.format("nd", "") + ONE.format("", GRID),
        "function f: the breaks of a must rise"),
    "breaks without end": (BREAKS.replace("20", "INF"), "breakpointDef A: expected a finite number, got 'INF'"),
    "a table of other variables": (
        BREAKS + OUT.format("nd", "") + ONE.format("", GRID.replace('<bpRef bpID="A"/>', '<bpRef bpID="A"/>' * 2)),
        "function f: has 1 variables, its table 2"),
    "no data": (BREAKS + OUT.format("nd", "") + ONE.format("", GRID.replace("1 3 7", "")), "need 3 values, got 0"),
    "a variable nobody has": (OUT.format("nd", MATH.format("<ci>ghost</ci>")), "ghost"),
    "a check value without end": (IT + shot("nan"), "staticShot s: out: signalValue and tol must be finite"),
    "a state": (OUT.format("nd", "<isState/>"), "variableDef out: is a state or its derivative"),
    "limits the wrong way round": ('<variableDef name="l" varID="l" units="nd" minValue="2" maxValue="1"/>',
        "variableDef l: minValue 2 is above maxValue 1"),
    "a limit that is none": ('<variableDef name="l" varID="l" units="nd" minValue="low"/>',
        "variableDef l: minValue: expected a finite number, got 'low'"),
    "a difference of three": (OUT.format("nd", one("<minus/>", A, A, A)), "out: MathML: <minus/> with 3 arguments"),
    "a quotient of three": (OUT.format("nd", one("<divide/>", A, A, A)), "out: MathML: <divide/> with 3 arguments"),
    "two calculations": (OUT.format("nd", MATH.format(A + A)), "out: MathML: <math> holds one element, got 2"),
    "an empty calculation": (OUT.format("nd", MATH.format("")), "out: MathML: <math> holds one element, got 0"),
    "an empty application": (OUT.format("nd", MATH.format("<apply/>")), "out: MathML: an <apply> is empty"),
    "a piece without condition": (
        OUT.format("nd", MATH.format(f"<piecewise><piece>{A}</piece><otherwise>{A}</otherwise></piecewise>")),
        "out: MathML: a <piece> has a value and a condition, got 1"),
    "a function of somebody": (OUT.format("nd", one("<csymbol>mine</csymbol>", A)), "out: MathML: <mine/> with 1 arg"),
    "a complex number": (OUT.format("nd", MATH.format("<cn type='complex-cartesian'>1<sep/>2</cn>")),
        "out: MathML: <cn type='complex-cartesian'"),
    "a number in another base": (OUT.format("nd", MATH.format("<cn base='16'>10</cn>")), "base='16'"),
    "an output nobody has": (IT + shot(1.0, name="<signalName>lift</signalName>"),
        "staticShot s: there is no output 'lift'; there are: out"),
    "a check value that is none": (IT + shot("five"), "staticShot s: out: signalValue and tol must be finite"),
    "a unit nobody knows": (
        IT + shot(1.0, name="<signalName>out</signalName><signalUnits>cubit</signalUnits>"), "unit 'cubit' of out"),
    "an input without value": (
        IT + '<variableDef name="flap" varID="flap" units="deg"><isDisturbance/></variableDef>' + shot(5.0),
        "staticShot s: gives no value of the input flap"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_files_that_are_refused(tmp_path, name):
    pieces, message = REFUSED[name]
    with pytest.raises(InputError, match=message) as refused:
        written(tmp_path, INPUTS, pieces)
    assert str(refused.value).startswith(f"{tmp_path}/x.dml: ") and "\n" not in str(refused.value)


def test_a_round_of_calculations_is_refused(tmp_path):
    round_ = OUT.format("nd", MATH.format("<ci>b</ci>"))
    round_ += f'<variableDef name="b" varID="b" units="nd">{MATH.format("<ci>out</ci>")}</variableDef>'
    with pytest.raises(InputError, match=r"values\.out needs itself: out -> b -> out"):
        written(tmp_path, INPUTS, round_)


def test_a_long_calculation_stands_beside_variables_of_its_name(tmp_path):
    """Its parts get names of their own: `long_1` and `long__2` may be variables."""
    parts = "".join(
        one("<times/>", A, f"<cn>{k / 8}</cn>")
        .removeprefix(MATH[: MATH.index("{")])
        .removesuffix("</math></calculation>")
        for k in range(60)
    )
    own = '<variableDef name="{0}" varID="{0}" units="nd">{1}</variableDef>'
    others = [
        own.format(f"long{mark}{k}", one("<times/>", A, f"<cn>{k}</cn>")) for mark in ("_", "__") for k in range(1, 4)
    ]
    names = ["long", *(f"long{mark}{k}" for mark in ("_", "__") for k in range(1, 4))]
    total = OUT.format("nd", one("<plus/>", *(f"<ci>{name}</ci>" for name in names)))
    wanted = 5.0 * sum(k / 8 for k in range(60)) + 2 * 5.0 * (1 + 2 + 3)
    for order in (
        [own.format("long", one("<plus/>", parts)), *others],
        [*others, own.format("long", one("<plus/>", parts))],
    ):
        (checked,) = run_checks(written(tmp_path, INPUTS, *order, total, shot(wanted)))
        assert checked.passed, checked
