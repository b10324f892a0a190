"""Every option that takes a number has bounds, and none takes NaN: no command begins with such a number."""

import math

import pytest
import typer

from cupola.cli.commands import app

ENDLESS = {("joystick", "--seconds")}
"""May be infinite: until Ctrl-C."""
NEEDED = {
    "autopilot": ["ardupilot", "hexacopter"],
    "compare": ["a.mcap", "b.mcap"],
    "identify": ["a.mcap", "--fit", "a.b"],
    "joystick": [],
    "linearize": ["plane_1wing", "--airspeed", "20"],
    "serve": ["a.py:A"],
    "trim": ["plane_1wing", "--airspeed", "20"],
    "tune": ["hover", "--measure", "m", "--gain", "a=0:1"],
}
"""Words without which a command only says what is missing; elsewhere the name of a file."""


def numbers_taken():
    """(command, option, whether it is a whole number), of commands within commands too."""
    rows = [([], typer.main.get_command(app))]
    while rows:
        before, command = rows.pop()
        rows += [([*before, name], inner) for name, inner in getattr(command, "commands", {}).items()]
        for one in command.params if before else ():
            told = str(vars(one)["type_descriptor"].annotation)
            if "float" in told or "int" in told:
                yield " ".join(before), one.opts[0], "int" in told


NUMBERS = sorted(numbers_taken())


def test_the_walk_finds_what_there_is():
    assert len(NUMBERS) > 40 and {("run", "--duration", False), ("sweep", "--processes", True)} <= set(NUMBERS)


@pytest.mark.parametrize(("command", "option", "whole"), NUMBERS, ids=lambda one: str(one).strip("-"))
def test_a_number_beyond_all_bounds_is_refused_by_its_option(command, option, whole, cupola):
    wrong = ["9" * 30] if whole else ["nan", *(["1e300", "-inf"] if (command, option) not in ENDLESS else [])]
    given = NEEDED.get(command, ["no_such_file"])
    for value in wrong:
        before = given[: given.index(option)] if option in given else given
        answer = cupola(*command.split(), *before, f"{option}={value}")
        assert answer.code == 2 and "bug in Cupola" not in answer.err, answer.err
        if value != "-inf":  # how short a time may be says the command itself, where it comes to it
            assert option in answer.err and "no_such_file" not in answer.err, answer.err


@pytest.mark.parametrize("command", ["trim", "linearize"])
@pytest.mark.parametrize("option", ["--airspeed", "--climb", "--altitude", "--turn"])
@pytest.mark.parametrize("value", ["1e-320", "-0.0", "1e300", "inf"])
def test_a_steady_flight_that_cannot_be_is_one_sentence(command, option, value, cupola):
    given = ["--airspeed", "20"] if option != "--airspeed" else []
    answer = cupola(command, "plane_1wing", *given, f"{option}={value}")
    assert answer.code in (0, 1, 2) and "bug in Cupola" not in answer.err, answer.err
    assert answer.code == 0 or len(answer.err.strip().splitlines()) < 4


@pytest.mark.parametrize("step", ["1e-320", "1e-300", "2", "1e300"])
def test_differences_that_round_away_are_refused(cupola, step):
    answer = cupola("linearize", "plane_1wing", "--airspeed", "20", "--forward", step)
    assert answer.code == 2 and " 1, got " in answer.err


@pytest.mark.parametrize("host", ["..", ".", "a" * 300, "\u202e", "a..b"])
@pytest.mark.parametrize("words", [("run", "hover", "--duration", "0.01", "--no-record", "--mavlink"),
                                   ("fly", "hover", "--duration", "0.01", "--no-browser", "--host")])  # fmt: skip
def test_an_address_that_none_can_have(cupola, words, host):
    pytest.importorskip("pymavlink")
    answer = cupola(*words, host)
    assert answer.code in (1, 2) and "bug in Cupola" not in answer.err, answer.err
    assert words[-1] in answer.err or "cannot listen on" in answer.err


@pytest.mark.parametrize("target", ["", ".", "..", "/", "folder"])
def test_a_folder_for_matrices_is_refused(cupola, tmp_path, target):
    (tmp_path / "folder").mkdir()
    answer = cupola("linearize", "plane_1wing", "--airspeed", "20", "--npz", target)
    written = [path.name for path in tmp_path.iterdir() if path.name != "folder"]
    assert "bug in Cupola" not in answer.err and (answer.code == 2) == (target != "folder")
    assert written == (["folder.npz"] if target == "folder" else [])


def test_a_run_without_end_is_refused_in_python():
    import cupola

    world = cupola.load("hover")
    for seconds in (1e308, 2e9, math.inf, math.nan, -1.0):
        with pytest.raises(cupola.InputError, match="duration"):
            world.run(seconds)
