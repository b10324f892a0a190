"""Scattered points of DAVE-ML files beside SciPy's triangulation."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import LinearNDInterpolator

from cupola.bridge.dave_ml.document import read_dave_ml
from cupola.parts.functions.evaluate import evaluate
from cupola.parts.functions.program import build
from cupola.schema.input_files import InputError

FILE = """<DAVEfunc><fileHeader/>{variables}
<variableDef name="out" varID="out" units="nd"><isOutput/></variableDef>
<function name="f">{refs}<dependentVarRef varID="out"/><functionDefn><ungriddedTableDef>{points}</ungriddedTableDef>
</functionDefn></function></DAVEfunc>"""
GRID = [(x, y) for x in (0.0, 1.0, 2.0) for y in (0.0, 10.0, 20.0)]


def model_of(tmp_path, points, values, said=""):
    names = "xyzvwu"[: len(points[0])]
    rows = [" ".join(map(repr, [*map(float, at), float(value)])) for at, value in zip(points, values, strict=True)]
    text = FILE.format(
        variables="".join(f'<variableDef name="{n}" varID="{n}" units="nd"><isInput/></variableDef>' for n in names),
        refs="".join(f'<independentVarRef varID="{n}" {said}/>' for n in names),
        points="".join(f"<dataPoint>{row}</dataPoint>" for row in rows),
    )
    (tmp_path / "x.dml").write_text(text)
    return read_dave_ml(tmp_path / "x.dml")


def asker(model):
    """Asks for the value at a place, and whether the range of the points was left."""
    program = build(model.functions(), {"out": "out"})

    def asked(*at):
        block = np.array(program.block)
        block[: len(at)] = at
        outside = evaluate(block, program.code, program.lines, program.result, (), ())
        return float(block[program.wanted["out"]]), outside > 0.0

    return asked


@pytest.mark.parametrize(("count", "many"), [(2, 25), (3, 25), (2, 190)])
def test_between_points_anywhere(tmp_path, count, many):
    rng = np.random.default_rng(count)
    points = rng.uniform(size=(many, count)) * [0.3, 40.0, 5.0][:count] - 1.0
    values = rng.normal(size=many)
    asked, wanted = asker(model_of(tmp_path, points, values)), LinearNDInterpolator(points, values, rescale=True)
    low, high = points.min(axis=0), points.max(axis=0)
    seen = 0
    for at in rng.uniform(low, high, size=(60, count)):
        theirs = float(wanted(at)[0])
        if np.isfinite(theirs):  # within the hull
            seen += 1
            assert asked(*at)[0] == pytest.approx(theirs, abs=1e-6), at
    assert seen > 20
    for at, value in zip(points[:30], values, strict=False):
        assert asked(*at)[0] == pytest.approx(value, abs=1e-9)


def test_a_grid_that_lacks_a_corner_goes_through_all_its_points(tmp_path):
    """Four points on a circle can be cut in two ways; whichever it is, it goes through all of them."""
    points = GRID[:-1]
    values = [x * x - 0.3 * y + 0.1 * x * y for x, y in points]
    asked = asker(model_of(tmp_path, points, values))
    for at, value in zip(points, values, strict=True):
        assert asked(*at)[0] == pytest.approx(value, abs=1e-9)
    halves = sorted((0.5 * (values[0] + values[4]), 0.5 * (values[1] + values[3])))
    middle = asked(0.5, 5.0)[0]
    assert min(abs(middle - one) for one in halves) < 1e-9


def test_beyond_the_range_it_holds_and_says_so_unless_it_goes_on(tmp_path):
    points, values = [(0.0, 0.0), (2.0, 0.0), (0.0, 4.0)], [1.0, 5.0, 9.0]  # 1 + 2 x + 2 y
    held = model_of(tmp_path, points, values)
    asked = asker(held)
    assert asked(0.5, 1.0) == (pytest.approx(4.0), False)
    assert asked(3.0, 0.0) == (pytest.approx(5.0), True)
    assert held.notes[0][0] == "scattered points of out"
    asked = asker(model_of(tmp_path, points, values, 'extrapolate="both"'))
    assert asked(3.0, -1.0) == (pytest.approx(5.0), False)


def test_its_names_are_not_those_of_the_file(tmp_path):
    points, values = [(0.0, 0.0), (2.0, 0.0), (0.0, 4.0)], [1.0, 5.0, 9.0]
    model_of(tmp_path, points, values)
    text = (tmp_path / "x.dml").read_text()
    own = '<variableDef name="o" varID="out_triangle_value_0" units="nd" initialValue="7"/>'
    (tmp_path / "x.dml").write_text(text.replace("<fileHeader/>", f"<fileHeader/>{own}"))
    model = read_dave_ml(tmp_path / "x.dml")
    assert model.constants["out_triangle_value_0"] == 7.0
    assert asker(model)(0.5, 1.0)[0] == pytest.approx(4.0)


REFUSED = {
    "one place twice": ([(0, 0), (0, 0), (1, 1), (1, 0)], "", "two of its scattered points are at the same place"),
    "a line": ([(0, 0), (1, 1), (2, 2), (3, 3)], "", "its 4 scattered points lie on one line or plane"),
    "too few": ([(0, 0), (1, 2)], "", "its 2 scattered points span nothing in 2 variables"),
    "no width": ([(0, 0, 1), (0, 1, 1), (0, 2, 5), (0, 3, 4)], "", "4 scattered points span nothing in 3 variables"),
    "too many variables": ([(0, 0, 0, 0, 0), (1, 2, 3, 4, 5)], "", "at most 400 points in 4 variables"),
    "too many points": ([(k, k * k) for k in range(401)], "", "at most 400 points in 4 variables .* got 401 in 2"),
    "a spline": ([(0, 0), (1, 1), (2, 0)], 'interpolate="cubicSpline"', "only 'linear' has a meaning"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_points_that_span_no_triangles(tmp_path, name):
    points: Any
    points, said, message = REFUSED[name]
    with pytest.raises(InputError, match=message) as refused:
        model_of(tmp_path, points, range(len(points)), said)
    assert str(refused.value).startswith(f"{tmp_path}/x.dml: function f: ")
