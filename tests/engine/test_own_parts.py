"""Siblings of the examples in `docs/add_a_part.md`: parts of a user's own that do what these do not."""

import json

import pytest
import yaml

from cupola import InputError, SimulationError
from cupola.analysis import Aircraft, Condition, trim
from cupola.cockpit.scene import scene_of
from cupola.config.vehicle import MODELS
from cupola.record import Recording
from cupola.record.sheets import Vehicle
from cupola.record.sheets import parts as parts_sheet
from cupola.record.world_recorder import WorldRecorder

MASS, G = 2.0, 9.81
BODY = f"""<body name="base"><freejoint/><inertial pos="0 0 0" mass="{MASS}" diaginertia="1 1 1"/>
<geom size="0.1" mass="0"/><site name="here"/>
<body name="pan"><inertial pos="0 0 0" mass="0.5" diaginertia="1 1 1"/><site name="wrist"/></body></body>"""
SENSORS = '''
from typing import ClassVar, NamedTuple

from cupola import Load, Sensor, Vector, Wrench
from cupola.kernel.motion import TrueInertial


class Felt(NamedTuple):
    accel: Vector
    """[m/s²] axes of the site."""


class Accelerometer(Sensor):
    Sample = Felt
    plain = False

    @staticmethod
    def measure(inertial: TrueInertial) -> Felt:
        return Felt(inertial.accel_s)


class Shaken(NamedTuple):
    size: float
    """[m/s²]"""


class Shake(Sensor):
    """Asks for the accelerations by a function of its own."""

    Sample = Shaken
    derived: ClassVar[dict[str, str]] = {"size": "length"}
    plain = False

    @staticmethod
    def length(inertial: TrueInertial):
        return inertial.accel_s.z

    @staticmethod
    def measure(size) -> Shaken:
        return Shaken(size)


class Weight(NamedTuple):
    force: Vector
    """[N]"""


class Scale(Sensor):
    Sample = Weight
    plain = False

    @staticmethod
    def measure(wrench: Wrench) -> Weight:
        return Weight(wrench.force)


class Early(Load):
    @staticmethod
    def load(inertial: TrueInertial) -> Wrench:
        return Wrench(inertial.accel_s, Vector(0.0, 0.0, 0.0))
'''
HERE = {"site": "here", "rate_hz": 50}


@pytest.mark.parametrize("plain", ["False", "True"], ids=["compiled", "plain"])
@pytest.mark.parametrize("alone", [False, True], ids=["beside an imu", "alone"])
def test_a_sensor_gets_what_it_asks_for(vehicle, make_world, plain, alone):
    """It asks by the names of its parameters; no sensor of ours need be there, and nothing else be declared."""
    parts = {"accel": {"kind": "own.py:Accelerometer", **HERE}, "shake": {"kind": "own.py:Shake", **HERE}}
    parts |= {"scale": {"kind": "own.py:Scale", "site": "wrist", "rate_hz": 50}}
    parts |= {} if alone else {"imu": {"kind": "imu", **HERE}}
    code = SENSORS.replace("plain = False", f"plain = {plain}")
    world = make_world(vehicle(BODY, parts=parts, files={"own.py": code}), physics_hz=1000)
    world.push("toy/base", (0.0, 0.0, (MASS + 0.5) * (G + 3.0)))
    world.step(101)
    assert world.samples["toy", "accel"].latest().accel == pytest.approx((0.0, 0.0, G + 3.0), abs=1e-9)
    assert world.samples["toy", "shake"].latest().size == pytest.approx(G + 3.0, abs=1e-9)
    assert abs(world.samples["toy", "scale"].latest().force.z) == pytest.approx(0.5 * (G + 3.0), abs=1e-9)


@pytest.mark.parametrize("asked", ["inertial", "wrench", "noise", "index"])
def test_what_only_sensors_are_given_is_refused_elsewhere(vehicle, make_world, asked):
    """Accelerations are known after the step: a load would read those of long ago."""
    code = SENSORS.replace("def load(inertial: TrueInertial)", f"def load({asked}: TrueInertial)")
    folder = vehicle(BODY, parts={"early": {"kind": "own.py:Early", "site": "here"}}, files={"own.py": code})
    with pytest.raises(InputError, match=rf"^Early: load is not given '{asked}': only measure is$"):
        make_world(folder)


