"""Components of JSBSim's flight control that remember, its functions and tables, beside JSBSim itself: every tick of
the same stick. What JSBSim does not read either is listed with its place and the reason."""

import os

import numpy as np
import pytest

from cupola.bridge.jsbsim.aircraft import import_jsbsim
from cupola.config.vehicle import read_vehicle
from cupola.parts.functions.evaluate import WIDTH, evaluate
from cupola.parts.functions.part import QUANTITIES
from cupola.parts.functions.program import Functions, build
from cupola.reproduce.hangar.engines import Level, level_flight
from cupola.reproduce.hangar.peer import is_installed, silence

from .jsbsim_toy import BODY

DT, TICKS = 0.01, 120
TOY = (
    BODY
    + """<ground_reactions/><propulsion/><flight_control name="f"><channel name="c">{}</channel></flight_control>
<aerodynamics><axis name="LIFT"><function name="aero/force/lift"><product><property>aero/qbar-psf</property>
<property>fcs/wanted</property></product></function></axis></aerodynamics></fdm_config>"""
)
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

RUDDER = "<input>fcs/rudder-cmd-norm</input>"
LIMITS = "<clipto><min>-0.3</min><max>0.6</max></clipto>"


def way(*pairs, scaled=True):
    """A kinematic: positions and the time from each to the next."""
    settings = "".join(f"<setting><position>{place}</position><time>{time}</time></setting>" for place, time in pairs)
    plain = "" if scaled else "<noscale/>"
    return f"<kinematic name='wanted'>{STICK}{plain}<traverse>{settings}</traverse></kinematic>"


def actuator(inside):
    return f"<actuator name='wanted'>{STICK}{inside}</actuator>"


