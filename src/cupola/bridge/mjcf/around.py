"""What stands around a robot in an MJCF file: ground, gravity, step, wind become a scenario, a keyframe the start."""

import math
from typing import Any
from xml.etree import ElementTree as ET

import mujoco
import numpy as np

from cupola.bridge.mjcf.options import is_off, list_solver
from cupola.bridge.mjcf.source import Source, is_free
from cupola.bridge.report import Report
from cupola.bridge.standing import gravity_keys, is_floor, obstacle, plane_box
from cupola.physics.blades import SEA_LEVEL
from cupola.physics.rotation import Quaternion, Vector, euler_from_quaternion

HOVER = "hover"
"""Name of the keyframe that is taken before the first."""
INTEGRATORS = {getattr(mujoco.mjtIntegrator, f"mjINT_{n.upper()}"): n for n in
               ("Euler", "RK4", "implicit", "implicitfast")}  # fmt: skip
PLANE, BOX, CYLINDER = (int(getattr(mujoco.mjtGeom, f"mjGEOM_{name}")) for name in ("PLANE", "BOX", "CYLINDER"))
CONTACT: dict[str, Any] = {
    "margin": 0.0, "gap": 0.0, "condim": 3, "solref": [0.02, 1.0], "solimp": [0.9, 0.95, 0.001, 0.5, 2.0]
}  # fmt: skip
"""How a geom of MuJoCo touches, unless a file says otherwise."""
WIDE = 2500.0
"""[m] half the edge of a plane that has no end."""


def read_scenario(source: Source, body: ET.Element, report: Report) -> dict[str, Any]:
    """Step, gravity, wind and ground."""
    option = source.model.opt
    rate = max(1, round(1.0 / option.timestep))
    if abs(rate * option.timestep - 1.0) > 1e-9:
        report.repair("<option>: timestep", f"{option.timestep:g} s", f"1/{rate} s", "rates are whole numbers here")
    scenario: dict[str, Any] = {"physics_hz": rate, "integrator": INTEGRATORS[int(option.integrator)]}
    if option.integrator == mujoco.mjtIntegrator.mjINT_RK4 and source.model.na:
        why = "actuators with a state of their own cannot go with RK4"
        report.repair("<option>: integrator", "RK4", "implicitfast", why)
        scenario["integrator"] = "implicitfast"
    pull = [float(part) for part in option.gravity] if not is_off(source.model, "GRAVITY") else [0.0, 0.0, 0.0]
    scenario |= gravity_keys(pull, "<option>: gravity", report)
    list_solver(source, report)
    if option.density or option.viscosity:
        report.lose(
            f"<option>: density {option.density:g}, viscosity {option.viscosity:g}",
            "MuJoCo's own drag of all shapes; here air acts on parts: add a `bluff` for drag",
        )
    return {**scenario, "air": {"density": SEA_LEVEL, **_wind(option)}, **_ground(source, body, report)}


def _wind(option: Any) -> dict[str, Any]:
    """Wind as a bearing: world x is east."""
    x, y, z = option.wind.tolist()
    if not (x or y or z):
        return {}
    bearing = math.degrees(math.atan2(-x, -y)) % 360.0
    return {"wind": {"speed": math.hypot(x, y), "from_deg": bearing, "up": z}}


