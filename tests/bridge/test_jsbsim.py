"""Aircraft of JSBSim: read, flown beside JSBSim itself where it is installed, and what is said of what is lost."""

import json
import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from cupola.bridge.jsbsim.aircraft import import_jsbsim
from cupola.bridge.jsbsim.gear import LOST
from cupola.bridge.jsbsim.mass import read_mass
from cupola.cli import importing
from cupola.config.scenario import Scenario
from cupola.config.vehicle import read_vehicle
from cupola.parts.functions.evaluate import WIDTH, evaluate
from cupola.parts.functions.part import QUANTITIES
from cupola.parts.functions.program import Functions, build
from cupola.parts.functions.table_control import TableControl
from cupola.reproduce.hangar.accelerations import BOUND, compare, imported_world
from cupola.reproduce.hangar.engines import BOUNDS, LEVELS, put, thrust, trimmed
from cupola.reproduce.hangar.peer import State, aircraft_file, home, is_installed
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

live = pytest.mark.skipif(not is_installed(), reason="needs jsbsim")
AIRCRAFT = """<fdm_config name="toy"><metrics><wingarea unit="M2">2</wingarea><wingspan unit="M">4</wingspan>
<chord unit="M">0.5</chord><location name="AERORP" unit="M"><x>1</x><y>0</y><z>0.2</z></location></metrics>
<mass_balance><ixx unit="KG*M2">3</ixx><iyy unit="KG*M2">4</iyy><izz unit="KG*M2">5</izz>
<emptywt unit="KG">8</emptywt><location name="CG" unit="M"><x>1</x><y>0</y><z>0</z></location>
<pointmass name="pilot"><weight unit="KG">2</weight><location unit="M"><x>0</x><y>0.5</y><z>0</z></location></pointmass>
</mass_balance>{extra}<flight_control name="f"><channel name="c">{fcs}</channel></flight_control>
<aerodynamics><axis name="LIFT"><function name="aero/force/lift"><product><property>aero/qbar-psf</property>
<property>fcs/wanted</property></product></function></axis></aerodynamics></fdm_config>"""


def imported(folder, fcs, extra=""):
    (folder / "toy.xml").write_text(AIRCRAFT.format(fcs=fcs, extra=extra))
    made = import_jsbsim(folder / "toy.xml", folder / "toy")
    return read_vehicle(folder / "toy" / "vehicle.yaml"), dict(made.lost)


def wanted(vehicle, steps=1, dt=0.01, channels=(0.0,) * 20, part="law", which=0, **flight):
    """What a law writes to one of its channels after some ticks of a held flight."""
    law = vehicle.parts[part]
    names = (*QUANTITIES, *law.own_names())
    program = build(Functions(names, law.constants, law.tables, law.values), law.roots())
    block = np.array(program.block)
    for place in program.places:  # as the part does when it is bound
        block[program.code + WIDTH * place.instruction + WIDTH - 1] = int(place.name)
    for name, number in {"dt": dt, "airspeed": 50.0, "mach": 0.2, **flight}.items():
        block[QUANTITIES.index(name)] = number
    memory = law.initial_memory()
    for _ in range(steps):
        block[len(QUANTITIES) : len(QUANTITIES) + len(memory)] = memory
        evaluate(block, program.code, program.lines, program.result, np.array(channels), np.zeros(1))
        found = [block[program.wanted[name]] for name in law.roots()]
        memory = found[len(law.channels) :]
    return found[which]


def number(world, name):
    """A signal of the imported aircraft."""
    value = world.signal(f"aircraft.{name}")
    assert isinstance(value, float)
    return value


