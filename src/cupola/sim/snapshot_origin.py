"""What a snapshot is of, and why it does not fit another world: found before anything of that world is changed."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from cupola import __version__
from cupola.kernel.array_groups import KEPT
from cupola.kernel.records import flat, is_record, leaves
from cupola.schema.arguments import whole_number
from cupola.schema.yaml_files import InputError

if TYPE_CHECKING:
    from cupola.sim.snapshots import Snapshot, Snapshots

VERSION = "cupola"
SHOWN = 3
"""Differences that are told, and names of each."""
FINITE = ("turbulence", "external_wrench", "applied_forces")
"""Arrays of ours in which NaN means nothing; in the state of a part or on a stick it may stay."""

Origin = Mapping[str, tuple[str, ...]]
"""What the numbers of a snapshot are, in names: by what they belong to. The most telling stands first."""


def origin_of(world: "Snapshots", names: Sequence[str] = ()) -> Origin:
    """Of the snapshots of a world, or of one whose vehicles have other names."""
    called = dict(
        zip((one.name for one in world.instances), names or [one.name for one in world.instances], strict=True)
    )
    found: dict[str, tuple[str, ...]] = {
        VERSION: (__version__,),
        "physics_hz": (f"{world.scenario.physics_hz:g}",),
        "vehicles": tuple(called.values()),
    }
    for instance in world.instances:
        for mode, runner in instance.runners.items():
            cls = type(runner.controller)
            found[f"controller of {called[instance.name]} ({mode})"] = (cls.__name__, *_numbers_of(cls.State))
    parts = {f"{called[bound.vehicle]}.{bound.name}": bound for bound in world.assembly.parts}
    found["parts"] = tuple(parts)
    for name, bound in parts.items():
        state, memory = leaves(bound.part.group().State), int(bound.row["memory_size"])
        more = (f"{memory} numbers of memory",) if memory else ()
        found[f"state of {name}"] = (bound.part.kind, *state, *more)
    joints = [mujoco.mj_id2name(world.model, mujoco.mjtObj.mjOBJ_JOINT, k) for k in range(world.model.njnt)]
    found["joints"] = tuple(_joint(name, called) or f"joint {k}" for k, name in enumerate(joints))
    return found


def _joint(name: str | None, called: Mapping[str, str]) -> str:
    vehicle, slash, joint = str(name or "").partition("/")
    return f"{called.get(vehicle, vehicle)}{slash}{joint}"


def _numbers_of(state: Any) -> tuple[str, ...]:
    """What makes the first state of a controller: a NamedTuple, or a function, which does not name its numbers."""
    return leaves(state) if is_record(state) else (f"{len(flat(state()))} numbers",)


def check_fits(world: "Snapshots", snapshot: "Snapshot") -> None:
    """Refuse a snapshot of another world, or a damaged one."""
    check_origin(world, snapshot.origin, "the snapshot")
    wrong = _wrong_array("engine", snapshot.engine, (np.dtype(np.float64), (world.engine_numbers,)), finite=True)
    given = snapshot.numbers if isinstance(snapshot.numbers, dict) else {}
    for name in KEPT:
        own = getattr(world.arrays, name)
        wrong = wrong or _wrong_array(name, given.get(name), (own.dtype, own.shape), finite=name in FINITE)
    if wrong:
        old = "" if snapshot.origin else "; it does not say of what it is: made by another version?"
        raise InputError(f"the snapshot does not fit {_name_of(world)!r}: {wrong}{old}")
    whole_number(snapshot.seed, "the snapshot: seed", 0, 2**32 - 1)


def check_origin(world: "Snapshots", origin: Origin | None, what: str) -> None:
    """Refuse what is of another world; an origin that is not known is not refused."""
    if not origin or origin is world.origin:
        return
    theirs, here = origin.get("vehicles", ()), world.origin["vehicles"]
    renamed = len(theirs) == len(here) and not set(theirs) & set(here)
    if renamed and not _differences(origin, origin_of(world, theirs)):
        return  # the same vehicles under other names; none has taken another's place
    told = _differences(origin, world.origin)
    if told:
        made, now = ", ".join(origin.get(VERSION, ("?",))), world.origin[VERSION][0]
        by = "" if made == now else f" (made by cupola {made}, this is {now})"
        more = f"; and {len(told) - SHOWN} more" if len(told) > SHOWN else ""
        raise InputError(f"{what} is of another world than {_name_of(world)!r}{by}: {'; '.join(told[:SHOWN])}{more}")


def _differences(origin: Origin, own: Origin) -> list[str]:
    names = [*own, *(name for name in origin if name not in own)]
    differ = [_difference(name, origin.get(name), own.get(name)) for name in names if name != VERSION]
    return [one for one in differ if one]


def _name_of(world: Any) -> str:
    return str(getattr(world, "name", "this world"))


def _difference(name: str, theirs: tuple[str, ...] | None, own: tuple[str, ...] | None) -> str:
    """In words; empty: there is none."""
    if theirs == own:
        return ""
    if theirs is None or own is None:
        return f"{name}: only {'there' if own is None else 'here'}"
    if len(theirs) == len(own) == 1:
        return f"{name}: {theirs[0]} there, {own[0]} here"
    there, here = ([one for one in these if one not in others] for these, others in ((theirs, own), (own, theirs)))
    if not (there or here):
        return f"{name}: in another order"
    return f"{name}: " + ", ".join(
        f"{_few(some)} {where}" for some, where in ((there, "there"), (here, "here")) if some
    )


def _few(names: list[str]) -> str:
    return ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")


def _wrong_array(name: str, given: Any, own: tuple[Any, tuple[int, ...]], *, finite: bool) -> str:
    """What is wrong with an array of a snapshot, of which the type and shape are known; empty: nothing."""
    if not isinstance(given, np.ndarray):
        return f"{name} is missing" if given is None else f"{name} is no array"
    dtype, shape = own
    if given.dtype != dtype:
        return f"{name} holds other values ({_fields(given.dtype)} there, {_fields(dtype)} here)"
    if given.shape != shape:
        return f"{name} has the size {_size(given.shape)} there and {_size(shape)} here"
    if finite and not _is_finite(given):
        return f"{name} holds numbers that are not finite"
    return ""


def _is_finite(array: Any) -> bool:
    columns = [array[name] for name in array.dtype.names] if array.dtype.names else [array]
    return all(bool(np.isfinite(column).all()) for column in columns)


def _fields(dtype: Any) -> str:
    return ", ".join(dtype.names) if dtype.names else str(dtype)


def _size(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape)) or "of one number"
