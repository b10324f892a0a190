"""Describes a vehicle for controllers and estimators, from the compiled model and its parts."""

import dataclasses
import math
from typing import Any

import mujoco

from cupola.build.layout_builder import LayoutBuilder
from cupola.config.resolved_vehicle import ResolvedVehicle
from cupola.config.robot import Joint, Link, PartNumbers, Robot, Site, whole
from cupola.parts.described import (
    BladedDisc,
    GripperPlace,
    JointDrive,
    NozzlePair,
    RootFrame,
    RotorPlace,
    ScannerPlace,
    WheelSet,
)
from cupola.schema.tunable_fields import get_number, numbers_of

FIELDS = {RotorPlace: "rotors", WheelSet: "wheels", JointDrive: "drives", NozzlePair: "nozzles"}
FIELDS |= {GripperPlace: "grippers", ScannerPlace: "scanners", BladedDisc: "discs"}
KINDS = {int(mujoco.mjtJoint.mjJNT_HINGE): "hinge", int(mujoco.mjtJoint.mjJNT_SLIDE): "slide"}
KINDS |= {int(mujoco.mjtJoint.mjJNT_BALL): "ball"}


def describe(one: ResolvedVehicle, builder: LayoutBuilder, gravity: float) -> Robot:
    """The vehicle whose parts the builder has bound last."""
    frame, model, prefix = RootFrame(builder.model, builder.root), builder.model, builder.prefix
    links = _links(model, frame, prefix, builder.root)
    mass, center, inertia = whole(links)
    found: dict[str, dict[str, Any]] = {name: {} for name in FIELDS.values()}
    parts = {}
    for name, part in one.vehicle.parts.items():
        told = part.describe(builder, frame)
        if told is not None:
            found[FIELDS[type(told)]][name] = told
        numbers = {key: get_number(part, path) for key, path in numbers_of(part).items()}
        parts[name] = PartNumbers(part.kind, part.at_site(), numbers)
    joints = _joints(model, frame, prefix, builder.root, one.start.joints_deg)
    sites = {
        name: Site(
            _name(model.body(model.site_bodyid[k]).name, prefix), frame.point(frame.data.site_xpos[k]), frame.axis(k)
        )
        for k in range(model.nsite)
        if (name := _name(model.site(k).name, prefix))
    }
    return Robot(one.name, mass, center, inertia, gravity, one.vehicle.root, links, joints, sites, parts, **found)


def with_others(robots: dict[str, Robot]) -> dict[str, Robot]:
    """Each knows the others of its world."""
    return {
        name: dataclasses.replace(robot, others={key: one for key, one in robots.items() if key != name})
        for name, robot in robots.items()
    }


def _name(full: str, prefix: str) -> str:
    """Without the vehicle's name; empty for what is another's or has no name."""
    return full.removeprefix(prefix) if full.startswith(prefix) else ""


def _links(model: Any, frame: RootFrame, prefix: str, root: int) -> dict[str, Link]:
    links = {}
    for body in range(1, model.nbody):
        if model.body_rootid[body] != model.body_rootid[root]:
            continue
        parent = "" if body == root else _called(model, int(model.body_parentid[body]), prefix)
        center = frame.point(frame.data.xipos[body])
        inertia = frame.matrix(frame.data.ximat[body], model.body_inertia[body])
        links[_called(model, body, prefix)] = Link(parent, float(model.body_mass[body]), center, inertia)
    return links


def _called(model: Any, body: int, prefix: str) -> str:
    return _name(model.body(body).name, prefix) or f"body {body}"


def _joints(model: Any, frame: RootFrame, prefix: str, root: int, start_deg: Any) -> dict[str, Joint]:
    joints = {}
    for j in range(model.njnt):
        name, kind = _name(model.joint(j).name, prefix), KINDS.get(int(model.jnt_type[j]))
        if not name or kind is None or model.jnt_bodyid[j] == root:
            continue
        low, high = model.jnt_range[j].tolist() if model.jnt_limited[j] else (-math.inf, math.inf)
        link = _called(model, int(model.jnt_bodyid[j]), prefix)
        start = math.radians(start_deg.get(name, 0.0)) if kind == "hinge" else float(model.qpos0[model.jnt_qposadr[j]])
        anchor, axis = frame.point(frame.data.xanchor[j]), frame.direction(frame.data.xaxis[j])
        joints[name] = Joint(kind, link, anchor, axis, low, high, start)
    return joints
