"""As many wings and motors as a user likes: the thesis stops at ten of each, and at twenty channels."""

import numpy as np
import pytest

COUNT = 24
MOTOR = {"s_prop": 0.017, "c_prop": 0.17, "k_motor": 80.0, "k_t_p": 0.0, "k_omega": 254.0}
PLATE = {"area": 0.1, "span": 1.0, "chord": 0.1, "c_lift_0": 0.2}
STAIRS = """
from cupola import Controller


class Stairs(Controller):
    def step(self, obs, ref):
        return [0.5 + 0.01 * k for k in range(24)]
"""


def test_twenty_four_wings_and_motors(vehicle, make_world):
    sites = "".join(f'<site name="s{k}" pos="0 {k - (COUNT - 1) / 2} 0"/>' for k in range(COUNT))
    body = f'<body name="base"><freejoint/><geom type="box" size="0.1 12 0.1" mass="100"/>{sites}</body>'
    parts = {}
    for k in range(COUNT):
        parts[f"motor{k}"] = {"kind": "rotor", "site": f"s{k}", "channel": k, "direction": 1, "generic": MOTOR}
        parts[f"wing{k}"] = {"kind": "airfoil", "site": f"s{k}", "surface": PLATE}
    controller = {"use": "stairs.py:Stairs", "rate_hz": 100}
    folder = vehicle(body, parts=parts, controller=controller, files={"stairs.py": STAIRS})
    world = make_world({"model": folder, "velocity_b": [20, 0, 0]})
    world.step()  # shows the loads at its start
    density = world.arrays.air_samples[0].density
    push = 0.5 * density * 20.0**2
    lift = [world.part(f"wing{k}").outputs.force.z for k in range(COUNT)]
    assert lift == pytest.approx([push * 0.1 * 0.2] * COUNT, rel=1e-9)
    slipstream = 80.0 * (0.5 + 0.01 * np.arange(COUNT))
    thrust = 0.5 * density * 0.017 * 0.17 * (slipstream**2 - 20.0**2)
    assert [world.part(f"motor{k}").outputs.thrust for k in range(COUNT)] == pytest.approx(thrust, rel=1e-9)
