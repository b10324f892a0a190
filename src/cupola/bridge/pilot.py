"""Who flies an imported vehicle: a controller chosen by where its rotors are and how hard they push.

Rotors that lift, carry the weight and can command thrust, roll, pitch and yaw get a mixer and a controller that takes
off and hovers. A vehicle that nothing of this fits keeps the sticks; what was chosen is one sentence.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import mujoco
import numpy as np

from cupola.bridge.report import Report
from cupola.parts import KINDS
from cupola.parts.described import RootFrame
from cupola.parts.propulsion.mixer import FEWEST, Plant

LEAST_TILT = 0.1
"""[rad] to either side that a servo must tilt a rotor to steer with it."""
YAW_BANDWIDTH, CALM = 2.5, 0.15
"""[rad/s] of a heading that turns as it likes; and how much of a kick of the shafts half its damping may answer."""
LIFTS = 0.7
"""Cosine of a shaft to the vertical of the root beyond which a rotor lifts, and to its nose beyond which it pushes."""
SPARE = 1.05
"""Of the weight: the thrust that can hover."""
RATES = (400, 250, 200, 100, 50)
"""[Hz] of a controller; the first that divides the physics."""
PHYSICS = 2000
"""[Hz] of a scenario that says nothing."""
HIGH = 2.0
"""[m] over the start at which it hovers."""
FLYING = ("rotor", "liftdrag", "airfoil", "wing")
"""Kinds of parts of what may want to fly."""
INPUTS = 4
"""Channels of a mixer, and of a plane."""


class RotorSite(NamedTuple):
    """A rotor part in the axes of the root, from the centre of mass."""

    name: str
    place: np.ndarray[Any, Any]
    axis: np.ndarray[Any, Any]
    thrust: float
    """[N] at full throttle."""
    ratio: float
    """[m] torque about the axis per thrust."""

    def effect(self) -> list[float]:
        """Force along z and torque of one newton."""
        torque = np.cross(self.place, self.axis) + self.ratio * self.axis
        return [float(self.axis[2]), *torque.tolist()]


class Shaft(NamedTuple):
    """A propeller of surfaces on a shaft that a servo turns, by the name of the servo."""

    site: str
    thrust: float
    """[N] at full command."""
    ratio: float
    """[m] torque about the thrust per thrust."""
    kick: float
    """[s] at full command: what the spin of its inertia does to the heading, by what the air does in a second."""


class Tilt(NamedTuple):
    """A servo that tilts a rotor."""

    servo: str
    effect: list[float]
    """Force along z [N] and torques [N m] per newton of thrust and radian."""


class Pilot(NamedTuple):
    """What was chosen."""

    family: str
    """multirotor, or empty where nobody flies it."""
    sentence: str


def rotor_sites(
    vehicle: dict[str, Any], model: mujoco.MjModel, shafts: Mapping[str, Shaft] | None = None
) -> list[RotorSite]:
    """The rotors of a vehicle file, of which those with a known static thrust count, and shafts with blades."""
    frame = RootFrame(model, model.body(vehicle["root"]).id)
    found = []
    for name, part in vehicle["parts"].items():
        if part["kind"] != "rotor":
            continue
        rotor = KINDS["rotor"].model_validate(part)
        try:
            thrust, ratio = rotor.static_lift()  # type: ignore[attr-defined]
        except ValueError:
            continue
        site = model.site(part["site"]).id
        found.append(RotorSite(name, np.array(frame.place(site)), np.array(frame.axis(site)), thrust, ratio))
    for name, shaft in (shafts or {}).items():
        site = model.site(shaft.site).id
        place, axis = np.array(frame.place(site)), np.array(frame.axis(site))
        found.append(RotorSite(name, place, axis, shaft.thrust, shaft.ratio))
    return found


def weight(vehicle: dict[str, Any], model: mujoco.MjModel, gravity: float = 9.81) -> float:
    """[N] of the root with everything on it."""
    return gravity * float(model.body_subtreemass[model.body(vehicle["root"]).id])


def lifting_rotors(rotors: list[RotorSite]) -> list[RotorSite]:
    """Those whose thrust points up."""
    return [rotor for rotor in rotors if rotor.axis[2] > LIFTS]


def pushing_rotors(rotors: list[RotorSite]) -> list[RotorSite]:
    """Those whose thrust points to the nose."""
    return [rotor for rotor in rotors if rotor.axis[0] > LIFTS]


def direction_text(axis: np.ndarray[Any, Any]) -> str:
    """A unit vector in two digits."""
    return "(" + ", ".join(f"{x + 0.0:.2g}" for x in np.round(axis, 2)) + ")"


def can_hover(rotors: list[RotorSite], weight: float, tilted: Sequence[list[float]] = ()) -> str:
    """Why these rotors cannot hold a vehicle in the air; nothing where they can.

    `tilted` is what those do that a servo tilts, per radian: force along z and torques.
    """
    if len(rotors) + len(tilted) < INPUTS or len(rotors) < FEWEST:
        needs = f"; hovering needs {INPUTS}, or {FEWEST} and a servo that tilts one" if rotors else ""
        return f"it has {len(rotors) or 'no'} rotors that lift{needs}"
    total = sum(rotor.thrust * float(rotor.axis[2]) for rotor in rotors)
    if total < SPARE * weight:
        return f"its rotors lift {total:.3g} N at most, its weight is {weight:.3g} N"
    effects = np.array([*(rotor.effect() for rotor in rotors), *tilted]).T
    if np.linalg.matrix_rank(effects, tol=1e-6 * float(np.abs(effects).max())) < INPUTS:
        return "its rotors cannot command thrust, roll, pitch and yaw independently"
    level = np.linalg.pinv(effects) @ [weight, 0.0, 0.0, 0.0]  # as a mixer shares it out
    for rotor, share in zip(rotors, level, strict=False):
        if not 0.0 <= share <= rotor.thrust:
            return f"level, {rotor.name} would have to push {share:.3g} N, and it does 0 to {rotor.thrust:.3g} N"
    return ""


def tilting(vehicle: dict[str, Any], model: mujoco.MjModel, rotors: list[RotorSite]) -> dict[str, "Tilt"]:
    """Of rotors, by name: the servo that tilts one to either side, and what that does."""
    servos = {part["actuator"]: name for name, part in vehicle["parts"].items() if part["kind"] == "servo"}
    moved = {int(model.actuator(a).trnid[0]): name for a, name in servos.items() if a and _is_position(model, a)}
    plant, found = Plant(model, model.body(vehicle["root"]).id), {}
    for rotor in rotors:
        site = model.site(vehicle["parts"][rotor.name]["site"]).id
        body = int(model.site_bodyid[site])
        while body and model.body_jntnum[body] == 0:
            body = int(model.body_parentid[body])
        joint = int(model.body_jntadr[body])
        hinge = model.body_jntnum[body] == 1 and model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE
        if not hinge or joint not in moved:
            continue
        servo = vehicle["parts"][moved[joint]]
        effect = plant.across(site, rotor.ratio)
        if servo["low"] < -LEAST_TILT and servo["high"] > LEAST_TILT and np.linalg.norm(effect[1:]) > 0.0:
            found[rotor.name] = Tilt(moved[joint], [effect[0] * plant.mass, *(plant.inertia @ effect[1:]).tolist()])
    return found


def _is_position(model: mujoco.MjModel, actuator: str) -> bool:
    """Whether the control of an actuator is the angle of a joint."""
    one = model.actuator(actuator)
    at_joint = one.trntype[0] == mujoco.mjtTrn.mjTRN_JOINT
    return bool(at_joint and one.gainprm[0] > 0.0 and one.biasprm[1] == -one.gainprm[0])


def controller_rate(physics_hz: float = PHYSICS) -> int:
    """[Hz] at which a controller fits into the physics of its own scenario and into the usual one."""
    step = round(physics_hz)
    return next((rate for rate in RATES if step % rate == 0 and PHYSICS % rate == 0), math.gcd(step, PHYSICS))


def choose_multirotor(
    vehicle: dict[str, Any],
    rotors: list[RotorSite],
    report: Report,
    physics_hz: float,
    tilts: dict[str, Tilt] | None = None,
    shafts: Mapping[str, Shaft] | None = None,
    heavy: float = 1.0,
) -> Pilot:
    """Write mixer, channels and controllers of a vehicle whose `rotors` can hover: it takes off and holds its place."""
    parts, names = vehicle["parts"], [rotor.name for rotor in rotors]
    order = [*names, *(name for name, part in parts.items() if "channel" in part and name not in names)]
    for channel, name in enumerate(order, INPUTS):
        parts[name]["channel"] = channel
    tilted = {name: tilt.servo for name, tilt in (tilts or {}).items()}
    used = {name: shaft for name, shaft in (shafts or {}).items() if name in names}
    turned = {n: {"site": s.site, "thrust": s.thrust, "ratio": s.ratio} for n, s in used.items()}
    own = [name for name in names if name not in turned]
    mixer = {"kind": "mixer", "rotors": own, **({"tilts": tilted} if tilted else {})}
    mixer |= {"shafts": turned} if turned else {}
    parts["mixer" if "mixer" not in parts else "lift_mixer"] = mixer
    rate = controller_rate(physics_hz)
    x, y, z = (float(v) for v in vehicle.get("start", {}).get("position", (0.0, 0.0, 0.0)))
    yaw = float(vehicle.get("start", {}).get("attitude_deg", (0.0, 0.0, 0.0))[2])
    plan = [{"position": [x, y, z + HIGH], "yaw_deg": yaw, "speed": 1.0}]
    gains = _calm_heading(used, rotors, heavy, report)
    vehicle["controller"] = {"use": "multirotor_geometric", "rate_hz": rate, **given(gains), "plan": plan}
    vehicle["assisted"] = {"use": "multirotor_velocity", "rate_hz": rate, **given(gains)}
    report.assume("controller", f"multirotor_geometric through a mixer; its plan is to hover {HIGH:g} m over the start")
    leans = f", of which {' and '.join(tilted.values())} tilts {' and '.join(tilted)}" if tilted else ""
    by = f"multirotor_geometric through a mixer of {len(names)} rotors{leans}"
    return Pilot("multirotor", f"{by}; it hovers at {z + HIGH:g} m")


def given(parameters: dict[str, float]) -> dict[str, Any]:
    """The key of a controller that has some, as a dictionary of its own: files have no aliases."""
    return {"parameters": {**parameters}} if parameters else {}


def _calm_heading(
    shafts: Mapping[str, Shaft], rotors: Sequence[RotorSite], heavy: float, report: Report
) -> dict[str, float]:
    """A loop of the heading slow enough for shafts whose spin-up turns the vehicle more than the air on their blades.

    The servo follows at once, and so does the vehicle: the rate loop must answer that kick with less than itself.
    """
    if not shafts:
        return {}
    kick = max(shaft.kick for shaft in shafts.values()) * math.sqrt(sum(rotor.thrust for rotor in rotors) / heavy)
    slow = round(min(YAW_BANDWIDTH, CALM / max(kick, 1e-9)), 4)
    if slow < YAW_BANDWIDTH:
        said = f"{slow:g} rad/s, as the spin of its propellers turns it for {kick:.2g} s of what the air on them does"
        report.assume("bandwidth of the heading", said)
    return {"yaw_bandwidth": slow}


def _what_sticks_move(vehicle: dict[str, Any]) -> str:
    """Of something that was never meant to fly."""
    channels = sorted(part["channel"] for part in vehicle["parts"].values() if "channel" in part)
    if not channels:
        return "nothing in the file drives its joints; a `servo` in vehicle.yaml does"
    return f"its {len(channels)} joints that are driven follow channels {channels[0]} to {channels[-1]}"


def choose_pilot(
    vehicle: dict[str, Any],
    model: mujoco.MjModel,
    report: Report,
    physics_hz: float = PHYSICS,
    gravity: float = 9.81,
    said: str = "",
    shafts: Mapping[str, Shaft] | None = None,
) -> Pilot:
    """Give a vehicle file its controller; `model` is its compiled MJCF. Channels of its parts are dealt out anew.

    `said` is why nothing else flies it, which is told instead of what it lacks to hover.
    """
    lifting, heavy = lifting_rotors(rotor_sites(vehicle, model, shafts)), weight(vehicle, model, gravity)
    why = can_hover(lifting, heavy)
    if not why:
        return choose_multirotor(vehicle, lifting, report, physics_hz, None, shafts, heavy)
    tilts = tilting(vehicle, model, [rotor for rotor in lifting if rotor.name not in (shafts or {})])
    if tilts and not can_hover(lifting, heavy, [tilt.effect for tilt in tilts.values()]):
        return choose_multirotor(vehicle, lifting, report, physics_hz, tilts, shafts, heavy)
    why = said or why
    if not any(part["kind"] in FLYING for part in vehicle["parts"].values()):
        why = _what_sticks_move(vehicle)
    vehicle["controller"] = {"use": "pass_through", "rate_hz": controller_rate(physics_hz)}
    report.lose("controller", f"none that we ship flies it: {why}; pass_through leaves it to the sticks")
    return Pilot("", f"the sticks alone (pass_through): {why}")
