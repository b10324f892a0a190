"""Every theory of a wing flies the vehicles that have wings."""

import math

import pytest

WINGS = ("left_wing", "right_wing")
SURFACES = {"morphing_uav": (*WINGS, "left_tail", "right_tail", "fin"), "gull": WINGS}
"""Of the bird the wings alone: its tail lies in their wake."""
START = {"morphing_uav": 18.0, "gull": 6.5}
"""[m/s] near those at which they fly level."""
THEORIES = {
    "strips": {},
    "unsteady_strips": {},
    "delaurier": {},
    "lifting_line": {"strips": 6, "solve_hz": 200},
    "lattice": {"strips": 6, "panels": 2, "solve_hz": 200},
    "unsteady_lattice": {"strips": 6, "panels": 2, "wake_rows": 20, "solve_hz": 100},
}
TOO_LIGHT = "gull", "unsteady_lattice"
"""Its wings weigh less than the air that they move along: it is said."""


@pytest.mark.parametrize("theory", THEORIES)
@pytest.mark.parametrize("name", SURFACES)
def test_it_holds_height_and_speed(name, theory, make_world, caplog):
    parts = {part: {"theory": theory, **THEORIES[theory]} for part in SURFACES[name]}
    start = {"position": [0, 0, 60], "velocity_b": [START[name], 0, 0], "mode": "assisted"}
    world = make_world({"model": name, "parts": parts, **start}, physics_hz=1000, integrator="implicitfast")
    if (name, theory) == TOO_LIGHT:
        world.run(0.02)
        assert "moves 0.094 kg of air with its 0.07 kg, more than half" in caplog.text
        return
    world.run(2.0)
    assert "more than half" not in caplog.text
    now = world.motion()
    assert abs(now.pos_w.z - 60.0) < 3.0
    assert math.hypot(*now.vel_w) == pytest.approx(START[name], rel=0.25)
