"""Write a recording as CSV."""

import csv
from pathlib import Path

from cupola.record.read import Recording


def write_csv(path: str | Path, folder: str | Path) -> list[Path]:
    """Write one CSV per topic of the recording `path` into `folder`, "quadcopter.imu.csv" for /quadcopter/imu.

    First line: the names of the fields, `time` and `stamp` [s] in front. Numbers have all their digits: read back,
    they are the same numbers. A topic without messages gives no file.
    """
    recording = Recording(path)
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for topic in recording.topics:
        table = recording.named(topic, text=True)
        if len(table["time"]):
            target = folder / f"{topic.strip('/').replace('/', '.')}.csv"
            with target.open("w", newline="", encoding="utf-8") as file:
                writer = csv.writer(file)
                writer.writerow(table)
                writer.writerows(zip(*(column.tolist() for column in table.values()), strict=True))
            written.append(target)
    return written
