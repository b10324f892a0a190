"""A recording that another user opens in an empty folder, after its files are gone, shows the same to the bit."""

import contextlib
import os
import shutil

import pytest

import cupola
from cupola.config.vehicle import MODELS
from cupola.kernel.private_folder import private_base

from .test_compile_cache import AS_STRANGER, STRANGER, anywhere, needs, run

__all__ = ["anywhere"]
SHOW = """
import hashlib, os, sys
from pathlib import Path
from cupola.cockpit.replay import Replay

class Silent:
    def tell(self, message):
        pass

replay = Replay(Path(sys.argv[1]), Silent())
rows, pictures = 0, hashlib.sha256()
while True:
    replay.frame.fill()
    pictures.update(replay.frame.numbers.tobytes())
    rows += 1
    if not replay.step(1):
        break
print(os.getuid(), rows, pictures.hexdigest())
"""


def copy_if_there(source, target):
    """Others compile meanwhile: their files come under one name and go on under another."""
    with contextlib.suppress(FileNotFoundError):
        shutil.copy2(source, target)


@pytest.mark.timeout(600)  # it may have to compile first
def test_another_user_sees_the_same_in_an_empty_folder(anywhere):
    needs(*AS_STRANGER)
    mine = anywhere / "mine"
    shutil.copytree(MODELS / "quadcopter", mine / "bird")
    (mine / "w.yaml").write_text("vehicles: [{model: bird, controller: {use: quadcopter_waypoints}}]\n")
    world = cupola.load(str(mine / "w.yaml"))
    recorder = cupola.WorldRecorder(world, mine / "flight.mcap")
    world.observers.append(recorder)
    world.run(1.0)
    recorder.close()
    empty, cache = anywhere / "empty", anywhere / "cache"
    empty.mkdir()
    shutil.move(mine / "flight.mcap", empty / "flight.mcap")
    shutil.rmtree(mine)
    (empty / "flight.mcap").chmod(0o644)
    base = private_base()
    assert base is not None
    shutil.copytree(base, cache, copy_function=copy_if_there)  # so that nothing is compiled again
    ours = run(empty, "-c", SHOW, "flight.mcap", CUPOLA_CACHE=str(base))
    for path in (cache, *cache.rglob("*")):
        os.chown(path, STRANGER, STRANGER)
    theirs = run(empty, "-c", SHOW, "flight.mcap", before=AS_STRANGER, CUPOLA_CACHE=str(cache))
    assert theirs.stdout.split()[0] == str(STRANGER), theirs.stderr
    assert int(theirs.stdout.split()[1]) > 90 and theirs.stdout.split()[1:] == ours.stdout.split()[1:]
    assert sorted(path.name for path in empty.iterdir()) == ["flight.mcap"]
