"""A short pass of `make soak`."""

import ast
import re
from pathlib import Path

import pytest

import cupola

from .commands import AS_PLOT, SILENT, WRITING, all_commands, check
from .days import FLIGHTS, MOST_GROWN, Line, Logbook, fly, soak
from .soak import is_fine, told


@pytest.mark.parametrize("vehicle", FLIGHTS)
def test_a_run_in_pieces_is_the_run_in_one_go(vehicle, tmp_path):
    """Two pieces, from what the flight left on the disk; of one vehicle, in a process of its own."""
    book = Logbook(tmp_path, 2.0)
    if vehicle == "quadcopter":
        soak(book, vehicle, 3, pieces=2, workers=2)
        line = told(book, vehicle)
        assert line["hash_whole"] == line["hash_pieces"] and line["steps"] == 12_000 and line["goes"] == 1
        assert min(line["memory_mb"][when] for when in ("start", "first_hour", "end")) > 10
    else:
        fly(book, vehicle, 1, 3, "flight")
        fly(book, vehicle, 3, 3, "piece")
    found = book.endured(vehicle)
    assert found.flown == 3 and found.again in (1, 2) and not found.differ
    assert found.grown < MOST_GROWN


def test_a_soak_that_was_broken_off_goes_on(tmp_path):
    book = Logbook(tmp_path, 0.5)
    fly(book, "quadcopter", 1, 1, "flight")
    with (tmp_path / "lines.csv").open("a") as file:
        file.write("flight,quadcopter,2,abc")  # no more was written
    assert book.endured("quadcopter").flown == 1
    fly(book, "quadcopter", 2, 2, "flight")
    whole = Logbook(tmp_path / "whole", 0.5)
    fly(whole, "quadcopter", 1, 2, "flight")
    found = book.endured("quadcopter")
    assert (found.flown, found.processes, found.state) == (2, 2, whole.endured("quadcopter").state)


def test_the_judge_finds_other_bits_and_memory_that_grows(tmp_path):
    book = Logbook(tmp_path, 0.5)
    for block, state, held in ((1, "a", 100.0), (2, "b", 100.0), (3, "c", 125.0)):
        book.write(Line("flight", "robird", block, state, held, 1, 1.0, 1.0))
    book.write(Line("piece", "robird", 2, "b", 100.0, 2, 1.0))
    found = book.endured("robird")
    assert not found.differ and found.grown == 25.0 and not is_fine(book, "robird")
    book.write(Line("piece", "robird", 3, "x", 100.0, 3, 1.0))
    assert book.endured("robird").differ == [3]
    book.write(Line("begin", "robird", 0, "", 90.0, 1, 0.0))
    line = told(book, "robird")
    assert line["result"] == "FAIL" and line["hash_whole"] != line["hash_pieces"]


def test_each_command_that_exists_is_killed_or_writes_nothing():
    """A new command must be put into one of the tables."""
    written = {row.command for row in WRITING.values()}
    assert not written & {*SILENT, *AS_PLOT}
    assert written | {*SILENT, *AS_PLOT} == all_commands()


def test_the_judge_finds_half_a_file(tmp_path):
    (tmp_path / "whole.json").write_text("[1, 2]")
    assert check(tmp_path) == 1
    halves = {"a.json": b"[1,", "b.xml": b"<a><b/>", "c.png": b"\x89PNG..", "d.mcap": b"", "e.odd": b""}
    for name, half in halves.items():
        (tmp_path / name).write_bytes(half)
        with pytest.raises(AssertionError, match=name):
            check(tmp_path)
        (tmp_path / name).unlink()


WRITERS = {
    "write_text", "write_bytes", "savefig", "savez", "savez_compressed", "savetxt", "copyfile", "copytree",
    "write_table", "to_parquet", "to_csv", "tofile", "imsave",
}  # fmt: skip
SAFE = {"new.file", "picture", "open(new.file.fileno()"}
"""A file that gets its name when it is whole, or memory."""
IN_NEW_FOLDERS = {
    "bridge/avl/vehicle.py", "bridge/dave_ml/vehicle.py", "bridge/jsbsim/aircraft.py", "bridge/last_letter/folder.py",
    "bridge/mjcf/folder.py", "bridge/plane_pilot.py", "bridge/report.py", "bridge/ros1/packages.py",
    "bridge/sdf/empty_world.py", "bridge/sdf/folder.py", "bridge/sdf/meshes.py", "cli/creation.py",
    "cockpit/editing.py",
}  # fmt: skip
"""Modules that write inside `new_folder`, which gets its name when all is there."""
PASSING = {
    "bench/external.py", "bench/flights.py", "bench/peers/crazyflow_flight.py", "bench/sensing.py",
    "bench/wing_theories.py", "bridge/fmi/export.py", "cockpit/packing.py", "cockpit/uploads.py",
    "reproduce/morphing/coupling.py", "reproduce/nanobench/peers.py", "reproduce/scene.py", "reproduce/tumbling.py",
}  # fmt: skip
"""Modules that write into a temporary folder, which nobody keeps."""
OTHERS = {
    "cockpit/typescript.py": "a tool of developers",
    "kernel/jit.py": "under a passing name, then renamed",
    "kernel/turns.py": "a lock, which is empty",
}


def test_nothing_else_writes_files_that_could_be_half():
    package = Path(cupola.__file__).parent
    found = set()
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _writes(node) and not any(word in ast.unparse(node) for word in SAFE):
                found.add(path.relative_to(package).as_posix())
    assert found - {"record/world_recorder.py", "bridge/viewers/recorded.py"} == {*IN_NEW_FOLDERS, *PASSING, *OTHERS}


def _writes(call):
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    modes = [one.value for one in (*call.args, *(k.value for k in call.keywords)) if isinstance(one, ast.Constant)]
    return name in WRITERS or (name in ("open", "ZipFile") and any(re.fullmatch("[wxa][bt+]*", str(m)) for m in modes))
