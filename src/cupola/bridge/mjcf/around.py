"""What stands around a robot in an MJCF file: ground, gravity, step, wind become a scenario, a keyframe the start."""

import math
from typing import Any
from xml.etree import ElementTree as ET

import mujoco
import numpy as np

from cupola.bridge.mjcf.source import Source, is_free
from cupola.bridge.report import Report
from cupola.physics.blades import SEA_LEVEL
from cupola.physics.rotation import Quaternion, euler_from_quaternion

HOVER = "hover"
"""Name of the keyframe that is taken before the first."""
INTEGRATORS = {getattr(mujoco.mjtIntegrator, f"mjINT_{n.upper()}"): n for n in
               ("Euler", "RK4", "implicit", "implicitfast")}  # fmt: skip
WIDE = 2500.0
"""[m] half the edge of a plane that has no end."""


def read_scenario(source: Source, report: Report) -> dict[str, Any]:
    """Step, gravity, wind and ground."""
    option = source.model.opt
    rate = max(1, round(1.0 / option.timestep))
    if abs(rate * option.timestep - 1.0) > 1e-9:
        report.repair("<option>: timestep", f"{option.timestep:g} s", f"1/{rate} s", "rates are whole numbers here")
    scenario: dict[str, Any] = {"physics_hz": rate, "integrator": INTEGRATORS[int(option.integrator)]}
    scenario["gravity"] = -float(option.gravity[2])
    if option.gravity[0] or option.gravity[1] or option.gravity[2] > 0.0:
        report.lose("<option>: gravity", "only its part downward is kept")
        scenario["gravity"] = max(0.0, scenario["gravity"])
    if option.density or option.viscosity:
        report.lose(
            f"<option>: density {option.density:g}, viscosity {option.viscosity:g}",
            "MuJoCo's own drag of all shapes; here air acts on parts: add a `bluff` for drag",
        )
    report.assume("air", f"{SEA_LEVEL:g} kg/m³ at every height, where rotors push as hard as in the source")
    return {**scenario, "air": {"density": SEA_LEVEL, **_wind(option)}, "floor": _floor(source, report)}


def _wind(option: Any) -> dict[str, Any]:
    """Wind as a bearing: world x is east."""
    x, y, z = option.wind.tolist()
    if not (x or y or z):
        return {}
    bearing = math.degrees(math.atan2(-x, -y)) % 360.0
    return {"wind": {"speed": math.hypot(x, y), "from_deg": bearing, "up": z}}


def _floor(source: Source, report: Report) -> dict[str, Any]:
    """The plane of the world; another geom that does not move is listed."""
    model, floor = source.model, None
    for k in range(model.ngeom):
        if model.geom_bodyid[k] != 0:
            continue
        name = model.geom(k).name or f"geom {k}"
        level = abs(model.geom_pos[k, 2]) < 1e-9 and np.allclose(model.geom_quat[k, 1:3], 0.0)
        if floor is None and model.geom_type[k] == mujoco.mjtGeom.mjGEOM_PLANE and level:
            size = float(max(model.geom_size[k, :2])) or WIDE
            floor = {"friction": float(model.geom_friction[k, 0]), "size": size}
        else:
            report.lose(f"<worldbody>: {name}", "only a level plane at height 0 becomes the floor")
    if floor is None:
        report.assume("floor", "none in the file: a level one at height 0")
    return floor or {}


def read_start(source: Source, body: ET.Element, report: Report) -> dict[str, Any]:
    """Where it begins: the keyframe `hover`, else the first, else the place of the body."""
    model, qpos = source.model, source.model.qpos0
    if not is_free(body):
        return {}
    keys = [model.key(k).name for k in range(model.nkey)]
    if keys:
        chosen = HOVER if HOVER in keys else keys[0]
        qpos = model.key_qpos[keys.index(chosen)]
        report.assume("start", f"that of the keyframe {chosen or 'without a name'}")
        others = [name or "without a name" for name in keys if name != chosen]
        if others:
            report.lose(f"<keyframe>: {', '.join(others)}", "a vehicle has one start")
    joint = model.body(body.attrib["name"]).jntadr[0]
    at = model.jnt_qposadr[joint]
    angles = euler_from_quaternion(Quaternion(*qpos[at + 3 : at + 7].tolist()))
    start = {"position": qpos[at : at + 3].tolist(), "attitude_deg": [math.degrees(angle) for angle in angles]}
    bent = {
        model.joint(j).name: math.degrees(float(qpos[model.jnt_qposadr[j]]))
        for j in range(model.njnt)
        if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_HINGE and model.joint(j).name
    }
    moved = {name: angle for name, angle in bent.items() if angle}
    return start | ({"joints_deg": moved} if moved else {})


def read_imus(source: Source, report: Report) -> dict[str, dict[str, Any]]:
    """An IMU where a gyroscope and an accelerometer share a site; other sensors are listed."""
    model, parts = source.model, {}
    kinds = {"gyro": mujoco.mjtSensor.mjSENS_GYRO, "accelerometer": mujoco.mjtSensor.mjSENS_ACCELEROMETER}
    sites = {name: {int(model.sensor_objid[k]) for k in _of(model, kind)} for name, kind in kinds.items()}
    turned = {int(model.sensor_objid[k]) for k in _of(model, mujoco.mjtSensor.mjSENS_FRAMEQUAT)
              if model.sensor_objtype[k] == mujoco.mjtObj.mjOBJ_SITE}  # fmt: skip
    for site in sorted(sites["gyro"] & sites["accelerometer"]):
        name = model.site(site).name
        rate = round(1.0 / model.opt.timestep)
        parts[f"{name}_unit" if name in parts else name] = {
            "kind": "imu", "site": name, "rate_hz": rate, **({"orientation": True} if site in turned else {})
        }  # fmt: skip
    known = {int(k) for k in (*kinds.values(), mujoco.mjtSensor.mjSENS_FRAMEQUAT)}
    for k in range(model.nsensor):
        there = model.sensor_objid[k] in sites["gyro"] & sites["accelerometer"]
        if int(model.sensor_type[k]) not in known or not there:
            report.lose(f"<sensor>: {model.sensor(k).name or k}", "only an IMU is read: a gyro and an accelerometer")
    return parts


def _of(model: Any, kind: Any) -> list[int]:
    return [k for k in range(model.nsensor) if model.sensor_type[k] == kind]
