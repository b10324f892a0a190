"""A MuJoCo model of others becomes a vehicle folder: model.xml, assets, vehicle.yaml, scenario.yaml, README.md."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np

from cupola.bridge.drop import left_alone
from cupola.bridge.mjcf.actuators import (
    SHAFT_SPEED,
    Push,
    controls_at_start,
    read_pushes,
    rotor_part,
    servo_part,
    shaft,
)
from cupola.bridge.mjcf.around import read_imus, read_scenario, read_start
from cupola.bridge.mjcf.options import apply_flags
from cupola.bridge.mjcf.pushes import choose_by_pushes
from cupola.bridge.mjcf.source import Source, is_free
from cupola.bridge.new_folder import new_folder
from cupola.bridge.outcome import Imported
from cupola.bridge.pilot import INPUTS, Pilot, choose_pilot, controller_rate
from cupola.bridge.report import Report
from cupola.bridge.vehicle_text import vehicle_text
from cupola.config.vehicle import read_vehicle
from cupola.physics.blades import SEA_LEVEL
from cupola.schema.input_files import InputError, boundary

PLAIN = ("scene", "model", "robot")
"""Names of files that say nothing."""
SPARE = 2.0
"""Of the weight: the thrust of all rotors of a model that does not limit it."""


def import_mjcf(path: Path, target: Path, wanted: str | None = None) -> Imported:
    """Read an MJCF file and write the vehicle folder `target`, which must not exist."""
    report = Report()
    with new_folder(target) as folder, boundary(path, "cannot be imported"):
        source = Source(path, report)
        body = source.choose(wanted)
        scenario, start, imus = (
            read_scenario(source, body, report),
            read_start(source, body, report),
            read_imus(source, body, report),
        )
        vehicle: dict[str, Any] = {
            "about": f"{source.name}, imported from {path.name}",
            "mjcf": "model.xml",
            "root": body.attrib["name"],
            "parts": {},
            "controller": {"use": "pass_through", "rate_hz": 100},
            **({"start": start} if start else {}),
        }
        source.keep(body, report)
        apply_flags(source, body, report)
        _drive(vehicle, source, body, report)
        vehicle["parts"] |= {_part_name(name, vehicle["parts"]): part for name, part in imus.items()}
        pilot = _pilot(vehicle, source, body, report, scenario)
        mass = _write(folder, source, vehicle, scenario, report, pilot)
        what = f"{source.name}, {_kind(pilot, body)} of {mass:.4g} kg: {_count(vehicle)}"
        report.write(folder, made=str(target), what=what, flown_by=pilot.sentence)
    return Imported(target, report, target / "scenario.yaml", what, pilot.sentence)


def mjcf_name(path: Path) -> str:
    """What its folder is called: the name of the file, unless every model has such a one."""
    file = path.resolve()
    return file.parent.name if file.stem in PLAIN and file.parent.name else file.stem


def _drive(vehicle: dict[str, Any], source: Source, body: ET.Element, report: Report) -> None:
    """Parts for all actuators: rotors, moments, and everything else by a channel of its own."""
    parts, weight = vehicle["parts"], _weight(source, body)
    begins = controls_at_start(source.model)
    found = read_pushes(source, report)
    share = weight / max(1, sum(bool(np.any(push.force)) for push in found))
    pushes = [_limited(push, share, report) for push in found]
    turning = [push for push in pushes if not np.any(push.force)]
    for push in [] if turning else pushes:
        name = push.element.attrib["name"]
        parts[_part_name(name, parts)] = rotor_part(push, _add_shaft(source, push), source, report)
        if push.low < 0.0:
            report.lose(f"<actuator>: {name}: ctrlrange", "a rotor here pushes one way")
        for section in source.root.findall("actuator"):
            if push.element in list(section):
                section.remove(push.element)
        source.actuators.remove(push.element)
    if pushes and not turning:
        report.assume("speed of the rotors", f"{SHAFT_SPEED:g} rad/s at full thrust, which is only seen")
        report.assume("air", f"{SEA_LEVEL:g} kg/m³ at every height, where rotors push as hard as in the source")
    for k, element in enumerate(source.actuators):
        name = element.attrib["name"]
        held = 0.0 if any(element is push.element for push in found) else begins.get(name, 0.0)
        parts[_part_name(f"{name}_servo", parts)] = {**servo_part(source, name, held, report), "channel": INPUTS + k}
        if held:
            report.assume(f"servo {name}", f"{held:.4g} while its channel is 0, as in the keyframe of the start")


def _limited(push: Push, share: float, report: Report) -> Push:
    """A push whose control has no end gets one, by its share of the weight [N]."""
    if np.isfinite(push.high) or not np.any(push.force):
        return push
    high = SPARE * share / float(np.linalg.norm(push.force))
    report.assume(f"<actuator>: {push.element.attrib['name']}: no ctrlrange", f"0 to {high:.4g}")
    return push._replace(low=0.0, high=high)


def _weight(source: Source, body: ET.Element) -> float:
    root = source.model.body(body.attrib["name"]).id
    return float(source.model.body_subtreemass[root]) * abs(float(source.model.opt.gravity[2]))


def _add_shaft(source: Source, push: Push) -> str:
    """A site whose x axis is the thrust, on the body of the actuator's site."""
    site = source.model.site(push.site).name
    above = {child: parent for parent in source.root.iter() for child in parent}
    at = next((element for element in source.root.iter("site") if element.get("name") == site), None)
    if at is None:  # one of a <replicate>: its body has the name
        body = source.model.body(source.model.site(push.site).bodyid[0]).name
        at = next((element for element in source.root.iter("body") if body and element.get("name") == body), None)
    if at is None:
        raise InputError(f"{source.path}: the site {site!r} is made by a <replicate> of bodies; write them out")
    while at.tag != "body":
        at = above[at]
    name = _free_name(f"{push.element.attrib['name']}_shaft", source)
    ET.SubElement(at, "site", {"name": name, **shaft(source, push), "group": "4"})
    return name


