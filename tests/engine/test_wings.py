"""Wings of strips in the loop: closed forms, energy, shapes that change, and air that goes along."""

import math

import mujoco
import numpy as np
import pytest

from cupola.physics.rotation import Vector
from cupola.physics.section import Section, lift_and_drag, steady_polar
from cupola.physics.strip import Strip, steady_down, strip_flow

DENSITY = 1.2
SPAN, CHORD = 0.5, 0.1
PLATE = [{"y": 0.0, "chord": CHORD}, {"y": SPAN, "chord": CHORD}]
LOOSE = 'contype="0" conaffinity="0"'
BIRD = f"""<body name="base"><freejoint/><geom type="ellipsoid" size=".25 .06 .06" mass=".5" {LOOSE}/>
<body name="left" pos="0 .05 0"><joint name="flap_left" axis="1 0 0"/>
<geom type="box" size=".09 .25 .002" pos="-.02 .25 0" mass=".05" {LOOSE}/><site name="left"/></body>
<body name="right" pos="0 -.05 0"><joint name="flap_right" axis="1 0 0"/>
<geom type="box" size=".09 .25 .002" pos="-.02 -.25 0" mass=".05" {LOOSE}/><site name="right"/></body></body>"""
GLIDER = f"""<body name="base"><freejoint/><geom size=".1" mass="1" {LOOSE}/>
<body name="left"><geom type="box" size=".05 .25 .002" pos="0 .25 0" mass=".2" {LOOSE}/><site name="left"/></body>
<body name="right"><geom type="box" size=".05 .25 .002" pos="0 -.25 0" mass=".2" {LOOSE}/><site name="right"/></body>
</body>"""
AIR = {"density": DENSITY}


def wing(side, **numbers):
    return {"kind": "wing", "site": side, "side": side, "stations": PLATE, "aspect_ratio": 1e9, **numbers}


def both(**numbers):
    return {"left": wing("left", **numbers), "right": wing("right", **numbers)}


def move(world, twist, **joints):
    world.data.qvel[:6] = twist
    for name, rate in joints.items():
        joint = world.model.joint(f"toy/{name}").id
        world.data.qvel[world.model.jnt_dofadr[joint]] = rate
    world.restore(world.snapshot())


def loads(world):
    """Force and torque of each wing at its site."""
    shown = [world.part(bound.full_name).outputs for bound in world.assembly.parts]
    return [np.array([*wing.force, *wing.torque]) for wing in shown]


def work_done(world):
    """Work of the air on all wings so far [J]."""
    return sum(world.part(bound.full_name).state.work for bound in world.assembly.parts)


def energy(world):
    momentum = np.zeros(world.model.nv)
    mujoco.mj_mulM(world.model, world.data, momentum, world.data.qvel)
    return 0.5 * momentum @ world.data.qvel


def test_strips_in_even_flow_add_up_to_one_panel(vehicle, make_world):
    world = make_world(vehicle(GLIDER, parts=both()), physics_hz=1000, gravity=0.0, air=AIR)
    speed, alpha = 12.0, math.radians(5.0)
    move(world, [speed * math.cos(alpha), 0, -speed * math.sin(alpha), 0, 0, 0])
    world.step()
    wanted = lift_and_drag(alpha, steady_polar(alpha, Section()))
    push = 0.5 * DENSITY * speed**2 * SPAN * CHORD
    for load in loads(world):
        lift = load[2] * math.cos(alpha) + load[0] * math.sin(alpha)
        drag = load[2] * math.sin(alpha) - load[0] * math.cos(alpha)
        assert lift == pytest.approx(push * wanted.lift, rel=1e-8)
        assert drag == pytest.approx(push * wanted.drag, abs=1e-8 * push)


def test_rolling_is_damped_by_a_sixth_of_the_lift_slope(vehicle, make_world):
    """C_lp = -a / 6 for a constant chord: seeds of strip theory, e.g. Etkin, Dynamics of Flight, 5.7."""
    world = make_world(vehicle(GLIDER, parts=both(strips=100)), physics_hz=1000, gravity=0.0, air=AIR)
    speed, rate = 20.0, 0.01
    move(world, [speed, 0, 0, rate, 0, 0])
    world.step()
    torque = sum(load[3] for load in loads(world))
    span = 2.0 * SPAN
    c_lp = torque / (0.5 * DENSITY * speed**2 * span * CHORD * span) / (rate * span / (2.0 * speed))
    assert c_lp == pytest.approx(-2.0 * math.pi / 6.0, rel=1e-3)


