"""Functional Mock-up Units for co-simulation, FMI 2 and 3 (https://fmi-standard.org), opened with `fmpy`."""

import ctypes
import logging
import math
import tempfile
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from cupola.bridge.fmi.archive import open_archive
from cupola.bridge.fmi.step import BLOCK, EARLY, GET, SET, STEP, STEPS
from cupola.schema.input_files import InputError, boundary, reason
from cupola.schema.libraries import library

log = logging.getLogger("cupola.bridge")
REAL = {2: "Real", 3: "Float64"}
FUNCTIONS = {
    2: ("fmi2SetReal", "fmi2DoStep", "fmi2GetReal"),
    3: ("fmi3SetFloat64", "fmi3DoStep", "fmi3GetFloat64"),
}
MOST_NUMBERS = 1_000_000
"""Of one variable."""
WORDS = ("ok", "warning", "discard", "error", "fatal", "pending")
"""What a status means."""
LOUD = ("logStatusWarning", "logStatusDiscard", "logStatusError", "logStatusFatal")
"""Categories of messages that are worth hearing."""


class Instance:
    """One FMU at work. What is wrong with its file is a ValueError that says what there is."""

    def __init__(self, path: Path, parameters: Mapping[str, Any], dt: float) -> None:
        self.path, self._parameters = path, dict(parameters)
        self._about = _describe(path)
        with boundary(f"file: {path}", "has a description that cannot be used", ValueError):
            self._version = int(self._about.fmiVersion[0])
            variables = self._about.modelVariables
            self._variables = {v.name: v for v in variables}
            reals = [v for v in variables if v.type == REAL[self._version]]
            self.takes = {v.name: _size(v) for v in reals if v.causality == "input"}
            self.gives = {v.name: _size(v) for v in reals if v.causality in ("output", "local")}
            self._check(dt)
        self._said: list[str] = []
        self._fmu = self._open()
        self._arrays: list[Any] = []
        self._wired: tuple[list[str], list[str]] | None = None

    def wire(self, inputs: list[str], outputs: list[str]) -> tuple[int, int]:
        """Addresses of the compiled step and of the block it is given; the loop keeps them, so they stay."""
        if self._wired == (inputs, outputs):
            return STEPS[self._version].address, self._arrays[-1].ctypes.data
        refs = [np.array([self._variables[n].valueReference for n in names], np.uint32) for names in (inputs, outputs)]
        told, block = np.zeros(2), np.zeros(BLOCK, np.int64)
        functions = [
            ctypes.cast(getattr(self._fmu.dll, f), ctypes.c_void_p).value or 0 for f in FUNCTIONS[self._version]
        ]
        sizes = [sum(known[n] for n in names) for known, names in ((self.takes, inputs), (self.gives, outputs))]
        block[:] = [
            *(_address(self._fmu.component), *functions, *(r.ctypes.data for r in refs)),
            *(*(len(r) for r in refs), *sizes, told.ctypes.data),
        ]
        self._arrays, self._wired = [*refs, told, block], (inputs, outputs)
        return STEPS[self._version].address, block.ctypes.data

    def reset(self) -> None:
        """Back to its start, its time 0, with its parameters."""
        self._said.clear()
        self._fmu.reset()
        self._initialise()

    def save(self) -> Any:
        """Its present state: bytes, or a handle that only this instance knows."""
        can = self._about.coSimulation
        if not can.canGetAndSetFMUstate:
            raise InputError(
                f"{self.path.name} cannot give its state (canGetAndSetFMUstate is not set): no snapshot with it"
            )
        state = self._fmu.getFMUState()
        if not can.canSerializeFMUstate:
            return _Handle(self._fmu, state)
        try:
            return bytes(self._fmu.serializeFMUState(state))
        finally:
            self._fmu.freeFMUState(state)

    def load(self, saved: Any) -> None:
        """Back to a state that it gave."""
        if isinstance(saved, _Handle):
            if saved.fmu is not self._fmu:
                raise InputError(
                    f"{self.path.name} cannot serialize its state: only the world that took it may go back"
                )
            self._fmu.setFMUState(saved.state)
            return
        state = self._fmu.deserializeFMUState(saved)
        self._fmu.setFMUState(state)
        self._fmu.freeFMUState(state)

    def complaint(self, status: int) -> str:
        """What failed, in words."""
        call, code = status - status % 100, status % 100
        if call == EARLY:
            return f"failed: {self.path.name} ended its step early or wants to stop"
        names = dict(zip((SET, STEP, GET), FUNCTIONS[self._version], strict=True))
        said = f": {self._said[-1]}" if self._said else ""
        return f"failed: {names[call]} of {self.path.name} returned {code} ({WORDS[code]}){said}"

    def _open(self) -> Any:
        import fmpy.fmi2
        import fmpy.fmi3

        folder = tempfile.TemporaryDirectory(prefix="cupola-fmu-", ignore_cleanup_errors=True)
        fmpy.extract(self.path, folder.name)
        kind = fmpy.fmi2.FMU2Slave if self._version == 2 else fmpy.fmi3.FMU3Slave
        identifier = self._about.coSimulation.modelIdentifier
        try:
            fmu = kind(guid=self._about.guid, unzipDirectory=folder.name, modelIdentifier=identifier)
            loud = [c.name for c in self._about.logCategories if c.name in LOUD]
            self._instantiate(fmu, bool(loud))
            if loud:
                fmu.setDebugLogging(True, loud)
        except Exception as error:
            folder.cleanup()
            raise ValueError(f"file: {self.path} cannot be opened: {error}") from None
        self._fmu = fmu
        weakref.finalize(self, _close, fmu, folder)
        self._initialise()
        return fmu

    def _instantiate(self, fmu: Any, loud: bool) -> None:
        heard = _Ear(self._said)
        if self._version == 3:
            fmu.instantiate(loggingOn=loud, logMessage=heard.fmi3)
            return
        from fmpy import fmi2
        from fmpy.logging import addLoggerProxy

        callbacks = fmi2.fmi2CallbackFunctions()
        callbacks.logger = fmi2.fmi2CallbackLoggerTYPE(heard.fmi2)
        callbacks.allocateMemory = fmi2.defaultCallbacks.allocateMemory
        callbacks.freeMemory = fmi2.defaultCallbacks.freeMemory
        addLoggerProxy(ctypes.byref(callbacks))
        fmu.instantiate(callbacks=callbacks, loggingOn=loud)

    def _initialise(self) -> None:
        for name, value in self._parameters.items():
            variable = self._variables[name]
            kind = "Integer" if variable.type == "Enumeration" and self._version == 2 else variable.type
            values = list(value) if isinstance(value, list) else [value]
            getattr(self._fmu, f"set{kind}")([variable.valueReference], values)
        if self._version == 2:
            self._fmu.setupExperiment(startTime=0.0)
            self._fmu.enterInitializationMode()
        else:
            self._fmu.enterInitializationMode(startTime=0.0)
        self._fmu.exitInitializationMode()

    def _check(self, dt: float) -> None:
        """Parameters that exist, and a step that it can do."""
        known = [v.name for v in self._variables.values() if v.causality == "parameter"]
        if unknown := [name for name in self._parameters if name not in known]:
            raise ValueError(
                f"parameters: {self.path.name} has no {unknown[0]!r}; it has: {', '.join(known) or 'none'}"
            )
        inner = float(self._about.coSimulation.fixedInternalStepSize or 0.0)
        if inner and not (dt >= inner and math.isclose(dt / inner, round(dt / inner), rel_tol=1e-9)):
            below = max(1, math.floor(dt / inner + 1e-9))
            nearest = " or ".join(f"{1 / (n * inner):g}" for n in (below, below + 1))
            raise ValueError(
                f"rate_hz: {dt:g} s is no multiple of the {inner:g} s by which {self.path.name} steps inside; "
                f"nearest valid: {nearest} Hz"
            )