def _ground(source: Source, body: ET.Element, report: Report) -> dict[str, Any]:
    """Floor and obstacles: what stands still and can be touched; the rest is listed."""
    model, floor, obstacles = source.model, None, []
    for k in range(model.ngeom):
        if model.geom_bodyid[k] != 0:
            continue
        name = model.geom(k).name or f"geom {k}"
        kind, friction = int(model.geom_type[k]), float(model.geom_friction[k, 0])
        pos, quat = Vector(*model.geom_pos[k].tolist()), Quaternion(*model.geom_quat[k].tolist())
        if is_off(model, "CONTACT", "CONSTRAINT") or not _touches(source, body, k):
            report.lose(f"<worldbody>: {name}", "nothing of the vehicle touches it: it is only seen there")
        elif kind == PLANE and floor is None and is_floor(pos, quat):
            floor = {"friction": friction, "size": float(max(model.geom_size[k, :2])) or WIDE}
            _list_contact(model, k, name, report)
        elif kind == PLANE:
            half = [float(edge) or WIDE for edge in model.geom_size[k, :2]]
            obstacles.append(plane_box(pos, quat, half, friction))
            report.assume(f"<worldbody>: {name}", "tilted or not at height 0: the upper side of a box")
        elif kind in (BOX, CYLINDER):
            x, y, z = (2.0 * model.geom_size[k]).tolist()
            size = (x, y, z) if kind == BOX else (x, x, y)
            obstacles.append(obstacle("box" if kind == BOX else "cylinder", pos, quat, size, friction))
        else:
            report.lose(f"<worldbody>: {name}", "only planes, boxes and cylinders become ground and obstacles")
    if floor is None and not obstacles and is_free(body):
        report.assume("floor", "none in the file: a level one at height 0")
        floor = {}
    return {"floor": floor} | ({"obstacles": obstacles} if obstacles else {})


def _touches(source: Source, body: ET.Element, geom: int) -> bool:
    """Whether MuJoCo lets a geom of the vehicle touch one of the world."""
    model = source.model
    root = model.body(body.attrib["name"]).id
    own = np.flatnonzero(model.body_rootid[model.geom_bodyid] == model.body_rootid[root])
    there = (model.geom_contype[own] & model.geom_conaffinity[geom]) | (
        model.geom_conaffinity[own] & model.geom_contype[geom]
    )
    return bool(there.any()) or model.geom(geom).name in source.paired(body)


def _list_contact(model: Any, geom: int, name: str, report: Report) -> None:
    """How the ground touches, beside its friction."""
    usual: dict[str, Any] = {
        "margin": 0.0,
        "gap": 0.0,
        "condim": 3,
        "solref": [0.02, 1.0],
        "solimp": [0.9, 0.95, 0.001, 0.5, 2.0],
    }
    other = {key: getattr(model, f"geom_{key}")[geom] for key in usual}
    said = [
        f"{key} {' '.join(f'{number:g}' for number in np.atleast_1d(value))}"
        for key, value in other.items()
        if not np.allclose(value, CONTACT[key])
    ]
    if said:
        report.lose(f"<worldbody>: {name}: {', '.join(said)}", "the floor of a scenario has its friction alone")


def keyframe(model: Any) -> int | None:
    """The one in which it begins: `hover`, else the first."""
    names = [model.key(k).name for k in range(model.nkey)]
    return names.index(HOVER) if HOVER in names else 0 if names else None


def read_start(source: Source, body: ET.Element, report: Report) -> dict[str, Any]:
    """Where it begins: the keyframe `hover`, else the first, else the place of the body."""
    model, qpos = source.model, source.model.qpos0
    key = keyframe(model)
    if key is not None:
        qpos = model.key_qpos[key]
        report.assume("start", f"that of the keyframe {model.key(key).name or 'without a name'}")
        others = [model.key(k).name or "without a name" for k in range(model.nkey) if k != key]
        if others:
            report.lose(f"<keyframe>: {', '.join(others)}", "a vehicle has one start")
        _list_rest(model, key, report)
    bent = _bent(model, qpos, report)
    if not is_free(body):
        return {"joints_deg": bent} if bent else {}
    joint = model.body(body.attrib["name"]).jntadr[0]
    at = model.jnt_qposadr[joint]
    angles = euler_from_quaternion(Quaternion(*qpos[at + 3 : at + 7].tolist()))
    start = {"position": qpos[at : at + 3].tolist(), "attitude_deg": [math.degrees(angle) for angle in angles]}
    return start | ({"joints_deg": bent} if bent else {})


