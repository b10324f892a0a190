"""Where compiled code finds the contacts and the clock of MuJoCo: offsets from its own description, and checks."""

import ctypes
from concurrent.futures import ThreadPoolExecutor

import mujoco
import numpy as np
import pytest

import cupola
from cupola.kernel import mujoco_abi
from cupola.kernel.mujoco_abi import c_struct, check_layout, contact_layout

BALL = '<body pos="{x} 0 {z}"><freejoint/><geom size="{r}"/></body>'
BALLS = "".join(BALL.format(x=x, z=0.95 * r, r=r) for x, r in ((0.0, 0.1), (1.0, 0.2), (2.0, 0.3)))


@pytest.fixture
def resting():
    """Model and data of three balls in a floor."""
    text = f'<mujoco><worldbody><geom type="plane" size="5 5 1"/>{BALLS}</worldbody></mujoco>'
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def number_at(data, offset, kind=ctypes.c_int64):
    return kind.from_address(data._address + offset)


def test_every_number_of_a_contact_is_where_it_is_said_to_be(resting):
    _, data = resting
    layout = contact_layout()
    assert number_at(data, layout.number, ctypes.c_int32).value == data.ncon == 3
    first = number_at(data, layout.first).value
    for k in range(3):
        at = first + k * layout.size
        for name, count in (("pos", 3), ("frame", 9), ("friction", 5)):
            found = (ctypes.c_double * count).from_address(at + getattr(layout, name))
            np.testing.assert_array_equal(found[:], getattr(data.contact, name)[k])
        geoms = (ctypes.c_int32 * 2).from_address(at + layout.geom)
        np.testing.assert_array_equal(geoms[:], data.contact.geom[k])


def test_contacts_and_arena_are_told_apart(resting):
    """They have the same value, because contacts lie first in the arena; MuJoCo itself reads only one of them."""
    model, data = resting
    whole, layout = c_struct("mjData"), contact_layout()
    assert layout.first == whole.contact.offset != whole.arena.offset
    assert number_at(data, whole.contact.offset).value == number_at(data, whole.arena.offset).value
    check_layout(layout, model, data)
    with pytest.raises(OSError, match=mujoco.__version__):
        check_layout(layout._replace(first=whole.arena.offset), model, data)


def test_contacts_that_do_not_lie_first_in_the_arena_are_found(resting):
    """The pointer moved on by one contact: the second ball's is the first now, for MuJoCo and for the layout."""
    _, data = resting
    layout = contact_layout()
    second = data.contact.pos[1].copy()
    number_at(data, layout.first).value += layout.size
    number_at(data, layout.number, ctypes.c_int32).value -= 1
    try:
        first = number_at(data, layout.first).value
        assert first != number_at(data, c_struct("mjData").arena.offset).value
        np.testing.assert_array_equal((ctypes.c_double * 3).from_address(first + layout.pos)[:], second)
    finally:
        number_at(data, layout.first).value -= layout.size
        number_at(data, layout.number, ctypes.c_int32).value += 1


@pytest.mark.parametrize(
    "change",
    [{"number": 4}, {"number": -4}, {"first": 8}, {"size": 8}, {"pos": 8}, {"frame": 8}, {"friction": -8}, {"geom": 4}],
    ids=str,
)
def test_a_wrong_layout_is_refused(resting, change):
    layout = contact_layout()
    ((name, by),) = change.items()
    with pytest.raises(OSError, match="does not lay out its contacts"):
        check_layout(layout._replace(**{name: getattr(layout, name) + by}), *resting)


def test_a_mujoco_with_another_layout_ends_the_start(monkeypatch):
    """As if a version had moved a field without its description: the world is not built."""
    real = mujoco_abi.c_struct

    def shifted(name):
        whole = real(name)
        if name != "mjContact":
            return whole
        fields = [("new", ctypes.c_double), *whole._fields_]
        return type("mjContact", (ctypes.Structure,), {"_fields_": fields})

    contact_layout.cache_clear()
    monkeypatch.setattr(mujoco_abi, "c_struct", shifted)
    try:
        with pytest.raises(OSError, match="does not lay out its contacts"):
            contact_layout()
    finally:
        contact_layout.cache_clear()


def test_offsets_follow_cs_rules():
    """Of a small struct by hand: mjContact begins with the distance, then the place."""
    contact = c_struct("mjContact")
    assert (contact.dist.offset, contact.pos.offset, contact.frame.offset) == (0, 8, 32)
    assert ctypes.sizeof(contact) % 8 == 0


@pytest.fixture
def clock():
    """A clock of MuJoCo's that counts how often it is asked."""
    asked = []

    def tell():
        asked.append(0.0)
        return 0.0

    mujoco.set_mjcb_time(tell)
    yield asked
    mujoco.set_mjcb_time(None)


def test_the_loop_does_not_ask_the_clock_and_leaves_it_to_others(resting, clock, make_world):
    """MuJoCo times each of its stages for those who read `mjData.timer`: whoever else steps still can."""
    model, data = resting
    world = make_world({"model": "quadcopter", "position": [0, 0, 5]})
    clock.clear()
    mujoco.mj_step(model, data)
    alone = len(clock)
    assert alone > 20
    clock.clear()
    world.step(50)
    assert not clock
    mujoco.mj_step(model, data)
    assert len(clock) == alone


def test_the_clock_is_back_after_a_run_that_stops(resting, clock, make_world, tmp_path):
    model, data = resting
    world = make_world({"model": "quadcopter", "position": [0, 0, 5]})
    world.dump_folder = tmp_path
    world.part("motor1").row.k_omega = np.nan
    with pytest.raises(cupola.SimulationError):
        world.step(50)
    clock.clear()
    mujoco.mj_step(model, data)
    assert clock


def test_worlds_on_several_threads_leave_the_clock(resting, clock, make_world):
    model, data = resting
    worlds = [make_world({"model": "quadcopter", "position": [0, 0, 5]}) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(20):
            list(pool.map(lambda world: world.step(20), worlds))
    clock.clear()
    mujoco.mj_step(model, data)
    assert clock
