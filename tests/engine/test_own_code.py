"""Parts and controllers of the user's own from a file path; numbers tuned while the world runs."""

import math

import numpy as np
import pytest

import cupola
from cupola import InputError, SimulationError

G, DENSITY = 9.81, 1.225
BODY = '<body name="base"><freejoint/><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/><site name="here"/></body>'
DRAG = """
from cupola import Load, Vector, Wrench
from cupola.physics.rotation import length, scale

class Drag(Load):
    area: float

    def step(self, motion, density, drive):
        v = motion.vel_air_s
        return Wrench(scale(-0.5 * density * self.area * length(v), v), Vector(0.0, 0.0, 0.0))
"""
THRUST = """
from cupola import Load, Vector, Wrench

class Thrust(Load):
    channel: int

    def step(self, motion, density, drive):
        return Wrench(Vector(drive[self.channel], 0.0, 0.0), Vector(0.0, 0.0, 0.0))
"""
COUNTS = """
from cupola import Controller, parameter

class Counts(Controller):
    gain = parameter(0.3, low=0, high=1, unit="1/m", about="a test")

    def reset(self):
        self.times = []

    def step(self, obs, ref):
        self.times.append((obs.time, obs.period))
        return [self.gain, ref.sticks[2]]
"""


@pytest.fixture
def falling(vehicle, make_world):
    part = {"kind": "drag.py:Drag", "site": "here", "area": 0.5}
    folder = vehicle(BODY, parts={"drag": part}, files={"drag.py": DRAG})
    return lambda **scenario: make_world(folder, **scenario)


def test_a_drag_of_ones_own_reaches_terminal_velocity(falling):
    world = falling(physics_hz=500)
    rate = math.sqrt(0.5 * DENSITY * 0.5 * G / 2)  # v = -vt tanh(rate t), vt = g / rate
    for _ in range(6):
        world.step(250)
        # The held load is an Euler step: relative error of about h x rate = 0.002 x 1.2, and the air grows denser by
        # 1e-4 per metre of fall, over at most 25 m, half of which is left in the speed.
        assert world.motion().vel_w.z == pytest.approx(-G / rate * math.tanh(rate * world.time), rel=0.004)
    assert world.motion().vel_w.z == pytest.approx(-G / rate, rel=0.004)


def test_a_part_of_ones_own_feels_the_wind(falling):
    still = falling(gravity=0.0)
    still.step(100)
    assert still.motion().vel_w == (0, 0, 0)
    blown = falling(gravity=0.0, air={"wind": {"speed": 10, "from_deg": 270}})  # from the west: toward +x
    blown.step(100)
    rate = 0.5 * DENSITY * 0.5 * 10 / 2  # the speed through the air is 10 / (1 + rate t)
    # Euler step: relative error h x rate = 0.0005 x 1.5, of half the change.
    assert blown.motion().vel_w.x == pytest.approx(10 - 10 / (1 + rate * 0.05), rel=1e-3)
    assert abs(blown.motion().vel_w.y) < 1e-12


@pytest.mark.parametrize("other", [[], ["quadcopter"]], ids=["alone", "second vehicle"])
def test_a_part_of_ones_own_reads_the_channel_it_names(vehicle, make_world, other):
    part = {"kind": "thrust.py:Thrust", "site": "here", "channel": 1}
    folder = vehicle(BODY, parts={"thrust": part}, files={"thrust.py": THRUST})
    world = make_world(*other, {"model": folder, "position": [50, 0, 0]}, gravity=0.0)
    world.sticks([0.0, 0.5, 0.0, 0.0], vehicle="toy")
    world.step(400)
    # 0.5 N on 2 kg; the command of the first tick may come one tick late.
    assert world.motion("toy").vel_w.x == pytest.approx(0.25 * 0.2, rel=2 / 400)


