"""`--foxglove` and `--rerun`: others who look on while a world flies."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from cupola.cli.screen import say
from cupola.record.world_recorder import WorldRecorder
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

FOXGLOVE, RERUN = "foxglove", "rerun"
PORT = 8765
"""Of Foxglove's WebSocket, where that is free; else any."""


@contextlib.contextmanager
def looking_on(world: World, viewers: tuple[str, ...]) -> Iterator[None]:
    """As long as this lasts, the viewers see what a recording would hold."""
    taps = [_foxglove(world) if name == FOXGLOVE else _rerun(world) for name in viewers]
    world.observers += taps
    why = "it was stopped"
    try:
        yield
        why = ""
    except BaseException as error:
        why = str(error) or type(error).__name__
        raise
    finally:
        for tap in taps:
            with contextlib.suppress(Exception):  # the first error is the one to see
                tap.close(why)


def _foxglove(world: World) -> WorldRecorder:
    from cupola.bridge.viewers.foxglove import FoxgloveServer

    made: list[FoxgloveServer] = []

    def server(*given: object, **told: object) -> FoxgloveServer:
        for port in (PORT, 0):
            with contextlib.suppress(*([InputError] if port else [])):
                made.append(FoxgloveServer(*given, model=world.model, port=port, **told))  # type: ignore[arg-type]
                return made[-1]
        raise AssertionError  # the second try raises by itself

    tap = WorldRecorder(world, Path(world.name), into=server)
    say(f"Foxglove: open connection, WebSocket, ws://127.0.0.1:{made[0].port}; show /scene in its 3D panel")
    return tap


def _rerun(world: World) -> WorldRecorder:
    from cupola.bridge.viewers.rerun import RerunViewer

    made: list[RerunViewer] = []

    def viewer(*given: object, **told: object) -> RerunViewer:
        made.append(RerunViewer(*given, model=world.model, name=world.name, **told))  # type: ignore[arg-type]
        return made[-1]

    tap = WorldRecorder(world, Path(world.name), into=viewer)
    say(f"Rerun: start the viewer with `rerun {made[0].address}`")
    return tap
