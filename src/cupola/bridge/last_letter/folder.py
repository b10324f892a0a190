"""A model folder of Last_letter_2 becomes a vehicle folder, with what its package keeps beside the models."""

import math
import re
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import mujoco

from cupola.bridge.last_letter.fitting import ROOT, fit_robot, steer_mounts
from cupola.bridge.last_letter.parts import read_airfoils, read_motors
from cupola.bridge.last_letter.pilots import choose_law, set_sticks
from cupola.bridge.last_letter.surroundings import find_shared, read_joystick, read_scenario
from cupola.bridge.last_letter.values import Values
from cupola.bridge.last_letter.xacro import read_robot
from cupola.bridge.new_folder import new_folder
from cupola.bridge.outcome import Imported
from cupola.bridge.report import Report
from cupola.bridge.sdf.build import Builder, Built
from cupola.bridge.sdf.meshes import Meshes
from cupola.bridge.sdf.sensors import add_sensors
from cupola.bridge.sdf.urdf import read_urdf
from cupola.bridge.vehicle_text import vehicle_text
from cupola.config.vehicle import read_vehicle
from cupola.schema.input_files import InputError, boundary, finite, looks

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
YAML = ("init.yaml", "channel_mix.yaml", "aerodynamics.yaml", "propulsion.yaml")
URDF = ("urdf/model.urdf.xacro", "urdf/model.urdf", "model.urdf.xacro", "model.urdf")
UNKNOWN = "there is nothing it would change here"
HAND = "your sticks (pass_through), as in the source"
HAND_HZ = 400
"""[Hz] of the controllers, where physics allow it."""


def is_model_folder(source: Path) -> bool:
    """Whether a folder is one of Last_letter_2."""
    return any((source / name).is_file() for name in YAML[2:])


def folder_of(file: Path) -> Path | None:
    """The model folder that a file is the robot, or one of the YAML files, of; None if it is not."""
    for folder in (file.parent, file.parent.parent):
        if is_model_folder(folder) and file in [folder / name for name in (*YAML, *URDF)]:
            return folder
    return None


def models_in(source: Path) -> list[str]:
    """Model folders in a folder, or in its `models`."""
    folders = [*source.iterdir(), *((source / "models").iterdir() if (source / "models").is_dir() else [])]
    return sorted(str(folder.relative_to(source)) for folder in folders if looks(partial(is_model_folder, folder)))


def import_folder(source: Path, target: Path, folders: tuple[Path, ...] = (), find_sticks: bool = True) -> Imported:
    """Read `source` and write the vehicle folder `target`, which must not exist.

    `find_sticks`: ask the compiled plane where its sticks must be to fly level, which takes seconds.
    """
    if not source.is_dir():
        raise InputError(f"{source}: no such folder; expected a model folder of Last_letter_2")
    if not is_model_folder(source):
        if inside := models_in(source):
            raise InputError(f"{source}: holds the models {', '.join(inside)}: name one of them, {source / inside[0]}")
        there = ", ".join(sorted(path.name for path in source.iterdir())) or "nothing"
        raise InputError(f"{source}: no model in it: no SDF, no aerodynamics.yaml; there is: {there}")
    report = Report()
    with boundary(source, "cannot be imported"), new_folder(target) as folder:
        what, flown_by = _import(source, folder, folders, report, find_sticks)
    return Imported(target, report, target / "scenario.yaml", what, flown_by)


def find_urdf(source: Path) -> Path:
    """The robot of a model folder."""
    for name in URDF:
        if (source / name).is_file():
            return source / name
    raise InputError(f"{source}: there is no urdf/model.urdf.xacro and no urdf/model.urdf")


def _import(
    source: Path, folder: Path, folders: tuple[Path, ...], report: Report, find_sticks: bool
) -> tuple[str, str]:
    name, path, places = source.resolve().name, find_urdf(source), find_shared(source, folders)
    vehicle = _vehicle(source, report)
    scenario = read_scenario(places, vehicle["channel_mix"]["drop_box"] >= 0, report)
    vehicle["controller"]["rate_hz"] = math.gcd(HAND_HZ, scenario["physics_hz"])
    built, meshes = _build(path, places, folder, vehicle, report)
    text = _mjcf_text(built)
    (folder / "model.xml").write_text(text, encoding="utf-8")
    try:
        model = mujoco.MjModel.from_xml_path(str(folder / "model.xml"))
    except ValueError as error:
        raise InputError(f"{path}: MuJoCo refuses the model: {' '.join(str(error).split())}") from error
    meshes.compare(model)
    report.renamed += meshes.renamed
    report.say_what_lies_elsewhere((mesh.source for mesh in meshes.made.values()), [source, *folders])
    report.lost += [(str(f.relative_to(source)), "not read") for f in sorted(source.iterdir()) if not _is_read(f)]
    flown_by = choose_law(vehicle, model, scenario["physics_hz"], report)
    _write_vehicle(folder, vehicle, source)
    if not flown_by:
        flown_by = set_sticks(vehicle, folder, scenario, report) if find_sticks else HAND
        _write_vehicle(folder, vehicle, source)
    if any(part["kind"] == "camera" for part in vehicle["parts"].values()):
        scenario["record"] = {"pictures": "none"}
        report.assume("pictures of the camera", "not recorded; `record: {pictures: raw}` of the scenario records them")
    entry = {"model": ".", "name": re.sub(r"\W", "_", name, flags=re.ASCII)}
    around = {"about": f"{name} of Last_letter_2, imported", "duration": 40, **scenario, "vehicles": [entry]}
    (folder / "scenario.yaml").write_text(vehicle_text(around), encoding="utf-8")
    joystick = read_joystick(places, report)
    if joystick is not None:
        (folder / "joystick.yaml").write_text(vehicle_text(joystick), encoding="utf-8")
        report.assume("HID.yaml", "joystick.yaml: cupola run ... --joystick --map joystick.yaml")
    what = _what(name, vehicle, model)
    (folder / "README.md").write_text(_readme(name, model, flown_by, report), encoding="utf-8")
    report.write(folder, source=name, what=what, flown_by=flown_by)
    return what, flown_by


