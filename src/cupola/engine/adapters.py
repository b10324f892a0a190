"""Around a kernel: source text that reads its arguments from the memory of the world and writes its answer back.

The text is generated from the kernel's signature, compiled to a C function that the loop calls by address, and kept on
disk under a hash of itself and of all sources that the kind reaches. A kernel in plain Python runs inside the same
text, called back from the loop.
"""

import ctypes
import functools
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

import numpy as np
from numba import carray
from numba.core import types
from numba.core.errors import NumbaError

from cupola.kernel.arguments import CHECKED, NAMES, NEEDS, OF_A_SAMPLE, READS, WRITES
from cupola.kernel.jit import compile_text, is_kept, pointer, sources
from cupola.kernel.memory import open_views
from cupola.kernel.records import expression, is_record, leaves
from cupola.parts.families import Actuator, ChannelShown, LoadShown
from cupola.parts.part import Part, row_type_of
from cupola.parts.sensors.sensor import NoiseKey
from cupola.schema.yaml_files import InputError

BATCH = types.int64(types.intp, types.intp, types.intp, types.float64)
"""table, rows, how many, a number of the stage; returns 0, or one more than the row with which something went wrong."""
SAMPLE = types.int64(types.intp, types.intp, types.intp, types.intp)
"""table, row, where the sample goes, its number."""
C_BATCH = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_double)
C_SAMPLE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


SHOWN = {ChannelShown: ("channel", "ChannelShown({})"), LoadShown: ("wrench", "{}")}
"""Outputs that follow from another field of a kernel's answer, and how."""


class Adapter(NamedTuple):
    """Source text of one kernel's adapter, and what its names mean."""

    name: str
    text: str
    names: dict[str, Any]


def kernel_of(kind: type[Part], stage: str, variant: str) -> Callable[..., Any] | None:
    """The kernel of a kind for a stage: `load_generic` of the variant `generic`, or `load` of all."""
    return getattr(kind, f"{stage}_{variant}", None) or getattr(kind, stage, None)


def needs_of(kind: type[Part], variant: str) -> int:
    """What must be known before a sensor of a kind measures, by what its kernel asks for: see `SensorRow.needs`."""
    asked = asked_when_measuring(kind, variant)
    return max((need for name, need in NEEDS.items() if name in asked), default=0)


def asked_when_measuring(kind: type[Part], variant: str) -> set[str]:
    """Names of all that the core gives to a sensor of a kind; empty for what is no sensor, or one in plain Python."""
    return _asked(kind, kernel_of(kind, "measure", variant), variant)


def _asked(kind: type[Part], kernel: Any, variant: str) -> set[str]:
    """Names of all that the core gives to a kernel, and to the functions that it derives from."""
    names = set(inspect.signature(kernel).parameters) if kernel is not None else set()
    derived = (kernel_of(kind, kind.derived[name], variant) for name in names & set(kind.derived))
    return names.union(*(_asked(kind, one, variant) for one in derived)) - {*kind.derived, *kind.takes, *kind.collects}


def adapt(kind: type[Part], stage: str, variant: str) -> Adapter:
    """Write the adapter of a kernel of a kind."""
    kernel = kernel_of(kind, stage, variant)
    assert kernel is not None
    names: dict[str, Any] = {**NAMES, "kernel": kernel, "Element": kind.Element}
    name = "_".join(filter(None, (kind.__name__, stage, variant)))
    if stage == "measure":
        return Adapter(name, _measuring(kind, kernel, variant, names), names)
    if wrong := sorted(_asked(kind, kernel, variant) & {*NEEDS, *OF_A_SAMPLE}):
        raise InputError(f"{kind.__name__}: {stage} is not given {wrong[0]!r}: only measure is")
    lines = _read_once(f"result = kernel({_arguments(kind, kernel, variant, names)})")
    if stage == "publish":
        lines += _stores(_answer(kernel), "v.given[row.given + {}]", "result")
    else:
        lines += _effects(kind, _answer(kernel), names) + _collected(kind, kernel)
    publish = kernel_of(kind, "publish", variant)
    if stage == "actuate" and publish is not None and not asks_for_motion(publish):
        names["publish"] = publish
        lines += _read_once(f"now = publish({_arguments(kind, publish, variant, names)})")
        lines += _stores(_answer(publish), "v.given[row.given + {}]", "now")
    if stage == "load" or (stage == "actuate" and issubclass(kind, Actuator)):
        lines = ["if row.off:", *_silence(kind, kernel), "    continue", *lines]
    inside = "".join(f"        {line}\n" for line in ("row = rows[i]", *lines))
    return Adapter(name, f"def run(v, rows, x):\n    for i in range(rows.shape[0]):\n{inside}    return 0\n", names)


