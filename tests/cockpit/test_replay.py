"""A recording on the page: it shows what was flown, at any moment of it."""

import io
from typing import cast

import numpy as np
import pytest
from PIL import Image

from cupola.cockpit import messages as say
from cupola.cockpit.condition import conditions
from cupola.cockpit.frame import Frame
from cupola.cockpit.link import Link
from cupola.cockpit.replay import Replay
from cupola.cockpit.scene import scene_of
from cupola.record import write_csv
from cupola.record.recorder import Recorder
from cupola.record.stream import Stream
from cupola.record.world_recorder import WorldRecorder
from cupola.schema.yaml_files import InputError
from cupola.sim.camera_images import Pictures
from cupola.sim.world import load


class Silent:
    """A line to nobody."""

    def tell(self, message):
        pass


class Album(Silent):
    """A line that keeps the pictures."""

    def __init__(self):
        self.pictures = []

    def show_picture(self, *picture):
        self.pictures.append(picture)


def _name(signal):
    return signal.name


def record(world, path, *acts):
    """Fly and record: a function at a time, or seconds of flight."""
    tap = WorldRecorder(world, path)
    world.observers.append(tap)
    for act in acts:
        world.run(act) if isinstance(act, float) else act()
    tap.close()


@pytest.mark.parametrize("name", ["hover", "sensor_plane_takeoff", "vtol_mission", "omni_manual"])
def test_the_last_row_shows_what_the_world_shows(name, tmp_path):
    world = load(name)
    record(world, tmp_path / "flight.mcap", 0.8)
    flown = Frame(world)
    flown.fill()
    replay = Replay(tmp_path / "flight.mcap", cast(Link, Silent()))
    replay.step(10_000)
    replay.frame.fill()
    assert [(s.name, s.offset, s.count) for s in replay.frame.layout] == [
        (s.name, s.offset, s.count) for s in flown.layout
    ]
    for section in flown.layout:
        if section.name in ("contacts", "goals"):  # forces of contacts and set-points are not recorded
            continue
        part = slice(section.offset, section.offset + section.count * section.width)
        shown, was = replay.frame.numbers[part], flown.numbers[part]
        if section.name == "signals":  # those of the mission's controller stand last: another one sits in its place
            again = [signal.name for signal in replay.frame.signals]
            shown = shown[[again.index(signal.name) for signal in flown.signals]]
            assert [s.unit for s in sorted(flown.signals, key=_name)] == [
                s.unit for s in sorted(replay.frame.signals, key=_name)
            ]
        if section.name == "clock":
            shown, was = shown[:3], was[:3]
        if section.name == "forces":  # those of wheels are forces of contacts
            loads = [k for k, load in enumerate(scene_of(world).loads) if ".wheel" not in load]
            shown, was = shown.reshape(-1, 6)[loads], was.reshape(-1, 6)[loads]
        # Sticks and ranges are float32 in a recording.
        np.testing.assert_allclose(shown, was, rtol=1e-6, atol=1e-7, err_msg=section.name)


@pytest.mark.parametrize("name", ["square", "vtol_mission"])
def test_live_page_replay_and_tables_have_the_same_signals(name, tmp_path):
    """Also what the controller of the mission reports, which is not flown in a replay: the recording has it."""
    world = load(name)
    record(world, tmp_path / "flight.mcap", 0.3)
    replay = Replay(tmp_path / "flight.mcap", cast(Link, Silent()))
    shown = {signal.name for signal in replay.frame.signals}
    assert shown == {signal.name for signal in Frame(world).signals}
    tables = write_csv(tmp_path / "flight.mcap", tmp_path / "tables")
    columns = {f"{path.stem}.{one}" for path in tables for one in path.read_text().splitlines()[0].split(",")}
    reports = shown - {signal.name for signal in replay.world.signals()}
    assert len(reports) > 10 and reports <= columns


