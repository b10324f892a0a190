"""A single DAVE-ML file of aerodynamics as a vehicle: its mass from the command line, its surfaces as channels."""

import math
import shutil
from pathlib import Path

import pytest

import cupola
from cupola.analysis import Aircraft, Condition, trim
from cupola.bridge.dave_ml.vehicle import import_dave_ml
from cupola.config.air import Air
from cupola.config.scenario import VehicleEntry
from cupola.reproduce.row import data_file
from cupola.schema.yaml_files import InputError

HEAD = '<?xml version="1.0"?><DAVEfunc xmlns="http://daveml.org/2010/DAVEML"><fileHeader name="x"/>'
INPUTS = """<variableDef name="angleOfAttack" varID="al" units="deg"><isInput/></variableDef>
<variableDef name="upperLeftBodyFlapDeflection" varID="bful" units="deg" maxValue="60"><isInput/></variableDef>
<variableDef name="wingFlap" varID="wf" units="deg"><isControl/></variableDef>
<variableDef name="speedBrake" varID="sb" units="cubit" initialValue="3"><isInput/></variableDef>
<variableDef name="iceThickness" varID="ice" units="nd"><isDisturbance/></variableDef>"""
CALCULATED = """<variableDef name="{0}" varID="{1}" units="nd"><calculation>
<math xmlns="http://www.w3.org/1998/Math/MathML">{2}</math></calculation><isOutput/></variableDef>"""
SIZES = "".join(
    f'<variableDef name="referenceWing{what}" varID="{what}" units="{units}" initialValue="{value}"/>'
    for what, units, value in (("Area", "ft2", 100), ("Span", "ft", 20), ("Chord", "ft", 5))
)
MASS = {"totalMass": 900.0, "bodyMomentOfInertia_Roll": 800.0, "bodyMomentOfInertia_Pitch": 1500.0}
WHOLE = {**MASS, "bodyMomentOfInertia_Yaw": 2000.0, "bodyPositionOfCmWrtMrc_X": 0.25}


def sum_of(*terms):
    products = "".join(f"<apply><times/><cn>{share}</cn><ci>{name}</ci></apply>" for share, name in terms)
    return f"<apply><plus/>{products}</apply>"


@pytest.fixture
def file(tmp_path):
    """The surfaces push along z and roll; ice and brake push back."""
    axes = {
        "ForceCoefficient_X": sum_of((-0.1, "ice"), (-0.01, "sb")),
        "ForceCoefficient_Y": "<cn>0</cn>",
        "ForceCoefficient_Z": sum_of((-0.05, "al"), (-0.01, "bful")),
        "MomentCoefficient_Roll": sum_of((0.001, "bful"), (0.002, "wf")),
        "MomentCoefficient_Pitch": "<cn>0</cn>",
        "MomentCoefficient_Yaw": "<cn>0</cn>",
    }
    named = enumerate(axes.items())
    outputs = "".join(CALCULATED.format(f"aeroBody{name}", f"c{k}", text) for k, (name, text) in named)
    path = tmp_path / "lifting_body.dml"
    path.write_text(HEAD + INPUTS + SIZES + outputs + "</DAVEfunc>")
    return path


def test_without_a_mass_it_says_what_to_give(file, tmp_path):
    with pytest.raises(InputError, match=r"say it in kg and kg m², --set bodyMomentOfInertia_Yaw=\.\.\.; read were"):
        import_dave_ml(file, tmp_path / "out", None, MASS)


def test_every_surface_is_a_channel_and_every_other_input_is_named(file, tmp_path):
    made = import_dave_ml(file, tmp_path / "out", None, WHOLE)
    assert dict(made.lost) == {
        "lifting_body.dml: iceThickness [nd]": "nobody gives this input, so it is 0: --set iceThickness=... or tune it "
        "while it flies",
        "lifting_body.dml: speedBrake [cubit]": "nobody gives this input, so it is 3: --set speedBrake=... or tune it "
        "while it flies",
        "lifting_body.dml: wingFlap": "no limit, no table over it: taken as 20 deg at full stick",
        "landing gear, lag of engine and surfaces": "the files have none",
    }
    said = (made.folder / "README.md").read_text()
    assert "| 4 | upperleftbodyflapdeflection |" in said and "| 5 | wingflap |" in said
    vehicle = VehicleEntry(model=str(made.folder), name="body", velocity_b=(50.0, 0.0, 0.0))
    world = cupola.load(cupola.Scenario(vehicles=(vehicle,), floor=None, air=Air(density=1.0)))
    assert world.model.body_mass.sum() == pytest.approx(900.0)
    start = world.snapshot()
    push = 0.5 * 50.0**2 * 100.0 * 0.3048**2

    def loads(flap, wing):
        world.restore(start)
        world.turn(4, flap)
        world.turn(5, wing)
        world.run(0.002)
        return world.part("body.aero").outputs

    calm, moved = loads(0.0, 0.0), loads(0.5, 1.0)
    assert calm.force.x == pytest.approx(-0.03 * push, rel=1e-3)
    assert moved.force.z - calm.force.z == pytest.approx(0.3 * push, rel=2e-3)  # 30 of 60 degrees, z up
    assert moved.torque.x == pytest.approx(push * 20.0 * 0.3048 * (0.03 + 0.04), rel=2e-3)


