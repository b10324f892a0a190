"""Flapping flight of the vehicle `robird`: signs of a symmetric and an asymmetric beat, top speed, flight in wind."""

import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

import cupola
from cupola.config.scenario import Scenario, VehicleEntry, find_scenario
from cupola.reproduce.row import Row, at_most, within
from cupola.sim.world import World

SOURCE = "morphing-wing thesis, flapping flight: signs"
STRAIGHT, MIRROR = 1e-6, 0.05
"""[rad] of turn by a symmetric beat, and the most by which left and right differ."""

ROBIRD = "Folkertsma et al. 2017, Robird"
TOP_SPEED, BREEZE, CRUISE = 80.0 / 3.6, 9.35, 12.5
"""[m/s] as published; the middle of 5 Bft, to which it is said to fly; the airspeed that is asked for in that wind."""
HEIGHT, DURATION = 30.0, 40.0
"""[m] at which it begins and is told to stay, [s] of a flight."""


def climb(throttle: float) -> float:
    """Mean climb of the bird [m/s] from the 4th to the 8th second, nose raised and beating with `throttle`, 0 to 1."""
    world = cupola.load("robird")
    world.sticks([0.0, 0.25, 0.0, 2.0 * throttle - 1.0])
    world.run(4.0)
    before = world.data.qpos[2]
    world.run(4.0)
    return float(world.data.qpos[2] - before) / 4.0


def yaw(stick: float) -> float:
    """Turn to the left [rad] within a second, by a beat that is stronger on one side; the tail is still."""
    entry = VehicleEntry(model="robird", velocity_b=(12, 0, 0), parts={"mechanism": {"beat_yaw": 0.3, "tail_yaw": 0.0}})
    world = World(Scenario(vehicles=(entry,), floor=None, integrator="implicitfast"))
    world.sticks([0.0, 0.25, stick, 0.8])
    world.run(1.0)
    w, x, y, z = world.data.qpos[3:7]
    return math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))


def level(speed: float, breeze: float) -> World:
    """The bird of `robird_flight` told to fly east in level flight, in a turbulent wind from the north [m/s]."""
    given: dict[str, Any] = find_scenario("robird_flight")[0].model_dump(mode="json", exclude_defaults=True)
    (bird,) = given["vehicles"]
    bird["controller"]["parameters"] |= {"cruise": speed, "speed_max": 1.2 * TOP_SPEED}
    bird["controller"]["plan"] = [{"position": [3000.0, 0.0, HEIGHT], "speed": speed}]
    bird |= {"position": [0.0, 0.0, HEIGHT], "attitude_deg": [0.0, 0.0, 0.0], "velocity_b": [speed, -breeze, 0.0]}
    if breeze:
        given["air"] = {"wind": {"speed": breeze, "from_deg": 0.0}, "turbulence": {"wind_at_6m": breeze}}
    text = json.dumps({**given, "floor": None, "measures": {}})
    return World(Scenario.model_validate_json(text))


def airspeeds(world: World) -> tuple[Any, Any]:
    """Airspeed [m/s] and height [m] ten times a second."""
    kept = []
    while world.time < DURATION:
        world.run(0.1)
        kept.append((world.signal("robird.airspeed"), world.motion().pos_w.z))
    speed, height = np.array(kept).T
    return speed, height


def rows(full: bool) -> Iterator[Row]:
    """A beat lifts, an even beat keeps the course, an uneven one turns, the same way to both sides."""
    glide, beating = climb(0.0), climb(1.0)
    yield _sign("morphing_beat_glide", "climb of the bird without a beat, nose raised", -1, glide, "m/s")
    yield _sign("morphing_beat_climb", "climb at full beat, nothing else changed", 1, beating, "m/s")
    left, straight, right = (yaw(stick) for stick in (-1.0, 0.0, 1.0))
    yield at_most(
        "morphing_beat_straight", SOURCE, "turn by a symmetric beat within 1 s", STRAIGHT, abs(straight), "rad"
    )
    yield _sign("morphing_beat_left", "turn to the left within 1 s, stick to the left", 1, left, "rad")
    yield _sign("morphing_beat_right", "turn to the left within 1 s, stick to the right", -1, right, "rad")
    off = abs(left + right) / abs(right)
    yield at_most("morphing_beat_mirror", SOURCE, "turns to left and right: difference by one of them", MIRROR, off)
    yield from _envelope()


def _envelope() -> Iterator[Row]:
    """Top speed at full beat, and level flight in a fresh breeze from the side."""
    speed, height = airspeeds(level(TOP_SPEED, 0.0))
    top = float(speed[-100:].mean())
    yield within("morphing_bird_top_speed", ROBIRD, "top speed in level flight", TOP_SPEED, top, 0.1 * TOP_SPEED, "m/s")
    sunk = float(abs(height[-100:] - HEIGHT).max())
    yield at_most("morphing_bird_top_level", ROBIRD, "height lost at top speed, last 10 s", 1.0, sunk, "m")
    speed, height = airspeeds(level(CRUISE, BREEZE))
    off = float(np.sqrt(np.mean((speed - CRUISE) ** 2)))
    what = f"error of the airspeed of {CRUISE:g} m/s in a turbulent wind of {BREEZE:g} m/s (5 Bft), root mean square"
    yield at_most("morphing_bird_breeze", ROBIRD, what, 0.1 * CRUISE, off, "m/s")
    what = f"height lost in that wind, from {HEIGHT:g} m"
    yield at_most("morphing_bird_height", ROBIRD, what, 0.1 * HEIGHT, HEIGHT - float(height.min()), "m")


def _sign(key: str, quantity: str, sign: int, measured: float, unit: str) -> Row:
    """Judge by the sign alone."""
    return Row(key, SOURCE, quantity, None, measured, unit, "> 0" if sign > 0 else "< 0", sign * measured > 0.0)
