"""What strips and LiftDrag surfaces feel beside their motion: floor, streams of rotors, downwash of wings ahead."""

import itertools
import math

import numpy as np
import pytest

from cupola.physics.ground import image_share
from cupola.physics.slipstream import induced_speed, stream_speed
from cupola.schema.yaml_files import InputError

DENSITY, SPEED, ALPHA = 1.2, 15.0, math.radians(3.0)
HALF, ROOT, TIP = 0.8, 0.28, 0.12
"""[m] half span, chords."""
THIN = {"c_friction": 0.0, "c_lift_a": 2 * math.pi, "alpha_stall": 1.2, "suction": 1.0}
BEHIND = 0.9
"""[m] from the wing to the tail."""
LOOSE = 'contype="0" conaffinity="0"'
GLIDER = f"""<body name="base"><freejoint/><geom size=".1" mass="1e6" {LOOSE}/><site name="wing"/>
<site name="tail" pos="-{BEHIND} 0 .1"/><site name="prop" pos=".5 0 0"/></body>"""
MOTOR = {"s_prop": 0.04 * math.pi, "c_prop": 0.5, "k_motor": 30.0, "k_t_p": 1e-4, "k_omega": 100.0}
ROTOR = {"kind": "rotor", "site": "prop", "channel": 3, "direction": 1, "generic": MOTOR}  # radius 0.2 m


def pair(site="wing", **numbers):
    """Both halves of a tapered wing."""
    stations = [{"y": 0.0, "chord": ROOT}, {"y": HALF, "chord": TIP}]
    wing = {"kind": "wing", "site": site, "stations": stations, "section": THIN, "strips": 12, **numbers}
    return {f"{site}_{side}": {**wing, "side": side} for side in ("left", "right")}


@pytest.fixture
def flying(vehicle, make_world):
    """A world with a vehicle of some parts in level flight, nose up by `ALPHA`."""
    count = iter(range(100))

    def make(parts, height=50.0, **scenario):
        model = vehicle(GLIDER, name=f"toy{next(count)}", parts=parts)
        level = [SPEED * math.cos(ALPHA), 0.0, -SPEED * math.sin(ALPHA)]
        entry = {"model": model, "position": [0, 0, height], "velocity_b": level}
        entry |= {"attitude_deg": [0.0, -math.degrees(ALPHA), 0.0]}
        options = {"gravity": 0.0, "air": {"density": DENSITY}, "physics_hz": 1000, "floor": {}, **scenario}
        return make_world(entry, **options)

    return make


def lift_and_drag(world, parts, ticks=1):
    """Of some parts [N]."""
    world.step(ticks)
    force = sum(np.array(world.part(name).outputs.force) for name in parts)
    c, s = math.cos(ALPHA), math.sin(ALPHA)
    return float(c * force[2] + s * force[0]), float(s * force[2] - c * force[0])


@pytest.mark.parametrize(("height", "missing"), [(0.16, 0.08), (0.4, 0.03), (0.8, 0.015)])
def test_strips_near_the_floor_are_as_a_lattice_above_its_image(height, missing, flying):
    """Heights of a tenth to half a span: what the floor adds to the lift, and takes from the induced drag.

    Close to the floor the image of the bound vortex, which strips do not know, lifts a lattice some more.
    """
    found = {}
    for theory, keys in (("strips", {}), ("lattice", {"strips": 16, "panels": 4})):
        far = lift_and_drag(flying(pair(theory=theory, **keys), height), pair())
        near = lift_and_drag(flying(pair(theory=theory, ground_effect=True, **keys), height), pair())
        found[theory] = near[0] / far[0], near[1] / near[0] ** 2 / (far[1] / far[0] ** 2)
    assert 0.0 < found["lattice"][0] - found["strips"][0] < missing
    assert found["strips"][1] == pytest.approx(found["lattice"][1], abs=0.03)
    assert found["strips"][1] < 0.95


