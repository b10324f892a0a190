"""The editor of the page: texts of the files that fly, errors at their lines, flying them, saving them, and code."""

import json
import re
import urllib.request
from typing import Any, cast

import pytest

from cupola.cli import target
from cupola.cockpit import messages as say
from cupola.cockpit.editing import SCENARIO
from cupola.cockpit.flight import Flight
from cupola.cockpit.link import Link
from cupola.cockpit.opening import Worlds
from cupola.config.scenario import Scenario, find_scenario
from cupola.config.vehicle import Vehicle
from cupola.schema.trust import Trust
from cupola.schema.yaml_files import InputError, parse
from cupola.sim.world import World, load

HOVER = "vehicles:\n  - model: quadcopter\n    position: [0, 0, 2]\n"
LAZY = "from cupola import Controller\nclass Mine(Controller):\n  def step(self, obs, ref):\n    return [{}] * 4\n"


class Line:
    """Keeps what would be said to pages."""

    def __init__(self):
        self.said: list[Any] = []
        self.answers: list[dict[str, Any]] = []

    def tell(self, message):
        self.said.append(message)

    def answer(self, number, content):
        self.answers.append(json.loads(content))


class Desk:
    """A flight whose texts are edited, without a server."""

    def __init__(self, folder, name, **options):
        def load_file(name):
            found = target.find(name)
            return World(found.scenario, found.folder, name=found.name, source=found.file, **options)

        self.line = Line()
        self.flight = Flight(load_file(name), cast(Link, self.line), folder / "out", [], load_file)
        self.worlds = Worlds(self.flight, cast(Link, self.line), started=name)

    def open(self, file=SCENARIO):
        self.worlds.edit(say.OpenText(file=file))
        return self.line.answers[-1]

    def fly(self, text, file=SCENARIO):
        """What is wrong, as (line, sentence)."""
        flown = self.worlds.edit(say.FlyText(file=file, version=7, text=text))
        answer = self.line.answers[-1]
        assert answer["version"] == 7 and (flown is self.flight) == (not answer["problems"])
        return [(one["line"], one["text"]) for one in answer["problems"]]

    def save(self, text, name, file=SCENARIO):
        self.worlds.edit(say.SaveText(file=file, version=1, name=name, text=text))
        return self.line.answers[-1]


@pytest.fixture(scope="module")
def shared_desk(tmp_path_factory):
    return Desk(tmp_path_factory.mktemp("desk"), "hover")


@pytest.fixture
def desk(shared_desk):
    """`hover`, as it ships."""
    if "changed here" in shared_desk.open()["note"]:
        shared_desk.worlds.open("hover")
    return shared_desk


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A scenario file of one's own that flies a vehicle folder beside it."""
    monkeypatch.chdir(tmp_path)
    from cupola.cli.creation import copy_of

    copy_of("quadcopter", "mine", tmp_path / "mine", True)
    (tmp_path / "own.yaml").write_text(HOVER.replace("model: quadcopter", "model: mine  # my own"))
    return Desk(tmp_path, "own.yaml")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (HOVER + "gravty: 9\n", 4, "did you mean 'gravity'?"),
        ("gravity: -1\n" + HOVER, 1, "must be at least 0"),
        (HOVER + "air:\n  wind:\n    speed: fast\n", 6, "expected a number"),
        (HOVER + "air: {wind: {speed: 200}}\n", 4, "must be at most 150"),
        (HOVER + "  bad: [1\n", 4, "not valid YAML"),
        ("duration: 5\nvehicles:\n  - name: a\n    model: quadcoptre\n", 4, "there is no vehicle 'quadcoptre'"),
        (HOVER + "    controller: {use: no_such_thing}\n", 4, "no_such_thing"),
        (HOVER + "    parts:\n      motor9: {on: 1}\n", 4, "there is no part 'motor9'"),
        ("", 1, "is empty"),
    ],
)
def test_what_is_wrong_stands_at_its_line_and_the_world_flies_on(desk, text, line, words):
    world = desk.flight.world
    problems = desk.fly(text)
    assert any(at == line and words in said for at, said in problems), problems
    assert desk.flight.world is world


def test_the_sentences_are_those_of_check(desk):
    text = "gravity: -1\nseed: 1.5\n" + HOVER + "gravty: 9\n"
    with pytest.raises(InputError) as error:
        parse(text, "hover", Scenario)
    told = re.findall(r"^hover:(\d+):\d+: (.*)$", str(error.value), re.MULTILINE)
    assert len(told) == 3
    assert desk.fly(text) == [(int(line), said) for line, said in told]


