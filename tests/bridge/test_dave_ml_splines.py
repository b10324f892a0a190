"""Splines of DAVE-ML files beside SciPy's, between the breaks, at them and beyond them."""

import itertools

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, make_interp_spline

from cupola.bridge.dave_ml.document import read_dave_ml
from cupola.parts.functions.evaluate import evaluate
from cupola.parts.functions.program import build

X, Y = [-2.0, -0.5, 0.0, 1.0, 3.0], [0.0, 1.0, 1.5, 4.0]
ONE_VALUES = np.array([1.0, -2.0, 0.5, 3.0, 2.0])
TWO_VALUES = np.add.outer(np.sin(X), np.square(Y)) + np.multiply.outer(X, np.cos(Y))
FILE = """<DAVEfunc><fileHeader/>
<variableDef name="x" varID="x" units="nd"><isInput/></variableDef>
<variableDef name="y" varID="y" units="nd"><isInput/></variableDef>
<variableDef name="out" varID="out" units="nd"><isOutput/></variableDef>
<breakpointDef bpID="X"><bpVals>{x}</bpVals></breakpointDef><breakpointDef bpID="Y"><bpVals>{y}</bpVals></breakpointDef>
<function name="f">{refs}<dependentVarRef varID="out"/><functionDefn><griddedTableDef><breakpointRefs>{bps}
</breakpointRefs><dataTable>{values}</dataTable></griddedTableDef></functionDefn></function></DAVEfunc>"""


def model_of(tmp_path, values, *attributes, breaks=X):
    names = "xy"[: len(attributes)]
    text = FILE.format(
        x=" ".join(map(str, breaks)), y=" ".join(map(str, Y)),
        refs="".join(f'<independentVarRef varID="{n}" {said}/>' for n, said in zip(names, attributes, strict=True)),
        bps="".join(f'<bpRef bpID="{name.upper()}"/>' for name in names),
        values=" ".join(map(repr, values.ravel().tolist())),
    )  # fmt: skip
    (tmp_path / "x.dml").write_text(text)
    return read_dave_ml(tmp_path / "x.dml")


def asked(model, x, y=0.0):
    return told(model, x, y)[0]


def told(model, x, y=0.0):
    """The value, and whether a table was left."""
    program = build(model.functions(), {"out": "out"})
    block = np.array(program.block)
    block[:2] = x, y
    outside = evaluate(block, program.code, program.lines, program.result, (), ())
    return float(block[program.wanted["out"]]), outside > 0.0


def curve(kind, breaks, values):
    if kind == "cubicSpline":
        return CubicSpline(breaks, values, bc_type="natural")
    return make_interp_spline(breaks, values, k={"quadraticSpline": 2, "linear": 1}[kind])


PLACES = [-2.0, -1.9, -0.5, -0.2, 0.0, 0.4, 0.5, 0.97, 1.0, 2.2, 3.0]


@pytest.mark.parametrize("kind", ["quadraticSpline", "cubicSpline"])
@pytest.mark.parametrize("extrapolate", ["neither", "min", "max", "both"])
def test_of_one_variable(tmp_path, kind, extrapolate):
    model = model_of(tmp_path, ONE_VALUES, f'interpolate="{kind}" extrapolate="{extrapolate}"')
    wanted = curve(kind, X, ONE_VALUES)
    low = -np.inf if extrapolate in ("min", "both") else X[0]
    high = np.inf if extrapolate in ("max", "both") else X[-1]
    for x in (-3.3, *PLACES, 4.1):
        value, outside = told(model, x)
        assert value == pytest.approx(float(wanted(np.clip(x, low, high))), rel=1e-12, abs=1e-12), x
        assert outside == (extrapolate == "neither" and not X[0] <= x <= X[-1])


@pytest.mark.parametrize(
    "kinds", [*itertools.product(("quadraticSpline", "cubicSpline"), repeat=2), ("linear", "cubicSpline"),
              ("quadraticSpline", "linear")],
)  # fmt: skip
def test_of_two_variables(tmp_path, kinds):
    """A tensor product: a curve over one variable through curves over the other."""
    model = model_of(tmp_path, TWO_VALUES, *(f'interpolate="{kind}"' for kind in kinds))
    for x, y in itertools.product((-1.3, 0.4, 1.0, 2.7), (0.2, 1.0, 3.1)):
        across = [float(curve(kinds[1], Y, row)(y)) for row in TWO_VALUES]
        assert asked(model, x, y) == pytest.approx(float(curve(kinds[0], X, across)(x)), rel=1e-11), (x, y)


def test_beside_a_variable_in_steps(tmp_path):
    model = model_of(tmp_path, TWO_VALUES, 'interpolate="cubicSpline"', 'interpolate="floor"')
    assert asked(model, 0.4, 1.4) == pytest.approx(float(curve("cubicSpline", X, TWO_VALUES[:, 1])(0.4)), rel=1e-12)


def test_what_the_standard_leaves_open_is_listed(tmp_path):
    model = model_of(tmp_path, ONE_VALUES, 'interpolate="cubicSpline"')
    assert model.notes[0][0] == "interpolation by cubicSpline of out" and "how it ends" in model.notes[0][1]


@pytest.mark.parametrize(("kind", "count", "halfway"), [
    ("cubicSpline", 2, 2.0), ("quadraticSpline", 2, 2.0), ("quadraticSpline", 3, 1.5), ("cubicSpline", 3, 1.625),
])  # fmt: skip
def test_through_few_points(tmp_path, kind, count, halfway):
    """A line, a parabola, and two cubics without curvature at the ends."""
    model = model_of(
        tmp_path, np.array([1.0, 3.0, 9.0])[:count], f'interpolate="{kind}"', breaks=[0.0, 1.0, 2.0][:count]
    )
    assert asked(model, 0.5) == pytest.approx(halfway, rel=1e-12)
