"""Sheets of a family of robots: the hand of an arm, the drive of a base, the polar and the energy of a wing."""

from typing import Any

import numpy as np

from cupola.config.vehicle import Vehicle as VehicleFile
from cupola.physics.mecanum import Mecanum, Wheels, wheel_speeds
from cupola.physics.planar import Twist
from cupola.record.decode import Table
from cupola.record.draw import Line, Panel
from cupola.record.sheets import DEG, REPORTS, Topic, Vehicle, each
from cupola.schema.yaml_files import InputError, parse

WHEELS = {"front right": "fr", "front left": "fl", "rear left": "rl", "rear right": "rr"}
LIFT = "lift coefficient"
G = 9.81
"""[m/s²] with which energies are told as heights."""


def hand(vehicle: Vehicle) -> list[Panel]:
    """Hand of an arm, its set-point, target and force; for controllers that report `hand`."""
    panels: list[Panel] = []
    for topic in vehicle.having("hand.x", "hand.y", "error.x", "error.y"):
        table, time = topic.table, topic.table["stamp"]
        wanted = [table["hand.x"], table["hand.y"]]
        place = [_seen(table, "hand", axis, table[f"hand.{axis}"] + table[f"error.{axis}"]) for axis in "xy"]
        target = [_seen(table, "target", axis, np.full(len(time), np.nan)) for axis in "xy"]
        off = 1000.0 * np.hypot(table["error.x"], table["error.y"])
        over = [Line(time, values, axis, k) for k, (axis, values) in enumerate(zip("xy", place, strict=True))]
        over += [Line(time, values, "" if k else "desired", k, True) for k, values in enumerate(wanted)]
        path = [Line(place[0], place[1], "hand", 0), Line(wanted[0], wanted[1], "desired", 1, True)]
        if np.isfinite(target).any():
            path.append(Line(target[0], target[1], "target", 2))
            over += [Line(time, values, "" if k else "target", 2) for k, values in enumerate(target)]
        panels += [
            Panel("Hand from above", "y [m]", path, "x [m]"),
            Panel("Hand", "[m]", over),
            Panel("Hand off its desired place", "[mm]", [Line(time, off, "", 1)]),
            Panel("Force on the target", "[N]", _forces(vehicle, topic)),
        ]
    return panels


def _seen(table: Table, body: str, axis: str, otherwise: Any) -> Any:
    """[m] position of a body as measured by the controller, if reported; also without a set-point of the hand."""
    return table.get(f"seen.{body}.{axis}", otherwise)


def _forces(vehicle: Vehicle, topic: Topic) -> list[Line]:
    """Measured force of the hand and its set-point, from the first set-point on: before, the sensor is not tared."""
    wants = topic.table["stamp"][np.isfinite(topic.table["hand.x"])]
    begin = wants[0] if len(wants) else -np.inf
    named = {"push": "along the normal", "push_wanted": "desired"}
    found = [
        Line(topic.table["stamp"], topic.table[key], label, k, k > 0)
        for k, (key, label) in enumerate(named.items())
        if key in topic.table
    ]
    for name, kind in vehicle.recording.topics.items():
        if kind.endswith("/WrenchStamped") and name.startswith(f"/{vehicle.name}/"):
            table = vehicle.recording.table(name)
            size = np.sqrt(sum(table[f"wrench.force.{axis}"] ** 2 for axis in "xyz"))
            size = np.where(table["stamp"] >= begin, size, np.nan)
            found.append(Line(table["stamp"], size, f"size at {name.removeprefix(f'/{vehicle.name}/')}", len(found)))
    return found


def drive(vehicle: Vehicle) -> list[Panel]:
    """Path of a Mecanum base and its reference, wheel speeds, and wheel slip."""
    encoders = _encoders(vehicle)
    if encoders is None or not vehicle.odometries:
        return []
    odometry = vehicle.odometries[0].table
    time = encoders["stamp"]
    speeds = [Line(time, encoders[f"velocity.{key}"], label, k) for k, (label, key) in enumerate(WHEELS.items())]
    path = [Line(odometry["pose.pose.position.x"], odometry["pose.pose.position.y"], "driven", 0)]
    told = [topic.table for topic in vehicle.having("path.x", "path.y") if topic.label == REPORTS]
    path += [Line(table["path.x"], table["path.y"], "desired", 1, True) for table in told]
    return [
        Panel("Path from above", "y [m]", path, "x [m]"),
        Panel("Wheel speed", "[rad/s]", speeds),
        Panel("Slip: wheel's rim less the ground under it", "[m/s]", slip(vehicle, encoders)),
    ]


