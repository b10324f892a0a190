"""Frames and link states of a dialect: where bodies and sites are, under the dialect's own names."""

from collections.abc import Callable
from typing import Any

import mujoco
import numpy as np

from cupola.bridge.ros.graph import Outgoing
from cupola.bridge.ros.present import Present
from cupola.physics.rotation import Quaternion, Vector, add, cross, euler_from_quaternion, subtract, unrotate
from cupola.record.stream import Stream
from cupola.record.topics import TRANSFORMS
from cupola.sim.world import World


class Frame:
    """A body or a site, read at this moment."""

    def __init__(self, world: World, name: str, site: bool = False) -> None:
        v = world.arrays
        what = mujoco.mjtObj.mjOBJ_SITE if site else mujoco.mjtObj.mjOBJ_BODY
        index: int = mujoco.mj_name2id(world.model, what, name)
        if index < 0:
            raise ValueError(f"there is no {'site' if site else 'body'} {name!r}")
        body = int(world.model.site_bodyid[index]) if site else index
        # Rows of the arrays themselves: they stay where they are for the life of a world.
        self._at = v.site_xpos[index] if site else v.xpos[index]
        self._axes = v.site_xmat[index] if site else None
        self._quat = v.xquat[index] if not site else np.empty(4)
        self._velocity = v.cvel[body]
        self._centre = v.subtree_com[int(world.model.body_rootid[body])]

    def pose(self) -> list[float]:
        """Position x, y, z and attitude w, x, y, z in the world."""
        if self._axes is not None:
            mujoco.mju_mat2Quat(self._quat, self._axes)
        return [*self._at.tolist(), *self._quat.tolist()]

    def velocity_w(self) -> list[float]:
        """Of its origin, then its rate, world axes."""
        p, q, r, u, v, w = self._velocity.tolist()
        rate = Vector(p, q, r)
        arm = subtract(Vector(*self._at.tolist()), Vector(*self._centre.tolist()))
        return [*add(Vector(u, v, w), cross(rate, arm)), *rate]

    def link_state(self) -> list[float]:
        """Position, z-y-x angles, velocity and rate in its own axes."""
        x, y, z, *quat = self.pose()
        turn = Quaternion(*quat)
        u, v, w, *rate = self.velocity_w()
        own = unrotate(turn, Vector(u, v, w)), unrotate(turn, Vector(*rate))
        return [x, y, z, *euler_from_quaternion(turn), *own[0], *own[1]]


def moving_frames(present: Present, parent: str, children: dict[str, Callable[[], list[float]]]) -> Outgoing:
    """/tf: poses of frames in a parent."""
    columns, constants = _transforms(list(children), [parent] * len(children))
    readers = list(children.values())
    stream = Stream("/tf", TRANSFORMS, columns, constants)
    return present.at_each_step(stream, lambda: [number for read in readers for number in read()])


def fixed_frames(present: Present, frames: list[tuple[str, str, list[float]]]) -> Outgoing:
    """/tf_static, latched: parent, child, pose of each."""
    columns, constants = _transforms([child for _, child, _ in frames], [parent for parent, *_ in frames])
    stream = Stream("/tf_static", TRANSFORMS, columns, constants)
    return present.once(stream, [number for *_, pose in frames for number in pose])


def _transforms(children: list[str], parents: list[str]) -> tuple[tuple[str, ...], dict[str, Any]]:
    columns: list[str] = []
    constants: dict[str, Any] = {}
    for i, (child, parent) in enumerate(zip(children, parents, strict=True)):
        constants[f"transforms.{i}.header.frame_id"] = parent
        constants[f"transforms.{i}.child_frame_id"] = child
        columns += [f"transforms.{i}.transform.translation.{axis}" for axis in "xyz"]
        columns += [f"transforms.{i}.transform.rotation.{axis}" for axis in "wxyz"]
    return tuple(columns), constants
