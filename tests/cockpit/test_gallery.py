"""The first page: what can be loaded, a world that waits for Go, modes that are locked."""

import json
import urllib.request
from typing import cast

import pytest
from typer.main import get_command

from cupola.cli.commands import app
from cupola.cockpit import messages as say
from cupola.cockpit.built_page import find_pictures
from cupola.cockpit.flight import Flight
from cupola.cockpit.gallery import gallery, wanted_pictures
from cupola.cockpit.link import Link
from cupola.config.scenario import shipped_scenarios
from cupola.config.vehicle import shipped_vehicles
from cupola.schema.yaml_files import InputError
from cupola.sim.world import load

SCENARIO = "vehicles:\n  - model: quadcopter\n"


def test_all_that_ships_is_there_with_its_picture_and_a_family(tmp_path):
    entries = {entry.name: entry for entry in gallery(tmp_path, tmp_path / "out").entries}
    assert set(entries) == {*shipped_scenarios(), *shipped_vehicles()}
    folder = find_pictures()
    assert folder is not None
    drawn = {path.name for path in folder.glob("*.png")}
    assert {name: entries[name].picture for name in shipped_scenarios()} == {
        name: f"{name}.png" for name in shipped_scenarios()
    }, "docs/images/gallery/draw.py draws them"
    assert all(entry.picture for entry in entries.values())
    assert {f"{name}.png" for name in wanted_pictures()} == drawn == {entry.picture for entry in entries.values()}
    assert {entries[name].group for name in shipped_scenarios()} <= {"flying", "driving", "space", "wings", "others"}
    assert all(entry.about for entry in entries.values())
    assert sum(path.stat().st_size for path in folder.glob("*.png")) < 600_000


def test_own_files_are_found_and_others_are_not(tmp_path):
    for path, text in {
        "mine.yaml": SCENARIO,
        "deep/other.yaml": SCENARIO,
        "plane9/vehicle.yaml": "parts: {}\n",
        "notes.yaml": "text: no scenario\n",
        ".hidden/secret.yaml": SCENARIO,
        "deep/deeper/far.yaml": SCENARIO,
        "flight.mcap": "",
        "out/hover-1.mcap": "",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    shipped = {*shipped_scenarios(), *shipped_vehicles()}
    found = {
        one.name: one.group for one in gallery(tmp_path, tmp_path / "out", "x.yaml").entries if one.name not in shipped
    }
    own = {"mine.yaml", "deep/other.yaml", "plane9/vehicle.yaml", "x.yaml"}
    assert found == {**dict.fromkeys(own, "your files"), "flight.mcap": "recordings", "out/hover-1.mcap": "recordings"}


def test_what_run_takes_fly_takes():
    """All but what is about the one recording and the summary of `run`."""
    commands = get_command(app).commands  # type: ignore[attr-defined]
    run, fly = ({one.name for one in commands[name].params} for name in ("run", "fly"))
    assert run - fly == {"no_record", "plot", "json"}


@pytest.fixture
def locked(tmp_path):
    class Line:
        def tell(self, message):
            pass

    return Flight(load("hover"), cast(Link, Line()), tmp_path, [], load, may_fly=["mission"])


def test_a_locked_mode_is_flown_from_the_start_and_no_page_changes_it(locked):
    assert locked.world.mode() == "mission" and locked.begin()[0].may_fly == ["mission"]
    for mode in ("raw", "assisted"):
        with pytest.raises(InputError, match="locked: this world may be flown in mission only"):
            locked.obey(say.Mode(mode=mode))
    with pytest.raises(InputError, match="locked"):
        locked.obey(say.Hand(keys=[]))
    locked.step(100)
    locked.obey(say.Reset())
    assert locked.world.mode() == "mission"


def test_a_world_is_chosen_waits_for_go_and_a_recording_is_shown_beside_it(start_cockpit, open_page, tmp_path):
    sticks = tmp_path / "sticks.csv"
    sticks.write_text("time,roll\n0,0.5\n")
    options = ("--start-paused", "--record", "--modes", "assisted,mission", "--sticks", str(sticks))
    cockpit = start_cockpit("fly", *options)
    with open_page(cockpit.url) as page:
        assert page.hello["gallery"] and page.hello["may_fly"] == ["assisted", "mission"]
        page.until(lambda: page.last("changed")["conditions"])
        assert page.last("changed")["conditions"][0]["name"] == "waiting"
        assert page.clock("tick") == 0.0 or page.next_frame()[2] == 0.0
        page.say("pause", paused=False)
        page.until(lambda: page.clock("time") > 0.1)
        assert page.section("sticks")[0, 0] == 0.5  # the file's, as with `run`
        page.until(lambda: page.last("changed")["conditions"][0]["name"] == "moving")
        page.say("load", scenario="../hover.yaml")
        page.until(
            lambda: (
                "there is no scenario, vehicle or recording '../hover.yaml' to load"
                in (page.last("notice")["text"] or "")
            )
        )
        page.say("load", scenario="crazyflie_hover")
        page.until(lambda: page.hello["scenario"] == "crazyflie_hover", 60.0)
        page.until(lambda: page.clock("paused") == 1.0 and page.clock("tick") == 0.0)  # it waits, too
        with urllib.request.urlopen(f"{cockpit.url}gallery.json") as answer:
            entries = json.load(answer)["entries"]
        (recording,) = [entry["name"] for entry in entries if entry["group"] == "recordings"]
        assert recording == "out/hover-1.mcap"
        with urllib.request.urlopen(f"{cockpit.url}gallery/hover.png") as answer:
            assert answer.read(4) == b"\x89PNG"
        page.say("load", scenario=recording)
        page.until(lambda: page.hello["replay"] is not None, 60.0)
        page.until(lambda: page.clock("time") > 0.05 and page.clock("paused") == 0.0)
        page.say("load", scenario="hover")
        page.until(lambda: page.hello["scenario"] == "hover" and page.hello["replay"] is None, 60.0)
