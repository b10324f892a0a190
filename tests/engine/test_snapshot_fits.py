"""A snapshot of something else, of another version or damaged: a sentence says what differs, and nothing changed."""

import json
import pickle
from pathlib import Path

import numpy as np
import pytest

from cupola import Controller, InputError, load
from cupola.config.scenario import Scenario

HOVER = {"vehicles": [{"model": "quadcopter", "controller": {"use": "pass_through", "rate_hz": 100}}]}


class Still(Controller):
    def step(self, obs, ref):
        return [0.0] * 4


def world_of(physics_hz=1000, vehicles=HOVER["vehicles"], **options):
    content = {"vehicles": vehicles, "physics_hz": physics_hz}
    return load(Scenario.model_validate_json(json.dumps(content)), **options)


@pytest.fixture(scope="module")
def world():
    return world_of()


OTHERS = {
    "another vehicle": (lambda: load("velma_base"), ["vehicles: quadcopter there, velma_base here", "and"]),
    "another step": (lambda: world_of(500), ["physics_hz: 1000 there, 500 here"]),
    "two of them": (
        lambda: world_of(vehicles=[{**HOVER["vehicles"][0], "name": name} for name in ("quadcopter", "second")]),
        ["second here"],
    ),
    "another vehicle of another name": (
        lambda: world_of(vehicles=[{"model": "crazyflie", "name": "second"}]),
        ["vehicles: quadcopter there, second here"],
    ),
    "another controller": (
        lambda: world_of(controllers={"quadcopter": Still}),
        ["controller of quadcopter (mission): PassThrough", "Still", "here"],
    ),
}


def test_vehicles_may_have_other_names_but_not_each_others(world):
    """A flight goes on in a world with the same vehicles; two that have changed places are refused."""

    def named(*names):
        return world_of(
            vehicles=[{**HOVER["vehicles"][0], "name": name, "position": [0, k, 2]} for k, name in enumerate(names)]
        )

    first = named("a", "b")
    first.step(50)
    kept = first.snapshot()
    first.step(50)
    for names in (("a", "b"), ("c", "d")):
        other = named(*names)
        other.restore(kept)
        other.step(50)
        assert other.state_hash() == first.state_hash()
    for names in (("b", "a"), ("b", "c"), ("a", "c")):
        with pytest.raises(InputError, match="of another world"):
            named(*names).restore(kept)


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize("pickled", [False, True])
def test_a_snapshot_of_something_else_says_what_differs(world, other, pickled):
    make, words = OTHERS[other]
    made = make()
    made.step(3)
    before, kept = made.state_hash(), world.snapshot()
    if pickled:
        kept = pickle.loads(pickle.dumps(kept))
    with pytest.raises(InputError) as said:
        made.restore(kept)
    assert all(word in str(said.value) for word in words), said.value
    assert made.state_hash() == before
    made.step(2)


def of_another_version(kept):
    """The parts of the vehicle had one number of state less, and this was in the middle."""
    name = next(name for name, names in kept.origin.items() if name.startswith("state of ") and len(names) > 1)
    origin = {**kept.origin, name: kept.origin[name][:-1], "cupola": ("0.0.9",)}
    numbers = {**kept.numbers, "state": kept.numbers["state"][:-1]}
    return kept._replace(origin=origin, numbers=numbers), name


def test_one_of_another_version_says_which_part_has_another_state(world):
    kept, name = of_another_version(world.snapshot())
    with pytest.raises(InputError, match=r"made by cupola 0\.0\.9, this is") as said:
        world.restore(kept)
    assert f"{name}: {world.origin[name][-1]} here" in str(said.value)


def test_one_of_another_version_with_as_many_numbers_in_another_order_is_refused_too(world):
    kept = world.snapshot()
    origin = {**kept.origin, "parts": tuple(reversed(kept.origin["parts"]))}
    with pytest.raises(InputError, match="parts: in another order"):
        world.restore(kept._replace(origin=origin))


def test_one_that_does_not_say_of_what_it_is_fits_by_its_sizes(world):
    world.step(5)
    old = world.snapshot()._replace(origin=None)
    at = world.state_hash()
    world.step(5)
    world.restore(old)
    assert world.state_hash() == at
    with pytest.raises(InputError, match=r"state has the size .* made by another version"):
        world.restore(old._replace(numbers={**old.numbers, "state": np.zeros(3)}))


def _numbers(kept, name, value):
    return kept._replace(numbers={**kept.numbers, name: value})


def _nan(array):
    found = array.copy()
    found.reshape(-1)[-1:] = np.nan
    return found


