"""The aerodynamics of a JSBSim aircraft as a part: sums of its functions along its axes, and where they act."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

from cupola.bridge.formulas import number, plain_name
from cupola.bridge.jsbsim.elements import FOOT, POUND, Place, value
from cupola.bridge.jsbsim.graph import Graph
from cupola.schema.input_files import InputError

FORCES = {
    "DRAG": ("wind", "x", -1.0), "SIDE": ("wind", "y", 1.0), "LIFT": ("wind", "z", -1.0), "AXIAL": ("body", "x", -1.0),
    "NORMAL": ("body", "z", -1.0), "X": ("body", "x", 1.0), "Y": ("body", "y", 1.0), "Z": ("body", "z", 1.0),
}  # fmt: skip
TORQUES = {"ROLL": "x", "PITCH": "y", "YAW": "z"}
STALLED = "aero/stall-hyst-norm"
SHIFT = "aero_ref_pt_shift_x"
READ = {"axis", "function", "hysteresis_limits", SHIFT, "alphalimits", "documentation", "description", "property"}
"""Limits of the angle of attack only warn of a stall."""
POUNDS_MASS = 0.45359237
"""[kg]"""
FROM_LIFT = {
    "aero/cl-squared": "(total_lift * {pound} / {pressed}) ^ 2",
    "forces/load-factor": "total_lift / {weight}",
    "forces/lod-norm": "abs(total_lift) / max(abs(total_drag), 1e-12)",
}
"""Properties that JSBSim makes of lift and drag [lbf]."""
TURNED = {
    "body": ("{x}", "{y}", "{z}"),
    "stability": ("cos(alpha) * {x} - sin(alpha) * {z}", "{y}", "sin(alpha) * {x} + cos(alpha) * {z}"),
    "wind": (
        "cos(alpha) * (cos(beta) * {x} - sin(beta) * {y}) - sin(alpha) * {z}",
        "sin(beta) * {x} + cos(beta) * {y}",
        "sin(alpha) * (cos(beta) * {x} - sin(beta) * {y}) + cos(alpha) * {z}",
    ),
}
"""Components of a force in body axes."""


class Metrics(NamedTuple):
    """Sizes that the moments need."""

    area: float
    """[m²]"""
    chord: float
    """[m]"""
    arm: Place
    """From the centre of mass to the reference point: front, right, down [m]."""
    mass: float
    """[kg]"""


class Aerodynamics:
    """Writes the sums into a graph."""

    def __init__(self, section: ET.Element, graph: Graph, metrics: Metrics) -> None:
        self._section, self._graph, self._metrics = section, graph, metrics
        self._sums: dict[str, list[str]] = {}
        self._at_centre: dict[str, list[str]] = {}
        self._force_frames: set[str] = set()
        self._torque_frames: set[str] = set()
        for tag in sorted({one.tag for one in section} - READ):
            graph.tell(f"<{tag}> of <aerodynamics>", "is not read here")

    def content(self) -> dict[str, Any]:
        """Forces and torques of the part, with their axes."""
        for axis in self._section.findall("axis"):
            self._axis(axis)
        for frames in (self._force_frames, self._torque_frames):
            if len(frames) > 1:
                raise InputError(f"forces in several axes at once ({', '.join(sorted(frames))}) are not read here")
        self._induced()
        force_axes, torque_axes = (
            next(iter(one), usual) for one, usual in ((self._force_frames, "wind"), (self._torque_frames, "body"))
        )
        self._levers(force_axes, torque_axes)
        joined = {key: " + ".join(terms) for key, terms in self._sums.items()}
        parts = {
            group: {axis: joined[f"{group}.{axis}"] for axis in "xyz" if f"{group}.{axis}" in joined}
            for group in ("force", "torque")
        }
        return {"force_axes": force_axes, **parts, **({"torque_axes": torque_axes} if torque_axes != "body" else {})}

    def _axis(self, axis: ET.Element) -> None:
        name = (axis.get("name") or "").strip().upper()
        said = (axis.get("frame") or "").strip().lower()
        if name in FORCES:
            frame, component, sign = FORCES[name]
            if name in "XZ" and said in ("stability", "wind"):
                sign = -1.0  # JSBSim counts these as drag and lift
            key, size = f"force.{component}", sign * POUND
            if said or name != "SIDE":  # the side force of the wind axes, or of the body's if others are
                self._force_frames.add(said or frame)
        elif name in TORQUES:
            key, size = f"torque.{TORQUES[name]}", POUND * FOOT
            self._torque_frames.add(said or "body")
        else:
            known = "drag, side, lift, axial, normal, x, y, z, roll, pitch, yaw"
            self._graph.tell(f"axis {name}", f"is not one of {known}")
            return
        graph, functions = self._graph, axis.findall("function")
        terms = [self._term(one, f"{name.lower()}_{k}") for k, one in enumerate(functions)]
        total = f"total_{name.lower()}"
        graph.values[total] = graph.formulas.chain("+", terms) if terms else "0"
        self._sums.setdefault(key, []).append(f"{total} * {number(size)}")
        central = [term for term, one in zip(terms, functions, strict=True) if one.get("apply_at_cg") == "true"]
        if central and name in FORCES:
            graph.values[f"{total}_at_centre"] = graph.formulas.chain("+", central)
            self._at_centre.setdefault(component, []).append(f"{total}_at_centre * {number(size)}")

    def _term(self, element: ET.Element, fallback: str) -> str:
        name = (element.get("name") or "").strip()
        if name:
            return self._graph.named(name)
        self._graph.formulas.owner = fallback
        return self._graph.translator.function(element)

    def _induced(self) -> None:
        """What JSBSim takes from lift and drag of the frame before; here it is that of this moment."""
        values = self._graph.values
        pressed = f"max(dynamic_pressure * {number(self._metrics.area)}, 1e-12)"
        weight = number(self._metrics.mass / POUNDS_MASS)
        for name, text in FROM_LIFT.items():
            label = plain_name(name)
            if label not in values:
                continue
            needs = {total for total in ("total_lift", "total_drag") if total in text}
            if not needs <= set(values):
                self._graph.tell(name, "is read of aircraft with lift and drag; of others it stays 0")
            elif any(_leads_to(values, total, label) for total in needs):
                self._graph.tell(name, "the forces it is made of depend on it themselves; it stays 0")
            else:
                values[label] = text.format(pressed=pressed, weight=weight, pound=number(POUND))

    def _levers(self, force_axes: str, torque_axes: str) -> None:
        """Torques of a reference point that moves along x, and of forces that act at the centre of mass."""
        graph, shift = self._graph, self._section.find(f"{SHIFT}/function")
        if shift is None and not self._at_centre:
            return
        if torque_axes != "body":
            why = f"is not read here together with moments in {torque_axes} axes"
            graph.tell(f"<{SHIFT}>" if shift is not None else "apply_at_cg", why)
            return
        if shift is not None:
            graph.values["shift_back"] = f"{self._term(shift, 'shift')} * {number(self._metrics.chord)}"
            left = {axis: [f"-({term})" for term in self._at_centre.get(axis, [])] for axis in "xyz"}
            moved = {axis: self._sums.get(f"force.{axis}", []) + left[axis] for axis in "xyz"}
            self._body_force("force", moved, force_axes)
            self._sums.setdefault("torque.y", []).append("shift_back * force_body_z")
            self._sums.setdefault("torque.z", []).append("-shift_back * force_body_y")
        if self._at_centre:
            self._body_force("central", self._at_centre, force_axes)
            x, y, z = (number(one) for one in self._metrics.arm)
            parts = {axis: f"central_body_{axis}" for axis in "xyz"}
            self._sums.setdefault("torque.x", []).append(f"{z} * {parts['y']} - {y} * {parts['z']}")
            self._sums.setdefault("torque.y", []).append(f"{x} * {parts['z']} - {z} * {parts['x']}")
            self._sums.setdefault("torque.z", []).append(f"{y} * {parts['x']} - {x} * {parts['y']}")

    def _body_force(self, name: str, components: dict[str, list[str]], axes: str) -> None:
        """Values `{name}_body_x`, y and z [N] of a force in other axes."""
        values = self._graph.values
        for axis in "xyz":
            values[f"{name}_{axis}"] = " + ".join(components.get(axis, [])) or "0"
        for axis, text in zip("xyz", TURNED[axes], strict=True):
            values[f"{name}_body_{axis}"] = text.format(x=f"{name}_x", y=f"{name}_y", z=f"{name}_z")


def _leads_to(values: Mapping[str, str], start: str, goal: str) -> bool:
    """Whether the value `start` is made of the value `goal`."""
    todo, seen = [start], set()
    while todo:
        name = todo.pop()
        if name == goal:
            return True
        if name in values and name not in seen:
            seen.add(name)
            todo += re.findall(r"[A-Za-z_]\w*", values[name])
    return False


def stall(limits: ET.Element) -> ET.Element:
    """1 from the upper angle of attack on until the lower one: a switch that else stays as it was."""
    low, high = (
        value(limits, name, "RAD" if not limits.get("unit") else str(limits.get("unit"))) for name in ("min", "max")
    )
    switch = ET.Element("switch", {"name": STALLED})
    ET.SubElement(switch, "default", {"value": STALLED})
    for now, sign, limit in (("1", "gt", high), ("0", "lt", low)):
        ET.SubElement(switch, "test", {"value": now}).text = f"aero/alpha-rad {sign} {limit!r}"
    return switch
