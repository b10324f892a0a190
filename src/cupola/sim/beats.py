"""What a beat of its wings asks of a vehicle, known before the first tick."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cupola.build.compile import Assembly, BoundPart
from cupola.parts.described import Swing
from cupola.sim.step_size import Caution

SLOW = 0.1
"""[m/s] of a start at rest, of which no angle follows."""


def beyond_stall(assembly: Assembly) -> list[Caution]:
    """Of parts on joints that others swing, at full throttle and the speed of the start."""
    found = []
    for instance in assembly.instances:
        parts = [bound for bound in assembly.parts if bound.vehicle == instance.name]
        swings = {channel: swing for bound in parts for channel, swing in bound.part.swings().items()}
        speed = _speed(assembly, instance.root)
        if not swings or speed < SLOW:
            continue
        rates = _swung(assembly.model, parts, swings)
        for bound in parts:
            if rate := max((rates.get(body, 0.0) for body in _carriers(assembly.model, bound)), default=0.0):
                text = bound.part.why_not_swing(rate, swings, speed)
                found += [Caution(f"{bound.full_name}: {text}", False)] if text else []
    return found


def _swung(model: Any, parts: list[BoundPart], swings: Mapping[int, Swing]) -> dict[int, float]:
    """How fast the joints of bodies are swung [rad/s]."""
    found: dict[int, float] = {}
    for bound in parts:
        if bound.part.moved_actuator() and "control" in bound.row.dtype.names:
            joint = int(model.actuator_trnid[int(bound.row["control"]), 0])
            rate = max((abs(swings[c].rate) for c in bound.part.used_channels() if c in swings), default=0.0)
            found[int(model.jnt_bodyid[joint])] = rate
    return found


def _carriers(model: Any, bound: BoundPart) -> list[int]:
    """The body that a part stands on, and all that carry it."""
    body, found = int(bound.row["body"]) if "body" in bound.row.dtype.names else 0, []
    while body:
        found.append(body)
        body = int(model.body_parentid[body])
    return found


def _speed(assembly: Assembly, root: int) -> float:
    """Of a free vehicle at the start [m/s]."""
    first, count = int(assembly.model.body_dofadr[root]), int(assembly.model.body_dofnum[root])
    return float(np.linalg.norm(assembly.data.qvel[first : first + 3])) if count == 6 else 0.0
