"""A recording in the cockpit: a world that is not stepped but filled from the rows of a file."""

import math
import time
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from cupola.cockpit import messages as say
from cupola.cockpit.cameras import Cameras
from cupola.cockpit.derived import DerivedCurves
from cupola.cockpit.flown import FlightData, gather
from cupola.cockpit.frame import Frame
from cupola.cockpit.link import Link
from cupola.cockpit.moments import BODIES, FELT, SCANS, Moments
from cupola.cockpit.pages import NEUTRAL
from cupola.cockpit.recorded_condition import recorded_conditions
from cupola.cockpit.replayed_rows import (
    commands_of,
    completed,
    move_free_bodies,
    newest,
    place_free_bodies,
    rows_of,
    sensors_of,
    told_beside,
)
from cupola.cockpit.run_events import recorded_events
from cupola.cockpit.scene import scene_of
from cupola.cockpit.share import answer_with
from cupola.cockpit.timeline import Timeline
from cupola.kernel.array_groups import LOGGED, as_numbers, log_columns
from cupola.kernel.observation import observation_in
from cupola.kernel.wind import mean_wind_w
from cupola.physics.rotation import Vector, rotate, subtract, unrotate
from cupola.record.held_files import HeldRecording
from cupola.record.read import Recording
from cupola.record.shown_world import world_of
from cupola.schema.yaml_files import InputError
from cupola.sim.measures import phases_of
from cupola.sim.signal_rows import SignalRows
from cupola.sim.signals import sensors_with_signals
from cupola.sim.world import World


