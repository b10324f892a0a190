"""Python processes that we start take no modules and no settings from the present folder, which may be a stranger's.

Importing MuJoCo starts one. When code of the user's own has been loaded, that starts its processes as it likes.
"""

import contextlib
import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

SAFE, OURS = "PYTHONSAFEPATH", "cupola"
"""The variable that Python obeys, and the value by which we know that it was us."""
SETTINGS = {".numba_config.yaml": "numba", "matplotlibrc": "matplotlib"}
"""Files of the present folder that a library obeys when it is imported, Numba again at each compilation."""


@contextlib.contextmanager
def safe_path() -> Iterator[None]:
    """As long as this lasts, or until `leave_safe_path`."""
    os.environ.setdefault(SAFE, OURS)
    try:
        yield
    finally:
        leave_safe_path()


def leave_safe_path() -> None:
    """Restore Python's default, or the user's setting."""
    if os.environ.get(SAFE) == OURS:
        del os.environ[SAFE]


def ignore_settings() -> list[str]:
    """Import what would obey a file of the present folder from another one; returns the files that are not obeyed.

    It costs nothing where no such file is.
    """
    found = [name for name, module in SETTINGS.items() if Path(name).exists() and module not in sys.modules]
    if not found:
        return []
    here = Path.cwd()
    os.chdir(Path(__file__).parent)
    try:
        for name in found:
            importlib.import_module(SETTINGS[name])
    finally:
        os.chdir(here)
    if config := sys.modules.get("numba.core.config"):
        config._config_fname = os.devnull  # type: ignore[attr-defined]
    return found