class _Ear:
    """What an FMU says goes to the log, and the last of it into the message of a run that must stop."""

    def __init__(self, said: list[str]) -> None:
        self._said = said

    def fmi2(self, _: Any, name: bytes, status: int, category: bytes, text: bytes) -> None:
        self.fmi3(_, status, category, text)

    def fmi3(self, _: Any, status: int, category: bytes, text: bytes) -> None:
        words = (text or b"").decode(errors="replace").strip()
        log.info("FMU: %s: %s", WORDS[status] if 0 <= status < len(WORDS) else status, words)
        self._said[:] = [*self._said[-9:], words]


class _Handle:
    """A state that stays inside an FMU until nobody wants it."""

    def __init__(self, fmu: Any, state: Any) -> None:
        self.fmu, self.state = fmu, state
        weakref.finalize(self, fmu.freeFMUState, state)


def _describe(path: Path) -> Any:
    """The description of an FMU that this machine can run."""
    fmpy = library("fmpy", "an FMU needs fmpy: pip install 'cupola[fmi]'", ValueError)
    if not path.is_file():
        near = ", ".join(sorted(f.name for f in path.parent.glob("*.fmu"))) if path.parent.is_dir() else ""
        raise ValueError(f"file: there is no {path}; FMUs there: {near or 'none'}")
    with boundary(f"file: {path}", "is not an FMU", ValueError):
        inside = open_archive(path)
        about = _read(path)
    if about.fmiVersion[:2] not in ("2.", "3."):
        raise ValueError(f"file: {path} is of FMI {about.fmiVersion}; FMI 2 and 3 are known")
    if about.coSimulation is None:
        raise ValueError(
            f"file: {path} is for model exchange only: export it for co-simulation, with its solver inside"
        )
    machine = fmpy.platform if about.fmiVersion[0] == "2" else fmpy.platform_tuple
    binary = f"binaries/{machine}/{about.coSimulation.modelIdentifier}{fmpy.sharedLibraryExtension}"
    if binary not in inside:
        held = sorted({name.split("/")[1] for name in inside if name.startswith("binaries/") and name.count("/") > 1})
        raise ValueError(
            f"file: {path} has no {binary}, which this machine needs; it is for: {', '.join(held) or 'none'}"
        )
    return about


def _read(path: Path) -> Any:
    """The description; small faults in it, of which the world is full, are told and let pass."""
    import fmpy.model_description

    try:
        return fmpy.read_model_description(str(path))
    except fmpy.model_description.ValidationError as error:
        log.warning("%s: %s", path, reason(error))
        return fmpy.read_model_description(str(path), validate=False)


def _size(variable: Any) -> int:
    """How many numbers a variable has; a dimension that a parameter sets counts as it starts."""
    size = math.prod(int(d.start if d.start is not None else d.variable.start) for d in variable.dimensions)
    if not 0 < size <= MOST_NUMBERS:
        raise ValueError(f"{variable.name} has {size} numbers; 1 to {MOST_NUMBERS} can be exchanged")
    return size


def _address(component: Any) -> int:
    return int(component.value if hasattr(component, "value") else component)


def _close(fmu: Any, folder: Any) -> None:
    fmu.freeInstance()
    folder.cleanup()
