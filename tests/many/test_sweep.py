"""Studies: which points follow from a file, and that an ended study goes on where it was, with the same results."""

from pathlib import Path

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet
from scipy.stats import qmc

import cupola
from cupola import InputError
from cupola.many.influence import influence, rank, share, table_of
from cupola.many.study import Study
from cupola.many.study_figure import draw_study
from cupola.many.sweep import read_results, sweep
from cupola.many.workers import here, processes
from cupola.schema.yaml_files import parse

SCENARIO = """
duration: 0.1
vehicles: [{model: crazyflie, position: [0, 0, 1]}]
measures:
  highest: max(crazyflie.position.z)
  speed: final(crazyflie.speed)
"""
STUDY = """
scenario: hop.yaml
numbers:
  crazyflie.base.mass: {low: 0.02, high: 0.04, levels: 3}
  crazyflie.start.position[0]: {values: [0, 1, 2]}
repeats: 2
"""


def study(**changes) -> Study:
    return parse(STUDY, "study", Study).with_(changes)


def test_points_of_each_method():
    runs = study().runs()
    assert len(runs["seed"]) == 18 and runs["seed"][:4].tolist() == [1, 2, 1, 2]
    assert sorted(set(runs["crazyflie.base.mass"])) == pytest.approx([0.02, 0.03, 0.04])
    for method in ("random", "latin", "sobol"):
        points = study(method=method, samples=32, repeats=1).points()
        mass, place = points["crazyflie.base.mass"], points["crazyflie.start.position[0]"]
        assert len(mass) == 32 and mass.min() >= 0.02 and mass.max() <= 0.04 and set(place) == {0.0, 1.0, 2.0}
        again = study(method=method, samples=32, repeats=1).points()
        assert (again["crazyflie.base.mass"] == mass).all()
        strata = np.floor((mass - 0.02) / 0.02 * 32).astype(int)
        assert (len(set(strata.tolist())) == 32) == (method != "random")  # the other two leave no gap
    spread_over_logarithm = parse(
        "{low: 1, high: 100, levels: 3, log: true}", "range", type(study().numbers["crazyflie.base.mass"])
    )
    assert spread_over_logarithm.grid() == pytest.approx([1.0, 10.0, 100.0])


@pytest.mark.parametrize(
    "wrong", ["{low: 1}", "{low: 2, high: 1}", "{values: [1], low: 0, high: 1}", "{low: 0, high: 1, log: true}"]
)
def test_ranges_that_mean_nothing_are_refused(wrong):
    with pytest.raises(InputError, match=r"low|values|log"):
        parse(f"{{scenario: hover, numbers: {{a: {wrong}}}}}", "study", Study)


class EndedError(Exception):
    pass


def test_an_ended_study_goes_on_and_its_runs_are_those_of_single_worlds(tmp_path):
    (tmp_path / "hop.yaml").write_text(SCENARIO)
    file = tmp_path / "study.yaml"

    def end(done, total):
        if done:
            raise EndedError

    with pytest.raises(EndedError):
        sweep(study(), tmp_path / "out", file, processes(1), end)
    told = []
    results = sweep(study(), tmp_path / "out", file, processes(1), lambda done, total: told.append((done, total)))
    assert told[0] == (8, 18) and told[-1] == (18, 18)  # the first portion was kept
    table = parquet.read_table(results).to_pydict()
    assert table["run"] == list(range(18)) and set(table["stopped"]) == {""}
    k = 13
    world = cupola.load(tmp_path / "hop.yaml")
    now = world.inertia("crazyflie/base")
    world.set_inertia("crazyflie/base", table["crazyflie.base.mass"][k], now.com_b, now.about_com)
    world.start_at(position=[table["crazyflie.start.position[0]"][k], 0.0, 1.0])
    world.reset(table["seed"][k])
    world.run()
    assert table["speed"][k] == world.measures()["speed"].value
    found = influence(table_of(results), list(study().numbers))["speed"]
    assert abs(found["crazyflie.base.mass"].rank) > 0.9 > abs(found["crazyflie.start.position[0]"].rank)
    assert found["crazyflie.base.mass"].share > 0.9 > found["crazyflie.start.position[0]"].share


@pytest.mark.parametrize("folder", ["s3:bucket", "http:/x", "file:/etc", "~", "~root", "gs:b", "hdfs:h", "a b*?[1]"])
def test_a_folder_of_results_is_a_folder_whatever_it_is_called(tmp_path, monkeypatch, folder):
    """pyarrow takes such a path for an address on the network, or for another folder."""
    monkeypatch.chdir(tmp_path)
    path = Path(folder) / "results.parquet"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        parquet.write_table(pyarrow.table({"run": [0, 1], "speed": [1.0, 2.0]}), file)
    assert table_of(path)["speed"].tolist() == [1.0, 2.0]


@pytest.mark.parametrize("damage", [b"", b"PAR1", b"PAR1" + bytes(40) + b"PAR1", "cut", "bits"])
def test_damaged_results_are_named(tmp_path, damage):
    path = tmp_path / "from_00000000.parquet"
    parquet.write_table(pyarrow.table({"run": [0, 1], "speed": [1.0, 2.0]}), path)
    whole = path.read_bytes()
    path.write_bytes({"cut": whole[:-9], "bits": whole[:8] + bytes(60) + whole[68:]}.get(damage, damage))
    with pytest.raises(InputError, match=r"from_00000000.parquet: no results that can be read; delete it"):
        read_results(path)


