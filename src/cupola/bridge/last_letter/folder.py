"""A model folder of Last_letter_2 becomes a vehicle folder: model.xml, vehicle.yaml, README.md, and what was lost."""

import math
import re
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import mujoco
import yaml

from cupola.bridge.last_letter.parts import read_airfoils, read_motors
from cupola.bridge.last_letter.robot import ROOT, convert
from cupola.bridge.last_letter.values import Lost, Values
from cupola.bridge.last_letter.xacro import read_robot
from cupola.bridge.lost import not_carried_over
from cupola.schema.input_files import InputError, boundary

FUNCTIONS = {
    "roll": "roll_in_chan",
    "pitch": "pitch_in_chan",
    "yaw": "yaw_in_chan",
    "throttle": "throttle_in_chan",
    "camera_angle": "camera_angle_chan",
    "laser_angle": "laser_angle_chan",
    "drop_box": "spawn_can_chan",
    "remove_boxes": "despawn_cans_chan",
    "reset": "reset_sim_chan",
}
STEERED = {"camera_angle": ("camera_joint", 4, 2.0), "laser_angle": ("laser_joint", 5, 1.0)}
"""Joint, command channel and limit [rad] of what can be steered: Last_letter_2 §2.8."""
ARMATURE, QUICKNESS = 1e-3, 20.0
"""Of an actuator that Last_letter_2 does not have: inertia [kg m²] and natural frequency [rad/s], critically damped."""
READ = {"init.yaml", "channel_mix.yaml", "aerodynamics.yaml", "propulsion.yaml", "urdf"}
UNKNOWN = "there is nothing it would change here"


class Imported(NamedTuple):
    """What was written, and what was not."""

    folder: Path
    lost: list[Lost]


def import_folder(source: Path, target: Path) -> Imported:
    """Read `source` and write the vehicle folder `target`, which must not exist."""
    if not source.is_dir():
        raise InputError(f"{source}: no such folder; expected a model folder of Last_letter_2")
    if target.exists():
        raise InputError(f"{target} exists already; nothing was written, choose another --out")
    with boundary(source, "cannot be imported"):
        return _import(source, target)


def _import(source: Path, target: Path) -> Imported:
    lost: list[Lost] = []
    vehicle = _vehicle(source, lost)
    path = find_urdf(source)
    robot = convert(read_robot(path), source.resolve().name, path.name, lost)
    _check(vehicle["parts"], robot.links, path)
    _steer(vehicle, robot.mjcf, lost)
    lost += [(str(f.relative_to(source)), "not read") for f in sorted(source.iterdir()) if f.name not in READ]
    ET.indent(robot.mjcf)
    text = ET.tostring(robot.mjcf, encoding="unicode") + "\n"
    try:
        model = mujoco.MjModel.from_xml_string(text)
    except ValueError as error:
        raise InputError(f"{path}: MuJoCo refuses the model: {' '.join(str(error).split())}") from error
    target.mkdir(parents=True)
    (target / "model.xml").write_text(text, encoding="utf-8")
    (target / "vehicle.yaml").write_text(_yaml(vehicle), encoding="utf-8")
    (target / "README.md").write_text(_readme(source.resolve().name, model, lost), encoding="utf-8")
    return Imported(target, lost)


def find_urdf(source: Path) -> Path:
    """The robot of a model folder."""
    names = ("urdf/model.urdf.xacro", "urdf/model.urdf", "model.urdf.xacro", "model.urdf")
    for name in names:
        if (source / name).is_file():
            return source / name
    raise InputError(f"{source}: there is no urdf/model.urdf.xacro and no urdf/model.urdf")


