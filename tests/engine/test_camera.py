"""A camera: where things appear, when it fires, what it adds, and that nobody's looking changes nothing."""

import math

import numpy as np
import pytest

from cupola.schema.yaml_files import InputError
from cupola.sim import rendering

LOOK = (20, -10, 5)
"""Attitude of the tilted base [deg]."""
SCENE = """<body name="base" pos="1 2 3" euler="20 -10 5"><geom size="0.01"/><site name="eye" pos="0.1 0.2 0.3"/>
    <camera name="eye" pos="0.1 0.2 0.3" xyaxes="0 -1 0 0 0 1"/></body>
  <body name="target" pos="{} {} {}"><geom type="box" size="0.05 0.05 0.05" rgba="1 0 0 1"/></body>"""
TURNING = """<body name="base" pos="0 0 1"><geom size="0.01" contype="0"/>
  <body name="head"><joint name="turn" axis="0 0 1"/><geom size="0.1" contype="0"/><site name="eye"/></body></body>
  <body name="red" pos="5 0 1"><geom type="box" size="0.3 0.3 0.3" rgba="1 0 0 1"/></body>"""
WALL = """<body name="base"><freejoint/><geom size="0.01" mass="1"/><site name="eye"/>
  <geom type="box" pos="1 0 0" size="0.01 5 5" rgba="0.5 0.5 0.5 1" mass="0.1"/></body>"""
SMALL = {"width_px": 64, "height_px": 48}


@pytest.fixture
def seeing(vehicle, make_world):
    """A world with a camera of these numbers."""

    def build(body, name="toy", files=None, controller=None, **more):
        scenario = {key: more.pop(key) for key in ("floor", "seed", "gravity", "physics_hz") if key in more}
        camera = {"kind": "camera", **({} if "camera" in more else {"site": "eye"}), **more}
        own = {"controller": controller} if controller else {}
        folder = vehicle(body, name=name, files=files, parts={"lens": camera}, **own)
        return make_world(folder, **scenario)

    return build


def shots(world):
    return world.samples[world.instances[0].name, "lens"]


def look(world):
    return shots(world).latest().picture


def red(picture):
    return (picture[:, :, 0] > 100) & (picture[:, :, 1] < 60)


def middle(picture):
    """Column and row of the middle of what is red [px]."""
    rows, columns = np.nonzero(red(picture))
    return columns.mean(), rows.mean()


PLACES = [(4.0, 0.0, 0.0), (4.0, 1.5, 0.0), (4.0, -1.5, 1.0), (2.0, 0.7, -0.9), (8.0, -3.0, -4.0)]
"""Ahead, left, up of the eye [m]."""


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("shape", [(800, 800, 1.3962634), (640, 360, 1.8)])
@pytest.mark.parametrize("by", ["site", "camera"])
def test_a_box_appears_where_the_pinhole_says(seeing, make_world, place, shape, by):
    roll, pitch, yaw = (math.radians(angle) for angle in LOOK)
    about = [np.array(m) for m in (
        [[1, 0, 0], [0, math.cos(roll), -math.sin(roll)], [0, math.sin(roll), math.cos(roll)]],
        [[math.cos(pitch), 0, math.sin(pitch)], [0, 1, 0], [-math.sin(pitch), 0, math.cos(pitch)]],
        [[math.cos(yaw), -math.sin(yaw), 0], [math.sin(yaw), math.cos(yaw), 0], [0, 0, 1]],
    )]  # fmt: skip
    turn = about[0] @ about[1] @ about[2]  # MuJoCo's euler: one after the other, about axes that turn along
    box = [1, 2, 3] + turn @ (np.array([0.1, 0.2, 0.3]) + place)
    width, height, angle = shape
    world = seeing(SCENE.format(*box), **{by: "eye"}, width_px=width, height_px=height, field_of_view=angle)
    focal = 0.5 * width / math.tan(angle / 2)
    x, y, z = -place[1], -place[2], place[0]  # right, down, ahead
    # Perspective moves the middle of a box of 0.1 m by some tenth of a pixel; a pixel is what counts.
    expected = focal * x / z + (width - 1) / 2, focal * y / z + (height - 1) / 2
    assert 0 < expected[0] < width and 0 < expected[1] < height
    assert middle(look(world)) == pytest.approx(expected, abs=1.0)


def test_the_image_is_mirrored_in_neither_direction(seeing):
    left, above = "-2.0 1 0", "-2.0 0 1"
    body = '<body name="base" euler="0 0 180"><geom size="0.01"/><site name="eye"/></body>'
    body += f'<geom type="box" pos="{left}" size="0.2 0.2 0.2" rgba="1 0 0 1"/>'
    body += f'<geom type="box" pos="{above}" size="0.2 0.2 0.2" rgba="0 0 1 1"/>'
    picture = look(seeing(body, **SMALL)).astype(int)
    assert middle(picture)[0] > 40  # to the left of the world is to the right of who looks back
    rows, columns = np.nonzero((picture[:, :, 2] > 100) & (picture[:, :, 0] < 60))
    assert rows.mean() < 12 and columns.mean() == pytest.approx(31.5, abs=0.5)