def _silence(kind: type[Part], kernel: Any) -> list[str]:
    """What a part that is off does: it shows zeros, and gives 0 to its channel and to its MuJoCo actuator."""
    given = [name for name in ("channel", "control") if name in getattr(_answer(kernel), "_fields", ())]
    zeros = [f"v.outputs[row.output + {k}] = 0.0" for k in range(len(leaves(kind.Output)))]
    return [f"    {line}" for line in (*zeros, *(WRITES[name].format("0.0") for name in given))]


def asks_for_motion(kernel: Any) -> bool:
    """Whether what a kernel gives depends on the motion, and not only on the part's state."""
    return "motion" in inspect.signature(kernel).parameters


def _measuring(kind: Any, kernel: Any, variant: str, names: dict[str, Any]) -> str:
    """The adapter of a sensor: one sample of one row."""
    names["NoiseKey"] = NoiseKey
    lines = _read_once(f"result = kernel({_arguments(kind, kernel, variant, names)})")
    answer = _answer(kernel)
    if answer is kind.Sample:
        lines += _stores(answer, "sample[{}]", "result")
    elif answer is not type(None):
        known = {"sample": (kind.Sample, "sample[{}]"), "state": (kind.State, "v.state[row.state + {}]")}
        for name in getattr(answer, "_fields", (answer.__name__,)):
            if known.get(name, (None, ""))[0] is None:
                raise InputError(f"{kind.__name__}: measure must return its Sample, or sample and state; got {name}")
            if name == "state":
                lines += ["i = 0", *_blame_unless(_sum(kind.State, "result.state"))]
            lines += _stores(*known[name], f"result.{name}")
    inside = "".join(f"    {line}\n" for line in lines)
    return f"def run(v, row, sample, index):\n{inside}    return 0\n"


COMPILED_BATCH = (
    "def run(table, rows, count, x):\n    return body(open_views(table), carray(pointer(rows), (count,), ROW), x)\n"
)
COMPILED_SAMPLE = (
    "def run(table, row, sample, index):\n"
    "    one = carray(pointer(row), (1,), ROW)[0]\n"
    "    return body(open_views(table), one, carray(pointer(sample), (one.width,), FLOAT), index)\n"
)


COLOURS = re.compile(r"\x1b\[[0-9;]*m")
"""With which Numba writes for a terminal where the package colorama is installed."""


class Unit(NamedTuple):
    """Something that is compiled on its own: a kernel of a kind with its adapter."""

    kind: type[Part]
    stage: str
    variant: str


@functools.cache
def compiled(unit: Unit) -> Any:
    """The C function of a kernel; it has an `address`."""
    name, text, names, files = _prepared(unit)
    signature = SAMPLE if unit.stage == "measure" else BATCH
    try:
        return compile_text(signature, name, text, names, files)
    except (NumbaError, KeyError, TypeError, AttributeError, ValueError) as error:
        kernel = f"{unit.kind.__name__}.{names['kernel'].__name__}"
        why = _innermost(str(error)) if isinstance(error, NumbaError) else f"{type(error).__name__}: {error}"
        if isinstance(error, KeyError):  # a column of its row
            known = ", ".join(name for numbers in unit.kind.Numbers for name in numbers._fields) or "none"
            why = f"p has no {error}; the class declares as its Numbers: {known}"
        raise InputError(f"the kernel {kernel} cannot be compiled: {why}") from error


