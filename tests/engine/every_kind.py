"""Every kind of part of the registry, in a few worlds: a table of minimal entries, and the bodies they sit on.

Part and kind have the same name. A kind that needs others finds them under `HELPERS`.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from cupola.bridge.fmi.pack import WING, compile_library, pack
from cupola.config.scenario import Scenario
from cupola.parts import KINDS
from cupola.sim.world import World

ELECTRIC: dict[str, Any] = {
    "k_v": 13.333, "r_motor": 0.041, "i_0": 0.9, "r_battery": 0.0, "cells": 3.0, "cell_voltage": 4.0,
    "prop_diameter": 0.305, "inertia": 0.0008, "omega_min": 0.01, "omega_max": 1000.0, "thrust_max": 138.0,
    "j_min": 0.0, "j_max": 0.8,
}  # fmt: skip
GENERIC = {"s_prop": 0.02, "c_prop": 1.0, "k_motor": 50.0, "k_t_p": 1e-4, "k_omega": 100.0}
PLATE = [{"y": 0.0, "chord": 0.1}, {"y": 0.5, "chord": 0.1}]
EXCHANGE = {
    "inputs": {"joint.flap.velocity": "rate"},
    "outputs": {"joint.flap.torque": "torque", "show.force": "force"},
}
WINGED = {
    "inputs": {"joint.flap.velocity": "rate", "site.root.vel_air_s.z": "air", "air.density": "density"},
    "outputs": {"joint.flap.torque": "torque", "site.root.force_s.z": "force"},
}
ENTRIES: dict[str, dict[str, Any]] = {
    # in the air
    "airfoil": {
        "site": "here", "channels": [9, -1, -1], "deflection_max": [0.3, 0.3, 0.3],
        "surface": {"area": 0.3, "span": 2.0, "chord": 0.15, "c_lift_0": 0.3, "c_lift_a": 5.0, "c_drag_p": 0.04,
                    "c_l_p": -1.0, "c_l_input_x": 0.2, "c_m_a": -0.7, "c_m_q": -20.0, "c_n_r": -1.0},
    },
    "liftdrag": {"site": "tail", "surface": {"a0": 0.1, "cla": 4.0, "cda": 0.3, "alpha_stall": 0.3, "area": 0.1}},
    "wing": {
        "site": "left", "stations": PLATE, "strips": 4, "model": "unsteady", "twist": {"channel": 15, "gain": 0.2},
    },
    "bluff": {"site": "here", "body": {"area": 0.01, "c_drag": 0.5}},
    "table_aero": {
        "site": "here", "force_axes": "wind", "constants": {"area": 0.2}, "controls": {9: 0.3},
        "tables": {"CL": {"over": {"alpha": [-0.3, 0.3], "mach": [0.0, 1.0]}, "values": [-1.0, -1.2, 1.0, 1.2]}},
        "values": {"qs": "dynamic_pressure * area"}, "show": {"qs": "N"},
        "force": {"x": "-qs * (0.02 + 0.1 * CL ^ 2)", "y": "0.01 * beta_rate", "z": "-qs * CL"},
        "torque": {"y": "-0.1 * qs * alpha + 0.02 * qs * channel[9] - 0.01 * qs * alpha_rate"},
    },
    "table_engine": {
        "site": "prop", "throttle": 12, "thrust": "channel[12] * power * density", "constants": {"power": 2.0},
    },
    "table_control": {
        "site": "here", "channels": {12: "clip(slow + 0.1 * pitch, 0, 1)"},
        "remembers": {"slow": {"start": 0.2, "next": "slow + (1 - exp(-dt / lag)) * (channel[14] - slow)"}},
        "constants": {"lag": 0.1},
    },
    "rotor": {
        "site": "prop", "channel": 8, "direction": 1, "electric": ELECTRIC, "battery": "battery",
        "efficiency": {"coefficients": [0.0, 3.19, -12.15, 27.83, -21.82]},
        "c_power": {"coefficients": [0.0661, -0.1647, 0.2958, -0.2355]},
    },
    "engine": {"speed": 150.0, "power": 400.0, "inertia": 0.02, "kp": 0.01, "ki": 0.02, "throttle": 0.3},
    "helicopter_rotor": {
        "site": "up", "direction": -1, "engine": "engine", "ratio": 1.2, "bar": {"lock": 0.8, "share": 0.7},
        "blades": {"radius": 0.5, "blades": 2, "rings": 4, "stations": [{"r": 0.1, "chord": 0.04, "pitch": 0.0}]},
        "flap": {"inertia": 0.01, "stiffness": 10.0}, "collective": {"channel": 14, "gain": 0.1},
        "cyclic_y": {"channel": 12, "gain": 0.2}, "cyclic_z": {"channel": 13, "gain": -0.2},
    },
    "battery": {"cells": 3, "capacity_ah": 0.1, "resistance": 0.02},
    "mixer": {"rotors": ["up1", "up2", "up3", "up4"]},
    "flapping": {"channel": 11, "output": 15},
    "servo": {"channel": 9, "natural_frequency": 30.0, "damping": 0.7, "rate_max": 4.0},
    "battery_monitor": {"battery": "battery", "site": "here", "rate_hz": 20, "voltage_noise": 0.01},
    "imu": {"site": "here", "rate_hz": 170, "delay": 0.03, "accel_noise": 0.02, "accel_walk": 0.05},
    "truth": {"site": "here", "rate_hz": 30, "delay": 0.1},
    "barometer": {"site": "here", "rate_hz": 50, "noise": 2.0, "drift": 10.0, "delay": 0.02},
    "gnss": {"site": "here", "rate_hz": 10, "delay": 0.12, "noise": 0.5, "velocity_noise": 0.1, "wander": 1.0},
    "magnetometer": {"site": "here", "rate_hz": 75, "noise": 1e-7},
    "airspeed": {"site": "here", "rate_hz": 60, "noise": 3.0},
    "rangefinder": {"site": "down", "rate_hz": 35, "noise": 0.02, "range_min": 0.01},
    "laser": {"site": "down", "rays": 31, "delay": 0.01},
    "camera": {"site": "here", "width_px": 16, "height_px": 12},
    # on the table
    "joint_motor": {
        "joint": "shoulder", "channel": 4, "model": "geared", "ratio": 100, "torque_constant": 0.05, "resistance": 5.0,
        "current_lasting": 1.0, "current_max": 2.0, "dry": 0.01, "backlash": 0.01, "rotor_inertia": 1e-6,
    },
    "reaction_wheel": {"joint": "disc", "channel": 5, "model": "geared", "torque_constant": 0.05, "viscous": 1e-4},
    "gas_tank": {"mass": 0.05, "reserve": 0.01},
    "air_bearing": {"site": "base", "diameter": 0.038, "flow_lpm": 3.0, "load": 40.0, "tank": "gas_tank"},
    "thruster_pair": {
        "site": "side", "channel": 6, "thrust": 0.6, "specific_impulse": 45.0, "delay": 0.004, "pulse_min": 0.01,
        "tank": "gas_tank",
    },
    "gripper": {"site": "tip", "channel": 7, "soft_time": 0.2, "hard_time": 0.2},
    "force_torque": {"site": "wrist", "rate_hz": 100, "force_noise": 0.01},
    "motion_capture": {"site": "base", "rate_hz": 100, "delay": 0.02, "noise": 1e-3, "wander": 1e-3, "dropout": 0.1},
    "encoder": {"joints": ["shoulder"], "rate_hz": 200, "marks": 2000, "speed_noise": 0.01},
    "monitor": {"of": "joint_motor", "site": "base", "rate_hz": 50},
    "relative": {"to": "arm", "rate_hz": 50},
    # on the floor
    "mecanum": {"wheels": ["wheel_fr", "wheel_fl", "wheel_rl", "wheel_rr"], "model": "friction"},
    # from outside: `file` and `port` are put in when the world is built
    "c": {**WINGED, "file": "wing.so", "rate_hz": 100},
    "fmu": {**WINGED, "file": "wing.fmu", "rate_hz": 100},
    "peer": {**EXCHANGE, "port": 1, "rate_hz": 100},
}  # fmt: skip
"""By kind; `kind` is put in."""
HELPERS = {f"up{k}": {"kind": "rotor", "site": f"up{k}", "channel": 3 + k, "direction": 1 - 2 * (k % 2),
                      "generic": GENERIC} for k in (1, 2, 3, 4)}  # fmt: skip

AIR = """<body name="base"><freejoint/><geom type="box" size="0.2 0.4 0.05" mass="1"/>
<site name="here" euler="5 10 15"/><site name="down" pos="0 0 -0.06" euler="0 90 0"/><site name="prop" pos="0.2 0 0"/>
<site name="tail" pos="-0.8 0 0"/><site name="left" pos="0 0.1 0"/>
<site name="up" pos="0 0 0.2" euler="0 -90 0"/>
<site name="up1" pos="0.3 0.3 0" euler="0 -90 0"/><site name="up2" pos="-0.3 0.3 0" euler="0 -90 0"/>
<site name="up3" pos="-0.3 -0.3 0" euler="0 -90 0"/><site name="up4" pos="0.3 -0.3 0" euler="0 -90 0"/></body>"""
TABLE = """<body name="base"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint axis="0 0 1"/>
<inertial pos="0 0 0" mass="4" diaginertia="0.1 0.1 0.2"/><site name="base"/><site name="side" pos="0 0.5 0"/>
<body name="disc"><joint name="disc" axis="0 0 1"/><inertial pos="0 0 0" mass="1" diaginertia=".001 .001 .002"/></body>
<body name="arm" pos="0.2 0 0"><joint name="shoulder" axis="0 0 1"/>
<inertial pos="0.1 0 0" mass="0.3" diaginertia="0.01 0.01 0.01"/><site name="wrist"/>
<site name="tip" pos="0.2 0 0"/></body></body>"""
TARGET = """<body name="base"><freejoint/><inertial pos="0 0 0" mass="2" diaginertia="0.1 0.1 0.1"/>
<site name="interface"/></body>"""
WHEEL = """<body name="{name}" pos="{x} {y} 0"><inertial pos="0 0 0" mass="1.6" diaginertia="0.005 0.008 0.005"/>
<joint name="{name}" axis="0 1 0"/></body>"""
FLOOR = '<body name="base" pos="0 0 0.1016"><freejoint/><inertial pos="0 0 0.02" mass="60" diaginertia="3 3 5"/>'
FLOOR += "".join(
    WHEEL.format(name=f"wheel_{name}", x=x, y=y)
    for name, x, y in (("fr", 0.36, -0.38), ("fl", 0.36, 0.38), ("rl", -0.36, 0.38), ("rr", -0.36, -0.38))
)
FLOOR += "</body>"
OUTSIDE = """<body name="base"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
<body name="arm"><joint name="flap" axis="0 1 0"/>
<inertial pos="0.2 0 0" mass="0.1" diaginertia="0.001 0.002 0.001"/><site name="root" pos="0.1 0 0"/></body></body>"""
WEATHER = {
    "wind": {"speed": 5.0, "from_deg": 200, "height": 10, "exponent": 0.2, "up": 1.0},
    "gusts": [{"start": 0.1, "rise": 0.2, "hold": 0.1, "velocity": [2, -1, 0.5]}],
    "turbulence": {"sigma": [1.0, 0.8, 0.6], "length": [20, 20, 10]},
}
PEER = """
from cupola import External