ODD = '''
import math
from typing import NamedTuple

from cupola import Actuator, Load, Sensor, Vector, Wrench
from cupola.kernel.motion import PointMotion

ZERO = Vector(0.0, 0.0, 0.0)


class Told(NamedTuple):
    vel_w: Vector
    """[m/s]"""
    time: float
    """[s]"""


class Memory(NamedTuple):
    sum: float = 0.0


class Added(NamedTuple):
    sample: Told
    state: Memory


class Kept(NamedTuple):
    state: Memory
    channel: float


'''
WRONG = {
    "a short sample": ("Sensor", "def width(self): return 3", "def step(self, motion, time): return [1.0]",
                       r"cannot start: .*raised TypeError: step\(\) must return 3 numbers, .* got \[1\.0\]"),
    "one number for three": ("Sensor", "def width(self): return 3", "def step(self, motion, time): return 5.0",
                             r"step\(\) must return 3 numbers"),
    "no sample": ("Sensor", "def width(self): return 1", "def step(self, motion, time): pass",
                  r"step\(\) must return 1 number, .* got None"),
    "no width": ("Sensor", "", "def step(self, motion, time): return [1.0]", "has no Sample and no width"),
    "a sample of NaN": ("Sensor", "def width(self): return 1", "def step(self, motion, time): return [math.nan]",
                        r"part 'it' \(odd\.py:It\) of 'toy' gave a value that is not a number"),
    "a compiled sample of NaN": ("Sensor", "Sample = Told", """@staticmethod
    def measure(exact: PointMotion) -> Told: return Told(exact.vel_w, math.nan)""",
                                 r"cannot start: part 'it' .* gave a value that is not a number"),
    "a state of NaN": ("Sensor", "Sample, State = Told, Memory", """@staticmethod
    def measure(exact: PointMotion) -> Added: return Added(Told(exact.vel_w, 0.0), Memory(math.nan))""",
                       r"cannot start: part 'it' .* gave a value that is not a number"),
    "an error at the start": ("Sensor", "def width(self): return 1",
                              "def step(self, motion, time): return [motion.nothing]",
                              r"cannot start: part 'it' .* raised AttributeError"),
    "a sample that is not declared": ("Sensor", "def width(self): return 1", """@staticmethod
    def measure(exact: PointMotion) -> Told: return Told(exact.vel_w, 0.0)""",
                                      "It: measure must return its Sample, or sample and state; got vel_w"),
    "no wrench": ("Load", "", "def step(self, motion, density, drive): pass", "must return a Wrench .* got None"),
    "a force only": ("Load", "", "def step(self, motion, density, drive): return ZERO",
                     r"must return a Wrench of force and torque, got Vector"),
    "no value": ("Actuator", "", "def step(self, command, dt): pass", "must return the new value of its channel"),
    "an answer without a type": ("Load", "", """@staticmethod
    def load(density): return Wrench(ZERO, ZERO)""", "It.load must say what it returns"),
    "an answer that is a number": ("Actuator", "", """@staticmethod
    def actuate(command) -> float: return command""", "It: a kernel returns a NamedTuple .* got <class 'float'>"),
    "a state that is not declared": ("Actuator", "", """@staticmethod
    def actuate(command) -> Kept: return Kept(Memory(1.0), command)""",
                                     "It: a kernel returns 'state', but the class declares no State"),
    "a number that is not declared": ("Load", "area: float = 1.0", """@staticmethod
    def load(p) -> Wrench: return Wrench(Vector(p.area, 0.0, 0.0), ZERO)""",
                                      r"It\.load cannot be compiled: p has no 'area'; .* Numbers: none"),
    "a failure that no kernel sees": ("Actuator", 'State, failures = Memory, ("off", "weak")', """@staticmethod
    def actuate(command) -> Kept: return Kept(Memory(1.0), command)""", r"It: declares the failure 'weak'"),
    "a state that settles and is not there": ("Actuator", 'State, settles = Memory, ("speed",)', """@staticmethod
    def actuate(command) -> Kept: return Kept(Memory(1.0), command)""", r"It: settles names 'speed', .*: sum"),
    "an event of what is not shown": ("Load", 'events = {"spin": "whirl"}', """@staticmethod
    def load(density) -> Wrench: return Wrench(ZERO, ZERO)""", r"It: events names 'spin', .* there are: force\.x"),
    "noise of what is not given": ("Sensor", 'Sample, noise_fields = Told, ("sigma",)', """@staticmethod
    def measure(exact: PointMotion) -> Told: return Told(exact.vel_w, 0.0)""",
                                   r"It: noise_fields names 'sigma', .* there are: kind, site, rate_hz"),
    "a failure that a step cannot see": ("Load", """failures = ("off", "torn")
    def fail(self, row, failure): self._torn = True""",
                                         "def step(self, motion, density, drive): return Wrench(ZERO, ZERO)",
                                         r"It: step\(\) cannot see what fail\(\) writes: .* self\.failed"),
}  # fmt: skip
"""A family, a declaration, a method, and what is said of it."""
KEYS = {"Sensor": HERE, "Load": {"site": "here"}, "Actuator": {"channel": 0}}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_with_a_part_is_said(vehicle, make_world, case, tmp_path, monkeypatch):
    """Nothing is stretched, dropped or left at zero in silence."""
    family, declared, method, said = WRONG[case]
    monkeypatch.chdir(tmp_path)
    code = f"{ODD}class It({family}):\n    {declared or 'pass'}\n\n    {method}\n"
    folder = vehicle(BODY, parts={"it": {"kind": "odd.py:It", **KEYS[family]}}, files={"odd.py": code})
    with pytest.raises((InputError, SimulationError), match=said):
        make_world(folder).step(2)


