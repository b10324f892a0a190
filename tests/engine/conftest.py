"""A plane with motor, battery and sensors in weather, for tests of repeatability; worlds with every kind of part."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from .every_kind import ELECTRIC, begin, build, peer

BODY = """
<body name="base"><freejoint/><geom type="box" size="0.2 0.4 0.05" mass="1"/>
  <site name="wing" pos="-0.02 0 0"/><site name="prop" pos="0.2 0 0"/><site name="imu" pos="0.1 0 0" euler="5 10 15"/>
  <site name="down" pos="0 0 -0.04" euler="0 90 0"/>
</body>"""
PARTS: dict[str, Any] = {
    "wing": {
        "kind": "airfoil", "site": "wing", "channels": [0, 1, 2], "deflection_max": [0.3, 0.3, 0.3],
        "surface": {
            "area": 0.3, "span": 2.0, "chord": 0.15, "c_lift_0": 0.3, "c_lift_a": 5.0, "c_drag_p": 0.04, "c_y_b": -1.0,
            "c_l_p": -1.0, "c_l_input_x": 0.2, "c_m_a": -0.7, "c_m_q": -20.0, "c_m_input_y": 1.0,
            "c_n_b": 0.2, "c_n_r": -1.0,
        },
    },
    "motor": {
        "kind": "rotor", "site": "prop", "channel": 3, "direction": 1, "electric": ELECTRIC, "battery": "pack",
        "efficiency": {"coefficients": [0.0, 3.19, -12.15, 27.83, -21.82]},
        "c_power": {"coefficients": [0.0661, -0.1647, 0.2958, -0.2355]},
    },
    "pack": {"kind": "battery", "cells": 3, "capacity_ah": 0.1, "resistance": 0.02},
    "monitor": {"kind": "battery_monitor", "battery": "pack", "site": "imu", "rate_hz": 20, "voltage_noise": 0.01},
    "elevator": {"kind": "servo", "channel": 1, "natural_frequency": 30.0, "damping": 0.7, "rate_max": 4.0},
    "imu": {
        "kind": "imu", "site": "imu", "rate_hz": 170, "delay": 0.03,
        "accel_noise": 0.02, "rate_noise": 0.003, "accel_walk": 0.05, "rate_walk": 0.001,
    },
    "truth": {"kind": "truth", "site": "imu", "rate_hz": 30, "delay": 0.1},
    "barometer": {"kind": "barometer", "site": "imu", "rate_hz": 50, "noise": 2.0, "drift": 10.0, "delay": 0.02},
    "gnss": {
        "kind": "gnss", "site": "imu", "rate_hz": 10, "delay": 0.12, "noise": 0.5, "altitude_noise": 1.0,
        "velocity_noise": 0.1, "wander": 1.0, "altitude_wander": 2.0,
    },
    "compass": {"kind": "magnetometer", "site": "imu", "rate_hz": 75, "noise": 1e-7, "hard_iron": [1e-6, 0, 0]},
    "pitot": {"kind": "airspeed", "site": "wing", "rate_hz": 60, "noise": 3.0, "bias": 1.0},
    "height": {"kind": "rangefinder", "site": "down", "rate_hz": 35, "noise": 0.02, "range_min": 0.01},
    "laser": {"kind": "laser", "site": "wing", "rays": 31, "delay": 0.01},
}  # fmt: skip
STICKS = [{"time": 0.0, "channels": [0.1, 0.2, 0.0, 0.6]}, {"time": 0.2, "channels": [-0.3, -0.2, 0.1, 1.0]}]
AIR = {
    "wind": {"speed": 5.0, "from_deg": 200, "height": 10, "exponent": 0.2},
    "gusts": [{"start": 0.1, "rise": 0.2, "hold": 0.1, "velocity": [2, -1, 0.5]}],
    "turbulence": {"sigma": [1.0, 0.8, 0.6], "length": [20, 20, 10]},
}


@pytest.fixture
def busy(vehicle: Callable[..., str], make_world: Callable[..., Any]) -> Callable[..., Any]:
    """A world of that vehicle: in the air, or sliding over the ground."""
    folder = vehicle(
        BODY, name="busy", parts=PARTS, controller={"use": "pass_through", "rate_hz": 100, "sticks": STICKS}
    )
    flying = {
        "position": [0, 0, 20],
        "velocity_b": [15, 0.5, 0],
        "attitude_deg": [0, -3, 10],
        "rate_b": [0.3, -0.2, 0.1],
    }
    sliding = {"position": [0, 0, 0.0499], "velocity_b": [1, 0.5, 0], "attitude_deg": [0, 0, 20]}

    def make(grounded: bool = False, options: dict[str, Any] | None = None, **scenario: Any) -> Any:
        entry = {"model": folder, **(sliding if grounded else flying)}
        return make_world(entry, options=options, **{"floor": {}, "air": AIR, "seed": 5, **scenario})

    return make


@pytest.fixture(scope="session")
def worlds(tmp_path_factory: Any) -> Iterator[Callable[..., Any]]:
    """The worlds that hold every kind of the registry, by name, built once and at their start.

    What a test changes in rows, it puts back.
    """
    found: dict[Any, Any] = {}
    with ExitStack() as peers:

        def get(name: str, **scenario: Any) -> Any:
            key = (name, *scenario.items())
            if key not in found:
                port = peers.enter_context(peer(tmp_path_factory.mktemp("peer"))) if name == "outside" else 1
                found[key] = build(name, tmp_path_factory.mktemp(name), port, **scenario)
            return begin(found[key], name)

        yield get