SHAFT = ("turning", "power", "needed")
# A stick that is pushed is positive in JSBSim, one that is drawn back is positive here.
COMMAND = "<input>fcs/elevator-cmd-norm</input>"
ENDS = "<range><min>-20</min><max>10</max></range>"
COMPONENTS = {
    f"<summer name='wanted'>{COMMAND}<input>-fcs/rudder-cmd-norm</input><bias>0.1</bias></summer>": 0.5 + 0.3 + 0.1,
    f"<pure_gain name='Wanted'>{COMMAND}<gain>4</gain><clipto><min>-1</min><max>1.5</max></clipto></pure_gain>": 1.5,
    f"<aerosurface_scale name='wanted'>{COMMAND}{ENDS}<gain>2</gain></aerosurface_scale>": 0.5 * 10.0 * 2.0,
    f"<aerosurface_scale name='wanted'><input>fcs/rudder-cmd-norm</input>{ENDS}</aerosurface_scale>": -0.3 * 20.0,
    f"<aerosurface_scale name='wanted'>{COMMAND}<zero_centered>0</zero_centered>{ENDS}</aerosurface_scale>": -20 + 22.5,
    f"<scheduled_gain name='wanted'>{COMMAND}<gain>2</gain><table><independentVar>velocities/mach</independentVar>"
    "<tableData>0 0\n 0.4 8</tableData></table></scheduled_gain>": 0.5 * 2.0 * 4.0,
    f"<deadband name='wanted'>{COMMAND}<width>0.4</width></deadband>": 0.3,
    "<switch name='wanted'><default value='7'/><test logic='AND' value='fcs/elevator-cmd-norm'>velocities/mach lt 0.3"
    "\n fcs/rudder-cmd-norm != 0</test></switch>": 0.5,
    "<switch name='wanted'><default value='7'/><test logic='OR' value='1'>velocities/mach gt 0.3</test></switch>": 7.0,
    f"<fcs_function name='wanted'><function><ifthen><lt><p>fcs/x</p><v>1</v></lt><v>2</v><v>3</v></ifthen></function>"
    f"</fcs_function><pure_gain name='x'>{COMMAND}<gain>3</gain></pure_gain>": 3.0,
}


@pytest.mark.parametrize("fcs", COMPONENTS, ids=range(len(COMPONENTS)))
def test_components_of_the_flight_control(tmp_path, fcs):
    vehicle, lost = imported(tmp_path, fcs)
    assert wanted(vehicle, channels=(0.0, -0.5, 0.3, *(0.0,) * 17)) == pytest.approx(COMPONENTS[fcs])
    assert lost == {}


def test_components_that_take_time(tmp_path):
    fcs = f"<lag_filter name='wanted'>{COMMAND}<c1>5</c1></lag_filter>"
    vehicle, _ = imported(tmp_path, fcs)
    pushed = (0.0, -0.5, *(0.0,) * 18)
    kept = (2.0 - 0.05) / (2.0 + 0.05)  # of a tick, by Tustin's rule; the stick before the first was 0
    assert wanted(vehicle, 20, 0.01, pushed) == pytest.approx(0.5 * (1.0 - 2.0 / 2.05 * kept**19))
    assert wanted(vehicle, 2, 1e6, pushed) == pytest.approx(0.5)


def test_flaps_travel_at_the_speed_of_each_stretch(tmp_path):
    stops = ((0, 0), (10, 2), (30, 10))
    settings = "".join(f"<setting><position>{p}</position><time>{t}</time></setting>" for p, t in stops)
    vehicle, _ = imported(tmp_path, f"<kinematic name='wanted'>{COMMAND}<traverse>{settings}</traverse></kinematic>")
    pushed = (0.0, -1.0, *(0.0,) * 18)
    assert wanted(vehicle, 100, 0.01, pushed) == pytest.approx(5.0)
    assert wanted(vehicle, 700, 0.01, pushed) == pytest.approx(20.0, abs=0.05)
    assert wanted(vehicle, 1, 1e6, pushed) == pytest.approx(30.0)


def test_a_loop_of_components_goes_through_the_last_tick(tmp_path):
    fcs = f"<summer name='wanted'>{COMMAND}<input>fcs/half</input></summer>"
    fcs += "<pure_gain name='half'><input>fcs/wanted</input><gain>0.5</gain></pure_gain>"
    vehicle, _ = imported(tmp_path, fcs)
    assert wanted(vehicle, 60, 0.01, (0.0, -0.5, *(0.0,) * 18)) == pytest.approx(1.0)


