"""A gripper that pulls a passive interface of another vehicle to its site, gently, then locks it there.

The hold is a spring and a damper between the two sites, evaluated at every stage of the integrator, equal and opposite
at one point: it conserves momentum to the last digits, which a constraint of MuJoCo's solver does to its tolerance.
"""

from typing import Any, ClassVar, Literal, NamedTuple

import mujoco
from pydantic import Field

from cupola.kernel.arguments import Between, JoinedSite, SiteTable
from cupola.kernel.motion import SiteFrame, into_frame, row_vector, site_quaternion
from cupola.parts.binding import Arrow, BindContext, Row, row_type
from cupola.parts.described import GripperPlace, RootFrame, Spring
from cupola.parts.part import Part
from cupola.physics.grip import between, pull, turn_between
from cupola.physics.rotation import Quaternion, Vector, Wrench, length, subtract
from cupola.xmath import Number, clip

OPEN, SOFT, HARD = 0, 1, 2
"""Commands, present action, and completed grips."""
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
    """Outputs of the gripper."""

    action: Number
    """[1] 0: nothing, 1: softgrip, 2: hardgrip, while it is being done."""
    finished: Number
    """[1] 0: open, 1: soft grip, 2: hard grip, the last that was completed."""
    holding: Number
    """[1] whether an interface is in it."""
    force: Number
    """[N] between the two."""
    pull: Vector
    """[N] on the gripper, axes of its site."""


class GripState(NamedTuple):
    """State of a gripper."""

    action: Number = 0.0
    """[1] what it is doing."""
    since: Number = 0.0
    """[s] for how long."""
    finished: Number = 0.0
    """[1] what it has finished."""
    site: Number = NOBODY
    """[1] number of the site that it holds."""


class Interface(NamedTuple):
    """A site of another vehicle that it can hold, among the constants."""

    site: float


class GripMove(NamedTuple):
    """Answer of `actuate`."""

    state: GripState
    output: GripOutput


class GripLoad(NamedTuple):
    """Answer of `load`."""

    output: GripOutput
    between: Between


