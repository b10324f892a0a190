"""A shape that changes by channels moves its strips: they feel how fast, and what drives it does the work."""

import math

import mujoco
import numpy as np
import pytest

from cupola.aerodynamics.exact import theodorsen

DENSITY, SPEED, SPAN, CHORD, STRIPS = 1.2, 10.0, 0.5, 0.2, 10
OMEGA, RATE = 30.0, 4000
"""[rad/s] of the shape, so that k = 0.3; [Hz] of the ticks."""
LOOSE = 'contype="0" conaffinity="0"'
GLIDER = f"""<body name="base"><freejoint/><geom size=".1" mass="1" {LOOSE}/>
<body name="left"><geom type="box" size=".05 .25 .002" pos="0 .25 0" mass=".2" {LOOSE}/><site name="left"/></body>
<body name="right"><geom type="box" size=".05 .25 .002" pos="0 -.25 0" mass=".2" {LOOSE}/><site name="right"/></body>
</body>"""
FAST = {"use": "pass_through", "rate_hz": RATE}
IDEAL = {"alpha_stall": 3.0, "c_normal_90": 0.0}


def wing(side, **numbers):
    stations = [{"y": 0.0, "chord": CHORD}, {"y": SPAN, "chord": CHORD}]
    plane = {"theory": "unsteady_strips", "strips": STRIPS, "aspect_ratio": 1e9, "section": IDEAL}
    return {"kind": "wing", "site": side, "side": side, "stations": stations, **plane, **numbers}


def swung(world, amplitude, beats=3):
    """First harmonics of the lift [N], and mean power of the drive [W], of a held wing in the last of some beats."""
    part, every = world.part("left"), round(2.0 * math.pi / OMEGA * RATE)
    lift, drive = 0.0j, 0.0
    for tick in range(beats * every):
        world.sticks([amplitude * math.sin(OMEGA * world.time)])
        world.step()
        if tick >= (beats - 1) * every:
            lift += 2.0j * part.outputs.force.z * np.exp(-1j * OMEGA * world.time) / every
            drive += part.outputs.drive / every
    return lift, drive


@pytest.mark.parametrize("shape", ["twist", "camber"])
def test_air_feels_how_fast_a_shape_changes(shape, vehicle, make_world):
    """Circulation of a section that pitches about its quarter chord, or whose arch grows, by Theodorsen; and the power
    that pitches it, π ρ b³ U θ'². The twist grows towards the tip, so means of it and its square count.
    """
    amplitude, b = 0.01, 0.5 * CHORD
    folder = vehicle(GLIDER, parts={"left": wing("left", **{shape: {"channel": 0, "gain": 1.0}})}, controller=FAST)
    wind = {"density": DENSITY, "wind": {"speed": SPEED, "from_deg": 90.0}}
    world = make_world({"model": folder, "freedom": "fixed"}, physics_hz=RATE, gravity=0.0, air=wind, floor=None)
    lift, drive = swung(world, amplitude)
    felt = SPEED + 1j * OMEGA * b if shape == "twist" else 2.0 * SPEED - 1j * OMEGA * b
    share = 0.5 if shape == "twist" else 1.0
    exact = 2.0 * math.pi * DENSITY * SPEED * b * SPAN * share * amplitude * felt * theodorsen(OMEGA * b / SPEED)
    assert abs(lift - exact) < 0.02 * abs(exact)
    if shape == "twist":
        squares = 1.0 / 3.0 - 1.0 / (12.0 * STRIPS**2)
        power = math.pi * DENSITY * b**3 * SPEED * SPAN * squares * 0.5 * (OMEGA * amplitude) ** 2
        assert drive == pytest.approx(power, rel=0.02)


MOVED = {
    "twist": {"twist": {"channel": 0, "gain": 0.3}},
    "span": {"span": {"channel": 0, "gain": 0.2}},
    "sweep": {"sweep": {"channel": 0, "gain": 0.3}},
    "dihedral": {"dihedral": {"channel": 0, "gain": 0.3}},
    "all": {
        name: {"channel": k, "gain": 0.2} for k, name in ((0, "twist"), (1, "span"), (2, "sweep"), (3, "dihedral"))
    },
}
"""Channel 3 is a throttle: half of its stick, and it begins at a half."""


@pytest.mark.parametrize("shape", MOVED)
def test_energy_closes_while_the_shape_changes(shape, vehicle, make_world):
    """A free glider whose shape swings: body, wings and air carried along gain what the wings are said to give."""
    many = {"strips": 30, **MOVED[shape]}
    parts = {side: wing(side, **many) for side in ("left", "right")}
    folder, air = vehicle(GLIDER, parts=parts, controller=FAST), {"density": DENSITY}
    world = make_world(folder, physics_hz=RATE, gravity=0.0, integrator="RK4", air=air)
    world.data.qvel[:6] = [SPEED, 0.3, -0.5, 0.5, 0.2, 0.1]
    world.restore(world.snapshot())
    wings = [world.part(side) for side in ("left", "right")]

    def energy():
        momentum = np.zeros(world.model.nv)
        mujoco.mj_mulM(world.model, world.data, momentum, world.data.qvel)
        return 0.5 * momentum @ world.data.qvel

    def beat():
        for _ in range(round(2.0 * math.pi / OMEGA * RATE)):
            phase = OMEGA * world.time
            world.sticks([math.sin(phase), math.sin(2.0 * phase), 0.5 - 0.5 * math.cos(phase), math.sin(phase)])
            world.step()

    beat()
    start, before = energy(), sum(one.state.work for one in wings)
    beat()
    given = sum(one.state.work for one in wings) - before
    assert abs(given) > 1e-5 * start  # something happened
    assert energy() - start == pytest.approx(given, abs=1e-4 * start)


