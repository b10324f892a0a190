"""Parameters of controllers: what is set before the start is there in `reset`; arrays; what a recording says."""

import pytest

import cupola
from cupola.record.read import Recording
from cupola.record.world_recorder import WorldRecorder

HEADER = """
import numpy as np
from typing import NamedTuple
from cupola import Controller, parameter
"""
COMPUTES = """
class Computes(Controller):
    q = parameter(2.0, low=0, high=100, about="what the gain is computed from")
    gain = parameter([[0.0, 0.0]], low=-1e6, high=1e6)
    def reset(self):
        super().reset()
        self.gain = [[np.sqrt(self.q), 2.0 * self.q]]
    def step(self, obs, ref):
        return [self.gain[0, 0] / 10.0, self.gain[0, 1] / 100.0]
"""
FOLLOWS = (
    COMPUTES.replace("Computes", "Follows")
    + """
    def on_tune(self, name):
        self.gain = [[np.sqrt(self.q), 2.0 * self.q]]
"""
)
LAWFUL = """
class One(NamedTuple):
    calls: float = 0.0

def law(obs, ref, state, p):
    return (p.gain[0, 0] / 10.0, p.gain[0, 1] / 100.0), One(state.calls + 1.0)

class Lawful(Controller):
    State = One
    law = staticmethod(law)
    q = parameter(2.0, low=0, high=100)
    start = parameter(0.0, low=0, high=100)
    gain = parameter([[0.0, 0.0]], low=-1e6, high=1e6)
    def reset(self):
        self.state = One(self.start)
        self.on_tune("q")
    def on_tune(self, name):
        if name == "q":
            self.gain = [[np.sqrt(self.q), 2.0 * self.q]]
"""


@pytest.fixture
def load(tmp_path):
    (tmp_path / "mine.py").write_text(HEADER + COMPUTES + FOLLOWS + LAWFUL)

    def made(cls: str, **options):
        return cupola.load("quadcopter", controllers={"quadcopter": f"{tmp_path}/mine.py:{cls}"}, **options)

    return made


def gain_flown(world) -> float:
    """The q whose gain was commanded."""
    world.step()
    first, second = world.command()[:2]
    assert second == pytest.approx(2.0 * (10.0 * first) ** 2 / 100.0)
    return float((10.0 * first) ** 2)


@pytest.mark.parametrize("cls", ["Computes", "Follows", "Lawful"])
@pytest.mark.parametrize("compiled", [True, False])
def test_what_is_set_before_the_start_is_there_in_reset(load, cls, compiled):
    world = load(cls, compiled=compiled)
    world.tune("quadcopter.q", 5.0)
    assert gain_flown(world) == pytest.approx(5.0)
    world.reset()  # and stays
    assert gain_flown(world) == pytest.approx(5.0)


@pytest.mark.parametrize("compiled", [True, False])
def test_a_law_starts_from_the_state_that_reset_made(load, compiled):
    world = load("Lawful", compiled=compiled)
    world.tune("quadcopter.start", 7.0)
    world.step()
    assert world.runner().state_now().calls == 8.0


@pytest.mark.parametrize("cls", ["Follows", "Lawful"])
def test_a_change_in_flight_is_followed_and_the_recording_says_what_was_flown(load, cls, tmp_path):
    world = load(cls)
    recorder = WorldRecorder(world, tmp_path / "flown.mcap")
    world.tune("quadcopter.q", 3.0)
    world.step(20)
    world.tune("quadcopter.q", 7.0)
    world.step(5)
    assert gain_flown(world) == pytest.approx(7.0)
    recorder.close()
    last = {change.name: change.value for change in Recording(tmp_path / "flown.mcap").parameters}
    assert last["quadcopter.q"] == 7.0 and last["quadcopter.gain[0,1]"] == 14.0


def test_a_change_in_flight_that_would_not_act_is_refused(load):
    world = load("Computes")
    world.step(20)
    with pytest.raises(cupola.InputError, match=r"Computes computes with q in reset.*on_tune"):
        world.tune("quadcopter.q", 7.0)
    assert world.parameters["quadcopter.q"][1] == 2.0


def test_arrays_are_set_whole_or_by_number_and_saved(load, tmp_path):
    world = load("Lawful")
    world.step(20)
    heard = []
    world.listeners.append(heard.append)
    world.tune("quadcopter.gain", [[4.0, 50.0]])
    world.tune("quadcopter.gain[0,0]", 6.0)
    assert [c.arguments for c in heard] == [("quadcopter.gain", [[4.0, 50.0]]), ("quadcopter.gain[0,0]", 6.0)]
    assert world.parameters["quadcopter.gain[0,0]"][1] == 6.0 and world.parameters["quadcopter.gain[0,1]"][1] == 50.0
    world.step(5)
    assert world.command()[:2].tolist() == [0.6, 0.5]
    saved = world.scenario_now().vehicles[0].controller.parameters["gain"]
    assert saved == [[6.0, 50.0]]
    for wrong, complaint in (
        ([1.0, 2.0], r"gain must be 1 × 2 numbers"),
        ([[1.0, 1e9]], r"gain must lie between -1e\+06 and 1e\+06"),
        ([[1.0, "x"]], r"gain must be 1 × 2 numbers"),
    ):
        with pytest.raises(cupola.InputError, match=complaint):
            world.tune("quadcopter.gain", wrong)
    with pytest.raises(cupola.InputError, match=r"no parameter 'quadcopter.gain\[1,0\]'"):
        world.tune("quadcopter.gain[1,0]", 1.0)
    with pytest.raises(cupola.InputError, match="must be a number"):
        world.tune("quadcopter.q", [1.0])


def test_a_snapshot_holds_arrays_too(load):
    world = load("Lawful")
    world.step(5)
    before = world.snapshot()
    world.tune("quadcopter.q", 50.0)
    world.restore(before)
    world.step(5)
    assert gain_flown(world) == pytest.approx(2.0)
