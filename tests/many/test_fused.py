"""The back-end `fused`: the flight as one generated text is the flight of a single world.

The texts themselves, that of one world (GPU) and that of worlds side by side (processor), run in plain Python, which
shows for every vehicle that they are right; one of them is compiled.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba.core import types
from scipy import stats

import cupola
from cupola import InputError
from cupola.bench.gpu import difference, no_gpu
from cupola.engine.inlined import Inliner, on_the_processor
from cupola.engine.lane_math import lane_cos, lane_sin
from cupola.many.flight_code import compiled as compile_flight
from cupola.many.flight_code import identity
from cupola.many.flight_template import CALM, INSTEAD
from cupola.many.flight_text import Writer
from cupola.many.lanes import LaneWriter

from .plain_flights import PlainBatch, PlainFlock

WINDY = {"density": 1.225, "wind": {"speed": 2.0, "from_deg": 250.0, "height": 10.0, "exponent": 0.15}}
WINDY["turbulence"] = {"sigma": [0.5, 0.5, 0.3], "length": [60.0, 60.0, 20.0]}
NOISE = {"imu": {"accel_noise": 0.002, "rate_noise": 0.0003, "rate_walk": 1e-5, "accel_drift": 0.01}}


def scenario(model: str, air: dict | None = None, **entry) -> cupola.Scenario:
    flying = {"quadcopter": {"mode": "assisted"}, "plane_3wing_2motor": {"velocity_b": [18.0, 0.0, 0.5]}}
    vehicle = {"model": model, "position": [0, 0, 50], "parts": NOISE, **flying.get(model, {}), **entry}
    content: dict = {"vehicles": [vehicle], "air": WINDY if air is None else air}
    return cupola.Scenario(**content)


@pytest.mark.parametrize("model", ["quadcopter", "crazyflie", "aerosonde", "plane_3wing_2motor"])
def test_the_text_of_the_flight_is_the_flight_of_a_single_world(model):
    given = scenario(model, {**WINDY, "density": None})
    plain = PlainBatch(given, 1, {}, None, False, "float64", 1)
    world = cupola.load(given)
    plain.step(3)
    plain.step(22)
    world.step(25)
    assert difference(plain, 0, world) < 1e-12  # rounding of 25 steps at 50 m


@pytest.mark.parametrize("model", ["quadcopter", "crazyflie", "aerosonde", "plane_3wing_2motor"])
def test_worlds_side_by_side_are_single_worlds(model):
    """Three in two lanes, so that one group has an empty lane; two start anew while one flies on, three ticks late."""
    given = scenario(model, {**WINDY, "density": None})
    plain = PlainFlock(given, 3, {}, None, False, "float64", 1)
    plain.step(3)
    plain.reset([0, 2])
    plain.step(12)
    assert plain.ticks.tolist() == [12, 15, 12]
    for i, ticks in enumerate(plain.ticks):
        world = cupola.load(given.with_(seed=given.seed + i))
        world.step(int(ticks))
        assert difference(plain, i, world) < 1e-12


def test_a_world_that_stops_leaves_those_beside_it_in_flight():
    falls = {"crazyflie.start.position[2]": [0.03, 50.0], "crazyflie.start.velocity_b[2]": [-3.0, 0.0]}
    plain = PlainFlock(scenario("crazyflie"), 2, falls, None, False, "float64", 1)
    plain.step(40)
    world = cupola.load(scenario("crazyflie").with_(seed=1 + plain.world.scenario.seed))
    world.step(40)
    assert list(plain.stopped) == [0] and "touches the floor" in plain.stopped[0]
    assert 0 < plain.ticks[0] < 40 and difference(plain, 1, world) < 1e-12
    before = plain.array[:, 0].copy()
    plain.step(3)
    assert (plain.array[:, 0] == before).all() and plain.ticks.tolist() == [plain.ticks[0], 43]


@pytest.mark.parametrize("floats", [np.float64, np.float32])
def test_sine_and_cosine_of_lanes_are_those_of_the_library(floats):
    x = np.concatenate([np.linspace(-40.0, 40.0, 20001), [0.0, 1e4, -1e4, 1e-9]]).astype(floats)
    bound = 4.0 * np.finfo(floats).eps  # of a number up to 1, from an angle whose quarter turns are exact
    for ours, exact in ((lane_sin, np.sin), (lane_cos, np.cos)):
        copy = Inliner(floats, lambda function: function).copy(ours)
        found = copy(x)
        assert found.dtype == floats
        assert np.abs(found - exact(x.astype(np.longdouble))).max() < bound


def test_constants_of_a_flight_in_float32_have_that_precision():
    given = scenario("crazyflie")
    plain = PlainBatch(given, 1, {}, None, False, "float32", 1)
    world = cupola.load(given)
    plain.step(5)
    world.step(5)
    assert plain.array.dtype == np.float32
    assert difference(plain, 0, world) < 2e-4  # 7 digits, and noise whose words have 24 of their 32 bits


def test_the_air_of_a_flight_in_float32_has_32_bits():
    """A GPU flies in float32 only if every branch of the air does, those that no flight takes too."""
    writer = Writer(cupola.load(scenario("crazyflie")), [], np.float32)
    flight = writer.write()
    told = "return wind_at(around, 0, at), wind_slope_w(around, at), atmosphere(height_of(around, at), AIR[0])"
    lines = ["def probe(seed, x):", *writer._fixed(), "at = Vector(x, x, x)", f"around = {CALM}", told]
    space = {**flight.names, "__name__": "cupola.many.flight"}
    exec("\n    ".join(lines), space)
    inliner = Inliner(np.float32, on_the_processor)
    inliner.replace(INSTEAD)
    probe = inliner.copy(space["probe"])
    probe.compile((types.int64, types.float32))
    answers = probe.nopython_signatures[0].return_type
    assert {number for answer in answers for number in answer} == {types.float32}


@pytest.mark.parametrize("model", ["quadcopter", "crazyflie", "aerosonde", "plane_3wing_2motor"])
def test_a_compiled_flight_is_kept_on_disk(model):
    flight = LaneWriter(cupola.load(scenario(model)), [], np.float64).write()
    said, files = identity(flight, compile_flight)
    assert files is not None and Path(compile_flight.__code__.co_filename) in files
    assert said != identity(flight._replace(text=flight.text + "#"), compile_flight)[0]


NUMBERS = {
    "crazyflie.base.mass": np.array([0.029, 0.030, 0.031]),
    "crazyflie.base.inertia_z": np.array([2.9e-5, 3.0e-5, 3.1e-5]),
    "crazyflie.motor1.k_thrust": stats.uniform(2.25e-8, 1e-9),
    "air.wind_speed": np.array([0.0, 2.0, 4.0]),
    "crazyflie.velocity_kp": np.array([4.0, 5.0, 6.0]),
    "crazyflie.start.position[0]": np.array([-1.0, 0.0, 1.0]),
}


@pytest.fixture(scope="module")
def compiled():
    given = scenario("crazyflie")
    return cupola.batch(given, 3, NUMBERS, seeds=[4, 5, 6], backend="fused")


def test_a_compiled_flight_of_ten_seconds_is_that_of_whole_worlds(compiled):
    compiled.reset()
    with cupola.batch(scenario("crazyflie"), 3, NUMBERS, seeds=[4, 5, 6]) as whole:
        compiled.run(10.0)
        whole.run(10.0)
        assert not compiled.stopped and compiled.ticks.tolist() == [20000] * 3
        for i, world in enumerate(whole.worlds):
            assert difference(compiled, i, world) < 1e-9


AGAIN = """
from numba.core import event
from tests.many.test_fused import NUMBERS, scenario
import cupola

