"""The memory of a thread of the back-end `warp`: how it finds what is of its world in the arrays of all of them."""

import functools
from collections import namedtuple
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from cupola.kernel.memory import Views
from cupola.kernel.mujoco_arrays import DATA, MODEL
from cupola.many.flight_numbers import names_reached
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

THEIRS = (*DATA.split(), *MODEL.split())
"""Arrays of mujoco-warp, numbers of 32 bits."""
WRITTEN = {
    "before": ("ctrl", "xfrc_applied", "qfrc_applied", "actuator_forcerange", "dof_frictionloss"),
    "after": ("qpos", "qvel"),
    "late": (),
    "contact": (),
}
"""What a kernel may change of it."""
NARROW = ("geom_friction",)
"""Of these what a thread reads where it needs it: there are many, and it needs one."""
EACH = ("state", "command", "drive", "outputs", "reported", "given", "samples", "counters", "sticks")
"""Arrays of ours that each world has, a column for each: neighbours in memory are neighbours among the threads."""
EACH_ROWS = ("world", "turbulence", "air_samples", "observations")
"""The same with rows of names, a row of them for each world."""
LOOPS_OWN: tuple[str, ...] = (
    "log",
    "history",
    "buffer",
    "entries",
    "stage_starts",
    "controls",
    "sensors",
    "log_segments",
    "settling",
)
LOOPS_OWN += ("history_segments", "error", "may_hold", "external_wrench", "applied_forces")
"""What only the loop of a single world uses; some of these words stand for something else in a kernel."""
CONTACT = {"place": 3, "frame": 9, "friction": 2, "slip": 3}
"""Numbers of a contact that a kernel sees, and how many."""


class Ring(NamedTuple):
    """Where the newest samples of a sensor lie: each behind its tick, no more of them than its delay needs."""

    start: int
    capacity: int
    width: int


class Elements(NamedTuple):
    """Where the elements of a group's parts begin among the constants, and where they end."""

    first: int
    stop: int


class Kernel(NamedTuple):
    """A text, what its names mean, and the arrays that it is called with."""

    name: str
    text: str
    names: dict[str, Any]
    arrays: list[str]


def one_contact(v: Any) -> int:
    """Each thread sees the one contact that it is for."""
    return 1


def that_contact(v: Any, index: Any) -> int:
    """Its number in there."""
    return 0


def contact_part(name: str) -> Any:
    """A function that reads something of a thread's contact."""
    space: dict[str, Any] = {"__name__": __name__}
    exec(f"def read(v, contact):\n    return v.touch_{name}\n", space)
    return space["read"]


def sliced(array: Any, start: Any, count: Any) -> Any:
    """Some numbers of an array that need not lie side by side."""
    return array[start : start + count]


