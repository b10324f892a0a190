"""Cepheus and its target, met in a given way, and everything that the thesis plots of a run."""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import mujoco
import numpy as np

from cupola.config.scenario import Scenario, find_scenario
from cupola.config.vehicle import MODELS
from cupola.control.space.signals import SpaceSignals
from cupola.kernel.records import construct
from cupola.physics.planar import Pose
from cupola.physics.rotation import euler_from_quaternion
from cupola.physics.space_arm import Arm, Coordinates, constants, hand_pose
from cupola.sim.world import World

BEYOND = "beyond the Cepheus thesis"
JOINTS = "shoulder", "elbow", "wrist"
Array = np.ndarray[Any, np.dtype[np.float64]]


class Meeting(NamedTuple):
    """How the two are at the start."""

    scenario: str
    start_deg: tuple[float, float, float] | None = None
    """Joints; None: as the scenario has them."""
    grip: Pose | None = None
    """Where the target is gripped: place [m] and heading [rad] of the hand then; None: as the scenario has it."""
    drift: tuple[float, float] = (0.0, 0.0)
    """[m/s] of the target, world."""
    spin: float = 0.0
    """[rad/s]."""
    seed: int = 1
    rate_hz: float = 100.0
    parts: Mapping[str, dict[str, int | float | str]] = {}
    """Other numbers of the chaser's parts."""


class Run(NamedTuple):
    """Time histories, one row per look of the controller: what is true, what is wanted, what is asked for."""

    time: Array
    hand: Array
    """x, y [m], yaw [rad] of the hand."""
    hand_rate: Array
    base: Array
    """Yaw [rad] and its rate [rad/s]."""
    target: Array
    target_rate: Array
    wanted: Array
    """Of the base's yaw, and of x, y, yaw of the hand; not a number before the approach."""
    torques: Array
    """[N m] of base, shoulder, elbow, wrist."""
    push: Array
    """[N] between hand and target, by the contact solver."""
    joints: Array
    """[rad] of shoulder, elbow, wrist."""
    state: list[str]
    """Of the mission."""

    def when(self, state: str) -> float:
        """[s] when a state was first entered; infinite if never."""
        return float(self.time[self.state.index(state)]) if state in self.state else math.inf

    def during(self, first: float, last: float) -> "Run":
        """The rows of an interval [s]."""
        rows = (self.time >= first) & (self.time < last)
        chosen = [values[rows] for values in self[:-1]]
        return Run._make([*chosen, [s for s, row in zip(self.state, rows, strict=True) if row]])


def or_never(value: float) -> float | str:
    """A figure for a row; what did not happen has none."""
    return value if math.isfinite(value) else "never"


def reach_of(arm: Arm, joints_deg: tuple[float, float, float], base_deg: float = 0.0) -> Pose:
    """Pose of the hand with the base at the origin."""
    base, *joints = (math.radians(angle) for angle in (base_deg, *joints_deg))
    return hand_pose(Coordinates(0.0, 0.0, base, *joints), constants(arm))


def meet(meeting: Meeting, **parameters: float) -> World:
    """The world of a scenario with another start, another target or other numbers of its mission."""
    scenario, folder = find_scenario(meeting.scenario)
    chaser, target = (vehicle.model_dump(exclude_unset=True) for vehicle in scenario.vehicles)
    entry = chaser["controller"]
    numbers = {**entry.get("parameters", {}), **parameters}
    if meeting.start_deg is not None:
        chaser["joints_deg"] = dict(zip(JOINTS, meeting.start_deg, strict=True))
        postures = {f"posture_{k + 1}": angle for k, angle in enumerate(meeting.start_deg)}
        numbers = {**postures, **numbers}
    chaser |= {
        "controller": {**entry, "rate_hz": meeting.rate_hz, "parameters": numbers},
        "parts": {**chaser.get("parts", {}), **meeting.parts},
    }
    yaw = math.radians(target.get("attitude_deg", (0.0, 0.0, 0.0))[2])
    if meeting.grip is not None:
        x, y, yaw = meeting.grip
        back = _grip_distance(target["model"])
        target["position"] = (x + back * math.cos(yaw), y + back * math.sin(yaw), 0.0)
    c, s = math.cos(yaw), math.sin(yaw)
    vx, vy = meeting.drift
    # The drift is that of the centre of mass, which is the origin of the target.
    target |= {
        "attitude_deg": (0.0, 0.0, math.degrees(yaw)),
        "velocity_b": (c * vx + s * vy, c * vy - s * vx, 0.0),
        "rate_b": (0.0, 0.0, meeting.spin),
    }
    both = {**scenario.model_dump(exclude_unset=True), "vehicles": (chaser, target), "seed": meeting.seed}
    return World(Scenario.model_validate(both), folder)


def _grip_distance(target: str) -> float:
    """[m] from the interface of a target to its centre of mass, which is its origin."""
    model = mujoco.MjModel.from_xml_path(str(MODELS / target / "model.xml"))
    return float(-model.site("interface").pos[0])


def fly(world: World, until: float, last: str = "end", after: float = 0.0) -> Run:
    """Until a time [s], or some time after the mission is in its last state."""
    runner = world.runner("chaser")
    rows: list[list[float]] = []
    states: list[str] = []
    end = until
    while world.time < end - 1e-9:
        world.step(runner.every)
        rows.append(_row(world, construct(SpaceSignals, runner.reported.tolist())))
        states.append(world.mission("chaser"))
        if states[-1] == last:
            end = min(end, world.time + after) if last not in states[:-1] else end
    table = np.array(rows)
    cuts = np.cumsum([1, 3, 3, 2, 3, 3, 4, 4, 1])
    time, *others, push, joints = np.split(table, cuts, axis=1)
    return Run._make([time[:, 0], *others, push[:, 0], joints, states])


def _row(world: World, told: SpaceSignals) -> list[float]:
    base = world.motion("chaser")
    hand, target = (world.samples[key].latest() for key in (("chaser", "hand_truth"), ("target", "truth")))
    wanted = [told.base.yaw, *told.hand]
    yaw = euler_from_quaternion(base.quat_wb).yaw
    bodies = [number for truth in (hand, target) for number in _planar(truth)]
    joints = [float(world.data.joint(f"chaser/{name}").qpos[0]) for name in JOINTS]
    seen = [world.time, *bodies[:6], yaw, base.rate_b.z, *bodies[6:], *wanted, *told.torques]
    return [*seen, contact_force(world), *joints]


def _planar(truth: Any) -> list[float]:
    yaw = euler_from_quaternion(truth.quat_ws).yaw
    return [truth.pos_w.x, truth.pos_w.y, yaw, truth.vel_w.x, truth.vel_w.y, truth.rate_s.z]


def contact_force(world: World) -> float:
    """[N] of all contacts together, along their normals."""
    force, total = np.zeros(6), 0.0
    for k in range(world.data.ncon):
        mujoco.mj_contactForce(world.model, world.data, k, force)
        total += float(force[0])
    return total
