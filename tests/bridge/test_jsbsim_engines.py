"""Engines in files of a toy, beside JSBSim itself: the thrust of every tick while the lever moves, in a held flight."""

import os
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cupola.analysis.controls import find_surfaces
from cupola.bridge.jsbsim.aircraft import import_jsbsim
from cupola.bridge.jsbsim.elements import FOOT, POUND, PSF, SLUG
from cupola.config.vehicle import read_vehicle
from cupola.parts.functions.evaluate import WIDTH, evaluate
from cupola.parts.functions.part import QUANTITIES
from cupola.parts.functions.program import Functions, build
from cupola.parts.functions.table_control import TableControl
from cupola.reproduce.hangar.peer import HELD, is_installed, silence

from .jsbsim_toy import BODY

live = pytest.mark.skipif(not is_installed(), reason="needs jsbsim")
DT, TICKS, THROTTLE = 0.02, 500, 3
REST = 10.0
"""[s] in which JSBSim's engines come down to idle."""
TOY = (
    BODY
    + """<ground_reactions/>{}<flight_control name="f"/>
<aerodynamics><axis name="LIFT"><function name="aero/force/lift">
<product><property>aero/qbar-psf</property><value>0.1</value></product></function></axis></aerodynamics></fdm_config>"""
)
FLIGHT = {
    "dt": "simulation/dt", "u": "velocities/u-aero-fps", "v": "velocities/v-aero-fps", "w": "velocities/w-aero-fps",
    "airspeed": "velocities/vt-fps", "mach": "velocities/mach", "altitude": "position/h-sl-ft",
    "density": "atmosphere/rho-slugs_ft3", "pressure": "atmosphere/P-psf", "temperature": "atmosphere/T-R",
}  # fmt: skip
SIZES = {"u": FOOT, "v": FOOT, "w": FOOT, "airspeed": FOOT, "altitude": FOOT, "density": SLUG / FOOT**3}
SIZES |= {"pressure": PSF, "temperature": 5.0 / 9.0}


def lookup(name, low, high):
    """A function of Mach number."""
    data = f"0 {low}\n1 {high}"
    var = "<independentVar lookup='row'>velocities/mach</independentVar>"
    return f"<function name='{name}'><table>{var}<tableData>{data}</tableData></table></function>"


TABLES = lookup("IdleThrust", 0.06, 0.02) + lookup("MilThrust", 1, 0.8)
WET = lookup("AugThrust", 1, 1.3)
SLOW = "<function name='N2SpoolUp'><sum><value>2</value><property>propulsion/engine[#]/n2</property></sum></function>"


def turbine(inside, *more, tables=TABLES):
    extra = "".join(more)
    return f"<turbine_engine name='t'>{inside}<idlen2>55</idlen2><maxn2>103</maxn2>{extra}{tables}</turbine_engine>"


BLEED = "<bypassratio>1.5</bypassratio><bleed>0.04</bleed>"
TURBINES = {
    "plain": turbine("<milthrust>4000</milthrust>", BLEED),
    "in pounds": turbine("<milthrust unit='LBS'>4000</milthrust>", BLEED),
    "in newtons": turbine("<milthrust unit='N'>9000</milthrust>"),
    **{
        f"afterburner {augmented}, method {method}": turbine(
            "<milthrust>4000</milthrust><maxthrust unit='LBS'>7000</maxthrust>",
            f"<augmented>{augmented}</augmented><augmethod>{method}</augmethod>",
            BLEED,
            tables=TABLES + WET,
        )
        for augmented, method in ((0, 0), (0, 2), (1, 0), (1, 1), (1, 2))
    },
    "own spool": turbine("<milthrust>4000</milthrust>", lookup("N2SpoolDown", 9, 5), SLOW),
}
DIRECT = "<direct name='d'/>"
NOZZLE = "<nozzle name='n'><area unit='FT2'>0.7</area></nozzle>"
FLOWS = "<slfuelflowmax>3</slfuelflowmax><sloxiflowmax>7</sloxiflowmax>"


