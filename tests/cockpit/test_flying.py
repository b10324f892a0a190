"""A world on the page: what pages are told, what they may do to it, and what happens when they let go."""

import itertools
import json
import re
import urllib.request

import numpy as np
import pytest

from cupola.record.read import Recording


def held(page):
    return page.section("sticks")[0]


def test_the_page_is_served_with_its_scene(cockpit):
    with urllib.request.urlopen(cockpit.url) as answer:
        assert "<title>" in answer.read().decode()
        assert "default-src 'self'" in answer.headers["content-security-policy"]
    with urllib.request.urlopen(f"{cockpit.url}scene.json") as answer:
        scene = json.load(answer)
    assert scene["vehicles"][0]["name"] == "quadcopter"
    assert scene["vehicles"][0]["modes"] == ["mission", "assisted", "raw"]
    assert [rotor["name"] for rotor in scene["rotors"]] == [f"quadcopter.motor{k}" for k in (1, 2, 3, 4)]
    assert len(scene["bodies"]) == 1 + 1 + 20  # the world, the quadcopter, the boxes
    assert scene["bodies"][1]["mass"] == pytest.approx(1.01, abs=0.01)


def test_a_frame_says_what_its_layout_says(page):
    page.next_frame()
    offsets = [(s["offset"], s["count"] * s["width"]) for s in page.hello["layout"]]
    assert offsets[0][0] == 0
    assert all(a + n == b for (a, n), (b, _) in itertools.pairwise(offsets))
    assert sum(offsets[-1]) == page.hello["length"] == len(page.frame)
    assert page.signal("quadcopter.position.z") == pytest.approx(1.8, abs=0.05)
    assert page.section("bodies")[1, 2] == page.signal("quadcopter.position.z")
    # In a hover the four rotors carry the weight, and their arrows point up.
    forces = page.section("forces")
    assert forces[:4, 5].sum() == pytest.approx(1.01 * 9.81, rel=0.02)
    assert abs(forces[4, 3:]).max() < 1e-3  # the drag of its frame, which hardly moves
    assert page.section("goals")[0, 2] == pytest.approx(1.8, abs=0.01)


def test_frames_come_sixty_times_a_second_in_real_time(page):
    times = [page.next_frame()[1] for _ in range(60)]
    assert np.median(np.diff(times)) == pytest.approx(1 / 60, rel=0.25)  # a busy machine may hold up some
    page.until(lambda: page.clock("real_time_factor") == pytest.approx(1.0, abs=0.02))


def test_sticks_move_it_and_go_to_rest_when_nobody_repeats_them(page):
    for _ in range(10):
        page.say("sticks", channels=[0.0, 1.0, 0.0, 0.0])
        page.next_frame()
        page.next_frame()
    assert held(page)[1] == 1.0
    page.until(lambda: page.last("changed")["missions"] == ["flying by the sticks"])
    page.until(lambda: held(page)[1] == 0.0)  # expired
    assert abs(page.signal("quadcopter.velocity.x")) > 0.1
    page.until(lambda: abs(page.signal("quadcopter.velocity.x")) < 0.05)  # and it stands again


def test_a_page_that_leaves_lets_go_of_the_sticks(cockpit, open_page, page):
    with open_page(cockpit.url) as other:
        other.say("take_sticks", force=True)
        other.until(lambda: other.last("role")["pilot"])
        while held(page)[2] != 0.7:
            other.say("sticks", channels=[0.0, 0.0, 0.7, 0.0])
            page.next_frame()
    page.until(lambda: held(page)[2] == 0.0)
    assert page.last("role") == {"kind": "role", "pilot": False, "taken": False, "pages": 1}


def test_one_holds_the_sticks_and_the_other_watches(cockpit, open_page, page):
    with open_page(cockpit.url) as other:
        other.until(lambda: other.last("role"))
        assert other.last("role") == {"kind": "role", "pilot": False, "taken": True, "pages": 2}
        refused = other.next_frame()[9]
        other.say("sticks", channels=[1.0])
        other.say("tune", name="quadcopter.kp", value=0.1)
        other.say("take_sticks")  # not by force: the first page keeps them
        other.until(lambda: other.clock("refused") == refused + 2)
        assert held(other)[0] == 0.0
        assert "only watches" in other.last("notice")["text"]
        other.say("emergency", on=True)  # anybody may stop the motors
        other.until(lambda: other.clock("emergency") == 1.0)
        page.say("give_sticks")
        other.until(lambda: not other.last("role")["taken"])
        other.say("take_sticks")
        other.until(lambda: other.last("role")["pilot"])
        page.until(lambda: not page.last("role")["pilot"])
        other.say("emergency", on=False)
        other.until(lambda: other.clock("emergency") == 0.0)


