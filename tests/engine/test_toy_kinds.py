"""A kind of part is one class in one file: a load, an actuator and a sensor of the user's own have all that ours have.

Each is written twice: as pure kernels, which run compiled or, marked as plain, in Python, and as a plain `step`. The
vehicle file names them by their path; nothing else is edited.
"""

import json
import math
from pathlib import Path

import numpy as np
import pytest
import yaml

from cupola import InputError, SimulationError
from cupola.analysis import Aircraft, Condition, trim
from cupola.cockpit.frame import Frame
from cupola.cockpit.scene import scene_of
from cupola.config.vehicle import MODELS
from cupola.record import Recording
from cupola.record.world_recorder import WorldRecorder

MASS, GAIN, LAG, PUSH = 2.0, 100.0, 0.2, 1e-3
BODY = f"""<body name="base"><freejoint/><inertial pos="0 0 0" mass="{MASS}" diaginertia="1 1 1"/>
<geom size="0.1" mass="0"/><site name="here" euler="0 0 30"/></body>"""
KERNELS = '''
from typing import Any, ClassVar, NamedTuple

from cupola import Actuator, Arrow, Load, Sensor, Vector, Wrench
from cupola.kernel.motion import PointMotion
from cupola.parts.sensors.sensor import NoiseKey, draw


class FanNumbers(NamedTuple):
    gain: float
    lag: float
    push: float


class FanState(NamedTuple):
    omega: float = 0.0


class FanOutput(NamedTuple):
    force: Vector
    """[N] axes of the site."""
    omega: float
    """[rad/s]"""


class Spun(NamedTuple):
    state: FanState


class Blown(NamedTuple):
    output: FanOutput
    wrench: Wrench


class Fan(Load):
    """It spins up to what its channel asks for, and pushes along x with the square of its speed."""

    channel: int
    gain: float = 100.0
    lag: float = 0.2
    push: float = 1e-3

    Numbers = (FanNumbers,)
    Index: ClassVar[dict[str, str]] = {"channel": "i8"}
    State = FanState
    Output = FanOutput
    arrow = Arrow("force")
    failures = ("off", "jammed")
    settles = ("omega",)
    plain = False

    def used_channels(self):
        return (self.channel,)

    def thrust_channel(self):
        return self.channel

    def numbers(self, places: Any) -> dict[str, Any]:
        return {**super().numbers(places), "channel": places.channel(self.channel)}

    def fail(self, row: Any, failure: str) -> None:
        row["gain" if failure == "jammed" else "off"] = 0 if failure == "jammed" else 1

    @staticmethod
    def actuate(p, state: FanState, command, dt) -> Spun:
        return Spun(FanState(state.omega + dt / p.lag * (p.gain * command - state.omega)))

    @staticmethod
    def load(p, state: FanState) -> Blown:
        force = Vector(p.push * state.omega * state.omega, 0.0, 0.0)
        return Blown(FanOutput(force, state.omega), Wrench(force, Vector(0.0, 0.0, 0.0)))


class ValveNumbers(NamedTuple):
    speed: float


class ValveState(NamedTuple):
    value: float = 0.0


class ValveOutput(NamedTuple):
    value: float
    """[1] of its channel."""


class Turned(NamedTuple):
    state: ValveState
    output: ValveOutput
    channel: float


class Valve(Actuator):
    """Follows its command with a lag."""

    speed: float = 50.0

    Numbers = (ValveNumbers,)
    State = ValveState
    Output = ValveOutput
    settles = ("value",)
    plain = False

    @staticmethod
    def actuate(p, state: ValveState, command, dt) -> Turned:
        value = state.value + p.speed * dt * (command - state.value)
        return Turned(ValveState(value), ValveOutput(value), value)


class GaugeNumbers(NamedTuple):
    scale: float
    noise: float


class Told(NamedTuple):
    speed: float
    """[m/s] along x."""


class Gauge(Sensor):
    """Speed forward."""

    scale: float = 1.0
    noise: float = 0.0

    Numbers = (GaugeNumbers,)
    Sample = Told
    noise_fields = ("noise",)
    plain = False

    @staticmethod
    def measure(p, exact: PointMotion, noise: NoiseKey) -> Told:
        return Told(p.scale * exact.vel_w.x + p.noise * draw(noise, 0).a)
'''
STEPS = '''
from typing import NamedTuple

from cupola import Actuator, Load, Sensor, Vector, Wrench


class Fan(Load):
    channel: int
    gain: float = 100.0
    lag: float = 0.2
    push: float = 1e-3
    dt: float = 0.001
    _omega: float = 0.0

    def reset(self):
        self._omega = 0.0

    def step(self, motion, density, drive):
        self._omega += self.dt / self.lag * (self.gain * drive[self.channel] - self._omega)
        return Wrench(Vector(self.push * self._omega * self._omega, 0.0, 0.0), Vector(0.0, 0.0, 0.0))


class Valve(Actuator):
    speed: float = 50.0
    _value: float = 0.0

    def reset(self):
        self._value = 0.0

    def step(self, command, dt):
        self._value += self.speed * dt * (command - self._value)
        return self._value


class Told(NamedTuple):
    speed: float
    """[m/s] along x."""


class Gauge(Sensor):
    scale: float = 1.0
    Sample = Told

    def step(self, motion, time):
        return [self.scale * motion.vel_w.x]
'''
WAYS = {"compiled": KERNELS, "plain kernels": KERNELS.replace("plain = False", "plain = True"), "step": STEPS}
PARTS = {
    "gauge": {"kind": "toy.py:Gauge", "site": "here", "rate_hz": 100},
    "fan": {"kind": "toy.py:Fan", "site": "here", "channel": 0},
    "valve": {"kind": "toy.py:Valve", "channel": 0},
}
"""In an order of which nothing may depend."""


