"""One list of everything in a world that has a name and a unit; what is shown there is recorded and drawn."""

import functools
import json
import math

import numpy as np
import pytest

from cupola import InputError
from cupola.cockpit.frame import Frame
from cupola.cockpit.scene import loads_of, scene_of
from cupola.config.vehicle import MODELS, read_vehicle, shipped_vehicles
from cupola.kernel.records import leaves
from cupola.parts import KINDS
from cupola.record.messages import types
from cupola.record.read import Recording
from cupola.record.topics import log_topics
from cupola.record.world_recorder import WorldRecorder
from cupola.sim.signals import NAMED_STICKS, Signals
from cupola.sim.world import load

BODY = '<body name="base" pos="0 0 5"><freejoint/><geom type="sphere" size="0.1" mass="2"/><site name="here"/></body>'
KITE = '''
from typing import ClassVar, NamedTuple

from cupola import Load, Vector, Wrench
from cupola.kernel.motion import SiteMotion
from cupola.parts.binding import Arrow
from cupola.xmath import Number


class KiteOutput(NamedTuple):
    """What it does."""

    pull: Vector
    """[N] axes of the site."""
    strain: Number
    """[1] of its line."""


class KiteLoad(NamedTuple):
    output: KiteOutput
    wrench: Wrench


class KiteNumbers(NamedTuple):
    area: float


class Kite(Load):
    """Pulls against the air; its line is taut when it falls."""

    area: float
    Numbers = (KiteNumbers,)
    Output = KiteOutput
    arrow = Arrow("pull")
    events: ClassVar[dict[str, str]] = {"strain": "taut"}

    @staticmethod
    def load(p: Number, motion: SiteMotion, density: Number) -> KiteLoad:
        """Linear drag."""
        pull = Vector(-p.area * motion.vel_air_s.x, -p.area * motion.vel_air_s.y, -p.area * motion.vel_air_s.z)
        taut = 1.0 if motion.vel_air_s.z < -1.0 else 0.0
        return KiteLoad(KiteOutput(pull, taut), Wrench(pull, Vector(0.0, 0.0, 0.0)))
'''


@functools.cache
def shown_by(name):
    """A shipped vehicle or scenario, its signals, and the columns of its topics."""
    world = load(name)
    topics = {topic.stream.topic: topic for topic in log_topics(world)}
    return world, {one.name: one for one in world.signals()}, topics


def carriers():
    """For every kind that shows something: a shipped vehicle with a part of it; flapping alone shows nothing."""
    found = {}
    for name in shipped_vehicles():
        for part in read_vehicle(MODELS / name / "vehicle.yaml").parts.values():
            if part.group().Output is not None:
                found.setdefault(part.kind, name)
    return found


OF_IMPORTS = {"table_aero", "table_engine", "table_control"}
"""Kinds of imported aircraft, none of which ships; `tests/engine/test_every_kind.py` has them."""


def test_shipped_vehicles_carry_every_kind_that_shows_something():
    showing = {kind for kind, cls in KINDS.items() if cls.group().Output is not None}
    assert set(carriers()) >= showing - OF_IMPORTS


@pytest.mark.parametrize(("kind", "name"), carriers().items())
def test_every_kind_that_shows_something_has_signals_and_a_topic(kind, name):
    world, signals, topics = shown_by(name)
    for bound in (b for b in world.assembly.parts if b.part.kind == kind):
        names = leaves(bound.part.group().Output)
        found = [signals[f"{bound.full_name}.{leaf}"] for leaf in names]
        assert all(one.unit for one in found)
        assert [one.place for one in found] == [int(bound.row["output"]) + k for k in range(len(names))]
        stream, columns = topics[f"/{bound.vehicle}/{bound.name}"]
        if bound.part.message:
            assert stream.type == bound.part.message and set(stream.columns) == set(names)
        else:
            assert stream.type.startswith("cupola_msgs/msg/Numbers") and stream.names == tuple(names)
        assert len(columns) == len(names)


@pytest.mark.parametrize("kind", [kind for kind, cls in KINDS.items() if cls.message and cls.group().Output])
def test_a_declared_message_has_a_field_for_each_output(kind):
    """A field of three numbers is a vector, one of four wheels names each."""
    name, inside = KINDS[kind].message, {}
    for field, (_, about) in types().fielddefs[name][1]:
        nested = types().fielddefs[about][1] if isinstance(about, str) and about in types().fielddefs else None
        inside[field] = [f"{field}.{axis}" for axis, _ in nested] if nested else [field]
    fields = [leaf for field, found in inside.items() if field != "header" for leaf in found]
    assert sorted(fields) == sorted(leaves(KINDS[kind].Output))


def test_no_unit_of_an_output_is_missing():
    """`[1]` says that there is none."""
    from cupola.parts.shown import unit_of

    for kind, cls in KINDS.items():
        if (output := cls.group().Output) is not None:
            assert [field for field in output._fields if not unit_of(output, field)] == [], kind


def test_a_signal_is_read_by_name_and_a_group_by_its_beginning():
    world = load("quadcopter")
    world.run(0.3)
    now = world.motion()
    assert world.signal("quadcopter.position") == tuple(now.pos_w)
    assert world.signal("quadcopter.position.z") == now.pos_w.z
    assert world.signal("quadcopter.speed") == pytest.approx(math.hypot(*now.vel_w))
    assert world.signal("quadcopter.motor1.thrust") == world.part("motor1").outputs.thrust
    assert world.signal("quadcopter.motor1") == tuple(world.part("motor1").outputs)
    assert world.signal("quadcopter.imu.accel_s") == tuple(world.samples["quadcopter", "imu"]().accel_s)
    assert world.signal("quadcopter.stick") == tuple(world.runner().sticks[: len(NAMED_STICKS)])
    out, signals = np.zeros(len(world.signals())), Signals(world)
    signals.fill(out)
    for one, value in zip(signals.listed, out, strict=True):
        np.testing.assert_equal(world.signal(one.name), value)