def test_an_edited_scenario_flies_and_its_file_stays(desk):
    sheet = desk.open()
    assert sheet["of"] == "scenario" and sheet["files"] == ["hover", "quadcopter"]
    assert parse(sheet["text"], "hover", Scenario).model_dump() == find_scenario("hover")[0].model_dump()
    text = sheet["text"] + "gravity: 3.7\n"
    assert desk.fly(text) == []
    assert desk.flight.world.scenario.gravity == 3.7
    desk.flight.step(20)
    again = desk.open()
    assert again["text"] == text and "changed here; not saved" in again["note"]
    assert find_scenario("hover")[0].gravity == 9.81
    desk.worlds.open("hover")
    assert "gravity" not in desk.open()["text"]


def test_an_edited_vehicle_flies_in_the_same_scenario(desk):
    sheet = desk.open(0)
    assert sheet["of"] == "vehicle" and sheet["text"].startswith("about:")
    text = sheet["text"].replace("k_motor: 80.0", "k_motor: 81.0")
    assert desk.fly(text, 0) == []

    def motor() -> Any:
        return desk.flight.world.instances[0].vehicle.parts["motor1"]

    assert motor().generic.k_motor == 81.0
    ((line, said),) = desk.fly(text.replace("k_motor: 81.0", "k_motor: fast", 1), 0)
    assert text.splitlines()[line - 1].startswith("  motor1:") and "expected a number, got text 'fast'" in said
    text = desk.open()["text"] + "gravity: 1.6\n"
    assert desk.fly(text) == []  # and the vehicle is still the edited one
    assert motor().generic.k_motor == 81.0


def test_a_saved_scenario_is_a_file_of_its_own_that_finds_its_vehicle(own, tmp_path):
    sheet = own.open()
    text = sheet["text"] + "gravity: 3.7  # Mars\n"
    for expected in ("red.yaml", "red-2.yaml"):
        answer = own.save(text, "red")
        assert answer["problems"] == [] and f"out/{expected}" in answer["done"]
        path = tmp_path / "out" / expected
        assert "# Mars" in path.read_text() and "# my own" in path.read_text()
        scenario, folder = find_scenario(str(path))
        assert scenario.gravity == 3.7
        World(scenario, folder, source=str(path))
    assert "gravity" not in (tmp_path / "own.yaml").read_text()


@pytest.mark.parametrize("name", ["quadcopter", "quadcopter_x"])
def test_a_saved_vehicle_has_all_its_files(tmp_path, monkeypatch, name):
    """Also those that it has from another one."""
    monkeypatch.chdir(tmp_path)
    desk = Desk(tmp_path, name)
    answer = desk.save(desk.open(0)["text"].replace("about:", "about: mine,", 1), "first", 0)
    assert answer["problems"] == []
    found = target.find(str(tmp_path / "out" / "first" / "vehicle.yaml"))
    assert Vehicle.load(tmp_path / "out" / "first").about.startswith("mine,")
    World(found.scenario, found.folder, source=found.file)


def test_what_cannot_be_read_is_not_saved(desk):
    answer = desk.save("gravity: none\n", "bad")
    assert len(answer["problems"]) == 2 and answer["done"] == ""
    assert not desk.flight.folder.exists()


@pytest.mark.parametrize(
    "word", ["/etc/passwd", "../secret.yaml", "a/../../b", "~/x", ".ssh/id", "C:\\x", "\\\\host\\x"]
)
def test_a_page_names_no_file_outside_of_the_folder(desk, word):
    for text in (
        f"vehicles: [{{model: {json.dumps(word)}}}]\n",
        HOVER + f"air: {{wind: {{field: {json.dumps(word)}}}}}\n",
        HOVER + f"    controller: {{use: {json.dumps(word + '.py:Mine')}}}\n",
    ):
        ((line, said),) = desk.fly(text)
        assert "is not beside this file" in said and line == 1


def test_what_the_file_named_before_may_stay(own, tmp_path):
    (tmp_path / "full.yaml").write_text(HOVER.replace("quadcopter", str(tmp_path / "mine")))
    own.worlds.open("full.yaml")
    assert own.fly(own.open()["text"] + "gravity: 3\n") == []


