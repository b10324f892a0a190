"""Measures what the page "What you can trust" prints: `python measure.py reproduce` or `python measure.py bench`.

The rows are written beside this file, with the date, the machine and what else it was doing.
"""

import datetime
import json
import os
import platform
import sys
from pathlib import Path
from typing import Any

import cupola


def machine() -> str:
    """Processor and system, in words."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    processor = names[0] if names else platform.processor() or platform.machine()
    return f"{processor}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def measured(what: str) -> dict[str, Any]:
    """The rows of a command, and under what they were measured."""
    from cupola import bench, reproduce

    busy = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    rows = reproduce.run([]) if what == "reproduce" else bench.run()
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    return {"date": today, "machine": machine(), "version": cupola.__version__, "load": busy, "rows": rows}


if __name__ == "__main__":
    wanted = sys.argv[1]
    text = json.dumps(measured(wanted), indent=1, default=float, ensure_ascii=False)
    (Path(__file__).parent / f"{wanted}.json").write_text(text + "\n", encoding="utf-8")
