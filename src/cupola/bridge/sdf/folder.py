"""A model.sdf, a world or a URDF becomes a vehicle folder: model.xml, vehicle.yaml, README.md, and what was lost."""

import math
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import mujoco
import yaml

from cupola.bridge.new_folder import new_folder
from cupola.bridge.outcome import Imported
from cupola.bridge.report import Report
from cupola.bridge.sdf.build import Builder, Built
from cupola.bridge.sdf.check import suspicions
from cupola.bridge.sdf.document import Document
from cupola.bridge.sdf.meshes import Meshes
from cupola.bridge.sdf.node import Node, read_node
from cupola.bridge.sdf.plugins import Carried, carry
from cupola.bridge.sdf.pose import chain
from cupola.bridge.sdf.robot import Robot
from cupola.bridge.sdf.sensors import add_sensors
from cupola.bridge.sdf.urdf import read_urdf
from cupola.bridge.sdf.world import Setting, read_setting
from cupola.config.vehicle import read_vehicle
from cupola.physics.rotation import euler_from_quaternion
from cupola.schema.input_files import InputError, boundary

SUFFIXES = (".sdf", ".world", ".urdf", ".xacro")


def import_file(source: Path, target: Path, model: str | None = None, folders: tuple[Path, ...] = ()) -> Imported:
    """Read `source` and write the vehicle folder `target`, which must not exist."""
    if source.suffix not in SUFFIXES:
        raise InputError(f"{source}: expected a file ending in {', '.join(SUFFIXES)}")
    report = Report()
    with boundary(source, "cannot be imported"), new_folder(target) as folder:
        if source.suffix in (".urdf", ".xacro"):
            setting = Setting(read_urdf(source, list(folders), report.lost), None)
            roots = [node for _, node in (*setting.robot.plugins, *setting.robot.sensors)]
        else:
            document = Document(source, list(folders), report)
            roots = document.roots
            setting = read_setting(document, model)
        run = _write(source, folder, setting, report, roots)
    return Imported(target, report, target / run)


def _write(source: Path, target: Path, setting: Setting, report: Report, roots: list[Node]) -> str:
    """All files of the vehicle folder; returns the name of the one to run."""
    robot, meshes = setting.robot, Meshes(target / "meshes")
    built = Builder(robot, meshes, report).build()
    carried = carry(robot.plugins, built, report.lost)
    placed = [(built.bodies[link], sensor) for link, sensor in robot.sensors if link in built.bodies]
    carried.parts.update(add_sensors(placed, built.mjcf, report))
    ET.indent(built.mjcf)
    text = ET.tostring(built.mjcf, encoding="unicode") + "\n"
    (target / "model.xml").write_text(text, encoding="utf-8")
    try:
        compiled = mujoco.MjModel.from_xml_path(str(target / "model.xml"))
    except ValueError as error:
        raise InputError(f"{source}: MuJoCo refuses the model: {' '.join(str(error).split())}") from error
    off = meshes.compare(compiled)
    report.renamed += meshes.renamed
    report.lost += _unread(roots)
    report.warnings += suspicions(robot, carried.parts)
    (target / "vehicle.yaml").write_text(_yaml(_vehicle(source, robot, built, carried)), encoding="utf-8")
    try:
        read_vehicle(target / "vehicle.yaml")
    except InputError as error:
        raise InputError(f"{source}: what it says makes no vehicle: {error}") from None
    run = "vehicle.yaml"
    if setting.scenario is not None:
        run = "scenario.yaml"
        (target / run).write_text(_yaml(_scenario(source, robot, setting.scenario)), encoding="utf-8")
    sections = [*_mesh_lines(meshes, off), *report.sections()]
    about = _config(source, roots)
    (target / "README.md").write_text(_readme(source, built, compiled, about, sections), encoding="utf-8")
    report.write(target, source=source.name)
    return run