FAR = f"<pure_gain name='far'>{STICK}<gain>300</gain></pure_gain>"
CASES |= {
    "lag": f"<lag_filter name='wanted'>{STICK}<c1>4</c1></lag_filter>",
    "kinematic": way((0, 0), (0.5, 0.3), (2, 0.5)),
    "kinematic, not scaled": way((-1, 0), (0.5, 0.3), (2, 0.5), scaled=False),
    "kinematic through 0": way((-20, 0), (0, 0.2), (20, 0.4)),
    "kinematic with a stretch at once": way((-1, 0), (0.3, 0), (2, 0.5), scaled=False),
    "kinematic within limits": way((-20, 0), (20, 0.4)).replace("</traverse>", f"</traverse>{LIMITS}"),
    "kinematic from what another wrote": f"<pid name='one'>{STICK}<kp>0.8</kp><output>fcs/both</output></pid>"
    f"<summer name='sum'><input>fcs/one</input>{RUDDER}</summer>"
    + way((-1, 0), (1, 0.4))
    .replace(STICK, "<input>fcs/sum</input>")
    .replace("'wanted'", "'two'")
    .replace("</kinematic>", "<output>fcs/both</output></kinematic>")
    + "<pure_gain name='wanted'><input>fcs/both</input></pure_gain>",
    "a value that is changed where it lies": f"<summer>{STICK}<bias>0.3</bias><output>fcs/x</output></summer>"
    f"<pure_gain name='between'><input>fcs/x</input><gain>5</gain></pure_gain><pure_gain><input>fcs/x</input><gain>"
    "fcs/rudder-cmd-norm</gain><output>fcs/x</output></pure_gain><summer name='wanted'><input>fcs/x</input>"
    "<input>fcs/between</input></summer>",
    "a phase that goes round": "</channel><property value='2'>fcs/phase</property><channel name='d'>"
    f"<pure_gain name='first'><input>fcs/phase</input></pure_gain>"
    f"<pure_gain name='pace'>{STICK}<gain>0.9</gain></pure_gain><summer><input>fcs/phase</input><input>fcs/pace</input>"
    "<output>fcs/phase</output></summer><fcs_function name='round'>"
    "<function><ifthen><ge><p>fcs/phase</p><v>6</v></ge><difference><p>fcs/phase</p><v>6</v></difference>"
    "<p>fcs/phase</p></ifthen></function><output>fcs/phase</output></fcs_function><summer name='wanted'>"
    "<input>fcs/phase</input><input>-fcs/first</input></summer>",
    "dead band": f"<deadband name='wanted'>{STICK}<width>0.4</width><gain>2</gain></deadband>",
    "sum": f"<summer name='wanted'>{STICK}{RUDDER}<bias>0.3</bias>{LIMITS}</summer>",
    "round and round": f"<pure_gain name='wanted'>{STICK}<gain>5</gain><clipto type='cyclic'>"
    "<min>-1</min><max>1.5</max></clipto></pure_gain>",
    "scale": f"<aerosurface_scale name='wanted'>{STICK}<range><min>-10</min><max>25</max></range></aerosurface_scale>",
    "scale from end to end": f"<aerosurface_scale name='wanted'>{STICK}<zero_centered>0</zero_centered><domain>"
    "<min>-2</min><max>1</max></domain><range><min>-10</min><max>25</max></range></aerosurface_scale>",
    "actuator that lags": actuator("<lag>4</lag>"),
    "actuator of two speeds": actuator(
        "<rate_limit sense='incr'>1.5</rate_limit><rate_limit sense='decr'>0.5</rate_limit>"
    ),
    "actuator with a bias": actuator("<bias>0.1</bias><lag>9</lag><rate_limit>2</rate_limit>"),
    "actuator with hysteresis": actuator("<hysteresis_width>0.2</hysteresis_width>"),
    "actuator with a dead band": actuator("<deadband_width>0.2</deadband_width>"),
    "actuator with everything": actuator(
        "<lag>9</lag><rate_limit>3</rate_limit><bias>0.1</bias><deadband_width>0.2</deadband_width>"
        f"<hysteresis_width>0.1</hysteresis_width>{LIMITS}"
    ),
    "sensor that lags": f"<sensor name='wanted'>{STICK}<lag>5</lag><gain>2</gain><bias>0.1</bias></sensor>",
    "sensor in steps": f"<sensor name='wanted'>{STICK}<quantization name='q'><bits>4</bits><min>-1</min><max>0.7</max>"
    "</quantization></sensor>",
    "function of an input": f"<fcs_function name='wanted'>{STICK}<function><sum><p>fcs/elevator-cmd-norm</p><v>1</v>"
    "</sum></function></fcs_function>",
    "angle": f"{FAR}<angle name='wanted'><source_angle unit='DEG'>fcs/far</source_angle><target_angle>"
    "fcs/rudder-cmd-norm</target_angle></angle>",
    "angle in degrees": f"{FAR}<angle name='wanted' unit='DEG'><source_angle unit='DEG'>fcs/far</source_angle>"
    "<target_angle>fcs/rudder-cmd-norm</target_angle></angle>",
    "tests inside a test": "<switch name='wanted'><default value='0.5'/><test logic='OR' value='1'>"
    "fcs/rudder-cmd-norm ne 0\n<test logic='AND'>fcs/elevator-cmd-norm GE 0.2\nfcs/elevator-cmd-norm LT 0.6</test>"
    "</test></switch>",
    "channel that runs at times": f"</channel><channel name='d' execute='fcs/rudder-cmd-norm'><pure_gain name='wanted'>"
    f"{STICK}</pure_gain>",
}

E, R = "<p>fcs/elevator-cmd-norm</p>", "<p>fcs/rudder-cmd-norm</p>"
ABOVE, BESIDE = f"<sum>{E}<v>1.5</v></sum>", f"<sum>{R}<v>1.7</v></sum>"
BELOW = f"<difference><v>0</v><v>7.5</v>{E}</difference>"
ROW, COLUMN, PAGE = (
    f"<independentVar lookup='{key}'>fcs/{stick}-cmd-norm</independentVar>"
    for key, stick in (("row", "elevator"), ("column", "rudder"), ("table", "elevator"))
)


def by(tags, *arguments):
    return [f"<{tag}>{''.join(arguments)}</{tag}>" for tag in tags.split()]


def table(*pages, over=ROW):
    return (
        f"<table>{over}{''.join(page if '<' in page else f'<tableData>{page}</tableData>' for page in pages)}</table>"
    )


def page(at, text):
    return f"<tableData breakPoint='{at}'>{text}</tableData>"


