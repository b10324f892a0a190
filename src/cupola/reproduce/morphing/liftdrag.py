"""Gazebo's LiftDrag: golden values of its listing, as the compiled part of the loop gives them.

The values come from an independent transcription of the plugin; Gazebo itself was not run.
"""

import functools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from cupola.config.vehicle import MODELS
from cupola.parts.aero.liftdrag_load import LiftDragOutput
from cupola.reproduce.row import Row, printed, within
from cupola.reproduce.scene import world_of
from cupola.sim.world import World

SOURCE = "morphing wing specification §6.3"
MJCF = """<mujoco><worldbody><body name="base"><freejoint/><geom size="0.1" mass="1"/><site name="base"/>
<body name="flap"><joint name="flap" axis="0 1 0"/><geom size="0.1" mass="1"/></body></body></worldbody></mujoco>"""
CURVE = {
    "cla": 4.752798721, "cda": 0.6417112299, "cma": -1.8, "alpha_stall": 0.3391428111, "cla_stall": -3.85,
    "cda_stall": -0.9233984055, "cma_stall": 0.0,
}  # fmt: skip
WING = {**CURVE, "a0": 0.05984281113, "area": 8.08255}
ELEVATOR, RUDDER = {**CURVE, "a0": -0.2, "area": 2.03458}, {**CURVE, "a0": 0.0, "area": 1.5329}
BLADE = {**CURVE, "a0": 0.4, "cma": 0.0, "alpha_stall": 1.5, "area": 0.1}
SHARP = 500.0
"""Stall of the mended surface, abrupt so that it leaves small angles alone as the straight lines do."""
SPEED = 50.0
FULL = 2500.0 * math.pi / 30.0
"""[rad/s] of the propeller."""
SLOPED = (
    # geometric angle of attack [deg], then alpha, lift and drag coefficient, forces forward and up, as printed
    (-25, "-0.376490", "-1.468093", "0.183146", "5528.573", "-17127.996"),
    (-10, "-0.114690", "-0.545099", "0.073598", "269.772", "-6685.995"),
    (0, "0.059843", "0.284421", "0.038402", "-467.167", "3460.050"),
    (5, "0.147109", "0.699181", "0.094402", "-402.728", "8573.432"),
    (10, "0.234376", "1.113941", "0.150402", "551.295", "13663.208"),
    (16, "0.339095", "1.611653", "0.217601", "2859.561", "19576.305"),
    (20, "0.408909", "1.343279", "0.153210", "3837.626", "15993.290"),
    (30, "0.583442", "0.671327", "0.007953", "3999.639", "7121.087"),
    (40, "0.757975", "0.000000", "0.169117", "-1576.020", "1322.437"),
    (90, "-1.510954", "0.000000", "0.864416", "0.000", "10515.840"),
)
SLIPPED = (
    # sideslip [deg], speed in the plane and three forces as coded, then the same put right
    (-10, "41.3176", ("-304.689", "53.725", "2291.476"), "49.2404", ("-446.197", "0.000", "3304.736")),
    (10, "58.6824", ("-614.615", "-108.373", "4622.332"), "49.2404", ("-446.197", "0.000", "3304.736")),
    (20, "67.1010", ("-698.149", "-254.105", "5502.652"), "46.9846", ("-387.641", "0.000", "2871.044")),
)
DEFLECTED = (
    # name, surface, up, gain, angle [rad], sideslip [deg], forces
    ("elevator_0", ELEVATOR, (0, 0, 1), -4.0, 0.0, 0, ("-393.022", "0.000", "-2910.896")),
    ("elevator_12", ELEVATOR, (0, 0, 1), -4.0, 0.12, 0, ("-393.022", "0.000", "-4380.799")),
    ("rudder_10", RUDDER, (0, 1, 0), 4.0, 0.1, 0, ("0.000", "922.882", "0.000")),
    ("aileron_10", WING, (0, 0, 1), -2.0, 0.1, 0, ("-467.167", "0.000", "1027.000")),
    ("rudder_slip", RUDDER, (0, 1, 0), 4.0, 0.0, 5, ("-45.309", "-964.556", "0.000")),
)
PROPELLER = (
    # axial speed [m/s], alpha, lift coefficient, thrust, torque about the shaft
    (0, "0.400000", "1.901119", "9302.307", "-967.101"),
    (40, "0.204117", "0.970129", "4709.802", "-1242.541"),
    (60, "0.110709", "0.526179", "2578.303", "-894.917"),
    (80, "0.022209", "0.105554", "525.892", "-227.568"),
)
THROTTLED = ((0.3, "837.208"), (0.6, "3348.831"), (0.8, "5953.477"))
FIT = {"cla": 4.752798721, "a0": 0.05984281113, "cla_stall": -3.85}