class Memory:
    """Where the numbers of all worlds lie, and how a thread finds those of its own; `gpu` says where it runs."""

    def __init__(self, world: World, left_out: Iterable[str], gpu: bool) -> None:
        self.world, self.gpu, self.left_out = world, gpu, set(left_out)
        self.laws = [world.runner(instance.name) for instance in world.instances]
        self.arrays = world.arrays
        self.rings: dict[str, Ring] = {}
        """Where the samples of each sensor lie, by its full name."""
        at = 0
        for bound in world.assembly.entries.sensed:
            if bound.full_name not in self.left_out:
                sensor: Any = bound.part
                width = int(bound.row["width"])
                capacity = min(int(bound.row["capacity"]), int(sensor.delay * sensor.rate_hz) + 2)
                self.rings[bound.full_name] = Ring(at, capacity, width)
                at += capacity * (width + 1)
        self.samples = max(at, 1)
        """Numbers of all rings."""
        groups = world.assembly.entries.groups
        self.elements: dict[int, Elements] = {k: found for k, g in enumerate(groups) if (found := self._elements(g))}
        """Of the groups that have some."""

    def _elements(self, group: Any) -> Elements | None:
        """Those of all parts of a group lie one after the other."""
        if group.kind.Element is None:
            return None
        rows = next(bound.rows for bound in self.world.assembly.parts if bound.group == group)
        width = group.kind.Element.itemsize // 8
        first, stop = int(rows["first"].min()), int((rows["first"] + rows["count"] * width).max())
        if ((rows["first"] - first) % width).any():
            raise InputError(f"warp: the elements of {group.kind.__name__} lie apart; use the back-end threads")
        return Elements(first, stop)

    def _rows(self, group: Any) -> str:
        k = self.world.assembly.entries.groups.index(group)
        return f"R_{k}[w % R_{k}.shape[0]]"

    def _made(self, kind: str, text: str, pieces: dict[str, list[str]], names: dict[str, Any]) -> Kernel:
        body = "\n".join(line for lines in pieces.values() for line in lines) + text
        owned = [
            f"elements_{k}" for k in self.elements if any(f"elements_{k}" in _code_names(f) for f in names.values())
        ]
        reached = {word for word in Views._fields if f"v.{word}" in body or (word in names and names[word] is None)}
        for used in names.values():
            if hasattr(used, "__code__"):
                reached |= names_reached(used) & set(Views._fields)
        names = {name: used for name, used in names.items() if used is not None}
        fields = [name for name in Views._fields if name in reached and name not in LOOPS_OWN]
        arguments, opened = self._arguments(body), []
        for name in fields:
            opened += self._opened(name, names, arguments)
        for name in owned:
            arguments.append(f"A_{name}")
            opened.append(f"{name} = A_{name}[w % A_{name}.shape[0]]")
        fields += owned
        touched = []
        if kind == "contact":
            for name, count in CONTACT.items():
                touched += [
                    f"touch_{name} = {self._local(name, (count,))}",
                    *_read(f"T_{name}", f"touch_{name}", count),
                ]
            touched.append("touch_geom = T_geom[c]")
        opened += [*touched, f"v = Memory({', '.join([*fields, *(_touch(kind))])})"]
        pieces = {**pieces, "open": opened, "close": self._closed(kind, fields)}
        names["Memory"] = memory_of((*fields, *_touch(kind)))
        return Kernel(kind, filled(text.replace("{arguments}", ", ".join(arguments)), pieces), names, arguments)

    def _arguments(self, body: str) -> list[str]:
        """Tables that the text names: rows of parts, numbers of laws, scripts, plans."""
        groups = range(len(self.world.assembly.entries.groups))
        wanted = [f"R_{k}" for k in groups if f"R_{k}[" in body]
        for i in range(len(self.laws)):
            wanted += [name for name in (f"L_{i}", f"SCRIPT_{i}", f"PLAN_{i}") if name in body]
        return wanted

    def _opened(self, name: str, names: dict[str, Any], arguments: list[str]) -> list[str]:
        """How a thread finds an array of its world."""
        array = getattr(self.arrays, name)
        if array.size == 0:
            names[f"EMPTY_{name}"] = np.zeros(array.shape, array.dtype)
            return [f"{name} = EMPTY_{name}"]
        arguments.append(f"A_{name}")
        if name in THEIRS and name not in NARROW:
            return [f"{name} = {self._local(name, array.shape)}", *_loaded(name, array.shape)]
        if name in EACH:
            return [f"{name} = A_{name}[{', '.join([':'] * array.ndim)}, w]"]
        if name in EACH_ROWS:
            return [f"{name} = A_{name}[w]"]
        return [f"{name} = A_{name}[w % A_{name}.shape[0]]"]

    def _local(self, name: str, shape: tuple[int, ...]) -> str:
        if self.gpu:
            return f"cuda.local.array({shape if len(shape) > 1 else shape[0]}, FLOAT)"
        count = int(np.prod(shape))
        flat = f"local_{count}()"
        return flat if len(shape) == 1 else f"{flat}.reshape({shape})"

    def _closed(self, kind: str, fields: list[str]) -> list[str]:
        lines = []
        for name in fields:
            if name in WRITTEN[kind] and getattr(self.arrays, name).size:
                lines += _stored(name, getattr(self.arrays, name).shape)
        if kind == "contact":
            for name in ("frame", "friction", "slip"):
                lines += [f"for k in range({CONTACT[name]}):", f"    T_{name}[c, k] = touch_{name}[k]"]
        return lines or ["pass"]


def _touch(kind: str) -> list[str]:
    return [f"touch_{name}" for name in (*CONTACT, "geom")] if kind == "contact" else []


def _read(source: str, target: str, count: int) -> list[str]:
    return [f"for k in range({count}):", f"    {target}[k] = {source}[c, k]"]


def _loaded(name: str, shape: tuple[int, ...]) -> list[str]:
    row = f"A_{name}[w % A_{name}.shape[0]"
    if len(shape) == 1:
        return [f"for j in range({shape[0]}):", f"    {name}[j] = {row}, j]"]
    return [
        f"for j in range({shape[0]}):",
        f"    for k in range({shape[1]}):",
        f"        {name}[j, k] = {row}, j, k]",
    ]


def _stored(name: str, shape: tuple[int, ...]) -> list[str]:
    loaded = _loaded(name, shape)
    left, right = loaded[-1].strip().split(" = ")
    pad = loaded[-1][: len(loaded[-1]) - len(loaded[-1].lstrip())]
    return [*loaded[:-1], f"{pad}{right} = {left}"]


def filled(text: str, pieces: dict[str, list[str]]) -> str:
    """A text with lines in the place of each word in braces that stands alone on a line."""
    for line in text.splitlines():
        word = line.strip().strip("{}")
        if line.strip() == f"{{{word}}}":
            pad = line[: len(line) - len(line.lstrip())]
            text = text.replace(line, "\n".join(pad + one for one in pieces[word]) or f"{pad}pass", 1)
    return text


@functools.cache
def memory_of(fields: tuple[str, ...]) -> Any:
    """The NamedTuple of some arrays, one and the same for the same ones."""
    return namedtuple("Memory", fields)


def _code_names(function: Any) -> tuple[str, ...]:
    return function.__code__.co_names if hasattr(function, "__code__") else ()
