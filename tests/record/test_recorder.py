"""The Recorder under stress: kills, full disks, slow disks and wrong calls."""

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from cupola.record import Recorder, Recording, RecordingError, Stream

from .conftest import STREAMS, random_rows

IMU, ODOMETRY = STREAMS[:2]

WRITE_FOREVER = """
import itertools, sys
import numpy as np
from cupola.record import Recorder, Stream
stream = Stream("/x", "cupola_msgs/msg/Rotor", ("thrust", "omega"))
recorder = Recorder(sys.argv[1], [stream], metadata={"seed": "5"}, attachments={"scenario.yaml": "a: 1"})
for i in itertools.count():
    stamps = np.arange(100 * i, 100 * i + 100)
    recorder.write("/x", stamps, stamps, np.column_stack([stamps, -stamps]))
"""

FILL_THE_DISK = """
import itertools, logging, resource, sys
import numpy as np
import cupola.record.recorder as recorder_module
from cupola.record import Recorder, RecordingError, Stream
recorder_module.LIMIT = recorder_module.CHUNK  # several chunks, each well below the larger room
logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(message)s")
stream = Stream("/x", "cupola_msgs/msg/Rotor", ("thrust", "omega"))
room = int(sys.argv[3])
recorder = Recorder(sys.argv[1], [stream], metadata={"seed": "5"}, if_full=sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
try:
    for i in range(2000):
        stamps = np.arange(100 * i, 100 * i + 100) * 1_000_000
        recorder.write("/x", stamps, stamps, np.random.default_rng(i).normal(size=(100, 2)))
    recorder.close()
    print("simulated to the end")
except RecordingError as error:
    print("stopped:", error)
    recorder.close()
"""


def test_a_killed_recording_is_readable(tmp_path: Path) -> None:
    path = tmp_path / "killed.mcap"
    process = subprocess.Popen([sys.executable, "-c", WRITE_FOREVER, str(path)])
    try:
        wait_until(lambda: path.exists() and path.stat().st_size > 3_000_000)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    recording = Recording(path)
    table = recording.table("/x")
    n = len(table["time"])
    assert not recording.is_complete
    assert n > 10_000
    np.testing.assert_array_equal(table["thrust"], np.arange(n))
    np.testing.assert_array_equal(table["omega"], -np.arange(n))
    assert recording.metadata == {"seed": "5"}
    assert recording.attachments == {"scenario.yaml": "a: 1"}


def test_a_file_cut_anywhere_gives_its_whole_chunks(recorded: tuple[Path, object], tmp_path: Path) -> None:
    whole = recorded[0].read_bytes()
    full = Recording(recorded[0]).table("/quadcopter/imu")
    lengths = []
    for cut in np.linspace(8, len(whole) - 1, 150).astype(int):
        (tmp_path / "cut.mcap").write_bytes(whole[:cut])
        recording = Recording(tmp_path / "cut.mcap")
        if "/quadcopter/imu" not in recording.topics:
            lengths.append(0)
            continue
        table = recording.table("/quadcopter/imu")
        n = len(table["time"])
        for column, values in table.items():
            np.testing.assert_array_equal(values, full[column][:n])
        lengths.append(n)
    assert lengths == sorted(lengths)
    assert lengths[0] == 0 and lengths[-1] == 500 and len(set(lengths)) > 3


def test_data_reach_the_file_within_about_a_second(tmp_path: Path) -> None:
    path = tmp_path / "slow.mcap"
    stamps, available, rows = random_rows(IMU, 10)
    with Recorder(path, [IMU], metadata={}) as recorder:
        recorder.write(IMU.topic, stamps, available, rows)
        wait_until(lambda: len(Recording(path).table(IMU.topic)["time"]) == 10, seconds=10)