def test_a_part_of_ones_own_names_what_is_wrong(vehicle, make_world):
    part = {"kind": "drag.py:Drag", "site": "here", "area": 0.5, "aera": 0.5}
    with pytest.raises(InputError, match=r"parts\.drag\.aera.*takes: kind, site, area"):
        make_world(vehicle(BODY, name="a", parts={"drag": part}, files={"drag.py": DRAG}))
    with pytest.raises(InputError, match=r"drag\.py.*Drug.*Drag"):
        make_world(vehicle(BODY, name="b", parts={"drag": {**part, "kind": "drag.py:Drug"}}, files={"drag.py": DRAG}))
    with pytest.raises(InputError, match=r"there is no file .*drog\.py"):
        make_world(vehicle(BODY, name="c", parts={"drag": {**part, "kind": "drog.py:Drag"}}))


@pytest.fixture
def counting(vehicle, make_world):
    folder = vehicle(BODY, controller={"use": "counts.py:Counts", "rate_hz": 50}, files={"counts.py": COUNTS})
    return make_world(folder, physics_hz=1000)


SWITCH = """
from typing import NamedTuple
from cupola import Controller

class Four(NamedTuple):
    a: float
    b: float
    c: float
    throttle: float

def law(obs, ref, state, p):
    return Four(0.0, 0.0, 0.0, 1.0 if obs.time > 0.0095 else 0.0), state

class Switch(Controller):
    law = staticmethod(law)
"""


@pytest.mark.parametrize("compiled", [True, False])
def test_a_command_acts_in_the_tick_in_which_it_is_given(vehicle, make_world, compiled):
    generic = {"s_prop": 0.02, "c_prop": 1.0, "k_motor": 50.0, "k_t_p": 0.0, "k_omega": 20.0}
    motor = {"kind": "rotor", "site": "here", "channel": 3, "direction": 1, "generic": generic}
    controller = {"use": "switch.py:Switch", "rate_hz": 1000}
    folder = vehicle(BODY, parts={"motor": motor}, controller=controller, files={"switch.py": SWITCH})
    world = make_world(folder, physics_hz=1000, gravity=0.0, options={"compiled": compiled})
    world.step(10)
    assert (world.command()[3], world.motion().vel_w.x) == (0, 0)  # the call at tick 9 still said no
    world.step()
    thrust = 0.5 * DENSITY * 0.02 * 50**2
    assert world.motion().vel_w.x == pytest.approx(thrust / 2 * 0.001, rel=1e-6)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_law_may_not_write_beyond_its_channels(vehicle, make_world, compiled, tmp_path, monkeypatch):
    fields = "\n".join(f"    c{k}: float" for k in range(21))
    values = ", ".join(["0.5"] * 21)
    code = SWITCH.replace("    a: float\n    b: float\n    c: float\n    throttle: float", fields)
    code = code.replace("0.0, 0.0, 0.0, 1.0 if obs.time > 0.0095 else 0.0", values)
    controller = {"use": "switch.py:Switch", "rate_hz": 1000}
    folder = vehicle(BODY, controller=controller, files={"switch.py": code})
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SimulationError if compiled else InputError, match=r"Switch.* 20 "):
        make_world(folder, physics_hz=1000, options={"compiled": compiled}).step()


def test_a_controller_is_called_at_its_rate_and_held_between(counting):
    for portion in (1, 2, 37, 60, 101):
        counting.step(portion)
    np.testing.assert_allclose(counting.instances[0].runner.controller.times, [(k * 0.02, 0.02) for k in range(11)])
    assert counting.command()[:2].tolist() == [0.3, 0.0]


def test_what_is_tuned_takes_effect_at_the_next_call(counting):
    counting.step(30)
    counting.tune("toy.gain", 0.7)
    counting.step(10)
    assert (counting.tick, counting.command()[0]) == (40, 0.3)  # called at 20, next at 40
    counting.step()
    assert counting.command()[0] == 0.7


