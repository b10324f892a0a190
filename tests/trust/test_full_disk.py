"""Disks without room: what has its name is whole, and the sentence says which file lacks it."""

import errno
import importlib
import os
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from PIL import Image

from cupola.bridge.new_folder import new_folder
from cupola.record import Recorder
from cupola.schema.whole_files import OF_DISKS, whole_file, whole_path, write_whole

from ..soak.commands import check
from .test_compile_cache import made
from .test_output_files import STREAM

PAGE = 4096


@pytest.fixture
def disk(tmp_path):
    """A real file system of a few pages, where one may be mounted."""
    folder = tmp_path / "disk"
    folder.mkdir()

    def of(pages):
        mount = ["mount", "-t", "tmpfs", "-o", f"size={PAGE * pages}", "cupola-full", str(folder)]
        if not sys.platform.startswith("linux") or subprocess.run(mount, capture_output=True, check=False).returncode:
            pytest.skip("nothing may be mounted here")
        return folder

    yield of
    subprocess.run(["umount", str(folder)], capture_output=True, check=False)


@pytest.mark.parametrize("number", OF_DISKS)
@pytest.mark.parametrize("way", [whole_file, whole_path, new_folder])
def test_a_disk_that_fails_is_told_with_the_name_of_the_file(tmp_path, way, number):
    with pytest.raises(OSError, match=os.strerror(number)) as found, way(tmp_path / "wanted"):
        raise OSError(number, os.strerror(number))
    assert found.value.filename == str(tmp_path / "wanted") and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("way", [whole_file, whole_path, new_folder])
def test_other_errors_keep_their_names(tmp_path, way):
    with pytest.raises(FileNotFoundError) as found, way(tmp_path / "wanted"):
        (tmp_path / "another").read_bytes()
    assert found.value.filename == str(tmp_path / "another")


@pytest.mark.parametrize("pages", [1, 3])
@pytest.mark.parametrize(
    "words",
    [
        ("new", "notebook", "mine"),
        ("new", "vehicle", "mine", "--like", "velma_base"),
        ("new", "examples"),
        ("export", "{flight}", "--format", "csv", "--out", "tables"),
        ("plot", "{flight}", "--csv", "tables", "--out", "plots"),
        ("share", "{flight}", "-o", "flight.html"),
        ("import", "{model}", "--out", "made"),
    ],
    ids=lambda words: "_".join(words[:2]).strip("{}"),
)
def test_what_a_command_leaves_on_a_disk_of_a_few_pages_is_whole(pages, words, tmp_path, disk, cupola, monkeypatch):
    flight, model = tmp_path / "flight.mcap", tmp_path / "model.xml"
    with Recorder(flight, [STREAM], metadata={}) as recorder:
        recorder.write("/x", [*range(2000)], [*range(2000)], [[1.0, 2.0]] * 2000)
    model.write_text("<mujoco><worldbody><body name='base'><freejoint/><geom size='0.1'/></body></worldbody></mujoco>")
    folder = disk(pages)
    monkeypatch.chdir(folder)
    answer = cupola(*(word.format(flight=flight, model=model) for word in words))
    check(folder)
    assert "Traceback" not in answer.err and "bug in Cupola" not in answer.err
    if answer.code:
        (line,) = [line for line in answer.err.splitlines() if line.startswith("error: ")]
        assert answer.code in (1, 2) and ("No space left on device" in line or words[0] == "share"), line
        assert len(line) > len("error: No space left on device"), "of which file?"


def _zip(file):
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a", bytes(40_000))


def _parquet(file):
    arrow = pytest.importorskip("pyarrow")
    importlib.import_module("pyarrow.parquet").write_table(
        arrow.table({"a": np.random.default_rng(1).random(5000)}), file
    )


def _picture(file):
    Image.fromarray(np.random.default_rng(1).integers(0, 255, (200, 200, 3), np.uint8)).save(file, format="PNG")


WRITERS = {
    "bytes": lambda file: file.write(bytes(40_000)),
    "numbers": lambda file: file.write(np.ones(5000)),
    "arrays": lambda file: np.savez(file, a=np.ones(5000)),
    "zip": _zip,
    "parquet": _parquet,
    "picture": _picture,
}


@pytest.mark.skipif(sys.platform == "win32", reason="no such limits there")
@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("limit", [0, 1, 10_000, 30_001])
def test_a_write_that_stops_half_way_is_an_error_whoever_writes(tmp_path, name, limit):
    """The system writes what fits and only gives the number, at which most libraries do not look."""
    resource = importlib.import_module("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        with pytest.raises(OSError) as found, whole_file(tmp_path / "a") as new:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
            WRITERS[name](new.file)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert found.value.errno == errno.EFBIG and list(tmp_path.iterdir()) == []


def test_compiled_code_on_a_full_disk_is_compiled_again_and_nothing_is_left_half(disk):
    for pages in (1, 2, 3, 4, 6):
        folder = disk(pages)
        try:
            assert made(folder) == "compiled"
            assert made(folder) in ("compiled", "loaded")
            assert not list(folder.rglob("*.tmp.*"))
        finally:
            subprocess.run(["umount", str(folder)], check=True)


def test_a_write_that_is_cut_leaves_the_file_of_before(disk):
    folder = disk(3)
    write_whole(folder / "a", b"old")
    with pytest.raises(OSError, match="No space") as found:
        write_whole(folder / "a", bytes(9 * PAGE))
    assert found.value.errno == errno.ENOSPC and found.value.filename == str(folder / "a")
    assert (folder / "a").read_bytes() == b"old" and [one.name for one in folder.iterdir()] == ["a"]


def test_a_new_folder_may_have_the_longest_name_that_the_disk_takes(tmp_path):
    for name in ("n" * 255, "é" * 127):
        with new_folder(tmp_path / name) as passing:
            (passing / "a").touch()
        assert (tmp_path / name / "a").is_file()
