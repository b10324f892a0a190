"""Tables of many variables and expressions: the machine that runs them, and what is refused."""

import itertools
import logging
import math

import numpy as np
import pytest
from scipy.interpolate import RegularGridInterpolator

from cupola.kernel.jit import jit
from cupola.parts.functions.evaluate import evaluate
from cupola.parts.functions.program import FunctionError, Functions, build, check
from cupola.parts.functions.table import Table, parse_grid
from cupola.physics.curve import polynomial_2d
from cupola.reproduce.scene import world_of
from cupola.schema.input_files import InputError

NAMES = ("a", "b", "c", "d")
compiled = jit(evaluate)


def value_of(expression, inputs=(), tables=None, values=None, constants=None, run=evaluate, drive=(0.0,)):
    """What an expression gives, and the number of the table that was left."""
    program = build(Functions(NAMES, constants or {}, tables or {}, values or {}), {"it": expression})
    block = np.array(program.block)
    block[: len(inputs)] = inputs
    left = run(block, program.code, program.lines, program.result, np.array(drive), np.zeros(1))
    return block[program.wanted["it"]], left


def table_of(axes, **options):
    rng = np.random.default_rng(len(axes))
    breaks = [np.sort(rng.uniform(-1.0, 1.0, n)).tolist() for n in axes]
    values = rng.normal(size=axes)
    over = dict(zip(NAMES, breaks, strict=False))
    return Table(over=over, values=values.ravel().tolist(), **options), breaks, values


@pytest.mark.parametrize("axes", [(2,), (5,), (3, 4), (2, 3, 4), (2, 3, 2, 3)])
@pytest.mark.parametrize("outside", ["hold", "extend"])
def test_a_table_is_linear_in_each_of_its_variables(axes, outside):
    table, breaks, values = table_of(axes, outside=outside)
    theirs = RegularGridInterpolator(breaks, values, bounds_error=False, fill_value=None)
    rng = np.random.default_rng(7)
    for run in (evaluate, compiled):
        for x in rng.uniform(-1.5, 1.5, (20, len(axes))):
            ends = [(axis[0], axis[-1]) for axis in breaks]
            asked = x if outside == "extend" else [np.clip(v, *end) for v, end in zip(x, ends, strict=True)]
            got, left = value_of("T", x, {"T": table}, run=run)
            assert got == pytest.approx(float(theirs(asked)[0]), rel=1e-12, abs=1e-12)
            beyond = any(not low <= v <= high for v, (low, high) in zip(x, ends, strict=True))
            assert left == float(beyond)


def test_a_level_end_of_a_table_is_no_news():
    flat = Table(over={"a": [0.0, 1.0, 2.0]}, values=[1.0, 1.0, 3.0])
    assert value_of("T", [-5.0], {"T": flat}) == (1.0, 0.0)
    assert value_of("T", [5.0], {"T": flat}) == (3.0, 1.0)


@pytest.mark.parametrize(("method", "wanted"), [("nearest", 20.0), ("below", 10.0), ("above", 20.0)])
def test_steps_instead_of_lines(method, wanted):
    table = Table(over={"a": [0.0, 1.0, 2.0]}, values=[10.0, 20.0, 30.0], method=method)
    assert value_of("T(a)", [0.7], {"T": table})[0] == wanted