OPERATIONS = [
    *by("abs exp sin cos tan asin acos atan floor ceil integer fraction sign toradians todegrees not", E),
    *by("sqrt ln log2 log10", f"<sum>{E}<v>2.5</v></sum>"),
    *by("lt le gt ge eq nq min max avg sum product difference atan2 pow quotient fmod", ABOVE, BESIDE),
    *by("mod fmod", BELOW, "<v>2</v>"),
    *by("integer fraction floor sign", BELOW),
    *by("and or", f"<gt>{E}<v>0.1</v></gt>", f"<gt>{R}<v>0</v></gt>"),
    *by("difference min max", E, R, "<v>0.2</v>"),
    *by("ifthen", f"<gt>{E}<v>0.1</v></gt>", "<v>3</v>", R),
    *by("switch", f"<product><v>2</v><abs>{E}</abs></product>", "<v>4</v>", E, "<v>6</v>"),
    *by("interpolate1d", E, "<v>-1</v>", "<v>2</v>", "<v>0</v>", "<v>3</v>", "<v>0.5</v>", "<v>9</v>"),
    *by("product", "<pi/>", "<p>-fcs/elevator-cmd-norm</p>"),
]
GRID = "-1 1\n -1 1 2\n 1 3 4"
TABLES = [
    table("-0.5 2\n0 3\n0.5 9"),
    table("0 3"),
    table("-1 0 1\n -1 1 2 3\n 0 2 4 6\n 0.5 0 1 5", over=ROW + COLUMN),
    table("-1 0 1\n 0 2 4 6", over=ROW + COLUMN),
    table("0\n -1 2\n 1 6", over=ROW + COLUMN),
    table(page(-1, GRID), page(0.5, GRID.replace("4", "0")), over=ROW + COLUMN + PAGE),
    table(page(-1, GRID), page(0.5, "-1 0 1\n -1 5 1 2\n 0 3 0 7\n 1 3 0 7"), over=ROW + COLUMN + PAGE),
]


def weighed(terms):
    """All of them in one sum: a weight of its own for each, so that no two faults cancel."""
    inside = "".join(f"<product><v>{1.0 + k / 7.0}</v>{one}</product>" for k, one in enumerate(terms))
    return f"<fcs_function name='wanted'><function><sum>{inside}</sum></function></fcs_function>"


CASES |= {"operations": weighed(OPERATIONS), "tables": weighed(TABLES)}


def long_one(name, weight):
    """A function too long for one expression."""
    inside = "".join(f"<product><v>{weight + k / 9.0}</v>{E}</product>" for k in range(12))
    return f"<fcs_function name='{name}'><function><sum>{inside}</sum></function></fcs_function>"


def neighbour(name, gain):
    """A property with a name that a part of another one might have."""
    return f"<pure_gain name='{name}'>{STICK}<gain>{gain}</gain></pure_gain>"


CASES |= {
    "a long function beside others of its name": long_one("x", 1.0)
    + long_one("x[1]", 5.0)
    + neighbour("x-2", 0.3)
    + weighed([f"<p>fcs/{name}</p>" for name in ("x", "x[1]", "x-2")]),
    "memories beside properties of their names": f"<washout_filter name='one'>{STICK}<c1>2</c1></washout_filter>"
    f"<lag_filter name='two'>{RUDDER}<c1>4</c1></lag_filter>"
    + "".join(
        neighbour(f"{one}-{part}", k + 2)
        for one in ("one", "two")
        for k, part in enumerate(("in", "in-last", "out", "out-last", "last", "now", "before", "table"))
    )
    + weighed(
        [
            f"<p>fcs/{one}{part}</p>"
            for one in ("one", "two")
            for part in ("", "-in", "-in-last", "-out", "-out-last", "-last", "-now", "-before", "-table")
        ]
    ),
}
REFUSED = {
    "<sum><v>nan</v></sum>": "<v>: expected a finite number, got 'nan'",
    "<sum><v>1e999</v></sum>": "<v>: expected a finite number, got '1e999'",
    "<sum><v/></sum>": "<v>: expected a finite number, got ''",
    "<sum/>": "<sum> has 0 arguments, expected one or more",
    f"<quotient>{E}{E}{E}</quotient>": "<quotient> has 3 arguments, expected 2",
    f"<sin>{E}{R}</sin>": "<sin> has 2 arguments, expected 1",
    f"<ifthen>{E}{R}</ifthen>": "<ifthen> has 2 arguments, expected 3",
    f"{E}{R}": "a function has one operation",
    "<random/>": "the operation <random> is not read here",
    f"<switch>{E}</switch>": "<switch> has a number and at least one value",
    f"<interpolate1d>{E}<v>1</v>{R}</interpolate1d>": "<interpolate1d> is read with pairs of <value>",
    table("1 2\n0 3\n-1 9"): "the breaks of x0 must rise",
    table("-1 2\n0 3\n0 4"): "the breaks of x0 must rise",
    table("-1 2\n0 nan\n1 9"): "<tableData> line 2: expected a finite number, got 'nan'",
    table("-1 2\n0\n1 9"): "needs pairs of numbers, got 5 numbers",
    table("-1,2\n1,3"): "<tableData> line 1: expected a finite number, got '-1,2'",
    table(""): "needs pairs of numbers, got 0 numbers",
    table(): "has no data",
    table("-1 2\n1 3", over=""): "names no variable",
    table("-1 0 1\n -1 1 2 3\n 0 2 4", over=ROW + COLUMN): "<tableData> line 3 has 3 numbers, expected a break and 3",
    table("-1 0 1", over=ROW + COLUMN): "needs a line of columns and lines of rows, got 1",
    table("1 0\n -1 1 2\n 1 2 3", over=ROW + COLUMN): "the breaks of x1 must rise",
    table(page(1, GRID), page(-1, GRID), over=ROW + COLUMN + PAGE): "the breaks of x0 must rise",
    table(GRID, page(1, GRID), over=ROW + COLUMN + PAGE): "breakPoint of <tableData> 1: expected a finite number",
}