def test_left_and_right_mirror_each_other_in_a_sideslip(vehicle, make_world):
    swept = [{"y": 0.0, "chord": 0.12, "incidence": 0.05}, {"y": 0.5, "chord": 0.08, "x": -0.1, "z": 0.03}]
    parts = {side: wing(side, stations=swept, model="unsteady") for side in ("left", "right")}
    worlds = [
        make_world(vehicle(GLIDER, name=name, parts=parts), physics_hz=1000, gravity=0.0, air=AIR) for name in "ab"
    ]
    for world, slip in zip(worlds, (3.0, -3.0), strict=True):
        move(world, [10, slip, -1, 0.3 * slip, 0.2, 0.1 * slip])
        world.step(5)
    (left, right), (left_too, right_too) = loads(worlds[0]), loads(worlds[1])
    mirror = np.array([1, -1, 1, -1, 1, -1])
    assert np.allclose(left, mirror * right_too, rtol=1e-9, atol=1e-12)
    assert np.allclose(right, mirror * left_too, rtol=1e-9, atol=1e-12)
    assert not np.allclose(left, mirror * right, rtol=0.05)


def test_energy_balance_of_free_wings_closes(vehicle, make_world):
    """Body, hinges and air carried along lose exactly what the wings are said to take: ten seconds without drag."""
    stations = [{"y": 0.0, "chord": 0.18}, {"y": 0.5, "chord": 0.1, "x": -0.02}]
    parts = {side: wing(side, stations=stations, model="unsteady", strips=20) for side in ("left", "right")}
    folder = vehicle(BIRD, parts=parts)
    world = make_world(folder, physics_hz=1000, gravity=0.0, integrator="RK4", air=AIR)
    move(world, [8, 0.3, -0.2, 0.5, 0.3, 0.2], flap_left=6.0, flap_right=-5.0)
    start, before = energy(world), work_done(world)
    for _ in range(10):
        world.step(1000)
        work = work_done(world) - before
        assert abs(energy(world) - start - work) < 1e-6 * start
    assert energy(world) < 0.5 * start  # something happened


def test_the_air_carried_along_slows_a_plate_on_a_spring(vehicle, make_world):
    """In still air at small angles only added mass counts: omega² = k / (I + I_air), I_air = pi rho b² span³ / 3."""
    plate = f"""<body name="base"><joint name="flap" axis="1 0 0" stiffness="5"/>
    <geom type="box" size=".05 .25 .002" pos="0 .25 0" mass=".05" {LOOSE}/><site name="left" pos=".025 0 0"/></body>"""
    parts = {"left": wing("left", model="unsteady", strips=40)}
    world = make_world(
        vehicle(plate, parts=parts), physics_hz=4000, gravity=0.0, integrator="RK4", air={"density": 30.0}
    )
    inertia = world.model.body_inertia[1][0] + 0.05 * 0.25**2
    with_air = inertia + 30.0 * math.pi * (CHORD / 2) ** 2 * SPAN**3 / 3.0
    world.data.qpos[0] = 1e-4
    world.restore(world.snapshot())
    period = 2.0 * math.pi * math.sqrt(with_air / 5.0)
    world.step(round(0.25 * period * 4000))
    assert with_air > 3.0 * inertia
    assert abs(world.data.qpos[0]) < 2e-7  # a quarter period later it passes through the middle


def test_a_quasi_steady_strip_equals_the_equation(vehicle, make_world):
    world = make_world(vehicle(GLIDER, parts={"left": wing("left", strips=1)}), physics_hz=1000, gravity=0.0, air=AIR)
    move(world, [10, 1, -0.5, 0.2, 0.4, -0.3])
    world.step()
    strip = Strip(chord=CHORD, width=SPAN)
    rate = Vector(*world.data.qvel[3:6])
    vel = Vector(10 - 0.25 * -0.3, 1.0, -0.5 + 0.25 * 0.2)
    flow = strip_flow(vel, rate, strip)
    assert world.part("left").outputs.alpha == pytest.approx(
        math.atan2(steady_down(flow, strip), flow.forward), rel=1e-2
    )


def morphing(vehicle, make_world, *, model="steady", air=None, **shape):
    parts = {side: wing(side, model=model, **shape) for side in ("left", "right")}
    return make_world(vehicle(GLIDER, parts=parts), physics_hz=1000, gravity=0.0, air=air or AIR)


