"""A class from a file path: `my.py:Mine`. No registration; the file is run once as a module of its own, if trusted.

Modules beside the file can be imported by it. They belong to it: a file of another folder that imports one of the same
name gets its own, and an edit of one counts as an edit of the file.
"""

import contextlib
import hashlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from cupola.schema.input_files import MEBI, is_there, read_bytes
from cupola.schema.safe_path import leave_safe_path
from cupola.schema.trust import Code, Trust
from cupola.schema.yaml_files import InputError

T = TypeVar("T")
LARGEST = 512 * MEBI
"""[bytes] of a file with code."""
_SOURCES: WeakKeyDictionary[type[Any], tuple[Path, bytes]] = WeakKeyDictionary()
"""Files of classes that users wrote, as they were when the classes were made."""
_BESIDE: dict[str, dict[Path, str]] = {}
"""Files beside a loaded one that it imported, and what they held then: by the name of its module."""


def load_class(
    reference: str,
    base: type[T],
    folder: Path,
    trust: Trust,
    source: str,
    of_function: Callable[[Any], type[T]] | None = None,
) -> type[T]:
    """The class that `file.py:Class` names, or the one that `of_function` makes of a function.

    Files are looked up from `folder`. The file is run, so `trust` must allow it; `source` says who named it.
    """
    where, _, name = reference.rpartition(":")
    path = folder / where
    if not where.endswith(".py"):
        raise InputError(f"{reference}: expected file.py:Class")
    if not path.is_file():
        raise InputError(f"{reference}: there is no file {path}")
    trust.demand([Code(path, reference, source)])
    leave_safe_path()
    module = _from_file(path, reference)
    found: Any = getattr(module, name, None)
    if of_function and isinstance(found, FunctionType):
        return of_function(found)
    if not isinstance(found, type) or not issubclass(found, base):
        fitting = [n for n, v in vars(module).items() if _fits(v, base, module.__name__)]
        listing = ", ".join(fitting) or "none"
        raise InputError(f"{reference}: {where} has no class {name!r} that is a {base.__name__}; it has: {listing}")
    return found


def imported_beside(path: Path) -> list[Path]:
    """Modules beside a file that it imported when it was loaded."""
    return list(_BESIDE.get(_module_name(path), {}))


def shipped_class(home: str, base: type[T]) -> type[T]:
    """A class of this package: `cupola.module:Class`."""
    module, _, name = home.rpartition(":")
    found: type[T] = getattr(importlib.import_module(module), name)
    assert issubclass(found, base), home
    return found


def _fits(value: Any, base: type, module: str) -> bool:
    return isinstance(value, type) and issubclass(value, base) and value.__module__ == module


def _from_file(path: Path, reference: str) -> Any:
    name = _module_name(path)
    if name in sys.modules and all(is_there(file) and _digest(file) == held for file, held in _BESIDE[name].items()):
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{reference}: {path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with _importing_beside(path.resolve().parent) as beside:
            spec.loader.exec_module(module)
        _BESIDE[name] = {file: _digest(file) for file in beside}
    except Exception as error:
        del sys.modules[name]
        line = _line_in(error, path)
        raise InputError(f"{path}{line}: {type(error).__name__}: {error}") from error
    return module


def _module_name(path: Path) -> str:
    return f"cupola_user_{path.stem}_{_digest(path)[:12]}"


def _digest(path: Path) -> str:
    return hashlib.sha256(str(path.resolve()).encode() + read_bytes(path, LARGEST)).hexdigest()


@contextlib.contextmanager
def _importing_beside(folder: Path) -> Iterator[list[Path]]:
    """Let modules of a folder be imported; gives the files that were. They are forgotten again: names are short."""
    before, files = set(sys.modules), list[Path]()
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()  # a file that was written a moment ago is found, too
    try:
        yield files
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            stem = folder.joinpath(*name.split("."))
            file = getattr(sys.modules[name], "__file__", None)
            if file and Path(file).resolve() in (stem.with_suffix(".py"), stem / "__init__.py"):
                files.append(Path(file).resolve())
                del sys.modules[name]


def reference(cls: type[Any]) -> str:
    """`file.py:Class` where the class can be read back from there, else its name alone, as for one of a notebook."""
    try:
        file = Path(inspect.getsourcefile(cls) or "")
    except (TypeError, OSError):
        return cls.__name__
    readable = file.is_file() and "." not in cls.__qualname__ and cls.__module__ != "__main__"
    return f"{file.resolve()}:{cls.__name__}" if readable else cls.__name__


def keep_source(cls: type[Any]) -> None:
    """Read the file of a class while it is made: what is written there later is not what runs."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    if file and cls.__module__ != "__main__" and not cls.__module__.startswith("cupola."):
        with contextlib.suppress(InputError):
            where = Path(file).resolve()
            _SOURCES[cls] = where, read_bytes(where, LARGEST)


def source_of(cls: type[Any]) -> dict[Path, bytes]:
    """The files of a class and of those it is made from, as they were when these were made."""
    return dict(_SOURCES[one] for one in reversed(cls.__mro__) if one in _SOURCES)


def _line_in(error: BaseException, path: Path) -> str:
    trace = error.__traceback__
    line = ""
    file = str(path.absolute())  # as the import system writes it into the code
    while trace:
        if trace.tb_frame.f_code.co_filename == file:
            line = f":{trace.tb_lineno}"
        trace = trace.tb_next
    return line