def test_a_stall_stays_until_the_lower_limit(tmp_path):
    text = AIRCRAFT.format(fcs="", extra="").replace("<property>fcs/wanted", "<property>aero/stall-hyst-norm")
    text = text.replace(
        "<aerodynamics>", "<aerodynamics><hysteresis_limits><min>0.1</min><max>0.3</max></hysteresis_limits>"
    )
    (tmp_path / "toy.xml").write_text(text)
    assert dict(import_jsbsim(tmp_path / "toy.xml", tmp_path / "toy").lost) == {}
    law = read_vehicle(tmp_path / "toy" / "vehicle.yaml").parts["law"]
    assert isinstance(law, TableControl)
    program = build(Functions((*QUANTITIES, *law.own_names()), law.constants, law.tables, law.values), law.roots())
    block, seen = np.array(program.block), []
    for alpha_now in (0.2, 0.31, 0.2, 0.09, 0.2):
        block[QUANTITIES.index("alpha")] = alpha_now
        evaluate(block, program.code, program.lines, program.result, np.zeros(20), np.zeros(1))
        seen.append(block[program.wanted[next(iter(law.roots()))]])
        block[len(QUANTITIES)] = block[program.wanted[list(law.roots())[1]]]
    assert seen == [0.0, 1.0, 1.0, 0.0, 0.0]


def test_what_is_lost_is_listed(tmp_path):
    fcs = f"<distributor name='wanted'>{COMMAND}</distributor>"
    vehicle, lost = imported(tmp_path, fcs, "<buoyant_forces/>")
    assert set(lost) == {"<buoyant_forces>", "fcs/wanted"} and "<distributor>" in lost["fcs/wanted"]
    assert "| fcs/wanted | stays 0: a <distributor> is not read here |" in (tmp_path / "toy" / "README.md").read_text()
    assert wanted(vehicle, channels=(0.0, 0.5, *(0.0,) * 18)) == 0.0


def test_mass_centre_and_inertia(tmp_path):
    imported(tmp_path, "")
    text = (tmp_path / "toy" / "model.xml").read_text()
    mass, tensor = re.search(r'mass="([\d.]+)" fullinertia="([^"]+)"', text).groups()
    assert float(mass) == pytest.approx(10.0)
    # 2 kg at 1 m ahead and 0.5 m right of 8 kg: the reduced mass is 1.6 kg.
    reduced = np.array([0.25, 1.0, 1.25, 0.5, 0.0, 0.0]) * 1.6 + np.array([3.0, 4.0, 5.0, 0.0, 0.0, 0.0])
    np.testing.assert_allclose([float(word) for word in tensor.split()], reduced, atol=1e-12)
    x, y, z = map(float, re.search(r'name="reference" pos="([^"]+)"', text)[1].split())
    assert (x, y, z) == pytest.approx((-0.2, 0.1, 0.2))


def test_files_that_are_no_aircraft(tmp_path):
    (tmp_path / "a.xml").write_text("<robot/>")
    with pytest.raises(InputError, match="fdm_config"):
        import_jsbsim(tmp_path / "a.xml", tmp_path / "a")
    (tmp_path / "a.xml").write_text("<fdm_config name='x'/>")
    with pytest.raises(InputError, match="mass_balance"):
        import_jsbsim(tmp_path / "a.xml", tmp_path / "a")


@pytest.mark.parametrize("word", ["nan", "inf", "1e999", "heavy"])
def test_numbers_that_are_none_are_named(tmp_path, word):
    (tmp_path / "toy.xml").write_text(AIRCRAFT.format(fcs="", extra="").replace('<ixx unit="KG*M2">3', f"<ixx>{word}"))
    with pytest.raises(InputError, match=f"<ixx>: expected a finite number, got '{word}'"):
        import_jsbsim(tmp_path / "toy.xml", tmp_path / "toy")


def test_an_inertia_that_no_body_can_have_is_the_nearest_that_one_could_have(tmp_path):
    heavy = AIRCRAFT.format(fcs="", extra="").replace('<izz unit="KG*M2">5', '<izz unit="KG*M2">50')
    (tmp_path / "toy.xml").write_text(heavy)
    (told,) = import_jsbsim(tmp_path / "toy.xml", tmp_path / "toy").repaired
    assert "52 " in told.was and "none may be negative or exceed the sum of the others" in told.why
    assert f"{told.was} became {told.now}" in (tmp_path / "toy" / "README.md").read_text()


