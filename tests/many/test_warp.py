"""The back-end `warp`: what it refuses, its kernels beside the loop of a single world, and whole drives beside one.

Drives need the package mujoco-warp, and then run on the processor; on a GPU `python -m cupola.bench.gpu` does the same.
"""

import importlib.util

import mujoco
import numpy as np
import pytest

import cupola
from cupola import InputError
from cupola.many.refusals import check_warp
from cupola.many.warp_compile import OnProcessor
from cupola.many.warp_memory import CONTACT
from cupola.many.warp_text import Texts
from cupola.sim.world import load

LASERS = ("laser_left", "laser_right")
needs_warp = pytest.mark.skipif(
    importlib.util.find_spec("mujoco_warp") is None, reason="mujoco-warp is not installed: pip install 'cupola[warp]'"
)


def base(**wheels) -> cupola.Scenario:
    """It drives an arc at once."""
    sticks: list = [{"time": 0, "channels": [0.3, 0.2, 0.3]}]
    vehicle: dict = {"model": "velma_base", "parts": {"wheels": {"model": "friction", **wheels}}}
    vehicle["controller"] = {"use": "mecanum_route", "rate_hz": 1000, "sticks": sticks}
    content: dict = {"floor": {"friction": 0.95}, "vehicles": [vehicle]}
    return cupola.Scenario(physics_hz=1000, **content)


@pytest.fixture(scope="module")
def driven():
    world = load(base())
    world.run(0.5)
    return world


def test_what_it_cannot_run_is_named(driven):
    with pytest.raises(InputError, match=r"RK4.*SpaceMission has a long memory.*threads can"):
        check_warp(load("cepheus_capture"), set())
    with pytest.raises(InputError, match=r"laser_left looks into MuJoCo's own memory.*without=\['laser_left'\]"):
        check_warp(driven, {"velma_base.laser_right"})
    check_warp(driven, {f"velma_base.{name}" for name in LASERS})


def test_its_kernel_on_contacts_is_that_of_the_loop(driven):
    texts = Texts(driven, {f"velma_base.{name}" for name in LASERS}, False)
    kernel, where = texts.contact(), OnProcessor()
    assert kernel
    data, theirs = mujoco.MjData(driven.model), driven.data.contact
    data.qpos[:], data.qvel[:] = driven.data.qpos, driven.data.qvel
    mujoco.mj_fwdPosition(driven.model, data)  # as MuJoCo finds them, before anybody changes them
    assert data.ncon == driven.data.ncon == 4
    given = {"place": data.contact.pos, "frame": data.contact.frame, "friction": data.contact.friction}
    given["slip"] = data.contact.surfacevel
    touches = [np.array(given[name]).reshape(4, -1) for name in CONTACT]
    before = [np.array(one) for one in touches]
    arrays = []
    for name in kernel.arrays:
        if name.startswith("R_"):
            group = driven.assembly.entries.groups[int(name[2:])]
            arrays.append(next(b.rows for b in driven.assembly.parts if b.group == group).view(np.ndarray)[None])
            continue
        array = np.asarray(getattr(driven.arrays, name[2:]))
        arrays.append(np.array(array[..., None] if name[2:] in ("state",) else array[None]).view(np.ndarray))
    status = np.zeros(1, np.int64)
    fixed = [np.array([4], np.int32), 4, np.zeros(4, np.int32), status]
    geoms = np.array(data.contact.geom, np.int32)
    where.launch(where.compile(kernel, texts), 4, [*fixed, *touches, geoms, *arrays])
    assert status[0] == 0
    for k, name in enumerate(("frame", "friction", "slip"), 1):
        written = {"frame": theirs.frame, "friction": theirs.friction, "slip": theirs.surfacevel}[name]
        assert np.abs(touches[k] - written.reshape(4, -1)).max() < 1e-12, name
        assert np.abs(before[k] - touches[k]).max() > 1e-4, name


@pytest.fixture(scope="module")
def worlds():
    numbers = {"velma_base.start.position[0]": [0.0, 0.5, 0.0]}
    with cupola.batch(base(), 3, numbers, backend="warp", device="cpu", without=LASERS) as made:
        made.step(400)
        yield made


@needs_warp
def test_a_drive_beside_a_single_world(worlds):
    for i in range(2):
        world = load(base())
        world.start_at("velma_base", position=[0.5 * i, 0, 0.1016])
        world.reset(int(worlds.seeds[i]))
        world.step(400)
        now, seen = world.motion(), worlds.state()
        assert np.abs(seen.pos_w[i] - np.array(now.pos_w)).max() < 1e-5
        assert np.abs(seen.vel_w[i] - np.array(now.vel_w)).max() < 1e-4
        names = ["velma_base.imu.accel_s", "velma_base.imu.rate_s"]
        told = [number for name in names for number in world.signal(name)]
        assert np.abs(worlds.observe(names)[i] - told).max() < 0.02  # the same noise on numbers of 32 bits


@needs_warp
def test_a_reset_leaves_the_others_alone(worlds):
    before = worlds.state().pos_w
    worlds.reset([2])
    assert worlds.ticks.tolist() == [400, 400, 0]
    assert np.array_equal(worlds.state().pos_w[:2], before[:2])


@needs_warp
def test_what_finds_no_room_is_said():
    with cupola.batch(base(), 2, backend="warp", device="cpu", without=LASERS, njmax=6) as narrow:
        narrow.step(2)
        assert all("njmax = 6" in narrow.stopped[i] for i in range(2))
    with cupola.batch(base(), 2, backend="warp", device="cpu", without=LASERS, nconmax=1, njmax=64) as narrow:
        narrow.step(2)
        assert all("nconmax above 1" in narrow.stopped[i] for i in range(2))
