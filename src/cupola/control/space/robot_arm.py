"""The numbers of the space laws, read from the description of the robot: arm, tool, target, nozzles, stops.

The laws know one shape: a base that floats on a plane, a chain of three hinges about its vertical, the first link
straight on from the shoulder, everything in line. A robot of another shape is refused with the reason.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

from cupola.config.parameters import parameter
from cupola.config.robot import Robot, one_at, whole
from cupola.control.space.base import Layout, Nozzles, push_of
from cupola.control.space.homing import SIDES, Stops
from cupola.control.space.motion import Joints
from cupola.control.space.payload_inertia import Load
from cupola.parts.described import JointDrive
from cupola.physics.rotation import Vector, wrap
from cupola.physics.space_arm import Arm, Constants
from cupola.physics.space_task import Actuated

TARGET = "target"
"""Name of the target vehicle."""
JOINTS = 3
BESIDE = 0.01
"""Share of a length by which a place may lie beside the line that the laws assume."""
ASKEW = 1e-3
"""[rad] the same for headings."""


class Chain(NamedTuple):
    """Joints from shoulder to wrist, the flywheel, and the site of the hand."""

    joints: tuple[str, str, str]
    wheel: str
    hand: str


def chain_of(robot: Robot, channel: int) -> Chain:
    """Who listens to the channels of the laws: torque on the base, three joints, the gripper."""
    wheel, *joints = (one_at(robot.drives, channel + k, "joint motor", robot.name) for k in range(1 + JOINTS))
    if not wheel.acts_back:
        raise ValueError(f"channel {channel} must be a reaction wheel; it is the motor of the joint {wheel.joint!r}")
    hand = one_at(robot.grippers, channel + 1 + JOINTS, "gripper", robot.name)
    one, two, three = (drive.joint for drive in joints)
    return Chain((one, two, three), wheel.joint, hand.site)


def arm_of(robot: Robot, channel: int) -> Arm:
    """Masses, inertias and lengths as the equations of motion want them."""
    chain = chain_of(robot, channel)
    joints = [robot.joints[name] for name in chain.joints]
    for name, joint in zip(chain.joints, joints, strict=True):
        if joint.kind != "hinge" or joint.axis.z < 1.0 - ASKEW:
            raise ValueError(
                f"the joint {name!r} must be a hinge about the vertical of the base; its axis: {joint.axis}"
            )
    below = [robot.below(joint.link) for joint in joints]
    for outer, inner, name in zip(below, below[1:], chain.joints[1:], strict=False):
        if not inner < outer:
            raise ValueError(f"the joint {name!r} does not hang on the one before it: {', '.join(chain.joints)}")
    tip = robot.sites[chain.hand]
    if tip.link not in below[2]:
        raise ValueError(f"the site {chain.hand!r} of the gripper does not hang on the joint {chain.joints[2]!r}")
    mass0, center0, inertia0 = _base(robot, chain, below[0])
    if math.hypot(center0.x, center0.y) > 1e-6 * max(1.0, math.hypot(*joints[0].anchor[:2])):
        raise ValueError(
            f"the laws count from the origin of {robot.root!r}, but its centre of mass lies at {_at(center0)}"
        )
    ends = [*(joint.anchor for joint in joints[1:]), tip.place]
    links = [
        _link(robot, joint.anchor, end, inside - (below[k + 1] if k + 1 < JOINTS else set()), name)
        for k, (joint, end, inside, name) in enumerate(zip(joints, ends, below, chain.joints, strict=True))
    ]
    mount = links[0].heading
    for name, link in zip(chain.joints[1:], links[1:], strict=True):
        if abs(wrap(link.heading - mount)) > ASKEW:
            raise ValueError(
                f"at its zero the joint {name!r} bends the arm by {math.degrees(link.heading - mount):.3g}°"
            )
    a, b, c = links
    rotors = [one.rotor_inertia for one in drives_of(robot, channel)]
    return Arm(
        *(mass0, a.mass, b.mass, c.mass),
        *(inertia0, a.inertia, b.inertia, c.inertia),
        *(a.l, a.r, b.l, b.r, c.l, c.r),
        *(joints[0].anchor.x, joints[0].anchor.y, mount),
        *rotors,
    )


class _Link(NamedTuple):
    mass: float
    inertia: float
    l: float  # noqa: E741 - the book's letter
    r: float
    heading: float


def _base(robot: Robot, chain: Chain, arm: set[str]) -> tuple[float, Vector, float]:
    """Mass, centre and inertia of all but the arm; the flywheel turns freely, so its own spin is not the base's."""
    mass, center, inertia = whole(robot.links, lambda name: name not in arm)
    wheel = robot.links[robot.joints[chain.wheel].link]
    return mass, center, inertia[2].z - wheel.inertia[2].z