@pytest.fixture
def toy(vehicle, make_world):
    """A world of the three parts, written in one of the ways, with the stick at 0.6; `parts` change numbers."""
    count = iter(range(100))

    def make(way, sticks=0.6, only=tuple(PARTS), **parts):
        entries = {name: {**PARTS[name], **parts.get(name, {})} for name in only}
        folder = vehicle(BODY, name=f"toy{next(count)}", parts=entries, files={"toy.py": WAYS[way]})
        world = make_world({"model": folder, "name": "toy"}, physics_hz=1000, gravity=0.0)
        world.sticks([sticks])
        return world

    return make


def exact(ticks):
    """Valve and fan after some ticks of 1 ms, by their recursions."""
    value = omega = 0.0
    for _ in range(ticks):
        value += 0.05 * (0.6 - value)
        omega += 0.001 / LAG * (GAIN * value - omega)
    return value, omega


@pytest.mark.parametrize("way", WAYS)
def test_they_do_what_they_say_in_one_tick(toy, way):
    """The valve acts before the fan that hears it, whatever the order in the file."""
    world = toy(way)
    for ticks in (1, 30, 200):
        world.step(ticks - world.tick)
        value, omega = exact(ticks)
        assert world.arrays.drive[world.instances[0].channels][0] == pytest.approx(value, rel=1e-12)
        assert world.part("valve").outputs.value == pytest.approx(value, rel=1e-12)
        assert world.part("fan").outputs.force == pytest.approx((PUSH * omega**2, 0.0, 0.0), rel=1e-12)
    assert world.motion().vel_w.x > 0.0


def test_all_ways_move_the_same(toy):
    ends = {}
    for way in WAYS:
        world = toy(way)
        world.step(500)
        ends[way] = (*world.data.qpos, *world.data.qvel)
    assert ends["compiled"] == ends["plain kernels"] == pytest.approx(ends["step"], rel=1e-12)


@pytest.mark.parametrize("way", WAYS)
def test_topic_signal_and_arrow(toy, way, tmp_path):
    world = toy(way)
    recorder = WorldRecorder(world, tmp_path / "run.mcap")
    world.observers.append(recorder)
    world.run(0.5)
    recorder.close()
    recording, units = Recording(tmp_path / "run.mcap"), {one.name: one.unit for one in world.signals()}
    shown = {"fan": ["force.x", "force.y", "force.z"], "valve": ["value"], "gauge": ["speed"]}
    shown["fan"] += ["torque.x", "torque.y", "torque.z"] if way == "step" else ["omega"]
    for part, names in shown.items():
        table = recording.named(f"/toy/{part}")
        assert [name for name in table if name not in ("time", "stamp", "header.frame_id")] == names
        for name in names:
            assert table[name][-1] == world.signal(f"toy.{part}.{name}"), (part, name)
    assert [units[f"toy.{name}"] for name in ("fan.force.x", "valve.value", "gauge.speed")] == ["N", "1", "m/s"]
    assert scene_of(world).loads[0] == "toy.fan"
    frame = Frame(world)
    frame.fill()
    section = next(one for one in frame.layout if one.name == "forces")
    arrow = frame.numbers[section.offset : section.offset + 6]
    place = world.data.site("toy/here")
    force = place.xmat.reshape(3, 3) @ world.part("fan").outputs.force
    np.testing.assert_allclose(arrow, [*place.xpos, *force], atol=1e-9)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("part", ["fan", "valve"])
