"""The Aerosonde of Beard and McLain: its numbers, its signs, the book's trim, and every printed check value."""

import math

import mujoco
import numpy as np
import pytest

from cupola import reproduce
from cupola.analysis import Aircraft, Condition, Flight, trim
from cupola.reproduce.mavsim import check_values as mavsim
from cupola.reproduce.mavsim import linear as mavsim_linear
from cupola.schema.yaml_files import InputError

AIR = {"density": 1.2682}


@pytest.fixture(scope="module")
def book(make_world):
    """In the book's air."""
    return Aircraft(make_world("aerosonde", air=AIR))


def test_mass_and_inertia_with_its_product(make_world):
    world = make_world({"model": "aerosonde", "position": [0, 0, 0], "attitude_deg": [0, 0, 0]})
    M = np.zeros((6, 6))
    mujoco.mj_fullM(world.model, world.data, M)
    np.testing.assert_allclose(np.diag(M)[:3], 11.0, rtol=1e-12)
    # Front-left-up axes: the sign of the product xz is that of the book's Jxz, not of its matrix.
    inertia = [[0.8244, 0, 0.1204], [0, 1.135, 0], [0.1204, 0, 1.759]]
    np.testing.assert_allclose(M[3:, 3:], inertia, atol=1e-9)
    np.testing.assert_allclose(M[:3, 3:], 0.0, atol=1e-12)  # its origin is the centre of mass


def test_every_check_value_is_met():
    rows = [row for group in (mavsim, mavsim_linear) for row in group.rows(False)]
    assert [row.id for row in rows if not row.passed] == []
    # 13 of chapter 3, 22 each of 4.A and 4.B, and of chapter 5: 3, 12, 2 * (25 + 10), 8, 9.
    assert len(rows) == len({row.id for row in rows}) == 13 + 22 + 22 + 3 + 12 + 70 + 8 + 9
    assert {row["id"] for row in reproduce.run(["mavsim"])} == {row.id for row in rows}


def test_a_wrong_check_value_is_noticed(monkeypatch):
    monkeypatch.setitem(mavsim.CHAPTER_4A, "fx", "-12.109717002006562")
    monkeypatch.setitem(mavsim_linear.RATES, "u", "-5.12768099e-04")
    wrong = [row.id for group in (mavsim, mavsim_linear) for row in group.rows(False) if not row.passed]
    assert wrong == ["mavsim_4a_fx", "mavsim_5_u_dot"]


def test_trim_is_the_books(book):
    found = trim(book, Condition(25.0))
    # The book's trim holds the bank at zero and is left with 0.01 m/s²; over Z_w = 4.5 1/s that is 1e-4 rad of alpha.
    assert found.alpha == pytest.approx(0.05001104, abs=2e-4)
    assert found.values() == pytest.approx(
        {"aileron": 0.001836, "elevator": -0.124778, "rudder": -0.000303, "throttle": 0.676752}, abs=4e-4
    )
    assert abs(found.state.phi) < 2e-4


def test_density_is_the_same_at_every_height(book):
    high, low = (trim(book, Condition(25.0, altitude=h)).inputs for h in (3000.0, 0.0))
    np.testing.assert_allclose(high, low, atol=1e-10)


@pytest.mark.parametrize(("stick", "axis", "sign"), [(0, 0, 1), (1, 1, 1), (2, 2, 1)])
def test_sticks_act_as_sticks_do(make_world, stick, axis, sign):
    """Right side down, nose up, nose right, whatever the signs of the book's deflections."""
    plus, minus = (make_world("aerosonde") for _ in range(2))
    for world, side in ((plus, 1), (minus, -1)):
        world.run(0.01)  # the script of the vehicle's own sticks has begun
        sticks = [*world.signal("aerosonde.stick")]
        sticks[stick] += 0.1 * side
        world.sticks(sticks)
        world.run(0.2)
    books = np.array([1, -1, -1])
    turned = (np.array(plus.motion().rate_b) - np.array(minus.motion().rate_b)) * books
    assert turned[axis] * sign > 0.02
    assert np.argmax(np.abs(turned)) == axis


def test_the_propeller_rolls_against_its_rotation(book):
    state = Flight(25.0, 0.0, 0.0, h=100.0)
    slow, fast = (book.derivative(state, np.array([0.0, 0.0, 0.0, throttle])).rates for throttle in (0.6, 1.0))
    p_dot, r_dot = fast[3] - slow[3], fast[5] - slow[5]
    assert p_dot < 0
    assert r_dot / p_dot == pytest.approx(0.1204 / 1.759, rel=1e-9)  # through the product of inertia


def test_it_flies_on_as_it_starts(make_world):
    world = make_world("aerosonde")
    world.run(20.0)
    seen = world.motion()
    assert seen.pos_w == pytest.approx((500.0, 0.0, 100.0), abs=0.05)
    assert seen.rate_b == pytest.approx((0.0, 0.0, 0.0), abs=1e-4)
    # The shaft turns on for the eye: 60 rev/s and more for 20 s.
    shaft = world.part("motor1").state
    assert shaft.angle == pytest.approx(20.0 * shaft.omega, rel=1e-3) and shaft.omega > 2 * math.pi * 60


def test_a_rotor_is_of_one_kind(vehicle, make_world):
    body = '<body name="base"><freejoint/><geom size="0.1" mass="1"/><site name="motor"/></body>'
    generic = {"s_prop": 0.02, "c_prop": 1.0, "k_motor": 50.0, "k_t_p": 1e-4, "k_omega": 100.0}
    numbers = [0.5, 0.07, 0.04, 1.5, 44.4, 0.005, 0.005, -0.016, 0.09, -0.06, -0.1]
    motor = {"kind": "rotor", "site": "motor", "channel": 0, "direction": 1, "generic": generic, "quadratic": numbers}
    with pytest.raises(InputError, match=r"parts\.motor: give numbers of one kind of motor, not of generic and quad"):
        make_world(vehicle(body, parts={"motor": motor}))