@pytest.mark.parametrize("room", [150_000, 2_500_000])
@pytest.mark.parametrize("if_full", ["stop", "continue"])
def test_a_full_disk_ends_the_recording_not_the_data(tmp_path: Path, if_full: str, room: int) -> None:
    path = tmp_path / "full.mcap"
    command = [sys.executable, "-c", FILL_THE_DISK, str(path), if_full, str(room)]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100).stdout
    if if_full == "stop":
        assert said.startswith(f"stopped: recording {path} ended at ")
        assert "File too large" in said and said.count("\n") == 1
    else:
        assert said.startswith(f"WARNING recording {path} ended at ")
        assert said.endswith("simulated to the end\n") and said.count("\n") == 2
    table = Recording(path).table("/x")
    n = len(table["time"])
    if room == 150_000:  # less than one chunk: the summary fits because the torn chunk was taken back
        assert n == 0
        assert Recording(path).is_complete
    else:
        assert 10_000 < n < 200_000
        rows = np.concatenate([np.random.default_rng(i).normal(size=(100, 2)) for i in range(n // 100)])
        np.testing.assert_array_equal(np.column_stack([table["thrust"], table["omega"]]), rows)


def test_a_disk_full_from_the_start(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(RecordingError, match=r"recording /dev/full ended at 0\.000 s.*No space left"):
        Recorder("/dev/full", [IMU], metadata={})
    with caplog.at_level(logging.WARNING), Recorder("/dev/full", [IMU], metadata={}, if_full="continue") as recorder:
        for _ in range(3):
            recorder.write(IMU.topic, *random_rows(IMU, 10_000))
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "No space left" in caplog.text


def test_the_simulation_waits_for_a_slow_disk(tmp_path: Path) -> None:
    """A pipe that nobody reads is a disk that has stopped: memory must not fill, and nothing may be lost."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    received: list[bytes] = []
    may_read = threading.Event()

    def drain() -> None:
        with path.open("rb") as pipe:
            may_read.wait()
            received.append(pipe.read())

    stamps, available, rows = random_rows(ODOMETRY, 1000)
    handed_over = []

    def simulate() -> None:
        with Recorder(path, [ODOMETRY], metadata={}) as recorder:
            for i in range(30):
                recorder.write(ODOMETRY.topic, stamps + i * stamps[-1], available + i * stamps[-1], rows)
                handed_over.append(i)

    threads = [threading.Thread(target=drain), threading.Thread(target=simulate)]
    for thread in threads:
        thread.start()
    wait_until(lambda: len(handed_over) >= 6)  # 6 x 0.755 MB go past LIMIT
    time.sleep(0.5)
    stuck_at = len(handed_over)
    may_read.set()
    for thread in threads:
        thread.join(60)
    assert stuck_at < 20  # at most one batch beyond LIMIT waits, and one such load is being written
    (tmp_path / "received.mcap").write_bytes(received[0])
    recording = Recording(tmp_path / "received.mcap")
    assert recording.is_complete
    np.testing.assert_array_equal(recording.table(ODOMETRY.topic)["pose.pose.position.x"], np.tile(rows[:, 0], 30))


def test_rows_may_be_reused_after_the_call(tmp_path: Path) -> None:
    stamps, available, rows = random_rows(IMU, 20)
    copy = rows.copy()
    with Recorder(tmp_path / "x.mcap", [IMU], metadata={}) as recorder:
        recorder.write(IMU.topic, stamps, available, rows)
        rows[:], stamps[:], available[:] = 0, 0, 0
    table = Recording(tmp_path / "x.mcap").table(IMU.topic)
    np.testing.assert_array_equal(table["orientation.x"], copy[:, 0])
    assert table["time"].min() > 0


def test_wrong_calls_are_named(tmp_path: Path) -> None:
    stamps, available, rows = random_rows(IMU, 5)
    with Recorder(tmp_path / "x.mcap", [IMU], metadata={}) as recorder:
        known = "/quadcopter/imu, /parameters, /commands, /log"
        with pytest.raises(RecordingError, match=f"no stream '/imu'.*there are {known}"):
            recorder.write("/imu", stamps, available, rows)
        with pytest.raises(RecordingError, match=r"\(5, 9\) numbers, but a row has 10 numbers: orientation\.x"):
            recorder.write(IMU.topic, stamps, available, rows[:, 1:])
        with pytest.raises(RecordingError, match=r"\(5,\) stamps, \(4,\) times"):
            recorder.write(IMU.topic, stamps, available[1:], rows)
        recorder.write(IMU.topic, stamps[:0], available[:0], rows[:0])
    recorder.close()  # once more does no harm
    with pytest.raises(RecordingError, match="is closed"):
        recorder.write(IMU.topic, stamps, available, rows)
    assert len(Recording(tmp_path / "x.mcap").table(IMU.topic)["time"]) == 0


@pytest.mark.parametrize("second", [IMU._replace(columns=()), IMU._replace(topic="/log")])
def test_a_topic_has_one_stream(tmp_path: Path, second: Stream) -> None:
    with pytest.raises(RecordingError, match=f"two streams on the topic '{second.topic}'"):
        Recorder(tmp_path / "x.mcap", [IMU, second], metadata={})


def test_a_place_that_cannot_be_written_is_named_at_once(tmp_path: Path) -> None:
    if_full: Literal["stop", "continue"]
    for if_full in ("stop", "continue"):
        with pytest.raises(RecordingError, match=f"cannot record into {tmp_path}: Is a directory"):
            Recorder(tmp_path, [IMU], metadata={}, if_full=if_full)


def test_the_error_of_the_simulation_is_not_hidden(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), Recorder(tmp_path / "x.mcap", [IMU], metadata={}) as recorder:
        recorder.write(IMU.topic, *random_rows(IMU, 5))
        raise ZeroDivisionError
    assert len(Recording(tmp_path / "x.mcap").table(IMU.topic)["time"]) == 5


def wait_until(condition: object, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)
