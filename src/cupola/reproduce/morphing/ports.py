"""Energy of the port-Hamiltonian wing that ships (`bridge/fmi/fmu/wing.c`), asked at its ports alone.

Its step is the implicit midpoint rule, which keeps a quadratic energy exactly: what is left is rounding.
"""

import ctypes
import math
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from cupola.bridge.fmi.pack import WING, compile_library
from cupola.parts.external.c_model import PARAMETERS, open_library, variables
from cupola.reproduce.row import Row, at_most, missing
from cupola.schema.input_files import InputError

SOURCE = "implicit midpoint rule (closed form)"
DT, BOUND = 0.001, 1e-12
TORQUE, FORCE, STORED, _, LOST = range(5)
STEPS, MORE_STEPS = 100_000, 1_000_000


class Wing:
    """The compiled wing: bend [rad] and momentum, parameters by name."""

    def __init__(self, bend: float = 0.0, **parameters: float) -> None:
        with tempfile.TemporaryDirectory() as folder:
            found = open_library(compile_library([WING], Path(folder) / "wing.so"))
        numbers = [parameters.get(one.name, one.start) for one in variables(found, PARAMETERS)]
        self._given, self._out = (ctypes.c_double * 3)(), (ctypes.c_double * 5)()
        self._state, self._numbers = (ctypes.c_double * 2)(bend, 0.0), (ctypes.c_double * len(numbers))(*numbers)
        self._step = found.cupola_step
        self._step.argtypes = [ctypes.c_void_p] * 4 + [ctypes.c_double] * 2
        arrays = (self._given, self._out, self._state, self._numbers)
        self._places = [ctypes.addressof(one) for one in arrays]

    def step(self, rate: float = 0.0, air: float = 0.0, density: float = 0.0) -> Any:
        """Torque [N m], force [N], stored [J], supplied and lost [W] after `DT`."""
        self._given[:] = [rate, air, density]
        self._step(*self._places, 0.0, DT)
        return self._out


def drift(wing: Wing, steps: int) -> float:
    """How far the energy of a wing without damping, bent and let go, strays in all steps, by what it was."""
    energies = [wing.step()[STORED] for _ in range(steps)]
    return float(np.ptp(energies) / energies[0])


def balance(wing: Wing, seconds: float = 10.0) -> float:
    """Stored less supplied plus lost [J] of a wing driven at 3 Hz in a wind, by all that went through its ports."""
    supplied = lost = moved = stored = 0.0
    for k in range(round(seconds / DT)):
        rate, air = 8.0 * math.sin(6.0 * math.pi * k * DT), 2.0 + math.sin(2.0 * k * DT)
        out = wing.step(rate, air, 1.2)
        power = -out[TORQUE] * rate - out[FORCE] * air
        supplied, moved, lost = supplied + power * DT, moved + abs(power) * DT, lost + out[LOST] * DT
        stored = out[STORED]
    return abs(stored - supplied + lost) / moved


def rows(full: bool) -> Iterator[Row]:
    """Drift without losses, and the balance of a wing that flaps in air."""
    steps = MORE_STEPS if full else STEPS
    undamped = f"port-Hamiltonian wing without damping: spread of its energy over {steps} steps, by the start's"
    flapping = "port-Hamiltonian wing flapping in wind for 10 s: stored - supplied + lost, by what passed its ports"
    try:
        still, moving = Wing(0.3, damping=0.0), Wing()
    except InputError as error:
        for key, quantity in (("morphing_ports_drift", undamped), ("morphing_ports_balance", flapping)):
            yield missing(key, SOURCE, quantity, str(error))
        return
    yield at_most("morphing_ports_drift", SOURCE, undamped, BOUND, drift(still, steps))
    yield at_most("morphing_ports_balance", SOURCE, flapping, BOUND, balance(moving))
