"""The world of a recording, to be shown and not flown: its bodies and parts, without its controllers and its code."""

from pathlib import Path

from cupola.config.own_code import NOBODY
from cupola.config.vehicle import ControllerEntry
from cupola.record.held_files import HeldRecording
from cupola.schema.trust import Trust
from cupola.sim.world import World


def world_of(held: HeldRecording, path: Path) -> World:
    """The recorded world with idle controllers and without any code: parts that were code are shown."""
    scenario = held.scenario
    nobody = ControllerEntry(use=NOBODY, rate_hz=scenario.physics_hz)
    vehicles = [entry.model_copy(update={"controller": nobody}) for entry in scenario.vehicles]
    # What happened on the way is in the recorded states.
    nothing: dict[str, object] = {"faults": (), "changes": (), "pushes": (), "measures": {}}
    shown = scenario.model_copy(update={"vehicles": tuple(vehicles), **nothing})
    no_code = Trust(leaves_out=True)
    return World(shown, name=path.stem, source=str(path), trust=no_code, held=held.held)
