"""What the program of the Cepheus thesis kept in its bags, under its own names (section 2.7 of the specification).

Each name is one number, `std_msgs/Float64`. The mission of the world says most of them itself; `SAID` tells which of
its signals is which, so that who reads a recording of Cupola finds them too.
"""

import math
from collections.abc import Callable

from cupola.bridge.ros.graph import Outgoing
from cupola.bridge.ros.present import Present
from cupola.engine.sampling import LOST
from cupola.physics.rotation import euler_from_quaternion, wrap
from cupola.record.stream import Stream
from cupola.sim.samples import Samples
from cupola.sim.world import World

NUMBER, WRENCH = "std_msgs/msg/Float64", "geometry_msgs/msg/Wrench"
PLACES = {"x": "x", "y": "y", "theta": "yaw"}
"""Axes of the thesis, and ours."""
TURN = 2
"""Which of them is an angle."""
ARM = ("shoulder", "elbow", "wrist")
OBSERVED = {
    "xd": ("hand", "hand_rate"),
    "xee": ("seen.hand", "seen.hand_rate"),
    "xt": ("seen.target", "seen.target_rate"),
}
"""Desired, end effector, target: signals of the pose and of its rate."""
SAID: dict[str, str] = {
    **{f"msg_{body}_{axis}": f"{pose}.{ours}" for body, (pose, _) in OBSERVED.items() for axis, ours in PLACES.items()},
    **{
        f"msg_{body}_{axis}_dot": f"{rate}.{ours}"
        for body, (_, rate) in OBSERVED.items()
        for axis, ours in PLACES.items()
    },
    **{f"msg_e{axis}": f"error.{ours}" for axis, ours in PLACES.items()},
    **{f"msg_q{k + 1}": f"seen.joints.{joint}" for k, joint in enumerate(ARM)},
    **{f"msg_q{k + 1}dot": f"seen.joint_rates.{joint}" for k, joint in enumerate(ARM)},
    **{f"msg_torqueq{k + 1}": f"torques.{joint}" for k, joint in enumerate(ARM)},
    **{name: f"torques.{joint}" for name, joint in zip(("msg_LS", "msg_LE", "msg_LW"), ARM, strict=True)},
    **dict.fromkeys(("msg_RW", "msg_torquerw"), "torques.base"),
    **dict.fromkeys(("msg_theta0", "msg_xee_theta0"), "seen.base.yaw"),
    **dict.fromkeys(("msg_theta0dot", "msg_xee_theta0_dot"), "seen.base_rate.yaw"),
    # The attitude of the base to be kept is the fourth number of what is desired, free and in contact.
    **dict.fromkeys(("msg_xd_theta0", "msg_xt_theta0"), "base.yaw"),
    "msg_fextx": "push",
}
"""Signals of the controller, by the name in the bag."""
STEADY = ("msg_xd_theta0_dot", "msg_xt_theta0_dot")
"""The base shall rest."""


def bag(world: World, present: Present, chaser: str, target: str | None) -> list[Outgoing]:
    """All of them, where the vehicle's own controller is one of the space robot's; else the other side has them."""
    prefix = f"{chaser}.controller."
    known = {signal.name for signal in world.signals()}
    if not all(prefix + signal in known for signal in SAID.values()):
        return []
    found = [_number(present, name, prefix + signal) for name, signal in SAID.items()]
    found += [_number(present, name, 0.0) for name in STEADY]
    stream = Stream("/base_wrench", WRENCH, ("torque.z",))
    found.append(present.at_each_step(stream, present.numbers([f"{prefix}torques.base"])))
    if f"{chaser}.force.force_s.x" in known:
        # The sensor feels what the target does to the hand; the push on the target has the other sign.
        found.append(_number(present, "msg_fextx_raw", f"{chaser}.force.force_s.x"))
    seen = world.samples.get((target or "", "mocap"))
    if seen is not None:
        found += [_number(present, f"msg_xt_{axis}_raw", _place(seen, k)) for k, axis in enumerate(PLACES)]
        found += [_number(present, f"msg_xt_{axis}_dot_raw", _rate(world, seen, k)) for k, axis in enumerate(PLACES)]
    return found


def _number(present: Present, name: str, what: str | float | Callable[[], float]) -> Outgoing:
    return present.at_each_step(Stream(f"/{name}", NUMBER, ("data",)), present.numbers([what]))


def _planar(seen: Samples, k: int) -> tuple[float, float, float]:
    """Place [m] and yaw [rad] of a sample of the cameras."""
    said = seen.reading(k)
    return said.pos_w.x, said.pos_w.y, euler_from_quaternion(said.quat_ws).yaw


def _place(seen: Samples, axis: int) -> Callable[[], float]:
    def read() -> float:
        last = seen.newest()
        return math.nan if last is None else _planar(seen, last)[axis]

    return read


def _rate(world: World, seen: Samples, axis: int) -> Callable[[], float]:
    """Of the last two samples that arrived; lost ones are passed over."""

    def read() -> float:
        last = seen.newest() or 0
        kept = [k for k in range(max(0, last - seen.place.capacity + 1), last + 1) if seen.numbers(k)[0] != LOST][-2:]
        if len(kept) < 2:
            return math.nan
        before, after = kept
        change = _planar(seen, after)[axis] - _planar(seen, before)[axis]
        ticks = float(seen.numbers(after)[0] - seen.numbers(before)[0])
        return (wrap(change) if axis == TURN else change) / (ticks * world.dt)

    return read