def test_every_sensor_says_again_what_it_said(tmp_path, vehicle, make_world):
    kinds = ("imu", "truth", "barometer", "magnetometer", "gnss", "airspeed", "rangefinder", "laser")
    parts = {kind: {"kind": kind, "site": "base", "rate_hz": 25.0} for kind in kinds}
    body = '<body name="base" pos="0 0 3"><freejoint/><geom type="sphere" size="0.1"/><site name="base"/></body>'
    world = make_world(vehicle(body, parts=parts), floor={})
    world.sticks([0.3])
    record(world, tmp_path / "flight.mcap", 0.5)
    flown = Frame(world)
    flown.fill()
    replay = Replay(tmp_path / "flight.mcap", cast(Link, Silent()))
    replay.step(50)
    replay.frame.fill()
    section = next(s for s in flown.layout if s.name == "signals")
    part = slice(section.offset, section.offset + section.count)
    sensed = [k for k, s in enumerate(flown.signals) if s.name.split(".")[1] in kinds]
    was, shown = flown.numbers[part][sensed], replay.frame.numbers[part][sensed]
    kept = ~np.isnan(shown)
    names = [flown.signals[k].name for k in sensed]
    assert {name.split(".")[1] for name, there in zip(names, kept, strict=True) if there} == set(kinds) - {"laser"}
    np.testing.assert_allclose(shown[kept], was[kept], rtol=1e-6, atol=1e-7)
    assert kept.mean() > 0.8, [name for name, there in zip(names, kept, strict=True) if not there]


def test_a_camera_sees_again_what_it_saw(tmp_path):
    world = load("sensor_plane_camera")
    record(world, tmp_path / "flight.mcap", 0.5)
    replay = Replay(tmp_path / "flight.mcap", cast(Link, Album()))
    replay.step(50)
    np.testing.assert_allclose(replay.world.arrays.qpos, world.arrays.qpos, atol=1e-9)
    replay.obey(say.Watch(cameras=[0, 5]))
    replay.look()
    ((camera, taken, jpeg),) = cast(Album, replay.link).pictures
    assert camera == 0 and taken == pytest.approx(0.5)
    (pictures,) = (s for s in world.samples.values() if isinstance(s, Pictures))
    pictures.put(pictures.count, [world.tick, *world.arrays.qpos])
    shown, was = np.asarray(Image.open(io.BytesIO(jpeg)), float), pictures.picture(pictures.count - 1).astype(float)
    assert shown.shape == was.shape and was.std() > 5.0
    assert np.abs(shown - was).mean() < 3.0  # a JPEG of the same view


def test_modes_and_the_emergency_stop_are_shown_when_they_were(tmp_path):
    world = load("hover")
    record(world, tmp_path / "flight.mcap", 0.2, lambda: world.take_over("raw"), 0.2, world.stop_motors, 0.1)
    replay = Replay(tmp_path / "flight.mcap", cast(Link, Silent()))
    seen = []
    for row in (10, 30, 45):
        replay.step(row - replay._at)
        replay.look()
        seen.append((replay._said.modes[0], replay.emergency))
    assert seen == [("assisted", False), ("raw", False), ("raw", True)]


def test_a_vehicle_that_has_changed_since_is_shown_as_it_was(tmp_path, vehicle, make_world):
    bodies = '<body name="base"><freejoint/><geom type="sphere" size="{}"/></body>'
    folder = vehicle(bodies.format("0.1"))
    world = make_world(folder)
    record(world, tmp_path / "flight.mcap", 0.1)
    (tmp_path / "toy" / "model.xml").write_text(f"<mujoco><worldbody>{bodies.format('0.3')}</worldbody></mujoco>")
    replay = Replay(tmp_path / "flight.mcap", cast(Link, Silent()))
    assert replay.world.model.geom_size[0, 0] == 0.1


def test_what_is_no_flight_of_ours_is_refused(tmp_path):
    with Recorder(tmp_path / "other.mcap", [Stream("/a", "std_msgs/msg/Float64", ("data",))], metadata={}):
        pass
    with pytest.raises(InputError, match="holds no scenario"):
        Replay(tmp_path / "other.mcap", cast(Link, Silent()))


