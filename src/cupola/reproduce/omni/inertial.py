"""What the inertial unit of Velma's base says: at rest, at the jolts of a square's corners, driving, turning.

Published are statistics of the device on the robot, read from the thesis's plots, and of its model, whose acceleration
is a difference of speeds. Ours rides on real rollers: their hand-over is the vibration that the device feels. Noise,
biases and mount of the device are those of the scenario `omni_inertial`, where two wheels stand half a roller further
than the others: nobody knows how the robot's stood. `omni_two_lines` is the same without noise, biases and mount.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from cupola.config.routes import Leg, route_sticks
from cupola.config.scenario import find_scenario
from cupola.estimate.moving_mean import moving_mean
from cupola.physics.planar import Twist
from cupola.reproduce.omni.drive import Array, base
from cupola.reproduce.row import Row, within
from cupola.sim.world import World, load

SOURCE = "Świątkiewicz 2018, {}"
CORNER = (Leg(4.0, Twist(0.0, 0.0, 0.0)), Leg(3.0, Twist(0.0, 0.1, 0.0)), Leg(2.0, Twist(-0.1, 0.0, 0.0)))
"""A leg to the left and one backward, as the robot's square begins; the mount has stopped ringing when it sets out."""
TURN = (Leg(0.5, Twist(0.0, 0.0, 0.0)), Leg(5.0, Twist(0.0, 0.0, math.pi / 20.0)))
INDEPENDENT = 2.0 / math.pi
"""Correlation of the sizes of two normal numbers that have nothing to do with each other; of points on two lines: 1."""


def device(legs: Sequence[Leg], model: str = "rollers") -> Array:
    """Time [s], acceleration to the right and forward [m/s²], turn rate [rad/s] of the device on a route."""
    scenario, folder = find_scenario("omni_inertial")
    entry = scenario.vehicles[0]
    parts = {**entry.parts, "wheels": {"model": model}}
    controller = entry.controller and entry.controller.model_copy(update={"route": None})
    entry = entry.model_copy(update={"parts": parts, "controller": controller})
    world = World(scenario.model_copy(update={"vehicles": (entry,)}), folder)
    world.script(route_sticks(legs))
    said = heard(world, sum(leg.duration for leg in legs))
    return np.column_stack([said[:, 0] * world.dt, -said[:, 2], said[:, 1], said[:, 6]])


def heard(world: World, seconds: float) -> Array:
    """Every sample of the unit on the way: its tick, acceleration [m/s²] and turn rate [rad/s] in its axes."""
    imu, rows = world.samples["velma_base", "imu"], []
    for _ in range(round(10.0 * seconds)):
        before = imu.count
        world.run(0.1)
        rows.append(imu.since(before))
    return np.concatenate(rows)


def rows(full: bool) -> Iterator[Row]:
    """Both halves of the unit."""
    yield from _model()
    yield from _accelerometer()
    yield from _two_lines()
    yield from _gyroscope()


def _model() -> Iterator[Row]:
    """The vehicle as it is shipped has the noise that the thesis gave its model."""
    world = base("friction")
    imu = world.samples["velma_base", "imu"]
    world.run(2.0)
    still = imu.since(max(0, imu.count - 900))[:, 1:]
    for half, column, published, slack, unit in (
        ("accelerometer", 0, 0.1, 0.01, "m/s²"),
        ("gyroscope", 5, 0.003, 0.0003, "rad/s"),
    ):
        source, spread = SOURCE.format("table 5.4"), float(still[:, column].std())
        yield within(f"omni_{half}_rest", source, f"{half} at rest, spread", published, spread, slack, unit)


