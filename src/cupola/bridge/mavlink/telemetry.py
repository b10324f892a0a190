"""What a station is told of a vehicle, in MAVLink's units and axes, and how often."""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from cupola.bridge.autopilot.seen import ned, ned_from_frd
from cupola.bridge.mavlink.place import DEGREES, Origin, heading_deg
from cupola.kernel.observation import THROTTLE
from cupola.physics.rotation import Vector, euler_from_quaternion, frd
from cupola.sim.world import World

RATES = {"heartbeat": 1.0, "attitude": 10.0, "position": 5.0, "status": 1.0}
"""[Hz] of the world."""
GENERIC, ACTIVE, STANDBY = 0, 4, 3
CUSTOM, AUTO, GUIDED, STABILIZED, MANUAL, ARMED = 1, 4, 8, 16, 64, 128
"""Bits of base_mode."""
BASE_MODES = {"mission": AUTO | GUIDED | STABILIZED, "assisted": STABILIZED | MANUAL, "raw": MANUAL}
PLANE, QUADROTOR, ROVER, HEXAROTOR, OCTOROTOR, TRICOPTER, VTOL = 1, 2, 10, 13, 14, 15, 22
BY_ROTORS = {3: TRICOPTER, 4: QUADROTOR, 6: HEXAROTOR, 8: OCTOROTOR}
HEALTHY = 0x7FFFFFFF
"""Bits of what is well; a sensor or a fence that is not there is not sick."""
UPRIGHT = 0.7
"""Cosine beyond which a rotor lifts, or pushes."""


class Subject(NamedTuple):
    """A vehicle as a station knows it."""

    name: str
    system: int
    kind: int


def kind_of(world: World, vehicle: str) -> int:
    """Its MAV_TYPE, by rotors that lift and push, and wheels."""
    robot = world.robot(vehicle)
    lifting = sum(rotor.axis.z > UPRIGHT for rotor in robot.rotors.values())
    pushing = sum(rotor.axis.x > UPRIGHT for rotor in robot.rotors.values())
    if lifting and pushing:
        return VTOL
    if pushing:
        return PLANE
    if any(part.kind == "mecanum" for part in robot.parts.values()):
        return ROVER
    return BY_ROTORS.get(lifting, 0)


def messages(mav: Any, world: World, subject: Subject, origin: Origin, start: Vector, due: set[str]) -> Iterator[Any]:
    """What is due of a vehicle."""
    obs, millis = world.motion(subject.name), round(world.time * 1e3)
    place = origin.geodetic(obs.pos_w)
    latitude, longitude = (round(math.degrees(angle) * DEGREES) for angle in (place.latitude, place.longitude))
    position, velocity = ned(obs.pos_w), ned(obs.vel_w)
    attitude = euler_from_quaternion(ned_from_frd(obs.quat_wb))
    if "heartbeat" in due:
        yield heartbeat(mav, world, subject)
        yield mav.MAVLink_sys_status_message(0, 0, HEALTHY, 0, 65535, -1, -1, 0, 0, 0, 0, 0, 0)
    if "attitude" in due:
        rate = frd(obs.rate_b)
        yield mav.MAVLink_attitude_message(millis, *attitude, *rate)
    if "position" in due:
        centi = [round(100.0 * v) for v in velocity]
        heading = round(100.0 * math.degrees(attitude.yaw)) % 36000
        above = round(1e3 * (obs.pos_w.z - start.z))
        yield mav.MAVLink_global_position_int_message(
            millis, latitude, longitude, round(place.altitude * 1e3), above, *centi, heading
        )
        yield mav.MAVLink_local_position_ned_message(millis, *position, *velocity)
        ground, air = math.hypot(velocity.x, velocity.y), math.hypot(*obs.vel_air_b)
        climb = -velocity.z
        throttle = round(100.0 * max(0.0, min(1.0, float(world.runner(subject.name).sticks[THROTTLE]))))
        yield mav.MAVLink_vfr_hud_message(air, ground, heading // 100, throttle, place.altitude, climb)
    if "status" in due:
        speed = round(100.0 * math.hypot(velocity.x, velocity.y))
        course = round(100.0 * heading_deg(math.atan2(obs.vel_w.y, obs.vel_w.x))) % 36000
        yield mav.MAVLink_gps_raw_int_message(
            millis * 1000, 3, latitude, longitude, round(place.altitude * 1e3), 80, 80, speed, course, 12
        )


def heartbeat(mav: Any, world: World, subject: Subject) -> Any:
    """That it is there, its mode, and whether its motors may turn."""
    mode, stopped = world.mode(subject.name), world.stopped(subject.name)
    base = CUSTOM | BASE_MODES.get(mode, 0) | (0 if stopped else ARMED)
    custom = world.modes(subject.name).index(mode)
    state = STANDBY if stopped else ACTIVE
    return mav.MAVLink_heartbeat_message(subject.kind, GENERIC, base, custom, state, 3)


def home_position(mav: Any, origin: Origin, start: Vector) -> Any:
    """Where it began."""
    place = origin.geodetic(start)
    latitude, longitude = (round(math.degrees(angle) * DEGREES) for angle in (place.latitude, place.longitude))
    height = round(place.altitude * 1e3)
    return mav.MAVLink_home_position_message(
        latitude, longitude, height, *ned(start), [1.0, 0.0, 0.0, 0.0], 0.0, 0.0, 0.0
    )
