"""Where JSBSim's aerodynamics act, what JSBSim itself computes, and steps of the stick: beside JSBSim."""

import numpy as np
import pytest

import cupola
from cupola.bridge.jsbsim.aircraft import import_jsbsim
from cupola.config.scenario import VehicleEntry
from cupola.config.vehicle import read_vehicle
from cupola.physics.rotation import Vector, add, cross, frd
from cupola.reproduce.hangar.accelerations import BOUND, compare, random_states
from cupola.reproduce.hangar.engines import flown, full_power, put, thrust
from cupola.reproduce.hangar.peer import REST, JsbsimPeer, State, is_installed
from cupola.reproduce.hangar.steps import BOUND as STEP_BOUND
from cupola.reproduce.hangar.steps import FLIGHTS, STICKS, difference

live = pytest.mark.skipif(not is_installed(), reason="needs jsbsim")
POUND_FOOT = 1.3558179483314
TOY = """<?xml version="1.0"?><fdm_config name="toy" version="2.0" release="ALPHA"><fileheader/>
<metrics><wingarea unit="FT2">200</wingarea><wingspan unit="FT">30</wingspan><chord unit="FT">6</chord>
<wing_incidence unit="DEG">3</wing_incidence>
<location name="AERORP" unit="IN"><x>50</x><y>15</y><z>8</z></location>
<location name="EYEPOINT" unit="IN"><x>-80</x><y>12</y><z>20</z></location>
<location name="VRP" unit="IN"><x>0</x><y>0</y><z>0</z></location></metrics>
<mass_balance><ixx unit="SLUG*FT2">2000</ixx><iyy unit="SLUG*FT2">3000</iyy><izz unit="SLUG*FT2">4000</izz>
<emptywt unit="LBS">2200</emptywt><location name="CG" unit="IN"><x>40</x><y>0</y><z>0</z></location></mass_balance>
<ground_reactions/><propulsion/><flight_control name="f">{fcs}</flight_control>
<aerodynamics>{aero}</aerodynamics></fdm_config>"""


def force(name, times, frame="", extra="", properties=("metrics/Sw-sqft", "aero/alpha-rad")):
    """An axis with one function: dynamic pressure times properties times a number."""
    factors = "".join(f"<property>{one}</property>" for one in ("aero/qbar-psf", *properties))
    inside = f"<product>{factors}<value>{times}</value></product>"
    said = f' frame="{frame}"' if frame else ""
    return f'<axis name="{name}"{said}><function name="aero/of/{name}"{extra}>{inside}</function></axis>'


FORCES = force("LIFT", 4.0) + force("DRAG", 0.3) + force("SIDE", -0.5, properties=("metrics/Sw-sqft", "aero/beta-rad"))
SHIFT = """<aero_ref_pt_shift_x><function name="aero/of/shift"><table><independentVar>aero/alpha-rad</independentVar>
<tableData>-0.2 0.1
0.3 0.6</tableData></table></function></aero_ref_pt_shift_x>"""
AT_CENTRE = ' apply_at_cg="true"'


def turning(frame):
    """Moments about all three axes."""
    return "".join(force(name, times, frame) for name, times in (("ROLL", 2.0), ("PITCH", -3.0), ("YAW", 1.5)))


def push(tag, name, frame, direction, times, at="<location unit='IN'><x>10</x><y>70</y><z>-30</z></location>"):
    """An external reaction: dynamic pressure times a number along a direction."""
    size = f"<function><product><property>aero/qbar-psf</property><value>{times}</value></product></function>"
    x, y, z = direction
    along = f"<direction><x>{x}</x><y>{y}</y><z>{z}</z></direction>"
    return f"<{tag} name='{name}' frame='{frame}'>{size}{at if tag == 'force' else ''}{along}</{tag}>"