def _vehicle(source: Path, robot: Robot, built: Built, carried: Carried) -> dict[str, Any]:
    scoped = {name: scoped for scoped, name in built.bodies.items()}
    at = chain(robot.pose, robot.links[scoped[built.root]].pose)
    vehicle: dict[str, Any] = {
        "about": f"{robot.name}, imported from {source.name}",
        "mjcf": "model.xml",
        "root": built.root,
        "parts": carried.parts,
        "controller": {"use": carried.controller, "rate_hz": 100},
    }
    if built.mjcf.find("worldbody/body/freejoint") is not None:
        angles = [math.degrees(angle) for angle in euler_from_quaternion(at.quat)]
        vehicle["start"] = {"position": list(at.pos), "attitude_deg": angles}
    return vehicle


def _scenario(source: Path, robot: Robot, around: dict[str, Any]) -> dict[str, Any]:
    name = re.sub(r"\W", "_", robot.name)
    # Velocity servos as stiff as Gazebo's need an integrator that knows of them.
    fixed = {"about": f"{source.name}, imported", "duration": 60, "integrator": "implicitfast"}
    return {**fixed, **around, "vehicles": [{"model": ".", "name": name}]}


def _unread(roots: list[Node]) -> list[tuple[str, str]]:
    """Elements that nobody asked for; alike ones of several links or joints are one row."""
    rows: dict[tuple[str, str], list[str]] = {}
    for root in roots:
        for node in root.left():
            where = re.sub(r"/(link|joint|collision|visual|model) [^/]*", r"/\1 *", node.path)
            rows.setdefault((f"{node.file.name}: {where.strip('/')}", node.summary()), []).append(str(node))
    listed = []
    for (where, what), nodes in rows.items():
        name = nodes[0] if len(nodes) == 1 else f"{where} ({len(nodes)} times)"
        listed.append((name, f"not read: {what}" if what else "not read"))
    return listed


def _config(source: Path, roots: list[Node]) -> list[str]:
    """What the model.config beside a model says about it."""
    lines = []
    for folder in dict.fromkeys([source.parent, *(root.file.parent for root in roots)]):
        if not (folder / "model.config").is_file():
            continue
        config = read_node(folder / "model.config", "model")
        author = " ".join(one.say("name") for one in config.all("author"))
        lines += [f"- **{config.say('name')}** {config.say('version')}, by {author or 'nobody named'}"]
        lines += [f"- SDF {one.element.get('version', '?')}: `{one.text}`" for one in config.all("sdf")]
        lines += [f"- {config.say('description')}"]
    return lines


def _yaml(content: dict[str, Any]) -> str:
    return yaml.safe_dump(content, sort_keys=False, width=110, default_flow_style=None)


def _mesh_lines(meshes: Meshes, off: float) -> list[str]:
    """Where each mesh comes from: a section of the README."""
    if not meshes.made:
        return []
    rows = [
        f"| {mesh.name} | {mesh.file} | {mesh.source.resolve().parent.name}/{mesh.source.name} | {scale} |"
        for mesh in meshes.made.values()
        for scale in [" ".join(f"{s:g}" for s in mesh.scale)]
    ]
    said = (
        f"After compiling each was compared with its source: the corners of its box lie within {off:.1g} of its extent."
    )
    return ["## Meshes", "", said, "", "| mesh | file | source | scale |", "|---|---|---|---|", *rows, ""]


def _readme(source: Path, built: Built, model: Any, about: list[str], sections: list[str]) -> str:
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    root = model.body(built.root).id
    centre = ", ".join(f"{x:.4f}" for x in data.subtree_com[root] - data.xpos[root])
    return "\n".join(
        [
            f"# {source.stem if source.stem != 'model' else source.parent.resolve().name}",
            "",
            f"Imported from `{source.name}` by `cupola import`. Its numbers are the file's, but for the repairs.",
            "",
            *about,
            "",
            f"{model.nbody - 1} links, {len(built.joints)} joints that move, {model.body_subtreemass[root]:.4f} kg,",
            f"centre of mass ({centre}) m from the origin of `{built.root}`.",
            "",
            *sections,
        ]
    )
