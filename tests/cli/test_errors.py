"""Bad input is one message that names file, key and what is allowed; never a traceback."""

from pathlib import Path

import pytest

from cupola.config.scenario import find_scenario
from cupola.schema.input_files import InputError

FLYING = "vehicles: [{model: quadcopter}]\n"


@pytest.fixture
def bee(cupola):
    """A vehicle that flies, to be spoilt."""
    assert cupola("new", "vehicle", "bee").code == 0

    def spoil(file: str, old: str, new: str) -> str:
        path = Path("bee", file)
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new), encoding="utf-8")
        return "bee/vehicle.yaml"

    return spoil


def fails(answer, code: int, *parts: str) -> None:
    """One message on stderr that holds all parts, nothing on stdout."""
    assert answer.code == code
    assert answer.out == ""
    said = [line for line in answer.err.splitlines() if not line.startswith("info: compiling ")]  # the first time
    assert said[0].startswith("error: ")
    assert "Traceback" not in answer.err
    assert [part for part in parts if part not in answer.err] == []


SCENARIOS = {
    "unknown key": (FLYING + "durration: 3", "bad.yaml:2:1", "durration", "'duration'", "physics_hz"),
    "wrong type": (FLYING + "duration: long", "bad.yaml:2:1", "duration", "number", "'long'"),
    "out of range": (FLYING + "gravity: -9.81", "bad.yaml:2:1", "gravity", "at least 0", "-9.81"),
    "unknown vehicle": ("vehicles: [{model: bird}]", "bad.yaml", "vehicles[0].model", "'bird'", "quadcopter"),
    "same name": ("vehicles: [{model: quadcopter}, {model: quadcopter}]", "bad.yaml", "vehicles[1]", "name"),
    "rate": (
        "vehicles: [{model: quadcopter, controller: {use: quadcopter_pd, rate_hz: 333}}]",
        "bad.yaml",
        "vehicles[0].controller.rate_hz",
        "333 Hz",
        "285.714 or 333.333",
    ),
    "unknown controller": (
        "vehicles: [{model: quadcopter, controller: {use: autopilot}}]",
        "bad.yaml",
        "vehicles[0].controller.use",
        "'autopilot'; the nearest: ardupilot",
        "file.py:Class",
    ),
    "controller like no other": (
        "vehicles: [{model: quadcopter, controller: {use: zzz}}]",
        "bad.yaml",
        "vehicles[0].controller.use",
        "'zzz'; known: ardupilot, avoider",
        "quadcopter_pd",
    ),
    "missing controller file": (
        "vehicles: [{model: quadcopter, controller: {use: 'my.py:Mine'}}]",
        "bad.yaml",
        "vehicles[0].controller.use",
        "my.py",
    ),
    "parameter out of range": (
        "vehicles: [{model: quadcopter, controller: {use: quadcopter_pd, parameters: {roll_kp: 5}}}]",
        "bad.yaml",
        "vehicles[0].controller.parameters",
        "between 0 and 1",
        "5",
    ),
    "not YAML": ("vehicles: [", "bad.yaml:1:12", "YAML"),
}


@pytest.mark.parametrize("problem", SCENARIOS)
@pytest.mark.parametrize("command", ["check", "run"])
def test_a_bad_scenario(cupola, command, problem):
    text, *parts = SCENARIOS[problem]
    Path("bad.yaml").write_text(text, encoding="utf-8")
    fails(cupola(command, "bad.yaml"), 2, *parts)
    assert not Path("out").exists()


VEHICLES = {
    "unknown body": ("vehicle.yaml", "root: base", "root: basse", "bee/vehicle.yaml: root", "'basse'", "base"),
    "unknown site": ("vehicle.yaml", "site: centre", "site: middle", "parts.imu", "'middle'", "centre, front_right"),
    "unknown kind": ("vehicle.yaml", "kind: imu", "kind: gps", "bee/vehicle.yaml:", "parts.imu.kind", "'gps'", "truth"),
    "missing key": ("vehicle.yaml", "channel: 4, ", "", "bee/vehicle.yaml:", "parts.front_right.channel", "missing"),
    "missing model": ("vehicle.yaml", "mjcf: model.xml", "mjcf: bee.xml", "bee/vehicle.yaml: mjcf", "model.xml"),
    "missing part file": ("vehicle.yaml", "kind: imu", "kind: my.py:Drag", "parts.imu.kind", "bee/my.py"),
    "rate": ("vehicle.yaml", "rate_hz: 400", "rate_hz: 370", "bee/vehicle.yaml: controller.rate_hz", "333.333 or 400"),
    "negative mass": ("model.xml", 'mass="0.4"', 'mass="-0.4"', "bee/model.xml", "negative", "'hull'", "line 15"),
    "broken model": ("model.xml", "<freejoint/>", "<freejont/>", "bee/model.xml", "freejont", "line 14"),
}


