"""The one place that compiles: Numba overloads for `xmath`, registration of plain functions, a cache never stale.

Numba's own disk cache watches only the file of the decorated function, so an edit in `physics/` would run old code.
Here the cache folder of a function is named after a hash of every source that it can reach through imports, and of the
versions below it: an edited controller does not compile the loop anew.
"""

import contextlib
import functools
import hashlib
import logging
import math
import os
import re
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, TypeVar

import llvmlite
import mujoco
import numba
import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.ccallback import CFunc
from numba.core.sigutils import normalize_signature
from numba.extending import intrinsic, overload, register_jitable

from cupola import xmath
from cupola.kernel.callees import CalleeCompiler, CallerCompiler
from cupola.kernel.disk_cache import healing_cache
from cupola.kernel.private_folder import CONTENT, private_base

log = logging.getLogger("cupola")

PACKAGE = Path(__file__).parents[1]
COMPILED = ("xmath", "physics", "schema", "kernel", "parts", "engine", "aerodynamics", "control", "estimate")
"""Where code that can be compiled lies. An edit anywhere else keeps the cache."""
STARTED = time.time()
"""[s] when this process began: what it has imported is older."""
KEPT_CACHES = 60
A_DAY = 86400.0
IMPORTS = re.compile(
    r"""(?:^|[;:])[ \t]*(?:
        from[ \t]+(cupola[\w.]*)[ \t]+import[ \t]*(\([^)]*\)|(?:[^\n\\]|\\\n)*)
        |import[ \t]+([^\n]*cupola[^\n]*))""",
    re.MULTILINE | re.VERBOSE,
)
"""`from cupola... import (...)`, over several lines or not, and `import ..., cupola...`."""
_REACHED: set[Callable[..., Any]] = set()
F = TypeVar("F", bound=Callable[..., Any])


@functools.cache
def _imported(file: Path) -> frozenset[Path]:
    """Files of ours that can be compiled and that a file imports.

    Parsing some seventy files takes longer than loading the compiled code. A line of text that only looks like an
    import may name a file too many, which does no harm.
    """
    names: set[str] = set()
    for module, listed, several in IMPORTS.findall(file.read_text("utf-8", errors="replace")):
        names |= {module, *(f"{module}.{name}" for name in re.findall(r"\w+", listed))} if module else set()
        names |= set(re.findall(r"cupola[\w.]*", several))
    steps = [name.split(".")[1:] for name in names if name.startswith("cupola.")]
    stems = [PACKAGE.joinpath(*step) for step in steps if step[0] in COMPILED]
    files = [path for stem in stems for path in (stem.with_suffix(".py"), stem / "__init__.py")]
    return frozenset(path for path in files if path.is_file())


@functools.cache
def _reachable(file: Path) -> frozenset[Path]:
    """The file and everything that can be compiled that it imports, directly or through others."""
    found, ahead = {file}, [file]
    while ahead:
        new = _imported(ahead.pop()) - found
        found |= new
        ahead += new
    return frozenset(found)


def sources(function: Callable[..., Any]) -> frozenset[Path]:
    """Every file whose edit may change what a compiled function does."""
    return _reachable(Path(function.__code__.co_filename))


