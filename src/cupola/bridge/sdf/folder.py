"""A model.sdf, a world or a URDF becomes a vehicle folder: model.xml, vehicle.yaml, README.md, and what was lost."""

import copy
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import mujoco
import yaml

from cupola.bridge.drop import left_alone
from cupola.bridge.new_folder import new_folder
from cupola.bridge.outcome import Imported
from cupola.bridge.pilot import (
    PHYSICS,
    Pilot,
    Shaft,
    can_hover,
    choose_pilot,
    controller_rate,
    direction_text,
    lifting_rotors,
    pushing_rotors,
    rotor_sites,
    weight,
)
from cupola.bridge.plane_pilot import AXES, PlanePilot
from cupola.bridge.report import Report
from cupola.bridge.sdf.blades import add_shafts
from cupola.bridge.sdf.build import Builder, Built
from cupola.bridge.sdf.carried import Carried
from cupola.bridge.sdf.check import suspicions
from cupola.bridge.sdf.document import Document, package_of
from cupola.bridge.sdf.empty_world import write_place
from cupola.bridge.sdf.ground import below_ground
from cupola.bridge.sdf.hands import add_hands
from cupola.bridge.sdf.meshes import Meshes
from cupola.bridge.sdf.node import Node, read_node
from cupola.bridge.sdf.plugins import carry
from cupola.bridge.sdf.pose import chain
from cupola.bridge.sdf.robot import Robot
from cupola.bridge.sdf.servos import add_gears, add_servos, list_idle
from cupola.bridge.sdf.upright import nose_frame, seen_upright, stand_up, upright_frame
from cupola.bridge.sdf.urdf import read_urdf
from cupola.bridge.sdf.wheels import add_wheels
from cupola.bridge.sdf.world import Setting, is_place, read_setting
from cupola.bridge.support import describe, water_that_is_missing, weightless, why_it_falls
from cupola.config.channels import NONE, ChannelMix
from cupola.config.vehicle import read_vehicle
from cupola.physics.rotation import euler_from_quaternion
from cupola.schema.input_files import InputError, boundary

KEYS, WHEELS = "model that keys fly", "model on wheels"
URDFS = (".urdf", ".xacro", ".gazebo")
"""The last is what RotorS calls a xacro."""
SUFFIXES = (".sdf", ".world", ".sdf.jinja", *URDFS)


def import_file(
    source: Path,
    target: Path,
    model: str | None = None,
    folders: tuple[Path, ...] = (),
    dialect: str | None = None,
    arguments: Mapping[str, str] | None = None,
) -> Imported:
    """Read `source` and write the vehicle folder `target`, which must not exist; a xacro may get `arguments`."""
    if not source.name.endswith(SUFFIXES):
        raise InputError(f"{source}: expected a file ending in {', '.join(SUFFIXES)}")
    report = Report()
    with boundary(source, "cannot be imported"), new_folder(target) as folder:
        if source.suffix in URDFS:
            setting = Setting(read_urdf(source, list(folders), report, arguments=arguments), None)
            roots = [node for _, node in (*setting.robot.plugins, *setting.robot.sensors)]
        else:
            document = Document(source, list(folders), report)
            roots = document.roots
            if model is None and is_place(document):
                what, flown_by = write_place(document, folder, report)
                return Imported(target, report, target / "scenario.yaml", what, flown_by)
            setting = read_setting(document, model)
        written = _Writing(source, folder, setting, report, roots).write(dialect, folders)
    return Imported(target, report, target / written.run, written.what, written.flown_by, written.by_hand)


class Written(NamedTuple):
    """The file to run, and what to say."""

    run: str
    what: str
    flown_by: str
    by_hand: bool