def test_a_liftdrag_surface_near_the_floor(flying):
    """In closed form: the angle gains share C_L / (π e A), and so much of the induced drag is gone."""
    ratio, span, height = 8.0, 1.6, 0.3
    surface = {"cla": 4.5, "area": 0.16, "cd0": 0.02, "cda": 0.0, "cdi": 1.0 / (math.pi * ratio), "alpha_stall": 0.3}
    part = {"kind": "liftdrag", "site": "wing", "surface": surface}
    world = flying({"half": {**part, "ground_effect": {"span": span, "aspect_ratio": ratio}}, "far": part}, height)
    world.step(1)
    near, far, share = world.part("half").outputs, world.part("far").outputs, image_share(height, span)
    lift = far.c_lift / (1.0 - share * 4.5 / (math.pi * ratio))
    assert far.c_lift == pytest.approx(4.5 * ALPHA, rel=1e-3)
    assert near.c_lift == pytest.approx(lift, rel=1e-3)
    assert near.c_drag == pytest.approx(0.02 + (1.0 - share) * lift**2 / (math.pi * ratio), rel=2e-3)


def test_a_liftdrag_surface_with_knees_far_from_its_site(flying):
    """The floor's share is that of its centre of pressure, the lift that of the table at the angle that is saved."""
    span, ratio, up, knee = 1.6, 8.0, 0.1, ALPHA + 0.0005
    breaks, c_lift = [-0.5, knee, 0.5], lambda a: np.interp(a, [-0.5, knee, 0.5], [-2.5, 5.0 * knee, 5.0 * knee + 0.5])
    slopes = [(c_lift(b) - c_lift(a)) / (b - a) for a, b in itertools.pairwise(breaks)]
    pieces = [number for a, slope in zip(breaks, slopes, strict=False) for number in (0.0, 0.0, slope, c_lift(a))]
    surface = {"area": 0.16, "cd0": 0.02, "cda": 0.0, "alpha_stall": 0.45, "mcoeff": 1e3}
    part = {"kind": "liftdrag", "site": "wing", "surface": surface, "cp": [0.0, 0.0, up]}
    part["lift"] = {"breaks": breaks, "coefficients": pieces}
    world = flying({"near": {**part, "ground_effect": {"span": span, "aspect_ratio": ratio}}}, height=0.1)
    world.step(1)
    near, share = world.part("near").outputs, image_share(0.1 + up * math.cos(ALPHA), span)
    expected = c_lift(near.alpha)
    for _ in range(50):
        expected = c_lift(near.alpha + share * expected / (math.pi * ratio))
    assert near.c_lift == pytest.approx(expected, rel=1e-3)
    linear = c_lift(near.alpha) / (1.0 - share * slopes[0] / (math.pi * ratio))
    assert expected < 0.98 * linear  # the knee matters


def test_a_plugins_law_knows_no_ground(flying):
    part = {"kind": "liftdrag", "site": "wing", "surface": {"cla": 4.5}, "mode": "gz"}
    with pytest.raises(InputError, match="ground_effect: only for mode: corrected"):
        flying({"one": {**part, "ground_effect": {"span": 2.0, "aspect_ratio": 8.0}}})


def test_a_propeller_blows_over_the_strips_in_its_stream(flying):
    """Strips in the stream lift by the square of their airspeed, those beside it as before."""
    stations = [{"y": 0.0, "chord": 0.1}, {"y": 0.1, "chord": 0.1}, {"y": 0.8, "chord": 0.1}]
    keys = {"stations": stations, "strips": 8, "aspect_ratio": 1e9}
    lifts = []
    for wash in ((), ({"rotor": "r"},)):
        world = flying({"r": ROTOR, **pair(**keys, wash=wash)})
        world.sticks((0, 0, 0, 1))
        lifts.append(lift_and_drag(world, pair(), 400)[0])
    thrust = world.part("r").outputs.thrust
    ahead = SPEED * math.cos(ALPHA)
    added = stream_speed(induced_speed(thrust, ahead, DENSITY, 0.2), 0.5, 0.2)
    assert added > 2.0
    # The stream is narrower than the disc, and 0.1 m wide strips are in it, partly, or out of it.
    radius = 0.2 * math.sqrt((ahead + induced_speed(thrust, ahead, DENSITY, 0.2)) / (ahead + added))
    down, shares = SPEED * math.sin(ALPHA), [1.0, (radius - 0.1) / 0.1, *[0.0] * 6]
    expected = np.mean([math.hypot(ahead + s * added, down) * down for s in shares]) / (SPEED * down)
    assert lifts[1] / lifts[0] == pytest.approx(expected, rel=0.01)