def test_what_is_too_close_or_too_far_is_not_seen(seeing):
    body = '<body name="base"><geom size="0.01"/><site name="eye"/></body>'
    body += '<geom type="box" pos="10.2 0 0" size="0.2 2 2" rgba="1 0 0 1"/>'  # its face is 10 m away
    limits = [(0.02, 10.6, True), (0.02, 9.9, False), (9.9, 300, True), (10.5, 300, False)]
    for i, (near, far, seen) in enumerate(limits):
        world = seeing(body, name=f"toy{i}", near=near, far=far, **SMALL)
        assert red(look(world)).any() == seen, (near, far)


def test_it_fires_at_the_first_tick_at_or_after_its_time(seeing):
    world = seeing(WALL, rate_hz=30, physics_hz=2000, gravity=0, **SMALL)
    world.step(2000)
    ticks = shots(world).since(0)[:, 0]
    assert ticks.tolist() == [math.ceil(k * 2000 / 30 - 1e-9) for k in range(31)]


def test_a_picture_comes_late_by_its_delay(seeing):
    world = seeing(TURNING, rate_hz=10, delay=0.25, physics_hz=1000, gravity=0, **SMALL)
    world.data.qvel[0] = 0.5
    seen = []
    for _ in range(100):
        seen.append((world.tick, look(world).copy() if shots(world).latest() else None))
        world.step(10)
    assert [tick for tick, picture in seen if picture is None] == list(range(0, 250, 10))
    for tick, picture in seen:
        if picture is not None:
            taken = (tick - 250) // 100
            np.testing.assert_array_equal(picture, shots(world).picture(taken))
    assert len({picture.tobytes() for _, picture in seen if picture is not None}) == 8


def test_it_turns_with_the_hinge_it_sits_on(seeing):
    world = seeing(TURNING, rate_hz=1000, physics_hz=1000, gravity=0, width_px=200, height_px=200, field_of_view=1.2)
    focal = 100 / math.tan(0.6)
    for angle in (-0.4, 0.0, 0.3):
        world.data.qpos[0] = angle
        world.data.qvel[0] = 0
        world.step()
        assert middle(look(world))[0] == pytest.approx(focal * math.tan(angle) + 99.5, abs=1.0)  # left turn, box right


def test_noise_has_its_size_and_colours_share_it(seeing):
    quiet, noisy = (seeing(WALL, name=f"a{i}", noise=i * 0.007, width_px=400, height_px=300) for i in range(2))
    plain, grain = look(quiet).astype(int), look(noisy).astype(int)
    assert plain.min() > 30 and plain.max() < 225  # nothing to cut off
    added, n = (grain - plain)[:, :, 0].ravel(), plain[:, :, 0].size
    sigma = math.hypot(0.007 * 255, math.sqrt(1 / 12))  # rounding to bytes adds its own
    assert added.std() == pytest.approx(sigma, rel=5 / math.sqrt(2 * n))
    assert abs(added.mean()) < 5 * sigma / math.sqrt(n)
    assert abs(np.corrcoef(added[1:], added[:-1])[0, 1]) < 5 / math.sqrt(n)
    np.testing.assert_array_equal((grain - plain)[:, :, 1].ravel(), added)
    np.testing.assert_array_equal((grain - plain)[:, :, 2].ravel(), added)


def test_noise_stays_between_black_and_white(seeing):
    picture = look(seeing(WALL, noise=5.0, **SMALL))
    assert (picture == 0).mean() > 0.3 and (picture == 255).mean() > 0.3


def test_exposure_multiplies(seeing):
    plain, bright = (look(seeing(WALL, name=f"a{i}", exposure=1.0 + 0.5 * i, **SMALL)).astype(int) for i in range(2))
    np.testing.assert_array_equal(bright, np.minimum(np.floor(1.5 * plain + 0.5), 255))
    assert bright.mean() > 1.3 * plain.mean()


def test_the_same_seed_takes_the_same_pictures_and_another_does_not(seeing):
    one, two, other = (seeing(WALL, name=f"a{i}", noise=0.01, seed=s, **SMALL) for i, s in enumerate([4, 4, 5]))
    for world in (one, two, other):
        world.step(200)
    first, same, second, third = (shots(w).picture(k) for w, k in ((one, 0), (two, 0), (one, 1), (other, 0)))
    np.testing.assert_array_equal(first, same)
    assert np.mean(first != second) > 0.5 and np.mean(first != third) > 0.5
    one.reset(seed=5)
    np.testing.assert_array_equal(shots(one).picture(0), third)


def test_a_picture_does_not_depend_on_those_drawn_before_it(seeing):
    world = seeing(TURNING, rate_hz=20, floor={}, gravity=0, noise=0.01, **SMALL)
    world.data.qvel[0] = 2
    world.step(1000)
    forward = [shots(world).picture(k).copy() for k in range(10)]
    backward = [shots(world).picture(k).copy() for k in reversed(range(10))][::-1]
    np.testing.assert_array_equal(forward, backward)
    assert len({picture.tobytes() for picture in forward}) == 10