def _innermost(complaint: str) -> str:
    """Numba's message about the line that it could not compile, without the list of callers."""
    complaint = COLOURS.sub("", complaint)
    said = complaint.rpartition("Failed in nopython mode pipeline")[2].splitlines()[1:]
    why = next((line.strip() for line in said if line.strip()), complaint.strip().splitlines()[0])
    where = re.search(r'File "([^"]+)", line (\d+)', "\n".join(said))
    return f"{why} ({where[1]}:{where[2]})" if where else why


def is_cold(unit: Unit) -> bool:
    """Whether a kernel must be compiled first."""
    name, text, _, files = _prepared(unit)
    return files is None or not is_kept(files, name, text)


def _prepared(unit: Unit) -> tuple[str, str, dict[str, Any], frozenset[Path] | None]:
    """Name, text and globals of a compiled function, and the files it reaches if it can be kept."""
    adapter = adapt(*unit)
    entry = COMPILED_SAMPLE if unit.stage == "measure" else COMPILED_BATCH
    # Code from disk is linked by name: two variants of a kind that were compiled in two processes must not share one.
    body = f"{adapter.name}_body"
    text = adapter.text.replace("def run(", f"def {body}(") + "\n\n" + entry.replace("body(", f"{body}(")
    names = {**adapter.names, "ROW": row_type_of(unit.kind), "FLOAT": np.float64}
    names |= {"open_views": open_views, "carray": carray, "pointer": pointer}
    kernel = adapter.names["kernel"]
    ours = kernel.__module__.partition(".")[0] == "cupola"
    # What a user's file imports cannot be followed: it is compiled anew at each start.
    files = sources(kernel) | sources(adapt) if ours else None
    return adapter.name, text, names, files