TEXTS = {
    "2 * a - b / c ^ 2": 2 * 0.5 - -0.25 / 2.0**2,
    "if(a < b, 1, if(not (a == b) and c >= 2, 7, 3))": 7.0,
    "clip(d, a, c) + min(a, b, c) * max(a, b)": 2.0 - 0.25 * 0.5,
    "atan2(a, b) + sqrt(c) + exp(b) + log(c)": math.atan2(0.5, -0.25) + math.sqrt(2) + math.exp(-0.25) + math.log(2),
    "abs(b) + sign(b) + floor(d) + ceiling(a) + modulo(d, c)": 0.25 - 1 + 3 + 1 + 1.5,
    "sin(a) * cos(a) + tan(a) + asin(a) + acos(a) + atan(d)": math.sin(0.5) * math.cos(0.5)
    + math.tan(0.5)
    + math.asin(0.5)
    + math.acos(0.5)
    + math.atan(3.5),
    "90 deg + channel[0] or 0": 1.0,
    "-a > b or c <= 1": 0.0,
}


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("run", [evaluate, compiled])
def test_expressions(text, run):
    assert value_of(text, (0.5, -0.25, 2.0, 3.5), run=run, drive=(0.25,))[0] == pytest.approx(TEXTS[text], rel=1e-14)


def test_equal_pieces_are_computed_once():
    both = build(Functions(NAMES, {}, {}, {"x": "a * b + 1"}), {"one": "x + sin(a * b)", "two": "x * (a * b + 1)"})
    assert both.lines == 5  # a*b, +1, sin, +, *


def grid(**options):
    return {"over": {"a": [0.0, 1.0]}, "values": [1.0, 2.0], **options}


@pytest.mark.parametrize(
    ("functions", "message"),
    [
        (Functions(NAMES, {}, {}, {"x": "y", "y": "2 * x"}), "x needs itself: x -> y -> x"),
        (Functions(NAMES, {"a": 1.0}, {}, {}), "'a' is the name of a quantity and of a number"),
        (Functions(NAMES, {}, {}, {"x": "alpa + 1"}), "values.x: character 1: there is no 'alpa'"),
        (Functions(NAMES, {}, {"T": Table(**grid())}, {"x": "T(a, b)"}), "T takes one argument, got 2"),
        (Functions(NAMES, {}, {}, {"x": "a when b"}), "write if"),
        (Functions(NAMES, {}, {}, {"x": "rms(a)"}), "there is no function 'rms'"),
    ],
)
def test_what_cannot_be_computed_is_refused(functions, message):
    with pytest.raises(FunctionError, match=message.replace("(", r"\(").replace(")", r"\)")):
        check(functions)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"over": {"a": [0.0, 0.0]}}, "must rise"),
        ({"values": [1.0]}, "need 2 values, got 1"),
        ({"file": "x.csv"}, "either"),
    ],
)
def test_tables_that_are_refused(options, message):
    with pytest.raises(InputError, match=message):
        Table(**grid(**options))


def test_a_table_in_a_file(tmp_path):
    rows = [f"{a},{b},{10 * a + b}" for b, a in itertools.product((0, 1, 4), (2, 3))]
    (tmp_path / "t.csv").write_text("a,b,value\n" + "\n".join(rows))
    over, values = parse_grid((tmp_path / "t.csv").read_text(), "t.csv")
    assert over == {"a": [2.0, 3.0], "b": [0.0, 1.0, 4.0]} and values == [20.0, 21.0, 24.0, 30.0, 31.0, 34.0]
    (tmp_path / "t.csv").write_text("a,b,value\n" + "\n".join(rows[1:]))
    with pytest.raises(ValueError, match="at a = 2, b = 0 there are 0"):
        parse_grid((tmp_path / "t.csv").read_text(), "t.csv")


BODY = """<mujoco><worldbody><body name="base"><freejoint/><site name="here" pos="-1 0 0"/>
<inertial pos="0 0 0" mass="10" diaginertia="1 2 3"/></body></worldbody></mujoco>"""


def flying(part, **entry):
    vehicle = {"parts": {"aero": {"kind": "table_aero", "site": "here", **part}}}
    vehicle |= {"controller": {"use": "idle", "rate_hz": 100}}
    return world_of(BODY, vehicle, {"physics_hz": 1000, "gravity": 0.0}, velocity_b=[30.0, 0.0, -3.0], **entry)