class _Writing:
    """The files of one vehicle folder."""

    def __init__(self, source: Path, folder: Path, setting: Setting, report: Report, roots: list[Node]) -> None:
        self.source, self.folder, self.report, self.roots = source, folder, report, roots
        self.robot, self.scenario = setting.robot, setting.scenario
        self.meshes = Meshes(folder / "meshes")
        self.built = Builder(setting.robot, self.meshes, report).build()
        self.on_wheels = False
        self.shafts: dict[str, Shaft] = {}
        """With blades that a servo turns."""
        self.start: dict[str, Any] = {}
        """Of its flight, where that is not where the source puts it."""

    def write(self, dialect: str | None, folders: tuple[Path, ...]) -> Written:
        """All of them."""
        report, built = self.report, self.built
        carried = carry(self.robot, built, report, dialect)
        step = 1.0 / max(float(self.scenario["physics_hz"]) if self.scenario else PHYSICS, 1.0)
        add_servos(carried, self._compiled(), step)
        add_gears(carried, self._compiled(), step)
        self.shafts = add_shafts(carried, self._compiled())
        add_hands(carried)
        self.on_wheels = not self.shafts and add_wheels(carried)
        list_idle(carried, report)
        compiled = self._compiled()
        off = self.meshes.compare(compiled)
        report.renamed += self.meshes.renamed
        meshes = (mesh.source for mesh in self.meshes.made.values())
        report.say_what_lies_elsewhere([*meshes, *report.read], [package_of(self.source), *folders])
        report.lost += _unread(self.roots)
        report.warnings += suspicions(self.robot, built, carried.parts, set(self.shafts))
        vehicle = self._vehicle(carried)
        pilot = self._pilot(vehicle, carried, compiled)
        compiled = mujoco.MjModel.from_xml_path(str(self.folder / "model.xml"))
        if self.scenario is None and (deep := below_ground(vehicle, compiled)):
            vehicle["start"]["position"][2] += deep
            report.assume("start", f"lifted by {deep:.4g} m, as its shapes would begin in the ground and be thrown out")
        self._write_vehicle(vehicle)
        try:
            read_vehicle(self.folder / "vehicle.yaml")
        except InputError as error:
            raise InputError(f"{self.source}: what it says makes no vehicle: {error}") from None
        run = "vehicle.yaml"
        if self.scenario is not None or self.start:
            run = "scenario.yaml"
            around = _scenario(self.source, self.robot, self.scenario or {}, self.start)
            (self.folder / run).write_text(_yaml(around), encoding="utf-8")
        report.warnings += self._unsupported(run, vehicle, compiled, pilot.family)
        what = describe(self.robot.name, vehicle, compiled, pilot.family)
        sections = [*_mesh_lines(self.meshes, off), *report.sections()]
        about = _config(self.source, self.roots, report)
        text = _readme(self.source, built, compiled, [what, "", f"Flown by {pilot.sentence}.", "", *about], sections)
        (self.folder / "README.md").write_text(text, encoding="utf-8")
        report.write(self.folder, source=self.source.name, what=what, flown_by=pilot.sentence)
        return Written(run, what, pilot.sentence, pilot.family in (KEYS, WHEELS))

    def _unsupported(self, run: str, vehicle: dict[str, Any], model: mujoco.MjModel, family: str) -> list[str]:
        """What would hold it up and is missing; where the files do not tell, it is dropped."""
        files = [node.get("filename", "") for root in self.roots for node in root.element.iter("plugin")]
        floats = weightless(model, vehicle)
        missing = [*water_that_is_missing(files, bool(floats)), *floats]
        falls = why_it_falls(model, vehicle, self.scenario, family)
        family = "" if family == WHEELS else family
        if not family and not any("nothing holds it up" in sentence for sentence in falls):
            falls = left_alone(self.folder / run) or falls
        return [*missing, *falls]

    def _compiled(self) -> mujoco.MjModel:
        """Write model.xml as it is by now, and let MuJoCo read it."""
        ET.indent(self.built.mjcf)
        text = ET.tostring(self.built.mjcf, encoding="unicode") + "\n"
        path = self.folder / "model.xml"
        path.write_text(text, encoding="utf-8")
        try:
            return mujoco.MjModel.from_xml_path(str(path))
        except ValueError as error:
            said = " ".join(str(error).split())
            raise InputError(f"{self.source}: MuJoCo refuses the model: {said}") from error

    def _vehicle(self, carried: Carried) -> dict[str, Any]:
        built, robot = self.built, self.robot
        scoped = {name: scoped for scoped, name in built.bodies.items()}
        at = chain(robot.pose, robot.links[scoped[built.root]].pose)
        vehicle: dict[str, Any] = {
            "about": f"{robot.name}, imported from {self.source.name}",
            "mjcf": "model.xml",
            "root": built.root,
            "parts": carried.parts,
            "controller": {"use": "pass_through", "rate_hz": 100},
        }
        if carried.keys:
            taken = {"reset": NONE} if ChannelMix().reset in carried.keys.values() else {}
            vehicle["channel_mix"] = {**taken, "keys": carried.keys}
        if built.mjcf.find("worldbody/body/freejoint") is not None:
            angles = [math.degrees(angle) for angle in euler_from_quaternion(at.quat)]
            vehicle["start"] = {"position": list(at.pos), "attitude_deg": angles}
        return vehicle

    def _pilot(self, vehicle: dict[str, Any], carried: Carried, model: mujoco.MjModel) -> Pilot:
        physics, gravity = float(PHYSICS), 9.81
        if self.scenario is not None:
            physics, gravity = float(self.scenario["physics_hz"]), float(self.scenario["gravity"])
        if carried.controller is not None:
            vehicle["controller"] = {**carried.controller, "rate_hz": controller_rate(physics)}
            use = carried.controller["use"]
            return Pilot(KEYS, f"{use}, as the plugin of the source does: keys {' '.join(carried.keys)}")
        kinds = {part["kind"] for part in vehicle["parts"].values()}
        if self.on_wheels and "rotor" not in kinds:
            vehicle["controller"] = {"use": "pass_through", "rate_hz": controller_rate(physics)}
            vehicle["channel_mix"] = {"yaw": NONE, "throttle": NONE}
            return Pilot(WHEELS, "the sticks (pass_through): pitch drives it, roll turns it")
        if ("rotor" in kinds or self.shafts) and self.built.mjcf.find("worldbody/body/freejoint") is None:
            why = f"a joint holds {self.built.root} in the world, as on a test stand"
            self.report.lose("controller", f"{why}; pass_through gives each channel to its rotor or servo")
            return Pilot("", f"the sticks alone (pass_through): {why}")
        model = self._upright(vehicle, model, gravity)
        why = ""
        if "liftdrag" in kinds:
            found, why = self._plane(vehicle, model, physics, gravity)
            if found is not None:
                return found
        return choose_pilot(vehicle, model, self.report, physics, gravity, why, self.shafts)

    def _upright(self, vehicle: dict[str, Any], model: mujoco.MjModel, gravity: float) -> mujoco.MjModel:
        """The model with a root that points up, where its rotors lift it as it starts and do not along its own z."""
        rotors, heavy = rotor_sites(vehicle, model, self.shafts), weight(vehicle, model, gravity)
        if not rotors or "start" not in vehicle or not can_hover(lifting_rotors(rotors), heavy):
            return model
        axes = upright_frame(vehicle)
        if can_hover(lifting_rotors(seen_upright(rotors, axes)), heavy):
            return model
        name = stand_up(self.built.mjcf, vehicle, axes)
        said = f"{name}, upright at the start, with {self.built.root} fixed in it, along whose z no rotors push"
        self.report.assume("root", said)
        return self._compiled()

    def _plane(
        self, vehicle: dict[str, Any], model: mujoco.MjModel, physics: float, gravity: float
    ) -> tuple[Pilot | None, str]:
        """An autopilot for something with wings and a propeller that pulls; None for what hovers, or has neither.

        And why it is none.
        """
        rotors, heavy = rotor_sites(vehicle, model, self.shafts), weight(vehicle, model, gravity)
        if not can_hover(lifting_rotors(rotors), heavy):
            return None, ""
        before = copy.deepcopy(vehicle)
        text = (self.folder / "model.xml").read_text(encoding="utf-8")
        pushers, built, turned = pushing_rotors(rotors), self.built, ""
        axes = None if pushers or "start" not in vehicle else nose_frame(vehicle, rotors)
        if axes is not None:
            self.built = built._replace(mjcf=copy.deepcopy(built.mjcf))
            turned = stand_up(self.built.mjcf, vehicle, axes, "nose")
            pushers = pushing_rotors(rotor_sites(vehicle, self._compiled(), self.shafts))
        if not pushers:
            if lifting_rotors(rotors):
                return None, ""
            ways = ", ".join(f"{one.name} pushes along {direction_text(one.axis)}" for one in rotors)
            so = (
                f"nothing that pulls it along x, where a plane has its nose: {ways}"
                if ways
                else "nothing that pulls it"
            )
            return None, f"it has surfaces, and {so}"
        try:
            flown = PlanePilot(self.folder, vehicle, self._write_vehicle, self.report).choose(pushers, heavy)
        except InputError as error:
            vehicle.clear()
            vehicle |= before
            self.built = built
            (self.folder / "model.xml").write_text(text, encoding="utf-8")
            why = f"no level flight was found: {error}"
            self.report.lose("autopilot", why)
            return None, why
        if turned:
            said = f"{turned}, whose x axis is the direction of the propellers, with {built.root} fixed in it"
            self.report.assume("root", said)
        rate = controller_rate(physics)
        vehicle["controller"] = {"use": "plane_hold", "rate_hz": rate, "parameters": flown.gains}
        vehicle["assisted"] = {"use": "plane_hold", "rate_hz": rate, "parameters": {**flown.gains}}
        vehicle["raw"] = {"use": "pass_through", "rate_hz": rate}
        start = {key: [round(x, 9) for x in value] for key, value in flown.level.start().items()}
        self.start = start
        speed = flown.level.condition.airspeed
        self.report.assume("start", f"in level flight at {speed:.3g} m/s, 100 m over the ground, not where it stands")
        for one in flown.mixed:
            said = f"{math.degrees(one.throw):.3g}° at full {AXES[one.axis]} stick"
            self.report.assume(f"servo {one.servo}", f"{said}, as it turns the aircraft that way")
        return Pilot("plane", f"plane_hold, with gains measured at {speed:.3g} m/s; it flies level at 100 m"), ""

    def _write_vehicle(self, vehicle: dict[str, Any]) -> None:
        (self.folder / "vehicle.yaml").write_text(_yaml(vehicle), encoding="utf-8")


def _scenario(source: Path, robot: Robot, around: dict[str, Any], start: dict[str, Any]) -> dict[str, Any]:
    name = re.sub(r"\W", "_", robot.name)
    # Velocity servos as stiff as Gazebo's need an integrator that knows of them.
    fixed = {"about": f"{source.name}, imported", "duration": 60, "integrator": "implicitfast"}
    return {**fixed, **around, "vehicles": [{"model": ".", "name": name, **start}]}


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


def _config(source: Path, roots: list[Node], report: Report) -> list[str]:
    """What the model.config beside a model says about it."""
    lines = []
    for folder in dict.fromkeys([source.parent, *(root.file.parent for root in roots)]):
        if not (folder / "model.config").is_file():
            continue
        config = read_node(folder / "model.config", report, "model")
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
