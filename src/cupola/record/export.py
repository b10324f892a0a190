"""Write a recording as CSV."""

import csv
from pathlib import Path
from typing import TextIO

from cupola.record.read import Recording
from cupola.record.stream import RecordingError
from cupola.schema.hostile_text import cell, file_name
from cupola.schema.validation_messages import short
from cupola.schema.whole_files import NewFile, Written, whole_file


def write_csv(path: str | Path, folder: str | Path) -> list[Path]:
    """Write one CSV per topic of the recording `path` into `folder`, "quadcopter.imu.csv" for /quadcopter/imu.

    First line: the names of the fields, `time` and `stamp` [s] in front. Numbers have all their digits: read back,
    they are the same numbers; a text that a spreadsheet would compute has a ' in front. A topic without messages gives
    no file.
    """
    recording = Recording(path)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = Written()
    for topic in recording.topics:
        table = recording.named(topic, text=True)
        if len(table["time"]):
            target = folder / f"{file_name(topic)}.csv"
            if target in written:
                raise RecordingError(f"{recording.path}: {short(topic)} and another topic would both become {target}")
            with whole_file(target) as new, _as_text(new) as file:
                writer = csv.writer(file)
                writer.writerow(map(cell, table))
                writer.writerows(zip(*(map(cell, column.tolist()) for column in table.values()), strict=True))
            written.append(target)
    return written


def _as_text(new: NewFile) -> TextIO:
    return open(new.file.fileno(), "w", newline="", encoding="utf-8", closefd=False)
