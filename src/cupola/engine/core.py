"""The core's own entries in the stages: air, a round Earth, floor, observation. Compiled one by one, as kinds are."""

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from cupola.engine.adapters import BATCH
from cupola.engine.integrate import runge_kutta_step, split_step
from cupola.engine.sampling import sense
from cupola.kernel.air import sample_air, start_gusts, step_gusts
from cupola.kernel.floor import set_patches
from cupola.kernel.jit import compile_text, is_kept, sources
from cupola.kernel.memory import open_views
from cupola.kernel.observation import observe
from cupola.kernel.planet import pull

TEXT = "def run(table, rows, count, x):\n    body(open_views(table))\n    return 0\n"
TEXT_OF_STEP = "def run(table, rows, count, x):\n    return body(open_views(table))\n"


class WorldTraits(NamedTuple):
    """What decides which functions of the core a world needs."""

    round_earth: bool
    patches: bool
    """Whether its floor has patches of other friction."""
    sensors: bool
    runge_kutta: bool


class CoreEntry(NamedTuple):
    """A function of the core in a stage; it goes before all parts."""

    stage: str
    function: Callable[[Any], Any]
    wanted: Callable[[WorldTraits], bool] = lambda world: True

    @property
    def name(self) -> str:
        """What it is called."""
        return self.function.__name__


ENTRIES = (
    CoreEntry("start", start_gusts),
    CoreEntry("gusts", step_gusts),
    CoreEntry("publish", sample_air),
    CoreEntry("air", sample_air),
    CoreEntry("load", pull, lambda world: world.round_earth),
    CoreEntry("contact", set_patches, lambda world: world.patches),
    CoreEntry("integrate", split_step, lambda world: not world.runge_kutta),
    CoreEntry("integrate", runge_kutta_step, lambda world: world.runge_kutta),
    CoreEntry("observe", observe),
    CoreEntry("sense", sense, lambda world: world.sensors),
)


@functools.cache
def compiled_core(name: str) -> Any:
    """The C function of a core entry; it has an `address`."""
    return compile_text(BATCH, name, _text(name), *_prepared(name))


def is_core_cold(name: str) -> bool:
    """Whether it must be compiled first."""
    return not is_kept(_prepared(name)[1], name, _text(name))


def _text(name: str) -> str:
    return TEXT_OF_STEP if name.endswith("_step") else TEXT


def _prepared(name: str) -> tuple[dict[str, Any], frozenset[Path]]:
    function = next(entry.function for entry in ENTRIES if entry.name == name)
    return {"body": function, "open_views": open_views}, sources(function) | sources(_prepared)
