"""Ground stations and viewers that are killed at random: the world flies on to the bit, and the next one is served.

Each is killed 5 times (Rerun's program, which is large, twice), or as often as CUPOLA_KILLS says.
"""

import importlib
import os
import random
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Subprotocol

import cupola
from cupola.bridge.viewers import foxglove as foxglove_viewer
from cupola.bridge.viewers.rerun import RerunViewer
from cupola.record.read import Recording
from cupola.record.world_recorder import WorldRecorder

from .test_mavlink_station import free_port

USUAL = 5
KILLS = int(os.environ.get("CUPOLA_KILLS", USUAL))
BATCH = 0.02
STATION = """
import socket, sys
link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
link.bind(("127.0.0.1", int(sys.argv[1])))
words = [bytes.fromhex(word) for word in sys.argv[2:]]
told = False
while True:
    _, vehicle = link.recvfrom(65535)
    for word in words:
        link.sendto(word, vehicle)
    told or print("met", flush=True)
    told = True
"""
VIEWER = """
import json, sys
from websockets.sync.client import connect
from websockets.typing import Subprotocol
with connect(f"ws://127.0.0.1:{sys.argv[1]}", subprotocols=[Subprotocol("foxglove.sdk.v1")], max_size=None) as link:
    channels = []
    while not channels:
        channels = json.loads(link.recv()).get("channels", [])
    asked = [{"id": k, "channelId": one["id"]} for k, one in enumerate(channels)]
    link.send(json.dumps({"op": "subscribe", "subscriptions": asked}))
    told = False
    for message in link:
        told or print("met", flush=True)
        told = True
"""


def alone(duration):
    """Where a world without a watcher is then."""
    world = cupola.load("quadcopter")
    world.run(duration)
    return world.data.qpos.copy()


def kill_at_random(command, turn, met=None, kills=KILLS):
    """Start a watcher, go on until it has met the world, then for some turns; kill it, and go on without it.

    `met` tells when it has; else it says so.
    """
    chance = random.Random(7)
    for k in range(kills):
        words = [word.format(k=k) for word in command] if met else command
        watcher = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL if met else None)
        os.set_blocking(watcher.stdout.fileno(), False)
        while not (met(k) if met else watcher.stdout.read()):
            turn()
            time.sleep(BATCH)
            assert watcher.poll() is None
        for _ in range(chance.randrange(20)):
            turn()
        watcher.kill()
        for _ in range(5):
            turn()
        watcher.wait()
        watcher.stdout.close()


def test_a_ground_station_that_is_killed_stops_nothing_and_the_next_is_met(tmp_path):
    mavutil = pytest.importorskip("pymavlink.mavutil", reason="pip install 'cupola[mavlink]'")
    from cupola.bridge.mavlink.station import Station

    said = mavutil.mavlink.MAVLink(None, srcSystem=250)
    # It dies in the midst of what it does: reading the parameters and writing a mission of which no item follows.
    words = [
        said.heartbeat_encode(6, 8, 0, 0, 4, 3),
        said.param_request_list_encode(1, 1),
        said.mission_count_encode(1, 1, 3),
    ]
    world, port = cupola.load("quadcopter"), free_port()
    tape = WorldRecorder(world, tmp_path / "flight.mcap")
    world.observers.append(tape)
    station = Station(world, ("127.0.0.1", port))

    def turn():
        station.exchange()
        world.run(BATCH)

    told = [str(port), *(word.pack(said).hex() for word in words)]
    kill_at_random([sys.executable, "-c", STATION, *told], turn)
    station.close()
    tape.close()
    assert Recording(tape.path).is_complete
    np.testing.assert_array_equal(world.data.qpos, alone(world.time))  # nothing that it began was done


def test_a_viewer_that_is_killed_stops_nothing_and_the_next_is_served(tmp_path):
    pytest.importorskip("foxglove", reason="pip install 'cupola[foxglove]'")
    world = cupola.load("quadcopter")
    tape = WorldRecorder(world, tmp_path / "flight.mcap")
    world.observers.append(tape)
    made = []
    server = partial(foxglove_viewer.FoxgloveServer, model=world.model, port=0)
    live = WorldRecorder(world, "x", into=lambda *given, **told: made.append(server(*given, **told)) or made[-1])
    world.observers.append(live)
    kill_at_random([sys.executable, "-c", VIEWER, str(made[0].port)], lambda: world.run(BATCH))
    old = Subprotocol("foxglove.websocket.v1")
    with pytest.raises(InvalidStatus, match="400"), connect(f"ws://127.0.0.1:{made[0].port}", subprotocols=[old]):
        pass
    world.run(BATCH)
    live.close()
    tape.close()
    assert Recording(tape.path).is_complete
    np.testing.assert_array_equal(world.data.qpos, alone(world.time))


def test_a_program_of_rerun_that_is_killed_stops_nothing_and_the_next_is_served(tmp_path):
    """Rerun's own, which writes what it is shown to a file: it has met the world when there is something in it."""
    pytest.importorskip("rerun", reason="pip install 'cupola[rerun]'")
    program = Path(importlib.import_module("rerun_cli").__path__[0]) / "rerun"  # not the script that starts it
    world = cupola.load("quadcopter")
    tape = WorldRecorder(world, tmp_path / "flight.mcap")
    world.observers.append(tape)
    made = []
    viewer = partial(RerunViewer, model=world.model, name="quadcopter")
    live = WorldRecorder(world, "x", into=lambda *given, **told: made.append(viewer(*given, **told)) or made[-1])
    world.observers.append(live)

    def met(k):
        seen = tmp_path / f"{k}.rrd"
        return seen.exists() and seen.stat().st_size > 10_000

    command = [str(program), made[0].address, "--port", str(free_port()), "--save", str(tmp_path / "{k}.rrd")]
    kill_at_random(command, lambda: world.run(BATCH), met, kills=min(KILLS, 2) if KILLS == USUAL else KILLS)
    live.close()
    tape.close()
    assert Recording(tape.path).is_complete
    np.testing.assert_array_equal(world.data.qpos, alone(world.time))
