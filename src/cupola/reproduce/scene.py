"""A world whose one vehicle is written here as text, for experiments that no shipped vehicle can do."""

import json
import tempfile
from pathlib import Path
from typing import Any

from cupola.config.scenario import Scenario
from cupola.sim.world import World


def world_of(mjcf: str, vehicle: dict[str, Any], scenario: dict[str, Any], **entry: Any) -> World:
    """A world without a floor; `vehicle` and `scenario` are the content of such files, `entry` that of the vehicle."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "model.xml").write_text(mjcf)
        (Path(folder) / "vehicle.yaml").write_text(json.dumps({"about": "an experiment", **vehicle}))
        content = {"floor": None, **scenario, "vehicles": [{"model": folder, "name": "vehicle", **entry}]}
        return World(Scenario.model_validate_json(json.dumps(content)))