def test_the_page_seeks_pauses_and_plays(tmp_path, start_cockpit, open_page):
    world = load("hover")
    record(world, tmp_path / "flight.mcap", 0.5, lambda: world.sticks([0.0, 1.0]), 1.5)
    cockpit = start_cockpit("replay", str(tmp_path / "flight.mcap"))
    with open_page(cockpit.url) as page:
        assert page.hello["replay"] == [0.0, pytest.approx(2.0)]
        page.say("pause", paused=True)
        page.say("seek", time=0.25)
        page.until(lambda: page.clock("time") == pytest.approx(0.25))
        assert page.section("sticks")[0, 1] == 0.0
        page.say("seek", time=1.7)
        page.until(lambda: page.clock("time") == pytest.approx(1.7))
        assert page.section("sticks")[0, 1] == 1.0
        assert page.signal("quadcopter.velocity.x") < -0.5  # a stick that is pulled flies back
        page.say("step", ticks=2)
        page.until(lambda: page.clock("time") == pytest.approx(1.72))
        page.say("pause", paused=False)
        page.until(lambda: page.clock("time") == pytest.approx(2.0) and page.clock("paused") == 1.0)  # stops at the end
        page.say("pause", paused=False)
        page.until(lambda: 0.0 < page.clock("time") < 1.0)  # and begins again
        page.say("seek", time=-1e300)
        page.say("tune", name="quadcopter.kp", value=1.0)
        page.until(lambda: "a recording cannot tune" in str(page.last("notice")["text"]))


def test_it_says_what_the_mission_was_doing_at_every_moment(tmp_path):
    world = load("square")
    record(world, tmp_path / "flight.mcap", 12.0)
    told = []

    class Letters(Silent):
        def tell(self, message):
            if isinstance(message, say.Changed):
                told.append(message.missions[0])

    replay = Replay(tmp_path / "flight.mcap", cast(Link, Letters()))
    for time in (0.1, 11.9, 0.1):
        replay.obey(say.Seek(time=time))
        replay.look()
    first, last, again = told
    assert first == again != last and "waypoint" in last


STOOD = "on the ground"


def test_it_says_how_the_vehicle_was_as_the_live_page_did(tmp_path):
    """Each condition of a flight that goes wrong, at its time; of two vehicles, that of each."""
    scenario = tmp_path / "two.yaml"
    rows = [f"  - {{model: quadcopter, name: {name}, position: [{k}, 0, 2], mode: raw}}" for k, name in enumerate("ab")]
    scenario.write_text("\n".join(["duration: 60", "vehicles:", *rows]))
    world = load(scenario)
    seen = []

    def look():
        seen.append((world.time, conditions(world)))

    def until(name):
        def fly():
            for _ in range(400):
                world.run(0.02)
                if conditions(world)[0].name == name:
                    break
            look()

        return fly

    acts = [
        look,
        lambda: world.sticks([0.0, 0.0, 0.0, 0.2], "a"),
        0.5,
        lambda: world.fail("a.motor1", "off", 1.0),
        0.1,
        look,
        until("turned over"),
        0.02,
        lambda: world.fail("a.motor1", "off", 0.0),
        lambda: world.stop_motors(True, "a"),
        0.1,
        look,
        0.02,
        lambda: world.stop_motors(False, "a"),
        3.0,
        lambda: world.stop_motors(True, "b"),
        0.02,
        look,
    ]
    record(world, tmp_path / "flight.mcap", *acts)
    replay = Replay(tmp_path / "flight.mcap", cast(Link, Silent()))
    told = []
    replay.link.tell = told.append
    names = set()
    for time, were in seen:
        replay.obey(say.Seek(time=time))
        replay.look()
        assert told[-1].conditions == were, time
        assert replay.emergency == any(one.name == "motors off" for one in were)
        names |= {one.name for one in were}
    assert names >= {"moving", "part failed", "turned over", "motors off"}


def test_what_stood_on_the_ground_all_the_time_is_not_holding_its_place(tmp_path, vehicle, make_world):
    """No touch is in its recording."""
    body = '<body name="base" pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>'
    world = make_world(vehicle(body), floor={})
    world.run(1.0)
    record(world, tmp_path / "flight.mcap", 0.2)
    replay = Replay(tmp_path / "flight.mcap", cast(Link, Silent()))
    told = []
    replay.link.tell = told.append
    replay.step(10_000)
    replay.look()
    assert told[-1].conditions == conditions(world)
    assert told[-1].conditions[0].name == STOOD
