"""Names of what a model from outside may read and drive: `joint.flap.velocity`, `site.tip.vel_air_s.z`, `air.density`.

Frames are in the names as everywhere: `_w` world, `_s` and `_b` the axes of the site or body. A quantity of three or
four numbers may be named as a whole or by its component, `.x .y .z` (`.w` of a quaternion).
"""

from typing import NamedTuple

import mujoco

from cupola.kernel.records import leaves
from cupola.parts.binding import BindContext
from cupola.physics.rotation import Quaternion, Vector
from cupola.xmath import Number

CLOCK, POSITION, VELOCITY, CHANNEL, AIR, PLACE = range(6)
"""Where compiled code finds a number that is read: see `exchange.py`."""
SITE, JOINT, CONTROL = range(3)
"""What it does with one that is driven."""
HINGE, SLIDE = int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)


class ModelInput(NamedTuple):
    """One number to read: its kind, then what the kind needs."""

    kind: float
    place: float = 0
    """A coordinate, a velocity, a channel, or a body."""
    site: float = 0
    """-1: the body itself."""
    column: float = 0
    """Which number of `Sight` or of `LocalAir`."""


class Sight(NamedTuple):
    """Motion of a site or body; axes that are not the world's are its own."""

    pos_w: Vector
    quat: Quaternion
    vel_w: Vector
    vel: Vector
    rate: Vector
    vel_air: Vector
    """Through the air."""


class LocalAir(NamedTuple):
    """The air at a vehicle."""

    wind_w: Vector
    density: Number
    pressure: Number
    temperature: Number


AXES = {1: "", 3: "xyz", 4: "wxyz"}


def _columns(cls: type, names: dict[str, str]) -> dict[str, tuple[int, int]]:
    """Of each quantity: its first number in a record, and how many it has."""
    found = {}
    for name, field in names.items():
        own = [k for k, leaf in enumerate(leaves(cls)) if leaf.partition(".")[0] == field]
        found[name] = own[0], len(own)
    return found


PLACES = _columns(
    Sight,
    {"pos_w": "pos_w", "quat_w{}": "quat", "vel_w": "vel_w", "vel_{}": "vel", "rate_{}": "rate"}
    | {"vel_air_{}": "vel_air"},
)
"""Quantities of a site or body."""
AIRS = _columns(LocalAir, {name: name for name in LocalAir._fields})
"""Quantities of the air at the vehicle."""
UNITS = {"time": "s", "pos": "m", "vel": "m/s", "rate": "rad/s", "wind": "m/s", "density": "kg/m³", "pressure": "Pa"}
UNITS |= {"temperature": "K", "force": "N", "torque": "N m", "position": "m", "velocity": "m/s"}
"""By the first word of what is asked; others have none."""
WRENCH = {"force_s": 0, "torque_s": 3}


class ModelOutput(NamedTuple):
    """One number that is driven: a kind, the number of the site, joint velocity or actuator, and the component."""

    kind: int
    place: int
    component: int = 0


def model_inputs(name: str, places: BindContext) -> list[ModelInput]:
    """Where the numbers of a quantity are read."""
    head, _, rest = name.partition(".")
    if name == "time":
        return [ModelInput(CLOCK)]
    if head == "channel" and rest.isdigit():
        return [ModelInput(CHANNEL, places.channel(int(rest)))]
    if head == "air":
        first, width, axis = _found(name, rest, AIRS)
        return [ModelInput(AIR, column=first + k) for k in _chosen(width, axis)]
    owner, what = _owned(name)
    if head == "joint":
        number = _single(owner, places)
        kind, where = {"position": (POSITION, "jnt_qposadr"), "velocity": (VELOCITY, "jnt_dofadr")}.get(what, (-1, ""))
        if kind < 0:
            raise _unknown(name, ["joint.NAME.position", "joint.NAME.velocity"])
        return [ModelInput(kind, int(getattr(places.model, where)[number]))]
    if head in ("site", "body"):
        known = {key.format(head[0]): value for key, value in PLACES.items()}
        first, width, axis = _found(name, what, known)
        site = places.site(owner) if head == "site" else -1
        body = places.body_of(site) if head == "site" else places.body(owner)
        return [ModelInput(PLACE, body, site, first + k) for k in _chosen(width, axis)]
    raise _unknown(name, ["time", "channel.N", "air.…", "joint.NAME.…", "site.NAME.…", "body.NAME.…"])


def model_outputs(name: str, places: BindContext) -> list[ModelOutput | None]:
    """What the numbers of a quantity drive; None is shown and drives nothing."""
    head, _, rest = name.partition(".")
    if head == "show" and rest:
        return [None]
    owner, what = _owned(name)
    if head == "site":
        first, width, axis = _found(name, what, {key: (first, 3) for key, first in WRENCH.items()})
        site = places.site(owner)
        return [ModelOutput(SITE, site, first + k) for k in _chosen(width, axis)]
    if head == "joint":
        number = _single(owner, places)
        turns = int(places.model.jnt_type[number]) == HINGE
        if what != ("torque" if turns else "force"):
            raise _unknown(name, [f"joint.{owner}.{'torque' if turns else 'force'}"])
        return [ModelOutput(JOINT, int(places.model.jnt_dofadr[number]))]
    if head == "actuator" and what == "control":
        return [ModelOutput(CONTROL, places.actuator(owner))]
    known = ["site.NAME.force_s", "site.NAME.torque_s", "joint.NAME.torque", "joint.NAME.force"]
    raise _unknown(name, [*known, "actuator.NAME.control", "show.NAME"])


def unit(name: str, places: BindContext) -> str:
    """Of the numbers of a quantity, `1` where it has none."""
    owner, what = _owned(name) if name.count(".") > 1 else ("", name.rpartition(".")[2])
    found = UNITS.get(what.partition(".")[0].partition("_")[0], "1")
    if name.startswith("joint.") and int(places.model.jnt_type[places.joint(owner)]) == HINGE:
        return found.replace("m", "rad") if what in ("position", "velocity") else found
    return found


def _owned(name: str) -> tuple[str, str]:
    """The name between the first dot and what is asked of it; a component belongs to the latter."""
    _, *middle = name.split(".")
    last = 2 if len(middle) > 2 and middle[-1] in AXES[4] else 1
    return ".".join(middle[:-last]), ".".join(middle[-last:])


def _found(name: str, what: str, known: dict[str, tuple[int, int]]) -> tuple[int, int, str]:
    """First column, width and component of `what`."""
    key, _, axis = what.partition(".")
    if key not in known:
        start = name.removesuffix(what)
        raise _unknown(name, [start + key for key in known])
    first, width = known[key]
    if axis and axis not in AXES[width]:
        raise _unknown(name, [f"{name.removesuffix(axis)}{a}" for a in AXES[width]])
    return first, width, axis


def _chosen(width: int, axis: str) -> list[int]:
    return [AXES[width].index(axis)] if axis else list(range(width))


def _single(joint: str, places: BindContext) -> int:
    """Index of a joint with one coordinate."""
    number = places.joint(joint)
    if int(places.model.jnt_type[number]) not in (HINGE, SLIDE):
        raise ValueError(f"the joint {joint!r} has more than one coordinate; read the motion of a site or body instead")
    return number


def _unknown(name: str, known: list[str]) -> ValueError:
    return ValueError(f"there is no quantity {name!r}; there are: {', '.join(known)}")
