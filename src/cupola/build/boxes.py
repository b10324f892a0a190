"""Boxes to drop. A compiled model cannot grow, so a scenario says how many there are; the spare ones wait far away.

A parked box is one at its parking place, held there by a force against gravity. That force and the motion of the box
are both in a snapshot, so nothing else needs to be remembered.
"""

from typing import Any

import mujoco
import numpy as np

from cupola.config.scenario import Scenario
from cupola.kernel.observation import Observation
from cupola.physics.rotation import Vector, add, cross, rotate

SIZE, MASS = 0.05, 1.0
"""Edge [m] and mass [kg]: Last_letter_2, Annex B.1."""
DROP = Vector(0.0, 0.0, -0.1)
"""[m] from the root of the vehicle, in its axes: Last_letter_2 §2.3."""
LOWER, LOWEST = 0.01, 3.0
"""[m] Steps in which a place farther below is looked for where the vehicle itself is there, and how far."""
PARKING = np.array([1e6, 1e6, 1e6])
"""[m], of the first box, the others 1 m apart along x: out of sight and of reach."""
PARKED_WITHIN = 1e3
"""[m] from there."""
FLOOR_BIT, LINK_BIT, BOX_BIT = 1, 2, 4
"""Boxes touch everything that can be touched, floor, obstacles, vehicles and each other. `LINK_BIT` is that of imported
links, which do not touch each other."""


def add_boxes(spec: Any, count: int) -> None:
    """Add the free bodies. They begin at the origin, because MuJoCo derives the size of the scene from there."""
    if not count:
        return
    if floor := next((geom for geom in spec.geoms if geom.name == "floor"), None):
        floor.conaffinity = FLOOR_BIT | BOX_BIT
    for i in range(count):
        body = spec.worldbody.add_body(name=f"box{i}")
        body.add_freejoint()
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_BOX,
            size=[SIZE / 2] * 3,
            mass=MASS,
            contype=BOX_BIT,
            conaffinity=FLOOR_BIT | LINK_BIT | BOX_BIT,
            rgba=[0.85, 0.65, 0.2, 1.0],
        )


class Boxes:
    """The boxes of one world."""

    def __init__(self, model: Any, data: Any, push: Any, scenario: Scenario) -> None:
        self.count: int = scenario.boxes
        self._model, self._data, self._push = model, data, push
        self._weights = [-MASS * _fall(model, scenario, i) for i in range(self.count)]
        self._bodies = [mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, f"box{i}") for i in range(self.count)]
        joints = [model.body_jntadr[body] for body in self._bodies]
        self._qpos = [slice(model.jnt_qposadr[j], model.jnt_qposadr[j] + 7) for j in joints]
        self._qvel = [slice(model.jnt_dofadr[j], model.jnt_dofadr[j] + 6) for j in joints]

    def dropped(self) -> list[int]:
        """Boxes in use."""
        return [i for i in range(self.count) if self._is_out(i)]

    def park(self) -> None:
        """Remove all boxes."""
        for i, body in enumerate(self._bodies):
            self._data.qpos[self._qpos[i]] = [*_parking(i), 1.0, 0.0, 0.0, 0.0]
            self._data.qvel[self._qvel[i]] = 0.0
            self._push[body] = [*self._weights[i], 0.0, 0.0, 0.0]

    def drop(self, obs: Observation, root: int) -> bool:
        """Release a box below a vehicle, with the velocity of that point; False if all are in use."""
        i = next((i for i in range(self.count) if not self._is_out(i)), None)
        if i is None:
            return False
        below = Vector(0.0, 0.0, -self._free_below(self._bodies[i], root))
        velocity = add(obs.vel_w, rotate(obs.quat_wb, cross(obs.rate_b, below)))
        self._data.qpos[self._qpos[i]] = [*add(obs.pos_w, rotate(obs.quat_wb, below)), *obs.quat_wb]
        self._data.qvel[self._qvel[i]] = [*velocity, *obs.rate_b]
        self._push[self._bodies[i]] = 0.0
        return True

    def _free_below(self, box: int, root: int) -> float:
        """Distance below the root of a vehicle at which a box does not touch it [m]."""
        model, data, geom = self._model, self._data, int(self._model.body_geomadr[box])
        own = model.body_rootid[model.geom_bodyid] == model.body_rootid[root]
        solid = np.flatnonzero(own & ((model.geom_contype | model.geom_conaffinity) > 0))
        axes, below, nothing = data.xmat[root].reshape(3, 3), -DROP.z, np.zeros(6)
        data.geom_xmat[geom] = data.xmat[root]
        while below < LOWEST:
            data.geom_xpos[geom] = data.xpos[root] - below * axes[:, 2]  # the next step computes it anew
            if all(mujoco.mj_geomDistance(model, data, int(k), geom, SIZE, nothing) > 0.0 for k in solid):
                break
            below += LOWER
        return below

    def position(self, index: int) -> Any:
        """Where a box is [m, world]."""
        return np.array(self._data.qpos[self._qpos[index]][:3])

    def _is_out(self, index: int) -> bool:
        return bool(np.abs(self.position(index) - PARKING).max() > PARKED_WITHIN)


def _parking(i: int) -> Any:
    return PARKING + np.array([i, 0.0, 0.0])


def _fall(model: Any, scenario: Scenario, i: int) -> Any:
    """Free fall at the parking place of a box [m/s²]; over a round planet gravity is a load, and another one there."""
    if not scenario.origin.is_round:
        return model.opt.gravity
    return np.array(scenario.origin.fall_of_rest(Vector(*_parking(i).tolist()), scenario.air.altitude))