def test_pause_and_step(page):
    page.say("pause", paused=True)
    page.until(lambda: page.clock("paused") == 1.0)
    tick = page.next_frame()[2]
    assert page.next_frame()[2] == tick
    page.say("step", ticks=7)
    page.until(lambda: page.clock("tick") == tick + 7)
    page.say("pause", paused=False)
    page.until(lambda: page.clock("tick") > tick + 100)
    page.say("step")
    page.until(lambda: page.last("notice"))
    assert page.last("notice")["text"] == "single steps need a pause"


@pytest.mark.parametrize("factor", [0.1, 5.0])
def test_speed(page, factor):
    page.say("speed", factor=factor)
    page.until(lambda: page.clock("real_time_factor") == pytest.approx(factor, rel=0.15))


def test_speed_as_fast_as_possible(page):
    page.say("speed", factor=None)
    page.until(lambda: page.clock("real_time_factor") > 3.0 and page.clock("speed") == 0.0)


def test_reset_and_snapshots(page):
    page.say("keep")
    kept = page.until(lambda: page.last("changed")["snapshots"])
    page.until(lambda: page.clock("time") > 1.0)
    page.say("restore", index=kept - 1)
    page.until(lambda: page.clock("time") < 0.9)
    page.say("restore", index=1000)
    page.until(lambda: page.last("notice"))
    assert "there is no snapshot 1000" in page.last("notice")["text"]
    page.until(lambda: page.clock("time") > 1.0)
    page.say("reset")
    page.until(lambda: page.clock("time") < 0.5)


def test_a_push_moves_it_and_ends(page):
    body = 1  # after the world
    page.say("push", body=body, point_b=[0, 0, 0], force_w=[0, 3, 0])
    page.until(lambda: page.section("forces")[-1, 4] == 3.0)
    page.until(lambda: page.signal("quadcopter.velocity.y") > 0.1)
    page.until(lambda: page.section("forces")[-1, 4] == 0.0)


def test_a_torque_turns_it(page):
    page.say("push", body=1, point_b=[0, 0, 0], force_w=[0, 0, 0], torque_w=[0, 0, 0.2])
    page.until(lambda: page.signal("quadcopter.rate_b.z") > 0.01)
    page.until(lambda: abs(page.signal("quadcopter.rate_b.z")) < 0.005)


def test_tuning_acts_is_told_and_saved(cockpit, open_page, page):
    name = next(p["name"] for p in page.hello["parameters"] if ".assisted." in p["name"])
    found = next(p for p in page.hello["parameters"] if p["name"] == name)
    value = 0.5 * (found["default"] + found["low"])
    page.say("tune", name=name, value=value)
    page.until(lambda: page.last("tuned") == {"kind": "tuned", "name": name, "value": value})
    with open_page(cockpit.url) as late:  # who comes later knows it too
        late.until(lambda: {"kind": "tuned", "name": name, "value": value} in late.texts)
    page.say("save_scenario")
    page.until(lambda: page.last("notice"))
    saved = cockpit.folder / re.search(r"saved (\S+):", page.last("notice")["text"])[1]
    assert name.rpartition(".")[2] in saved.read_text()
    page.say("tune", name=name, value=found["high"] + 1.0)
    page.until(lambda: "must lie between" in str(page.last("notice")["text"]))
    page.say("tune", name=name, value=found["default"])
    page.until(lambda: page.last("tuned")["value"] == found["default"])


def test_a_mass_is_tuned_from_the_page(page):
    name = "quadcopter.base.mass"
    found = next(p for p in page.hello["parameters"] if p["name"] == name)
    assert found["unit"] == "kg" and found["low"] < found["value"] < found["high"]
    page.say("tune", name=name, value=1.5)
    page.until(lambda: page.last("tuned") == {"kind": "tuned", "name": name, "value": 1.5})
    page.say("tune", name="quadcopter.base.inertia_z", value=0.1)
    page.until(lambda: "no principal moment may be larger" in str(page.last("notice")["text"]))
    page.say("tune", name=name, value=found["value"])
    page.until(lambda: page.last("tuned")["value"] == found["value"])