@pytest.mark.data("nesc/f16/F16_aero.dml")
def test_without_its_law_the_f16_trims_as_with_it(tmp_path):
    """Printed with the model: angle of attack, elevator, throttle. Its air is thinner by 0.1 %."""
    files = Path(data_file("nesc/f16/F16_aero.dml")).parent
    alone = tmp_path / "f16_files"
    alone.mkdir()
    for name in ("aero", "prop", "inertia"):
        shutil.copy(files / f"F16_{name}.dml", alone)
    made = import_dave_ml(alone, tmp_path / "f16", None, {"vrsPositionOfCM": 25.0})
    vehicle = VehicleEntry(model=str(made.folder), name="f16")
    world = cupola.load(cupola.Scenario(vehicles=(vehicle,), floor=None, gravity=32.174 * 0.3048))
    point = trim(Aircraft(world), Condition(airspeed=172.42091, altitude=3051.9624))
    found = point.values()
    assert math.degrees(point.alpha) == pytest.approx(2.6538, abs=0.005)
    assert math.degrees(found["elevator"]) == pytest.approx(-3.241, abs=0.01)
    assert found["throttle"] == pytest.approx(0.139019, abs=2e-4)
    start = vehicle.model_copy(update=point.start())
    world = cupola.load(cupola.Scenario(vehicles=(start,), floor=None))
    roll, pitch, yaw, throttle = (point.commands()[k] for k in range(4))
    begun = world.snapshot()

    def turned(stick: int, by: float) -> dict[str, float]:
        world.restore(begun)
        moved = [one + by * (k == stick) for k, one in enumerate((roll, pitch, yaw))]
        world.sticks([*moved, 2.0 * throttle - 1.0])
        world.run(0.1)
        return world.motion().rate_b._asdict()

    for stick, axis, sign in ((0, "x", 1), (1, "y", -1), (2, "z", -1)):  # right, nose up, nose right
        assert sign * (turned(stick, 0.05)[axis] - turned(stick, -0.05)[axis]) > 1e-3, axis


def test_what_a_file_of_the_inertia_assumes_is_named(file, tmp_path):
    """Its inputs that nobody gives: full tanks, as its initial value says, and ballast without one."""
    inputs = """<variableDef name="fuel" varID="f" units="kg" initialValue="200"><isInput/></variableDef>
    <variableDef name="ballast" varID="b" units="lbm"><isInput/></variableDef>"""
    named = {"totalMass": sum_of((1.0, "f"), (0.5, "b"), (700.0, "one"))}
    named |= {f"bodyMomentOfInertia_{axis}": "<cn>900</cn>" for axis in ("Roll", "Pitch", "Yaw")}
    outputs = "".join(CALCULATED.format(name, f"m{k}", text) for k, (name, text) in enumerate(named.items()))
    one = '<variableDef name="one" varID="one" units="nd" initialValue="1"/>'
    (tmp_path / "mass.dml").write_text(HEAD + inputs + one + outputs + "</DAVEfunc>")
    for given, mass, said in (
        ({}, 900.0, {"fuel [kg]": "200: --set fuel=...", "ballast [lbm]": "0: --set ballast=..."}),
        ({"ballast": 100.0}, 950.0, {"fuel [kg]": "200: --set fuel=..."}),
    ):
        made = import_dave_ml(file, tmp_path / f"out{mass:.0f}", None, given)
        assert cupola.load(str(made.folder)).model.body_mass.sum() == pytest.approx(mass)
        assumed = {what: why for what, why in made.lost if what.startswith("mass.dml")}
        assert assumed == {f"mass.dml: {k}": f"nobody gives this input, so it is {v}" for k, v in said.items()}


def test_what_is_set_but_not_asked_for_is_named(file, tmp_path):
    with pytest.raises(InputError, match="there is no input 'flaps' to set"):
        import_dave_ml(file, tmp_path / "out", None, {**WHOLE, "flaps": 1.0})
