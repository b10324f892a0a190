"""A model in C, compiled to a shared library: the loop calls it without Python.

The library exports two functions,

    const char *cupola_names(int which);   // 0 inputs, 1 outputs, 2 states, 3 parameters
    int cupola_step(const double *in, double *out, double *state, const double *parameters, double time, double dt);

Names are separated by blanks; `name[3]` stands for three numbers, `name=2.5` starts at that. `cupola_step` does the
step of `dt` [s] that begins at `time` [s] and returns 0, or a number of its own for what went wrong. All that the model
remembers is in `state`, which the world keeps: so reset, snapshot and several models from one library just work.
"""

import ctypes
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import Field, PrivateAttr

from cupola.parts.external.external import External, Interface

VARIABLE = re.compile(r"([A-Za-z_]\w*)(?:\[(\d+)\])?(?:=(\S+))?")
INPUTS, OUTPUTS, STATES, PARAMETERS = range(4)


class Variable(NamedTuple):
    """What a library says of one of its variables."""

    name: str
    size: int
    start: float


class CModel(External):
    """A shared library with a model in C."""

    kind: Literal["c"]
    file: str = Field(
        description="shared library beside the vehicle file, made by `cc -shared -fPIC -o wing.so wing.c`"
    )
    parameters: dict[str, float] = Field({}, description="numbers in place of those that the library starts with")
    _library: Any = PrivateAttr(None)

    def code_file(self) -> str | None:
        """What it runs."""
        return self.file

    def interface(self, folder: Path, dt: float) -> Interface:
        """Load it, once, and ask for its names."""
        if self._library is None:
            self._library = open_library(folder / self.file)
        known = [one.name for one in variables(self._library, PARAMETERS)]
        if unknown := [name for name in self.parameters if name not in known]:
            raise ValueError(f"parameters: {self.file} has no {unknown[0]!r}; it has: {', '.join(known) or 'none'}")
        takes, gives = ({v.name: v.size for v in variables(self._library, which)} for which in (INPUTS, OUTPUTS))
        return Interface(takes, gives, whole=True)

    def connect(self) -> tuple[int, int]:
        """Its own step, with its parameters."""
        return ctypes.cast(self._library.cupola_step, ctypes.c_void_p).value or 0, 0

    def own_state(self) -> list[float]:
        """Its state at the start."""
        return [one.start for one in variables(self._library, STATES) for _ in range(one.size)]

    def step_parameters(self) -> list[float]:
        """Its parameters, as the library or the file has them."""
        found = variables(self._library, PARAMETERS)
        return [self.parameters.get(one.name, one.start) for one in found for _ in range(one.size)]

    def memory(self) -> dict[str, Any]:
        """Nothing beside what the world keeps."""
        return {"parameters": dict(self.parameters)}


def open_library(path: Path) -> Any:
    """A shared library, from a copy: one that was compiled anew is loaded anew, and its statics are nobody else's."""
    if not path.is_file():
        near = ", ".join(sorted(f.name for f in path.parent.glob("*.so"))) if path.parent.is_dir() else ""
        raise ValueError(f"file: there is no {path}; shared libraries there: {near or 'none'}")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try:
            library = ctypes.CDLL(shutil.copy(path, folder))
            library.cupola_names.restype = ctypes.c_char_p
            ctypes.cast(library.cupola_step, ctypes.c_void_p)
        except OSError as error:
            raise ValueError(f"file: {path} is not a shared library for this machine: {error}") from None
        except AttributeError as error:
            raise ValueError(f"file: {path} lacks a function: {error}") from None
    return library


def variables(library: Any, which: int) -> list[Variable]:
    """The variables that a library names."""
    found = []
    for word in (library.cupola_names(which) or b"").decode().split():
        match = VARIABLE.fullmatch(word)
        if not match:
            raise ValueError(f"file: {word!r} is not a name, name[size] or name=start")
        found.append(Variable(match[1], int(match[2] or 1), float(match[3] or 0.0)))
    return found