def test_a_folder_with_the_name_of_its_aircraft_is_imported(tmp_path):
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "toy.xml").write_text(AIRCRAFT.format(fcs="", extra="<buoyant_forces/>"))
    importing.bring(tmp_path / "toy", tmp_path / "made", None, (), (), True)
    assert read_vehicle(tmp_path / "made" / "vehicle.yaml").parts["aero"].kind == "table_aero"


def test_sections_may_stand_in_files_of_their_own(tmp_path):
    imported(tmp_path, "")
    text = (tmp_path / "toy.xml").read_text()
    start, end = text.index("<mass_balance>"), text.index("</mass_balance>") + len("</mass_balance>")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "mass.xml").write_text(text[start:end])
    split = text[:start] + '<mass_balance file="{}"/>' + text[end:]
    (tmp_path / "split.xml").write_text(split.format("parts/mass"))
    import_jsbsim(tmp_path / "split.xml", tmp_path / "split")
    assert (tmp_path / "split" / "model.xml").read_text() == (tmp_path / "toy" / "model.xml").read_text()
    for name in ("parts/none", "../parts/mass", str(tmp_path / "parts" / "mass.xml")):
        (tmp_path / "split.xml").write_text(split.format(name))
        with pytest.raises(InputError, match="no such file beside the aircraft"):
            import_jsbsim(tmp_path / "split.xml", tmp_path / "again")


@pytest.mark.parametrize(
    ("form", "along", "across"),
    [
        ("tube", 0.25, 1.5 / 12 + 1 / 12),
        ("cylinder", 0.125, 0.75 / 12 + 1 / 12),
        ("sphere", 1 / 6, 1 / 6),
        ("ball", 0.1, 0.1),
    ],
)
def test_a_point_mass_may_have_a_form(tmp_path, form, along, across):
    said = f'<form shape="{form}"><radius unit="M">0.5</radius><length unit="M">1</length></form>'
    imported(tmp_path, "")
    plain = _tensor(tmp_path / "toy")
    text = (tmp_path / "toy.xml").read_text().replace('<pointmass name="pilot">', f'<pointmass name="pilot">{said}')
    (tmp_path / "toy.xml").write_text(text)
    import_jsbsim(tmp_path / "toy.xml", tmp_path / "formed")
    np.testing.assert_allclose(
        _tensor(tmp_path / "formed") - plain, 2.0 * np.array([along, across, across, 0, 0, 0]), atol=1e-12
    )


def _tensor(folder):
    found = re.search(r'fullinertia="([^"]+)"', (folder / "model.xml").read_text())
    assert found is not None
    return np.array([float(word) for word in found[1].split()])


def test_fuel_is_a_ball_in_a_tank_with_a_radius(tmp_path):
    place = "<location unit='M'><x>0.8</x><y>0</y><z>0</z></location><contents unit='KG'>4</contents>"
    found = []
    ball = "<radius unit='M'>0.3</radius>"
    for form in ("", ball, f"{ball}<inertia_factor>2</inertia_factor>"):
        tank = f"<propulsion><tank type='FUEL'>{place}{form}</tank></propulsion>"
        root = ET.fromstring(AIRCRAFT.format(fcs="", extra=tank))
        found.append(read_mass(root, []).tensor)
    np.testing.assert_allclose(found[1] - found[0], 0.4 * 4.0 * 0.3**2 * np.eye(3), atol=1e-12)
    np.testing.assert_allclose(found[2] - found[0], 0.8 * 4.0 * 0.3**2 * np.eye(3), atol=1e-12)


def test_an_actuator_goes_no_faster_than_its_rate(tmp_path):
    fcs = f"<actuator name='wanted'>{COMMAND}<rate_limit sense='incr'>0.5</rate_limit></actuator>"
    vehicle, lost = imported(tmp_path, fcs)
    assert lost == {}
    assert wanted(vehicle, 20, 0.01, (0.0, -0.5, *(0.0,) * 18)) == pytest.approx(20 * 0.01 * 0.5)
    assert wanted(vehicle, 1, 0.01, (0.0, 0.5, *(0.0,) * 18)) == pytest.approx(-0.5)


