"""Masses of bodies as tunable numbers, and numbers that a scenario changes on the way."""

import numpy as np
import pytest

from cupola.config.ground import Floor
from cupola.config.scenario import ChangeEntry, Scenario, VehicleEntry
from cupola.record.read import Recording
from cupola.record.world_recorder import WorldRecorder
from cupola.schema.yaml_files import InputError, parse
from cupola.sim.saving import as_yaml
from cupola.sim.world import World


def base(*changes, model="friction"):
    """Velma's base alone, which its scenario changes on the way."""
    wheels = {"wheels": {"model": model}, "laser_left": {"rate_hz": 0.001}, "laser_right": {"rate_hz": 0.001}}
    entry = VehicleEntry(model="velma_base", name="base", mode="assisted", parts=wheels)
    made = tuple(ChangeEntry(time=time, number=name, value=value) for time, name, value in changes)
    return World(Scenario(vehicles=(entry,), physics_hz=1000, floor=Floor(friction=0.95), changes=made))


@pytest.fixture(scope="module")
def tuned():
    world = base()
    world.tune("base.base.mass", 120.0)
    world.tune("base.base.com_z", 0.06)
    world.tune("base.front.inertia_z", 0.8)
    return world


def test_every_body_has_its_mass_centre_and_moments_among_the_parameters(tuned):
    bodies = {name.split(".")[1] for name in tuned.parameters if name.endswith(".mass")}
    wheels = {"wheel_fr", "wheel_fl", "wheel_rl", "wheel_rr"}
    assert bodies == {"base", "front", "scanner_left", "scanner_right", *wheels}
    assert tuned.parameters["base.wheel_fr.mass"][0].unit == "kg"
    rolling = base(model="rollers")  # their 48 rollers are the part's, and are no parameters
    assert {name.split(".")[1] for name in rolling.parameters if name.endswith(".mass")} - {"wheels"} == bodies


def test_a_tuned_body_is_what_set_inertia_makes_of_it(tuned):
    told = base()
    now = told.inertia("base/base")
    told.set_inertia("base/base", 120.0, (*now.com_b[:2], 0.06), now.about_com)
    now = told.inertia("base/front")
    told.set_inertia("base/front", now.mass, now.com_b, (*now.about_com[:2], 0.8, *now.about_com[3:]))
    assert tuned.model.body_subtreemass[1] == pytest.approx(83.6 + 60.0)
    for name in ("body_mass", "body_ipos", "body_inertia", "body_invweight0", "dof_M0"):
        assert np.array_equal(getattr(tuned.model, name), getattr(told.model, name)), name


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("base.base.mass", 0.0, "base.base.mass must lie between 6 and 600 kg"),
        ("base.base.inertia_z", 20.0, "base.base.inertia_z: no principal moment may be larger than the other two"),
        ("base.bse.mass", 60.0, "the nearest: .*base.base.mass"),
    ],
)
def test_what_no_body_can_have_is_refused_and_changes_nothing(tuned, name, value, words):
    before = tuned.inertia("base/base")
    with pytest.raises(InputError, match=words):
        tuned.tune(name, value)
    assert tuned.inertia("base/base") == before


def test_it_is_saved_and_a_snapshot_goes_back(tuned):
    again = World(parse(as_yaml(tuned.scenario_now()), "saved", Scenario))
    for body in ("base/base", "base/front", "base/wheel_fr"):
        one, other = again.inertia(body), tuned.inertia(body)
        assert one.mass == other.mass and np.allclose(one.com_b, other.com_b, rtol=1e-12, atol=1e-15)
        assert np.allclose(one.about_com, other.about_com, rtol=1e-12, atol=1e-15)
    kept = again.snapshot()
    again.tune("base.base.mass", 90.0)
    again.restore(kept)
    assert again.inertia("base/base").mass == 120.0
    told = base()  # also what was told as a whole, and not as numbers
    told.set_inertia("base/base", 70.0, (0.0, 0.0, 0.0), (3.0, 3.0, 5.0, 0.0, 0.0, 0.1))
    link = told.scenario_now().vehicles[0].links["base"]
    found = World(told.scenario_now()).inertia("base/base")
    assert link.mass == 70.0 and np.allclose(found.about_com, (3.0, 3.0, 5.0, 0.0, 0.0, 0.1), atol=1e-12)


def test_a_scenario_changes_numbers_on_the_way_and_a_reset_undoes_it(tmp_path):
    world = base((0.2, "base.base.mass", 120.0), (0.2, "floor.friction", 0.1), (0.4, "base.base.mass", 90.0))
    recorder = WorldRecorder(world, tmp_path / "load.mcap")
    world.observers.append(recorder)
    seen = []
    for _ in range(5):
        world.run(0.1)
        seen.append((world.inertia("base/base").mass, world.parameters["floor.friction"][1]))
    recorder.close()
    assert seen == [(60.0, 0.95), (60.0, 0.95), (120.0, 0.1), (120.0, 0.1), (90.0, 0.1)]
    first = world.data.qpos.copy()
    world.reset()
    assert world.inertia("base/base").mass == 60.0 and world.parameters["floor.friction"][1] == 0.95
    world.run(0.5)
    assert np.array_equal(world.data.qpos, first)
    recording = Recording(tmp_path / "load.mcap")
    said = [(p.time, p.name, p.value) for p in recording.parameters if p.time > 0]
    wanted = [(0.2, "base.base.mass", 120.0), (0.2, "floor.friction", 0.1), (0.4, "base.base.mass", 90.0)]
    assert [(pytest.approx(time), name, value) for time, name, value in wanted] == said
    assert [one.outside for one in recording.commands(1000) if one.call == "tune"] == [False] * 3


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ((1.0, "floor.fiction", 0.1), r"changes\[0\]: there is no parameter 'floor.fiction'"),
        ((1.0, "floor.friction", 9.0), r"changes\[0\]: floor.friction must lie between 0 and 2, got 9"),
    ],
)
def test_a_change_that_cannot_be_is_refused_before_it_runs(change, words):
    with pytest.raises(InputError, match=words):
        base(change)
