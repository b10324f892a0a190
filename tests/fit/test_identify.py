"""Physical numbers from recordings whose truth is known."""

import numpy as np
import pytest

import cupola
from cupola import InputError
from cupola.fit.identify import fit, identify
from cupola.fit.recorded import Source
from cupola.fit.replay import Replay

TRUE = {"mass": 1.1, "inertia": 0.93, "k_motor": 0.98}
"""Factors on the model's numbers."""
NAMES = ["quadcopter.base.mass", "quadcopter.base.inertia_*", "quadcopter.motor*.k_motor"]
NOISE = np.repeat([0.05, 0.005], 3)
"""[m/s², rad/s] of a sample."""


def record(path, seconds=2.0, noise=1.0, **changes):
    """A flight of a quadcopter that is not what its model says."""
    sticks = [
        {"time": 0.2 * k, "channels": [*(float(np.sin(a * k + 1.0)) for a in (2.1, 1.7, 0.9, 1.3))]}
        for k in range(int(5 * seconds))
    ]
    assisted = {"use": "multirotor_velocity", "rate_hz": 200, "channel": 4, "sticks": sticks}
    vehicle = {"model": "quadcopter", "position": [0, 0, 20], "mode": "assisted", "assisted": assisted}
    vehicle["parts"] = {"imu": {"rate_hz": 200, "accel_noise": 0.002 * noise, "rate_noise": 0.0002 * noise}}
    content: dict = {"physics_hz": 400, "duration": seconds, "record": {"rate_hz": 200.0}, "vehicles": [vehicle]}
    world = cupola.load(cupola.Scenario(**{**content, **changes}))
    recorder = cupola.WorldRecorder(world, path)  # first: what is tuned afterwards is not in its scenario
    now = world.inertia("quadcopter/base")
    moments = [TRUE["inertia"] * m for m in now.about_com]
    world.set_inertia("quadcopter/base", TRUE["mass"] * now.mass, now.com_b, moments)
    for k in range(1, 5):
        world.tune(f"quadcopter.motor{k}.k_motor", 80.0 * TRUE["k_motor"])
    world.observers.append(recorder)
    world.run()
    recorder.close("")
    return path


@pytest.fixture(scope="module")
def flight(tmp_path_factory):
    return record(tmp_path_factory.mktemp("fit") / "flight.mcap", noise=0.0)


def test_mass_inertia_and_thrust_come_out_of_a_noisy_recording(tmp_path):
    found = identify(record(tmp_path / "noisy.mcap"), NAMES)
    for one, true in zip(found.numbers, TRUE.values(), strict=True):
        assert one.low <= true * one.model <= one.high
        assert one.high - one.low < 0.1 * one.model
    assert found.noise["accelerometer"] == pytest.approx(0.002 * np.sqrt(200.0), rel=0.2)
    assert found.after["accelerometer"] < 0.2 * found.before["accelerometer"]
    assert found.after["accelerometer"] == pytest.approx(found.noise["accelerometer"], rel=0.3)


def test_intervals_are_as_wide_as_the_values_scatter(tmp_path):
    source = Source(cupola.Recording(record(tmp_path / "exact.mcap", 1.0, noise=0.0)))
    replay = Replay(source, NAMES, None, 0.25)
    exact, off = replay.flight.measured, []
    for seed in range(8):
        noisy = exact + NOISE * np.random.default_rng(seed).normal(size=exact.shape)
        found = fit(replay, noisy, 0.0).numbers
        sigma = [(one.high - one.low) / (2.0 * 1.96) for one in found]
        off.append([(n.value - true * n.model) / s for n, true, s in zip(found, TRUE.values(), sigma, strict=True)])
    replay.close()
    # The mean of eight squares of unit normals lies in here in 99 of 100 draws.
    assert all(0.16 < one < 2.75 for one in np.mean(np.square(off), axis=0))


def test_what_cannot_be_found_is_said(flight, tmp_path):
    with pytest.raises(InputError, match="cannot be told apart"):
        identify(flight, ["quadcopter.motor1.s_prop", "quadcopter.motor1.c_prop"])
    with pytest.raises(InputError, match="maas"):
        identify(flight, ["quadcopter.base.maas"])
    with pytest.raises(InputError, match="each once"):
        identify(flight, ["quadcopter.base.mass"] * 2)
    slow = record(tmp_path / "slow.mcap", 0.2, record={"rate_hz": 50.0})
    with pytest.raises(InputError, match=r"record: {rate_hz: 200}"):
        identify(slow, ["quadcopter.base.mass"])


def test_what_the_scenario_did_at_its_times_is_told_and_left_out(tmp_path, caplog):
    """Pieces of the flight are flown again from their own beginnings, when those times are others."""
    push = {"time": 0.1, "duration": 0.05, "body": "quadcopter/base", "force_w": [1.0, 0.0, 0.0]}
    fault = {"time": 0.15, "part": "quadcopter.motor1", "kind": "off"}
    change = {"time": 0.1, "number": "quadcopter.motor1.k_motor", "value": 79.0}
    told = {"pushes": [push], "faults": [fault], "changes": [change]}
    source = Source(cupola.Recording(record(tmp_path / "pushed.mcap", 0.2, **told)))
    for what in told:
        assert getattr(source.scenario, what) == ()
        assert f"the {what} of the recording are not known to a fit" in caplog.text
