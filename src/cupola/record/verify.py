"""Run a recording again from what it holds, and say whether the same came out, to the bit."""

import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cupola.config.own_code import code_in
from cupola.config.resolved_vehicle import resolve_vehicles
from cupola.config.scenario import Scenario
from cupola.record.decode import Table
from cupola.record.held_files import HeldRecording, sha256_of
from cupola.record.picture import PICTURES
from cupola.record.provenance import provenance
from cupola.record.read import Recording
from cupola.record.stream import RecordingError
from cupola.record.topics import TEXT
from cupola.record.world_recorder import WorldRecorder
from cupola.schema.trust import Code, Trust
from cupola.schema.yaml_files import InputError
from cupola.sim.events import repeat
from cupola.sim.world import World

WORDS = ("/commands", "/parameters", "/log", "/events")
"""Topics of what was done and what was seen: words, which stand where somebody looked."""


class Difference(NamedTuple):
    """Where a recording and its repetition part."""

    tick: int
    time: float
    """[s]"""
    signal: str
    """topic:field"""
    recorded: float
    now: float


class Verified(NamedTuple):
    """What came out."""

    ticks: int
    same: bool
    recorded_hash: str
    """Of the state at the end; empty for a recording that was cut off, or is of 0.1."""
    hash: str
    first: Difference | None
    """The earliest difference in the rows."""
    versions: dict[str, tuple[str, str]]
    """Versions that differ: then, and now."""


class Verification:
    """A recording that can be run again."""

    def __init__(self, path: Path) -> None:
        self.recording = Recording(path)
        self._held = HeldRecording(self.recording)
        if self.recording.metadata.get("first_tick", "0") != "0":
            tick = self.recording.metadata["first_tick"]
            raise InputError(
                f"{path} begins at tick {tick}, in flight: only a recording from the start can be run again"
            )

    @property
    def scenario(self) -> Scenario:
        """What was flown, with the seed that it had."""
        seed = self.recording.metadata.get("seed", "")
        return self._held.scenario.model_copy(update={"seed": int(seed)} if seed.isdecimal() else {})

    def code(self) -> list[Code]:
        """The code that it needs. It runs from the disk, never from the recording, and must be what ran then."""
        resolved = resolve_vehicles(self.scenario, Path(), {}, str(self.recording.path), self._held.held)
        then = {one.file: one for one in self._held.index.code} if self._held.index else {}
        found = code_in(resolved)
        for code in found:
            known = then.get(str(code.where))
            if not code.file.is_file():
                raise InputError(
                    f"{code.source}: it needs {code.where}, which is not there; a recording's code is not run"
                )
            if known is None or known.sha256 != sha256_of(code.where):
                raise InputError(f"{code.source}: {code.where} is not what ran then, so it cannot be run again")
        return found

    def run(self, trust: Trust) -> Verified:
        """Run it again and compare."""
        world = World(
            self.scenario.model_copy(update={"record": self.scenario.record.model_copy(update={"pictures": "none"})}),
            name=self.recording.path.stem,
            source=str(self.recording.path),
            trust=trust,
            compiled=self.recording.metadata.get("compiled") != "false",
            held=self._held.held,
        )
        end = self._last_tick(world.scenario.physics_hz)
        with tempfile.TemporaryDirectory(prefix="cupola-verify-") as folder:
            again = Path(folder) / "again.mcap"
            tap = WorldRecorder(world, again)
            world.observers.append(tap)
            try:
                repeat(world, self.recording.commands(world.scenario.physics_hz), end)
            finally:
                tap.close()
            first = _first_difference(self.recording, Recording(again), world.scenario.physics_hz)
        then, now = self.recording.ending.get("state_sha256", ""), world.state_hash()
        same = first is None and then in ("", now)
        return Verified(world.tick, same, then, now, first, _versions(self.recording.metadata))

    def _last_tick(self, physics_hz: int) -> int:
        told = self.recording.ending.get("tick", "")
        if told.isdecimal():
            return int(told)
        times = self.recording.table("/tf")["time"] if "/tf" in self.recording.topics else np.zeros(0)
        if not len(times):
            raise RecordingError(f"{self.recording.path} ends before its first row")
        return round(float(times[-1]) * physics_hz)


def _first_difference(then: Recording, now: Recording, physics_hz: int) -> Difference | None:
    """The earliest number that is not the same; among those of one moment, the first by topic."""
    kinds = {topic: kind for topic, kind in then.topics.items() if topic in now.topics and topic not in WORDS}
    topics = [topic for topic, kind in kinds.items() if kind not in (*PICTURES, TEXT)]
    found = [one for topic in topics if (one := _compare(topic, then.named(topic), now.named(topic)))]
    if not found:
        return None
    time, signal, recorded, repeated = min(found, key=lambda one: one[:2])
    return Difference(round(time * physics_hz), time, signal, recorded, repeated)


def _compare(topic: str, then: Table, now: Table) -> tuple[float, str, float, float] | None:
    """Time [s], name and both values of the first difference in a topic."""
    count = min(len(then["time"]), len(now["time"]))
    first: tuple[int, str] | None = None
    for field in then:
        a, b = then[field][:count], now.get(field, np.full(count, np.nan))[:count]
        wrong = np.flatnonzero(~((a == b) | (_is_nan(a) & _is_nan(b))))
        if len(wrong) and (first is None or wrong[0] < first[0]):
            first = int(wrong[0]), field
    if first:
        k, field = first
        there = float(now[field][k]) if field in now else np.nan
        return float(then["time"][k]), f"{topic}:{field}", float(then[field][k]), there
    if len(then["time"]) != len(now["time"]):
        longer = then if len(then["time"]) > count else now
        return float(longer["time"][count]), f"{topic}:rows", float(len(then["time"])), float(len(now["time"]))
    return None


def _is_nan(values: Any) -> Any:
    return np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), bool)


def _versions(metadata: dict[str, str]) -> dict[str, tuple[str, str]]:
    now = provenance()
    return {name: (metadata[name], now[name]) for name in now if metadata.get(name, now[name]) != now[name]}
