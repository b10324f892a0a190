"""The flight of a free body in JAX: what happens later as a differentiable function of the numbers now.

The text is that of the back-ends `fused` and `cuda`, with the kernels as they are, run by Python on the tracers of JAX:
`jax.grad`, `jvp`, `vmap` and `jit` take it. Chance has no slope: turbulence and noise are refused. A flight that
touches the floor or runs away is not stopped here.
"""

import logging
import math
import re
from collections.abc import Sequence
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from cupola.config.scenario import Scenario
from cupola.engine import free_body
from cupola.many import spread
from cupola.many.flight_text import Writer
from cupola.many.fused import FusedBatch
from cupola.many.own_numbers import INERTIA, INVERSE, PLACES
from cupola.schema.libraries import library
from cupola.schema.trust import Trust
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World, load

Array = Any
"""Of JAX."""
log = logging.getLogger("cupola")
TRIED = 1e-4
"""Relative change of a number with which is found what it changes in the text."""
STRAIGHT = 1e-9
"""Relative to its change: what deviates less follows a straight line."""


class Flown(NamedTuple):
    """Where a flight is: a number for each of `rows`, and its tick."""

    numbers: Array
    tick: Array


class Differentiable:
    """A flight as a function of some numbers, called as in `cupola.batch`; `values` are those of the scenario.

    What a mixer makes of a mass follows to first order from there, with a warning; all else is exact everywhere.
    """

    def __init__(self, scenario: str | Path | Scenario, names: Sequence[str], trust: bool | Trust = False) -> None:
        jax = library("jax", "gradients need JAX: pip install 'cupola[jax]'")
        jax.config.update("jax_enable_x64", True)
        self._jax, self.names = jax, tuple(names)
        world = load(scenario, trust=trust)
        self.values: Array = np.array([spread.present(world, name) for name in names])
        raised = self.values * (1.0 + TRIED * _tried(len(names)))
        given = {name: raised[:, k] for k, name in enumerate(names)}
        tried = _Tried(scenario, len(raised), given, None, trust, "float64", 1)
        _check(tried.world)
        self.rows: dict[str, int] = tried.rows
        """Place of each number in `Flown.numbers`."""
        self._given: list[str] = tried.flight.given
        self._base, self._slopes = _straight(tried, self.values)
        self._one: Any = _in_python(tried)
        self.cycle: int = _cycle(tried.world)
        """Ticks after which everything that has a rate is due again: flights last a multiple of them."""
        self._start: Any = tried.array[:, 0].tolist()

    def first(self, numbers: Array) -> Flown:
        """At the start."""
        return Flown(self._fly(numbers, self._start, _Tick(0, 0), True, 0), self._jax.numpy.asarray(0))

    def advance(self, numbers: Array, now: Flown, ticks: int) -> Flown:
        """Some ticks later. A law that decides by what it sees flies without `jit`, operation by operation."""
        cycles, rest = divmod(ticks, self.cycle)
        if rest:
            raise InputError(f"ticks: expected a multiple of {self.cycle}, got {ticks}")

        def once(at: Flown, _: Any) -> tuple[Flown, None]:
            after = self._fly(numbers, list(at.numbers), _Tick(at.tick, 0), False, self.cycle)
            return Flown(after, at.tick + self.cycle), None

        try:
            return self._jax.lax.scan(once, now, None, cycles)[0]  # type: ignore[no-any-return]
        except self._jax.errors.TracerBoolConversionError:
            for _ in range(cycles):
                now, _nothing = once(now, None)
            return now

    def _fly(self, numbers: Array, state: list[Any], tick: "_Tick", fresh: bool, count: int) -> Array:
        """One call of the flight's text, for one world."""
        cells, whole = _Cells(enumerate(state)), {(0, 0): tick, (1, 0): 0, (2, 0): 0, (3, 0): int(fresh)}
        self._one(cells, _Cells(enumerate(self._own(numbers))), whole, 0, count)
        return self._jax.numpy.stack([self._jax.numpy.asarray(cells[k, 0], float) for k in range(len(state))])

    def _own(self, numbers: Array) -> list[Array]:
        """What the numbers change in the text; the inverse of an inertia follows from it."""
        found = self._base + self._slopes @ (self._jax.numpy.asarray(numbers) - self.values)
        named = dict(zip(self._given, found, strict=True))
        if set(INERTIA) <= set(named):
            matrix = self._jax.numpy.zeros((3, 3))
            for (r, c), key in zip(PLACES, INERTIA, strict=True):
                matrix = matrix.at[r, c].set(named[key]).at[c, r].set(named[key])
            inverse = self._jax.numpy.linalg.inv(matrix)
            named |= {key: inverse[r, c] for key, (r, c) in zip(INVERSE, PLACES, strict=True)}
        return list(named.values())


