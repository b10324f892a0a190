"""A controller given in Python as a class or an instance, instead of by name or file."""

from typing import Any

import numpy as np

from cupola.config.controller import Controller
from cupola.config.vehicle import ControllerEntry
from cupola.schema.plugins import reference
from cupola.schema.yaml_files import InputError

GivenController = type[Controller] | Controller


def _plain(who: Controller) -> dict[str, Any]:
    """Its parameters as in a file; those of the robot are not known yet."""
    return {name: np.asarray(value).tolist() for name, value in who.values.items() if value is not None}


def given_entry(
    usual: ControllerEntry, who: str | GivenController, source: str
) -> tuple[ControllerEntry, GivenController | None]:
    """The entry of a vehicle with another controller, and the class or instance where `who` is one."""
    if isinstance(who, str):
        return usual.model_copy(update={"use": who, "parameters": {}}), None
    if isinstance(who, Controller):
        if "values" not in vars(who):
            raise InputError(f"{source}: {type(who).__name__}.__init__ must call super().__init__() first")
        return usual.model_copy(update={"use": reference(type(who)), "parameters": _plain(who)}), who
    if isinstance(who, type) and issubclass(who, Controller):
        return usual.model_copy(update={"use": reference(who), "parameters": {}}), who
    raise InputError(
        f"{source}: expected a name from `cupola list`, file.py:Class, a class derived from cupola.Controller or an "
        f"instance of one, got {who!r}"
    )