def test_a_tail_lies_in_the_downwash_as_in_one_lattice(flying):
    """What the wing takes from the tail's lift, by strips that are told of it and by one solution."""
    small = {"stations": [{"y": 0.0, "chord": 0.12}, {"y": 0.25, "chord": 0.12}]}
    lost = {}
    for theory, keys in (("strips", {"downwash": ("wing_left", "wing_right")}), ("lattice", {})):
        few = {"theory": theory, "strips": 6, **({"panels": 2} if theory == "lattice" else {})}
        tail = pair("tail", **few, **small)
        alone = lift_and_drag(flying(tail), tail)[0]
        behind = lift_and_drag(flying({**pair(**few), **pair("tail", **few, **small, **keys)}), tail, 3)[0]
        lost[theory] = 1.0 - behind / alone
    assert 0.2 < lost["lattice"] < 0.7
    assert lost["strips"] == pytest.approx(lost["lattice"], abs=0.05), lost


def test_downwash_comes_late(flying):
    """A flap of the wing goes down at once: half of what reaches the tail is there after the way at flight speed."""
    small = {"stations": [{"y": 0.0, "chord": 0.12}, {"y": 0.25, "chord": 0.12}]}
    flap = {"channel": 0, "gain": 0.1, "chord": 0.3}
    world = flying({**pair(flap=flap), **pair("tail", **small, downwash=("wing_left", "wing_right"))})
    world.step(100)
    before = world.part("tail_left").outputs.alpha
    world.sticks((1, 0, 0, 0))
    seen = []
    for _ in range(200):
        world.step(1)
        seen.append(world.part("tail_left").outputs.alpha - before)
    late, end = np.array(seen), seen[-1]
    assert end < -0.002
    bound = late[2]  # the bound vortex acts at once
    assert 0.0 < bound / end < 0.4
    passed = np.sum(end - late[2:]) / (end - bound) * 1e-3
    assert passed == pytest.approx(BEHIND / SPEED, rel=0.1)


def test_everything_at_once_comes_back_with_a_snapshot(flying, digest):
    """Strips with a memory, near the floor, in a stream and in a downwash: nothing is kept outside the state."""
    keys = {"theory": "unsteady_strips", "strips": 3, "ground_effect": True}
    ahead = ("wing_left", "wing_right")
    parts = {"r": ROTOR, **pair(**keys), **pair("tail", **keys, wash=[{"rotor": "r"}], downwash=ahead)}
    world = flying(parts, 0.4)
    world.sticks((0, 0, 0, 0.5))
    world.step(20)
    kept = world.snapshot()
    world.step(30)
    after = digest(world)
    world.step(5)
    world.restore(kept)
    world.step(30)
    assert digest(world) == after


def test_what_cannot_be_is_said(flying):
    with pytest.raises(InputError, match="wash: only for theory: strips, unsteady_strips, delaurier"):
        flying(pair(theory="lattice", wash=[{"rotor": "r"}]))
    with pytest.raises(InputError, match="a wing does not lie behind itself"):
        flying(pair(downwash=("wing_left",)))
    with pytest.raises(
        InputError, match="there is no part 'nose' that gives a Sheet; there are: wing_left, wing_right"
    ):
        flying(pair(downwash=("nose",)))