def _link(robot: Robot, start: Vector, end: Vector, inside: set[str], name: str) -> _Link:
    mass, center, inertia = whole(robot.links, lambda link: link in inside)
    x, y = end.x - start.x, end.y - start.y
    length = math.hypot(x, y)
    if length == 0.0 or mass == 0.0:
        raise ValueError(f"what the joint {name!r} turns has no {'mass' if length else 'length'}")
    along = ((center.x - start.x) * x + (center.y - start.y) * y) / length
    beside = ((center.y - start.y) * x - (center.x - start.x) * y) / length
    if abs(beside) > BESIDE * length:
        raise ValueError(
            f"the centre of mass of what the joint {name!r} turns lies {beside:.3g} m beside the line to the next; "
            f"the laws know arms whose masses are in line"
        )
    return _Link(mass, inertia[2].z, along, length - along, math.atan2(y, x))


def drives_of(robot: Robot, channel: int) -> list[JointDrive]:
    """Motors of shoulder, elbow and wrist."""
    return [one_at(robot.drives, channel + 1 + k, "joint motor", robot.name) for k in range(JOINTS)]


def wheel_of(robot: Robot, channel: int) -> JointDrive:
    """Motor of the flywheel."""
    found: JointDrive = one_at(robot.drives, channel, "joint motor", robot.name)
    return found


def check_strength(robot: Robot, channel: int) -> None:
    """Refuse motors that their own friction holds."""
    for drive in (wheel_of(robot, channel), *drives_of(robot, channel)):
        if drive.torque_max <= drive.dry:
            raise ValueError(
                f"the motor of the joint {drive.joint!r} gives {drive.torque_max:.3g} N m at most, and dry friction "
                f"holds it with {drive.dry:.3g} N m"
            )


def motors_of(robot: Robot, channel: int) -> Actuated:
    """[N m] that wheel and joint motors give at most; infinite where they are ideal."""
    one, two, three = (drive.torque_max for drive in drives_of(robot, channel))
    return Actuated(wheel_of(robot, channel).torque_max, one, two, three)


FOUR = 4.0
"""Times the spread of a push that noise hardly reaches."""
SEEN = ("force", "gripper_imu")
"""Sensors that every look needs."""
SEEN_BY = (("hand_truth", "joints"), ("base_mocap", "hand_mocap"), ("base_mocap", "hand_mocap"))
SEEN_OF_TARGET = ("truth", "mocap", "mocap")
"""The same for each kind of `eyes`."""


def check_sensors(robot: Robot, eyes: int, also: tuple[str, ...]) -> None:
    """Refuse a robot or a target without the sensors that a controller looks at."""
    target = robot.others.get(TARGET)
    lacking = [name for name in (*SEEN, *also, *SEEN_BY[eyes]) if name not in robot.parts]
    if "encoders" not in robot.parts and "joints" not in robot.parts:
        lacking.append("encoders or joints")
    if target is not None and SEEN_OF_TARGET[eyes] not in target.parts:
        lacking.append(f"{TARGET}/{SEEN_OF_TARGET[eyes]}")
    if lacking:
        raise ValueError(
            f"eyes: {eyes} needs {', '.join(lacking)}, which do not exist; {robot.name} has: {', '.join(robot.parts)}"
        )


def tool_mass_of(robot: Robot, sensor: str = "force") -> float:
    """[kg] beyond the force sensor."""
    beyond = robot.below(robot.sites[robot.parts[sensor].site].link)
    return math.fsum(robot.links[name].mass for name in beyond)


def load_of(robot: Robot, channel: int) -> Load:
    """What the target is once the gripper holds it."""
    if TARGET not in robot.others:
        there = ", ".join(robot.others) or "none"
        raise ValueError(f"it reaches for a vehicle that is called {TARGET!r}; the others in this world: {there}")
    target = robot.others[TARGET]
    catches = one_at(robot.grippers, channel + 1 + JOINTS, "gripper", robot.name).catches
    if catches not in target.sites:
        raise ValueError(
            f"the gripper catches a site {catches!r}; those of {TARGET!r}: {', '.join(target.sites) or 'none'}"
        )
    grip, ahead = target.sites[catches].place, target.sites[catches].x_axis
    x, y = target.center.x - grip.x, target.center.y - grip.y
    distance, beside = ahead.x * x + ahead.y * y, ahead.x * y - ahead.y * x
    if abs(beside) > BESIDE * max(abs(distance), 1e-3):
        raise ValueError(
            f"the centre of mass of {TARGET!r} lies {beside:.3g} m beside the axis of its site {catches!r}"
        )
    return Load(target.mass, distance, target.inertia[2].z)


def stretched_of(robot: Robot, channel: int) -> float:
    """[m] from shoulder to hand with all joints straight."""
    arm = arm_of(robot, channel)
    return float(arm.l1 + arm.r1 + arm.l2 + arm.r2 + arm.l3 + arm.r3)


STIRS = 0.03
"""[rad/s²] of the hand about the wrist: some tenths of a degree while the robot looks around (`states.WAIT`)."""