PROPELLER = """<propeller name="p"><ixx>1</ixx><diameter unit="M">2</diameter><gearratio>2</gearratio>
<ct_factor>3</ct_factor><cp_factor>4</cp_factor><table name="C_THRUST"><tableData>0 0.1
2 0.1</tableData></table><table name="C_POWER"><tableData>0 0.05
2 0.05</tableData></table><table name="CT_MACH"><tableData>0 1
1 0.5</tableData></table></propeller>"""
TURBOPROP = """<turboprop_engine name="t"><idlen1>60</idlen1><maxn1>100</maxn1><maxpower unit="HP">600</maxpower>
<n1idle_max_delay>1</n1idle_max_delay>{limit}<table name="EnginePowerVC">
<independentVar lookup="row">velocities/mach</independentVar><tableData>0 1
0.4 0.5</tableData></table><table name="EnginePowerRPM_N1"><tableData> 60 100
0 0 400
4800 0 800</tableData></table></turboprop_engine>"""
BRUSHLESS = """<brushless_dc_motor name="b"><velocityconstant>600</velocityconstant><coilresistance>0.5</coilresistance>
<noloadcurrent>2</noloadcurrent><maxvolts>20</maxvolts></brushless_dc_motor>"""
ROCKET = """<rocket_engine name="r"><isp>200</isp><minthrottle>0.4</minthrottle><maxthrottle>1</maxthrottle>
<slfuelflowmax unit="KG/SEC">3</slfuelflowmax><sloxiflowmax unit="KG/SEC">7</sloxiflowmax></rocket_engine>"""
NOZZLE = '<nozzle name="n"><area unit="M2">0.02</area></nozzle>'
HORSE = 745.69987158227022


def engined(folder, engine, thruster):
    """The toy with one engine."""
    (folder / "motor.xml").write_text(engine)
    (folder / "screw.xml").write_text(thruster)
    extra = '<propulsion><engine file="motor"><thruster file="screw"/></engine></propulsion>'
    return imported(folder, "", extra)


FULL = (0.0, 0.0, 0.0, 1.0, *(0.0,) * 16)


def test_a_turboprop_has_the_power_of_its_tables_behind_its_gas_generator(tmp_path):
    """20 turns a second are 2400 rpm at the engine: 600 hp at full N1, of which mach 0.2 leaves 75 %."""
    vehicle, lost = engined(tmp_path, TURBOPROP.format(limit=""), PROPELLER)
    shaft = {"part": "engine_0_shaft", "which": 2, "density": 0.0, "temperature": 288.15}
    assert "start, reverse and feathering" in lost["turboprop of engine 0"]
    assert "gyroscopic moment of propeller 0" in lost
    risen = 1.0 - np.exp(-0.5)  # of N1 after half a time constant
    assert wanted(vehicle, 1, 0.5, FULL, **shaft) == pytest.approx(600.0 * risen * 0.75 * HORSE)
    assert wanted(vehicle, 1, 0.5, (0.0,) * 20, **shaft) == pytest.approx(0.0)
    (tmp_path / "held").mkdir()
    held, _ = engined(
        tmp_path / "held", TURBOPROP.format(limit='<ielumaxtorque unit="N*M">1000</ielumaxtorque>'), PROPELLER
    )
    assert wanted(held, 1, 50.0, FULL, **shaft) == pytest.approx(1000.0 * 2.0 * np.pi * 20.0)


PISTON = """<piston_engine name="p"><maxhp{unit}>100</maxhp><maxrpm>2400</maxrpm><maxmp>28.5</maxmp>
<displacement unit="IN3">240</displacement><man-press-lag>0</man-press-lag>{more}</piston_engine>"""


