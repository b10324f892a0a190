"""Pushes of a scenario: each begins at a tick and, if it has a duration, ends at another."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from cupola.build.controller_runner import due
from cupola.config.scenario import PushEntry
from cupola.schema.yaml_files import InputError

Triple = tuple[float, float, float]
NOTHING: Triple = (0.0, 0.0, 0.0)


class ScheduledPush(NamedTuple):
    """Arguments of `World.push` at a tick."""

    tick: int
    body: str
    force_w: Triple
    point_b: Triple
    torque_w: Triple


def schedule_pushes(
    entries: Sequence[PushEntry], dt: float, find_body: Callable[[str | int], int], source: str
) -> list[ScheduledPush]:
    """The pushes by tick; one ends before the next begins. Two at once on one body are refused."""
    found: list[ScheduledPush] = []
    busy: dict[str, list[tuple[int, float, int]]] = {}
    for k, entry in enumerate(entries):
        begin = due(entry.time, dt)
        end = float("inf") if entry.duration is None else due(entry.time + entry.duration, dt)
        try:
            find_body(entry.body)
            if entry.duration is not None and entry.duration < dt:
                raise InputError(f"duration {entry.duration:g} s is shorter than a step of {dt:g} s")
            for first, last, other in busy.get(entry.body, []):
                if begin < last and first < end:
                    raise InputError(f"{entry.body} is already pushed then, by pushes[{other}]: write their sum")
        except InputError as error:
            raise InputError(f"{source}: pushes[{k}]: {error}") from None
        busy.setdefault(entry.body, []).append((begin, end, k))
        found.append(ScheduledPush(begin, entry.body, entry.force_w, entry.point_b, entry.torque_w))
        if end < float("inf"):
            found.append(ScheduledPush(int(end), entry.body, NOTHING, NOTHING, NOTHING))
    # What lets go comes first: a push that follows another on the same body begins at the tick at which that ends.
    return sorted(found, key=lambda push: (push.tick, any(push.force_w) or any(push.torque_w)))


def describe_push(entry: PushEntry) -> str:
    """A push in words, with its units."""
    vectors = {"force": (entry.force_w, "N"), "torque": (entry.torque_w, "N m")}
    acting = [f"{name} ({', '.join(f'{x:g}' for x in v)}) {unit}" for name, (v, unit) in vectors.items() if any(v)]
    until = "until the end" if entry.duration is None else f"for {entry.duration:g} s"
    return f"{entry.body}: {' and '.join(acting)} from {entry.time:g} s {until}"
