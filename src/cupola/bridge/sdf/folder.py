"""A model.sdf, a world or a URDF becomes a vehicle folder: model.xml, vehicle.yaml, README.md, and what was lost."""

import math
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import mujoco
import yaml

from cupola.bridge.lost import not_carried_over
from cupola.bridge.sdf.build import Builder, Built
from cupola.bridge.sdf.check import suspicions
from cupola.bridge.sdf.document import Document
from cupola.bridge.sdf.meshes import Meshes
from cupola.bridge.sdf.node import Node, read_node
from cupola.bridge.sdf.plugins import Carried, carry
from cupola.bridge.sdf.pose import chain
from cupola.bridge.sdf.robot import Robot
from cupola.bridge.sdf.urdf import read_urdf
from cupola.bridge.sdf.world import Setting, read_setting
from cupola.config.vehicle import read_vehicle
from cupola.physics.rotation import euler_from_quaternion
from cupola.schema.input_files import InputError, boundary

SUFFIXES = (".sdf", ".world", ".urdf", ".xacro")


class Imported(NamedTuple):
    """What was written, what was not, and what looks wrong."""

    folder: Path
    lost: list[tuple[str, str]]
    warnings: list[str]
    run: Path
    """What to give `cupola run`."""
    renamed: Sequence[tuple[str, str]] = ()
    """Meshes that are not called as in the source, and why."""


def import_file(source: Path, target: Path, model: str | None = None, folders: tuple[Path, ...] = ()) -> Imported:
    """Read `source` and write the vehicle folder `target`, which must not exist."""
    if target.exists():
        raise InputError(f"{target} exists already; nothing was written, choose another --out")
    if source.suffix not in SUFFIXES:
        raise InputError(f"{source}: expected a file ending in {', '.join(SUFFIXES)}")
    lost: list[tuple[str, str]] = []
    with boundary(source, "cannot be imported"):
        if source.suffix in (".urdf", ".xacro"):
            setting = Setting(read_urdf(source, list(folders), lost), None)
            roots = [plugin for _, plugin in setting.robot.plugins]
        else:
            document = Document(source, list(folders))
            lost, roots = document.lost, document.roots
            setting = read_setting(document, model)
    try:
        with boundary(source, "cannot be imported"):
            return _write(source, target, setting, lost, roots)
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        raise


def _write(source: Path, target: Path, setting: Setting, lost: list[Any], roots: list[Node]) -> Imported:
    robot, meshes = setting.robot, Meshes(target / "meshes")
    target.mkdir(parents=True)
    built = Builder(robot, meshes, lost).build()
    carried = carry(robot.plugins, built, lost)
    ET.indent(built.mjcf)
    text = ET.tostring(built.mjcf, encoding="unicode") + "\n"
    (target / "model.xml").write_text(text, encoding="utf-8")
    try:
        compiled = mujoco.MjModel.from_xml_path(str(target / "model.xml"))
    except ValueError as error:
        raise InputError(f"{source}: MuJoCo refuses the model: {' '.join(str(error).split())}") from error
    off = meshes.compare(compiled)
    lost += _unread(roots)
    warnings = suspicions(robot, carried.parts)
    (target / "vehicle.yaml").write_text(_yaml(_vehicle(source, robot, built, carried)), encoding="utf-8")
    try:
        read_vehicle(target / "vehicle.yaml")
    except InputError as error:
        raise InputError(f"{source}: what it says makes no vehicle: {error}") from None
    run = target / "vehicle.yaml"
    if setting.scenario is not None:
        run = target / "scenario.yaml"
        run.write_text(_yaml(_scenario(source, robot, setting.scenario)), encoding="utf-8")
    about = _config(source, roots)
    sections = [*_mesh_lines(meshes, off), *not_carried_over(lost)]
    (target / "README.md").write_text(_readme(source, built, compiled, warnings, about, sections), encoding="utf-8")
    return Imported(target, lost, warnings, run, meshes.renamed)


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


def _readme(source: Path, built: Built, model: Any, warnings: list[str], about: list[str], sections: list[str]) -> str:
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    root = model.body(built.root).id
    centre = ", ".join(f"{x:.4f}" for x in data.subtree_com[root] - data.xpos[root])
    return "\n".join(
        [
            f"# {source.stem if source.stem != 'model' else source.parent.resolve().name}",
            "",
            f"Imported from `{source.name}` by `cupola import`. Numbers are those of the file, unchanged.",
            "",
            *about,
            "",
            f"{model.nbody - 1} links, {len(built.joints)} joints that move, {model.body_subtreemass[root]:.4f} kg,",
            f"centre of mass ({centre}) m from the origin of `{built.root}`.",
            "",
            "## Looks wrong in the source",
            "",
            *([f"- {warning}" for warning in warnings] or ["Nothing that we check."]),
            "",
            *sections,
        ]
    )
