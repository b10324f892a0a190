"""A recorded flight as data for a fit: what was commanded, how it moved, what its inertial units measured."""

import logging
from typing import Any, NamedTuple

import numpy as np

from cupola.config.scenario import Scenario
from cupola.parts.sensors.sensor import Sensor
from cupola.physics.rotation import Quaternion, Vector, rotate
from cupola.record.held_files import HeldRecording
from cupola.record.read import Recording
from cupola.schema.trust import Trust
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

log = logging.getLogger("cupola")
Array = np.ndarray[Any, Any]
PAST_MIXERS = 19
"""A controller that begins here moves no mixer: what the motors were told goes to them as it was."""
UNKNOWN = "faults", "changes", "pushes"
"""What a scenario does at its times."""
MOTION = [f"pose.pose.position.{a}" for a in "xyz"] + [f"pose.pose.orientation.{a}" for a in "wxyz"]
MOTION += [f"twist.twist.linear.{a}" for a in "xyz"] + [f"twist.twist.angular.{a}" for a in "xyz"]
MEASURED = [f"{what}.{a}" for what in ("linear_acceleration", "angular_velocity") for a in "xyz"]


class Flight(NamedTuple):
    """Rows of one vehicle."""

    vehicle: str
    units: list[str]
    """Its inertial units."""
    row_ticks: Array
    channels: list[int]
    drive: Array
    """What the channels carried in the interval that ends at each row."""
    motion: Array
    """Position, attitude, velocity in world axes, rate in body axes at each row."""
    sample_ticks: Array
    measured: Array
    """Specific force and rate of each unit, side by side, at each sample."""


class Source:
    """A recording, and worlds that shall do what it says."""

    def __init__(self, recording: Recording, trust: bool | Trust = False) -> None:
        self.recording, self._held, self._trust = recording, HeldRecording(recording), trust
        if recording.metadata.get("first_tick", "0") != "0":
            raise InputError(f"{recording.path} begins in flight: a fit takes recordings from the start")
        self.scenario = self._replayed(self._held.scenario)

    def world(self) -> World:
        """A world of the recording that flies by nothing but its commands, with inertial units that do not err."""
        return World(self.scenario, source=str(self.recording.path), trust=self._trust, held=self._held.held)

    def _replayed(self, scenario: Scenario) -> Scenario:
        changes: dict[str, Any] = {"measures": {}}
        for what in UNKNOWN:  # a fit starts in the middle, again and again: their times would be wrong
            if getattr(scenario, what):
                log.warning("the %s of the recording are not known to a fit: what they did counts as noise", what)
            changes[what] = ()
        if scenario.air.turbulence is not None:
            log.warning("the turbulence of the recording is not known to a fit: it counts as noise")
            changes["air.turbulence"] = None
        for k in range(len(scenario.vehicles)):
            changes[f"vehicles[{k}].controller"] = {"use": "idle", "rate_hz": 10.0, "channel": PAST_MIXERS}
            changes[f"vehicles[{k}].mode"] = "mission"
        scenario = scenario.with_(changes)
        return scenario.with_(self._exact_units(scenario))

    def _exact_units(self, scenario: Scenario) -> dict[str, Any]:
        """Inertial units without errors and without delay: a fit compares with what they would have shown."""
        first = World(scenario, source=str(self.recording.path), trust=self._trust, held=self._held.held)
        changes = {}
        for k, (entry, instance) in enumerate(zip(scenario.vehicles, first.instances, strict=True)):
            exact = {
                name: {**entry.parts.get(name, {}), **dict.fromkeys(part.noise_fields, 0.0), "delay": 0.0}
                for name, part in instance.vehicle.parts.items()
                if name in self._units(instance.name) and isinstance(part, Sensor)
            }
            changes[f"vehicles[{k}].parts"] = {**entry.parts, **exact}
        return changes

    def _units(self, vehicle: str) -> list[str]:
        """Inertial units of a vehicle: who tells messages of that kind."""
        kinds = self.recording.topics
        return [t.split("/")[2] for t in kinds if t.startswith(f"/{vehicle}/") and kinds[t].endswith("/Imu")]

    def flight(self, vehicle: str | None, physics_hz: int) -> Flight:
        """What is known of a vehicle, the first one unless named."""
        names = sorted({topic.split("/")[1] for topic in self.recording.topics if topic.endswith("/odometry")})
        vehicle = vehicle or (names[0] if names else "")
        if vehicle not in names:
            raise InputError(f"{self.recording.path}: no motion of {vehicle!r}; there is that of: {', '.join(names)}")
        moved, told = (self.recording.table(f"/{vehicle}/{what}") for what in ("odometry", "channels"))
        channels = sorted(int(name.split(".")[1]) for name in told if name.startswith("drive."))
        units = self._units(vehicle)
        if not units:
            raise InputError(f"{self.recording.path}: {vehicle} has no inertial unit, whose samples a fit needs")
        tables = [self.recording.table(f"/{vehicle}/{unit}") for unit in units]
        if any(len(one["stamp"]) != len(tables[0]["stamp"]) for one in tables):
            raise InputError(f"{self.recording.path}: the inertial units {', '.join(units)} have different rates")
        motion = np.stack([moved[name] for name in MOTION], axis=1)
        quat, vel_b = Quaternion(*motion[:, 3:7].T), Vector(*motion[:, 7:10].T)
        motion[:, 7:10] = np.stack(rotate(quat, vel_b), axis=1)
        return Flight(
            vehicle,
            units,
            np.rint(np.asarray(moved["stamp"]) * physics_hz).astype(np.int64),
            channels,
            np.stack([told[f"drive.{c}"] for c in channels], axis=1),
            motion,
            np.rint(np.asarray(tables[0]["stamp"]) * physics_hz).astype(np.int64),
            np.concatenate([np.stack([one[name] for name in MEASURED], axis=1) for one in tables], axis=1),
        )
