"""The vehicle `crazyflie` in the compiled world, set to the start of a window and fed with its commands."""

import numpy as np

from cupola.config.scenario import Scenario
from cupola.reproduce.nanobench.real_flights import STEP, STEPS, Prediction, Windows
from cupola.sim.part_handle import PartHandle
from cupola.sim.world import World

PHYSICS_HZ = 1000


def crazyflie() -> World:
    """Alone in still air; the sticks are the speeds of its motors, past the mixer."""
    controller = {"use": "pass_through", "rate_hz": PHYSICS_HZ, "channel": 4}
    vehicle = {"model": "crazyflie", "controller": controller}
    return World(Scenario.model_validate({"physics_hz": PHYSICS_HZ, "floor": None, "vehicles": (vehicle,)}))


def motors(world: World) -> list[PartHandle]:
    """The four motors, in the order of the channels."""
    return [world.part(f"motor{n}") for n in range(1, 5)]


def fly(world: World, windows: Windows) -> Prediction:
    """Our prediction of every window."""
    rotors, ticks = motors(world), round(STEP * PHYSICS_HZ)
    sticks = windows.commands / np.array([rotor.row.speed_max for rotor in rotors])
    sticks[..., 3] = 2.0 * sticks[..., 3] - 1.0  # the fourth is a throttle stick: -1 to 1
    found = np.empty((len(sticks), STEPS, 13))
    for i in range(len(sticks)):
        world.data.qpos[:7] = [*windows.pos_w[i], *windows.quat_wb[i]]
        world.data.qvel[:6] = [*windows.vel_w[i], *windows.rate_b[i]]
        for rotor, speed in zip(rotors, windows.speeds[i], strict=True):
            rotor.set_state(omega=rotor.row.direction * speed)
        world.restore(world.snapshot())
        for k in range(STEPS):
            world.sticks(sticks[i, k].tolist())
            world.step(ticks)
            found[i, k, :7], found[i, k, 7:] = world.data.qpos[:7], world.data.qvel[:6]
    return Prediction(found[..., :3], found[..., 7:10], found[..., 3:7], found[..., 10:])