def test_a_nan_is_blamed_by_name(toy, way, part, tmp_path):
    world = toy(way)
    world.dump_folder = tmp_path / "stopped"
    world.step(10)
    before = world.snapshot()
    number = {"fan": "push", "valve": "speed"}[part]
    if way == "step":
        setattr(world.part(part).part, number, math.nan)
    else:
        setattr(world.part(part).row, number, math.nan)
    with pytest.raises(
        SimulationError, match=rf"tick 10 .*part '{part}' \(toy\.py:{part.title()}\) of 'toy' gave a value"
    ):
        world.step(5)
    if way == "step":
        setattr(world.part(part).part, number, {"fan": PUSH, "valve": 50.0}[part])
    else:
        setattr(world.part(part).row, number, {"fan": PUSH, "valve": 50.0}[part])
    world.restore(before)
    world.step(5)
    assert np.isfinite(world.data.qpos).all()


@pytest.mark.parametrize("way", ["plain kernels", "step"])
@pytest.mark.parametrize("part", PARTS)
def test_what_python_raises_is_blamed_by_name(toy, way, part, tmp_path):
    """In every stage: where loads are asked, where actuators act, where sensors measure."""
    code = WAYS[way].replace("class Fan(", "def refuse():\n    raise ValueError('no')\n\n\nclass Fan(")
    number = {"fan": "push", "valve": "speed", "gauge": "scale"}[part]
    owner = "self" if way == "step" else "p"
    kernel = {"fan": "load", "valve": "actuate", "gauge": "measure"}[part] if way != "step" else "step"
    at = code.index(f"def {kernel}(", code.index(f"class {part.title()}("))
    body = code.index("\n", at) + 1
    code = code[:body] + f"        {owner}.{number} > 5e3 and refuse()\n" + code[body:]
    WAYS["refusing"] = code
    try:
        world = toy("refusing", only=(*PARTS,))
        twin = toy("refusing", only=(*PARTS,))
    finally:
        del WAYS["refusing"]
    for one in (world, twin):
        one.dump_folder = tmp_path / "stopped"
    world.step(10)
    world.tune(f"toy.{part}.{number}", world.parameters[f"toy.{part}.{number}"][0].low)  # another number is no harm
    world.step(10)
    if way == "step":
        setattr(twin.part(part).part, number, 1e4)
    else:
        setattr(twin.part(part).row, number, 1e4)
    with pytest.raises(
        SimulationError, match=rf"part '{part}' \(toy\.py:{part.title()}\) of 'toy' raised ValueError: no"
    ):
        twin.step(100)


@pytest.mark.parametrize("way", WAYS)
def test_the_second_of_two_is_blamed(vehicle, make_world, way, tmp_path):
    parts = {name: {**PARTS["fan"], "push": 1e-3} for name in ("one", "two")}
    folder = vehicle(BODY, parts=parts, files={"toy.py": WAYS[way]})
    world = make_world(folder, physics_hz=1000, gravity=0.0)
    world.dump_folder = tmp_path / "stopped"
    world.sticks([0.6])
    if way == "step":
        world.part("two").part.push = math.nan
    else:
        world.part("two").row.push = math.nan
    with pytest.raises(SimulationError, match=r"part 'two' \(toy\.py:Fan\)"):
        world.step(3)


@pytest.mark.parametrize("way", WAYS)
def test_failures(toy, way):
    world = toy(way)
    world.step(100)
    known = {(fault.part, fault.kind) for fault in world.faults()}
    own = {("toy.fan", "jammed")} if way != "step" else set()
    assert {("toy.fan", "off"), ("toy.valve", "off"), ("toy.gauge", "stuck"), ("toy.gauge", "loss")} | own <= known
    before, speed = world.snapshot(), world.motion().vel_w.x
    world.fail("toy.fan", "off")
    world.step(50)
    assert world.part("fan").outputs.force == (0.0, 0.0, 0.0)
    assert world.motion().vel_w.x == pytest.approx(speed, rel=1e-12)
    world.fail("toy.fan", "off", 0.0)
    world.step(2)
    assert world.part("fan").outputs.force.x > 0.0
    world.restore(before)
    world.fail("toy.valve", "off")
    world.step()
    assert world.arrays.drive[world.instances[0].channels][0] == world.part("valve").outputs.value == 0.0
    world.restore(before)
    world.fail("toy.gauge", "stuck")
    held = world.samples["toy", "gauge"].latest()
    world.step(50)
    assert world.samples["toy", "gauge"].latest() == held
    world.fail("toy.gauge", "stuck", 0.0)
    world.step(50)
    assert world.samples["toy", "gauge"].latest() != held
    if own:
        world.restore(before)
        world.fail("toy.fan", "jammed")
        world.step(3000)
        assert world.part("fan").outputs.omega == pytest.approx(0.0, abs=1e-3)