def test_shares_of_the_variance_are_those_of_a_known_function():
    """Ishigami's function, whose indices are known: 0.314, 0.442 and 0; a rank sees nothing of the second."""
    x = np.pi * (2.0 * qmc.Sobol(3, rng=3).random_base2(13) - 1.0)
    y = np.sin(x[:, 0]) + 7.0 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])
    found = [share(x[:, k], y) for k in range(3)]
    assert found == pytest.approx([0.314, 0.442, 0.0], abs=0.02)
    assert abs(rank(x[:, 1], y)) < 0.02
    few = [share(x[:300, k], y[:300]) for k in range(3)]  # chance is taken off
    assert few == pytest.approx([0.314, 0.442, 0.0], abs=0.09)
    levels = np.repeat([1.0, 2.0, 5.0], 4)
    assert share(levels, levels**2) == pytest.approx(1.0) and share(levels, np.tile([1.0, 2.0, 3.0, 4.0], 3)) == 0.0
    assert np.isnan(share(np.arange(2.0), np.arange(2.0))) and share(np.ones(9), np.arange(9.0)) == 0.0


def test_a_study_is_drawn_and_says_what_found_no_place(tmp_path):
    x = np.linspace(0.0, 1.0, 40)
    table = {"run": np.arange(40.0), "seed": np.ones(40), "a": x, "b": x[::-1], "speed": x**2}
    table["late"] = np.where(x > 0.5, x, np.nan)
    table["stopped"] = np.array([""] * 39 + ["it fell"], object)
    assert draw_study(table, ["a", "b"], tmp_path / "study.png") == ""
    assert (tmp_path / "study.png").read_bytes()[:4] == b"\x89PNG"
    many = [f"n{k}" for k in range(7)]
    told = draw_study(table | dict.fromkeys(many, x), many, tmp_path / "study.png")
    assert told == "no room in the picture for n6"
    never = table | {"never": np.full(40, np.nan)}
    assert draw_study(never, ["a", "b"], tmp_path / "study.png") == "no value in any run: never"
    nothing = {name: never[name] for name in ("run", "seed", "a", "never", "stopped")}
    assert draw_study(nothing, ["a"], tmp_path / "study.png") == "no value in any run: never"


def test_a_scenario_without_measures_gives_no_results(tmp_path):
    with pytest.raises(InputError, match="it has no measures"):
        sweep(study(scenario="crazyflie"), tmp_path, Path("study.yaml"), processes(1))


def test_a_measure_does_not_hide_another_column(tmp_path):
    (tmp_path / "hop.yaml").write_text(SCENARIO + "  seed: final(crazyflie.speed)\n")
    with pytest.raises(InputError, match="seed: a measure needs another name"):
        sweep(study(), tmp_path / "out", tmp_path / "study.yaml", here)


FLIGHT = """
physics_hz: 400
duration: 0.5
record: {rate_hz: 90}
air: {density: 1.2, wind: {speed: 3, from_deg: 200}}
vehicles:
  - {model: quadcopter, position: [0, 0, 20], mode: assisted}
measures:
  off: rms(norm(quadcopter.position.x, quadcopter.position.y))
  fastest: max(quadcopter.speed)
  end: final(quadcopter.position.z)
  moved: time_of(norm(quadcopter.position.x, quadcopter.position.y) > 0.01 m)
  leaned: duration(abs(quadcopter.attitude.pitch) > 0.5 deg)
  felt: mean(quadcopter.imu.accel_s.z when time > 0.1)
"""
SPREAD = """
scenario: flight.yaml
method: sobol
samples: 5
numbers: {quadcopter.base.mass: {low: 0.9, high: 1.2}, air.wind_speed: {low: 1, high: 5}}
"""


def test_a_study_on_a_batch_is_that_of_whole_worlds(tmp_path):
    (tmp_path / "flight.yaml").write_text(FLIGHT)
    spread, source = parse(SPREAD, "study", Study), tmp_path / "study.yaml"
    fused, whole = (
        parquet.read_table(sweep(spread, tmp_path / name, source, here, None, backend)).to_pydict()
        for name, backend in (("fused", "fused"), ("worlds", None))
    )
    assert list(fused) == list(whole) and fused["stopped"] == [""] * 5
    for name in ("off", "fastest", "end", "moved", "leaned", "felt", "quadcopter.base.mass"):
        assert np.ptp(whole[name]) > 0, f"{name} does not vary"
        assert fused[name] == pytest.approx(whole[name], rel=1e-9, abs=1e-12), name


def test_a_measure_that_a_batch_cannot_see_is_named(tmp_path):
    (tmp_path / "flight.yaml").write_text(FLIGHT + "  asked: max(norm(quadcopter.controller.error))\n")
    with pytest.raises(InputError, match=r"measures\.asked: quadcopter\.controller\.error\.x is not kept in flight"):
        sweep(parse(SPREAD, "study", Study), tmp_path / "out", tmp_path / "study.yaml", here, None, "fused")
