"""What a batch refuses, in one sentence and on every back-end; and that what was refused changes nothing."""

import numpy as np
import pytest

import cupola
from cupola import InputError
from cupola.many import fused

from .plain_flights import PlainFlock

FLYING: dict = {"vehicles": [{"model": "crazyflie", "position": [0, 0, 50]}]}
HOVER = cupola.Scenario(**FLYING)
MASS = "crazyflie.base.mass"
BACKENDS = ("threads", "fused")


@pytest.fixture(scope="module")
def plain():
    """Flights in plain Python: nothing here needs a compiled one."""
    patch = pytest.MonkeyPatch()
    patch.setattr(fused, "FusedBatch", PlainFlock)
    yield
    patch.undo()


def make(backend, numbers=None, n=3, **options):
    return cupola.batch(HOVER, n, numbers, backend=backend, **options)


class Draws:
    """Something that looks like a distribution."""

    def __init__(self, value):
        self.value = value

    def rvs(self, random_state):
        return self.value


POSITION = "crazyflie.start.position"
WRONG_NUMBERS = {
    "text for numbers": ("abc", "names and their values"),
    "a list for numbers": ([1, 2], "names and their values"),
    "a name that is none": ({1: 2}, "expected text"),
    "two numbers for each": ({MASS: np.full((3, 2), 0.03)}, r"one number for each of 3 worlds, got shape \(3, 2\)"),
    "draws two": ({MASS: Draws([1.0, 2.0])}, "one number for each of 3 worlds"),
    "draws nothing": ({MASS: Draws(np.nan)}, "draws what is no finite number"),
    "draws text": ({MASS: Draws("a")}, "draws what is no finite number"),
    "a place of one number": ({POSITION: 1.0}, r"three numbers for each of 3 worlds, got shape \(3,\)"),
    "a place for all": ({POSITION: [1, 2, 3]}, r"three numbers for each of 3 worlds, got shape \(3,\)"),
    "a place of two": ({POSITION: np.ones((3, 2))}, r"three numbers for each of 3 worlds, got shape \(3, 2\)"),
    "too fast": ({"crazyflie.start.velocity_b[0]": [0, 1e12, 0]}, "velocity_b.0. must lie within"),
    "no such field": ({"crazyflie.start.place[0]": 1}, "there is no 'place'; there are: position"),
    "a mass below 0": ({MASS: [0.03, -1, 0.03]}, "mass above 0"),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("numbers", "said"), WRONG_NUMBERS.values(), ids=WRONG_NUMBERS)
def test_numbers_that_do_not_fit_are_named(plain, backend, numbers, said):
    with pytest.raises(InputError, match=said):
        make(backend, numbers)


@pytest.mark.parametrize("backend", BACKENDS)
def test_calls_that_do_not_fit_are_named(plain, backend):
    with pytest.raises(InputError, match=f"the back-end {backend} has no option 'device'; it has: "):
        make(backend, device="cpu")
    with pytest.raises(InputError, match="there is no back-end"):
        make(["threads"])
    with pytest.raises(InputError, match="whole number between 1 and"):
        make(backend, n=2**70)
    with pytest.raises(InputError, match="seeds: the rows are not of one length"):
        make(backend, seeds=[[1], [2, 3], 4])
    worlds = make(backend)
    for sticks in (1, None, "abc", [[1, 0], [1, 0]], np.zeros((3, 1, 4))):
        with pytest.raises(InputError, match=r"crazyflie\.sticks: expected a list of channels, or one for each of 3"):
            worlds.set("crazyflie.sticks", sticks)
    with pytest.raises(InputError, match="20 stick channels, got 21"):
        worlds.set("crazyflie.sticks", [0] * 21)
    for names in ("crazyflie.position.z", 5, None):
        with pytest.raises(InputError, match="observe: expected a list of names"):
            worlds.observe(names)
    assert worlds.observe([]).shape == (3, 0)
    for mask, said in (([[0, 1], [2]], "mask: the rows"), ([0, 0], "each once"), ([3], "between 0 and 2")):
        with pytest.raises(InputError, match=said):
            worlds.reset(mask)
    worlds.close()
    with pytest.raises(InputError, match="closed"):
        worlds.step()


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_one_world_refuses_no_world_keeps(plain, backend):
    worlds, fresh = make(backend, {MASS: 0.03}), make(backend, {MASS: 0.03})
    with pytest.raises(InputError, match="mass above 0"):
        worlds.set(MASS, [0.05, -1.0, 0.05])
    with pytest.raises(InputError, match="nearest"):
        worlds.set("crazyflie.base.mas", 1.0)
    worlds.set("air.wind_speed", 2.0, mask=[])
    for one in (worlds, fresh):
        one.reset()
        one.step(20)
    assert np.array_equal(worlds.state().vel_w, fresh.state().vel_w)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_number_that_was_the_models_own_can_be_changed(plain, backend):
    """Of a number that all worlds share with the model nothing stands beside the flight, until they get another."""
    own = cupola.load(HOVER).inertia("crazyflie/base").mass
    worlds = make(backend, {MASS: own})
    worlds.set(MASS, [own, 1.5 * own, own])
    worlds.step(20)
    fall = worlds.state().vel_w[:, 2]
    assert fall[1] < fall[0] - 1e-4 and fall[2] == pytest.approx(fall[0], abs=1e-9)


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_was_set_last_is_drawn_again(plain, backend):
    worlds = make(backend, {MASS: Draws(0.03)})
    worlds.set(MASS, 0.04)
    worlds.reset(redraw=True)
    heavy = make(backend, {MASS: 0.04})
    for one in (worlds, heavy):
        one.reset()
        one.step(20)
    assert worlds.state().vel_w == pytest.approx(heavy.state().vel_w, abs=1e-9)


def test_sticks_lie_where_the_controller_expects_them(plain):
    """A vehicle whose channels have another order than roll, pitch, yaw, throttle."""
    rows = [[0.1, 0.2, 0.3, 0.4, 0.5]] * 2
    found = []
    for backend in BACKENDS:
        with cupola.batch(HOVER, 2, backend=backend) as worlds:
            worlds.pattern.runner().order = (1, 0, -1, 4)
            worlds.set("crazyflie.sticks", rows)
            found.append(worlds.observe(["crazyflie.stick"])[0])
    assert found[0].tolist() == [0.2, 0.1, 0.0, 0.5]
    assert np.array_equal(*found)