def test_a_body_that_stretches_its_wings_turns_slower(vehicle, make_world):
    """No torque in space: inertia times rate stays, though the wings move; within the order of a tick."""
    parts = {side: wing(side, span={"channel": 0, "gain": 0.5}) for side in ("left", "right")}
    folder = vehicle(GLIDER, parts=parts, controller={"use": "pass_through", "rate_hz": 1000})
    world = make_world(folder, physics_hz=1000, gravity=0.0, air={"space": True})
    move(world, [0, 0, 0, 0, 0, 3.0])
    world.step()

    def spin():
        momentum = np.zeros(world.model.nv)
        mujoco.mj_mulM(world.model, world.data, momentum, world.data.qvel)
        return momentum[5]

    before, rate = spin(), world.data.qvel[5]
    for value in np.linspace(0.0, 1.0, 2001):
        world.sticks([value])
        world.step()
    world.step(10)
    assert world.data.qvel[5] < 0.75 * rate
    assert spin() == pytest.approx(before, rel=5e-4)


def test_sweep_moves_the_centre_of_mass_back(vehicle, make_world):
    world = morphing(vehicle, make_world, sweep={"channel": 0, "gain": 1.0})
    world.sticks([0.5])
    world.step(20)
    arms = [world.data.xipos[world.model.body(f"toy/{side}").id] - world.data.xpos[1] for side in ("left", "right")]
    for arm, side in zip(arms, (1.0, -1.0), strict=True):
        assert arm == pytest.approx([-0.25 * math.sin(0.5), side * 0.25 * math.cos(0.5), 0.0], abs=1e-9)


@pytest.mark.parametrize(("shape", "lift"), [("camber", 2 * math.pi * 2 * 0.05), ("twist", 2 * math.pi * 0.05 / 2)])
def test_camber_and_twist_lift_as_thin_airfoils_do(vehicle, make_world, shape, lift):
    world = morphing(vehicle, make_world, **{shape: {"channel": 0, "gain": 0.05}})
    world.sticks([1.0])
    world.step(20)
    move(world, [10, 0, 0, 0, 0, 0])
    world.step()
    force = loads(world)[0][2] / (0.5 * DENSITY * 100.0 * SPAN * CHORD)
    assert force == pytest.approx(lift, rel=0.02)


def test_a_changing_wing_repeats_bit_for_bit(vehicle, make_world, digest):
    world = morphing(
        vehicle, make_world, model="unsteady", span={"channel": 0, "gain": 0.5}, sweep={"channel": 1, "gain": 0.4}
    )
    move(world, [10, 0, -1, 0, 0, 0])
    world.sticks([0.3, 0.5])
    world.step(7)
    kept = world.snapshot()
    world.sticks([0.9, -0.5])
    world.step(50)
    wanted = digest(world)
    world.reset()
    world.step(30)
    world.restore(kept)
    world.sticks([0.9, -0.5])
    world.step(50)
    assert digest(world) == wanted


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ({"stations": [{"y": 0.2, "chord": 0.1}, {"y": 0.1, "chord": 0.1}]}, "one behind the other"),
        ({"lift": {"coefficients": [0.0]}}, "both a lift and a drag curve"),
    ],
)
def test_a_wing_that_cannot_be_is_refused(vehicle, make_world, numbers, said):
    from cupola.schema.yaml_files import InputError

    with pytest.raises(InputError, match=said):
        make_world(vehicle(GLIDER, parts={"left": wing("left", **numbers)}))


def test_the_air_along_a_wing_of_a_single_body_turns_with_it(vehicle, make_world):
    """Pushed across its chord from rest it accelerates with m + ρ π c² b / 4, however it lies in the world.

    It also pitches a little, since that air lies a quarter chord behind. MuJoCo keeps only the diagonal of the mass
    matrix of a free body without children, unless told otherwise.
    """
    body = f"""<body name="base"><freejoint/><geom size=".05" mass=".2" {LOOSE}/>
    <site name="left"/><site name="right"/></body>"""
    folder = vehicle(body, parts=both(model="unsteady"))
    mass = 0.2 + DENSITY * math.pi / 4.0 * CHORD**2 * 2.0 * SPAN
    found = []
    for attitude in ([0, 0, 0], [0, 50, 0], [35, 20, 70]):
        world = make_world({"model": folder, "attitude_deg": attitude}, air=AIR, floor=None, gravity=0.0)
        axes = world.data.body("toy/base").xmat.reshape(3, 3)
        world.push("toy/base", (axes @ [0.0, 0.0, 1.0]).tolist())
        world.accelerate()
        found.append([*(axes.T @ world.data.qacc[:3]), *world.data.qacc[3:6]])
    np.testing.assert_allclose(found[0][:3], [0.0, 0.0, 1.0 / mass], rtol=2e-3, atol=1e-12)
    np.testing.assert_allclose(found[1:], [found[0]] * 2, atol=1e-9)
