"""A body that is pushed and turned at sites, as models have it that leave the rotors out: thrust and three moments.

A mixer takes the controls of these actuators. The gains follow from what they can do: a body that turns slowly gets
slow loops, each as much slower as its attitude is.
"""

import math
from typing import Any

import mujoco
import numpy as np

from cupola.bridge.pilot import HIGH, INPUTS, SPARE, Pilot, controller_rate
from cupola.bridge.report import Report
from cupola.parts.propulsion.mixer import Plant

TILT, TURN = 0.35, 0.5
"""[rad] of error in tilt and heading at which all of a moment is used."""
BANDWIDTH, YAW_BANDWIDTH = (1.0, 8.0), (0.2, 2.5)
"""[rad/s] slowest, and that of a body which can turn as it likes."""
GAINS = {"position_kp": (1.0, 1), "velocity_kp": (2.5, 1), "velocity_ki": (0.6, 2)}
"""Of the loops around an attitude of 8 rad/s, and the power of its bandwidth with which they slow down."""


def choose_by_pushes(
    vehicle: dict[str, Any], model: mujoco.MjModel, report: Report, physics_hz: float, gravity: float
) -> Pilot:
    """Mixer and controllers of a vehicle whose actuators push it at sites, if they can hold it in the air."""
    parts = vehicle["parts"]
    servos = {name: part for name, part in parts.items() if part["kind"] == "servo" and _acts_at_site(model, part)}
    plant = Plant(model, model.body(vehicle["root"]).id)
    columns = np.array([plant.pushed(model.actuator(part["actuator"]).id) for part in servos.values()]).T
    why = _why_not(columns, list(servos.values()), gravity)
    rate = controller_rate(physics_hz)
    if why:
        vehicle["controller"] = {"use": "pass_through", "rate_hz": rate}
        report.lose("controller", f"none that we ship flies it: {why}; pass_through leaves it to the sticks")
        return Pilot("", f"the sticks alone (pass_through): {why}")
    most = np.abs(columns) @ [max(abs(part["low"]), abs(part["high"])) for part in servos.values()]
    gains = gains_for(min(most[1], most[2]), most[3])
    x, y, z = vehicle["start"]["position"]
    plan = [{"position": [x, y, z + HIGH], "yaw_deg": vehicle["start"]["attitude_deg"][2], "speed": 0.5}]
    parts["mixer"] = {"kind": "mixer", "pushers": list(servos)}
    vehicle["controller"] = {"use": "multirotor_geometric", "rate_hz": rate, "parameters": gains, "plan": plan}
    vehicle["assisted"] = {"use": "multirotor_velocity", "rate_hz": rate, "parameters": gains}
    said = f"it tips by {min(most[1], most[2]):.3g} rad/s² and turns by {most[3]:.3g} rad/s² at most"
    report.assume("gains of the controller", said)
    return Pilot(
        "multirotor", f"multirotor_geometric through a mixer of {len(servos)} pushes; it hovers at {z + HIGH:g} m"
    )


def gains_for(tip: float, turn: float) -> dict[str, float]:
    """Parameters for a body that can be tipped and turned by so much [rad/s²]."""
    tilt = min(max(math.sqrt(tip / TILT), BANDWIDTH[0]), BANDWIDTH[1])
    yaw = min(max(math.sqrt(turn / TURN), YAW_BANDWIDTH[0]), YAW_BANDWIDTH[1])
    share = tilt / BANDWIDTH[1]
    gains = {name: value * share**power for name, (value, power) in GAINS.items()}
    return {key: round(value, 6) for key, value in {**gains, "tilt_bandwidth": tilt, "yaw_bandwidth": yaw}.items()}


def _acts_at_site(model: mujoco.MjModel, part: dict[str, Any]) -> bool:
    return bool(model.actuator_trntype[model.actuator(part["actuator"]).id] == mujoco.mjtTrn.mjTRN_SITE)


def _why_not(columns: Any, servos: list[dict[str, Any]], gravity: float) -> str:
    """Why these pushes cannot hold it; nothing where they can."""
    if len(servos) < INPUTS:
        return f"{len(servos) or 'no'} actuators push or turn it at a site; hovering needs {INPUTS}"
    if np.linalg.matrix_rank(columns, tol=1e-6 * float(np.abs(columns).max())) < INPUTS:
        return "its actuators cannot command thrust, roll, pitch and yaw independently"
    ends = [(part["low"], part["high"]) for part in servos]
    lift = sum(max(c * low, c * high) for c, (low, high) in zip(columns[0], ends, strict=True))
    if lift < SPARE * gravity:
        return f"its actuators push it up by {lift:.3g} m/s² at most, it falls by {gravity:.3g} m/s²"
    return ""