@pytest.mark.parametrize("problem", VEHICLES)
def test_a_bad_vehicle(cupola, bee, problem):
    file, old, new, *parts = VEHICLES[problem]
    fails(cupola("check", bee(file, old, new)), 2, *parts)


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["rnu"], ["'rnu'", "'run'"]),
        (["run", "--duraton", "3"], ["--duraton", "--duration"]),
        (["run", "--seed", "x"], ["--seed", "integer"]),
        (["run", "--duration", "0"], ["--duration", "0.0005 s"]),
        (["run", "--duration", "nan"], ["--duration", "nan"]),
        (["run", "--speed", "fast"], ["--speed", "max", "'fast'"]),
        (["run", "--param", "hover"], ["--param hover", "NAME=VALUE"]),
        (["run", "--param", "hover=2"], ["hover", "between 0.05 and 0.95"]),
        (["run", "--param", "hoover=2"], ["hoover", "quadcopter.hover"]),
        (["run", "--controller", "bird=a.py:A"], ["'bird'", "quadcopter"]),
        (["run", "--plot", "--no-record"], ["--plot", "--no-record"]),
        (["run", "nowhere.yaml"], ["nowhere.yaml", "no such file"]),
        (["run", "nothing"], ["'nothing'", "square", "quadcopter"]),
        (["check"], ["cupola check FILE"]),
        (["check", "--schema", "robot"], ["--schema", "'scenario'", "'vehicle'"]),
        (["plot", "nothing.mcap"], ["nothing.mcap"]),
        (["new"], ["cupola new vehicle NAME"]),
        (["new", "vehicle", "2fast"], ["'2fast'", "letter"]),
        (["reproduce", "everything"], ["'everything'", "last_letter"]),
    ],
)
def test_bad_words(cupola, words, parts):
    fails(cupola(*words), 2, *parts)


def test_a_controller_for_one_of_two_vehicles_is_told_which(cupola):
    Path("two.yaml").write_text("vehicles: [{model: quadcopter, name: a}, {model: quadcopter, name: b}]")
    fails(cupola("run", "two.yaml", "--controller", "quadcopter_pd"), 2, "a=quadcopter_pd", "a, b")


OWN = """
from cupola import Controller

class Mine(Controller):
    def step(self, obs, ref):
        return self.command(obs.time)

    def command(self, time):
        {line}
"""


def fly(cupola, line: str, *words: str):
    Path("mine.py").write_text(OWN.format(line=line), encoding="utf-8")
    return cupola("run", "quadcopter", "--duration", "1", "--controller", "mine.py:Mine", *words)


def test_an_error_in_my_controller_shows_my_line_and_keeps_the_recording(cupola):
    from cupola.record import Recording

    answer = fly(cupola, "return [1 / (time - 0.5)] * 4")
    assert answer.code == 1
    assert "error: mine.py:9: in command: ZeroDivisionError: float division by zero" in answer.err
    assert "return [1 / (time - 0.5)] * 4" in answer.err
    assert "Traceback" not in answer.err
    recording = Recording("out/quadcopter.mcap")
    assert recording.is_complete
    assert recording.table("/quadcopter/odometry")["time"][-1] == pytest.approx(0.5)


def test_debug_shows_the_whole_way(cupola):
    Path("mine.py").write_text(OWN.format(line="return [1 / 0]"), encoding="utf-8")
    from cupola.cli import main

    with pytest.raises(ZeroDivisionError):
        main(["run", "quadcopter", "--no-record", "--controller", "mine.py:Mine", "--debug"])


def test_a_command_that_is_not_a_number_stops_the_run(cupola):
    answer = fly(cupola, "return [float('nan')]")
    assert answer.code == 1
    assert "Mine" in answer.err
    assert "NaN" in answer.err
    assert list(Path("out").glob("quadcopter_stopped_at_*.npz"))


def test_a_controller_that_cannot_be_imported_shows_its_line(cupola):
    Path("mine.py").write_text("import nothing_of_this_name\n")
    answer = cupola("run", "--controller", "mine.py:Mine")
    fails(answer, 2, "mine.py:1: ModuleNotFoundError", "nothing_of_this_name")


def test_a_recording_that_cannot_be_written_fails(cupola):
    Path("out").write_text("in the way")
    answer = cupola("run", "--duration", "1")
    assert answer.code == 1
    assert "cannot record into out/square.mcap" in answer.err


def test_without_opengl_a_recorded_camera_is_refused_before_the_flight(cupola, monkeypatch):
    monkeypatch.delenv("MUJOCO_GL", raising=False)
    monkeypatch.setattr("cupola.sim.rendering.LIBRARIES", {"egl": "libNoSuchThing.so.1"})
    fails(
        cupola("run", "sensor_plane_camera"), 2, "apt-get install libegl1 libopengl0 libgl1-mesa-dri", "pictures: none"
    )
    assert not list(Path().rglob("*.mcap"))
    assert cupola("run", "sensor_plane_camera", "--no-record", "--duration", "0.1").code == 0


def test_export_fmu_without_a_scenario(cupola):
    """It answered that there is no recording `fmu`."""
    fails(cupola("export", "fmu"), 2, "export fmu: needs a scenario or vehicle", "cupola export fmu quadcopter")


@pytest.mark.parametrize(
    ("files", "said"), [((), "and no other .yaml file"), (("b.yaml", "a.yml"), "give one of its files: a.yml, b.yaml")]
)
def test_a_folder_without_a_vehicle_is_told_from_a_name_that_is_nowhere(tmp_path, files, said):
    for name in files:
        (tmp_path / name).write_text("vehicles: [{model: quadcopter}]\n")
    with pytest.raises(InputError, match=f"that folder has no vehicle.yaml, {said}$"):
        find_scenario(str(tmp_path))