class _Plain(Writer):
    """The text with plain numbers, which does not ask how a flight goes."""

    def __init__(self, world: World, own: list[str], floats: Any) -> None:
        super().__init__(world, own, float)

    def _check(self) -> list[str]:
        return ["pass"]


class _Tried(FusedBatch):
    """Worlds with numbers a little larger each, never flown."""

    writer = _Plain

    def _compile(self) -> None:
        pass


class _Cells(dict[int, Any]):
    """A column of an array: what Python reads and writes while JAX looks on."""

    def __getitem__(self, place: Any) -> Any:
        return super().__getitem__(place[0])

    def __setitem__(self, place: Any, value: Any) -> None:
        super().__setitem__(place[0], value)


class _Local(list[Any]):
    @property
    def shape(self) -> tuple[int]:
        """As an array says it."""
        return (len(self),)


class _Tick(NamedTuple):
    """A tick that JAX does not know yet, at a known place of the cycle."""

    value: Any
    place: int

    def __add__(self, more: Any) -> "_Tick":
        return _Tick(self.value + more, self.place + more)

    def __mod__(self, every: int) -> int:
        return self.place % every

    def __floordiv__(self, every: int) -> Any:
        return self.value // every


class _Beyond:
    """Larger than anything: turns are always small here. At 1 rad a tick the series is 1e-8 off."""

    def __gt__(self, other: Any) -> bool:
        return True


def _tried(count: int) -> Any:
    """Rows of steps: none, each alone forward, each alone back, all forward."""
    one = np.eye(count)
    return np.vstack([np.zeros(count), one, -one, np.ones(count)])


def _straight(tried: FusedBatch, values: Any) -> tuple[Any, Any]:
    """Numbers of the text at the given ones, and their slopes."""
    own, count = tried._own[: len(tried.flight.given)], len(values)
    base, ahead, back, together = own[:, 0], own[:, 1 : count + 1], own[:, count + 1 : -1], own[:, -1]
    bent = np.abs(ahead + back - 2.0 * base[:, None]).max(axis=1, initial=0.0)
    bent = np.maximum(bent, np.abs(together - ahead.sum(axis=1) + (count - 1) * base))
    size = np.abs(ahead - back).max(axis=1, initial=0.0)
    if any(off and key not in INVERSE for key, off in zip(tried.flight.given, bent > STRAIGHT * size, strict=True)):
        names = ", ".join(tried._given)
        log.warning("what %s change in the flight bends: away from the scenario's values that is first order", names)
    return base, (ahead - back) / (2.0 * TRIED * values)


def _in_python(tried: FusedBatch) -> Any:
    """The text as a function of Python."""
    flight = tried.flight
    step = _with_names(free_body.step_free, turned=_with_names(free_body.turned, SMALL_TURN=_Beyond()))
    space: dict[str, Any] = {
        **flight.names,
        "step_free": step,
        "F": lambda x: 1.0 * x.value if isinstance(x, _Tick) else x,
    }
    for name, value in flight.names.items():
        if re.fullmatch(r"local_\d+", name):
            space[name] = lambda count=value: _Local([0.0] * count)
        elif isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.names is None:
            space[name] = _Local(value.tolist())  # numbers of NumPy would pull what JAX follows into NumPy
    exec(compile(flight.text, "<flight>", "exec"), space)
    return space["one"]


def _value(x: Any) -> Any:
    """In the place of a number's own precision."""
    return 1.0 * x.value if isinstance(x, _Tick) else x


def _with_names(function: Any, **others: Any) -> Any:
    """A function as it is, in which some names mean something else."""
    return FunctionType(function.__code__, {**function.__globals__, **others})


def _check(world: World) -> None:
    if world.runner().script:
        raise InputError("a script moves its sticks, which no gradient follows; put them into the rows `sticks.…`")
    noisy = [bound.full_name for bound in world.assembly.entries.sensed if int(bound.row["noisy"])]
    if world.arrays.air[0].turbulent or noisy:
        raise InputError(f"chance has no gradient: fly without turbulence and noise ({', '.join(noisy) or 'the air'})")


def _cycle(world: World) -> int:
    periods = [int(float(bound.row["period"])) for bound in world.assembly.entries.sensed]
    return math.lcm(world.runner().every, int(world.arrays.world["draw_every"][0]), *periods)
