"""What each theory of a wing costs in flight: the same glider, once per theory."""

import json
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cupola.bench.result import Result, unjudged
from cupola.config.scenario import Scenario
from cupola.sim.world import World

BAR = 1.0
"""Times real time, of the unsteady lattice."""
SECONDS, ROUNDS = 0.2, 3
STRIPS, PANELS, WAKE_ROWS, SOLVE_HZ = 8, 4, 60, 100
MODEL = """<mujoco><worldbody><body name="base"><freejoint/><geom type="box" size=".3 .05 .05" mass="1"/>
<site name="wing" pos="-.1 0 0"/></body></worldbody></mujoco>"""
THEORIES: dict[str, dict[str, Any]] = {
    "strips": {},
    "unsteady_strips": {},
    "delaurier": {},
    "lifting_line": {"solve_hz": SOLVE_HZ},
    "lattice": {"solve_hz": SOLVE_HZ, "panels": PANELS},
    "unsteady_lattice": {"solve_hz": SOLVE_HZ, "panels": PANELS, "wake_rows": WAKE_ROWS},
}


def cases() -> Iterator[Result]:
    """Two halves of 8 strips, and of 4 panels along the chord; whole-wing theories are solved at 100 Hz."""
    for theory, keys in THEORIES.items():
        factor = times_real_time(theory, keys)
        case = f"glider, 2 × {STRIPS} strips, 1 ms, theory {theory}"
        case += f", {PANELS} panels along the chord" if "panels" in keys else ""
        case += f", wake of {WAKE_ROWS} rows" if "wake_rows" in keys else ""
        case += f", solved at {SOLVE_HZ} Hz" if keys else ""
        if theory == "unsteady_lattice":
            yield Result(case, factor, "× real time", None, None, f"≥ {BAR:g}", factor >= BAR)
        else:
            yield unjudged(case, factor, "× real time")


def times_real_time(theory: str, keys: dict[str, Any]) -> float:
    """How much faster than time the glider flies, the best of some rounds."""
    stations = [{"y": 0.0, "chord": 0.2, "incidence": 0.05}, {"y": 0.8, "chord": 0.12, "incidence": 0.05}]
    wing = {"kind": "wing", "site": "wing", "theory": theory, "strips": STRIPS, "stations": stations, **keys}
    parts = {side: {**wing, "side": side} for side in ("left", "right")}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "model.xml").write_text(MODEL)
        content = {"about": "a wing", "controller": {"use": "pass_through", "rate_hz": 100}, "parts": parts}
        (folder / "vehicle.yaml").write_text(json.dumps(content))  # JSON is YAML
        vehicle = {"model": str(folder), "position": [0, 0, 100], "velocity_b": [12, 0, 0]}
        scenario = {"vehicles": [vehicle], "floor": None, "physics_hz": 1000}
        world = World(Scenario.model_validate_json(json.dumps(scenario)))
    best = float("inf")
    for _ in range(ROUNDS):
        world.reset()
        begin = time.perf_counter()
        world.run(SECONDS)
        best = min(best, time.perf_counter() - begin)
    return SECONDS / best
