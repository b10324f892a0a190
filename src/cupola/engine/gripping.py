"""Grippers in the loop: orders once per tick, the hold at every stage of the integrator."""

from cupola.kernel.motion import body_rate_w, point_velocity_w, push_point, row_vector, site_quaternion
from cupola.parts.joints.gripper import NOBODY, Jaws, hold_now, jaws_step
from cupola.physics.grip import pull, turn_between
from cupola.physics.rotation import Wrench, length, scale, subtract
from cupola.xmath import Number


def move_jaws(v: Number) -> None:
    """What each gripper is asked for, how far it is, and which interface it holds."""
    for i in range(v.grippers.shape[0]):
        row = v.grippers[i]
        s, out = v.state[row.state : row.state + 4], v.outputs[row.output : row.output + 4]
        now = jaws_step(row, Jaws(s[0], s[1], s[2]), v.drive[row.channel], v.world[0].dt)
        s[0], s[1], s[2] = now.action, now.since, now.finished
        closing = now.action > 0.0 or now.finished > 0.0
        if not closing or (s[3] >= 0.0 and not _reaches(v, row, int(s[3]))):
            s[3] = NOBODY
        if closing and s[3] < 0.0 and now.finished == 0.0:
            s[3] = _nearest(v, row)
        out[0], out[1], out[2] = now.action, now.finished, 1.0 if s[3] >= 0.0 else 0.0


def hold_targets(v: Number) -> None:
    """Pull what is held to the gripper, and the gripper to it, at one point."""
    for i in range(v.grippers.shape[0]):
        row = v.grippers[i]
        s = v.state[row.state : row.state + 4]
        if s[3] < 0.0:
            v.outputs[row.output + 3] = 0.0
            continue
        site = int(s[3])
        other = v.site_body[site]
        hold = hold_now(row, Jaws(s[0], s[1], s[2]))
        here, there = row_vector(v.site_xpos, row.site), row_vector(v.site_xpos, site)
        rate = subtract(body_rate_w(v, other), body_rate_w(v, row.body))
        # Both velocities at the same point: what turns as one body has none between them.
        velocity = subtract(point_velocity_w(v, other, here), point_velocity_w(v, row.body, here))
        force = pull(subtract(there, here), velocity, hold.stiffness, hold.damping, hold.force)
        turn = turn_between(site_quaternion(v, row.body, row.site), site_quaternion(v, other, site))
        square = row.lever * row.lever
        torque = pull(turn, rate, square * hold.stiffness, square * hold.damping, row.lever * hold.force)
        push_point(v, row.body, here, Wrench(force, torque))
        push_point(v, other, here, Wrench(scale(-1.0, force), scale(-1.0, torque)))
        v.outputs[row.output + 3] = length(force)


def _nearest(v: Number, row: Number) -> Number:
    """The nearest interface that it reaches; none: -1."""
    found, best = NOBODY, row.reach
    for k in range(row.first, row.first + row.count):
        site = int(v.curves[k])
        far = length(subtract(row_vector(v.site_xpos, site), row_vector(v.site_xpos, row.site)))
        if far <= best and _reaches(v, row, site):
            found, best = v.curves[k], far
    return found


def _reaches(v: Number, row: Number, site: Number) -> bool:
    far = length(subtract(row_vector(v.site_xpos, site), row_vector(v.site_xpos, row.site)))
    own, other = site_quaternion(v, row.body, row.site), site_quaternion(v, v.site_body[site], site)
    return bool(far <= row.reach and length(turn_between(own, other)) <= row.tilt)
