"""Components of JSBSim's flight control that remember, beside JSBSim itself: every tick of the same stick."""

import os

import numpy as np
import pytest

from cupola.bridge.jsbsim.aircraft import import_jsbsim
from cupola.config.vehicle import read_vehicle
from cupola.parts.functions.evaluate import WIDTH, evaluate
from cupola.parts.functions.part import QUANTITIES
from cupola.parts.functions.program import Functions, build
from cupola.reproduce.hangar.peer import is_installed, silence

DT, TICKS = 0.01, 120
TOY = """<?xml version="1.0"?><fdm_config name="toy" version="2.0" release="ALPHA"><fileheader/>
<metrics><wingarea unit="M2">2</wingarea><wingspan unit="M">4</wingspan><chord unit="M">0.5</chord>
<location name="AERORP" unit="M"><x>1</x><y>0</y><z>0.2</z></location>
<location name="EYEPOINT" unit="M"><x>1</x><y>0</y><z>0</z></location>
<location name="VRP" unit="M"><x>0</x><y>0</y><z>0</z></location></metrics>
<mass_balance><ixx unit="KG*M2">3</ixx><iyy unit="KG*M2">4</iyy><izz unit="KG*M2">5</izz>
<emptywt unit="KG">8</emptywt><location name="CG" unit="M"><x>1</x><y>0</y><z>0</z></location></mass_balance>
<ground_reactions/><propulsion/><flight_control name="f"><channel name="c">{}</channel></flight_control>
<aerodynamics><axis name="LIFT"><function name="aero/force/lift"><product><property>aero/qbar-psf</property>
<property>fcs/wanted</property></product></function></axis></aerodynamics></fdm_config>"""
STICK, STOP = "<input>fcs/elevator-cmd-norm</input>", "<trigger>fcs/rudder-cmd-norm</trigger>"
CASES = {
    "lead_lag": f"<lead_lag_filter name='wanted'>{STICK}<c1>0.4</c1><c2>3</c2><c3>0.2</c3><c4>5</c4></lead_lag_filter>",
    "washout": f"<washout_filter name='wanted'>{STICK}<c1>4</c1><clipto><min>-0.3</min><max>0.5</max></clipto>"
    "</washout_filter>",
    "second order": f"<second_order_filter name='wanted'>{STICK}<c1>0.1</c1><c2>2</c2><c3>80</c3><c4>1</c4><c5>7</c5>"
    "<c6>90</c6></second_order_filter>",
    "integrator": f"<integrator name='wanted'>{STICK}<c1>1.5</c1></integrator>",
    "integrator with a trigger": f"<integrator name='wanted'>{STICK}<c1>1.5</c1>{STOP}</integrator>",
    "pid": f"<pid name='wanted'>{STICK}<kp>2</kp><ki>3</ki><kd>0.05</kd></pid>",
    "pid, parts alone": f"<pid name='wanted'>{STICK}<kp>2</kp></pid>",
    **{
        f"pid {kind}": f"<pid name='wanted' type='{form}'>{STICK}<kp>2</kp><ki type='{kind}'>3</ki><kd>0.05</kd>{STOP}"
        "</pid>"
        for kind, form in (("rect", "standard"), ("trap", ""), ("ab2", ""), ("ab3", "standard"))
    },
    "pid with a rate and gains by property": "<pure_gain name='gain'><input>fcs/elevator-cmd-norm</input><gain>3</gain>"
    f"</pure_gain><pid name='wanted'>{STICK}<kp>fcs/gain</kp><ki>0.5</ki><kd>1</kd><pvdot>fcs/gain</pvdot></pid>",
    "sensor": f"<sensor name='wanted'>{STICK}<gain>1.5</gain><bias>0.2</bias></sensor>",
    "after one another": f"<washout_filter name='one'>{STICK}<c1>2</c1></washout_filter><integrator name='two'>"
    "<input>fcs/one</input><c1>3</c1></integrator>"
    "<pid name='wanted'><input>-fcs/two</input><kp>1</kp><kd>0.1</kd></pid>",
}


def sticks():
    """Elevator: a step and a swing; rudder, the trigger: on for a while, then negative."""
    time = DT * np.arange(TICKS)
    elevator = np.where(time < 0.1, 0.0, 0.4 + 0.5 * np.sin(9.0 * time))
    return elevator, np.where((time > 0.4) & (time < 0.6), 1.0, np.where((time > 0.8) & (time < 0.9), -1.0, 0.0))


def of_jsbsim(folder):
    os.environ["JSBSIM_DEBUG"] = "0"
    import jsbsim

    with silence():
        fdm = jsbsim.FGFDMExec(str(folder))
        fdm.set_debug_level(0)
        fdm.set_dt(DT)  # before: components compute their coefficients when they are read
        fdm.load_model("toy")
        fdm["ic/h-sl-ft"] = 10000.0
        fdm.run_ic()
        found = []
        for elevator, rudder in zip(*sticks(), strict=True):
            fdm["fcs/elevator-cmd-norm"], fdm["fcs/rudder-cmd-norm"] = elevator, rudder
            fdm.run()
            found.append(fdm["fcs/wanted"])
    return np.array(found)


def of_cupola(vehicle):
    law = vehicle.parts["law"]
    names = (*QUANTITIES, *law.own_names())
    program = build(Functions(names, law.constants, law.tables, law.values), law.roots())
    block = np.array(program.block)
    for place in program.places:  # as the part does when it is bound
        block[program.code + WIDTH * place.instruction + WIDTH - 1] = int(place.name)
    block[QUANTITIES.index("dt")] = DT
    memory, found = law.initial_memory(), []
    for elevator, rudder in zip(*sticks(), strict=True):
        channels = np.zeros(20)
        channels[1], channels[2] = elevator, rudder
        block[len(QUANTITIES) : len(QUANTITIES) + len(memory)] = memory
        evaluate(block, program.code, program.lines, program.result, channels, np.zeros(1))
        values = [block[program.wanted[name]] for name in law.roots()]
        memory = values[len(law.channels) :]
        found.append(values[0])
    return np.array(found)


@pytest.mark.skipif(not is_installed(), reason="needs jsbsim")
@pytest.mark.parametrize("name", CASES)
def test_it_computes_as_jsbsim_does(tmp_path, name):
    folder = tmp_path / "aircraft" / "toy"
    folder.mkdir(parents=True)
    (folder / "toy.xml").write_text(TOY.format(CASES[name]))
    made = import_jsbsim(folder / "toy.xml", tmp_path / "made")
    assert not [why for what, why in made.lost if "fcs/" in what]
    theirs, ours = of_jsbsim(tmp_path), of_cupola(read_vehicle(tmp_path / "made" / "vehicle.yaml"))
    assert np.abs(theirs).max() > 0.05
    np.testing.assert_allclose(ours, theirs, rtol=0.0, atol=1e-9 * max(1.0, np.abs(theirs).max()))


def test_what_a_sensor_or_a_component_lacks_is_listed(tmp_path):
    noisy = f"<sensor name='wanted'>{STICK}<noise variation='ABSOLUTE'>0.1</noise></sensor>"
    odd = f"<pid name='wanted'>{STICK}<kp>1</kp><ki type='simpson'>1</ki></pid>"
    for number, (text, said) in enumerate(((noisy, "<noise> of wanted"), (odd, "fcs/wanted"))):
        (tmp_path / "toy.xml").write_text(TOY.format(text))
        made = import_jsbsim(tmp_path / "toy.xml", tmp_path / f"made{number}")
        assert said in dict(made.lost)
    assert "<ki type='simpson'> is not read here" in dict(made.lost)["fcs/wanted"]