SIMPLE = '''
from typing import NamedTuple

from cupola import Actuator, Load, Sensor, Vector, Wrench


class Half(NamedTuple):
    channel: float


class Halved(Actuator):
    @staticmethod
    def actuate(command) -> Half:
        return Half(0.5 * command)


class Lift(Load):
    @staticmethod
    def load(density) -> Wrench:
        return Wrench(Vector(0.0, 0.0, density), Vector(0.0, 0.1, 0.0))


class Moved(NamedTuple):
    vel_w: Vector
    """[m/s]"""
    time: float
    """[s]"""


class Whole(Sensor):
    """Records inside of records."""

    Sample = Moved

    def step(self, motion, time):
        return Moved(motion.vel_w, time)


class Bare(Sensor):
    """Numbers without a record."""

    def width(self):
        return 2

    def step(self, motion, time):
        return motion.vel_w.z, time


class Called(Bare):
    def sample_names(self):
        return "sink", "clock"
'''
SHOWN = {
    "halved": ["value"],
    "lift": ["force.x", "force.y", "force.z", "torque.x", "torque.y", "torque.z"],
    "whole": ["vel_w.x", "vel_w.y", "vel_w.z", "time"],
    "bare": ["value_0", "value_1"],
    "called": ["sink", "clock"],
}