@pytest.mark.parametrize("way", WAYS)
def test_every_float_of_the_file_is_tuned(toy, way):
    world = toy(way)
    world.run(3.0)
    assert {"toy.fan.gain", "toy.fan.lag", "toy.fan.push", "toy.valve.speed", "toy.gauge.scale"} <= set(
        world.parameters
    )
    before = world.part("fan").outputs.force.x
    world.tune("toy.fan.push", 2 * PUSH)
    world.tune("toy.gauge.scale", 2.0)
    world.step(11)
    assert world.part("fan").outputs.force.x == pytest.approx(2 * before, rel=1e-3)
    assert world.samples["toy", "gauge"].latest()[0] == pytest.approx(2 * world.motion().vel_w.x, rel=0.02)
    world.tune("toy.valve.speed", 0.0)
    held = world.part("valve").outputs.value
    world.sticks([0.0])
    world.step(50)
    assert world.part("valve").outputs.value == held


@pytest.mark.parametrize("way", WAYS)
def test_a_snapshot_holds_all_of_it(toy, digest, way):
    noisy = {"noise": 0.1} if way != "step" else {}
    world = toy(way, gauge=noisy)
    world.step(150)
    saved, at = world.snapshot(), digest(world)
    world.step(200)
    end = digest(world)
    world.restore(saved)
    assert digest(world) == at
    world.step(200)
    assert digest(world) == end
    world.reset()
    world.sticks([0.6])
    world.step(150)
    assert digest(world) == at


@pytest.mark.parametrize("way", ["compiled", "plain kernels"])
def test_accelerations_with_fan_and_valve_at_rest(toy, way):
    """`settles`: under a held command both have arrived, without time passing."""
    world = toy(way)
    world.step(1)
    world.accelerate()
    assert world.tick == 1
    assert world.part("valve").state.value == pytest.approx(0.6, rel=1e-9)
    assert world.part("fan").state.omega == pytest.approx(60.0, rel=1e-9)
    assert np.linalg.norm(world.data.qacc[:3]) == pytest.approx(PUSH * 60.0**2 / MASS, rel=1e-9)


def test_trim_finds_the_command_of_a_fan(make_world, tmp_path):
    """The plane of the thesis with the toy for its motor: what trim finds stays put when it is flown."""
    content = yaml.safe_load((MODELS / "plane_1wing" / "vehicle.yaml").read_text())
    content["mjcf"] = str(MODELS / "plane_1wing" / "model.xml")
    content["parts"]["motor1"] = {"kind": "toy.py:Fan", "site": "motor1", "channel": 3}
    (tmp_path / "vehicle.yaml").write_text(json.dumps(content))
    (tmp_path / "toy.py").write_text(KERNELS)
    entry = {"model": str(tmp_path), "name": "plane"}
    found = trim(Aircraft(make_world(entry)), Condition(20.0, altitude=100.0))
    throttle = found.commands()[3]
    world = make_world({**entry, **found.start()}, physics_hz=800, integrator="RK4")
    roll, pitch, yaw = (found.commands()[k] for k in range(3))
    world.part("motor1").set_state(omega=GAIN * throttle)
    world.sticks([roll, pitch, yaw, 2 * throttle - 1])
    world.run(5.0)
    seen = world.motion()
    assert world.part("motor1").outputs.omega == pytest.approx(GAIN * throttle, rel=1e-6) and throttle > 0.1
    assert math.hypot(*seen.vel_w) == pytest.approx(20.0, abs=0.02) and seen.pos_w.z == pytest.approx(100.0, abs=0.1)