class Gripper(Part):
    """Gripper with one channel: below 0.5 open, below 1.5 soft grip, above that hard grip."""

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

    Numbers = (GripNumbers,)
    Index: ClassVar[dict[str, str]] = dict.fromkeys(("channel", "first", "count", "held"), "i8")
    State = GripState
    switches = GripState._fields
    Output = GripOutput
    Element = row_type(Interface)
    order = 140
    arrow = Arrow("pull")
    events: ClassVar[dict[str, str]] = {"holding": "grip"}

    def springs(self, places: BindContext) -> list[Spring]:
        """Its lock."""
        return [Spring("hard_stiffness", places.site(self.site), self.hard_stiffness, self.hard_damping)]

    def describe(self, places: BindContext, frame: RootFrame) -> GripperPlace:
        """Its site, and the sites that it can hold."""
        return GripperPlace(self.channel, self.site, self.catches, self.reach, self.tilt)

    def used_channels(self) -> tuple[int, ...]:
        """The one channel."""
        return (self.channel,)

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Its springs, and the sites that it can hold."""
        model, own = places.model, places.model.body_rootid[places.root]
        names = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_SITE, k) or "" for k in range(model.nsite)]
        found = [k for k, name in enumerate(names) if name.rpartition("/")[2] == self.catches]
        others = [float(k) for k in found if model.body_rootid[model.site_bodyid[k]] != own]
        row = {**super().numbers(places), "channel": places.channel(self.channel)}
        row |= {"first": len(places.constants), "count": len(others)}
        places.constants += others
        return row

    def bind(self, places: BindContext) -> Row:
        """As any part; `held` is where its state has the site that it holds."""
        row = super().bind(places)
        row["held"] = row["state"] + GripState._fields.index("site")
        return row

    @staticmethod
    def actuate(
        p: Number,
        state: GripState,
        output: GripOutput,
        command: Number,
        own_site: JoinedSite,
        held_site: JoinedSite,
        sites: SiteTable,
        elements: Number,
        dt: Number,
    ) -> GripMove:
        """Advance its action and the interface that it holds."""
        now = jaws_step(p, GripperState(state.action, state.since, state.finished), command, dt)
        site = state.site
        closing = now.action > 0.0 or now.finished > 0.0
        if not closing or (site >= 0.0 and not reaches(p, own_site, held_site.pos_w, held_site.quat_ws)):
            site = NOBODY
        if closing and site < 0.0 and now.finished == 0.0:
            site = nearest(p, own_site, sites, elements)
        holding = 1.0 if site >= 0.0 else 0.0
        after = GripState(now.action, now.since, now.finished, site)
        return GripMove(after, GripOutput(now.action, now.finished, holding, output.force, output.pull))

    @staticmethod
    def load(
        p: Number,
        state: GripState,
        output: GripOutput,
        own_site: JoinedSite,
        held_site: JoinedSite,
        frame: SiteFrame,
    ) -> GripLoad:
        """Equal and opposite forces between gripper and held interface, at one point."""
        said, here = output, own_site.pos_w
        if held_site.body < 0:
            nothing = Vector(0.0, 0.0, 0.0)
            open_jaws = GripOutput(said.action, said.finished, said.holding, 0.0, nothing)
            return GripLoad(open_jaws, Between(Wrench(nothing, nothing), here, held_site.body))
        hold = hold_now(p, GripperState(state.action, state.since, state.finished))
        rate = subtract(held_site.rate_w, own_site.rate_w)
        # Both velocities at the same point: what turns as one body has none between them.
        velocity = subtract(held_site.vel_w, own_site.vel_w)
        force = pull(subtract(held_site.pos_w, here), velocity, hold.stiffness, hold.damping, hold.force)
        turn = turn_between(own_site.quat_ws, held_site.quat_ws)
        square = p.lever * p.lever
        torque = pull(turn, rate, square * hold.stiffness, square * hold.damping, p.lever * hold.force)
        shown = GripOutput(said.action, said.finished, said.holding, length(force), into_frame(frame, force))
        return GripLoad(shown, Between(Wrench(force, torque), here, held_site.body))


class GripperState(NamedTuple):
    """What it is doing, for how long [s], and what it has finished."""

    action: Number
    since: Number
    finished: Number


class Hold(NamedTuple):
    """Spring of the present grip."""

    stiffness: Number
    damping: Number
    force: Number


def jaws_step(row: Number, now: GripperState, command: Number, dt: Number) -> GripperState:
    """Sequence of orders: a hard grip follows a completed soft one; each order is done once."""
    asked = 0.0 if command < 0.5 else 1.0 if command < 1.5 else 2.0
    if asked == 0.0:
        return GripperState(0.0, 0.0, 0.0)
    if now.action > 0.0:
        since = now.since + dt
        done = since >= (row.soft_time if now.action == SOFT else row.hard_time) - 0.5 * dt
        return GripperState(0.0, 0.0, now.action) if done else GripperState(now.action, since, now.finished)
    return GripperState(now.finished + 1.0, 0.0, now.finished) if asked > now.finished else now


def hold_now(row: Number, now: GripperState) -> Hold:
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


def nearest(p: Number, own: JoinedSite, sites: SiteTable, interfaces: Number) -> Number:
    """The nearest interface that it reaches; none: -1."""
    found, best = NOBODY, p.reach
    for k in range(p.count):
        site = int(interfaces[k].site)
        pos_w = row_vector(sites.site_xpos, site)
        far = length(subtract(pos_w, own.pos_w))
        if far <= best and reaches(p, own, pos_w, site_quaternion(sites, sites.site_bodyid[site], site)):
            found, best = interfaces[k].site, far
    return found


def reaches(p: Number, own: JoinedSite, pos_w: Vector, quat_ws: Quaternion) -> bool:
    """Whether a site is near enough, and turned little enough, to be held."""
    far = length(subtract(pos_w, own.pos_w))
    return bool(far <= p.reach and length(turn_between(own.quat_ws, quat_ws)) <= p.tilt)
