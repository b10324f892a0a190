"""What an imported vehicle is, in a line; and a sentence before the run where nothing would hold it up."""

import math
import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

import mujoco

MOSTLY = 0.5
"""Share of its mass below which a vehicle counts as one without weight."""
LIFTING = ("rotor", "liftdrag", "airfoil", "wing", "flapping", "thruster_pair", "air_bearing", "table_aero")
"""Kinds of parts that carry a vehicle through the air, or over a table."""
SURFACES = ("liftdrag", "airfoil", "wing", "table_aero")


CARRIED = re.compile(
    r"buoyan|hydrodynamic|underwater|uuv|lighter.?than.?air|surface.?vessel|wavefield|usv|ballast|marine", re.IGNORECASE
)
"""Names of plugins whose forces carry a model through water, or through air as a balloon."""


def water_that_is_missing(plugins: Iterable[str], weightless: bool = False) -> list[str]:
    """A sentence on plugins that carry a model elsewhere, by their file or class names."""
    found = sorted({name for name in plugins if CARRIED.search(name)})
    if not found:
        return []
    so = "nothing brakes or holds it" if weightless else "it has its whole weight"
    return [f"its own simulator carries it by {', '.join(found)}, which is not there here: {so}"]


def weightless(model: mujoco.MjModel, vehicle: dict[str, Any]) -> list[str]:
    """A sentence on a vehicle most of whose weight the source has switched off."""
    root = model.body(vehicle["root"]).id
    mine = [k for k in range(model.nbody) if model.body_rootid[k] == model.body_rootid[root]]
    total = math.fsum(float(model.body_mass[k]) for k in mine)
    left = math.fsum(float(model.body_mass[k] * (1.0 - model.body_gravcomp[k])) for k in mine)
    if total <= 0.0 or left > MOSTLY * total:
        return []
    share = f"{left:.3g} kg of its {total:.3g} kg"
    return [f"its links have gravity switched off: {share} weigh anything; nothing brings it back once it is pushed"]


def describe(name: str, vehicle: dict[str, Any], model: mujoco.MjModel, family: str) -> str:
    """Name, family, mass, links, and parts by kind."""
    mass = float(model.body_subtreemass[model.body(vehicle["root"]).id])
    kinds = Counter(part["kind"] for part in vehicle["parts"].values())
    parts = ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "no parts"
    what = f"a {family or 'model'}"
    return f"{name}, {what} of {mass:.4g} kg: {model.nbody - 1} links, {parts}"


def why_it_falls(
    model: mujoco.MjModel, vehicle: dict[str, Any], scenario: dict[str, Any] | None, family: str
) -> list[str]:
    """Sentences that must be read before a run: nothing below it, nothing that could touch, nothing that lifts."""
    root = model.body(vehicle["root"]).id
    free = model.body_dofnum[root] == 6 or (
        model.body_dofnum[root] > 0 and model.jnt_type[model.body_jntadr[root]] == 0
    )
    if not free:
        return []
    lifts = any(part["kind"] in LIFTING for part in vehicle["parts"].values())
    ground = scenario is None or scenario.get("floor") is not None or bool(scenario.get("obstacles"))
    touches = any(int(model.geom_contype[k]) or int(model.geom_conaffinity[k]) for k in range(model.ngeom))
    said = []
    if family:
        if not ground:
            said.append("there is no ground in this world: if it stops flying it falls without end")
        return said
    if not ground:
        said.append("nothing holds it up: the world has no ground and no controller flies it; it falls without end")
    elif not touches:
        said.append("nothing holds it up: it has no collision shape, so it will fall through the floor")
    elif not lifts:
        said.append("it does not fly: no part of it lifts; it will stand or lie where it comes to rest")
    return said
