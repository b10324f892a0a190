"""Autopilots that are killed at random: the run ends within its time-out, and the recording is whole.

Each is killed 20 times, or as often as CUPOLA_KILLS says.
"""

import os
import random
import time

import pytest

import cupola
from cupola.bridge.lockstep.protocol import PeerError
from cupola.config.vehicle import Vehicle
from cupola.record.read import Recording
from cupola.record.world_recorder import WorldRecorder

from . import autopilot_peers as peers

KILLS = int(os.environ.get("CUPOLA_KILLS", "20"))
TIMEOUT = 0.05
SENSORS = {
    f"parts.{kind}": {"kind": kind, "site": "base", "rate_hz": rate}
    for kind, rate in (("barometer", 50), ("gnss", 400), ("magnetometer", 100))
}
LAWS = {"px4": peers.lift}


def world_for(name):
    vehicle = "cessna" if name == "xplane" else "quadcopter"
    loaded = Vehicle.load(vehicle)
    site = next(part.at_site() for part in loaded.parts.values() if part.at_site())
    added = {key: {**part, "site": site} for key, part in SENSORS.items()}
    return cupola.load(vehicle, controllers={vehicle: name}, vehicles={vehicle: loaded.with_(added)})


@pytest.mark.parametrize("name", ["ardupilot", "betaflight", "px4", "xplane"])
def test_a_peer_that_is_killed_at_random_ends_the_run_with_a_whole_recording(name, tmp_path):
    world, chance = world_for(name), random.Random(11)
    who = world.instances[0].name
    told = {"version": 26.06} if name == "betaflight" else {}
    for parameter, value in {"port": 0.0, "patience": 60.0, "timeout": TIMEOUT, **told}.items():
        world.tune(f"{who}.{parameter}", value)
    pilot = world.runner().controller
    for k in range(KILLS):
        frames = chance.randrange(3, 40)  # Betaflight answers the two last states that wake it
        world.reset()
        law = {"law": LAWS[name]} if name in LAWS else {}
        thread = peers.background(peers.PEERS[name], pilot.open(), frames=frames, **law)
        path = tmp_path / f"{k}.mcap"
        recorder = WorldRecorder(world, path)
        world.observers.append(recorder)
        began = time.monotonic()
        with pytest.raises(PeerError, match="the run ended at") as end:
            world.run(5.0)
        took = time.monotonic() - began
        recorder.close(str(end.value))
        thread.join(30.0)
        recording = Recording(path)
        assert recording.is_complete and recording.interrupted == str(end.value)
        assert float(recording.table("/tf")["time"][-1]) == pytest.approx(world.time, abs=0.02)
        assert 0.0 < world.time < 0.6 and not world.command().any()
        assert took < 60.0  # and not for ever; what a busy machine adds is not counted
        path.unlink()
    pilot.close()
