"""Write a recording as CSV."""

import csv
import re
from pathlib import Path
from typing import TextIO

from cupola.record.read import Recording
from cupola.record.stream import RecordingError
from cupola.schema.validation_messages import short
from cupola.schema.whole_files import NewFile, whole_file

LONGEST = 200
"""Characters of a file's name."""


def write_csv(path: str | Path, folder: str | Path) -> list[Path]:
    """Write one CSV per topic of the recording `path` into `folder`, "quadcopter.imu.csv" for /quadcopter/imu.

    First line: the names of the fields, `time` and `stamp` [s] in front. Numbers have all their digits: read back,
    they are the same numbers. A topic without messages gives no file.
    """
    recording = Recording(path)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for topic in recording.topics:
        table = recording.named(topic, text=True)
        if len(table["time"]):
            target = folder / f"{_file_name(topic)}.csv"
            if target in written:
                raise RecordingError(f"{recording.path}: {short(topic)} and another topic would both become {target}")
            with whole_file(target) as new, _as_text(new) as file:
                writer = csv.writer(file)
                writer.writerow(table)
                writer.writerows(zip(*(column.tolist() for column in table.values()), strict=True))
            written.append(target)
    return written


def _file_name(topic: str) -> str:
    """A topic as the name of a file; what a file's name cannot hold becomes _."""
    return re.sub(r"[^\w.-]", "_", topic.strip("/").replace("/", "."))[:LONGEST]


def _as_text(new: NewFile) -> TextIO:
    return open(new.file.fileno(), "w", newline="", encoding="utf-8", closefd=False)