class Replay:
    """A recording, and the row of it that is shown."""

    recording = False

    def __init__(self, path: Path, link: Link) -> None:
        file = Recording(path)
        held = HeldRecording(file)
        self._name = path.name
        self.world: World = world_of(held, path)
        mujoco.mj_resetData(self.world.model, self.world.data)  # no contacts: their forces are not in a recording
        reports = told_beside(file, self.world)
        units = file.units
        self.link, self.frame = link, Frame(self.world, {name: units.get(name, "1") for name in reports})
        self._records = self.world.arrays.as_records()
        self._times, self._rows, self._thinned = rows_of(file, held.index, self.world)
        self._reports = [table[newest(times, self._times)] for times, table in reports.values()]
        self._sensors = sensors_of(file, self.world)
        self._commands = commands_of(file)
        names = [one.name for one in self.world.instances]
        self._events = recorded_events(file, names, self._commands)
        self._phases = {one.name: file.phases(one.name) for one in self.world.instances}
        self.timeline = self._whole_timeline()
        self._curves = DerivedCurves(self.frame.signals, phases_of(self.world))
        self._cameras = Cameras(self.world, link)
        self._at, self._over = 0, False
        self._said: say.Changed | None = None
        self.dt: float = float(np.median(np.diff(self._times))) if len(self._times) > 1 else self.world.dt
        self._fill()
        self._conditions = recorded_conditions(self.world, file, self._commands)

    @property
    def end(self) -> float:
        """[s] the last moment of the recording."""
        return float(self._times[-1])

    @property
    def emergency(self) -> bool:
        """Whether the motors were held off then."""
        return any(one.off(self._times[self._at]) for one in self._conditions)

    def begin(self) -> tuple[say.Hello, say.Scene]:
        """What pages must know first."""
        hello = say.Hello(
            scenario=self._name,
            about=self.world.scenario.about,
            replay=(float(self._times[0]), float(self._times[-1])),
            layout=self.frame.layout,
            length=len(self.frame.numbers),
            signals=self.frame.signals,
            parameters=[],
            faults=[],
            scenarios=[],
            snapshots=0,
            step=self.dt,
            note=f"Of the recording's rows, one in {self._thinned} is shown." if self._thinned > 1 else "",
        )
        return hello, scene_of(self.world)

    def flown(self) -> FlightData:
        """The whole recording, to be shared or compared; the row that is shown stays."""
        kept, told = self._at, list[say.Told]()
        moments = [Moments(self.frame, names, 0.0) for names in (BODIES, FELT, SCANS)]
        strides = [math.ceil(len(self._times) / (one.most - 1)) for one in moments]
        last = len(self._times) - 1
        for row, now in enumerate(self._times):
            due = [one for one, n in zip(moments, strides, strict=True) if row % n == 0 or row == last]
            if not due:
                continue
            self._at = row
            self._fill()
            self.frame.fill()
            for one in due:
                one.add(float(now))
            if not told or self._changed() != told[-1].changed:
                told.append(say.Told(time=float(now), changed=self._changed()))
        self._at = kept
        self._fill()
        return gather(*self.begin(), told, moments, self.timeline)._replace(events=self._events)

    def step(self, ticks: int) -> int:
        """Go on by some rows; from the end, begin again."""
        before = 0 if self._over else self._at
        self._at = min(before + ticks, len(self._times) - 1)
        self._over = self._at < before + ticks
        self._fill()
        return self._at - before

    def obey(self, message: Any) -> bool:
        """Handle a seek, or which cameras are watched; any other message is refused."""
        if isinstance(message, say.Seek):
            self._over = False
            self._at = max(0, int(np.searchsorted(self._times, message.time, side="right")) - 1)
            self._fill()
        elif isinstance(message, say.Curves):
            self.link.answer(message.number, self._curves.between(self.timeline, message).as_bytes())
        elif isinstance(message, say.Derive):
            self.link.answer(message.number, self._curves.tell(message.formula).model_dump_json().encode())
        elif isinstance(message, say.AskEvents):
            self.link.answer(message.number, self._events.model_dump_json().encode())
        elif isinstance(message, say.Share):
            answer_with(self.link, message, self.flown())
        elif isinstance(message, say.Watch):
            self._cameras.watch(message.cameras)
        elif message != NEUTRAL:
            raise InputError(f"a recording cannot {message.kind}: it can be paused, sought and played at any speed")
        return False

    def look(self, paused: bool = False) -> None:
        """Send pictures and the active control modes."""
        self._cameras.look(time.monotonic())
        now = self._changed()
        if now != self._said:
            self._said = now
            self.link.tell(now)

    def _changed(self) -> say.Changed:
        modes = [self._mode(k) for k in range(len(self.world.instances))]
        return say.Changed(
            modes=modes,
            missions=[self._phase(instance.name) for instance in self.world.instances],
            conditions=[self._condition(k) for k in range(len(modes))],
            faults=[],
            snapshots=0,
            recording=None,
        )

    def close(self) -> None:
        """Nothing was begun."""

    def _whole_timeline(self) -> Timeline:
        """All rows of the recording, as they would have been plotted while it was made."""
        world = self.world
        values = SignalRows(world).values(completed(world, self._rows))
        place = {one.name: k for k, one in enumerate(world.signals())}
        by_samples = {id(one.samples): one for one in self._sensors}
        for found in sensors_with_signals(world):
            places = [place[one.name] for one in found.signals]
            values[:, places] = by_samples[id(found.samples)].at(self._times)[:, 1:][:, found.columns]
        timeline = Timeline(len(self.frame.signals), math.inf)
        timeline.add(self._times, np.column_stack([values, *self._reports]))
        return timeline

    def _phase(self, vehicle: str) -> str:
        """What its controller was doing then; empty where the recording does not tell."""
        told = [note.text for note in self._phases[vehicle] if note.time <= self._times[self._at]]
        return told[-1] if told else ""

    def _condition(self, vehicle: int) -> say.Condition:
        now = observation_in(self.world.arrays.observations[vehicle])
        return self._conditions[vehicle].at(self._times[self._at], now)

    def _mode(self, vehicle: int) -> str:
        instance = self.world.instances[vehicle]
        taken = [c[2][0] for c in self._done() if c[1] == "take_over" and c[2][1] == instance.name]
        return str(taken[-1]) if taken else self.world.scenario.vehicles[vehicle].mode

    def _done(self) -> list[tuple[float, str, list[Any]]]:
        """What had been done to the world by then."""
        return [command for command in self._commands if command[0] <= self._times[self._at]]

    def _fill(self) -> None:
        """Put everything where the present row has it."""
        world, row = self.world, self._rows[self._at]
        arrays, at = world.arrays, log_columns(world.arrays)
        for name in LOGGED:
            as_numbers(getattr(arrays, name))[:] = row[at[name]]
        arrays.counters[0] = round(self._times[self._at] / world.dt)
        place_free_bodies(world)
        for vehicle, instance in enumerate(world.instances):
            row, air = self._records.observations[vehicle], self._records.air_samples[vehicle]
            # The gust is what the wind was beyond its mean.
            wind_w = Vector(air.wind_x, air.wind_y, air.wind_z)
            mean_w = mean_wind_w(self._records, Vector(*arrays.xpos[instance.root]))
            air.gust_x, air.gust_y, air.gust_z = subtract(wind_w, mean_w)
            now = observation_in(row)
            row.vx, row.vy, row.vz = rotate(now.quat_wb, now.vel_b)
            row.air_u, row.air_v, row.air_w = subtract(now.vel_b, unrotate(now.quat_wb, wind_w))
        move_free_bodies(world)
        for stage in (mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_comVel):
            stage(world.model, world.data)
        for sensed in self._sensors:
            sensed.put(self._times[self._at], arrays.qpos, self._at)
        self.frame.beside[:] = [values[self._at] for values in self._reports]