def rocket(inside, isp="<isp>230</isp>"):
    return f"<rocket_engine name='r'>{isp}{inside}</rocket_engine>"


ROCKETS = {
    "two flows": rocket(FLOWS),
    "one flow": rocket("<propflowmax unit='KG/SEC'>4</propflowmax><mixtureratio>2</mixtureratio>"),
    "a small lever": rocket(FLOWS + "<minthrottle>0.3</minthrottle><maxthrottle>0.7</maxthrottle>"),
    "impulse by function": rocket(FLOWS, f"<isp>{lookup('isp[#]', 210, 260)}</isp>"),
}
ENGINES = {**{name: (text, DIRECT) for name, text in TURBINES.items()}}
ENGINES |= {name: (text, NOZZLE) for name, text in ROCKETS.items()}
ENGINES["electric"] = ("<electric_engine name='e'><power unit='WATTS'>9000</power></electric_engine>", DIRECT)
TANKS = "".join(
    f"<tank type='{kind}'><location unit='M'><x>1</x><y>0</y><z>0</z></location><capacity unit='KG'>900</capacity>"
    "<contents unit='KG'>900</contents></tank>"
    for kind in ("FUEL", "OXIDIZER")
)
FEEDS = "<feed>0</feed><feed>1</feed>"


def engined(folder, engine, thruster, inline=0):
    """The file of an aircraft with one engine, and its folder as JSBSim wants it."""
    own = folder / "aircraft" / "toy"
    own.mkdir(parents=True)
    (folder / "engine").mkdir()
    (folder / "engine" / "motor.xml").write_text(engine)
    (folder / "engine" / "push.xml").write_text(thruster)
    place = "<location unit='M'><x>1</x><y>0</y><z>0</z></location>"
    pushed = f"<thruster>{thruster}{place}</thruster>" if inline else f"<thruster file='push'>{place}</thruster>"
    made = f"<engine>{engine}" if inline else "<engine file='motor'>"
    whole = f"<propulsion>{made}{pushed}{FEEDS}</engine>{TANKS}</propulsion>"
    (own / "toy.xml").write_text(TOY.format(whole))
    return own / "toy.xml"


def levers():
    """From idle to full and beyond, back, and to a half."""
    time = DT * np.arange(TICKS)
    return np.select([time < 0.5, time < 4.0, time < 6.0, time < 8.0], [0.0, 1.0, 1.7, 0.1], 0.55)


def of_jsbsim(folder, limit):
    """Thrust [lbf] by tick and the flight."""
    os.environ["JSBSIM_DEBUG"] = "0"
    import jsbsim

    with silence():
        fdm = jsbsim.FGFDMExec(str(folder))
        fdm.set_debug_level(0)
        fdm.set_dt(DT)
        fdm.load_model("toy")
        for name, value in {"h-sl-ft": 9000.0, "u-fps": 300.0, "w-fps": 10.0}.items():
            fdm[f"ic/{name}"] = value
        fdm.run_ic()
        fdm["propulsion/set-running"] = -1
        for name in HELD:
            fdm[f"simulation/integrator/{name}"] = 0.0
        fdm["fcs/throttle-cmd-norm"] = 0.0
        for _ in range(round(REST / DT)):
            fdm.run()
        found = []
        for lever in np.minimum(levers(), limit):
            fdm["fcs/throttle-cmd-norm"] = lever
            fdm.run()
            found.append(fdm["propulsion/engine/thrust-lbs"])
        flight = {name: fdm[prop] * SIZES.get(name, 1.0) for name, prop in FLIGHT.items()}
    return np.array(found), flight


def program_of(part):
    """Its functions, and their memory block."""
    program = build(Functions((*QUANTITIES, *part.own_names()), part.constants, part.tables, part.values), part.roots())
    block = np.array(program.block)
    for place in program.places:  # as the part does when it is bound
        block[program.code + WIDTH * place.instruction + WIDTH - 1] = int(place.name)
    return program, block