def plain(unit: Unit, views: Any, rows: Any, failures: list[BaseException]) -> Any:
    """The same adapter around a kernel in plain Python, as a C function that the loop calls back."""
    adapter = adapt(*unit)
    space = dict(adapter.names)
    exec(adapter.text, space)
    run, records = space["run"], rows.view(np.recarray)

    def batch(table: int, address: int, count: int, x: float) -> int:
        first = (address - rows.ctypes.data) // rows.itemsize
        for k in range(first, first + count):
            try:
                if run(views, records[k : k + 1], x):
                    return k + 1
            except BaseException as error:  # nothing may pass through C
                failures.append(error)
                return k + 1
        return 0

    def sample(table: int, address: int, out: int, index: int) -> int:
        try:
            row = records[(address - rows.ctypes.data) // rows.itemsize]
            numbers = np.ctypeslib.as_array((ctypes.c_double * int(row.width)).from_address(out))
            return int(run(views, row, numbers, index))
        except BaseException as error:
            failures.append(error)
            return 1

    return C_SAMPLE(sample) if unit.stage == "measure" else C_BATCH(batch)


def _answer(kernel: Any) -> Any:
    """The type that a kernel says it returns: what is done with its answer follows from that."""
    hints = get_type_hints(kernel)
    if "return" not in hints:
        raise InputError(f"the kernel {kernel.__qualname__} must say what it returns: `-> Loaded`, or `-> None`")
    return hints["return"]


def _arguments(kind: type[Part], kernel: Any, variant: str, names: dict[str, Any]) -> str:
    return ", ".join(_argument(kind, name, variant, names) for name in inspect.signature(kernel).parameters)


def _argument(kind: type[Part], name: str, variant: str, names: dict[str, Any]) -> str:
    if name == "state":
        return expression(kind.State, "v.state[row.state + {}]", names)
    if name == "sample":
        return "sample"
    if name == "index":
        return "index"
    if name == "noise":
        return "NoiseKey(v.world[0].seed, row.stream, index, row.noisy, row.interval)"
    if name == "output":
        return expression(kind.Output, "v.outputs[row.output + {}]", names)
    if name in kind.derived:
        names[name] = found = kernel_of(kind, kind.derived[name], variant)
        return f"{name}({_arguments(kind, found, variant, names)})"
    if name in kind.takes:
        return expression(kind.takes[name].type, f"v.given[row.{name} + {{}}]", names)
    if name in kind.collects:
        return expression(kind.collects[name], f"v.given[row.{name} + {{}}]", names)
    if name not in READS:
        known = ", ".join([*READS, "state", "output", *kind.takes, *kind.collects])
        raise InputError(f"{kind.__name__}: no kernel is given {name!r}; there are: {known}")
    return READS[name]


def _read_once(call: str) -> list[str]:
    """A call, and before it once what it and the kernels that it derives from are both given."""
    lines = []
    for name, text in sorted(READS.items(), key=lambda item: -len(item[1])):
        if "(" in text and call.count(text) > 1:
            call = call.replace(text, f"this_{name}")
            lines.append(f"this_{name} = {text}")
    return [*lines, call]


def _effects(kind: type[Part], answer: Any, names: dict[str, Any]) -> list[str]:
    """What is done with what a kernel returns."""
    if answer is type(None):
        return []
    if answer is kind.State:
        return [*_blame_unless(_sum(answer, "result")), *_stores(answer, "v.state[row.state + {}]", "result")]
    if not is_record(answer):
        raise InputError(f"{kind.__name__}: a kernel returns a NamedTuple of what it changes, or None; got {answer}")
    whole = {"Wrench": "wrench", "Between": "between"}.get(answer.__name__)
    named = {whole: "result"} if whole else {name: f"result.{name}" for name in answer._fields}
    hints = get_type_hints(answer)
    for name, declared in {"state": kind.State, "output": kind.Output}.items():
        if name in named and declared is None:
            raise InputError(f"{kind.__name__}: a kernel returns {name!r}, but the class declares no {name.title()}")
    lines = []
    for name, value in named.items():
        if name in CHECKED:
            lines += _blame_unless(CHECKED[name].format(value))
        elif name == "state" or name in kind.feeds:
            lines += _blame_unless(_sum(hints[name], value))
    for name, value in named.items():
        if name == "state":
            lines += _stores(kind.State, "v.state[row.state + {}]", value)
        elif name == "output":
            lines += _stores(kind.Output, "v.outputs[row.output + {}]", value)
        elif name in kind.feeds:
            added = [f"    v.given[row.{name} + {k}] += {value}.{leaf}" for k, leaf in enumerate(leaves(hints[name]))]
            lines += [f"if row.{name} >= 0:", *added]
        elif name in WRITES:
            lines.append(WRITES[name].format(value))
        else:
            known = ", ".join([*WRITES, "state", "output", *kind.feeds])
            raise InputError(f"{kind.__name__}: nothing is done with an answer {name!r}; there are: {known}")
    for cls, (name, text) in SHOWN.items():
        if kind.Output is cls and name in named and "output" not in named:
            lines += _stores(cls, "v.outputs[row.output + {}]", text.format(named[name]))
            names[cls.__name__] = cls
    return lines


def _collected(kind: type[Part], kernel: Any) -> list[str]:
    """What was collected is used up."""
    used = [name for name in inspect.signature(kernel).parameters if name in kind.collects]
    return [f"v.given[row.{name} + {k}] = 0.0" for name in used for k in range(len(leaves(kind.collects[name])))]


def _sum(cls: Any, value: str) -> str:
    """Whether all numbers of a NamedTuple are numbers."""
    return f"abs({' + '.join(f'{value}.{leaf}' for leaf in leaves(cls))}) < 1e300"


def _blame_unless(condition: str) -> list[str]:
    """The part is blamed by name where a condition does not hold: NaN and infinity fail every comparison."""
    return [f"if not {condition}:", "    return i + 1"]


def _stores(cls: Any, place: str, value: str) -> list[str]:
    return [f"{place.format(k)} = {value}.{leaf}" for k, leaf in enumerate(leaves(cls))]
