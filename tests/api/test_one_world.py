"""A world is one: it can be neither copied nor run twice at once, and says so instead of waiting for ever."""

import copy
import pickle
import threading

import pytest

import cupola
from cupola.cli.failure import tell


@pytest.fixture(scope="module")
def world():
    return cupola.load("hover")


@pytest.mark.parametrize(
    "act", [copy.copy, copy.deepcopy, pickle.dumps, lambda world: copy.deepcopy({"mine": [world]})]
)
def test_a_world_is_neither_copied_nor_pickled(world, act):
    with pytest.raises(cupola.InputError, match="neither copied nor pickled; keep its state with snapshot"):
        act(world)


@pytest.mark.parametrize("act", [lambda world: world.run(0.01), lambda world: world.step(3)])
def test_a_second_thread_is_refused_while_one_runs_it(world, act):
    """Held by a pause, so that the test needs no timing."""
    inside, over = threading.Event(), threading.Event()

    def paused():
        inside.set()
        return not over.is_set()

    runner = threading.Thread(target=lambda: world.run(0.01, paused=paused))
    runner.start()
    try:
        assert inside.wait(30.0)
        before = world.tick
        with pytest.raises(cupola.InputError, match="another thread runs it; a world runs in one thread at a time"):
            act(world)
        assert world.tick == before
    finally:
        over.set()
        runner.join(30.0)
    act(world)  # one after the other they may
    assert world.tick > before


def test_worlds_run_side_by_side_in_threads(world):
    other = cupola.load("hover")
    world.reset()
    runners = [threading.Thread(target=one.run, args=(0.2,)) for one in (world, other)]
    for runner in runners:
        runner.start()
    for runner in runners:
        runner.join(60.0)
    assert world.motion() == other.motion() and world.time == pytest.approx(0.2)


def test_a_controller_without_a_step_says_what_it_has():
    class Mine(cupola.Controller):
        def update(self, state):
            return (0.5,) * 4

    with pytest.raises(
        cupola.InputError, match=r"Mine has neither a `step\(self, obs, ref\)` nor a law; it has: update"
    ):
        cupola.load("quadcopter", controllers={"quadcopter": Mine}).run(0.01)


@pytest.mark.parametrize(("module", "extra"), [("gymnasium", "learn"), ("pandas.core", "data"), ("cmaes", "fit")])
def test_a_module_of_an_extra_that_is_missing_is_no_bug(module, extra, capsys):
    error = ModuleNotFoundError(f"No module named {module!r}", name=module)
    assert tell(error) == 1
    said = capsys.readouterr().err
    assert f"{module} is not installed: pip install 'cupola[{extra}]'" in " ".join(said.split())


def test_a_module_that_is_nobodys_is(capsys):
    tell(ModuleNotFoundError("No module named 'nobody'", name="nobody"))
    assert "looks like a bug" in " ".join(capsys.readouterr().err.split())
