"""The frame in which a vehicle hovers, where its own root does not point up as its rotors do.

A tailsitter stands on its tail with its nose up, and some roots have z down, or y up. The root then becomes a part,
fixed in a new body whose z axis is that of the world at the start; its masses and places stay as they are. The same is
done for a plane whose propellers pull along another axis than x.
"""

import math
from typing import Any
from xml.etree import ElementTree as ET

import mujoco
import numpy as np

from cupola.bridge.pilot import LIFTS, RotorSite
from cupola.bridge.sdf.pose import matrix, text
from cupola.physics.rotation import Euler, quaternion_from_euler


def upright_frame(vehicle: dict[str, Any]) -> Any:
    """Axes of the upright frame in those of the root, as columns, at the start of a vehicle file."""
    up = _up(vehicle)
    # Ahead is the nose; of a vehicle whose nose points up or down, its back or its belly.
    ahead = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < LIFTS else np.array([0.0, 0.0, -math.copysign(1.0, up[0])])
    ahead = ahead - (ahead @ up) * up
    ahead /= np.linalg.norm(ahead)
    return np.column_stack([ahead, np.cross(up, ahead), up])


def nose_frame(vehicle: dict[str, Any], rotors: list[RotorSite]) -> Any:
    """The same with its x axis along the thrust of all rotors that push it ahead; None where they disagree."""
    up = _up(vehicle)
    level = [rotor.axis - (rotor.axis @ up) * up for rotor in rotors if abs(rotor.axis @ up) < 1.0 - LIFTS]
    if not level:
        return None
    ahead = np.sum(level, axis=0)
    ahead /= max(float(np.linalg.norm(ahead)), 1e-9)
    if min(float(one @ ahead) for one in level) < LIFTS:
        return None
    return np.column_stack([ahead, np.cross(up, ahead), up])


def _up(vehicle: dict[str, Any]) -> Any:
    angles = [math.radians(angle) for angle in vehicle.get("start", {}).get("attitude_deg", (0.0, 0.0, 0.0))]
    return matrix(quaternion_from_euler(Euler(*angles))).T @ np.array([0.0, 0.0, 1.0])


def seen_upright(rotors: list[RotorSite], axes: Any) -> list[RotorSite]:
    """The same rotors in the upright frame."""
    return [rotor._replace(place=axes.T @ rotor.place, axis=axes.T @ rotor.axis) for rotor in rotors]


def stand_up(mjcf: ET.Element, vehicle: dict[str, Any], axes: Any, called: str = "upright") -> str:
    """Put the root into a body that stands upright, which becomes the root of the vehicle; its name."""
    world: Any = mjcf.find("worldbody")
    body = next(one for one in world.findall("body") if one.get("name") == vehicle["root"])
    free: Any = body.find("freejoint")
    taken = {one.get("name") for one in mjcf.iter("body")} | {one.get("name") for one in mjcf.iter("site")}
    start = f"{vehicle['root']}_{called}"
    name = next(one for k in range(1000) if (one := start if k == 0 else f"{start}_{k}") not in taken)
    outer = ET.Element("body", {"name": name})
    body.remove(free)
    world.remove(body)
    world.append(outer)
    outer.append(free)
    outer.append(body)
    body.attrib.pop("pos", None)
    turned = np.zeros(4)
    mujoco.mju_mat2Quat(turned, np.ascontiguousarray(axes.T).ravel())
    body.set("quat", text(turned))
    placed = vehicle["start"]
    angles = [math.radians(angle) for angle in placed["attitude_deg"]]
    turn = matrix(quaternion_from_euler(Euler(*angles))) @ axes
    placed["attitude_deg"] = [0.0, 0.0, math.degrees(math.atan2(turn[1, 0], turn[0, 0]))]
    vehicle["root"] = name
    return name