def test_code_that_a_text_names_is_not_run(own, tmp_path, monkeypatch):
    monkeypatch.setenv("CUPOLA_CONFIG", str(tmp_path / "nothing_trusted"))
    (tmp_path / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n" + LAZY.format(0))
    text = own.open()["text"] + "    controller: {use: evil.py:Mine}\n"
    own.worlds.edit(say.SaveText(file=SCENARIO, version=1, name="kept", text=text))
    ((_, said),) = own.fly(text)
    assert "code that you have not allowed" in said
    assert not (tmp_path / "ran").exists()


def test_a_world_of_python_is_changed_in_python(tmp_path):
    line = Line()
    world = World(Scenario.load("hover"), vehicles={"quadcopter": Vehicle.load("quadcopter")})
    worlds = Worlds(Flight(world, cast(Link, line), tmp_path, [], load), cast(Link, line))
    worlds.edit(say.OpenText(file=SCENARIO))
    assert "made in Python" in line.answers[-1]["problems"][0]["text"]


def test_a_controller_that_is_saved_flies_at_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("cupola.cockpit.saved_code.PERIOD", 0.0)
    (tmp_path / "mine.py").write_text(LAZY.format(0.25))
    (tmp_path / "own.yaml").write_text(HOVER + "    controller: {use: mine.py:Mine}\n")
    desk = Desk(tmp_path, "own.yaml", trust=Trust(named=[tmp_path / "mine.py"]))

    def asked_for():
        controller: Any = desk.flight.world.instances[0].runner.controller
        return controller.step(None, None)[0]

    assert desk.worlds.look() is None and asked_for() == 0.25
    (tmp_path / "mine.py").write_text(LAZY.format(0.125))
    assert desk.worlds.look() is desk.flight and asked_for() == 0.125
    assert "mine.py was saved" in desk.line.said[-2].text
    (tmp_path / "mine.py").write_text("class Mine(:\n")
    before = desk.flight.world
    with pytest.raises(InputError, match=r"mine\.py.*SyntaxError.*flies on without it"):
        desk.worlds.look()
    assert desk.worlds.look() is None  # told once
    assert desk.flight.world is before
    (tmp_path / "mine.py").write_text(LAZY.format(0.0625))
    assert desk.worlds.look() is desk.flight and asked_for() == 0.0625


def test_the_page_that_holds_the_sticks_edits_and_no_other(cockpit, open_page, page):
    page.say("open_text", file=-1)
    sheet = page.until(lambda: page.last("sheet")["text"] and page.last("sheet"))
    with open_page(cockpit.url) as other:
        before = other.next_frame() is not None and other.clock("refused")
        for message in ("open_text", "check_text", "fly_text", "save_text"):
            text = {} if message == "open_text" else {"version": 1, "text": sheet["text"]}
            other.say(message, file=-1, **text, **({"name": "theirs"} if message == "save_text" else {}))
        other.until(lambda: other.clock("refused") == before + 4)
        assert not any(one["kind"] in ("sheet", "checked") for one in other.texts)
    page.say("check_text", file=-1, version=1, text=sheet["text"] + "gravty: 1\n")
    checked = page.until(lambda: page.last("checked")["version"] == 1 and page.last("checked"))
    assert "gravty" in checked["problems"][0]["text"]
    page.say("save_text", file=-1, version=2, name="mine", text=sheet["text"] + "gravity: 8\n")
    page.until(lambda: page.last("checked")["version"] == 2)
    assert sorted(path.name for path in (cockpit.folder / "out").glob("*.yaml")) == ["mine.yaml"]
    page.say("pause", paused=True)
    page.until(lambda: page.clock("paused") == 1.0)
    page.say("fly_text", file=-1, version=3, text=sheet["text"] + "gravity: 8\n")
    page.until(lambda: page.last("checked")["version"] == 3, 60.0)
    assert page.last("checked")["problems"] == [] and page.hello["scenario"] == "hover"
    page.until(lambda: page.clock("time") > 0.05 and page.clock("paused") == 0.0)
    page.say("load", scenario="hover")
    page.until(lambda: page.last("notice")["text"] == "loading hover")


@pytest.mark.parametrize("of", ["scenario", "vehicle"])
def test_the_schema_of_the_page_is_that_of_check(cockpit, of):
    from cupola.schema.yaml_files import schema

    with urllib.request.urlopen(f"{cockpit.url}schema.json?of={of}") as answer:
        found = json.load(answer)
    assert "quadcopter_pd" in found["$defs"]["ControllerEntry"]["properties"]["use"].pop("examples")
    for key, entry in (("route", "ControllerEntry"), ("model", "VehicleEntry")):
        if entry in found["$defs"]:
            assert found["$defs"][entry]["properties"][key].pop("examples")
    assert found == json.loads(json.dumps(schema(Scenario if of == "scenario" else Vehicle)))
    with pytest.raises(urllib.error.HTTPError, match="400"):
        urllib.request.urlopen(f"{cockpit.url}schema.json?of=passwd")