def test_force_and_torque_in_wind_axes_about_the_site():
    """Drag against the velocity, lift across it, at a point one metre behind the centre of mass."""
    world = flying({"force_axes": "wind", "force": {"x": "-5", "z": "-20"}, "torque": {"y": "3"}})
    world.accelerate()
    speed = math.hypot(30.0, 3.0)
    along, up = np.array([30.0, 0.0, -3.0]) / speed, np.array([3.0, 0.0, 30.0]) / speed
    force = -5.0 * along + 20.0 * up
    np.testing.assert_allclose(world.data.qacc[:3], force / 10.0, rtol=1e-12, atol=1e-12)
    # Nose up is negative about our y; the lift acts at x = -1.
    np.testing.assert_allclose(world.data.qacc[4], (-3.0 + force[2]) / 2.0, rtol=1e-12)


def test_the_air_data_are_those_of_the_centre_of_mass_or_of_the_site():
    for at, wanted in (("centre_of_mass", 3.0), ("site", 1.0)):
        world = flying({"motion_at": at, "force": {"x": "w"}}, rate_b=[0.0, 2.0, 0.0])
        world.accelerate()
        assert world.data.qacc[0] == pytest.approx(wanted / 10.0)


def test_the_motion_over_ground_is_that_of_the_same_point():
    """Turning nose down at 2 rad/s, the site a metre behind climbs 2 m/s more than the centre of mass."""
    for at, wanted in (("centre_of_mass", -3.0), ("site", -1.0)):
        world = flying({"motion_at": at, "force": {"x": "climb_rate"}}, rate_b=[0.0, 2.0, 0.0])
        world.accelerate()
        assert world.data.qacc[0] == pytest.approx(wanted / 10.0)


def test_rates_of_the_flow_angles():
    """Constant downward acceleration: the angle of attack turns as it must, from tick to tick."""
    balanced = {"force": {"z": "10"}, "torque": {"y": "-10"}}  # the site is a metre behind
    world = flying({**balanced, "values": {"rate": "alpha_rate"}, "show": {"rate": "rad/s"}})
    world.run(1.0)
    w, u = 3.0 + 1.0, 30.0
    assert world.signal("vehicle.aero.rate") == pytest.approx(u * 1.0 / (u * u + w * w), rel=1e-4)
    world.accelerate()
    assert world.part("vehicle.aero").state.alpha_rate == 0.0  # where no time passes


def test_constants_can_be_tuned():
    world = flying({"constants": {"push": 10.0}, "force": {"x": "push * 2"}})
    world.accelerate()
    assert world.data.qacc[0] == 2.0
    world.tune("vehicle.aero.push", 20.0)
    world.accelerate()
    assert world.data.qacc[0] == 4.0


def test_outside_a_table_it_says_so_once(caplog):
    table = {"over": {"u": [0.0, 31.0]}, "values": [10.0, 10.5]}
    world = flying({"tables": {"push": table}, "force": {"x": "push"}})
    with caplog.at_level(logging.WARNING, "cupola"):
        world.run(0.5)
        assert not caplog.records
        world.run(1.0)
        world.run(1.0)
    (said,) = caplog.records
    assert "vehicle.aero" in said.getMessage() and "'push'" in said.getMessage()
    assert "holds its last value" in said.getMessage()
    assert world.signal("vehicle.aero.force.x") == 10.5


def test_a_law_remembers_and_settles():
    """A lag of first order between a channel and another one; an analysis sees it at rest."""
    law = {"kind": "table_control", "site": "here", "channels": {2: "slow"}, "constants": {"lag": 0.5}}
    law |= {"remembers": {"slow": {"next": "slow + (1 - exp(-dt / lag)) * (channel[1] - slow)"}}}
    push = {"kind": "table_engine", "site": "here", "thrust": "100 * channel[2]", "throttle": 1}
    vehicle = {"parts": {"law": law, "push": push}, "controller": {"use": "idle", "rate_hz": 100}}
    world = world_of(BODY, vehicle, {"physics_hz": 1000, "gravity": 0.0})
    world.turn(1, 0.8)
    world.run(0.5)
    assert world.signal("vehicle.push.force.x") == pytest.approx(80.0 * (1.0 - math.exp(-1.0)), rel=3e-3)
    world.accelerate()
    assert world.signal("vehicle.push.force.x") == pytest.approx(80.0)


