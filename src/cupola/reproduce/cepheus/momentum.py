"""A robot that floats moves only its own parts about: without a force from outside its momentum stays as it was."""

import math
from collections.abc import Iterator
from typing import Any

import mujoco
import numpy as np

from cupola.config.scenario import find_scenario
from cupola.reproduce.row import Row, at_most
from cupola.sim.world import World

SOURCE = "Newton, Principia, Corollaries III and IV of the laws of motion"
QUICK, LONG = 20.0, 200.0
"""[s]"""
TICKS = 10
"""Between two changes of the torques."""
BARS = 1e-9, 1e-8
"""Of linear and angular momentum, relative."""
STRUCK = 1e-5
"""The same where a contact of 10⁶ N/m strikes: RK4 at 1 ms does not resolve the blow better."""
DRIFT, TURN = (0.02, 0.01, 0.0), (0.0, 0.0, 0.05)
"""[m/s], [rad/s] with which the robot starts."""
POSTURE = np.radians([-60.0, 105.0, 45.0])
SWAY = np.array([0.4, 0.25, 0.3])
"""[rad] by which its joints sway about their posture, short of their stops."""
FAR, NEAR = 9.0, 0.02
"""[m] from the tip to the interface."""
GRIP = 4
"""Channel of the gripper."""
PACE = np.array([0.7, 1.1, 1.7])
"""[rad/s]."""


def rows(full: bool) -> Iterator[Row]:
    """Drift of both momenta on the table and in orbit: moving about, gripping, and gripping with a blow."""
    duration = LONG if full else QUICK
    for freedom, where in (("planar", "on the table"), ("free", "in orbit")):
        key = f"cepheus_momentum_{freedom}"
        yield from _rows(
            key, f"arm and wheel move {where}, {duration:g} s", move(floating(freedom, FAR), duration), BARS
        )
        yield from _rows(f"{key}_grip", f"soft and hard grip {where}", grip(floating(freedom, NEAR), touch=False), BARS)
        yield from _rows(
            f"{key}_blow", f"the same with a blow {where}", grip(floating(freedom, NEAR)), (STRUCK, STRUCK)
        )


def _rows(key: str, what: str, drift: tuple[float, float], bars: tuple[float, float]) -> Iterator[Row]:
    for kind, measured, bar in zip(("linear", "angular"), drift, bars, strict=True):
        yield at_most(f"{key}_{kind}", SOURCE, f"{what}: relative drift of the {kind} momentum", bar, measured)


def move(world: World, duration: float) -> tuple[float, float]:
    """Let arm and wheel sway for a while; returns the largest drift seen of linear and angular momentum."""
    before, worst = momentum(world), (0.0, 0.0)
    for k in range(round(duration / (TICKS * world.dt))):
        time = k * TICKS * world.dt
        told = world.samples["chaser", "joints"].latest()
        wanted = POSTURE + SWAY * np.sin(PACE * time)
        torques = 0.5 * (wanted - told.angles[:3]) - 0.3 * np.array(told.speeds[:3])
        for channel, torque in enumerate((0.02 * math.sin(0.3 * time), *torques)):
            world.turn(channel, float(torque), "chaser")
        world.step(TICKS)
        if k % 100 == 99:
            now = drift(world, before)
            worst = max(worst[0], now[0]), max(worst[1], now[1])
    return worst


def grip(world: World, touch: bool = True) -> tuple[float, float]:
    """Soft grip, then hard grip; without `touch` no contact is in the way. Returns the drift of both momenta."""
    if not touch:
        world.model.geom_contype[:] = world.model.geom_conaffinity[:] = 0
    before = momentum(world)
    for order in (1.0, 2.0):
        world.turn(GRIP, order, "chaser")
        world.step(4000)
    said = world.samples["chaser", "grip"].latest()
    if not (said.finished == 2.0 and said.holding):
        raise RuntimeError(f"the grip failed: {said}")
    return drift(world, before)


def drift(world: World, before: tuple[Any, Any]) -> tuple[float, float]:
    """Relative change of linear and angular momentum; a table holds what would leave its plane."""
    free = world.scenario.vehicles[0].freedom == "free"
    linear, angular = (slice(0, 3), slice(0, 3)) if free else (slice(0, 2), slice(2, 3))
    now = momentum(world)
    norm = np.linalg.norm
    return (
        float(norm((now[0] - before[0])[linear]) / norm(before[0][linear])),
        float(norm((now[1] - before[1])[angular]) / norm(before[1][angular])),
    )


def floating(freedom: str, gap: float) -> World:
    """Robot and target without weight or drag; the interface lies `gap` [m] before the tip."""
    scenario, folder = find_scenario("cepheus_orbit")
    chaser, target = scenario.vehicles
    chaser = chaser.model_copy(update={"freedom": freedom, "velocity_b": DRIFT, "rate_b": TURN})
    world = World(scenario.model_copy(update={"vehicles": (chaser, target)}), folder)
    tip = world.samples["chaser", "hand_truth"].latest()
    depth = 0.15  # of the interface before the middle of the target
    place = (tip.pos_w.x, tip.pos_w.y + gap + depth, 0.0)
    target = target.model_copy(update={"freedom": freedom, "position": place, "attitude_deg": (0.0, 0.0, 90.0)})
    return World(scenario.model_copy(update={"vehicles": (chaser, target)}), folder)


def momentum(world: World) -> tuple[Any, Any]:
    """Linear [kg m/s] and angular [kg m²/s] of all bodies together, world axes, about the origin."""
    model, data = world.model, world.data
    linear, angular, velocity = np.zeros(3), np.zeros(3), np.zeros(6)
    for body in range(1, model.nbody):
        mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, body, velocity, 0)
        axes = data.ximat[body].reshape(3, 3)
        one = model.body_mass[body] * velocity[3:]
        linear += one
        angular += np.cross(data.xipos[body], one) + axes @ (model.body_inertia[body] * (axes.T @ velocity[:3]))
    return linear, angular
