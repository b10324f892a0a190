"""Every theory of a wing flies the vehicles that have wings."""

import math

import pytest

WINGS = ("left_wing", "right_wing")
SURFACES = {"morphing_uav": (*WINGS, "left_tail", "right_tail", "fin"), "gull": WINGS, "robird": WINGS}
"""Of the birds the wings alone: their tails lie in the wake."""
START = {"morphing_uav": 18.0, "gull": 6.5, "robird": 11.5}
"""[m/s] near those at which they fly level."""
THEORIES = {
    "strips": {},
    "unsteady_strips": {},
    "delaurier": {},
    "lifting_line": {"strips": 6, "solve_hz": 200},
    "lattice": {"strips": 6, "panels": 2, "solve_hz": 200},
    "unsteady_lattice": {"strips": 6, "panels": 2, "wake_rows": 20, "solve_hz": 100},
}


@pytest.mark.parametrize("theory", THEORIES)
@pytest.mark.parametrize("name", SURFACES)
def test_it_holds_height_and_speed(name, theory, make_world):
    parts = {part: {"theory": theory, **THEORIES[theory]} for part in SURFACES[name]}
    start = {"position": [0, 0, 60], "velocity_b": [START[name], 0, 0], "mode": "assisted"}
    world = make_world({"model": name, "parts": parts, **start}, physics_hz=1000, integrator="implicitfast")
    world.run(2.0)
    now = world.motion()
    assert abs(now.pos_w.z - 60.0) < 3.0
    assert math.hypot(*now.vel_w) == pytest.approx(START[name], rel=0.25)
