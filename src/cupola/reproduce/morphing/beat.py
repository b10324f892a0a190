"""Flapping flight of the vehicle `robird`: signs of an even and an uneven beat, top speed, flight in wind, landing."""

import math
from collections.abc import Iterator

import cupola
from cupola.config.scenario import Scenario, VehicleEntry
from cupola.reproduce.row import Row, at_most, within
from cupola.sim.world import World

SOURCE = "morphing-wing thesis, flapping flight: signs"
STRAIGHT, MIRROR = 1e-6, 0.05
"""[rad] of turn by a symmetric beat, and the most by which left and right differ."""

ROBIRD = "Folkertsma et al. 2017, Robird"
TOP_SPEED = 80.0 / 3.6
"""[m/s] as published."""
MARK = 1.1
"""[m] from the mark within which a landing counts: the bird's span."""


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


def flown(name: str) -> dict[str, float]:
    """The measures of a shipped scenario at its end."""
    world = cupola.load(name)
    world.run(world.scenario.duration)
    return {measure: float(found.value) for measure, found in world.measures().items() if found.value is not None}


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
    """Top speed at full beat, level flight in a fresh side wind, a landing on a target point: `robird_...`."""
    dash = flown("robird_dash")
    what = "top speed in level flight"
    yield within("morphing_bird_top_speed", ROBIRD, what, TOP_SPEED, dash["top speed"], 0.1 * TOP_SPEED, "m/s")
    what = "height lost at top speed, last 10 s"
    yield at_most("morphing_bird_top_level", ROBIRD, what, 1.0, dash["height lost"], "m")
    breeze = flown("robird_breeze")
    what = "error of the airspeed of 12.5 m/s in a turbulent wind of 9.35 m/s (5 Bft), root mean square"
    yield at_most("morphing_bird_breeze", ROBIRD, what, 1.25, breeze["airspeed error"], "m/s")
    what = "height lost in that wind, from 30 m"
    yield at_most("morphing_bird_height", ROBIRD, what, 3.0, 30.0 - breeze["lowest"], "m")
    what, landing = "touchdown distance from the target", flown("robird_landing")
    yield at_most("morphing_bird_landing", "robird_landing", what, MARK, landing[what], "m")


def _sign(key: str, quantity: str, sign: int, measured: float, unit: str) -> Row:
    """Judge by the sign alone."""
    return Row(key, SOURCE, quantity, None, measured, unit, "> 0" if sign > 0 else "< 0", sign * measured > 0.0)