@pytest.mark.parametrize("text", REFUSED, ids=range(len(REFUSED)))
def test_what_no_function_can_be_is_listed_with_its_place_and_reason(tmp_path, text):
    function = f"<fcs_function name='wanted'><function>{text}</function></fcs_function>"
    (tmp_path / "toy.xml").write_text(TOY.format(function))
    lost = dict(import_jsbsim(tmp_path / "toy.xml", tmp_path / "made").lost)
    assert REFUSED[text] in lost["fcs/wanted"] and lost["fcs/wanted"].startswith("stays 0: ")
    read_vehicle(tmp_path / "made" / "vehicle.yaml")


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
    for tick, (elevator, rudder) in enumerate(zip(*sticks(), strict=True)):
        block[QUANTITIES.index("time")] = tick * DT
        channels = np.zeros(20)
        channels[1], channels[2] = -elevator, -rudder  # drawn back, and to the right, are positive here
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
    assert not [why for what, why in made.lost if "fcs/" in what and "write it" not in why]
    theirs, ours = of_jsbsim(tmp_path), of_cupola(read_vehicle(tmp_path / "made" / "vehicle.yaml"))
    assert np.abs(theirs).max() > 0.05
    np.testing.assert_allclose(ours, theirs, rtol=0.0, atol=1e-9 * max(1.0, np.abs(theirs).max()))


def test_a_channel_that_runs_at_times_or_seldom_is_listed_for_what_it_lacks(tmp_path):
    held = f"</channel><channel name='d' execute='fcs/rudder-cmd-norm' execrate='4'>{CASES['lag']}"
    (tmp_path / "toy.xml").write_text(TOY.format(held))
    lost = dict(import_jsbsim(tmp_path / "toy.xml", tmp_path / "made").lost)
    assert lost["execrate of the channel d"] == "its components run at every tick here"
    assert lost["execute='fcs/rudder-cmd-norm'"] == "wanted holds its output, not its memory"


@pytest.mark.skipif(not is_installed(), reason="needs jsbsim")
def test_an_aircraft_with_hysteresis_is_trimmed_as_jsbsim_trims_it():
    ours, theirs = level_flight(Level("c172x", 54.0, 1500.0))
    assert ours.alpha == pytest.approx(theirs.alpha, abs=1e-3) and ours.throttle == pytest.approx(
        theirs.throttle, abs=3e-4
    )


def test_what_a_sensor_or_a_component_lacks_is_listed(tmp_path):
    noisy = f"<sensor name='wanted'>{STICK}<noise variation='ABSOLUTE'>0.1</noise></sensor>"
    odd = f"<pid name='wanted'>{STICK}<kp>1</kp><ki type='simpson'>1</ki></pid>"
    for number, (text, said) in enumerate(((noisy, "<noise> of wanted"), (odd, "fcs/wanted"))):
        (tmp_path / "toy.xml").write_text(TOY.format(text))
        made = import_jsbsim(tmp_path / "toy.xml", tmp_path / f"made{number}")
        assert said in dict(made.lost)
    assert "<ki type='simpson'> is not read here" in dict(made.lost)["fcs/wanted"]