def test_every_part_shows_something_without_saying_what(vehicle, make_world, tmp_path):
    """Parts that declare no output have a topic, signals of the same names and an arrow, compiled too."""
    parts = {name: {"kind": f"own.py:{name.title()}", **HERE} for name in ("whole", "bare", "called")}
    parts |= {"halved": {"kind": "own.py:Halved", "channel": 0}, "lift": {"kind": "own.py:Lift", "site": "here"}}
    world = make_world(vehicle(BODY, parts=parts, files={"own.py": SIMPLE}))
    recorder = WorldRecorder(world, tmp_path / "run.mcap")
    world.observers.append(recorder)
    world.run(0.05)
    world.sticks([0.8])
    world.run(0.05)
    recorder.close()
    recording = Recording(tmp_path / "run.mcap")
    for part, names in SHOWN.items():
        table = recording.named(f"/toy/{part}")
        columns = [f"{name}_shown" if name == "time" else name for name in names]  # `time` is that of the row
        assert [*table][-len(names) :] == columns
        mine = [one.name for one in world.signals() if one.name.startswith(f"toy.{part}.")]
        assert mine == [f"toy.{part}.{name}" for name in names]
        assert [table[name][-1] for name in columns] == [world.signal(name) for name in mine]
    drawn = {line.label for panel in parts_sheet(Vehicle(recording, "toy")) for line in panel.lines}
    assert {"whole z", "halved", "lift z", "bare", "called"} <= drawn
    assert world.signal("toy.halved.value") == 0.4
    assert world.signal("toy.lift.force.z") == pytest.approx(world.signal("toy.density"), rel=1e-6)
    assert world.signal("toy.lift.torque.y") == 0.1 and scene_of(world).loads[0] == "toy.lift"
    world.fail("toy.lift", "off")
    world.fail("toy.halved", "off")
    world.step()
    assert world.signal("toy.lift.force.z") == world.signal("toy.halved.value") == 0.0


TORN = """
from cupola import Actuator, Load, Sensor, Vector, Wrench


class Chute(Load):
    failures = ("off", "torn", "wet")

    def step(self, motion, density, drive):
        force = 10.0 * (0.1 if "torn" in self.failed else 1.0) + ("wet" in self.failed)
        return Wrench(Vector(0.0, 0.0, force), Vector(0.0, 0.0, 0.0))


class Cable(Actuator):
    failures = ("off", "slack")

    def step(self, command, dt):
        return 0.5 * command if "slack" in self.failed else command


class Eye(Sensor):
    failures = ("loss", "blind")

    def width(self):
        return 1

    def step(self, motion, time):
        return [0.0 if "blind" in self.failed else 1.0]
"""


def test_failures_of_its_own_in_plain_python(vehicle, make_world):
    """What `step` reads of them follows mending, tuning of others, restoring and a reset."""
    parts = {"chute": {"kind": "torn.py:Chute", "site": "here"}, "cable": {"kind": "torn.py:Cable", "channel": 0}}
    parts |= {"eye": {"kind": "torn.py:Eye", "site": "here", "rate_hz": 500}, "drag": {"kind": "bluff", "site": "here",
              "body": {"area": 0.1, "c_drag": 1.0}}}  # fmt: skip
    world = make_world(vehicle(BODY, parts=parts, files={"torn.py": TORN}), physics_hz=1000)
    world.sticks([0.8])

    def now():
        world.step(2)
        (eye,) = world.samples["toy", "eye"].latest()
        return world.signal("toy.chute.force.z"), world.signal("toy.cable.value"), eye

    whole, broken = (10.0, 0.8, 1.0), (1.0, 0.4, 0.0)
    assert now() == whole
    before = world.snapshot()
    faults = {"chute": "torn", "cable": "slack", "eye": "blind"}
    for part, fault in faults.items():
        world.fail(f"toy.{part}", fault)
    assert now() == broken
    during = world.snapshot()
    world.tune("toy.drag.c_drag", 0.5)
    assert now() == broken
    world.fail("toy.chute", "wet")
    assert now() == (2.0, 0.4, 0.0)
    world.fail("toy.chute", "wet", 0.0)
    for part, fault in faults.items():
        world.fail(f"toy.{part}", fault, 0.0)
    assert now() == whole
    world.restore(during)
    assert now() == broken
    world.restore(before)
    assert now() == whole
    world.restore(during)
    world.reset()
    world.sticks([0.8])
    assert now() == whole
    world.fail("toy.eye", "loss")
    taken = world.samples["toy", "eye"].count
    assert now() == whole and len(world.samples["toy", "eye"].since(taken)) == 0


