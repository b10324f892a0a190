"""What is written never takes the place of something else, and is whole or absent."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from cupola.record import Recorder, Recording, RecordingError, Stream
from cupola.schema.whole_files import NewFile, is_being_written, whole_file, whole_path, write_whole

STREAM = Stream("/x", "cupola_msgs/msg/Rotor", ("thrust", "omega"))
ODD = ["hover", "hover[1]", "a*b", "a?", "spaces in it", "über", "-dash", ".hidden", "two.dots"]


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("stem", ODD)
def test_the_next_free_name_whatever_the_letters(tmp_path, stem):
    got = [write_whole(tmp_path / f"{stem}.yaml", f"{k}".encode(), numbered=True) for k in range(3)]
    assert [path.read_text() for path in got] == ["0", "1", "2"]
    assert names(tmp_path) == sorted([f"{stem}.yaml", f"{stem}-2.yaml", f"{stem}-3.yaml"])


@pytest.mark.parametrize("unnamed", [True, False])
@pytest.mark.parametrize("letter", ["x", "ü", "日", "\udcff"])
def test_the_longest_names_that_the_disk_takes(tmp_path, monkeypatch, unnamed, letter):
    """The hidden name under which a file is made must fit, too."""
    if not unnamed:
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    path = tmp_path / (letter * (250 // len(os.fsencode(letter))) + ".txt")
    for text in (b"old", b"new"):
        assert write_whole(path, text).read_bytes() == text
    with whole_path(path) as hidden:
        assert hidden.suffix == ".txt" and hidden.name.startswith(".")
        hidden.write_bytes(b"by name")
    assert path.read_bytes() == b"by name" and list(tmp_path.iterdir()) == [path]


def test_a_gap_in_the_numbers_is_filled_and_a_first_number_counts_on(tmp_path):
    for name in ("a-1.yaml", "a-3.yaml"):
        (tmp_path / name).write_text("old")
    assert [write_whole(tmp_path / "a-1.yaml", b"", numbered=True).name for _ in range(2)] == ["a-2.yaml", "a-4.yaml"]


@pytest.mark.parametrize("unnamed", [True, False])
def test_many_writers_at_once_get_a_name_each(tmp_path, monkeypatch, unnamed):
    if not unnamed:  # as on a file system that knows no files without a name
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    barrier, got = threading.Barrier(16), []

    def write(k):
        barrier.wait()
        got.append((k, write_whole(tmp_path / "run.txt", str(k).encode(), numbered=True)))

    threads = [threading.Thread(target=write, args=(k,)) for k in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(int(path.read_text()) for _, path in got) == list(range(16))
    assert all(path.read_text() == str(k) for k, path in got)
    assert len(names(tmp_path)) == 16


@pytest.mark.parametrize("unnamed", [True, False])
def test_a_file_that_was_not_finished_is_absent_and_the_old_one_stays(tmp_path, monkeypatch, unnamed):
    if not unnamed:
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    (tmp_path / "a.txt").write_text("old")
    with pytest.raises(ZeroDivisionError), whole_file(tmp_path / "a.txt") as new:
        new.file.write(b"half")
        raise ZeroDivisionError
    assert (tmp_path / "a.txt").read_text() == "old" and names(tmp_path) == ["a.txt"]
    assert write_whole(tmp_path / "a.txt", b"new").read_text() == "new" and names(tmp_path) == ["a.txt"]


def test_a_file_system_without_links_still_gives_each_a_name(tmp_path, monkeypatch):
    def no_links(*_, **__):
        raise OSError(1, "Operation not permitted")

    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    monkeypatch.setattr(os, "link", no_links)
    got = [write_whole(tmp_path / "a.txt", str(k).encode(), numbered=True) for k in range(3)]
    assert [path.read_text() for path in got] == ["0", "1", "2"] and len(names(tmp_path)) == 3


def test_a_recording_that_another_program_writes_is_not_replaced(tmp_path):
    path = tmp_path / "a.mcap"
    with Recorder(path, [STREAM], metadata={}):
        assert is_being_written(path)
        assert Recording(path).interrupted == "it is still being written"
        with pytest.raises(RecordingError, match="another program is writing it"):
            Recorder(path, [STREAM], metadata={})
        with Recorder(path, [STREAM], metadata={}, numbered=True) as second:
            assert second.path == tmp_path / "a-2.mcap"
    assert not is_being_written(path)
    with Recorder(path, [STREAM], metadata={"seed": "2"}):  # it is finished: who names it means it
        pass
    assert Recording(path).metadata == {"seed": "2"} and names(tmp_path) == ["a-2.mcap", "a.mcap"]


def test_a_recording_without_its_head_has_no_name(tmp_path):
    new = NewFile(tmp_path / "a.mcap", numbered=True)
    new.file.write(b"\x89MCAP")
    assert names(tmp_path) == []
    new.discard()


def test_two_runs_into_one_folder_are_two_recordings(start, tmp_path):
    runs = [start("run", "hover", "--duration", "0.2", "--json") for _ in range(2)]
    said = [process.communicate(timeout=300) for process in runs]
    assert [process.returncode for process in runs] == [0, 0], said
    files = {re.search(r'"file": "([^"]+)"', out)[1] for out, _ in said}
    assert files == {"out/hover.mcap", "out/hover-2.mcap"}
    for file in files:
        recording = Recording(tmp_path / file)
        assert recording.is_complete and recording.table("/quadcopter/odometry")["time"][-1] == pytest.approx(0.2)


WRITERS = {
    "recording": """
