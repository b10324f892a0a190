"""A gripper that pulls a passive interface of another vehicle to its site, gently, then locks it there.

The hold is a spring and a damper between the two sites, evaluated at every stage of the integrator, equal and opposite
at one point: it conserves momentum to the last digits, which a constraint of MuJoCo's solver does to its tolerance.
"""

from typing import Literal, NamedTuple

import mujoco
import numpy as np
from pydantic import Field

from cupola.parts.part import Part, Places, Row, row_type
from cupola.physics.grip import between
from cupola.xmath import Number, clip

OPEN, SOFT, HARD = 0, 1, 2
"""What can be asked for, what it is doing, and what it has finished."""
NOBODY = -1.0


class GripNumbers(NamedTuple):
    """One gripper."""

    reach: float
    tilt: float
    soft_time: float
    hard_time: float
    soft_stiffness: float
    soft_damping: float
    soft_force: float
    hard_stiffness: float
    hard_damping: float
    hard_force: float
    lever: float


class GripOutput(NamedTuple):
    """What the gripper says."""

    action: float
    """[1] 0: nothing, 1: softgrip, 2: hardgrip, while it is being done."""
    finished: float
    """[1] 0: open, 1: soft grip, 2: hard grip, the last that was completed."""
    holding: float
    """[1] whether an interface is in it."""
    force: float
    """[N] between the two."""


class Gripper(Part):
    """One channel: below 0.5 open, below 1.5 soft grip, above that hard grip."""

    kind: Literal["gripper"]
    site: str = Field(description="site that an interface is pulled to, its axes along those of the interface")
    channel: int = Field(ge=0)
    catches: str = Field("interface", description="name of the sites of other vehicles that it can hold")
    reach: float = Field(0.05, gt=0, description="[m] from which it can catch an interface")
    tilt: float = Field(0.35, gt=0, description="[rad] up to which it can")
    soft_time: float = Field(2.0, gt=0, description="[s] that a soft grip takes")
    hard_time: float = Field(2.0, gt=0, description="[s] that a hard grip takes")
    soft_stiffness: float = Field(100.0, gt=0, description="[N/m]")
    soft_damping: float = Field(20.0, ge=0, description="[N s/m]")
    soft_force: float = Field(1.0, gt=0, description="[N] with which it pulls at most")
    hard_stiffness: float = Field(1e5, gt=0, description="[N/m]")
    hard_damping: float = Field(300.0, gt=0, description="[N s/m]")
    hard_force: float = Field(50.0, gt=0, description="[N] that the lock stands")
    lever: float = Field(0.03, gt=0, description="[m] between its jaws: a turn by an angle stretches it by so much")

    Output = GripOutput

    def used_channels(self) -> tuple[int, ...]:
        """The one channel."""
        return (self.channel,)

    def bind(self, places: Places) -> Row:
        """Numbers and places for the loop; the sites that it can hold follow each other in the pool."""
        row = np.zeros((), GRIPPER)
        for name in GripNumbers._fields:
            row[name] = getattr(self, name)
        row["site"] = site = places.site(self.site)
        row["body"], row["channel"] = places.body_of(site), places.channel(self.channel)
        row["state"], row["output"] = places.state(0.0, 0.0, 0.0, NOBODY), places.output(len(GripOutput._fields))
        own, model = places.model.body_rootid[places.root], places.model
        names = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_SITE, k) or "" for k in range(model.nsite)]
        found = [k for k, name in enumerate(names) if name.rpartition("/")[2] == self.catches]
        others = [float(k) for k in found if model.body_rootid[model.site_bodyid[k]] != own]
        row["first"], row["count"] = len(places.pool), len(others)
        places.pool += others
        return row


GRIPPER = row_type(GripNumbers, **dict.fromkeys(("body", "site", "channel", "first", "count", "state", "output"), "i8"))
"""Row of a gripper; its state: what it is doing, since when [s], what it has finished, the site that it holds."""


class Jaws(NamedTuple):
    """What it is doing, for how long [s], and what it has finished."""

    action: Number
    since: Number
    finished: Number


class Hold(NamedTuple):
    """How it holds now."""

    stiffness: Number
    damping: Number
    force: Number


def jaws_step(row: Number, now: Jaws, command: Number, dt: Number) -> Jaws:
    """Orders one after the other: a hard grip follows a finished soft one; each order is done once."""
    asked = 0.0 if command < 0.5 else 1.0 if command < 1.5 else 2.0
    if asked == 0.0:
        return Jaws(0.0, 0.0, 0.0)
    if now.action > 0.0:
        since = now.since + dt
        done = since >= (row.soft_time if now.action == SOFT else row.hard_time) - 0.5 * dt
        return Jaws(0.0, 0.0, now.action) if done else Jaws(now.action, since, now.finished)
    return Jaws(now.finished + 1.0, 0.0, now.finished) if asked > now.finished else now


def hold_now(row: Number, now: Jaws) -> Hold:
    """Stiffness [N/m], damping [N s/m] and the most force [N] of the spring."""
    if now.finished == 0.0:
        done = clip(now.since / row.soft_time, 0.0, 1.0) if now.action == SOFT else 0.0
        return Hold(row.soft_stiffness * done, row.soft_damping * done, row.soft_force)
    done = 1.0 if now.finished == HARD else clip(now.since / row.hard_time, 0.0, 1.0)
    return Hold(
        between(row.soft_stiffness, row.hard_stiffness, done),
        between(row.soft_damping, row.hard_damping, done),
        between(row.soft_force, row.hard_force, done),
    )