def rows(full: bool) -> Iterator[Row]:
    """A wing over its angles, in sideslip, with its control; the tail; the propeller; the fit of the curves."""
    for degrees, alpha, c_lift, c_drag, x, z in SLOPED:
        out = _sloped(math.radians(degrees))
        for name, text in (("alpha", alpha), ("c_lift", c_lift), ("c_drag", c_drag)):
            key, about = f"liftdrag_{name}_{degrees}", f"{name} of the wing at {degrees}°"
            yield printed(key, SOURCE, about, text, getattr(out, name))
        for axis, text in (("x", x), ("z", z)):
            key = f"liftdrag_force_{axis}_{degrees}"
            yield printed(key, SOURCE, f"force along {axis} at {degrees}°", text, getattr(out.force, axis), "N")
    for degrees, speed, force, right_speed, right_force in SLIPPED:
        for name, mode, texts in (("coded", "faithful", force), ("mended", "corrected", right_force)):
            surface = WING if mode == "faithful" else {**WING, "mcoeff": SHARP}
            out = _slipping(_world(surface, mode), math.radians(degrees))
            text = speed if mode == "faithful" else right_speed
            key = f"liftdrag_{name}_slip_{degrees}"
            yield printed(key, SOURCE, f"speed in the plane at {degrees}° slip, {name}", text, out.speed, "m/s")
            yield from _forces(key, f"{degrees}° slip, {name}", texts, out)
    for name, surface, up, gain, angle, degrees, texts in DEFLECTED:
        out = _slipping(_world(surface, upward=up, gain=gain), math.radians(degrees), angle)
        yield from _forces(f"liftdrag_{name}", name.replace("_", " "), texts, out)
    yield from propeller_rows()
    yield from fit_rows()


def propeller_rows() -> Iterator[Row]:
    """Both blades at 2500 rpm in axial flow, and the static thrust of part throttle."""
    for speed, alpha, c_lift, thrust, torque in PROPELLER:
        blade, force, moment = _turning(FULL, float(speed))
        key, at = f"liftdrag_propeller_{speed}", f"propeller at {speed} m/s"
        # A cosine within a rounding error of one leaves its angle open to 1.5e-8.
        yield within(f"{key}_alpha", SOURCE, f"alpha of the {at}", float(alpha), blade.alpha, 5.2e-7, "rad")
        yield within(f"{key}_c_lift", SOURCE, f"lift coefficient, {at}", float(c_lift), blade.c_lift, 6e-7)
        yield printed(f"{key}_thrust", SOURCE, f"thrust of the {at}", thrust, force, "N")
        yield printed(f"{key}_torque", SOURCE, f"torque of the {at}", torque, moment, "N m")
    for throttle, thrust in THROTTLED:
        force = _turning(throttle * FULL, 0.0)[1]
        yield printed(
            f"liftdrag_static_{throttle}", SOURCE, f"static thrust at throttle {throttle}", thrust, force, "N"
        )


def fit_rows() -> Iterator[Row]:
    """Where the demo's curve comes from: straight lines through JSBSim's table of the C-172P, ours of `cessna`."""
    table = np.loadtxt(MODELS / "cessna" / "jsbsim_lift.csv", delimiter=",", skiprows=1)
    alpha, lift = table[:, 0], table[:, 1]
    slope, level = np.polyfit(alpha[:12], lift[:12], 1)
    past = alpha >= 0.28
    measured = {"cla": slope, "a0": level / slope, "cla_stall": np.polyfit(alpha[past], lift[past], 1)[0]}
    for name, published in FIT.items():
        yield within(
            f"liftdrag_fit_{name}", SOURCE, f"{name} fitted to JSBSim's table", published, measured[name], 1e-8
        )


def _forces(key: str, about: str, texts: tuple[str, str, str], out: LiftDragOutput) -> Iterator[Row]:
    for axis, text in zip("xyz", texts, strict=True):
        yield printed(f"{key}_{axis}", SOURCE, f"force along {axis}, {about}", text, getattr(out.force, axis), "N")


def _world(surface: dict[str, float], mode: str = "faithful", upward: Any = (0, 0, 1), gain: float = 0.0) -> World:
    control = [{"joint": "flap", "lift": gain}]
    part = {"kind": "liftdrag", "site": "base", "mode": mode, "air_density": 1.2041, "controls": control}
    part |= {"surface": surface, "upward": upward}
    return world_of(MJCF, {"parts": {"surface": part}, "controller": {"use": "pass_through", "rate_hz": 100}}, {})


@functools.cache
def _wing() -> World:
    return _world(WING)


def _sloped(alpha: float) -> LiftDragOutput:
    return _moving(_wing(), (SPEED * math.cos(alpha), 0.0, -SPEED * math.sin(alpha)))[0]


def _slipping(world: World, beta: float, angle: float = 0.0) -> LiftDragOutput:
    world.data.qpos[7] = angle
    return _moving(world, (SPEED * math.cos(beta), SPEED * math.sin(beta), 0.0))[0]


def _turning(omega: float, speed: float) -> tuple[LiftDragOutput, float, float]:
    """One blade, and thrust and torque of both."""
    blades = {
        f"blade{side:+d}": {
            "kind": "liftdrag", "site": "base", "mode": "faithful", "air_density": 1.2041, "surface": BLADE,
            "cp": [-0.37, 0.0, 0.77 * side], "forward": [0, -side, 0], "upward": [1, 0, 0],
        }
        for side in (1, -1)
    }  # fmt: skip
    world = world_of(MJCF, {"parts": blades, "controller": {"use": "pass_through", "rate_hz": 100}}, {})
    outs = _moving(world, (speed, 0.0, 0.0), omega)
    return outs[0], sum(out.force.x for out in outs), sum(out.torque.x for out in outs)


def _moving(world: World, velocity: tuple[float, float, float], omega: float = 0.0) -> list[LiftDragOutput]:
    """Outputs of all surfaces of a body that moves and turns about x; no time passes."""
    world.data.qvel[:] = 0.0
    world.data.qvel[:3], world.data.qvel[3] = velocity, omega
    world.accelerate()
    return [world.part(bound.full_name).outputs for bound in world.assembly.parts]
