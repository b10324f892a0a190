"""Flights to be shared, and what a shared file holds, read without a browser."""

import base64
import gzip
import json
import re
import struct
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cupola.cockpit.messages import Flown
from cupola.record.world_recorder import WorldRecorder

TAG = re.compile(r'<script type="application/octet-stream" id="flight">([^<]*)</script>')
TRIP = "</script><script>window.tripped = 1</script><img src=x onerror='window.tripped = 1'>"


def record(world: Any, path: Path, seconds: float) -> Path:
    """Fly and record."""
    tap = WorldRecorder(world, path)
    world.observers.append(tap)
    world.run(seconds)
    tap.close()
    return path


class Held(NamedTuple):
    """The head of a flight, its tables as (times, rows), and its curves."""

    head: Any
    tables: list[Any]
    curves: Any


def held_in(page: bytes) -> Held:
    """The flight in a page."""
    (data,) = TAG.findall(page.decode())
    return unpacked(base64.b64decode(data, validate=True))


def unpacked(packed: bytes) -> Held:
    """The flight in what the server hands over."""
    raw = gzip.decompress(packed)
    (length,) = struct.unpack_from("<I", raw)
    text = raw[4 : 4 + length]
    Flown.model_validate_json(text)
    head, at = json.loads(text), 4 + length
    found = []
    widths = [(one["rows"], one["width"]) for one in head["tables"]]
    for rows, width in (*widths, (head["curve_rows"], len(head["hello"]["signals"]))):
        times = np.frombuffer(raw, "<f8", rows, at)
        planes = np.frombuffer(raw, np.uint8, 4 * rows * width, at + 8 * rows).reshape(4, -1)
        found.append((times, np.ascontiguousarray(planes.T).view("<f4").reshape(width, rows).T))
        at += 8 * rows + -(-4 * rows * width // 8) * 8
    assert at == len(raw)
    return Held(head, found[:-1], found[-1])