def test_what_is_tuned_reaches_a_compiled_law(make_world):
    pd = {"model": "quadcopter", "position": [0, 0, 1], "controller": {"use": "quadcopter_pd", "rate_hz": 400}}
    world = make_world(pd)
    world.sticks([0, 0, 0, 1.0])
    world.step(6)
    assert world.command()[0] == 1.0  # 49 m below the reference: full throttle
    world.tune("quadcopter.alt_kp", 0.0)
    world.tune("quadcopter.alt_kd", 0.0)
    world.step(5)
    np.testing.assert_allclose(world.command()[:4], 0, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("toy.gain", 1.01, r"gain.*between 0 and 1.*1\.01"),
        ("toy.gain", -0.1, r"gain.*between 0 and 1"),
        ("toy.gain", math.nan, r"gain: expected a finite number"),
        ("toy.gian", 0.5, r"gian.*toy\.gain"),
        ("gain", 0.5, r"gain.*toy\.gain"),
        ("boy.gain", 0.5, r"boy.*toy\.gain"),
    ],
)
def test_tuning_refuses_what_is_unknown_or_out_of_range(counting, name, value, message):
    heard = []
    counting.listeners.append(heard.append)
    with pytest.raises(InputError, match=message):
        counting.tune(name, value)
    assert counting.parameters["toy.gain"][1] == 0.3 and heard == []
    counting.tune("toy.gain", 1.0)
    assert heard == [(0, "tune", ("toy.gain", 1.0), True)]


def test_a_controller_file_stands_beside_the_scenario(vehicle, tmp_path):
    vehicle(BODY)
    (tmp_path / "counts.py").write_text(COUNTS)
    for model in ("toy", "toy/vehicle.yaml"):
        entry = f"{{model: {model}, controller: {{use: 'counts.py:Counts', rate_hz: 50}}}}"
        (tmp_path / "mine.yaml").write_text(f"vehicles: [{entry}]\n")
        world = cupola.load(str(tmp_path / "mine.yaml"))
        world.step()
        assert world.command()[0] == 0.3


def test_a_controller_replaces_that_of_the_vehicle(make_world, tmp_path):
    (tmp_path / "counts.py").write_text(COUNTS)
    world = make_world("quadcopter", options={"controllers": {"quadcopter": f"{tmp_path}/counts.py:Counts"}})
    world.step()
    assert world.command()[0] == 0.3
    with pytest.raises(InputError, match=r"'quad'.*quadcopter"):
        make_world("quadcopter", options={"controllers": {"quad": f"{tmp_path}/counts.py:Counts"}})


@pytest.mark.parametrize("output", ["None", "[0.0] * 21", "['a']", "3.0"])
def test_a_controller_that_returns_something_odd_is_told_so(vehicle, make_world, output):
    code = f"import cupola\n\nclass Odd(cupola.Controller):\n    def step(self, *_):\n        return {output}\n"
    folder = vehicle(BODY, controller={"use": "odd.py:Odd", "rate_hz": 50}, files={"odd.py": code})
    with pytest.raises(InputError, match=r"Odd\.step must return up to 20 numbers"):
        make_world(folder).step()


@pytest.mark.parametrize("rate", [300, 3000])
def test_a_controller_rate_must_divide_the_physics_rate(vehicle, make_world, rate):
    with pytest.raises(InputError, match=rf"{rate} Hz.*2000.*nearest valid"):
        make_world(vehicle(BODY, controller={"use": "pass_through", "rate_hz": rate}))


@pytest.mark.parametrize("compiled", [True, False])
def test_waypoints_without_a_plan_stay_where_they_are(make_world, compiled):
    controller = {"use": "quadcopter_waypoints", "rate_hz": 400}
    entry = {"model": "quadcopter", "position": [1, 2, 3], "controller": controller}
    world = make_world(entry, options={"compiled": compiled})
    world.step(4000)
    np.testing.assert_allclose(world.motion().pos_w, [1, 2, 3], atol=0.05)


def test_scripted_sticks_move_at_their_time(vehicle, make_world):
    sticks = [(0.0201, [0.5]), (0.0, [0.1, 0.2]), (0.05, [0, 1])]
    script = [{"time": time, "channels": channels} for time, channels in sticks]
    controller = {"use": "pass_through", "rate_hz": 1000, "sticks": script}
    world = make_world(vehicle(BODY, controller=controller), physics_hz=1000)
    seen = []
    for _ in range(60):
        world.step()
        seen.append(world.command()[:2].tolist())
    assert seen == [[0.1, 0.2]] * 21 + [[0.5, 0.2]] * 29 + [[0.0, 1.0]] * 10
    np.testing.assert_array_equal(world.command()[4:], 0)
