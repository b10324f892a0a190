"""The drones of gym-pybullet-drones: a URDF with <properties kf= km= thrust2weight=> and links `prop0_link` to ...

Thrust and torque are kf and km times the square of the turns per minute. The file does not say which way a propeller
turns; that program has the even ones counterclockwise, and the other way round for its racer.
"""

import math
import re

from cupola.bridge.sdf.carried import Carried
from cupola.bridge.sdf.motors import X_TO_Z
from cupola.bridge.sdf.node import Node
from cupola.bridge.sdf.pose import Pose
from cupola.bridge.tolerant_numbers import tolerant_numbers

PROPELLER = re.compile(r"prop(\d+)_link")
RACER = "racer"
PER_MINUTE = 2.0 * math.pi / 60.0
GRAVITY = 9.8
"""[m/s²] by which that program turns `thrust2weight` into a speed."""
READ = ("kf", "km", "thrust2weight", "drag_coeff_xy")
NAMED = ("arm", "max_speed_kmh")
"""What follows from the places of the links, and what only its own controllers heed."""


def carry_properties(node: Node, carried: Carried) -> None:
    """A rotor at the centre of mass of each propeller's link."""
    found = {int(name[1]): link for link in carried.robot.links if (name := PROPELLER.fullmatch(link))}
    given = {key: _number(node, key, carried) for key in READ if node.element.get(key) is not None}
    mass = sum(link.mass for link in carried.robot.links.values())
    if not found or not all(given.get(key, 0.0) > 0.0 for key in READ[:3]) or mass <= 0.0:
        wanted = "kf, km and thrust2weight above 0, a mass, and links prop0_link, prop1_link ..."
        carried.report.lose(str(node), f"no counterpart: rotors follow from {wanted}")
        return
    fastest = math.sqrt(given["thrust2weight"] * mass * GRAVITY / (len(found) * given["kf"]))
    even = -1 if RACER in carried.robot.name else 1
    for k, link in sorted(found.items()):
        ours = carried.built.bodies[link]
        site = carried.site(ours, f"{link}_shaft", Pose(carried.robot.links[link].com.pos, X_TO_Z))
        numbers = {
            "max_rot_velocity": fastest * PER_MINUTE,
            "motor_constant": given["kf"] / PER_MINUTE**2,
            "moment_constant": given["km"] / given["kf"],
            "time_constant_up": 0.0,
            "time_constant_down": 0.0,
            "rotor_drag_coefficient": given.get("drag_coeff_xy", 0.0),
            "rolling_moment_coefficient": 0.0,
            "axis_x": 1.0,
            "axis_y": 0.0,
            "axis_z": 0.0,
        }
        direction = even if k % 2 == 0 else -even
        carried.add(link, {"kind": "rotor", "site": site, "channel": k, "direction": direction, "gazebo": numbers})
    turns = "even ones counterclockwise from above" if even > 0 else "odd ones counterclockwise from above"
    carried.report.assume("propellers", f"{turns}, as gym-pybullet-drones has it; the file does not say")
    left = [key for key in node.element.attrib if key not in (*READ, *NAMED)]
    if left:
        carried.report.lose(f"{node}: {', '.join(left)}", "ground effect, downwash and drag along z are its own laws")


def _number(node: Node, key: str, carried: Carried) -> float:
    return tolerant_numbers(node.element.attrib[key], 1, f"{node}: {key}", carried.report)[0]