LAGS = """
from cupola import Actuator, Load, Vector, Wrench


class Lag(Actuator):
    _value: float = 0.0

    def step(self, command, dt):
        self._value += 0.1 * (command - self._value)
        return self._value


class Weak(Actuator):
    def step(self, command, dt):
        return 0.9 * command


class Fan(Load):
    channel: int

    def used_channels(self):
        return (self.channel,)

    def thrust_channel(self):
        return self.channel

    def step(self, motion, density, drive):
        return Wrench(Vector(10.0 * drive[self.channel] ** 2, 0.0, 0.0), Vector(0.0, 0.0, 0.0))


class Fouled(Fan):
    _dirt: float = 0.0

    def step(self, motion, density, drive):
        self._dirt += 1e-3
        return Wrench(Vector((10.0 - self._dirt) * drive[self.channel] ** 2, 0.0, 0.0), Vector(0.0, 0.0, 0.0))
"""
ELEVATOR, MOTOR = {"channel": 1}, {"site": "motor1", "channel": 3}


@pytest.fixture
def plane(tmp_path, make_world):
    """The plane of the thesis with a part of its own."""

    def make(name, kind, keys):
        content = yaml.safe_load((MODELS / "plane_1wing" / "vehicle.yaml").read_text())
        content["mjcf"] = str(MODELS / "plane_1wing" / "model.xml")
        content["parts"][name] = {"kind": f"lags.py:{kind}", **keys}
        (tmp_path / "vehicle.yaml").write_text(json.dumps(content))
        (tmp_path / "lags.py").write_text(LAGS)
        return make_world({"model": str(tmp_path), "name": "plane"})

    return make


@pytest.mark.parametrize(("name", "kind", "keys"), [("mine", "Weak", ELEVATOR), ("motor1", "Fan", MOTOR)])
def test_trim_asks_plain_parts_that_remember_nothing(plane, name, kind, keys):
    world = plane(name, kind, keys)
    found = trim(Aircraft(world), Condition(20.0, altitude=100.0))
    assert max(abs(found.residuals)) < 1e-6
    seen = world.evaluate(start=found.start(), commands=found.commands())
    assert seen.accel_w == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)


@pytest.mark.parametrize(("name", "kind", "keys"), [("mine", "Lag", ELEVATOR), ("motor1", "Fouled", MOTOR)])
def test_steady_flight_is_refused_where_a_plain_part_remembers(plane, name, kind, keys):
    """What it gives depends on what was asked before: each answer would be another one."""
    world = plane(name, kind, keys)
    commands = [0.1, 0.2, 0.0, 0.5]
    with pytest.raises(InputError, match=rf"plane\.{name} \(_\w+\) keeps a state of its own"):
        trim(Aircraft(world), Condition(20.0, altitude=100.0))
    with pytest.raises(InputError, match=rf"plane\.{name} keeps a state of its own and cannot be settled"):
        world.evaluate(commands=commands)
    world.step(50)
    assert world.evaluate(settled=False) == world.evaluate(settled=False)


PUMPED = """
from typing import NamedTuple

from cupola import Actuator, Controller
from cupola.kernel.commands import WHEEL_SPEEDS


class Wheel(Actuator):
    obeys = WHEEL_SPEEDS

    def step(self, command, dt):
        return command


class Drive(Controller):
    needs = WHEEL_SPEEDS

    def step(self, obs, ref):
        return [0.7]
"""


def test_a_controller_drives_whatever_obeys_it(vehicle, make_world):
    """It asks for what it commands, not for a kind of ours."""
    controller = {"use": "own.py:Drive", "rate_hz": 100}
    parts = {"wheel": {"kind": "own.py:Wheel", "channel": 0}}
    world = make_world(vehicle(BODY, parts=parts, controller=controller, files={"own.py": PUMPED}))
    world.step(2)
    assert world.signal("toy.wheel.value") == 0.7
    without = vehicle(BODY, name="without", controller=controller, files={"own.py": PUMPED})
    with pytest.raises(
        InputError, match=r"Drive commands wheel speeds, as parts like mecanum obey; without has: no parts"
    ):
        make_world(without)
