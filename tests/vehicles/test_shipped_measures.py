"""The measures of shipped scenarios: all can be measured, and those of whole flights say what happened."""

import math
from typing import Any

import numpy as np
import pytest

import cupola
from cupola import InputError
from cupola.config.scenario import MODES, Scenario, find_scenario, shipped_scenarios
from cupola.sim.world import World

NO_MISSION = {"idle", "pass_through", "hexacopter_pd", "stroke"}
"""Controllers without phases: sticks, or an endless motion."""


@pytest.mark.parametrize("name", shipped_scenarios())
def test_measures_name_signals_that_exist_and_missions_tell_their_phase(name):
    world: Any = cupola.load(name)
    assert world.scenario.measures
    world.step(50)
    measures = world.measures()
    assert list(measures) == list(world.scenario.measures)
    assert all(measure.unit not in ("", "?") for measure in measures.values())
    names = {signal.name for signal in world.signals()}
    for instance in world.instances:
        use = instance.resolved.specs[instance.resolved.mode].entry.use
        before = "" if instance.resolved.mode == "mission" else f"{instance.resolved.mode}."
        if use not in NO_MISSION:
            phase = f"{instance.name}.controller.{before}phase"
            assert phase in names
            told, phases = world.signal(phase), world.runner(instance.name).controller.phases
            assert phases[int(told)]
    assert set(MODES) == {"mission", "assisted", "raw"}


def test_the_square_is_measured():
    world: Any = cupola.load("square")
    rows = []
    while world.time < world.scenario.duration:
        world.run(0.1)
        rows.append((world.signal("quadcopter.attitude"), world.mission()))
    found = world.measures()
    tilt = max(math.hypot(attitude[0], attitude[1]) for attitude, _ in rows)
    assert found["largest tilt"].value == pytest.approx(tilt, rel=0.2) and found["largest tilt"].unit == "rad"
    assert found["largest tilt"].value >= tilt
    landed = next(0.1 * (k + 1) for k, (_, mission) in enumerate(rows) if mission == "landed")
    assert found["landed after"].value == pytest.approx(landed, abs=0.11)
    assert 0.0 < found["tracking error"].value < found["largest tracking error"].value < 0.5
    assert found["landed off the point"].value < 0.2


def test_the_capture_is_measured():
    world: Any = cupola.load("cepheus_capture")
    words, times = [], []
    while world.mission("chaser") != "end" and world.time < 20.0:
        world.run(0.05)
        words.append(world.mission("chaser"))
        times.append(world.time)
    world.run(0.5)
    found = {name: measure.value for name, measure in world.measures().items()}
    assert found["time of contact"] == pytest.approx(times[words.index("contact")], abs=0.06)
    assert found["time of capture"] == pytest.approx(times[words.index("settle")], abs=0.06)
    assert found["end of the mission"] == pytest.approx(times[words.index("end")], abs=0.06)
    assert found["gas used"] > 0.0
    # It grows from the touch to the 0.3 N that are wanted; the sensor's noise is 0.02 N.
    assert 0.25 < found["largest push in contact"] < found["peak force"] < 0.5  # and no weight before the tare


OWN = """
from cupola import Controller

class Mine(Controller):
    def step(self, obs, ref):
        return [0.5] * 4
"""


@pytest.fixture
def falling(vehicle, make_world):
    body = (
        '<body name="base"><freejoint/><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/><site name="here"/></body>'
    )
    truth = {"kind": "truth", "site": "here", "rate_hz": 50, "delay": 0.1}
    folder = vehicle(body, parts={"truth": truth})

    def make(**measures):
        return make_world({"model": folder, "velocity_b": [3, 0, 4]}, physics_hz=1000, gravity=10, measures=measures)

    return make


def test_a_throw_is_measured(falling):
    world = falling(
        top="max(toy.position.z)",
        when="time_of(toy.velocity.z <= 0)",
        way="integral(toy.speed)",
        speed="max(toy.speed)",
        yaw="max(abs(toy.attitude.yaw))",
        late="first(toy.truth.pos_w.x)",
        seen="final(toy.truth.pos_w.x)",
        rising="duration(toy.velocity.z > 0 and time > 0.1 s)",
    )
    world.run(1.0)
    found = {name: measure.value for name, measure in world.measures().items()}
    # Semi-implicit Euler at 1 ms lags by half a step: 5 mm of height; rows are 10 ms apart.
    assert found["top"] == pytest.approx(0.8, abs=0.005)
    assert found["when"] == pytest.approx(0.4, abs=0.011)
    assert found["rising"] == pytest.approx(0.29, abs=0.011)
    t = np.linspace(0.0, 1.0, 10001)
    assert found["way"] == pytest.approx(np.trapezoid(np.hypot(3.0, 4.0 - 10.0 * t), t), rel=0.002)
    assert found["speed"] == pytest.approx(math.hypot(3.0, 6.0), rel=0.001)
    assert found["yaw"] == 0.0
    # A sample counts from when it is available: the last one was taken 0.1 s ago, and is at most 0.02 s older.
    assert found["late"] == 0.0
    assert found["seen"] == pytest.approx(3.0 * 0.9, abs=3.0 * 0.021)


def test_a_run_in_pieces_and_one_that_went_back_measure_the_same(falling):
    texts = {"way": "integral(toy.speed)", "seen": "mean(toy.truth.pos_w.x)", "top": "max(toy.position.z)"}
    whole, pieces = falling(**texts), falling(**texts)
    whole.run(1.0)
    pieces.run(0.3)
    kept = pieces.snapshot()
    pieces.run(0.5)
    pieces.restore(kept)
    pieces.run(0.35)
    pieces.run(0.35)
    assert pieces.measures() == whole.measures()
    pieces.reset()
    pieces.run(1.0)
    assert pieces.measures() == whole.measures() != {}


def test_measuring_changes_nothing(falling, digest):
    with_measures, without = falling(top="max(toy.position.z)"), falling()
    for world in (with_measures, without):
        world.run(0.5)
    assert digest(with_measures) == digest(without)
    assert without.measures() == {}


def test_a_wrong_measure_is_refused_when_the_file_is_read():
    entry = {"vehicles": [{"model": "quadcopter"}]}
    with pytest.raises(ValueError, match="tilt: character 5: expected a number"):
        Scenario.model_validate({**entry, "measures": {"tilt": "rms("}})
    with pytest.raises(ValueError, match="name of 1 to 60 characters"):
        Scenario.model_validate({**entry, "measures": {"x" * 61: "1"}})


def test_a_wrong_name_is_refused_when_the_world_is_built():
    scenario, folder = find_scenario("quadcopter")
    wrong = scenario.model_copy(update={"measures": {"error": "rms(quadcopter.controller.eror.x)"}})
    with pytest.raises(InputError, match=r"here: measures\.error: character 5: .*quadcopter\.controller has: position"):
        World(wrong, folder, source="here")


def test_another_controller_need_not_tell_what_a_measure_asks_for(caplog, tmp_path):
    (tmp_path / "mine.py").write_text(OWN)
    world: Any = cupola.load("square", controllers={"quadcopter": f"{tmp_path / 'mine.py'}:Mine"})
    world.run(0.5)
    found = world.measures()
    assert found["tracking error"] == (None, "")
    assert found["largest tilt"].value is not None
    assert "tracking error is not measured" in caplog.text