PUSHES = {
    "forces": push("force", "chute", "WIND", (-1, 0, 0), 20.0) + push("force", "tow", "BODY", (2, 1, -1), 30.0),
    "a force of the horizon": push("force", "rope", "LOCAL", (1, 2, 3), 25.0),
    "moments": push("moment", "twist", "BODY", (1, -2, 0.5), 60.0) + push("moment", "wind", "WIND", (1, 1, 1), 40.0),
    "by property": push("force", "hook", "BODY", (-1, 0, 1), 0.0).replace(
        "<function><product><property>aero/qbar-psf</property><value>0.0</value></product></function>", ""
    ),
}
PULLED = "<channel name='c'><pure_gain name='external_reactions/hook/magnitude'><input>aero/qbar-psf</input>"
PULLED += "<gain>15</gain></pure_gain></channel>"
AERODYNAMICS = {
    "a property that is declared among the forces": '<property value="13.2">metrics/own-sqft</property>'
    + force("LIFT", 4.0, properties=("metrics/own-sqft", "aero/alpha-rad")),
    "a reference point that moves": SHIFT + FORCES,
    "forces at the centre of mass": force("LIFT", 4.0, extra=AT_CENTRE) + force("DRAG", 0.3, extra=AT_CENTRE)
    + force("SIDE", -0.5, properties=("metrics/Sw-sqft", "aero/beta-rad")),
    "both": SHIFT + force("X", -0.4) + force("Z", -3.0, extra=AT_CENTRE) + force("Y", -0.7),
    "forces of stability axes": SHIFT + "".join(
        force(name, times, "STABILITY") for name, times in (("X", -0.3), ("Y", 0.4), ("Z", -3.0))
    ),
    "axial, normal and side": force("AXIAL", 0.3) + force("NORMAL", 4.0) + force("SIDE", -0.6),
    "moments of the wind axes": FORCES + turning("WIND"),
    "moments of stability axes": FORCES + turning("STABILITY"),
}  # fmt: skip
OF_JSBSIM = (
    "aero/qbar-area", "aero/Re", "aero/alpha-wing-rad", "aero/qbarUW-psf", "aero/qbarUV-psf", "flight-path/gamma-rad",
    "flight-path/psi-gt-rad", "velocities/thetadot-rad_sec", "velocities/psidot-rad_sec", "velocities/phidot-rad_sec",
    "velocities/machU", "velocities/v-north-fps", "velocities/v-east-fps", "velocities/vtrue-kts", "atmosphere/delta",
    "inertia/cg-x-in", "metrics/iw-rad",
)  # fmt: skip
"""Properties that no file defines: JSBSim computes them for every aircraft."""


def write(root, aero, fcs=""):
    folder = root / "aircraft" / "toy"
    folder.mkdir(parents=True)
    (folder / "toy.xml").write_text(TOY.format(aero=aero, fcs=fcs))
    return folder / "toy.xml"


def number(world, name):
    """A signal of the imported aircraft."""
    value = world.signal(f"aircraft.{name}")
    assert isinstance(value, float)
    return value


@live
@pytest.mark.parametrize("name", AERODYNAMICS)
def test_forces_act_where_jsbsim_lets_them_act(tmp_path, name):
    made = import_jsbsim(write(tmp_path, AERODYNAMICS[name]), tmp_path / "made")
    assert made.lost == []
    found = compare("toy", 6, tmp_path)
    assert found.linear < BOUND and found.angular < BOUND


@live
@pytest.mark.parametrize("name", PUSHES)
def test_external_reactions_push_where_jsbsims_do(tmp_path, name):
    outside = f"<ground_reactions/><external_reactions>{PUSHES[name]}</external_reactions>"
    fcs = PULLED if name == "by property" else ""
    file = write(tmp_path, FORCES, fcs)
    file.write_text(file.read_text().replace("<ground_reactions/>", outside))
    made = import_jsbsim(file, tmp_path / "made")
    assert made.lost == []
    found = compare("toy", 6, tmp_path)
    assert found.linear < BOUND and found.angular < BOUND