SPRING = 8.0
"""[N m/rad] of hinges about which the wings flap."""
BIRD = GLIDER.replace('<geom type="box"', f'<joint axis="1 0 0" stiffness="{SPRING}"/><geom type="box"')


def swing(vehicle, make_world, theory, swings, rate):
    """Energy that a beat creates and what the wings say they gave, by the energy before it; and their hinge's way."""
    omega = 15.0
    numbers = {"theory": theory, "stations": [{"y": 0.0, "chord": CHORD}, {"y": SPAN, "chord": 0.4 * CHORD}]}
    shape = {name: {**key, "gain": swings * key["gain"]} for name, key in MOVED["all"].items()}
    parts = {side: wing(side, **{"aspect_ratio": 7.0, **numbers, **shape}) for side in ("left", "right")}
    folder = vehicle(BIRD, parts=parts, controller={**FAST, "rate_hz": rate}, name=f"swings_at_{rate}")
    world = make_world(folder, physics_hz=rate, gravity=0.0, integrator="RK4", air={"density": DENSITY})
    world.data.qvel[:6], world.data.qpos[7:] = [SPEED, 0.3, -0.5, 0.5, 0.2, 0.1], [0.4, -0.4]
    world.restore(world.snapshot())
    wings = [world.part(side) for side in ("left", "right")]

    def energy():
        momentum = np.zeros(world.model.nv)
        mujoco.mj_mulM(world.model, world.data, momentum, world.data.qvel)
        return 0.5 * (momentum @ world.data.qvel + SPRING * np.sum(world.data.qpos[7:] ** 2))

    kept, hinge = [], []
    for tick in range(2 * round(2.0 * math.pi / omega * rate)):
        if tick % (round(2.0 * math.pi / omega * rate)) == 0:
            kept.append((energy(), sum(one.state.work for one in wings)))
        phase = omega * world.time
        # The throttle begins at its end, where it is at the start: a jump would hit the wings, the harder the finer.
        world.sticks([math.sin(phase), math.sin(2.0 * phase), 0.5 - 0.5 * math.cos(phase), -math.cos(phase)])
        world.step()
        hinge.append(world.data.qpos[7])
    (start, before), (end, after) = kept[1], (energy(), sum(one.state.work for one in wings))
    return (end - start - (after - before)) / start, (after - before) / start, np.ptp(hinge)


@pytest.mark.parametrize("theory", ["strips", "unsteady_strips", "delaurier"])
def test_energy_closes_over_a_beat_with_everything_at_once(theory, vehicle, make_world):
    """Tapered wings flap on springs while their shape swings. Their mass is not spread as their area is."""
    created, given, hinge = swing(vehicle, make_world, theory, 1.0, 8000)
    assert hinge > 0.5
    assert abs(given) > 1e-2
    assert abs(created) < 1e-4


@pytest.mark.parametrize("theory", ["strips", "unsteady_strips", "delaurier"])
def test_what_a_violent_swing_creates_is_of_the_step(theory, vehicle, make_world):
    """Twice the swings, 23° of sweep, twist and dihedral and 40 % of span: a shape is held over a tick."""
    coarse, fine = (abs(swing(vehicle, make_world, theory, 2.0, rate)[0]) for rate in (8000, 16000))
    assert fine < 1e-4
    assert fine == pytest.approx(0.5 * coarse, rel=0.1)


SOLVED = {"panels": 2, "strips": 4}
THEORIES = {
    "strips": {},
    "unsteady_strips": {},
    "delaurier": {},
    "lifting_line": {"strips": 4},
    "lattice": SOLVED,
    "unsteady_lattice": {**SOLVED, "wake_rows": 5, "solve_hz": 1000},
}


@pytest.mark.parametrize(
    ("theory", "shape", "axis"),
    [*((theory, "dihedral", "x") for theory in THEORIES), ("strips", "sweep", "z"), ("lattice", "sweep", "z")],
)
def test_what_turns_a_whole_wing_works_against_its_torque(theory, shape, axis, vehicle, make_world):
    """Whatever the theory: the power of a wing's drive is minus the torque about its root times the rate."""
    numbers = {"theory": theory, "aspect_ratio": 5.0, **THEORIES[theory], shape: {"channel": 0, "gain": 1.0}}
    pair = {side: {**wing(side), **numbers} for side in ("left", "right")}
    folder = vehicle(GLIDER, parts=pair, controller={"use": "pass_through", "rate_hz": 1000})
    wind = {"density": DENSITY, "wind": {"speed": SPEED, "from_deg": 90.0}}
    held = {"model": folder, "freedom": "fixed", "attitude_deg": [0.0, -4.0, 0.0]}
    world = make_world(held, physics_hz=1000, gravity=0.0, air=wind, floor=None)
    for tick in range(60):
        world.sticks([0.002 * tick])
        world.step()
    for side, sign in (("left", 1.0), ("right", -1.0)):
        shown = world.part(side).outputs
        assert shown.drive == pytest.approx(-sign * 2.0 * getattr(shown.torque, axis), rel=5e-3, abs=1e-6)
        assert abs(shown.drive) > 1e-3
