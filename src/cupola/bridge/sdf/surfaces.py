"""LiftDrag and AdvancedLiftDrag as parts, each with the law of its origin."""

import math

from cupola.bridge.sdf.carried import Carried, Part
from cupola.bridge.sdf.dialect import CLASSIC, GZ, PX4
from cupola.bridge.sdf.node import Node
from cupola.bridge.sdf.wishes import Wish
from cupola.physics.advanced_liftdrag import Advanced
from cupola.physics.liftdrag import LiftDrag

GAZEBO_NAMES = LiftDrag._fields[: LiftDrag._fields.index("area") + 1]
"""Numbers that the plugins themselves have."""
MODES = {CLASSIC: "faithful", PX4: "px4", GZ: "gz"}
CMA = {CLASSIC: 0.01, PX4: 0.0, GZ: 0.0}
"""Default of `cma`, which differs."""
ADVANCED_NAMES = {"mac": "mac", "ar": "AR", "eff": "eff", "area": "area", "alpha_stall": "alpha_stall", "mcoeff": "M"}
ADVANCED_DEFAULTS = {PX4: {"cd0": 0.02, "cla": 2.0 * math.pi, "alpha_stall": math.pi / 6.0, "area": 1.0}}
"""Where PX4's differ from gz-sim's, which are zero."""
EFFECTS = {"drag": "CD", "side": "CY", "lift": "CL", "roll": "Cell", "moment": "Cem", "yaw": "Cen"}


def carry_liftdrag(node: Node, scope: str, origin: str, carried: Carried) -> None:
    """One surface on a link."""
    named = node.one("link_name")
    if named is None or not named.text:
        carried.report.lose(str(node), "it names no link, so it does nothing")
        node.swallow()
        return
    link = carried.link(named, scope)
    usual = LiftDrag(cma=CMA[origin])
    part: Part = {
        "kind": "liftdrag",
        "mode": MODES[origin],
        "site": link,
        "surface": {name: node.number(name, getattr(usual, name)) for name in GAZEBO_NAMES},
        **_vectors(node, "cp"),
    }
    for flag in ("radial_symmetry", *(["reversible"] if origin == GZ else [])):
        if node.flag(flag):
            part[flag] = True
    joint, gain = node.one("control_joint_name"), node.number("control_joint_rad_to_cl", 4.0)
    moment = node.number("cm_delta", 0.0) if origin != CLASSIC else 0.0
    moved = carried.joint(joint, scope) if joint and joint.text else None
    if moved:
        carried.want(moved, Wish())
        part["controls"] = [{"joint": moved, "lift": gain, **({"moment": moment} if moment else {})}]
    for said in ("topic_name", "robotNamespace", "windSubTopic"):
        node.all(said)  # names of topics: the wind here is that of the scenario
    if link and _makes_sense(node, part, carried):
        carried.add(node.name or "surface", part)


def carry_advanced(node: Node, scope: str, origin: str, carried: Carried) -> None:
    """A whole aircraft: coefficients keep their names; controls are per degree in the source and per radian here."""
    names = {field: ADVANCED_NAMES.get(field, _gz(field)) for field in Advanced._fields}
    numbers = {**ADVANCED_DEFAULTS.get(origin, {})}
    numbers |= {field: node.number(names[field], 0.0) for field in Advanced._fields if node.one(names[field])}
    missing = [names[field] for field in ("area", "ar", "eff") if not numbers.get(field)]
    named = node.need("link_name")
    link = carried.link(named, scope)
    for said in ("topic_name", "robotNamespace", "windSubTopic", "num_ctrl_surfaces"):
        node.all(said)
    controls = []
    for surface in node.all("control_surface"):
        surface.all("index")
        factor = math.degrees(1.0) * surface.number("direction", 1.0)
        effects = {ours: factor * surface.number(f"{theirs}_ctrl", 0.0) for ours, theirs in EFFECTS.items()}
        if joint := carried.joint(surface.need("name"), scope):
            carried.want(joint, Wish())
            controls.append({"joint": joint, **{ours: value for ours, value in effects.items() if value != 0.0}})
    if missing:
        carried.report.lose(str(node), f"<{missing[0]}> is missing or zero; the source's own law divides by it")
        return
    if not numbers.get("mac"):
        numbers["mac"] = numbers["area"] / math.sqrt(numbers["area"] * numbers["ar"])
        carried.report.assume(f"{node}: mac", f"{numbers['mac']:g} m, area by span, as the plugin does")
    if origin == GZ:
        carried.report.lose(f"{node}: pitching moment", "gz-sim loses Cem0 and Cema in it; here they act")
    place = "ref_pt" if origin == PX4 else "cp"
    part: Part = {"kind": "liftdrag", "site": link, "advanced": numbers, "controls": controls, **_vectors(node, place)}
    if origin == PX4:
        part["mode"] = "px4"
    part.setdefault("air_density", 1.2041)
    if link and _makes_sense(node, part, carried):
        carried.add(node.name or "aircraft", part)


def _makes_sense(node: Node, part: Part, carried: Carried) -> bool:
    """Directions that span a plane."""
    f, u = part["forward"], part["upward"]
    across = (f[1] * u[2] - f[2] * u[1], f[2] * u[0] - f[0] * u[2], f[0] * u[1] - f[1] * u[0])
    if max(map(abs, across)) < 1e-9:
        carried.report.lose(str(node), f"forward {f} and upward {u} are parallel: it has neither lift nor drag")
        return False
    return True


def _gz(field: str) -> str:
    """Our name of a coefficient as the plugins spell it: cema_stall is Cema_stall, clb is CLb."""
    for ours, theirs in (("cell", "Cell"), ("cem", "Cem"), ("cen", "Cen"), ("cl", "CL"), ("cd", "CD"), ("cy", "CY")):
        if field.startswith(ours):
            return theirs + field.removeprefix(ours)
    return field


def _vectors(node: Node, place: str) -> Part:
    usual = {"forward": (1.0, 0.0, 0.0), "upward": (0.0, 0.0, 1.0)}
    part: Part = {"cp": list(node.numbers(place, 3, (0.0, 0.0, 0.0)))}
    part |= {name: list(node.numbers(name, 3, default)) for name, default in usual.items()}
    if node.one("air_density"):
        part["air_density"] = node.number("air_density", 1.2041)
    return part