def test_the_thesis_polynomial_of_two_variables_flies():
    """Last_letter_2's example, by the exponents that its count says, over a command and the airspeed."""
    numbers = [7.554e4, -1076.0, 5.768, -0.01416, 1.66e-5, -7.553e-9, 1.676e5, -1487.0, 4.831, -0.006781, 3.493e-6]
    powers = [(i, j) for i in range(2) for j in range(6 - i)]
    text = " + ".join(f"a{k} * channel[1] ^ {i} * airspeed ^ {j}" for k, (i, j) in enumerate(powers))
    world = flying({"constants": {f"a{k}": one for k, one in enumerate(numbers)}, "force": {"x": text}})
    world.turn(1, 0.7)
    world.accelerate()
    expected = polynomial_2d(0.7, math.hypot(30.0, 3.0), numbers, 1, 5)
    assert world.signal("vehicle.aero.force.x") == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("lag", [9.0, 40.0])
def test_what_takes_minutes_comes_to_rest_too(lag):
    """Twenty seconds are not enough for two lags in a row; where they will end is foreseen."""
    follow = "{0} + (1 - exp(-dt / lag)) * ({1} - {0})"
    law = {"kind": "table_control", "site": "here", "channels": {2: "last"}, "constants": {"lag": lag}}
    law |= {
        "remembers": {
            "first": {"next": follow.format("first", "channel[1]")},
            "last": {"next": follow.format("last", "first")},
        }
    }
    push = {"kind": "table_engine", "site": "here", "thrust": "100 * channel[2]", "throttle": 1}
    vehicle = {"parts": {"law": law, "push": push}, "controller": {"use": "idle", "rate_hz": 100}}
    world = world_of(BODY, vehicle, {"physics_hz": 1000, "gravity": 0.0})
    world.turn(1, 0.8)
    world.accelerate()
    world.accelerate()
    assert world.signal("vehicle.push.force.x") == pytest.approx(80.0, rel=1e-6)


@pytest.mark.parametrize(
    ("part", "why"),
    [
        ({"kind": "table_control", "channels": {-1: "0.5"}}, r"channels\.-1: must be at least 0"),
        ({"kind": "table_control", "channels": {10**9: "0.5"}}, r"channels\.1000000000: must be at most 255"),
        (
            {"kind": "table_control", "channels": {2: "0.5"}, "controls": {300: 0.2}},
            r"controls\.300: must be at most 255",
        ),
        ({"kind": "table_aero", "force": {"z": "channel[300]"}}, "there is no channel 300; there are 0 to 255"),
        ({"kind": "table_aero", "controls": {-2: 0.3}}, r"controls\.-2: must be at least 0"),
        ({"kind": "table_engine", "thrust": "channel[1000000000]"}, "there is no channel 1000000000"),
    ],
)
def test_channels_that_no_vehicle_has_are_refused(part, why):
    vehicle = {"parts": {"it": {"site": "here", **part}}, "controller": {"use": "idle", "rate_hz": 100}}
    with pytest.raises(InputError, match=why):
        world_of(BODY, vehicle, {})


def test_torques_of_an_engine():
    """Nose up is negative about our y, nose right about our z."""
    twist = {"torque": "2", "pitch_torque": "6", "yaw_torque": "-9"}
    push = {"kind": "table_engine", "site": "here", "thrust": "0", **twist}
    world = world_of(BODY, {"parts": {"push": push}, "controller": {"use": "idle", "rate_hz": 100}}, {"gravity": 0.0})
    world.accelerate()
    np.testing.assert_allclose(world.data.qacc[3:6], [2.0, -3.0, 3.0], atol=1e-12)
