"""A plane in the wake of another one: the moment that rolls it, by a closed form, and the scenario that flies it."""

import math

import numpy as np
import pytest

from cupola.config.scenario import find_scenario
from cupola.sim.world import World

DENSITY, SPEED, ALPHA = 1.2, 15.0, 0.06
SPAN, ROOT = 2.0, 0.2
"""[m] of an elliptic wing."""
SECTION = {"c_friction": 0.0, "c_lift_a": 2.0 * math.pi, "alpha_stall": 1.2, "suction": 1.0}
BODY = '<body name="base"><freejoint/><geom size=".1" mass="1" contype="0" conaffinity="0"/><site name="wing"/></body>'
AHEAD = 10.0
"""Spans between the two: the wake there is that of a wing far ahead."""


def halves(theory, **numbers):
    """Both halves of an elliptic wing: the quarter chord is straight."""
    cuts = np.sin(np.linspace(0.0, 0.5 * math.pi, 12))
    stations = [{"y": 0.5 * SPAN * y, "chord": max(ROOT * math.sqrt(1.0 - y * y), 0.002)} for y in cuts.tolist()]
    made = {"kind": "wing", "site": "wing", "stations": stations, "section": SECTION, "theory": theory, **numbers}
    return {f"wing_{side}": {**made, "side": side} for side in ("left", "right")}


def rolled(world, name):
    """Moment about the front axis [N m] and lift [N] of a vehicle's wing."""
    parts = [world.part(f"{name}.wing_{side}").outputs for side in ("left", "right")]
    return sum(part.torque.x for part in parts), sum(part.force.z for part in parts)


def glauert(lift, aside, above):
    """Rolling moment [N m] of an elliptic lifting line in the flat sheet that an elliptic wing leaves.

    Glauert, "The Elements of Aerofoil and Airscrew Theory" (1926), chapter XI: upwash w at y = b/2 cos t leaves
    A2 = 2/π μ / (1 + 2 μ) ∫ w/V sin t sin 2t dt, μ = a c / 4 b, and the moment is π/8 ρ V² b³ A2. Prandtl's sheet far
    behind has the downwash Γ/b Re(1 - ζ / √(ζ² - 1)), ζ = 2 (y + i z) / b.
    """
    t = (np.arange(2000) + 0.5) * math.pi / 2000
    place = (2.0 / SPAN) * (aside + 0.5 * SPAN * np.cos(t) + 1j * above)
    gamma = 4.0 * lift / (math.pi * DENSITY * SPEED * SPAN)
    up = -gamma / SPAN * (1.0 - place / (np.sqrt(place - 1.0) * np.sqrt(place + 1.0))).real
    mu = 2.0 * math.pi * ROOT / (4.0 * SPAN)
    second = 2.0 / math.pi * mu / (1.0 + 2.0 * mu) * np.mean(up / SPEED * np.sin(t) * np.sin(2.0 * t)) * math.pi
    return math.pi / 8.0 * DENSITY * SPEED**2 * SPAN**3 * second


@pytest.mark.parametrize(("theory", "panels", "near"), [("lifting_line", None, 0.015), ("lattice", 2, 0.08)])
def test_the_wake_of_a_plane_rolls_the_next_one_as_glauerts_series_says(theory, panels, near, vehicle, make_world):
    """Above, below and beside the sheet: the line to 1.2 %; a lattice, which has chords, rolls 5 to 7 % less."""
    model = vehicle(BODY, parts=halves(theory, strips=16, **({"panels": panels} if panels else {})))
    start = {"velocity_b": [SPEED * math.cos(ALPHA), 0.0, -SPEED * math.sin(ALPHA)]}
    for aside, above in ((1.0, 0.5), (0.6, -0.4), (-2.2, 0.3)):
        back = AHEAD * SPAN
        place = [-back * math.cos(ALPHA), aside, 50.0 + back * math.sin(ALPHA)]
        place = [place[0] + above * math.sin(ALPHA), aside, place[2] + above * math.cos(ALPHA)]
        entries = [
            {"model": model, "name": "first", "position": [0.0, 0.0, 50.0], **start},
            {"model": model, "name": "second", "position": place, **start},
        ]
        world = make_world(*entries, gravity=0.0, physics_hz=1000, air={"density": DENSITY, "wakes": True})
        world.step(1)
        expected = glauert(rolled(world, "first")[1], aside, above)
        assert rolled(world, "second")[0] == pytest.approx(expected, rel=near), (aside, above)
        assert abs(rolled(world, "first")[0]) < 1e-3 * abs(expected)


def test_a_plane_that_crosses_the_wake_of_another_is_rolled_both_ways():
    scenario = find_scenario("plane_behind_plane")[0]
    found = {}
    for wakes in (True, False):
        world = World(scenario.model_copy(update={"air": scenario.air.model_copy(update={"wakes": wakes})}))
        world.run(5.0)
        found[wakes] = {name: math.degrees(float(one.value or 0.0)) for name, one in world.measures().items()}
    for side in ("right", "left"):
        assert found[False][f"rolled to the {side} by"] < 1.0 < 7.0 < found[True][f"rolled to the {side} by"]
    assert found[True]["leader's largest bank"] < 1.0