@functools.cache
def cache_folder(files: frozenset[Path]) -> Path | None:
    """Folder for code compiled from some files, within the private one; None where nothing can be written, or where a
    file was edited since this process began: the code of before would be kept as that of the file now.
    """
    base = private_base()
    if base is None:
        return None
    now = time.time()  # a time to come is that of a clock that goes wrong
    if edited := [str(source) for source in sorted(files) if STARTED < source.stat().st_mtime <= now]:
        log.info("edited while this process runs, so what is compiled now is not kept: %s", ", ".join(edited))
        return None
    digest = hashlib.sha256()
    for part in (sys.version, numba.__version__, llvmlite.__version__, mujoco.__version__, np.__version__):
        digest.update(part.encode())
    for source in sorted(files):
        digest.update(str(source).encode() + source.read_bytes())
    folder = base / CONTENT / digest.hexdigest()[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.touch()
    except OSError as error:
        log.warning("compiled code cannot be kept in %s: %s", folder, error.strerror or error)
        return None
    _forget_old(folder.parent)
    return folder


@functools.cache
def _forget_old(parent: Path) -> None:
    """Drop caches of old versions; those of today may be in use by another process."""
    with contextlib.suppress(OSError):  # another process may do the same
        folders = sorted(((f.stat().st_mtime, f) for f in parent.iterdir()), reverse=True)
        for touched, folder in folders[KEPT_CACHES:]:
            if touched < time.time() - A_DAY:
                shutil.rmtree(folder, ignore_errors=True)


def jit(function: F, **options: Any) -> F:
    """Compile for the loop: no Python objects, no interpreter lock, kept on disk."""
    compiled: Any = numba.njit(nogil=True, pipeline_class=CallerCompiler, **options)(function)
    if cache := healing_cache(function, cache_folder(sources(function)), reach):
        compiled._cache = cache
    return compiled  # type: ignore[no-any-return]


def jit_sums(function: F) -> F:
    """Compile long sums of numbers; no divisor is checked. The terms keep their order: where it may change, the
    last digits differ from one compilation to the next.
    """
    return jit(function, error_model="numpy")


def entry(signature: Any, law: Callable[..., Any], *, keep: bool = True) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function that calls `law` to a C function with an address, kept on disk if all it uses is ours."""

    def wrap(function: Callable[..., Any]) -> Any:
        return _c_function(signature, function, cache_folder(sources(function) | sources(law)) if keep else None)

    return wrap


def _c_function(signature: Any, function: Any, folder: Path | None, **options: Any) -> Any:
    """What `numba.cfunc` does, with our cache."""
    made: Any = CFunc(function, normalize_signature(signature), {}, options, pipeline_class=CallerCompiler)
    if cache := healing_cache(function, folder, reach):
        made._cache = cache
    made.compile()
    return made


def folder_of_text(files: frozenset[Path], name: str, text: str) -> Path | None:
    """Where code compiled from a generated text is kept, with the text beside it."""
    folder = cache_folder(files)
    return folder and folder / f"{name}_{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def is_kept(files: frozenset[Path], name: str, text: str) -> bool:
    """Whether a generated text has been compiled before."""
    folder = folder_of_text(files, name, text)
    return folder is not None and any(folder.rglob("*.nbc"))


def compile_text(signature: Any, name: str, text: str, names: dict[str, Any], files: frozenset[Path] | None) -> Any:
    """Compile the function `run` of a generated text to a C function with an address.

    `names` are its globals; `files` are the sources that it reaches, None for one that is not kept on disk.
    """
    folder = None if files is None else folder_of_text(files, name, text)
    text = text.replace("def run(", f"def {name}(")
    place = folder and _kept_text(folder / f"{name}.py", text)
    space = {**names, "__name__": __name__}
    exec(compile(text, str(place or f"<{name}>"), "exec"), space)
    # A division by zero gives what IEEE 754 says: the part that made it is then blamed by name.
    return _c_function(signature, space[name], folder if place else None, error_model="numpy")


def _kept_text(place: Path, text: str) -> Path | None:
    """The file of a generated text, written if it is not there or is another; None if it cannot be."""
    try:
        if place.is_file() and place.read_bytes() == text.encode():
            return place
        place.parent.mkdir(parents=True, exist_ok=True)
        fresh = place.with_suffix(f".{os.getpid()}")
        fresh.write_bytes(text.encode())
        fresh.replace(place)  # two processes may compile at once
    except OSError as error:
        log.warning("compiled code cannot be kept in %s: %s", place.parent, error.strerror or error)
        return None
    return place


def callable_from_compiled(function: Callable[..., Any]) -> None:
    """Register one plain function. It gets no wrappers for Python or C: they cost compile time and refuse records."""
    register_jitable(no_cpython_wrapper=True, no_cfunc_wrapper=True, pipeline_class=CalleeCompiler)(function)


def reach(function: Callable[..., Any]) -> None:
    """Let compiled code call every plain function that `function` uses, directly or through others."""
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        for name in code.co_names:
            used = function.__globals__.get(name)
            if isinstance(used, FunctionType) and used not in _REACHED and _is_plain(used):
                callable_from_compiled(used)
                _REACHED.add(used)
                reach(used)


def _is_plain(function: FunctionType) -> bool:
    """Numba and NumPy bring their own compiled versions."""
    return function.__module__.partition(".")[0] not in ("numba", "numpy", "math")


def _register_xmath() -> None:
    for name in ("sin", "cos", "tan", "asin", "acos", "atan", "exp", "expm1", "log", "sqrt", "tanh", "floor"):
        _overload_unary(getattr(xmath, name), getattr(math, name))

    @overload(xmath.atan2)
    def _(y, x):  # type: ignore[no-untyped-def]
        return lambda y, x: math.atan2(y, x)

    @overload(xmath.power)
    def _(x, y):  # type: ignore[no-untyped-def]
        return lambda x, y: math.pow(x, y)

    @overload(xmath.minimum)
    def _(a, b):  # type: ignore[no-untyped-def]
        return lambda a, b: a if a < b else b

    @overload(xmath.maximum)
    def _(a, b):  # type: ignore[no-untyped-def]
        return lambda a, b: a if a > b else b

    @overload(xmath.where)
    def _(condition, a, b):  # type: ignore[no-untyped-def]
        return lambda condition, a, b: a if condition else b

    @overload(xmath.both)
    def _(a, b):  # type: ignore[no-untyped-def]
        return lambda a, b: a and b

    @overload(xmath.take)
    def _(table, index):  # type: ignore[no-untyped-def]
        return lambda table, index: table[index]

    @overload(xmath.interval)
    def _(breaks, x):  # type: ignore[no-untyped-def]
        def search(breaks, x):  # type: ignore[no-untyped-def]
            last = len(breaks) - 2
            i = 0
            while i < last and x >= breaks[i + 1]:
                i += 1
            return i

        return search

    for plain in (xmath.clip, xmath.absolute):
        register_jitable(plain)


def _overload_unary(function: Callable[..., Any], on_float: Callable[[float], float]) -> None:
    @overload(function)
    def _(x):  # type: ignore[no-untyped-def]
        return lambda x: on_float(x)


@intrinsic
def pointer(typing_context, address):  # type: ignore[no-untyped-def]
    """An integer address as a pointer, for `numba.carray`."""

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        return builder.inttoptr(args[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.intp), generate


@intrinsic
def call(typing_context, function, arguments):  # type: ignore[no-untyped-def]
    """Call the C function at an integer address with a tuple of addresses and numbers; the result is dropped.

    Unlike a ctypes object an address does not defeat the disk cache.
    """

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        values = [builder.extract_value(args[1], i) for i in range(len(arguments))]
        kind = ir.FunctionType(ir.VoidType(), [value.type for value in values])
        builder.call(builder.inttoptr(args[0], kind.as_pointer()), values)
        return context.get_dummy_value()

    return types.void(types.intp, arguments), generate


@intrinsic
def ask_int(typing_context, function, arguments):  # type: ignore[no-untyped-def]
    """Like `call`, for a C function whose result is an `int`."""

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        values = [builder.extract_value(args[1], i) for i in range(len(arguments))]
        kind = ir.FunctionType(ir.IntType(32), [value.type for value in values])
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), values)

    return types.int32(types.intp, arguments), generate


@intrinsic
def ask(typing_context, function, arguments):  # type: ignore[no-untyped-def]
    """Like `call`, for a C function whose result is an `int64`."""

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        values = [builder.extract_value(args[1], i) for i in range(len(arguments))]
        kind = ir.FunctionType(ir.IntType(64), [value.type for value in values])
        return builder.call(builder.inttoptr(args[0], kind.as_pointer()), values)

    return types.int64(types.intp, arguments), generate


@intrinsic
def copy_numbers(typing_context, target, source, count):  # type: ignore[no-untyped-def]
    """Copy numbers of 64 bits from one address to another."""

    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        target, source = (builder.inttoptr(one, ir.IntType(8).as_pointer()) for one in args[:2])
        cgutils.raw_memcpy(builder, target, source, args[2], 8)
        return context.get_dummy_value()

    return types.void(types.intp, types.intp, types.intp), generate


_register_xmath()