def test_a_snapshot_brings_the_pictures_back(seeing):
    world = seeing(TURNING, rate_hz=20, gravity=0, noise=0.01, **SMALL)
    world.data.qvel[0] = 2
    world.step(500)
    start = world.snapshot()
    world.step(500)
    first = look(world).copy()
    world.restore(start)
    assert not np.array_equal(look(world), first)
    world.step(500)
    np.testing.assert_array_equal(look(world), first)


FLYING = '<body name="base"><freejoint/><geom type="box" size="0.2 0.4 0.05" mass="1"/><site name="eye"/></body>'
WING = {"kind": "airfoil", "site": "eye", "surface": {"area": 0.3, "span": 2, "chord": 0.15, "c_lift_a": 5}}


def test_physics_is_the_same_with_a_camera_and_without_looked_at_or_not(seeing, vehicle, make_world):
    start = {"velocity_b": [20, 1, 0], "position": [0, 0, 0.3]}
    scenario = {"floor": {}, "air": {"turbulence": {"sigma": [1, 1, 1]}}}
    parts = {"lens": {"kind": "camera", "site": "eye", "noise": 0.01, **SMALL}}
    blind = make_world({"model": vehicle(FLYING, name="a", parts={"wing": WING}), **start}, **scenario)
    folder = vehicle(FLYING, name="b", parts={"wing": WING, **parts})
    unseen, seen = (make_world({"model": folder, **start}, **scenario) for _ in range(2))
    for world in (blind, unseen, seen):
        for _ in range(20):
            world.step(100)
            if world is seen:
                assert look(world).shape == (48, 64, 3)
    states = [world.data.qpos.tobytes() + world.data.qvel.tobytes() for world in (blind, unseen, seen)]
    assert states[0] == states[1] == states[2]
    assert abs(blind.data.qpos[2] - 0.3) > 0.01 and seen._renderer._opened and not unseen._renderer._opened


def test_a_controller_sees_the_picture(seeing):
    text = "from cupola.config.controller import Controller\n\n\nclass Watching(Controller):\n"
    text += "    def step(self, obs, ref):\n        return [self.sensors['lens']().picture.mean()]\n"
    controller = {"use": "own.py:Watching", "rate_hz": 100}
    world = seeing(WALL, gravity=0, files={"own.py": text}, controller=controller, **SMALL)
    world.step(10)
    assert world.command()[0] == pytest.approx(look(world).mean())


def test_the_floor_is_below_and_the_sky_above(seeing):
    world = seeing('<body name="base" pos="0 0 2"><geom size="0.01"/><site name="eye"/></body>', floor={}, **SMALL)
    picture = look(world).astype(int)
    sky, grass = picture[:22].reshape(-1, 3), picture[28:].reshape(-1, 3)
    assert (sky[:, 2] > sky[:, 1]).all() and (grass[:, 1] > grass[:, 2]).all()


@pytest.mark.parametrize(
    ("numbers", "complaint"),
    [
        ({"camera": "nose"}, "no camera 'nose'; its camera names: eye"),
        ({"site": "nose"}, "no site 'nose'; its site names: eye"),
        ({"site": "eye", "camera": "eye"}, "either site or camera"),
        ({"site": ""}, "either site or camera"),
        ({"width_px": 5000}, "width_px.*4096.*5000"),
        ({"height_px": 0}, "height_px.*at least 1.*0"),
        ({"rate_hz": 3000}, "rate_hz 3000 is above physics_hz 2000"),
        ({"near": 2, "far": 1}, "near 2 must be below far 1"),
        ({"field_of_view": 4}, "field_of_view.*3.14.*4"),
        ({"noise": -1}, "noise.*at least 0"),
        ({"width": 800}, "width.*width_px"),
    ],
)
def test_nonsense_is_refused(seeing, numbers, complaint):
    with pytest.raises(InputError, match=f"(?s)parts.lens.*{complaint}"):
        seeing(SCENE.format(5, 0, 0), **numbers)


def test_a_camera_that_follows_a_body_is_refused(seeing):
    body = '<body name="base"><geom size="0.01"/><camera name="eye" mode="trackcom"/></body>'
    with pytest.raises(InputError, match=r"parts.lens: camera 'eye' must be fixed to its body"):
        seeing(body, camera="eye")


@pytest.mark.parametrize("reason", ["no library", "no driver"])
def test_missing_libraries_are_named_when_the_first_picture_is_asked_for(seeing, monkeypatch, reason):
    def fail(width, height):
        raise ImportError("Cannot initialize a EGL device display.")

    monkeypatch.delenv("MUJOCO_GL", raising=False)
    if reason == "no library":
        monkeypatch.setattr(rendering, "LIBRARIES", {"egl": "libNoSuchThing.so.1"})
    else:
        monkeypatch.setattr(rendering, "_context", fail)
    world = seeing(WALL, **SMALL)
    world.step(100)  # flies all the same
    with pytest.raises(InputError, match="apt-get install libegl1 libopengl0 libgl1-mesa-dri"):
        look(world)
