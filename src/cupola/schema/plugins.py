"""A class from a file path: `my.py:Mine`. No registration; the file is run once as a module of its own."""

import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

from cupola.schema.yaml_files import InputError

T = TypeVar("T")


def load_class(
    reference: str, base: type[T], folder: Path, of_function: Callable[[Any], type[T]] | None = None
) -> type[T]:
    """The class that `module:Class` or `file.py:Class` names, or the one that `of_function` makes of a function.

    Files are looked up from `folder`.
    """
    where, _, name = reference.rpartition(":")
    module = _from_file(folder / where, reference) if where.endswith(".py") else importlib.import_module(where)
    found: Any = getattr(module, name, None)
    if of_function and isinstance(found, FunctionType):
        return of_function(found)
    if not isinstance(found, type) or not issubclass(found, base):
        fitting = [n for n, v in vars(module).items() if _fits(v, base, module.__name__)]
        listing = ", ".join(fitting) or "none"
        raise InputError(f"{reference}: {where} has no class {name!r} that is a {base.__name__}; it has: {listing}")
    return found


def _fits(value: Any, base: type, module: str) -> bool:
    return isinstance(value, type) and issubclass(value, base) and value.__module__ == module


def _from_file(path: Path, reference: str) -> Any:
    if not path.is_file():
        raise InputError(f"{reference}: there is no file {path}")
    source = path.read_bytes()
    name = f"cupola_user_{path.stem}_{hashlib.sha256(str(path.resolve()).encode() + source).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{reference}: {path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        line = _line_in(error, path)
        raise InputError(f"{path}{line}: {type(error).__name__}: {error}") from error
    return module


def _line_in(error: BaseException, path: Path) -> str:
    trace = error.__traceback__
    line = ""
    file = str(path.absolute())  # as the import system writes it into the code
    while trace:
        if trace.tb_frame.f_code.co_filename == file:
            line = f":{trace.tb_lineno}"
        trace = trace.tb_next
    return line
