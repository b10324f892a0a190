"""A vehicle of a world as a model: set to the start of each window of a recorded flight, driven by its motor speeds."""

import numpy as np

from cupola.analysis.real_flight import STEP, STEPS, Array, Motors, Prediction, Windows
from cupola.schema.input_files import InputError
from cupola.sim.part_handle import PartHandle
from cupola.sim.world import World


def rotors_of(world: World) -> list[PartHandle]:
    """The motors of the only vehicle, in the order of their channels; refuses those whose speed is no state."""
    robot = world.robot()
    found = [world.part(name) for name in sorted(robot.rotors, key=lambda name: robot.rotors[name].channel)]
    wrong = [handle.name for handle in found if getattr(handle.part, "lagged", None) is None]
    if wrong or not found:
        raise InputError(
            f"{robot.name}: recorded shaft speeds need rotors with `lagged` numbers; "
            + (f"without them: {', '.join(wrong)}" if wrong else "it has no rotors")
        )
    return found


def motors_of(world: World, offset: float = 0.0, slope: float = 1.0) -> Motors:
    """What the vehicle does with the signals of a flight, of which this is the map to shaft speeds."""
    row = rotors_of(world)[0].row
    lift = float(row.k_thrust) / float(world.model.body_mass.sum())
    return Motors(offset, slope, float(row.time_constant), lift)


def fly(world: World, windows: Windows) -> Prediction:
    """The prediction of every window; the vehicle's controller must leave motors and mixer alone (`idle`)."""
    rotors = rotors_of(world)
    if len(rotors) != windows.speeds.shape[1]:
        raise InputError(f"the flight has {windows.speeds.shape[1]} motors, {world.robot().name} has {len(rotors)}")
    ticks = round(STEP / world.dt)
    if abs(ticks * world.dt - STEP) > 1e-9:
        raise InputError(f"the step of the world, {world.dt:g} s, must divide {STEP:g} s")
    throttles = windows.commands / np.array([rotor.row.speed_max for rotor in rotors])
    channels = [world.robot().rotors[rotor.name].channel for rotor in rotors]
    command = world.arrays.command[world.instances[0].channels]
    found = np.empty((len(throttles), STEPS, 13))
    for i in range(len(throttles)):
        world.data.qpos[:7] = [*windows.pos_w[i], *windows.quat_wb[i]]
        world.data.qvel[:6] = [*windows.vel_w[i], *windows.rate_b[i]]
        for rotor, speed in zip(rotors, windows.speeds[i], strict=True):
            rotor.set_state(omega=rotor.row.direction * speed)
        world.restore(world.snapshot())
        for k in range(STEPS):
            command[channels] = throttles[i, k]
            world.step(ticks)
            if i == k == 0:
                _check(world, channels, throttles[0, 0])
            found[i, k, :7], found[i, k, 7:] = world.data.qpos[:7], world.data.qvel[:6]
    return Prediction(found[..., :3], found[..., 7:10], found[..., 3:7], found[..., 10:])


def _check(world: World, channels: list[int], wanted: Array) -> None:
    """Refuse a world whose motors do not follow the recorded signals."""
    if not np.allclose(world.arrays.drive[world.instances[0].channels][channels], wanted):
        raise InputError(
            f"something else commands the motors of {world.robot().name}: "
            f"give it the controller `idle` with `channel: {channels[0]}`, past its mixer"
        )
