"""Test inputs that a page asks for: a step, doublet or chirp on a stick, a push, twist or gust, at exact ticks."""

import math
from typing import Protocol

from cupola.cockpit import messages as say
from cupola.schema.yaml_files import InputError
from cupola.sim.scheduled_pushes import NOTHING
from cupola.sim.world import World

STICKS = ("roll", "pitch", "yaw", "throttle")
CHIRP_PERIOD, GUST_PERIOD = 0.01, 0.02
"""[s] between two changes of what changes all the time."""
WIND = ("air.wind_speed", "air.wind_from_deg", "air.wind_up")
NO_GUST = "no gust can be added to the wind of this world: it is a table or a file, or there is no air"


class _Action(Protocol):
    """What is done to the world; `share` of the whole, 0: as it was before."""

    def put(self, world: World, share: float) -> None:
        """Do it."""


class Excitation:
    """One test input, from the tick at which it begins to the tick at which everything is as it was before."""

    def __init__(self, world: World, vehicle: str, asked: say.Excite) -> None:
        self._world, self._asked = world, asked
        self._begin = world.tick
        self._end = world.tick + max(1, round(asked.seconds / world.dt))
        self._done = False
        self._span = self._end - self._begin
        self._turns = self._begin + self._span // 2
        self._action: _Action = _ACTIONS[asked.shape](world, vehicle, asked)
        period = {"chirp": CHIRP_PERIOD, "gust": GUST_PERIOD}.get(asked.shape, math.inf)
        self._every = max(1, round(period / world.dt)) if math.isfinite(period) else 0
        self.info = say.Excitation(
            text=_words(asked),
            shape=asked.shape,
            vehicle=asked.vehicle,
            stick=asked.stick,
            since=world.time,
            until=self._end * world.dt,
        )

    def covers(self, tick: int) -> bool:
        """Whether it acts between this tick and the next."""
        return self._begin <= tick < self._end

    def is_due(self, tick: int) -> bool:
        """Whether something changes at this tick."""
        if self._done:
            return False
        return tick == self._begin or tick == self._end or tick == self._middle or self._changes(tick)

    def next(self, tick: int) -> int:
        """The first tick after this one at which something changes."""
        ahead = [self._end, self._middle]
        if self._every:
            ahead.append(tick + self._every - (tick - self._begin) % self._every)
        return min(one for one in ahead if one > tick)

    def act(self) -> None:
        """Do what is due at the world's tick."""
        self._action.put(self._world, self._share(self._world.tick - self._begin))

    def ended(self, tick: int) -> "Excitation":
        """The same, over at a tick before its time."""
        self._end, self._done = tick, True
        self.info = self.info.model_copy(update={"until": tick * self._world.dt})
        return self

    def again(self) -> None:
        """The world stands in the middle of it once more: its end has not been."""
        self._done = False

    def stop(self) -> None:
        """Before its end: everything as it was before."""
        self._action.put(self._world, 0.0)

    @property
    def _middle(self) -> int:
        return self._turns if self._asked.shape == "doublet" else self._end

    def _changes(self, tick: int) -> bool:
        return bool(self._every) and self.covers(tick) and (tick - self._begin) % self._every == 0

    def _share(self, ticks: int) -> float:
        """Of the size, after so many ticks."""
        asked, span = self._asked, self._span
        if ticks >= self._end - self._begin:
            return 0.0
        if asked.shape == "doublet":
            return 1.0 if ticks < self._middle - self._begin else -1.0
        if asked.shape == "chirp":
            t, rise = ticks * self._world.dt, (asked.to_hz - asked.from_hz) / asked.seconds
            return math.sin(2.0 * math.pi * (asked.from_hz * t + 0.5 * rise * t * t))
        if asked.shape == "gust":
            return 0.5 * (1.0 - math.cos(2.0 * math.pi * ticks / span))
        return 1.0