class Peer(External):
    _total: float = 0.0

    def reset(self):
        self._total = 0.0

    def step(self, x, time, dt):
        self._total += x.rate * dt
        return {"torque": -0.4 * self._total - 0.01 * x.rate + 0.001, "force": 0.0}
"""


class Setting(NamedTuple):
    """One world: which kinds live in it, on which body, and what a scenario says of it."""

    kinds: tuple[str, ...]
    body: str
    helpers: dict[str, Any]
    start: dict[str, Any]
    scenario: dict[str, Any]
    channels: dict[int, float]
    """What its parts are told, beside the four sticks."""


KINDS_OF_TABLE: tuple[str, ...] = (
    "gas_tank",
    "joint_motor",
    "reaction_wheel",
    "air_bearing",
    "thruster_pair",
    "gripper",
)
KINDS_OF_TABLE += ("force_torque", "motion_capture", "encoder", "monitor", "relative")
FLYING = {
    "position": [0, 0, 20],
    "velocity_b": [15, 0.5, -0.5],
    "attitude_deg": [0, -3, 10],
    "rate_b": [0.3, -0.2, 0.1],
}
SETTINGS = {
    "air": Setting(
        tuple(list(ENTRIES)[: list(ENTRIES).index("joint_motor")]),
        AIR,
        HELPERS,
        FLYING,
        {"floor": {}, "air": WEATHER},
        {8: 0.7, 9: 0.4, 11: 0.2, 12: 0.1, 13: -0.1, 14: 0.8},
    ),
    "table": Setting(
        KINDS_OF_TABLE,
        TABLE,
        {},
        {"velocity_b": [0.05, 0.02, 0.0]},
        {"gravity": 0.0, "integrator": "RK4", "physics_hz": 1000},
        {4: 0.2, 5: 0.05, 6: 1.0, 7: 1.0},
    ),
    "floor": Setting(("mecanum",), FLOOR, {}, {"position": [0, 0, 0.1016]}, {"floor": {}}, {}),
    "outside": Setting(("c", "fmu", "peer"), OUTSIDE, {}, {}, {"air": WEATHER, "gravity": 0.0, "physics_hz": 1000}, {}),
}
"""Kinds that cannot live together have worlds of their own."""


def setting_of(kind: str) -> str:
    """The world in which a kind lives."""
    return next(name for name, setting in SETTINGS.items() if kind in setting.kinds)


def build(name: str, folder: Path, port: int = 1, **scenario: Any) -> World:
    """One of the worlds, at its start, sticks and channels moved; `port`: of the process behind the part `peer`."""
    setting = SETTINGS[name]
    outside = {"peer": {"port": port}}
    parts = {kind: {"kind": kind, **ENTRIES[kind], **outside.get(kind, {})} for kind in setting.kinds}
    write(folder / "it", setting.body, {**setting.helpers, **parts})
    if name == "outside":
        compile_library([WING], folder / "it" / "wing.so")
        pack(WING, folder / "it" / "wing.fmu", 2)
    vehicles = [{"model": str(folder / "it"), **setting.start}]
    if name == "table":
        write(folder / "target", TARGET, {})
        vehicles.append({"model": str(folder / "target"), "position": [0.41, 0.01, 0.0]})
    content = {
        "vehicles": vehicles,
        "floor": None,
        "seed": 5,
        "record": {"rate_hz": 100},
        **setting.scenario,
        **scenario,
    }
    world = World(Scenario.model_validate_json(json.dumps(content)))
    world.dump_folder = folder / "stopped"
    return begin(world, name)


def begin(world: World, name: str) -> World:
    """Let it start over, with the same sticks and channels."""
    world.reset()
    world.sticks([0.3, 0.2, -0.1, 0.4], vehicle="it")
    for channel, value in SETTINGS[name].channels.items():
        world.turn(channel, value, vehicle="it")
    return world


def write(folder: Path, bodies: str, parts: dict[str, Any]) -> None:
    """A vehicle in a folder."""
    folder.mkdir(parents=True)
    (folder / "model.xml").write_text(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    content = {"about": "a test", "controller": {"use": "pass_through", "rate_hz": 100}, "parts": parts}
    (folder / "vehicle.yaml").write_text(json.dumps(content))  # JSON is YAML


@contextmanager
def peer(folder: Path) -> Iterator[int]:
    """A model in a process of its own; yields its port."""
    (folder / "peer.py").write_text(PEER)
    command = [sys.executable, "-m", "cupola.bridge.lockstep.peer", "peer.py:Peer", "--port", "0"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline().split()[-1])
        finally:
            process.kill()


def declared_failures() -> list[tuple[str, str]]:
    """Every failure that a kind declares."""
    return [(kind, failure) for kind, cls in KINDS.items() for failure in cls.failures]