from cupola.record import Recorder, Stream
import numpy as np, itertools
print("begun", flush=True)
for k in itertools.count():
    stream = Stream("/x", "cupola_msgs/msg/Rotor", ("thrust", "omega"))
    with Recorder("x/run.mcap", [stream], metadata={}, numbered=True) as r:
        for i in range(20):
            stamps = np.arange(100 * i, 100 * i + 100)
            r.write("/x", stamps, stamps, np.column_stack([stamps, -stamps]))
""",
    "files": """
import itertools, numpy as np
from pathlib import Path
from cupola.schema.whole_files import whole_file
print("begun", flush=True)
for k in itertools.count():
    with whole_file(Path(f"x/{k % 5}.npz")) as new:
        np.savez(new.file, a=np.full(20000, k))
""",
}


@pytest.mark.parametrize("kind", WRITERS)
def test_killed_at_any_moment_every_file_is_whole_or_absent(tmp_path, kind):
    """`make soak` does the same a thousand times, for each command that writes."""
    import numpy as np

    for k in range(4):
        folder = tmp_path / str(k)
        folder.mkdir()
        with subprocess.Popen([sys.executable, "-c", WRITERS[kind]], cwd=folder, stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            time.sleep(0.007 * (k + 1))
            process.send_signal(signal.SIGKILL)
        for path in folder.rglob("*.*"):
            if kind == "recording":
                table = Recording(path).table("/x")
                np.testing.assert_array_equal(table["thrust"], np.arange(len(table["time"])))
            else:
                assert len(np.load(path)["a"]) == 20000


@pytest.mark.parametrize(
    "words",
    [
        ("plot", "a.mcap", "--out", "file/in/the/way"),
        ("plot", "a.mcap", "--csv", "file/in/the/way"),
        ("run", "hover", "--duration", "0.1", "--out", "file/in/the/way"),
        ("new", "controller", "mine", "--dir", "file/in/the/way"),
        ("linearize", "plane_1wing", "--airspeed", "20", "--npz", "file/in/the/way.npz"),
    ],
)
def test_a_target_that_cannot_be_written_is_one_sentence(cupola, words):
    Path("file").write_text("")
    with Recorder("a.mcap", [STREAM], metadata={}) as recorder:
        recorder.write("/x", [0], [0], [[1.0, 2.0]])
    answer = cupola(*words)
    assert answer.code in (1, 2)
    (line,) = [line for line in answer.err.splitlines() if line.startswith("error: ")]
    assert "file" in line and "Not a directory" in line and "bug in Cupola" not in answer.err


def test_without_shared_memory_the_page_says_so(monkeypatch, tmp_path):
    from cupola import InputError
    from cupola.cockpit import wires

    def read_only(*_, **__):
        raise PermissionError(13, "Permission denied", "/psm_1")

    monkeypatch.setattr(wires, "SharedMemory", read_only)
    with pytest.raises(InputError, match=r"needs shared memory, .*Permission denied; `cupola run` does"):
        wires.Frames(3)