def test_external_reactions_that_nothing_moves_are_listed(tmp_path):
    idle = "<force name='idle' frame='BODY'/><force name='far' frame='INERTIAL'>"
    idle += "<function><value>1</value></function></force>"
    file = write(tmp_path, FORCES)
    file.write_text(file.read_text().replace("<ground_reactions/>", f"<external_reactions>{idle}</external_reactions>"))
    lost = dict(import_jsbsim(file, tmp_path / "made").lost)
    assert lost["force 'idle' of <external_reactions>"] == (
        "stays 0: nothing here sets external_reactions/idle/magnitude"
    )
    assert "frame INERTIAL is not read here" in lost["force 'far' of <external_reactions>"]


@live
def test_properties_that_jsbsim_makes_of_lift_and_drag(tmp_path):
    """Each turns the nose with a size of its own; one of which the lift itself is made stays 0 and is listed."""
    names, sizes = ("forces/load-factor", "forces/lod-norm", "aero/cl-squared"), (30000.0, 4000.0, 50000.0)
    terms = ""
    for k, (name, size) in enumerate(zip(names, sizes, strict=True)):
        text = f"<product><property>{name}</property><value>{size}</value></product>"
        terms += f'<function name="aero/of/term{k}">{text}</function>'
    made = import_jsbsim(write(tmp_path, f'{FORCES}<axis name="PITCH">{terms}</axis>'), tmp_path / "made")
    assert made.lost == []
    found = compare("toy", 6, tmp_path)
    assert found.linear < BOUND and found.angular < BOUND
    itself = FORCES.replace('name="LIFT">', f'name="LIFT">{terms}')
    assert itself != FORCES
    again = import_jsbsim(write(tmp_path / "again", itself), tmp_path / "made again")
    assert all(any(name in one[0] for one in again.lost) for name in names)


@live
def test_properties_that_jsbsim_computes_for_every_aircraft(tmp_path):
    """Each is a part of a force of its own size, so that none can hide behind another."""
    root = tmp_path / "plain"
    peer = JsbsimPeer("toy", root=write(root, FORCES).parents[2])
    peer.put(State(3000.0, (60.0, 2.0, 4.0), (0.1, 0.2, -0.1), (0.3, 0.2, 1.0), (0.0, 0.0, 0.0)))
    terms = []
    for k, name in enumerate(OF_JSBSIM):
        size = 3000.0 * (k + 1) / abs(peer.fdm[name])
        text = f"<product><property>{name}</property><value>{size}</value></product>"
        terms.append(f'<function name="aero/of/term{k}">{text}</function>')
    aero = f'<axis name="LIFT">{"".join(terms)}</axis>'
    made = import_jsbsim(write(tmp_path, aero), tmp_path / "made")
    assert made.lost == []
    found = compare("toy", 6, tmp_path)
    assert found.linear < 5e-6 and found.angular < 5e-6  # the gas constants differ by 3.5e-6


@live
@pytest.mark.parametrize("name", ["J3Cub", "f104", "x24b", "f15", "Camel", "DHC6"])
def test_aircraft_that_ask_for_more_than_most(name):
    """The Reynolds number, of which tables make a slope; a property that only FlightGear sets; a law that rests in two
    ways; integrators; the wash of propellers that stand."""
    found = compare(name, 30)
    assert found.linear < BOUND and found.angular < BOUND


@live
@pytest.mark.parametrize("name", ["T37", "c172p", "DHC6"])
def test_a_law_has_come_to_rest_once_nothing_has_moved_for_a_second(name):
    peer = JsbsimPeer(name)
    state = next(random_states(peer, 1))
    soon, took = peer.ask(state, rest=True), peer.fdm.get_sim_time()
    peer._controls = ["simulation/sim-time-sec"]  # never stays
    late = peer.ask(state, rest=True)
    assert peer.fdm.get_sim_time() == pytest.approx(REST, abs=0.1)
    assert took < 0.9 * REST
    for ours, theirs in zip(soon[:2], late[:2], strict=True):
        assert np.linalg.norm(ours - theirs) < 0.1 * BOUND * np.linalg.norm(theirs)