def test_an_unknown_signal_is_refused_with_the_nearest():
    with pytest.raises(InputError, match=r"no signal 'quadcopter.motor1.trust'.*quadcopter\.motor1\.thrust"):
        load("quadcopter").signal("quadcopter.motor1.trust")


def test_controllers_tell_what_they_report(tmp_path):
    world = load("quadcopter")
    names = [one.name for one in world.signals() if one.name.startswith("quadcopter.controller.")]
    assert names and all(one.unit for one in world.signals())
    record(world, tmp_path / "flight.mcap", 0.5)
    table = Recording(tmp_path / "flight.mcap").named("/quadcopter/controller")
    assert [f"quadcopter.controller.{name}" for name in table if name not in ("time", "stamp")] == names
    for name in names:
        np.testing.assert_equal(table[name.removeprefix("quadcopter.controller.")][-1], world.signal(name))
    assert Recording(tmp_path / "flight.mcap").units[names[0]] != ""


def record(world, path, duration):
    recorder = WorldRecorder(world, path)
    world.observers.append(recorder)
    world.run(duration)
    recorder.close()


def test_a_compiled_load_of_ones_own_has_topic_signal_arrow_and_event(vehicle, make_world, tmp_path):
    part = {"kind": "kite.py:Kite", "site": "here", "area": 0.5}
    world = make_world(vehicle(BODY, parts={"kite": part}, files={"kite.py": KITE}))
    record(world, tmp_path / "flight.mcap", 0.5)
    units = {one.name: one.unit for one in world.signals()}
    assert [units[f"toy.kite.pull.{axis}"] for axis in "xyz"] == ["N"] * 3 and units["toy.kite.strain"] == "1"
    pull = world.signal("toy.kite.pull")
    assert pull[2] == pytest.approx(-0.5 * world.motion().vel_w.z, rel=0.01)
    frame = Frame(world)
    frame.fill()
    section = next(s for s in frame.layout if s.name == "forces")
    arrow = frame.numbers[section.offset : section.offset + section.width]
    assert scene_of(world).loads[0] == "toy.kite"
    np.testing.assert_allclose(arrow, [*world.data.site("toy/here").xpos, *pull], atol=1e-12)
    recording = Recording(tmp_path / "flight.mcap")
    table = recording.named("/toy/kite")
    assert list(table) == ["time", "stamp", "pull.x", "pull.y", "pull.z", "strain"]
    assert table["pull.z"][-1] == pull[2]
    (taut,) = recording.events
    assert taut[1:] == ("toy", "kite", "taut")
    assert taut.time == table["time"][np.flatnonzero(table["strain"])[0]] == pytest.approx(1.0 / 9.81, abs=0.02)


def test_the_gripper_has_topic_arrow_and_signals():
    world, signals, topics = shown_by("cepheus_capture")
    grippers = [bound for bound in world.assembly.parts if bound.part.kind == "gripper"]
    assert grippers
    drawn = [bound.full_name for bound in loads_of(world)]
    for bound in grippers:
        assert f"{bound.full_name}.force" in signals and f"/{bound.vehicle}/{bound.name}" in topics
        assert bound.full_name in drawn
        assert world.signal(f"{bound.full_name}.pull") == (0.0, 0.0, 0.0)


def test_a_load_in_plain_python_has_topic_signals_and_arrow(vehicle, make_world, tmp_path):
    text = (
        "from cupola import Load, Vector, Wrench\n\n\nclass Up(Load):\n    def step(self, motion, density, drive):\n"
        "        return Wrench(Vector(0.0, 0.0, 30.0), Vector(0.0, 0.0, 0.0))\n"
    )
    world = make_world(vehicle(BODY, parts={"up": {"kind": "up.py:Up", "site": "here"}}, files={"up.py": text}))
    record(world, tmp_path / "flight.mcap", 0.1)
    assert world.signal("toy.up.force") == (0.0, 0.0, 30.0)
    assert Recording(tmp_path / "flight.mcap").named("/toy/up")["force.z"][-1] == 30.0
    assert [bound.full_name for bound in loads_of(world)] == ["toy.up"]


def test_a_part_named_as_something_else_does_not_take_its_topic(vehicle, make_world, tmp_path):
    parts = {"air": {"kind": "servo", "channel": 0}, "phase": {"kind": "servo", "channel": 1}}
    world = make_world(vehicle(BODY, parts=parts))
    record(world, tmp_path / "flight.mcap", 0.1)
    recording = Recording(tmp_path / "flight.mcap")
    assert recording.topics["/toy/air"] == "cupola_msgs/msg/Air"
    assert (
        list(recording.named("/toy/air_shown"))[2:] == list(recording.named("/toy/phase"))[2:] == ["position", "rate"]
    )


def test_units_of_all_signals_are_in_the_file(tmp_path):
    world = load("quadcopter")
    record(world, tmp_path / "flight.mcap", 0.1)
    said = json.loads(Recording(tmp_path / "flight.mcap").attachments["signals.json"])
    assert said == {one.name: one.unit for one in world.signals()}
