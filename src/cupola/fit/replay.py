"""Flies what was recorded in several worlds at once, each with numbers of its own, in short windows.

At the start of each window the body is put where the recording has it; motors and servos go on from where they were.
So a wrong number shows in what the inertial units say, and does not carry the vehicle away.
"""

import fnmatch
from typing import Any

import mujoco
import numpy as np

from cupola.engine.loop import reopen
from cupola.fit.recorded import Flight, Source
from cupola.many import spread
from cupola.many.threads import ThreadBatch
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

Array = np.ndarray[Any, Any]
AWAY = 1e3
"""Stands for the samples of a world that stopped: far from anything measured."""


class Replay:
    """Worlds of a recording. `names` may have `*`: one factor for all numbers that it means."""

    def __init__(self, source: Source, names: list[str], vehicle: str | None, window: float) -> None:
        pattern = source.world()
        self.flight: Flight = source.flight(vehicle, pattern.scenario.physics_hz)
        self._check_rates(source, pattern)
        self.names = names
        self.nominal: list[dict[str, float]] = [_meant(pattern, name) for name in names]
        first = [pattern]
        self._batch = ThreadBatch(
            lambda _: first.pop() if first else source.world(), len(names) + 1, {}, np.ones(len(names) + 1, int), 2
        )
        self._events = np.union1d(self.flight.row_ticks, self.flight.sample_ticks)
        self._window = max(1, round(window * pattern.scenario.physics_hz))
        self.kept: Array = np.isin(self.flight.sample_ticks, self._events[1:])
        """Samples that are compared; the first one is that of the start."""
        self.part: Array = self.flight.sample_ticks[self.kept] / self._events[-1]
        """How far into the recording each of them lies, 0 to 1."""

    def _check_rates(self, source: Source, world: World) -> None:
        joint = int(world.model.body_jntadr[world.instances[0].root])
        if joint < 0 or world.model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_FREE:
            raise InputError(f"{self.flight.vehicle}: a fit is for vehicles that move freely")
        told = source._held.scenario.vehicles[0]
        entry = told.controller if told.mode == "mission" else getattr(told, told.mode)
        rate = entry.rate_hz if entry else None
        rows = len(self.flight.row_ticks) / max(1e-9, float(self.flight.row_ticks[-1]) / world.scenario.physics_hz)
        if rate and rows < 0.99 * rate:
            raise InputError(
                f"the recording has {rows:.0f} rows a second, its controller acted {rate:g} times: "
                f"record with `record: {{rate_hz: {rate:g}}}`, so that every command is known"
            )

    def predict(self, rows: Array) -> Array:
        """What the units would have shown: for each row of factors, samples by axes."""
        worlds = [self._batch.worlds[i] for i in range(len(rows))]
        self._batch.reset()
        impossible = [i for i, (world, row) in enumerate(zip(worlds, rows, strict=True)) if not self._set(world, row)]
        self._batch.reset()
        for i in (*impossible, *range(len(rows), self._batch.n)):
            self._batch.stopped[i] = "it is not flown"
        found = self._fly(worlds)
        self._batch.stopped.clear()
        return found

    def _set(self, world: World, factors: Array) -> bool:
        """Give a world its numbers; False where there is no such body, as one thinner than flat."""
        wanted = {n: v * f for numbers, f in zip(self.nominal, factors, strict=True) for n, v in numbers.items()}
        bodies: dict[str, dict[str, float]] = {}
        for name, value in wanted.items():
            if (body := spread._body_of(world, name)) and not spread._is_of_a_part(world, name):
                bodies.setdefault(body, {})[name.rpartition(".")[2]] = value
            else:
                spread.apply(world, name, value)
        for body, numbers in bodies.items():  # all moments of a body at once: one alone may be impossible
            now = world.inertia(body)
            moments = [numbers.get(f"inertia_{axis}", value) for axis, value in zip("xyz", now.about_com, strict=False)]
            try:
                world.set_inertia(body, numbers.get("mass", now.mass), now.com_b, [*moments, *now.about_com[3:]])
            except InputError:
                return False
        return True

    def _fly(self, worlds: list[World]) -> Array:
        f = self.flight
        k = next(i for i, one in enumerate(worlds[0].instances) if one.name == f.vehicle)
        commands = [world.arrays.command[world.instances[k].channels] for world in worlds]
        names = [f"{f.vehicle}.{unit}.{what}" for unit in f.units for what in ("accel_s", "rate_s")]
        found = np.full((len(worlds), len(f.sample_ticks), f.measured.shape[1]), np.nan)
        row, sample, due = 0, int(f.sample_ticks[0] == 0), 0
        for now, then in zip(self._events[:-1], self._events[1:], strict=True):
            if now >= due and f.row_ticks[row] == now:
                due = now + self._window
                for world in worlds:
                    self._put(world, k, f.motion[row])
            row += int(f.row_ticks[row + 1] <= then) if row + 1 < len(f.row_ticks) else 0
            for command in commands:
                command[f.channels] = f.drive[row]
            self._batch.step(int(then - now))
            if sample < len(f.sample_ticks) and f.sample_ticks[sample] == then:
                found[:, sample] = self._batch.observe(names)[: len(worlds)]
                sample += 1
        for i in range(len(worlds)):
            if i in self._batch.stopped:
                found[i] = AWAY
        return np.nan_to_num(found[:, self.kept], nan=AWAY)

    def _put(self, world: World, vehicle: int, motion: Array) -> None:
        joint = world.model.body_jntadr[world.instances[vehicle].root]
        at, speed = world.model.jnt_qposadr[joint], world.model.jnt_dofadr[joint]
        world.data.qpos[at : at + 7], world.data.qvel[speed : speed + 6] = motion[:7], motion[7:]
        reopen(world.table)

    def close(self) -> None:
        """Let go of the worlds."""
        self._batch.close()


def _meant(world: World, name: str) -> dict[str, float]:
    """The numbers that a name means, and their present values."""
    known = {key: tunable.read() for key, tunable in world.tuning.tunables.items()}
    found = {key: value for key, value in known.items() if fnmatch.fnmatchcase(key, name)}
    if not found:
        world.tuning.set(name, 0.0)  # says what there is
        raise InputError(f"there is no number {name!r}")
    if zero := [key for key, value in found.items() if value == 0.0]:
        raise InputError(f"{', '.join(zero)} is 0 in the model: a fit finds factors; give the model a first guess")
    return found
