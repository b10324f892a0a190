"""DAVE-ML files: their own check cases, what is refused, and the F-16 as a vehicle."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from cupola.analysis import Aircraft, Condition, linearize, modes, trim
from cupola.bridge.dave_ml.checks import run_checks
from cupola.bridge.dave_ml.document import read_dave_ml
from cupola.bridge.dave_ml.vehicle import import_dave_ml
from cupola.config.scenario import Scenario
from cupola.reproduce.nesc import f16 as f16_cases
from cupola.reproduce.nesc.f16_start import trimmed
from cupola.reproduce.nesc.scoring import read_table
from cupola.reproduce.row import data_file
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

F16 = Path(data_file("nesc/f16/F16_aero.dml")).parent
needs_f16 = pytest.mark.data("nesc/f16/F16_aero.dml")
HEAD = '<?xml version="1.0"?><DAVEfunc xmlns="http://daveml.org/2010/DAVEML"><fileHeader name="x"/>'
MATH = '<calculation><math xmlns="http://www.w3.org/1998/Math/MathML">{}</math></calculation>'
INPUTS = """<variableDef name="angleOfAttack" varID="alpha" units="deg"><isInput/></variableDef>
<variableDef name="mach" varID="M" units="nd" minValue="0.2" maxValue="2"><isInput/></variableDef>"""
TABLE = """<breakpointDef bpID="A"><bpVals>-10, 0, 20</bpVals></breakpointDef>
<breakpointDef bpID="B"><bpVals>0 1</bpVals></breakpointDef>
<function name="f"><independentVarRef varID="alpha" {}/><independentVarRef varID="M"/><dependentVarRef varID="t"/>
<functionDefn><griddedTableDef><breakpointRefs><bpRef bpID="A"/><bpRef bpID="B"/></breakpointRefs>
<dataTable>1, 2, <!-- a comment --> 3, 4, 5, 6</dataTable></griddedTableDef></functionDefn></function>"""
OUTPUT = """<variableDef name="t" varID="t" units="nd"/>
<variableDef name="out" varID="out" units="nd">{}<isOutput/></variableDef>"""
ALONE = f'<variableDef name="out" varID="out" units="nd">{MATH}</variableDef>'
TWICE = MATH.format("<apply><times/><ci>t</ci><cn>2</cn></apply>")
SHOT = """<checkData><staticShot name="one"><checkInputs>
<signal><signalName>angleOfAttack</signalName><signalValue>{}</signalValue></signal>
<signal><signalName>mach</signalName><signalValue>{}</signalValue></signal></checkInputs><checkOutputs>
<signal><signalName>out</signalName><signalValue>{}</signalValue><tol>1e-9</tol></signal></checkOutputs></staticShot>
</checkData>"""


def written(folder, *pieces):
    (folder / "x.dml").write_text(HEAD + "".join(pieces) + "</DAVEfunc>")
    return read_dave_ml(folder / "x.dml")


@pytest.mark.parametrize(
    ("ends", "alpha", "mach", "out"),
    [
        ("", 10.0, 0.5, 2 * 4.5),
        ("", -20.0, 1.5, 2 * 2.0),  # held at both ends
        ("", 0.0, 0.0, 2 * 3.2),  # a limit of the variable itself
        ('extrapolate="max"', 30.0, 0.5, 2 * 5.5 + 2.0),
        ('extrapolate="max"', -20.0, 0.5, 2 * 1.5),
        ('interpolate="floor"', 19.0, 0.5, 2 * 3.5),  # the other variable is linear
    ],
)
def test_what_a_table_gives(tmp_path, ends, alpha, mach, out):
    model = written(tmp_path, INPUTS, OUTPUT.format(TWICE), TABLE.format(ends), SHOT.format(alpha, mach, out))
    (checked,) = run_checks(model)
    assert checked.passed and checked.got == pytest.approx(out)


def test_a_wrong_check_case_is_noticed(tmp_path):
    model = written(tmp_path, INPUTS, OUTPUT.format(TWICE), TABLE.format(""), SHOT.format(10.0, 0.5, 9.1))
    assert [one.passed for one in run_checks(model)] == [False]


MATHML = {
    "<apply><minus/><ci>alpha</ci></apply>": -10.0,
    "<apply><power/><ci>alpha</ci><cn>2</cn></apply>": 100.0,
    "<apply><piecewise><piece><cn>1</cn><apply><lt/><ci>alpha</ci><cn>0</cn></apply></piece>"
    "<otherwise><apply><abs/><cn type='e-notation'>-1<sep/>2</cn></apply></otherwise></piecewise></apply>": 100.0,
    "<apply><max/><cn>1</cn><ci>alpha</ci><cn>3</cn></apply>": 10.0,
    "<apply><and/><apply><geq/><ci>alpha</ci><cn>10</cn></apply>"
    "<apply><neq/><ci>alpha</ci><cn>3</cn></apply></apply>": 1.0,
    "<apply><plus/>" + "<apply><times/><ci>alpha</ci><cn>0.125</cn></apply>" * 300 + "</apply>": 375.0,
}


@pytest.mark.parametrize("text", MATHML, ids=range(len(MATHML)))
def test_calculations(tmp_path, text):
    """The last one is longer than an expression may be, and is cut."""
    shot = SHOT.format(10.0, 0.5, MATHML[text])
    out = OUTPUT.format(MATH.format(text)).replace('units="nd"/>', 'units="nd" initialValue="0"/>', 1)
    (checked,) = run_checks(written(tmp_path, INPUTS, out, shot))
    assert checked.passed, checked


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        ((INPUTS, ALONE.format("<apply><factorial/><ci>M</ci></apply>")), "factorial"),
        ((ALONE.format("<ci>nobody</ci>"),), "no variable 'nobody'"),
        ((OUTPUT.format(TWICE),), "t has no calculation, no function and no initial value"),
    ],
)
def test_what_is_not_understood_is_refused_by_name(tmp_path, pieces, message):
    with pytest.raises(InputError, match=message):
        written(tmp_path, *pieces)


@needs_f16
@pytest.mark.parametrize(("name", "count"), [("F16_aero", 944), ("F16_prop", 93)])
def test_the_check_cases_of_the_f16(name, count):
    checks = run_checks(read_dave_ml(F16 / f"{name}.dml"))
    assert len(checks) == count and [one for one in checks if not one.passed] == []


@pytest.fixture(scope="module")
def f16(tmp_path_factory):
    folder = tmp_path_factory.mktemp("f16") / "f16"
    # The law adds a trimmed stick and throttle to the pilot's: without them the pilot holds all of it.
    alone = {"trimmedPilotControl_long": 0.0, "trimmedPilotControl_throttle": 0.0}
    made = import_dave_ml(F16, folder, "F16_control", {"vrsPositionOfCM": 25.0, **alone})
    zero = [what.partition(": ")[2] for what, why in made.lost if "so it is 0" in why]
    commands = ("equivalentAirspeedCommand [nmi_h]", "altitudeMslCommand [ft]", "trueBaseCourseCommand [deg]")
    switches = ("stabilityAugmentationOn_disc [nd]", "autopilotOn_disc [nd]")
    assert sorted(zero) == sorted((*commands, *switches, "lateralDeviationError [ft]"))
    rest = [what for what, why in made.lost if "so it is 0" not in why]
    assert rest == ["F16_gnc.dml", "landing gear, lag of engine and surfaces"]
    scenario = {"vehicles": [{"model": str(folder), "name": "f16"}], "floor": None, "gravity": 32.174 * 0.3048}
    return World(Scenario.model_validate_json(json.dumps(scenario)))


@needs_f16
def test_the_f16_trims_as_published(f16):
    """Printed with the model: angle of attack, stick and throttle. Its air is thinner by 0.1 %."""
    aircraft = Aircraft(f16)
    found = trim(aircraft, Condition(airspeed=400.0 * math.sqrt(2.0) * 0.3048, altitude=10013.0 * 0.3048))
    assert math.degrees(found.alpha) == pytest.approx(2.653813535, abs=5e-4)
    assert found.values()["elevator"] == pytest.approx(0.1296382327, abs=1e-4)
    assert found.values()["throttle"] == pytest.approx(0.1390191131, abs=1e-4)
    flown = modes(linearize(aircraft, found.state, found.inputs))
    assert flown and all(np.isfinite(mode.real) for mode in flown)


@needs_f16
def test_on_the_ellipsoid_it_trims_as_an_independent_solution():
    """Solved outside with the facts of the case, printed to six digits."""
    found = trimmed(F16)
    assert found.pitch == pytest.approx(2.638938, abs=5e-7)
    assert (found.stick, found.throttle) == pytest.approx((0.129310, 0.138738), abs=5e-7)


@needs_f16
def test_a_law_must_be_chosen_and_inputs_must_exist(tmp_path):
    with pytest.raises(InputError, match="F16_control, F16_gnc"):
        import_dave_ml(F16, tmp_path / "a", None, {})
    with pytest.raises(InputError, match=r"no input 'CG'.*vrsPositionOfCM"):
        import_dave_ml(F16, tmp_path / "a", "F16_control", {"CG": 25.0})
    assert not (tmp_path / "a").exists()


@needs_f16
def test_its_autopilot_flies_as_the_tool_of_the_same_trim():
    """NESC case 13p3 until the course changes, and half a second beyond; against sim_05, which prints 0.1 s.

    Level flight agrees to the last printed digits; after the step the tool's formulas are 5 ms early, at up to 155°/s.
    """
    ours = f16_cases.fly(f16_cases.FLIGHTS[2]._replace(seconds=16), F16)
    theirs = read_table(F16.parent / "Atmos_13p3_sim_05.csv")
    off = {name: np.abs(ours[name] - theirs[name][: len(ours[name])]) for name in ours}
    assert off["altitude_m"][:150].max() < 1e-4
    assert off["pitch_deg"][:150].max() < 2e-5
    assert max(off[f"vel_{axis}_m_s"][:150].max() for axis in ("north", "east", "down")) < 3e-5
    assert ours["roll_deg"][-1] > 20.0 and off["roll_deg"].max() < 1.0


@needs_f16
def test_by_the_formulas_of_that_tool_it_answers_steps_as_the_tool():
    """NESC case 13p1 for two seconds after the step of height; the plain two-step formula for places is 0.004° off."""
    ours = f16_cases.in_two_steps(f16_cases.FLIGHTS[1]._replace(seconds=7), F16)
    theirs = read_table(F16.parent / "Atmos_13p1_sim_05.csv")
    off = {name: np.abs(ours[name] - theirs[name][: len(ours[name])]).max() for name in ours}
    assert ours["pitch_deg"].max() > 6.0
    assert max(off[name] for name in ("roll_deg", "pitch_deg", "yaw_deg")) < 5e-5
    assert off["altitude_m"] < 1e-4 and off["vel_down_m_s"] < 5e-5