def faint_of(robot: Robot, channel: int, most: float) -> float:
    """[N m] that drivers get who fail at zero: `most`, or less where that would stir the hand."""
    arm = arm_of(robot, channel)
    return min(most, STIRS * float(arm.inertia3 + arm.mass3 * arm.l3 * arm.l3))


def reach_of(robot: Robot, channel: int) -> float:
    """[m] from which the gripper can catch."""
    return float(one_at(robot.grippers, channel + 1 + JOINTS, "gripper", robot.name).reach)


def tilt_of(robot: Robot, channel: int) -> float:
    """[rad] up to which the gripper can catch."""
    return float(one_at(robot.grippers, channel + 1 + JOINTS, "gripper", robot.name).tilt)


def push_noise_of(robot: Robot, sensor: str = "force", inertial: str = "gripper_imu") -> float:
    """[N] standard deviation of a push: of the force sensor, and of the inertia of the tool, which is taken away."""
    force = robot.parts[sensor].numbers
    noise = float(force["force_noise"] * math.sqrt(force["rate_hz"]))
    if inertial not in robot.parts:
        return noise
    imu = robot.parts[inertial].numbers
    return math.hypot(noise, tool_mass_of(robot, sensor) * imu["accel_noise"] * math.sqrt(imu["rate_hz"]))


def quiet_push_of(robot: Robot, channel: int) -> float:
    """[N] of push that may be noise: four times its spread, or a little of the target's weight."""
    least = 1e-4 * load_of(robot, channel).mass
    return max(least, FOUR * push_noise_of(robot)) if "force" in robot.parts else least


def chosen(read: Callable[[Robot, int], float], low: float, high: float, unit: str, about: str) -> parameter:
    """A parameter that follows the size of the robot or its target, and that a file may choose freely."""
    return parameter(robot=read, low=low, high=high, unit=unit, about=about, within=math.inf)


def layout_of(robot: Robot, channel: int) -> tuple[Layout, float, float] | None:
    """What a newton of each pair of nozzles does, [N] of one, and [s] of its shortest pulse; None without nozzles."""
    if not robot.nozzles:
        return None
    pairs = [one_at(robot.nozzles, channel + 2 + JOINTS + k, "thruster pair", robot.name) for k in range(3)]
    # The laws turn the base about its own centre of mass, the origin; a part counts from that of the whole vehicle.
    x, y = robot.center.x, robot.center.y
    front, left, right = (push_of(Nozzles(p.place.x + x, p.place.y + y, math.atan2(p.axis.y, p.axis.x))) for p in pairs)
    if max(p.thrust for p in pairs) - min(p.thrust for p in pairs) > 1e-9:
        raise ValueError(f"its thrusters must be alike; they have {', '.join(f'{p.thrust:g} N' for p in pairs)}")
    return Layout(front, left, right), pairs[0].thrust, max(p.pulse_min for p in pairs)


HOMING, DAMPED = 2.5, 0.6
"""[rad/s] with which joints follow the search for their stops, and the damping of that."""
GENTLE = 0.03
"""[rad] of that spring that count as a push, where there is no friction to overcome."""
OVERCOME = 1.75
"""Times the dry friction."""


def stops_of(robot: Robot, channel: int, p: Constants) -> Stops | None:
    """How the stops of the joints are found, by the inertia of the stretched arm; None where a joint has none."""
    outer = p.p9 + p.rotor3
    middle = p.p8 + p.p9 + 2.0 * p.p19 + p.rotor2
    whole_arm = p.p7 + p.p8 + p.p9 + 2.0 * (p.p12 + p.p18 + p.p19) + p.rotor1
    ends = [high if side > 0.0 else low for side, (low, high) in zip(SIDES, ranges_of(robot, channel), strict=True)]
    if not all(math.isfinite(end) for end in ends):
        return None
    springs = [HOMING * HOMING * inertia for inertia in (whole_arm, middle, outer)]
    dry = [one.dry for one in drives_of(robot, channel)]
    push = [max(OVERCOME * friction, GENTLE * spring) for friction, spring in zip(dry, springs, strict=True)]
    return Stops(_three(ends), _three(push), _three(springs), _three([2.0 * DAMPED / HOMING * k for k in springs]))


def _three(values: list[float]) -> Joints:
    one, two, three = values
    return Joints(one, two, three)


def ranges_of(robot: Robot, channel: int) -> tuple[tuple[float, float], ...]:
    """[rad] between the stops of each joint."""
    return tuple((robot.joints[name].low, robot.joints[name].high) for name in chain_of(robot, channel).joints)


def start_posture_of(robot: Robot, channel: int) -> Joints:
    """[rad] where the scenario begins."""
    one, two, three = (robot.joints[name].start for name in chain_of(robot, channel).joints)
    return Joints(one, two, three)


def _at(place: Vector) -> str:
    return f"({place.x:.4g}, {place.y:.4g}) m"