def test_faults_and_boxes(page):
    page.say("drop_box")
    page.until(lambda: (page.section("bodies")[2:, 0] < 1e3).sum() == 1)
    page.until(lambda: page.clock("contacts") > 0)  # it lies on the floor, which carries its kilogram
    page.until(
        lambda: page.section("contacts")[: int(page.clock("contacts")), 5].sum() == pytest.approx(9.81, rel=0.05)
    )
    page.say("remove_boxes")
    page.until(lambda: (page.section("bodies")[2:, 0] < 1e3).sum() == 0)
    page.say("fault", part="quadcopter.motor1", fault="off", amount=1.0)
    page.until(
        lambda: {"part": "quadcopter.motor1", "kind": "off", "amount": 1.0} in (page.last("changed")["faults"] or [])
    )
    page.until(lambda: page.signal("quadcopter.motor1.thrust") < 0.1)


def test_modes(page):
    page.say("mode", mode="mission")
    page.until(lambda: page.last("changed")["modes"] == ["mission"])
    page.until(lambda: page.section("goals")[0, 2] == pytest.approx(2.0, abs=0.3))


def test_recording(cockpit, page):
    page.say("record", on=True)
    page.until(lambda: page.clock("recording") == 1.0)
    path = cockpit.folder / page.until(lambda: page.last("changed")["recording"])
    page.say("sticks", channels=[0.0, 0.3])
    page.until(lambda: page.clock("time") > 1.0)
    page.say("record", on=False)
    page.until(lambda: page.clock("recording") == 0.0 and page.last("notice"))
    recording = Recording(path)
    assert recording.is_complete
    assert "sticks" in recording.table("/commands", text=True)["call"]
    assert recording.table("/quadcopter/odometry")["time"][-1] > 0.7


def test_pages_that_watch_at_another_rate(cockpit, open_page):
    with open_page(f"{cockpit.url}?rate=10") as slow:
        times = [slow.next_frame()[1] for _ in range(6)]
    assert np.median(np.diff(times)) == pytest.approx(0.1, abs=0.03)


def test_another_scenario(cockpit, open_page, page):
    page.say("load", scenario="../../etc/passwd")
    page.until(lambda: page.last("notice"))
    assert "there is no scenario" in page.last("notice")["text"]
    page.say("load", scenario="square")
    page.until(lambda: page.hello["scenario"] == "square", timeout=60.0)
    page.until(lambda: page.last("changed")["modes"] == ["mission"])
    page.until(lambda: page.frame is not None and page.signal("quadcopter.position.z") > 0.5)
    page.say("load", scenario="hover")
    page.until(lambda: page.hello["scenario"] == "hover", timeout=60.0)


def test_a_scenario_may_wait_for_the_start_signal(tmp_path, start_cockpit, open_page):
    scenario = tmp_path / "waiting.yaml"
    scenario.write_text("start_paused: true\nvehicles: [{model: quadcopter, position: [0, 0, 1], mode: assisted}]\n")
    cockpit = start_cockpit("fly", str(scenario))
    with open_page(cockpit.url) as page:
        for _ in range(3):
            assert page.next_frame()[2] == 0.0  # the tick
        page.say("pause", paused=False)
        page.until(lambda: page.clock("tick") > 100)
        assert page.hello["scenarios"][0] == str(scenario)


BROKEN = """
from cupola import Controller

class Broken(Controller):
    def step(self, obs, ref):
        if obs.time > 0.2:
            raise RuntimeError("no more ideas")
        return [0.4] * 4
"""


def test_a_controller_that_fails_does_not_take_the_cockpit_along(tmp_path, start_cockpit, open_page):
    (tmp_path / "mine.py").write_text(BROKEN)
    entry = "{model: quadcopter, position: [0, 0, 1], controller: {use: 'mine.py:Broken', rate_hz: 100}}"
    (tmp_path / "broken.yaml").write_text(f"start_paused: true\nvehicles: [{entry}]\n")
    cockpit = start_cockpit("fly", str(tmp_path / "broken.yaml"))
    with open_page(cockpit.url) as page:
        page.say("pause", paused=False)
        page.until(lambda: "no more ideas" in str(page.last("notice")["text"]))
        page.until(lambda: page.clock("paused") == 1.0 and page.clock("time") > 0.1)
        page.say("reset")
        page.until(lambda: page.clock("time") == 0.0)
        page.say("mode", mode="assisted")
        page.say("pause", paused=False)
        page.until(lambda: page.clock("time") > 0.5)