def test_a_piston_has_its_rated_power_at_sea_level_and_needs_some_to_turn(tmp_path):
    """20 turns a second behind a gear of 2 are its rated 2400 rpm; 100 hp are 100 hp, with their unit or without."""
    found = []
    for unit in ("", ' unit="HP"'):
        folder = tmp_path / f"toy{len(found)}"
        folder.mkdir()
        vehicle, lost = engined(folder, PISTON.format(unit=unit, more=""), PROPELLER)
        assert "mixture" in lost["piston of engine 0"]
        flight = {"part": "engine_0_shaft", "which": 2, "mach": 0.0, "density": 1.225}
        flight |= {"pressure": 101325.0, "temperature": 288.15}
        full = wanted(vehicle, 1, 1e-9, FULL, **flight)
        high = wanted(vehicle, 1, 1e-9, FULL, **{**flight, "pressure": 61640.0, "temperature": 262.15})
        found.append((full, high, wanted(vehicle, 1, 1e-9, (0.0,) * 20, **flight)))
    assert found[0] == found[1]
    full, high, closed = found[0]
    assert full == pytest.approx(100.0 * HORSE, rel=0.1)
    assert 0.5 < high / full < 0.7  # at 4 km there is 61 % of the pressure
    assert closed < 0.0


def test_factors_and_tip_mach_of_a_propeller(tmp_path):
    """At 20 turns a second the tips of 2 m run at 125.7 m/s."""
    vehicle, _ = engined(tmp_path, BRUSHLESS, PROPELLER)
    flight = {"density": 1.2, "temperature": 288.15, "u": 0.0}
    speed, sound = 40.0 * np.pi, 340.294
    needed = 4.0 * 0.05 * 1.2 * 20.0**3 * 2.0**5
    volts = 20.0 - 2.0 * np.pi * 20.0 * 60.0 / (2.0 * np.pi * 600.0)
    power = (volts / 0.5 - 2.0) * 60.0 / (2.0 * np.pi * 600.0) * 2.0 * np.pi * 20.0
    assert wanted(vehicle, 1, 1e-9, FULL, part="engine_0_shaft", which=2, **flight) == pytest.approx(power)
    turning = 20.0 + 1e-3 * (power - needed) / (4.0 * np.pi**2 * 1.3558179 * 20.0)
    assert wanted(vehicle, 1, 1e-3, FULL, part="engine_0_shaft", **flight) == pytest.approx(turning, rel=1e-7)
    thrust = loaded(vehicle, "thrust", (0.0,) * 8 + (20.0, 0.0, power) + (0.0,) * 9, **flight)
    assert thrust == pytest.approx(3.0 * 0.1 * (1.0 - 0.5 * speed / sound) * 1.2 * 400.0 * 16.0, rel=1e-5)
    torque = loaded(vehicle, "torque", (0.0,) * 8 + (20.0, 0.0, power) + (0.0,) * 9, **flight)
    assert torque == pytest.approx(-power / (2.0 * np.pi * 20.0))


def test_a_rocket_loses_the_pressure_on_its_nozzle_and_dies_below_its_least_throttle(tmp_path):
    vehicle, lost = engined(tmp_path, ROCKET, NOZZLE)
    assert "JSBSim's stand still" in lost["no fuel"]
    for lever, expected in ((1.0, 200.0 * 10.0 * 9.80665 - 2e4 * 0.02), (0.5, 1000.0 * 9.80665 - 400.0), (0.3, 0.0)):
        sticks = (0.0, 0.0, 0.0, lever, *(0.0,) * 16)
        assert loaded(vehicle, "thrust", sticks, pressure=2e4) == pytest.approx(expected)


def loaded(vehicle, name, channels, **flight):
    """A force of the engine in a flight."""
    part = vehicle.parts["engine_0"]
    program = build(Functions((*QUANTITIES, *part.own_names()), part.constants, part.tables, part.values), part.roots())
    block = np.array(program.block)
    for place in program.places:
        block[program.code + WIDTH * place.instruction + WIDTH - 1] = int(place.name)
    for key, value in flight.items():
        block[QUANTITIES.index(key)] = value
    evaluate(block, program.code, program.lines, program.result, np.array(channels), np.zeros(1))
    return block[program.wanted[name]]