def test_what_jsbsim_computes_and_cupola_does_not_is_said_so(tmp_path):
    asked = ("aero/of/nothing", "gear/unit[1]/WOW", "my/switch")
    made = import_jsbsim(write(tmp_path, force("LIFT", 1.0, properties=asked) + "<odd/>"), tmp_path / "made")
    lost = dict(made.lost)
    assert set(lost) == {*asked, "<odd> of <aerodynamics>"}
    assert "differs where JSBSim has a number" in lost["gear/unit[1]/WOW"]
    assert "as JSBSim leaves a property that nobody sets" in lost["my/switch"]


@live
@pytest.mark.parametrize("stick", STICKS)
def test_a_step_of_the_stick_is_answered_as_in_jsbsim(stick):
    """A jet, a law that feels its acceleration, and a propeller in whose wash the tail stands."""
    for flight in [one for one in FLIGHTS if one.name in ("T38", "f16", "c172p")]:
        assert difference(flight, stick) < STEP_BOUND, flight.name


SENSE = """<axis name="ROLL"><function name="aero/roll"><product><property>fcs/aileron-cmd-norm</property>
<value>900</value></product></function></axis><axis name="PITCH"><function name="aero/pitch"><product>
<property>fcs/elevator-cmd-norm</property><value>-900</value></product></function></axis><axis name="YAW">
<function name="aero/yaw"><product><property>fcs/rudder-cmd-norm</property><value>-900</value></product></function>
</axis>"""
"""Moments as every aircraft of JSBSim has them: a stick that is pushed, and a left pedal, are positive."""


@pytest.mark.parametrize(("stick", "axis", "sign"), [(0, "x", 1), (1, "y", -1), (2, "z", -1)])
def test_sticks_turn_it_as_their_labels_say(tmp_path, stick, axis, sign):
    """Roll right, nose up, nose right: about x forward, y left, z up."""
    made = import_jsbsim(write(tmp_path, SENSE), tmp_path / "made")
    toy = VehicleEntry(model=str(made.folder), name="toy")
    world = cupola.load(cupola.Scenario(vehicles=(toy,), floor=None))
    world.sticks([1.0 if k == stick else 0.0 for k in range(3)])
    world.run(0.1)
    rates = world.motion().rate_b._asdict()
    assert sign * rates[axis] > 1e-3 and max(abs(rates[other]) for other in {*rates} - {axis}) < 0.1 * abs(rates[axis])


@live
@pytest.mark.parametrize("rates", [(0.0, 0.0, 0.0), (0.2, 0.3, -0.25)])
def test_a_propeller_that_turns_in_a_slanted_flow_twists_as_jsbsims_does(rates):
    """Torque of the engine, gyroscopic moment and the shift of the thrust, about the centre of mass."""
    peer, world = JsbsimPeer("c182"), flown("c182")
    state = State(1000.0, (50.0, 3.0, 5.0), rates, (0.0, 0.05, 1.0), (0.0, 0.0, 0.0))
    full_power(peer, state, 1, 10.0)
    theirs = np.array([peer.fdm[f"moments/{axis}-prop-lbsft"] for axis in "lmn"]) * POUND_FOOT
    put(world, state, 1.0)
    torque, pushed = (Vector(*(number(world, f"engine_0.{what}.{axis}") for axis in "xyz"))
                      for what in ("torque", "force"))  # fmt: skip
    arm = Vector(*world.model.site("aircraft/engine_0").pos.tolist())
    ours = np.array(frd(add(torque, cross(arm, pushed))))
    np.testing.assert_allclose(ours, theirs, rtol=0.0, atol=5e-4 * np.abs(theirs).max())