def slip(vehicle: Vehicle, encoders: dict[str, np.ndarray]) -> list[Line]:
    """Speed of each wheel's rim less that with which no roller slips, as the base moves; empty if sizes are unknown."""
    sizes = _sizes(vehicle)
    if sizes is None:
        return []
    odometry, time = vehicle.odometries[0].table, encoders["stamp"]
    columns = ("twist.twist.linear.x", "twist.twist.linear.y", "twist.twist.angular.z")
    moved = Twist(*(np.interp(time, odometry["stamp"], odometry[column]) for column in columns))
    free = wheel_speeds(moved, sizes)
    turned = Wheels(*(encoders[f"velocity.{key}"] for key in WHEELS.values()))
    return [
        Line(time, sizes.radius * (w - f), label, k)
        for k, (w, f, label) in enumerate(zip(turned, free, WHEELS, strict=True))
    ]


def _encoders(vehicle: Vehicle) -> dict[str, np.ndarray] | None:
    for topic, kind in vehicle.recording.topics.items():
        if kind == "cupola_msgs/msg/Encoders" and topic.startswith(f"/{vehicle.name}/"):
            table = vehicle.recording.table(topic)
            return table if len(table["time"]) else None
    return None


def _sizes(vehicle: Vehicle) -> Mecanum | None:
    """Radius from the vehicle file in the recording, track and wheelbase from where its wheels are."""
    texts = vehicle.recording.attachments
    try:
        parts = parse(texts[f"{vehicle.name}/vehicle.yaml"], "vehicle.yaml", VehicleFile).parts
    except (KeyError, InputError):
        return None
    for part in parts.values():
        radius, roller, bodies = getattr(part, "radius", None), getattr(part, "roller", None), part.wheel_bodies()
        if radius is None or len(bodies) != len(WHEELS):
            continue
        places = _places(vehicle, [f"{vehicle.name}/{body}" for body in bodies])
        if places is not None:
            track, base = np.linalg.norm(places[0] - places[1]), np.linalg.norm(places[1] - places[2])
            return Mecanum(radius, float(track), float(base), roller.slope if roller else 1.0)
    return None


def _places(vehicle: Vehicle, bodies: list[str]) -> np.ndarray | None:
    """Initial positions of bodies."""
    table = vehicle.recording.table("/tf", text=True) if "/tf" in vehicle.recording.topics else {}
    frames = {str(v[0]): path.split(".")[1] for path, v in table.items() if path.endswith("child_frame_id") and len(v)}
    if any(body not in frames for body in bodies):
        return None
    keys = [f"transforms.{frames[body]}.transform.translation" for body in bodies]
    return np.array([[table[f"{key}.{axis}"][0] for axis in "xyz"] for key in keys])


def polar(vehicle: Vehicle) -> list[Panel]:
    """Polar from the flight, and energy as height."""
    wings = vehicle.having("alpha", "c_lift", "c_drag")
    if not wings or not vehicle.odometries:
        return []
    odometry = vehicle.odometries[0].table
    time, height = odometry["stamp"], odometry["pose.pose.position.z"]
    u, v, w = (odometry[f"twist.twist.linear.{axis}"] for axis in "xyz")
    kinetic = (u**2 + v**2 + w**2) / (2.0 * G)
    energy = [
        Line(time, height + kinetic, "total", 0),
        Line(time, height, "potential", 2),
        Line(time, kinetic, "kinetic", 4),
    ]
    return [
        Panel("Polar", LIFT, [_curve(w, "c_drag", k) for k, w in enumerate(wings)], "drag coefficient"),
        Panel("Lift", LIFT, [_curve(w, "alpha", k, DEG) for k, w in enumerate(wings)], "angle of attack [deg]"),
        Panel("Energy, as height", "[m]", energy),
        Panel("Rotor power", "[W]", each(vehicle.having("thrust", "omega", "power"), "power")),
    ]


def _curve(wing: Topic, across: str, colour: int, factor: float = 1.0) -> Line:
    return Line(factor * wing.table[across], wing.table["c_lift"], wing.label, colour)


FAMILIES = {"hand": hand, "drive": drive, "polar and energy": polar}