def _bent(model: Any, qpos: Any, report: Report) -> dict[str, float]:
    """[deg] of the hinges that a start bends away from where the model has them, between their stops."""
    bent = {}
    for j in range(model.njnt):
        name, at = model.joint(j).name, model.jnt_qposadr[j]
        if model.jnt_type[j] != mujoco.mjtJoint.mjJNT_HINGE or not name or qpos[at] == model.qpos0[at]:
            continue
        angle = float(qpos[at])
        if model.jnt_limited[j] and not model.jnt_range[j][0] <= angle <= model.jnt_range[j][1]:
            angle = float(np.clip(angle, *model.jnt_range[j]))
            report.lose(f"<keyframe>: {name} at {qpos[at]:.4g} rad", f"beyond its stop: it begins at {angle:.4g} rad")
        bent[name] = math.degrees(angle)
    return bent


def _list_rest(model: Any, key: int, report: Report) -> None:
    """What a keyframe says beside the pose of the vehicle and the angles of its hinges."""
    name, qpos = model.key(key).name or "without a name", model.key_qpos[key]
    hinge, free = int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_FREE)
    for j in range(model.njnt):
        at = model.jnt_qposadr[j]
        end = at + (4 if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_BALL else 1)
        known = int(model.jnt_type[j]) == free or (int(model.jnt_type[j]) == hinge and model.joint(j).name)
        if not known and not np.array_equal(qpos[at:end], model.qpos0[at:end]):
            what = f"<keyframe>: {name}: joint {model.joint(j).name or j}"
            report.lose(what, "a start here bends hinges that have names; this one begins where the model has it")
    for said, moves in (("velocities", model.key_qvel[key]), ("activations", model.key_act[key])):
        if np.any(moves):
            report.lose(f"<keyframe>: {name}: {said}", "it begins at rest")


def read_imus(source: Source, body: ET.Element, report: Report) -> dict[str, dict[str, Any]]:
    """An IMU where a gyroscope and an accelerometer share a site of the vehicle; other sensors are listed."""
    model, parts = source.model, {}
    root = model.body_rootid[model.body(body.attrib["name"]).id]
    own = {site for site in range(model.nsite) if model.body_rootid[model.site_bodyid[site]] == root}
    kinds = {"gyro": mujoco.mjtSensor.mjSENS_GYRO, "accelerometer": mujoco.mjtSensor.mjSENS_ACCELEROMETER}
    sites = {name: {int(model.sensor_objid[k]) for k in _of(model, kind)} for name, kind in kinds.items()}
    turned = {int(model.sensor_objid[k]) for k in _of(model, mujoco.mjtSensor.mjSENS_FRAMEQUAT)
              if model.sensor_objtype[k] == mujoco.mjtObj.mjOBJ_SITE}  # fmt: skip
    found = sites["gyro"] & sites["accelerometer"] & own
    for site in sorted(found):
        name = model.site(site).name
        rate = round(1.0 / model.opt.timestep)
        parts[f"{name}_unit" if name in parts else name] = {
            "kind": "imu", "site": name, "rate_hz": rate, **({"orientation": True} if site in turned else {})
        }  # fmt: skip
    known = {int(k) for k in (*kinds.values(), mujoco.mjtSensor.mjSENS_FRAMEQUAT)}
    for k in range(model.nsensor):
        what = f"<sensor>: {model.sensor(k).name or k}"
        if int(model.sensor_type[k]) not in known:
            report.lose(what, "only an IMU is read: a gyro and an accelerometer")
        elif model.sensor_objid[k] not in found:
            elsewhere = model.sensor_objtype[k] == mujoco.mjtObj.mjOBJ_SITE and model.sensor_objid[k] not in own
            alone = "only an IMU is read: a gyro and an accelerometer at one site"
            report.lose(what, f"its site is not on {body.attrib['name']}" if elsewhere else alone)
    return parts


def _of(model: Any, kind: Any) -> list[int]:
    return [k for k in range(model.nsensor) if model.sensor_type[k] == kind]