CIRCLE = '''
from typing import Any, ClassVar, NamedTuple

from cupola.parts.binding import Take
from cupola.parts.part import Part


class Water(NamedTuple):
    rate: float = 0.0


class Steam(NamedTuple):
    rate: float = 0.0


class Poured(NamedTuple):
    water: Water


class Vented(NamedTuple):
    steam: Steam


class Pump(Part):
    to: str
    feeds: ClassVar[dict[str, Any]] = {"water": (Water, "to")}
    collects: ClassVar[dict[str, Any]] = {"got": Steam}

    @staticmethod
    def actuate(got: Steam) -> Poured:
        return Poured(Water(1.0 + 0.1 * got.rate))


class Boiler(Part):
    to: str
    feeds: ClassVar[dict[str, Any]] = {"steam": (Steam, "to")}
    collects: ClassVar[dict[str, Any]] = {"got": Water}

    @staticmethod
    def actuate(got: Water) -> Vented:
        return Vented(Steam(0.5 * got.rate))


class Level(NamedTuple):
    height: float = 0.0


class Tank(Part):
    """Wants the water of its pump fresh, and gives its level, which the pump wants fresh."""

    to: str
    State = Level
    gives = Level
    takes: ClassVar[dict[str, Any]] = {"level": Take(Level, "to", fresh=True)}

    @staticmethod
    def actuate(state: Level, level: Level) -> Level:
        return Level(state.height + level.height)

    @staticmethod
    def publish(state: Level) -> Level:
        return state


class Basin(Tank):
    @staticmethod
    def actuate(state: Level, level: Level) -> Level:
        return Level(level.height - state.height)
'''


@pytest.mark.parametrize(("one", "other"), [("Pump", "Boiler"), ("Tank", "Basin")])
def test_kinds_that_wait_for_each_other_are_refused_by_name(vehicle, make_world, one, other):
    parts = {"a": {"kind": f"circle.py:{one}", "to": "b"}, "b": {"kind": f"circle.py:{other}", "to": "a"}}
    folder = vehicle(BODY, parts=parts, files={"circle.py": CIRCLE})
    first, last = sorted((one, other))
    with pytest.raises(InputError, match=rf"wait for each other in a circle: {first} · {last}$"):
        make_world(folder)


def test_who_is_fed_acts_after_who_feeds(vehicle, make_world):
    """The same two kinds without the circle: within a tick, in whatever order the file names them."""
    code = CIRCLE.replace('    feeds: ClassVar[dict[str, Any]] = {"steam": (Steam, "to")}\n', "").replace(
        "    def actuate(got: Water) -> Vented:\n        return Vented(Steam(0.5 * got.rate))",
        "    def actuate(got: Water) -> Boiled:\n        return Boiled(Hot(2.0 * got.rate))",
    )
    code = code.replace(
        "class Boiler(Part):", "class Hot(NamedTuple):\n    heat: float\n    \"\"\"[W]\"\"\"\n\n\n"
        "class Boiled(NamedTuple):\n    output: Hot\n\n\nclass Boiler(Part):\n    Output = Hot",
    )  # fmt: skip
    for k, order in enumerate((("a", "b"), ("b", "a"))):
        parts = {"a": {"kind": "circle.py:Pump", "to": "b"}, "b": {"kind": "circle.py:Boiler", "to": ""}}
        folder = vehicle(BODY, name=f"fed{k}", parts={n: parts[n] for n in order}, files={"circle.py": code})
        world = make_world(folder)
        world.step()
        assert world.part("b").outputs.heat == 2.0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            ("def load(p, state: FanState)", "def load(p, state: FanState, wind)"),
            r"^Fan: no kernel is given 'wind'; .* density",
        ),
        (("    wrench: Wrench\n", "    heat: float\n"), r"^Fan: nothing is done with an answer 'heat'; .* wrench"),
        (
            ("p.push * state.omega *", "p.pull * state.omega *"),
            r"^the kernel Fan\.load cannot be compiled: .*'pull'",
        ),
        (
            ("p.push * state.omega *", "p.push * state.speed *"),
            r"^the kernel Fan\.load cannot be compiled: Unknown attribute 'speed' .*toy\.py:\d+",
        ),
    ],
)
def test_a_kernel_that_asks_for_what_is_not_there_is_told_so(vehicle, make_world, change, said):
    folder = vehicle(BODY, parts={"fan": PARTS["fan"]}, files={"toy.py": KERNELS.replace(*change)})
    with pytest.raises(InputError, match=said):
        make_world(folder)


def test_the_toys_are_one_file(toy):
    """What was written for them is the vehicle's own folder, and no file of ours knows their names."""
    world = toy("compiled")
    folder = Path(world.instances[0].path).parent
    assert sorted(file.name for file in folder.iterdir() if file.is_file()) == ["model.xml", "toy.py", "vehicle.yaml"]