def _vehicle(source: Path, lost: list[Lost]) -> dict[str, Any]:
    aero, prop = Values(source / "aerodynamics.yaml"), Values(source / "propulsion.yaml")
    parts = {**read_airfoils(aero, lost), **read_motors(prop, lost)}
    mix, init = Values(source / "channel_mix.yaml", "channels"), Values(source / "init.yaml", "init")
    vehicle = {
        "about": f"{source.resolve().name}, imported from Last_letter_2",
        "mjcf": "model.xml",
        "root": ROOT,
        "parts": parts,
        "controller": {"use": _controller(parts, lost), "rate_hz": 400},
        "channel_mix": {ours: mix.integer(theirs, default=-1) for ours, theirs in FUNCTIONS.items()},
        "start": {
            "position": init.numbers("position", count=3, default=[0.0] * 3),
            "attitude_deg": [math.degrees(a) for a in init.numbers("orientation", count=3, default=[0.0] * 3)],
            "velocity_b": init.numbers("velLin", count=3, default=[0.0] * 3),
            "rate_b": init.numbers("velAng", count=3, default=[0.0] * 3),
        },
    }
    for values in (aero, prop, mix, init):
        lost += values.left(UNKNOWN)
    return vehicle


def _controller(parts: dict[str, Any], lost: list[Lost]) -> str:
    """Last_letter_2 names the controller in its launch file, not in the model folder."""
    motors = [part for part in parts.values() if part["kind"] == "rotor"]
    quad = len(motors) == len(parts) == 4 and sorted(m["channel"] for m in motors) == [0, 1, 2, 3]
    use = "quadcopter_pd" if quad else "pass_through"
    lost.append(("controller", f"a launch file names it; {use} was written, see `cupola list` for others"))
    return use


def _check(parts: dict[str, Any], links: list[str], path: Path) -> None:
    for name in parts:
        if name not in links:
            have = [link for link in links if re.fullmatch(r"(airfoil|motor)\d+", link)]
            raise InputError(f"{path}: there is no link {name!r} for the part; there are: {', '.join(have) or 'none'}")


def _steer(vehicle: dict[str, Any], mjcf: ET.Element, lost: list[Lost]) -> None:
    """Let the camera and the laser follow their channels: an actuator on the joint, a servo part before it."""
    for function, (joint, channel, limit) in STEERED.items():
        if vehicle["channel_mix"][function] < 0:
            continue
        place = f"channel_mix.yaml: {FUNCTIONS[function]}"
        found = next((element for element in mjcf.iter("joint") if element.get("name") == joint), None)
        if found is None:
            lost.append((place, f"there is no joint {joint} to turn"))
            continue
        found.set("armature", repr(ARMATURE))
        actuators = mjcf.find("actuator")
        actuators = ET.SubElement(mjcf, "actuator") if actuators is None else actuators
        stiffness = repr(ARMATURE * QUICKNESS**2)
        ET.SubElement(actuators, "position", {"name": joint, "joint": joint, "kp": stiffness, "dampratio": "1"})
        servo = {"kind": "servo", "channel": channel, "actuator": joint, "low": -limit, "high": limit}
        vehicle["parts"][joint] = servo
        lost.append((place, f"{joint} follows within {3 / QUICKNESS:.1g} s; there the angle is set at once"))


def _yaml(vehicle: dict[str, Any]) -> str:
    """Lists of numbers and small groups on one line."""
    return yaml.safe_dump(vehicle, sort_keys=False, width=110, default_flow_style=None)


def _readme(name: str, model: Any, lost: list[Lost]) -> str:
    root = model.body(ROOT).id
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    centre = ", ".join(f"{x:.4f}" for x in data.subtree_com[root])
    return "\n".join(
        [
            f"# {name}",
            "",
            "Imported from a model folder of Last_letter_2 by `cupola import`. Mass, inertia and shapes",
            "come from its URDF, coefficients and channels from its YAML files, unchanged. World x, y, z keep their",
            "numbers: what it calls north, west, up is called east, north, up here.",
            "",
            f"Mass {model.body_subtreemass[root]:.4f} kg, centre of mass ({centre}) m from `{ROOT}`.",
            "",
            *not_carried_over(lost),
        ]
    )
