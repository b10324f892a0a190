"""Records a world: its log rows, sensor samples, phases, events, and everything it is told."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal

import numpy as np

from cupola.config.scenario import Scenario
from cupola.record.events import EVENTS, EventFinder, WorldEvent, events_of
from cupola.record.held_files import SCENARIO, files_of
from cupola.record.phases import PhaseFinder
from cupola.record.picture import pack
from cupola.record.provenance import provenance
from cupola.record.recorder import Recorder
from cupola.record.topics import (
    SensorTopic,
    log_topics,
    phase_streams,
    sensor_topics,
    site_frames,
    units_of_signals,
)
from cupola.schema.hostile_text import writable
from cupola.sim.events import Command
from cupola.sim.world import World

SECOND = 1_000_000_000
SIGNALS = "signals.json"
"""Attachment: the unit of every signal of the world."""


class WorldRecorder:
    """An observer that records a world into an MCAP file."""

    def __init__(
        self,
        world: World,
        path: Path | str,
        *,
        if_full: Literal["stop", "continue"] | None = None,
        numbered: bool = False,
        into: Callable[..., Any] = Recorder,
    ) -> None:
        """`into` makes what is written into: a file, or a viewer that takes the same calls."""
        self.world = world
        self._logged = log_topics(world)
        self._columns = [(stream.topic, _neighbours(columns)) for stream, columns in self._logged]
        self._sensed = sensor_topics(world)
        self._phases = dict(zip((instance.name for instance in world.instances), phase_streams(world), strict=True))
        self._phase_finder, self._finder = PhaseFinder(world), EventFinder(world)
        for topic in self._sensed:
            if pictures := topic.pictures():
                pictures.open()
        fixed, transforms = site_frames(world)
        texts = [*self._phases.values(), EVENTS]
        streams = [fixed, *(t.stream for t in self._logged), *(t.stream for t in self._sensed), *texts]
        self._recorder = into(
            path,
            streams,
            metadata={
                "scenario": writable(world.name),
                "seed": str(int(world.arrays.world["seed"][0])),
                "first_tick": str(world.tick),
                "compiled": str(world.compiled).lower(),
                **provenance(),
            },
            attachments=attachments(world),
            if_full=if_full or world.scenario.record.if_full,
            numbered=numbered,
        )
        self.path: Path = self._recorder.path
        """Path of the file; with `numbered` the next free name if the requested one is taken."""
        # From here on: what happened before a recording began is not in it, but the present moment is.
        self._next_row = max(0, int(world.arrays.counters[-1]) - 1)
        self._next_sample = [max(0, topic.samples.count - 1) for topic in self._sensed]
        self._recorder.write(fixed.topic, [self._nanoseconds(0)], [self._nanoseconds(0)], [transforms])
        for name, value in world.tuning.worth_noting().items():
            self._recorder.parameter_changed(0, name, value)
        self._write_phases(np.empty((0, 1)))
        world.listeners.append(self._told)

    def observe(self, world: World) -> None:
        """Write what has come since the last call."""
        arrays = world.arrays
        count = int(arrays.counters[-1])
        table = arrays.log.reshape(-1, int(arrays.world["log_width"][0]))
        if count < self._next_row:  # the world was reset or restored
            self._next_row = count
            self._phase_finder.forget()
            self._finder.forget()
        if count - self._next_row > len(table):
            self._recorder.note(self._nanoseconds(world.tick), f"{count - self._next_row - len(table)} rows were lost")
            self._next_row = count - len(table)
        rows = _from_ring(table, self._next_row, count)
        self._next_row = count
        stamps = self._nanoseconds(rows[:, 0].astype(np.int64))
        self._recorder.write_columns(self._columns, stamps, rows)
        for i, topic in enumerate(self._sensed):
            self._write_samples(topic, min(self._next_sample[i], topic.samples.count))
            self._next_sample[i] = topic.samples.count
        self._write_phases(rows)
        self._write_events(self._finder.since(rows))

    def _write_samples(self, topic: SensorTopic, first: int) -> None:
        """Write sample `first` and all later ones."""
        samples, name = topic.samples, topic.stream.topic
        new = samples.since(first)
        ticks = new[:, 0].astype(np.int64)
        stamps, available = self._nanoseconds(ticks), self._nanoseconds(ticks + samples.delay)
        if pictures := topic.pictures():
            how = self.world.scenario.record.pictures
            for k, stamp, at in zip(range(samples.count - len(new), samples.count), stamps, available, strict=True):
                self._recorder.write_bytes(name, stamp, at, pack(pictures.picture(k), how))
            return
        self._recorder.write(name, stamps, available, new[:, topic.columns] * topic.factors)

    def _write_phases(self, rows: Any) -> None:
        """Write what controllers are doing where that has changed in these log rows."""
        for tick, vehicle, phase in self._phase_finder.since(rows):
            self._recorder.say(self._phases[vehicle].topic, self._nanoseconds(tick), data=phase)

    def _write_events(self, found: Iterable[WorldEvent]) -> None:
        for one in found:
            time = self._nanoseconds(one.tick)
            self._recorder.say(EVENTS.topic, time, vehicle=one.vehicle, part=one.part, event=one.event)

    def note(self, text: str) -> None:
        """Put a line into the log of the file."""
        self._recorder.note(self._nanoseconds(self.world.tick), text)

    def close(self, interrupted: str = "") -> None:
        """Write the rest and complete the file, which tells why the run was `interrupted`, if it was."""
        if self._told not in self.world.listeners:
            return  # it is closed
        self.world.listeners.remove(self._told)
        if self in self.world.observers:
            self.world.observers.remove(self)
        try:
            self.observe(self.world)
            self._recorder.ending = {"tick": str(self.world.tick), "state_sha256": self.world.state_hash()}
        finally:
            self._recorder.close(interrupted)

    def _told(self, command: Command) -> None:
        time = self._nanoseconds(command.tick)
        self._recorder.command(time, command.call, json.dumps(command.arguments), command.outside)
        if command.call == "tune":
            for name, value in self.world.tuning.changed.items():
                self._recorder.parameter_changed(time, name, value)
        self._write_events(events_of(command))

    def _nanoseconds(self, ticks: Any) -> Any:
        return ticks * SECOND // self.world.scenario.physics_hz


def _from_ring(table: Any, first: int, stop: int) -> Any:
    """A copy of rows `first` to `stop` of a ring."""
    start, end = first % len(table), stop % len(table)
    if start < end or first == stop:
        return table[start : start + stop - first].copy()
    return np.concatenate([table[start:], table[:end]])


def _neighbours(columns: list[int]) -> list[int] | slice:
    """The same columns as a slice, if they follow each other: then no copy is made to choose them."""
    first = columns[0] if columns else 0
    return slice(first, first + len(columns)) if columns == list(range(first, first + len(columns))) else columns


def attachments(world: World) -> dict[str, str | bytes]:
    """What made this world: the scenario with all defaults, the files of its vehicles; and units of signals."""
    units = json.dumps(units_of_signals(world), ensure_ascii=False)
    return {SCENARIO: _as_json(world.scenario_now()), SIGNALS: units, **files_of(world)}


def _as_json(scenario: Scenario) -> str:
    """All defaults of a scenario; of its vehicles what was given, because the rest is in their files."""
    content = scenario.model_dump(mode="json")
    content["vehicles"] = scenario.model_dump(mode="json", exclude_unset=True)["vehicles"]
    return writable(json.dumps(content, indent=2, ensure_ascii=False))