@live
def test_an_engine_that_is_stopped_drives_its_propeller_no_more():
    """This one needs power at any advance ratio, so it comes to stand; it had blown on as if nothing had happened."""
    world = flown("c172p")
    state = State(1000.0, (50.0, 0.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.02, 0.0), (0.0, 0.0, 0.0))
    seen = []
    for running in (1.0, 0.0):
        world.tune("aircraft.engine_0_shaft.running", running)
        put(world, state, 1.0)
        seen.append((number(world, "engine_0_shaft.turning"), number(world, "engine_0.force.x")))
    assert seen[0][0] > 20.0 and seen[0][1] > 1000.0
    assert seen[1][0] < 1.0 and abs(seen[1][1]) < 1.0


@live
def test_the_levers_of_all_engines_rest_alike(monkeypatch):
    """The c310's own law moves the mixture of `[0]` and `[1]`; in JSBSim `x[0]` is `x`. One engine used to be dead."""
    monkeypatch.setattr("cupola.reproduce.hangar.engines.thin_air", lambda altitude: 1.0)
    peer, world = JsbsimPeer("c310"), flown("c310")
    state = next(random_states(peer, 1))._replace(rates=(0.0, 0.0, 0.0), commands=(0.0, 0.0, 0.0))
    theirs = full_power(peer, state, 2, 40.0)
    put(world, state, 1.0)
    ours = [number(world, f"engine_{k}.force.x") for k in range(2)]
    assert ours[0] == ours[1] and sum(ours) == pytest.approx(theirs, rel=1e-5)


@live
def test_pistons_with_and_without_a_supercharger_have_the_power_of_jsbsims():
    assert thrust("J3Cub") < 1e-5 and thrust("c172r") < 1e-5
    assert thrust("Camel") < 5e-5  # its own law moves the mixture, and its propeller is heavy: slow to come to rest
    peer, world = JsbsimPeer("Boeing314"), flown("Boeing314")
    state = next(random_states(peer, 1))._replace(rates=(0.0, 0.0, 0.0), commands=(0.0, 0.0, 0.0))
    theirs = full_power(peer, state, 4, 40.0)
    put(world, state, 1.0)
    ours = sum(number(world, f"engine_{k}.force.x") for k in range(4))
    assert ours == pytest.approx(theirs, rel=2e-5)
    assert peer.fdm["propulsion/engine/map-inhg"] > 29.92


def test_what_needs_the_engines_is_computed_behind_them(tmp_path):
    """A gain of the thrust coefficient reaches the aerodynamics in the same tick; one that engines need is listed."""
    engine = '<propulsion><engine file="motor"><thruster file="screw"/></engine></propulsion>'
    text = TOY.replace("<propulsion/>", engine)
    gain = "<pure_gain name='{}'><input>propulsion/engine/thrust-coefficient</input><gain>2</gain></pure_gain>"
    folder = tmp_path / "toy"
    folder.mkdir()
    (folder / "motor.xml").write_text('<electric_engine name="e"><power unit="WATTS">9000</power></electric_engine>')
    tables = "".join(
        f'<table name="{one}"><tableData>0 0.1\n2 0.1</tableData></table>' for one in ("C_THRUST", "C_POWER")
    )
    (folder / "screw.xml").write_text(
        f'<propeller version="1.1" name="s"><ixx>1</ixx><diameter unit="M">2</diameter>{tables}</propeller>'
    )
    aero = force("LIFT", 1.0, properties=("fcs/wanted",))
    for number, (named, asked) in enumerate((("wanted", False), ("throttle-pos-norm", True))):
        fcs = f"<channel name='c'>{gain.format(named)}</channel>"
        (folder / "toy.xml").write_text(text.format(aero=aero, fcs=fcs))
        made = import_jsbsim(folder / "toy.xml", tmp_path / str(number))
        parts = read_vehicle(tmp_path / str(number) / "vehicle.yaml").parts
        assert ("law_of_engines" in parts) == (not asked)
        assert ("it needs the engines" in dict(made.lost).get("fcs/throttle-pos-norm", "")) == asked