DAMAGED = {
    "no engine": (lambda k: k._replace(engine=None), "engine is missing"),
    "a short engine": (lambda k: k._replace(engine=k.engine[:-1]), "engine has the size"),
    "NaN in the engine": (lambda k: k._replace(engine=_nan(k.engine)), "engine holds numbers that are not finite"),
    "NaN in a push": (lambda k: _numbers(k, "applied_forces", _nan(k.numbers["applied_forces"])), "_forces holds"),
    "whole numbers": (lambda k: _numbers(k, "command", k.numbers["command"].astype(int)), "command holds other values"),
    "a list": (lambda k: _numbers(k, "command", k.numbers["command"].tolist()), "command is no array"),
    "one that broadcasts": (lambda k: _numbers(k, "command", np.zeros(1)), "command has the size 1 there"),
    "no numbers": (lambda k: k._replace(numbers=None), "state is missing"),
    "a name less": (
        lambda k: k._replace(numbers={n: v for n, v in k.numbers.items() if n != "drive"}), "drive is missing",
    ),
    "a seed in words": (lambda k: k._replace(seed="one"), "seed: expected a whole number"),
    "a seed below 0": (lambda k: k._replace(seed=-1), "seed: expected a whole number"),
    "nothing live": (lambda k: k._replace(live={}), "damaged: KeyError"),
    "no modes": (lambda k: k._replace(live={**k.live, "modes": []}), "damaged: ValueError"),
    "a mode that is none": (
        lambda k: k._replace(live={**k.live, "modes": [{**k.live["modes"][0], "mode": "?"}]}), "damaged: KeyError",
    ),
    "a tuned number that is none": (lambda k: k._replace(live={**k.live, "touched": {"x.y": 1.0}}), "damaged: KeyErr"),
    "functions": (lambda k: k._replace(functions=[]), "damaged: ValueError"),
    "parts": (lambda k: k._replace(parts=[{}]), "damaged: ValueError"),
}  # fmt: skip


@pytest.mark.parametrize("kind", DAMAGED)
def test_a_damaged_one_is_refused_and_nothing_has_changed(world, kind):
    damage, words = DAMAGED[kind]
    world.step(3)
    kept = pickle.loads(pickle.dumps(world.snapshot()))
    world.step(4)
    name, (_, now) = next(iter(world.parameters.items()))
    world.tune(name, now)
    before = world.state_hash(), repr(world.snapshot().live)
    with pytest.raises(InputError, match=words):
        world.restore(damage(kept))
    assert (world.state_hash(), repr(world.snapshot().live)) == before
    world.restore(kept)


def test_a_snapshot_goes_through_a_file_and_another_world(world, tmp_path):
    world.step(7)
    (tmp_path / "kept").write_bytes(pickle.dumps(world.snapshot()))
    other = world_of()
    other.restore(pickle.loads((tmp_path / "kept").read_bytes()))
    assert other.state_hash() == world.state_hash()
    other.step(50)
    world.step(50)
    assert other.state_hash() == world.state_hash()


class Breaks(Controller):
    def step(self, obs, ref):
        return [float("nan") if obs.time > 0.01 else 0.5] * 4


def test_the_file_of_a_run_that_stopped_says_of_what_it_is(world, tmp_path):
    broken = world_of(controllers={"quadcopter": Breaks})
    broken.dump_folder = tmp_path
    with pytest.raises(Exception, match="NaN command"):
        broken.run(0.1)
    (path,) = tmp_path.glob("*.npz")
    broken.restore(path)
    for index in (10**6, -(10**6), 1.5, "last", None):
        with pytest.raises(InputError, match="index"):
            broken.restore(path, index)
    with pytest.raises(InputError, match=r"is of another world .*PassThrough") as said:
        world.restore(path)
    assert str(path) in str(said.value)
    with np.load(path) as file:
        arrays = dict(file)
    arrays["states"][-1] = np.nan
    np.savez(path, **arrays)
    with pytest.raises(InputError, match="not finite"):
        broken.restore(path)
    np.savez(path, **{**arrays, "origin": json.dumps([1, 2])})
    with pytest.raises(InputError, match="cannot be read"):
        broken.restore(path)


@pytest.mark.parametrize("given", [None, 1, {}, (), b"x", "no such file", Path("/")])
def test_what_is_no_snapshot_is_refused(world, given):
    with pytest.raises(InputError, match="restore takes a snapshot or the file"):
        world.restore(given)


class Counting(Controller):
    """Its state is no NamedTuple."""

    State = staticmethod(lambda: (0.0, (0.0, 0.0)))

    def step(self, obs, ref):
        self.state = (self.state[0] + 1.0, self.state[1])
        return [0.0] * 4


@pytest.mark.parametrize(("scenario", "controller"), [("cepheus_simulation", None), ("quadcopter", Counting)])
def test_states_of_controllers_that_are_no_named_tuples_are_kept_and_told_apart(scenario, controller):
    """A mission's state is made by a function."""
    world = load(scenario, controllers={"quadcopter": controller} if controller else None)
    world.run(0.02)
    kept, there = pickle.loads(pickle.dumps(world.snapshot())), world.state_hash()
    world.run(0.02)
    world.restore(kept)
    assert world.state_hash() == there
    with pytest.raises(InputError, match="controller of"):
        load(scenario, controllers={world.instances[0].name: Still}).restore(kept)