def test_the_command_tells_what_was_lost(tmp_path, capsys):
    (tmp_path / "toy.xml").write_text(AIRCRAFT.format(fcs="", extra="<buoyant_forces/>"))
    importing.bring(tmp_path / "toy.xml", tmp_path / "toy", None, (), (), True)
    told = json.loads(capsys.readouterr().out)
    assert "<buoyant_forces>" in {one["what"] for one in told["not_carried_over"]}
    with pytest.raises(InputError, match="--set"):
        importing.bring(tmp_path / "toy.xml", tmp_path / "other", None, (), ("a=1",), True)
    with pytest.raises(InputError, match="other models have none"):
        importing.bring(tmp_path / "toy.xml", tmp_path / "other", None, (), ("a=b",), True)


@live
@pytest.mark.parametrize("name", ["c172p", "T38", "B747"])
def test_accelerations_are_those_of_jsbsim(name):
    found = compare(name, 30)
    assert found.linear < BOUND and found.angular < BOUND


@live
def test_thrust_and_level_flight_are_those_of_jsbsim():
    """A turbine by its tables, come to rest; then angle of attack and throttle at which some fly level."""
    assert thrust("F80C") < 1e-6
    rows = [row for level in LEVELS if level.name in ("T37", "T38", "B747") for row in trimmed(level)]
    assert len(rows) == 6 and all(row.passed for row in rows), rows


@live
def test_a_propeller_turns_as_fast_as_its_motor_can_turn_it(tmp_path):
    """Power of the shaft and of the propeller balance in steady flight; a governor holds its speed."""
    for aircraft, governed in (("c172p", False), ("pa28", True)):
        made = import_jsbsim(aircraft_file(aircraft), tmp_path / aircraft)
        assert any("piston" in what for what, _ in made.lost)
        world = imported_world(made.folder, engines=True)
        put(world, State(1000.0, (45.0, 0.0, 2.0), (0.0, 0.0, 0.0), (0.0, 0.05, 1.0), (0.0, 0.0, 0.0)), 1.0)
        turns, power, needed = (number(world, f"engine_0_shaft.{name}") for name in SHAFT)
        assert power == pytest.approx(needed, rel=1e-6)
        assert number(world, "engine_0.force.x") > 500.0
        assert governed == (60.0 * turns == pytest.approx(2700.0, rel=1e-6))


@live
def test_it_stands_on_its_gear(tmp_path):
    """Dropped from just above the floor a Cessna comes to rest on its three wheels, its springs pressed in."""
    made = import_jsbsim(aircraft_file("c172p"), tmp_path / "c172p")
    assert ("landing gear", LOST) in made.lost
    vehicle = {"model": str(made.folder), "name": "aircraft", "position": [0.0, 0.0, 1.5]}
    world = World(Scenario.model_validate_json(json.dumps({"vehicles": [vehicle], "physics_hz": 1000, "floor": {}})))
    world.sticks([0.0, 0.0, 0.0, -1.0])
    world.fail("aircraft.engine_0", "off")
    world.run(6.0)
    seen = world.motion()
    touching = {int(contact.geom[1]) for contact in world.data.contact[: world.data.ncon]}
    assert len(touching) == 3 and abs(seen.vel_w.z) < 1e-3
    assert 0.9 < seen.pos_w.z < 1.5


@live
def test_all_of_its_hangar_is_read(tmp_path):
    """Every aircraft of the package, and each engine but that of helicopters and solid rockets."""
    files = sorted(home().glob("aircraft/*/*.xml"))
    aircraft = [file for file in files if "<fdm_config" in file.read_text(encoding="utf-8", errors="replace")]
    assert len(aircraft) >= 60
    unread = set()
    for k, file in enumerate(aircraft):
        made = import_jsbsim(file, tmp_path / str(k))
        assert read_vehicle(tmp_path / str(k) / "vehicle.yaml").parts["aero"].kind == "table_aero"
        unread |= {(file.stem, why) for what, why in made.lost if re.fullmatch(r"engine \d+", what)}
    assert unread == {
        ("J246", "a rocket with a table of its thrust is not read here"),
        ("ah1s", "electric_engine with rotor is not read here"),
    }


@live
def test_thrust_of_a_turboprop_is_that_of_jsbsim():
    assert thrust("pc7") < BOUNDS["pc7"]
