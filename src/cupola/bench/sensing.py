"""What sensors cost: all small ones on a vehicle in flight, and a laser scanner against bare ray casting."""

import json
import math
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from cupola.bench.flights import TICKS, world_in_flight
from cupola.bench.result import Result, absent, ratio_at_least, ratio_at_most, unjudged
from cupola.bench.timing import Side, pair
from cupola.config.scenario import Scenario, VehicleEntry
from cupola.parts.sensors.laser import Laser
from cupola.schema.yaml_files import InputError
from cupola.sim.camera_images import Pictures
from cupola.sim.world import World, load

SMALL_BAR, LASER_BAR = 1.3, 0.8
ROUNDS = 60
SITE = {"site": "base"}
SMALL: dict[str, dict[str, Any]] = {
    "imu": {"kind": "imu", "rate_hz": 400, "accel_noise": 2e-3, "rate_noise": 1e-4, "accel_walk": 1e-4, **SITE},
    "barometer": {"kind": "barometer", "rate_hz": 50, "noise": 2.0, "drift": 20.0, **SITE},
    "gnss": {"kind": "gnss", "rate_hz": 10, "noise": 0.5, "wander": 1.5, "velocity_noise": 0.05, **SITE},
    "magnetometer": {"kind": "magnetometer", "rate_hz": 100, "noise": 1e-7, **SITE},
    "airspeed": {"kind": "airspeed", "rate_hz": 50, "noise": 2.0, **SITE},
    "rangefinder": {"kind": "rangefinder", "rate_hz": 50, "noise": 0.02, **SITE},
}
"""At the rates of the units of a small autopilot."""
POSTS = 24
"""Boxes that stand around the scanner."""
SCANS = 20


def cases() -> Iterator[Result]:
    """Small sensors, then the scanner, then the camera."""
    yield small_sensors()
    yield laser()
    yield camera()


def small_sensors() -> Result:
    """A second of flight of the quadcopter with IMU, barometer, GNSS, magnetometer, airspeed and rangefinder."""
    blind, seeing = world_in_flight("quadcopter", sensors=False), world_in_flight("quadcopter", sensors=SMALL)
    empty, start = blind.snapshot(), seeing.snapshot()
    found = pair(
        Side(lambda: seeing.step(TICKS), lambda: seeing.restore(start)),
        Side(lambda: blind.step(TICKS), lambda: blind.restore(empty)),
        ROUNDS,
    )
    rates = ", ".join(f"{name} {part['rate_hz']}" for name, part in SMALL.items())
    case = f"quadcopter, {rates} Hz, with noise: time of a step / without sensors"
    return ratio_at_most(case, TICKS / found.ours, "steps/s", TICKS / found.theirs, found.ratio, SMALL_BAR)


def laser() -> Result:
    """Scans of 720 rays at every step, the step included, against as many `mj_multiRay` of the same rays."""
    world = scanner_among_posts()
    cast, distances = bare_scan(world)

    def cast_all() -> None:
        for _ in range(SCANS):
            cast()

    found = pair(Side(lambda: world.step(SCANS)), Side(cast_all), ROUNDS)
    case = f"laser scanner of {len(distances)} rays among {POSTS} boxes: scans/s / bare mj_multiRay"
    return ratio_at_least(case, SCANS / found.ours, "scans/s", SCANS / found.theirs, 1.0 / found.ratio, LASER_BAR)


def camera() -> Result:
    """A picture of the sensor plane's camera in flight: drawn, and with its noise. No bar: the driver does the work."""
    world = load("sensor_plane_camera")
    world.step(TICKS)
    samples = world.samples["plane_1wing_sensors", "camera"]
    assert isinstance(samples, Pictures)
    lens, took = samples.camera, []
    case = f"camera of {lens.width_px} × {lens.height_px} px with noise: time of a picture"
    try:
        for k in range(1, samples.count):
            begin = time.perf_counter()
            samples.picture(k)
            took.append(time.perf_counter() - begin)
    except InputError as error:
        return absent(case, str(error), "ms", "none")
    return unjudged(case, 1e3 * statistics.median(took), "ms")


def bare_scan(world: World) -> tuple[Callable[[], None], np.ndarray[Any, Any]]:
    """The rays of the world's scanner cast by MuJoCo alone, and where their lengths go [m]."""
    part = world.samples["scanner", "laser"].part
    assert isinstance(part, Laser)
    angles = np.array(part.angles())
    rays = np.column_stack([np.cos(angles), np.sin(angles), np.zeros(len(angles))]).ravel()
    place, hits, distances = world.data.site_xpos[0].copy(), np.zeros(len(angles), np.int32), np.zeros(len(angles))
    own = int(world.model.site_bodyid[0])

    def cast() -> None:
        mujoco.mj_multiRay(
            world.model, world.data, place, rays, None, 1, own, hits, distances, None, len(angles), part.range_max
        )

    return cast, distances


def scanner_among_posts() -> World:
    """A scanner that fires at every step, 1 m above the floor, in a ring of boxes."""
    ring = (2.0 * math.pi * k / POSTS for k in range(POSTS))
    posts = [
        f'<geom type="box" size="0.3 0.3 1" pos="{8 * math.cos(a)} {8 * math.sin(a)} 1" euler="0 0 {7 * k}"/>'
        for k, a in enumerate(ring)
    ]
    body = '<body name="base" pos="0 0 1"><geom size="0.1"/><site name="base"/></body>'
    content = {
        "about": "a scanner",
        "parts": {"laser": {"kind": "laser", "rate_hz": 2000, "site": "base"}},
        "controller": {"use": "pass_through"},
    }
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "model.xml").write_text(
            f"<mujoco><worldbody>{body}{''.join(posts)}</worldbody></mujoco>", encoding="utf-8"
        )
        (Path(folder) / "vehicle.yaml").write_text(json.dumps(content), encoding="utf-8")
        return World(Scenario(vehicles=(VehicleEntry(model=folder, name="scanner"),)))