def _is_read(path: Path) -> bool:
    return path.name in (*YAML, "urdf") or path.name in URDF


def _vehicle(source: Path, report: Report) -> dict[str, Any]:
    aero, prop = Values(source / "aerodynamics.yaml"), Values(source / "propulsion.yaml")
    parts = {**read_airfoils(aero, report), **read_motors(prop, report)}
    mix, init = Values(source / "channel_mix.yaml", "channels"), Values(source / "init.yaml", "init")
    vehicle = {
        "about": f"{source.resolve().name}, imported from Last_letter_2",
        "mjcf": "model.xml",
        "root": ROOT,
        "parts": parts,
        "controller": {"use": "pass_through", "rate_hz": HAND_HZ},
        "channel_mix": {ours: mix.integer(theirs, default=-1) for ours, theirs in FUNCTIONS.items()},
        "start": {
            "position": init.numbers("position", count=3, default=[0.0] * 3),
            "attitude_deg": [math.degrees(a) for a in init.numbers("orientation", count=3, default=[0.0] * 3)],
            "velocity_b": init.numbers("velLin", count=3, default=[0.0] * 3),
            "rate_b": init.numbers("velAng", count=3, default=[0.0] * 3),
        },
    }
    for values in (aero, prop, mix, init):
        report.lost += values.left(UNKNOWN)
    return vehicle


def _build(
    path: Path, places: list[Path], folder: Path, vehicle: dict[str, Any], report: Report
) -> tuple[Built, Meshes]:
    """The MJCF with its mounts and sensors; what the URDF cannot say here, and Last_letter_2 can, is not listed."""
    reading = Report()
    robot = fit_robot(read_urdf(path, [*places, *path.resolve().parents[:6]], reading, ROOT), report)
    report.repaired += reading.repaired
    report.assumed += reading.assumed
    report.lost += [row for row in reading.lost if "limit velocity" not in row[0]]
    for _, plugin in robot.plugins:
        report.lose(str(plugin), f"{plugin.element.get('filename', '?')}: what it does there, the parts do here")
    meshes = Meshes(folder / "meshes")
    built = Builder(robot, meshes, report).build()
    _check(vehicle["parts"], list(built.bodies), path)
    speeds = {
        joint.get("name", "").strip(): finite(limit.get("velocity", "")) or 0.0
        for joint in read_robot(path).findall("joint")
        for limit in joint.findall("limit")
    }
    steer_mounts(vehicle, built, speeds, report)
    vehicle["parts"] |= add_sensors([(built.bodies[link], node) for link, node in robot.sensors], built.mjcf, report)
    return built, meshes


def _check(parts: dict[str, Any], links: list[str], path: Path) -> None:
    for name in parts:
        if name not in links:
            have = [link for link in links if re.fullmatch(r"(airfoil|motor)\d+", link)]
            raise InputError(f"{path}: there is no link {name!r} for the part; there are: {', '.join(have) or 'none'}")


def _mjcf_text(built: Built) -> str:
    ET.indent(built.mjcf)
    return ET.tostring(built.mjcf, encoding="unicode") + "\n"


def _write_vehicle(folder: Path, vehicle: dict[str, Any], source: Path) -> None:
    order = ("about", "mjcf", "root", "parts", "controller", "assisted", "raw", "channel_mix", "start")
    text = vehicle_text({key: vehicle[key] for key in order if key in vehicle})
    (folder / "vehicle.yaml").write_text(text, encoding="utf-8")
    try:
        read_vehicle(folder / "vehicle.yaml")
    except InputError as error:
        raise InputError(f"{source}: what it says makes no vehicle: {error}") from None


def _what(name: str, vehicle: dict[str, Any], model: Any) -> str:
    """A sentence: what it is."""
    kinds = [part["kind"] for part in vehicle["parts"].values()]
    family = "a plane" if "airfoil" in kinds else "a multirotor" if "rotor" in kinds else "a model without parts"
    mass = float(model.body_subtreemass[model.body(ROOT).id])
    counted = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds))
    return f"{name}, {family} of {mass:.4g} kg: {counted or 'no parts'}"


def _readme(name: str, model: Any, flown_by: str, report: Report) -> str:
    root = model.body(ROOT).id
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    centre = ", ".join(f"{x:.4f}" for x in data.subtree_com[root])
    lines = [
        f"# {name}",
        "",
        "Imported from a model folder of Last_letter_2 by `cupola import`. Mass, inertia and shapes come from its",
        "URDF, coefficients and channels from its YAML files, unchanged but for the repairs below. World x, y, z keep",
        "their numbers: what it calls north, west, up is called east, north, up here. `scenario.yaml` has its rates,",
        "air and world, `joystick.yaml` its joystick.",
        "",
        f"Mass {model.body_subtreemass[root]:.4f} kg, centre of mass ({centre}) m from `{ROOT}`. Flown by {flown_by}.",
        "",
    ]
    return "\n".join([*lines, *report.sections()])
