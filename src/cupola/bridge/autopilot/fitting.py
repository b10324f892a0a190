"""What a vehicle needs before an autopilot can fly it: its sensors, and where the commands begin."""

import logging

from cupola.config.resolved_vehicle import ResolvedVehicle
from cupola.config.vehicle import Vehicle
from cupola.schema.yaml_files import InputError

log = logging.getLogger("cupola.bridge")


def imus_of(one: ResolvedVehicle) -> list[str]:
    """Names of its inertial units."""
    return [name for name, part in one.vehicle.parts.items() if part.kind == "imu"]


def with_sensors(one: ResolvedVehicle, wanted: dict[str, dict[str, float]]) -> Vehicle:
    """The vehicle with a sensor of each kind that the autopilot cannot do without, where its IMU is."""
    kinds = {part.kind: part for part in one.vehicle.parts.values()}
    missing = {kind: numbers for kind, numbers in wanted.items() if kind not in kinds}
    if not missing:
        return one.vehicle
    if "imu" not in kinds:
        raise InputError(f"{one.name} has no imu part, where its {', '.join(missing)} could be: add one")
    log.warning("%s gets what the autopilot cannot do without: %s", one.name, ", ".join(missing))
    site = kinds["imu"].at_site()
    parts = {f"autopilot_{kind}": {"kind": kind, "site": site, **numbers} for kind, numbers in missing.items()}
    return one.vehicle.with_({f"parts.{name}": part for name, part in parts.items()})


def first_channel(one: ResolvedVehicle) -> int:
    """The lowest channel that moves something by itself, and not through a mixer."""
    parts = [part for part in one.vehicle.parts.values() if part.first_input() is None]
    return min((channel for part in parts for channel in part.used_channels() if channel >= 0), default=0)