def of_cupola(vehicle, flight, limit):
    """Thrust [lbf] by tick: the control part of the engine, if it has one, then the engine."""
    control = next((one for name, one in vehicle.parts.items() if name.startswith("engine_0_")), None)
    engine = vehicle.parts["engine_0"]
    push, block = program_of(engine)
    channels = np.zeros(20)
    if control is not None:
        law, kept = program_of(control)
        memory = control.initial_memory()
    for values in (block, *((kept,) if control is not None else ())):
        for name, value in flight.items():
            values[QUANTITIES.index(name)] = value
    found = []
    for lever in np.minimum(levers(), limit):
        channels[THROTTLE] = lever
        if control is not None:
            kept[len(QUANTITIES) : len(QUANTITIES) + len(memory)] = memory
            evaluate(kept, law.code, law.lines, law.result, channels, np.zeros(1))
            values = [kept[law.wanted[name]] for name in control.roots()]
            memory = values[len(control.channels) :]
            for channel, value in zip(control.channels, values, strict=False):
                channels[channel] = value
        evaluate(block, push.code, push.lines, push.result, channels, np.zeros(1))
        found.append(block[push.wanted["thrust"]] / POUND)
    return np.array(found)


@live
@pytest.mark.parametrize("name", ENGINES)
def test_its_thrust_follows_the_lever_as_jsbsims_does(tmp_path, name):
    file = engined(tmp_path, *ENGINES[name])
    made = import_jsbsim(file, tmp_path / "made")
    assert not [what for what, why in made.lost if "not read" in why]
    limit = 2.0 if name in TURBINES else 1.0
    theirs, flight = of_jsbsim(tmp_path, limit)
    ours = of_cupola(read_vehicle(tmp_path / "made" / "vehicle.yaml"), flight, limit)
    assert np.ptp(theirs) > 1.0
    # In the tick of a change JSBSim's rocket burns what flowed before, and a burner that goes out bleeds no air yet.
    held = np.diff(levers(), prepend=0.0) == 0.0
    ours, theirs = ours[held], theirs[held]
    bound = 1e-4 if name == "in newtons" else 1e-6  # JSBSim rounds the newton
    np.testing.assert_allclose(ours, theirs, rtol=0.0, atol=bound * np.abs(theirs).max())


def test_what_stands_in_files_of_engines_and_is_not_read_is_listed(tmp_path):
    strange = TURBINES["plain"].replace("<idlen2>", "<ramjet>1</ramjet><idlen2>")
    lost = dict(import_jsbsim(engined(tmp_path, strange, DIRECT), tmp_path / "made").lost)
    assert lost["<ramjet> of the turbine of engine 0"] == "is not read here"
    assert lost["fuel of 1800 kg"].startswith("is not burnt")


def test_engines_and_thrusters_may_stand_in_the_aircraft_itself(tmp_path):
    made = [import_jsbsim(engined(tmp_path / str(k), *ENGINES["plain"], k), tmp_path / f"made{k}") for k in (0, 1)]
    beside, inside = (read_vehicle(one.folder / "vehicle.yaml") for one in made)
    assert beside.parts["engine_0"] == inside.parts["engine_0"]


def test_sticks_of_a_control_law_are_no_angles(tmp_path):
    vehicle = read_vehicle(
        import_jsbsim(engined(tmp_path, *ENGINES["plain"]), tmp_path / "made").folder / "vehicle.yaml"
    )
    law = TableControl(kind="table_control", site="base", channels={9: "channel[0]"}, controls={0: None, 1: 0.35})
    flown: Any = SimpleNamespace(vehicle=vehicle.model_copy(update={"parts": {"law": law}}))
    found = find_surfaces(flown)
    assert [(one.channels, one.unit, one.scale) for one in found] == [((0,), "1", 1.0), ((1,), "rad", 0.35)]