with event.install_recorder("numba:compile") as compilations:
    batch = cupola.batch(scenario("crazyflie"), 3, NUMBERS, seeds=[4, 5, 6], backend="fused")
batch.run(0.1)
print(len(compilations.buffer), batch.array.tobytes().hex())
"""


def test_another_process_loads_the_compiled_flight(compiled):
    here = {**os.environ, "PYTHONPATH": os.fspath(Path(__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", AGAIN], env=here, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    compilations, state = done.stdout.split()
    compiled.reset()
    compiled.run(0.1)
    assert compilations == "0" and state == compiled.array.tobytes().hex()


def test_sticks_masks_and_what_touches_the_floor(compiled):
    compiled.reset()
    compiled.run(0.5)
    compiled.reset(np.array([False, True, False]))
    assert compiled.ticks.tolist() == [1000, 0, 1000]
    compiled.set("crazyflie.start.position[2]", 0.02, mask=[2])
    compiled.reset([2])
    compiled.set("crazyflie.sticks", [[0.5, 0, 0, 0], [-0.5, 0, 0, 0], [0, 0, 0, -1.0]])
    compiled.run(1.0)
    assert list(compiled.stopped) == [2] and "touches the floor" in compiled.stopped[2]
    assert compiled.alive.tolist() == [True, True, False]
    y = compiled.observe(["crazyflie.velocity.y"])[:, 0]
    assert y[0] < -0.1 and y[1] > 0.1
    compiled.set("crazyflie.start.position[2]", 50.0)
    compiled.reset()
    assert not compiled.stopped


def test_another_value_of_a_number_that_worlds_have_of_their_own(compiled):
    others = {**NUMBERS, "crazyflie.base.mass": np.array([0.029, 0.030, 0.033])}
    compiled.set("crazyflie.base.mass", others["crazyflie.base.mass"])
    compiled.reset()
    with cupola.batch(scenario("crazyflie"), 3, others, seeds=[4, 5, 6]) as whole:
        compiled.run(0.5)
        whole.run(0.5)
        assert difference(compiled, 2, whole.worlds[2]) < 1e-10
    compiled.set("crazyflie.base.mass", NUMBERS["crazyflie.base.mass"])


def test_what_a_flight_does_not_keep_is_refused_by_name(compiled):
    with pytest.raises(InputError, match=r"crazyflie\.motor1\.thrust is not kept"):
        compiled.observe(["crazyflie.motor1.thrust"])
    with pytest.raises(InputError, match="no history to measure"):
        compiled.measures()
    with pytest.raises(InputError, match="no history to record"):
        compiled.record([0], "out")


KARMAN = {"spectrum": "von_karman", "sigma": [1, 1, 1]}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (cupola.Scenario.load("omni_solo"), r"the kind \w+ acts in the stages contact and before_step"),
        (cupola.Scenario.load("landing_on_base"), "several vehicles"),
        (scenario("quadcopter").with_(integrator="RK4"), "integrator is not Euler"),
        (cupola.Scenario.load("vtol_mission"), r"use the back-end threads|the back-end threads can"),
        (scenario("quadcopter").with_(air={"turbulence": KARMAN}), "turbulence is von Kármán's"),
    ],
    ids=["contact", "two", "RK4", "joints", "von_karman"],
)
def test_what_cannot_be_flown_as_one_piece_is_refused_by_name(given, said):
    with pytest.raises(InputError, match=said):
        cupola.batch(given, 1, backend="fused")


def test_numbers_of_the_scenario_file_and_other_precisions_are_refused():
    with pytest.raises(InputError, match="for the back-end threads"):
        cupola.batch(scenario("crazyflie"), 1, {"scenario.gravity": 3.0}, backend="fused")
    with pytest.raises(InputError, match="float64 or float32, got 'half'"):
        cupola.batch(scenario("crazyflie"), 1, backend="fused", precision="half")


def test_a_machine_without_a_gpu_says_so_in_one_sentence():
    if why := no_gpu():
        assert (why.startswith("cuda: ") and "fused" in why) or "numba-cuda is not installed" in why
        with pytest.raises(InputError, match="cuda: "):
            cupola.batch(scenario("crazyflie"), 1, backend="cuda")
    else:
        with cupola.batch(scenario("crazyflie"), 2, backend="cuda", precision="float64") as worlds:
            world = cupola.load(scenario("crazyflie"))
            worlds.run(0.5)
            world.run(0.5)
            assert difference(worlds, 0, world) < 1e-9