def _accelerometer() -> Iterator[Row]:
    source = SOURCE.format("figs 6.16 to 6.19")
    said = device(CORNER)
    time, mean = said[:, 0], moving_mean(said[:, 1:3])
    rest, driving = (time > 2.7) & (time < 3.9), (time > 5.5) & (time < 6.9)
    quiet = float(mean[rest, 0].std())
    yield within("omni_accelerometer_mean", source, "mean of 40 at rest, spread", 0.008, quiet, 0.002, "m/s²")
    shaken = float(said[driving, 1].std())
    quantity = "spread along the way, driving sideways; device 0.07 to 0.09, the thesis's model 0.62"
    yield within("omni_accelerometer_driving", source, quantity, 0.08, shaken, 0.02, "m/s²")
    jolts = said[(time > 3.9), 1:3] - said[rest, 1:3].mean(axis=0)
    peak = float(np.abs(jolts).max())
    quantity = "largest jolt; device 1.7 to 3.6, the thesis's model beyond its plot, 4"
    yield Row("omni_accelerometer_jolt", source, quantity, 3.6, peak, "m/s²", "1.7 to 3.6", 1.7 < peak < 3.6)
    corner = (time > 6.9) & (time < 8.3)
    push = (said[corner, 1:3] - said[rest, 1:3].mean(axis=0)).sum(axis=0)
    angle = math.degrees(math.atan2(push[1], push[0]))
    quantity = "direction of the push at the first corner: right and back"
    yield within("omni_accelerometer_direction", source, quantity, -45.0, angle, 5.0, "deg")


def in_rhythm(said: Array, hz: float, rate_hz: float) -> float:
    """Share of the variance of a signal that lies at the multiples of a frequency, to a fifth of a hertz."""
    power = np.abs(np.fft.rfft(said - said.mean())) ** 2
    turns = np.fft.rfftfreq(len(said), 1.0 / rate_hz) / hz
    return float(power[np.abs(turns - np.round(turns)) * hz < 0.2].sum() / power.sum())


def _two_lines() -> Iterator[Row]:
    """Driving sideways, two pairs of wheels take turns in passing the load on, and each pushes along its rollers."""
    source = SOURCE.format("fig. 6.18: its model without noise, 0.35 by 0.64 m/s²")
    world = load("omni_two_lines")
    said = heard(world, world.scenario.duration)
    figures = {name: one.value or 0.0 for name, one in world.measures().items()}
    sizes, key = figures["correlation of their sizes"], "omni_accelerometer_two_lines"
    nearer = 0.5 * (INDEPENDENT + 1.0)
    quantity = "correlation of the sizes across and along the way: 1 on two lines, 0.64 without"
    yield Row(key, source, quantity, 1.0, sizes, "", f"over {nearer:.2f}", sizes > nearer)
    slope = figures["trembles across it"] / figures["trembles along the way"]
    yield within(f"{key}_slope", source, "across by along the way: slope of the lines", 0.35 / 0.64, slope, 0.05)
    passing = 12 * 0.1 / world.robot().wheels_at(0).radius / (2.0 * math.pi)
    share = min(in_rhythm(said[3000:, k], passing, 1000.0) for k in (1, 2))
    source = SOURCE.format("§6.3.2: noise of the device follows the wheels")
    quantity = "share of the trembling at the rollers' rhythm; a fifth of white noise is there"
    yield Row("omni_accelerometer_rhythm", source, quantity, 1.0, share, "", "over 0.8", share > 0.8)


def _gyroscope() -> Iterator[Row]:
    source = SOURCE.format("figs 6.20, 6.21")
    said = device(TURN)
    time, rate = said[:, 0], said[:, 3]
    turning = (time > 3.0) & (time < 5.4)
    # Askew rollers take 0.6 % of the turn that was asked for; the device's bias of 0.001 rad/s is in both figures.
    yield within(
        "omni_gyroscope_turning", source, "turn rate of the device", 0.1568, float(rate[turning].mean()), 0.004, "rad/s"
    )
    spread, quantity = float(rate[turning].std()), "its spread; device 0.0042 to 0.0048, the thesis's model 0.0033"
    key, inside = "omni_gyroscope_turning_spread", 0.0042 <= spread <= 0.0048
    yield Row(key, source, quantity, 0.0045, spread, "rad/s", "0.0042 to 0.0048", inside)
    peak = float(rate.max())
    quantity = "overshoot; device beyond its plot, 0.25, the thesis's model 0.194"
    yield Row("omni_gyroscope_overshoot", source, quantity, 0.25, peak, "rad/s", "0.25 to 0.31", 0.25 < peak < 0.31)
