"""A Functional Mock-up Unit for co-simulation, FMI 2 or 3, as OpenModelica, Dymola, Simulink or 20-sim export it."""

import importlib
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, PrivateAttr

from cupola.parts.external.external import External, Interface


class Fmu(External):
    """An FMU: the loop calls its functions by address for inputs, step and outputs."""

    kind: Literal["fmu"]
    file: str = Field(description="the .fmu beside the vehicle file")
    parameters: dict[str, float | int | bool | str | list[float]] = Field({}, description="values of its parameters")
    apart = True
    _instance: Any = PrivateAttr(None)

    def code_file(self) -> str | None:
        """What it runs."""
        return self.file

    def interface(self, folder: Path, dt: float) -> Interface:
        """Open it, once."""
        if self._instance is None:  # the bridge stands to the right of the parts, so it is found by name
            fmi = importlib.import_module("cupola.bridge.fmi.fmi")
            self._instance = fmi.Instance(folder / self.file, self.parameters, dt)
        return Interface(self._instance.takes, self._instance.gives)

    def connect(self) -> tuple[int, int]:
        """A compiled step that speaks its version of FMI."""
        given, taken = (list(dict(slots)) for slots in (self._plumbing.given, self._plumbing.taken))
        found: tuple[int, int] = self._instance.wire(given, taken)
        return found

    def step_complaint(self, status: int) -> str:
        """Which of its functions failed, and what it said."""
        said: str = self._instance.complaint(status)
        return said

    def reset(self) -> None:
        """Start it over with its parameters."""
        self._instance.reset()

    def memory(self) -> dict[str, Any]:
        """Its state, if it can give it."""
        return {"fmu": self._instance.save()}

    def remember(self, memory: dict[str, Any]) -> None:
        """Go back to a state it gave."""
        self._instance.load(memory["fmu"])