class _Stick:
    """A stick, from where it stands."""

    def __init__(self, world: World, vehicle: str, asked: say.Excite) -> None:
        index = asked.vehicle
        mix = world.instances[index].vehicle.channel_mix.sticks
        self._vehicle, self._size = vehicle, asked.size
        self._channel = mix[STICKS.index(asked.stick)]
        if self._channel < 0:
            known = ", ".join(name for name, channel in zip(STICKS, mix, strict=True) if channel >= 0) or "none"
            raise InputError(f"{vehicle} has no stick {asked.stick}; it has: {known}")
        self._before = [float(value) for value in world.arrays.sticks[index]]
        at = self._before[self._channel]
        ends = [at + asked.size * side for side in ((1.0,) if asked.shape == "step" else (1.0, -1.0))]
        if not all(-1.0 <= end <= 1.0 for end in ends):
            raise InputError(f"stick {asked.stick} stands at {at:g}: {asked.size:g} from there is beyond its ends, ±1")

    def put(self, world: World, share: float) -> None:
        channels = list(self._before)
        channels[self._channel] += self._size * share
        world.sticks(channels, self._vehicle)


class _Push:
    """A force on a body at a point that is fixed to it, or a torque on the body."""

    def __init__(self, world: World, vehicle: str, asked: say.Excite) -> None:
        self._body = world.instances[asked.vehicle].root if asked.body is None else asked.body
        self._point_b = asked.point_b
        self._twists = asked.shape == "twist"
        self._along_w = _along(asked)
        if not 0 < self._body < world.model.nbody:
            raise InputError(f"there is no body {self._body} to push; there are 1 to {world.model.nbody - 1}")

    def put(self, world: World, share: float) -> None:
        x, y, z = (component * share for component in self._along_w)
        force, torque = (NOTHING, (x, y, z)) if self._twists else ((x, y, z), NOTHING)
        world.push(self._body, force, self._point_b, torque)


class _Gust:
    """More wind, as a vector, at the height for which the wind is given."""

    def __init__(self, world: World, vehicle: str, asked: say.Excite) -> None:
        known = world.parameters
        if any(name not in known for name in WIND):
            raise InputError(NO_GUST)
        self._before = tuple(known[name][1] for name in WIND)
        self._gust_w = _along(asked)
        speed, _, up = self._with(1.0)
        for name, value in (("air.wind_speed", speed), ("air.wind_up", up)):
            high = known[name][0].high
            if abs(value) > high:
                raise InputError(f"with this gust {name} would be {value:g}, and is {high:g} at most")

    def put(self, world: World, share: float) -> None:
        values = self._with(share) if share else self._before
        for name, value in zip(WIND, values, strict=True):
            world.tune(name, value)

    def _with(self, share: float) -> tuple[float, float, float]:
        """Speed, bearing that it comes from, and rise of the wind with a share of the gust."""
        speed, from_deg, up = self._before
        east = -speed * math.sin(math.radians(from_deg)) + share * self._gust_w[0]
        north = -speed * math.cos(math.radians(from_deg)) + share * self._gust_w[1]
        total = math.hypot(east, north)
        bearing = math.degrees(math.atan2(-east, -north)) % 360.0 if total > 1e-12 else from_deg
        return total, bearing, up + share * self._gust_w[2]


_ACTIONS: dict[str, type[_Stick] | type[_Push] | type[_Gust]] = {
    "step": _Stick,
    "doublet": _Stick,
    "chirp": _Stick,
    "push": _Push,
    "twist": _Push,
    "gust": _Gust,
}


def needs_sticks(asked: say.Excite) -> bool:
    """Whether it moves a stick."""
    return _ACTIONS[asked.shape] is _Stick


def _along(asked: say.Excite) -> tuple[float, float, float]:
    """The size along the direction, which is made one long."""
    largest = max(map(abs, asked.direction_w))
    if not largest > 0.0:
        raise InputError(f"a {asked.shape} needs a direction, got {asked.direction_w}")
    near_one = [component / largest for component in asked.direction_w]  # of any length: squares would be inf, or 0
    x, y, z = (asked.size * component / math.hypot(*near_one) for component in near_one)
    return x, y, z


def _words(asked: say.Excite) -> str:
    lasts = f"for {asked.seconds:g} s"
    if asked.shape == "push":
        return f"push of {asked.size:g} N {lasts}"
    if asked.shape == "twist":
        return f"twist of {asked.size:g} N m {lasts}"
    if asked.shape == "gust":
        return f"gust of {asked.size:g} m/s {lasts}"
    sweep = f" from {asked.from_hz:g} to {asked.to_hz:g} Hz" if asked.shape == "chirp" else ""
    return f"{asked.shape} of {asked.size:g} on {asked.stick}{sweep} {lasts}"