def _pilot(
    vehicle: dict[str, Any], source: Source, body: ET.Element, report: Report, scenario: dict[str, Any]
) -> Pilot:
    """Who flies it."""
    model, physics_hz, gravity = source.compiled(), scenario["physics_hz"], scenario["gravity"]
    if not is_free(body):
        vehicle["controller"] = {"use": "pass_through", "rate_hz": controller_rate(physics_hz)}
        why = f"{body.attrib['name']} is held by the world: it has {_hold(body)}"
        report.lose("controller", f"{why}; pass_through gives each channel to its actuator")
        return Pilot("", f"the sticks alone (pass_through): {why}")
    if any(part["kind"] == "rotor" for part in vehicle["parts"].values()):
        return choose_pilot(vehicle, model, report, physics_hz, gravity)
    return choose_by_pushes(vehicle, model, report, physics_hz, gravity)


def _hold(body: ET.Element) -> str:
    """What holds a body that is not free: no joint at all, or those that let it slide and turn."""
    joints = [joint.get("name", "") or joint.get("type", "hinge") for joint in body.findall("joint")]
    return f"no free joint, but {', '.join(joints)}" if joints else "no free joint"


def _write(
    folder: Path, source: Source, vehicle: dict[str, Any], scenario: dict[str, Any], report: Report, pilot: Pilot
) -> float:
    """All files of the vehicle; its mass [kg]."""
    ET.indent(source.root)
    used = source.text()
    for name, content in source.assets.items():
        if name in used:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
    (folder / "model.xml").write_text(used, encoding="utf-8")
    (folder / "vehicle.yaml").write_text(vehicle_text(vehicle), encoding="utf-8")
    try:
        read_vehicle(folder / "vehicle.yaml")
    except InputError as error:
        raise InputError(f"{source.path}: what it says makes no vehicle: {error}") from None
    entry = {"model": ".", "name": _plain(vehicle["root"])}
    around = {"about": f"{source.path.name}, imported", "duration": 20, **scenario, "vehicles": [entry]}
    (folder / "scenario.yaml").write_text(vehicle_text(around), encoding="utf-8")
    if not pilot.family:
        report.warnings += left_alone(folder / "scenario.yaml")
    model = source.compiled()
    mass = float(model.body_subtreemass[model.body(vehicle["root"]).id])
    lines = [
        f"# {source.name}",
        "",
        f"Imported from `{source.path.name}` by `cupola import`. Masses, inertias and shapes are those of the file,",
        f"unchanged: {mass:.6g} kg. Flown by {pilot.sentence}.",
        "",
        *report.sections(),
    ]
    (folder / "README.md").write_text("\n".join(lines), encoding="utf-8")
    return mass


def _kind(pilot: Pilot, body: ET.Element) -> str:
    return f"a {pilot.family}" if pilot.family else "a model that nothing carries" if is_free(body) else "a fixed model"


def _count(vehicle: dict[str, Any]) -> str:
    """Parts by their kinds."""
    kinds = [part["kind"] for part in vehicle["parts"].values()]
    return ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)) or "no parts"


def _free_name(wanted: str, source: Source) -> str:
    taken = {element.get("name") for element in source.root.iter()}
    return next(name for k in range(1000) if (name := wanted if k == 0 else f"{wanted}_{k + 1}") not in taken)


def _part_name(name: str, parts: dict[str, Any]) -> str:
    start = _plain(name)
    return next(one for k in range(1000) if (one := start if k == 0 else f"{start}_{k + 1}") not in parts)


def _plain(name: str) -> str:
    """Letters, digits and underscores."""
    word = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_").lower()
    return word if word[:1].isalpha() else f"v{word}"
