"""What a pilot can move: one control per channel that deflects surfaces, one throttle for all that pushes forward."""

from typing import NamedTuple

from cupola.assembly import Member
from cupola.parts.airfoil import Airfoil
from cupola.parts.mixer import Mixer
from cupola.parts.rotor import Rotor
from cupola.parts.servo import Servo
from cupola.world import World

FORWARD = 0.7
"""A rotor pushes forward when the cosine between its axis and the nose is larger."""


class Control(NamedTuple):
    """A surface or a throttle."""

    name: str
    channels: tuple[int, ...]
    """Command channels that move it, all alike."""
    unit: str
    scale: float
    """Its value when the command is 1."""
    low: float
    high: float
    """Range of its value."""

    def command(self, value: float) -> float:
        """What its channels must say."""
        return value / self.scale


def find_controls(world: World, member: Member) -> list[Control]:
    """Surfaces by channel, still without a name, then the throttle."""
    return [*_surfaces(member), *_throttle(world, member)]


def _surfaces(member: Member) -> list[Control]:
    """In radians where all that a channel deflects agree, else in channel units."""
    limits: dict[int, list[float]] = {}
    for part in member.vehicle.parts.values():
        if isinstance(part, Airfoil):
            for channel, limit in zip(part.channels, part.deflection_max, strict=True):
                if channel >= 0 and limit != 0.0:
                    limits.setdefault(channel, []).append(limit)
    found = []
    for channel, given in sorted(limits.items()):
        low, high = _stops(member, channel)
        scale, unit = (given[0], "rad") if len(set(given)) == 1 else (1.0, "1")
        ends = sorted((low * scale, high * scale))
        found.append(Control("", (channel,), unit, scale, ends[0], ends[1]))
    return found


def _stops(member: Member, channel: int) -> tuple[float, float]:
    """Range of a command, narrowed by a servo on its channel."""
    low, high = -1.0, 1.0
    for part in member.vehicle.parts.values():
        if isinstance(part, Servo) and part.channel == channel:
            low, high = max(low, part.low), min(high, part.high)
    return low, high


def _throttle(world: World, member: Member) -> list[Control]:
    """All rotors that push forward; those that lift stand still."""
    data, parts = world.data, member.vehicle.parts
    nose = data.xmat[member.root].reshape(3, 3)[:, 0]
    mixed = {name for part in parts.values() if isinstance(part, Mixer) for name in part.rotors}
    channels = set()
    for bound in world.assembly.parts:
        if bound.vehicle == member.name and isinstance(bound.part, Rotor) and bound.name not in mixed:
            site = int(world.arrays.rotors[bound.row]["site"])
            if data.site_xmat[site].reshape(3, 3)[:, 0] @ nose > FORWARD and bound.part.channel >= 0:
                channels.add(bound.part.channel)
    return [Control("throttle", tuple(sorted(channels)), "1", 1.0, 0.0, 1.0)] if channels else []
