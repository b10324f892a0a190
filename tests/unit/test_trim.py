"""Steady flight and small motions about it: what is found must stay put when flown, and swing as predicted."""

import importlib
import math
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.linalg import expm

from cupola.analysis import Aircraft, Condition, Flight, LinearModel, eigenvalues, linearize, modes, trim
from cupola.analysis.aircraft import OUTPUTS, STATES
from cupola.physics.rotation import euler_from_quaternion
from cupola.schema.yaml_files import InputError

G = 9.81


@pytest.fixture(scope="module")
def plane(make_world):
    return Aircraft(make_world("plane_1wing"))


@pytest.fixture(scope="module")
def aerosonde(make_world):
    return Aircraft(make_world("aerosonde"))


def fly(make_world, model, found, state=None):
    """A world in the trimmed state (or another), commands held, fourth order."""
    entry = {"model": model, **found._replace(state=state or found.state).start()}
    controller = {"use": "pass_through", "rate_hz": 100}
    world = make_world({**entry, "controller": controller}, integrator="RK4", physics_hz=500)
    roll, pitch, yaw, throttle = (found.commands()[k] for k in range(4))
    world.sticks([roll, pitch, yaw, 2 * throttle - 1])
    return world


def as_flight(seen):
    """Motion in the axes of the books."""
    angles = euler_from_quaternion(seen.quat_wb)
    (u, v, w), (p, q, r) = seen.vel_b, seen.rate_b
    x, y, h = seen.pos_w
    return Flight(u, -v, -w, p, -q, -r, angles.roll, -angles.pitch, -angles.yaw, x, -y, h)


CONDITIONS = [
    Condition(25.0),
    Condition(25.0, climb=math.radians(4.0)),
    Condition(25.0, climb=math.radians(-6.0), altitude=1500.0),
    Condition(25.0, turn_rate=0.25),
    Condition(25.0, climb=math.radians(2.0), turn_rate=-0.2),
]


@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
@pytest.mark.parametrize("name", ["plane_1wing", "aerosonde"])
def test_a_trimmed_flight_stays_put(make_world, plane, aerosonde, name, condition):
    aircraft = plane if name == "plane_1wing" else aerosonde
    found = trim(aircraft, condition)
    assert np.abs(found.residuals).max() < 1e-8
    x_dot, y_dot, h_dot = aircraft.derivative(found.state, found.inputs).rates[9:]
    world = fly(make_world, name, found)
    seconds = 5.0
    world.run(seconds)
    now, turned = as_flight(world.motion()), seconds * condition.turn_rate
    # Air thins by 1e-4 per metre: over the 9 m climbed here that becomes some 0.01 m/s² of lift and drag.
    climbing = condition.climb != 0.0
    np.testing.assert_allclose(now[:9], [*found.state[:8], turned], atol=0.05 if climbing else 1e-6)
    # Straight on, or along a circle: the integral of a velocity that turns.
    across = complex(x_dot, y_dot)
    path = across * seconds if turned == 0.0 else across * (np.exp(1j * turned) - 1) / (1j * condition.turn_rate)
    far = 0.2 if climbing else 1e-5
    assert (now.x, now.y) == pytest.approx((path.real, path.imag), abs=far)
    assert now.h - condition.altitude == pytest.approx(seconds * h_dot, abs=far)
    assert h_dot == pytest.approx(condition.airspeed * math.sin(condition.climb), abs=1e-9)


def test_level_flight_of_plane_1wing_is_that_of_its_readme(plane):
    # Fully up at 18.4 m/s with throttle 0.467; the speed has three digits.
    fastest = trim(plane, Condition(18.45, altitude=0.0)).values()
    assert fastest["throttle"] == pytest.approx(0.467, abs=2e-3)
    assert 0.335 < fastest["elevator"] <= 0.3491
    with pytest.raises(InputError, match=r"elevator saturates at 0\.3491 rad; the best balance leaves q_dot"):
        trim(plane, Condition(18.3, altitude=0.0))


def test_lift_carries_the_weight_and_thrust_the_drag(plane):
    found = trim(plane, Condition(25.0, climb=0.1))
    plane.derivative(found.state, found.inputs)
    wing, thrust, mass = plane.world.part("wing").outputs, plane.world.part("motor1").outputs.thrust, 3.42
    alpha, force = wing.alpha, wing.force
    lift = force.z * math.cos(alpha) + force.x * math.sin(alpha)
    drag = force.z * math.sin(alpha) - force.x * math.cos(alpha)
    assert alpha == pytest.approx(found.alpha, abs=1e-12)
    assert thrust * math.cos(alpha) - drag == pytest.approx(mass * G * math.sin(0.1), rel=1e-9)
    assert lift + thrust * math.sin(alpha) == pytest.approx(mass * G * math.cos(0.1), rel=1e-9)


def test_a_turn_is_banked_for_its_rate(plane):
    left, right = (trim(plane, Condition(25.0, turn_rate=rate)) for rate in (-0.3, 0.3))
    # tan(bank) = V rate / g without side force; the force of the rudder that turns the nose needs 7 % more.
    assert right.state.phi == pytest.approx(math.atan(25.0 * 0.3 / G), rel=0.08)
    assert left.state.phi == pytest.approx(-right.state.phi, rel=1e-9)
    for name, sign in (("aileron", -1), ("rudder", -1), ("elevator", 1), ("throttle", 1)):
        assert left.values()[name] == pytest.approx(sign * right.values()[name], abs=1e-9)


def test_phugoid_without_drag_has_lanchesters_frequency(make_world):
    plane = Aircraft(make_world("plane_1wing"))
    wing = plane.world.part("wing").row
    plane.world.part("motor1").row.off = 1
    wing.c_drag_p, wing.oswald = 0.0, 1e9
    speed = 20.0
    found = trim(plane, Condition(speed))
    by_name = {mode.name: mode for mode in modes(linearize(plane, found.state, found.inputs))}
    # Root(2) g / V at constant angle of attack; pitch damping and the lift of the pitching wing lower it: see the test
    # of the flown phugoid in tests/vehicles/test_plane_1wing.py, Etkin and Reid 6.3.
    slope, back, c_lift = 6.9, 0.1094, 0.56 + 6.9 * found.alpha
    k, d = 0.7 * 0.15 + slope * back, 20.0 * 0.15**2 / 2 + slope * back**2
    longer = math.sqrt(1 + G * slope / (c_lift * speed**2) * (d / k - back))
    assert by_name["phugoid"].frequency == pytest.approx(math.sqrt(2) * G / speed / longer, rel=0.01)
    assert abs(by_name["phugoid"].damping) < 0.05


@pytest.mark.parametrize("condition", [CONDITIONS[0], CONDITIONS[3]], ids=str)
def test_small_motions_follow_the_linear_model(make_world, aerosonde, condition):
    found = trim(aerosonde, condition)
    model = linearize(aerosonde, found.state, found.inputs)
    small = 1e-3 * np.array([20, 10, 5, 2, 2, 2, 1, 1, 1, 0, 0, 0])
    world = fly(make_world, "aerosonde", found, Flight(*(np.array(found.state) + small)))
    world.run(1.0)
    steady = np.array(found.state) + np.array([0] * 8 + [condition.turn_rate] + [0] * 3)
    moved = np.array(as_flight(world.motion())) - steady
    # What is left out is of second order: small * small.
    predicted = expm(model.A) @ small
    np.testing.assert_allclose(moved[:9], predicted[:9], atol=2e-5)
    assert np.abs(predicted[:9]).max() > 5e-3


def test_inputs_act_as_the_linear_model_says(aerosonde):
    found = trim(aerosonde, CONDITIONS[0])
    model = linearize(aerosonde, found.state, found.inputs)
    assert model.inputs == ("aileron", "elevator", "rudder", "throttle")
    for k, step in enumerate((1e-3, -1e-3, 2e-3, 1e-3)):
        inputs = found.inputs.copy()
        inputs[k] += step
        moved = aerosonde.derivative(found.state, inputs)
        np.testing.assert_allclose(moved.rates - model.B[:, k] * step, _steady(aerosonde, found), atol=2e-5)
        still = aerosonde.derivative(found.state, found.inputs).outputs
        np.testing.assert_allclose(moved.outputs - still, model.D[:, k] * step, atol=2e-5)
    assert np.abs(model.D).max() > 1


def _steady(aircraft, found):
    return aircraft.derivative(found.state, found.inputs).rates


def test_outputs_are_the_states_the_flow_and_the_felt_force(aerosonde):
    found = trim(aerosonde, CONDITIONS[0])
    outputs = dict(zip(OUTPUTS, aerosonde.derivative(found.state, found.inputs).outputs, strict=True))
    assert (outputs["airspeed"], outputs["alpha"]) == pytest.approx((25.0, found.alpha), rel=1e-12)
    assert outputs["force_z"] == pytest.approx(-G * math.cos(found.state.theta), rel=1e-6)  # up, so negative
    model = linearize(aerosonde, found.state, found.inputs)
    np.testing.assert_allclose(model.C[: len(STATES)], np.eye(len(STATES)), atol=1e-12)
    assert model.C[OUTPUTS.index("alpha"), STATES.index("w")] == pytest.approx(math.cos(found.alpha) / 25.0, rel=1e-6)


def test_a_full_throttle_has_a_slope_too(aerosonde):
    state, inputs = trim(aerosonde, CONDITIONS[0]).state, np.array([0.0, -0.1, 0.0, 1.0])
    full, less = (linearize(aerosonde, state, inputs - [0, 0, 0, d]).B[0, 3] for d in (0.0, 1e-3))
    assert full == pytest.approx(less, rel=2e-3)


def test_forward_differences_are_those(aerosonde):
    found = trim(aerosonde, CONDITIONS[0])
    here, step = found.state, 0.01
    model = linearize(aerosonde, here, found.inputs, forward=step)
    there = aerosonde.derivative(here._replace(theta=here.theta + step), found.inputs).rates
    column = (there - _steady(aerosonde, found)) / step
    np.testing.assert_allclose(model.A[:, STATES.index("theta")], column, rtol=1e-13)
    with pytest.raises(InputError, match="must be positive, got -1"):
        linearize(aerosonde, here, found.inputs, forward=-1.0)


def block_model(*blocks):
    """A model whose states in the plane of symmetry, then those out of it, obey two matrices."""
    A = np.zeros((12, 12))
    for names, block in zip((("u", "w", "q", "theta"), ("v", "p", "r", "phi")), blocks, strict=True):
        rows = [STATES.index(name) for name in names]
        A[np.ix_(rows, rows)] = block
    nothing = np.zeros((12, 0))
    return LinearModel(A, nothing, np.eye(12), nothing, STATES, (), STATES, Flight(1, 0, 0), np.zeros(0))


def companion(*roots):
    """A matrix of given eigenvalues."""
    return np.block(
        [[np.zeros((3, 1)), np.eye(3)], [-np.real(np.poly(roots))[:0:-1].reshape(1, 4)]],
    )


SWINGS = (-2 + 5j, -2 - 5j, -0.1 + 0.3j, -0.1 - 0.3j)


@pytest.mark.parametrize(
    ("upright", "sideways", "names"),
    [
        (SWINGS, (-1 + 4j, -1 - 4j, -20, 0.1), ["short period", "phugoid", "Dutch roll", "roll", "spiral"]),
        (SWINGS, SWINGS, ["short period", "phugoid", "Dutch roll", "roll and spiral"]),
        (
            (-2 + 5j, -2 - 5j, -0.3, 0.1),
            (-1 + 4j, -1 - 4j, -20, -0.1),
            ["short period", "phugoid 1", "phugoid 2", "Dutch roll", "roll", "spiral"],
        ),
        (
            (-6, 3, -0.1 + 0.3j, -0.1 - 0.3j),
            (-9, -4, -3, -1),
            ["short period 1", "short period 2", "phugoid", *(f"sideways {k}" for k in (1, 2, 3, 4))],
        ),
        ((-6, 3, -0.2, 0.1), SWINGS, ["short period 1", "short period 2", "phugoid 1", "phugoid 2", "Dutch roll"]),
    ],
)
def test_modes_are_named(upright, sideways, names):
    model = block_model(companion(*upright), companion(*sideways))
    found = modes(model)
    assert [mode.name for mode in found][: len(names)] == names
    kept = sorted(abs(v) for v in (*upright, *sideways) if np.imag(v) >= 0)
    assert sorted(mode.frequency for mode in found) == pytest.approx(kept, rel=1e-6)
    assert len(eigenvalues(model)) == 12


def test_numbers_of_a_mode():
    found = modes(block_model(companion(*SWINGS), companion(-1 + 4j, -1 - 4j, -20, 0.1)))
    fast, slow, dutch, roll, spiral = found
    assert (fast.real, fast.imaginary) == pytest.approx((-2, 5))
    assert fast.damping == pytest.approx(2 / math.sqrt(29))
    assert slow.period == pytest.approx(2 * math.pi / 0.3)
    assert dutch.time_constant == pytest.approx(1.0)
    assert (roll.time_constant, roll.period, roll.damping) == (pytest.approx(0.05), None, 1.0)
    assert (spiral.time_constant, spiral.damping) == (pytest.approx(-10.0), -1.0)


def test_modes_of_a_turn_have_names_too(aerosonde):
    found = trim(aerosonde, CONDITIONS[3])
    names = [mode.name for mode in modes(linearize(aerosonde, found.state, found.inputs))]
    assert names == ["short period", "phugoid", "Dutch roll", "roll", "spiral"]


def test_part_of_a_model_keeps_its_names(aerosonde):
    found = trim(aerosonde, CONDITIONS[0])
    model = linearize(aerosonde, found.state, found.inputs)
    part = model.part(("u", "theta"), ("throttle",))
    assert (part.states, part.inputs, part.A.shape, part.B.shape) == (("u", "theta"), ("throttle",), (2, 2), (2, 1))
    assert (
        part.A[0, 1] == model.A[0, STATES.index("theta")] == pytest.approx(-G * math.cos(found.state.theta), rel=1e-6)
    )
    assert part.B[0, 0] == model.B[0, 3]


def test_python_control_gets_matrices_and_names(aerosonde, monkeypatch):
    found = trim(aerosonde, CONDITIONS[0])
    model = linearize(aerosonde, found.state, found.inputs)
    asked = []
    monkeypatch.setitem(sys.modules, "control", SimpleNamespace(ss=lambda *a, **k: asked.append((a, k)) or "system"))
    assert model.to_python_control() == "system"
    matrices, names = asked[0]
    assert [m.shape for m in matrices] == [(12, 12), (12, 4), (20, 12), (20, 4)]
    assert names["inputs"] == ["aileron", "elevator", "rudder", "throttle"]
    monkeypatch.setitem(sys.modules, "control", None)
    with pytest.raises(ImportError):
        importlib.import_module("control")
    with pytest.raises(InputError, match="python-control is not installed"):
        model.to_python_control()


def test_what_cannot_be_trimmed_says_why(make_world, plane):
    with pytest.raises(InputError, match="quadcopter has no airfoil"):
        Aircraft(make_world("quadcopter"))
    with pytest.raises(InputError, match="no vehicle 'glider'; there are: plane_1wing"):
        Aircraft(make_world("plane_1wing"), "glider")
    with pytest.raises(InputError, match="still air"):
        Aircraft(make_world("plane_1wing", air={"wind": {"speed": 3, "from_deg": 0}}))
    with pytest.raises(InputError, match="airspeed must be positive, got -5"):
        trim(plane, Condition(-5.0))
    with pytest.raises(InputError, match="within ±80°, got 85°"):
        trim(plane, Condition(20.0, climb=math.radians(85.0)))
    with pytest.raises(
        InputError, match=r"plane_1wing has no trim at 25 m/s at 100 m, climbing at 60°: throttle satur"
    ):
        trim(plane, Condition(25.0, climb=math.radians(60.0)))


@pytest.mark.parametrize("steps", [2, 3])
def test_a_search_that_stops_early_goes_on_from_the_closest_point(plane, monkeypatch, steps):
    wanted = trim(plane, Condition(22.0))
    monkeypatch.setattr("cupola.analysis.balance.MOST_STEPS", steps)
    np.testing.assert_allclose(trim(plane, Condition(22.0)).inputs, wanted.inputs, atol=1e-9)


TUNED = ["wind_speed", "wind_up", "turbulence_sigma_y", "turbulence_wind_at_6m"]


@pytest.mark.parametrize("name", TUNED)
def test_air_that_was_tuned_to_move_is_refused_like_that_of_a_scenario(make_world, name):
    world = make_world("plane_1wing")
    before = Aircraft(world)
    steady = trim(before, Condition(22.0))
    world.tune(f"air.{name}", 1.0)
    for ask in (
        lambda: Aircraft(world),
        lambda: trim(before, Condition(22.0)),
        lambda: linearize(before, steady.state, steady.inputs),
    ):
        with pytest.raises(InputError, match="still air"):
            ask()
    world.tune(f"air.{name}", 0.0)
    np.testing.assert_array_equal(trim(Aircraft(world), Condition(22.0)).inputs, steady.inputs)


def test_what_pushes_or_fails_stays_so_in_a_trim(make_world):
    world = make_world("plane_1wing")
    calm = trim(Aircraft(world), Condition(22.0)).values()
    world.push("plane_1wing/base", (-2.0, 0.0, 0.0), torque_w=(0.0, 0.0, 0.2))
    held = trim(Aircraft(world), Condition(22.0)).values()
    assert held["throttle"] > calm["throttle"] + 0.03 and abs(held["rudder"]) > 0.005
    world.push("plane_1wing/base", (0.0, 0.0, 0.0))
    assert trim(Aircraft(world), Condition(22.0)).values() == calm
    world.fail("plane_1wing.motor1", "off")
    with pytest.raises(InputError, match="no trim at 22 m/s"):
        trim(Aircraft(world), Condition(22.0))


def test_the_wake_of_another_vehicle_is_no_still_air(make_world):
    entries = [{"model": "plane_1wing", "name": name, "position": [x, 0, 100]} for name, x in (("a", 0), ("b", 50))]
    with pytest.raises(InputError, match=r"leave air\.wakes out, or b"):
        Aircraft(make_world(*entries, air={"wakes": True}), "a")
    alone = trim(Aircraft(make_world(entries[0], air={"wakes": True})), Condition(22.0))
    assert alone.alpha == trim(Aircraft(make_world(entries[0])), Condition(22.0)).alpha


def test_the_same_vehicle_twice_is_trimmed_apart(make_world):
    entries = [{"model": "plane_1wing", "name": name, "position": [0, y, 100]} for name, y in (("a", 0), ("b", 50))]
    both = make_world(*entries)
    alone = trim(Aircraft(make_world("plane_1wing")), Condition(22.0)).inputs
    np.testing.assert_allclose(trim(Aircraft(both, "b"), Condition(22.0)).inputs, alone, atol=1e-9)


BODY = """<body name="base"><freejoint/><inertial pos="0.02 0 0" mass="3" diaginertia="0.3 0.4 0.6"/>
  <site name="wing"/><site name="tail" pos="-0.8 0 0"/><site name="fin" pos="-0.8 0 0.1"/><site name="motor"/></body>"""
WING = {"area": 0.3, "span": 2.0, "chord": 0.15, "oswald": 0.9, "c_lift_0": 0.4, "c_lift_a": 5.5, "c_drag_p": 0.04}
WING |= {"c_y_b": -0.5, "c_l_b": -0.1, "c_l_p": -0.6, "c_n_b": 0.1, "c_n_r": -0.2}
TAIL = {"area": 0.04, "span": 0.5, "chord": 0.08, "oswald": 0.9, "c_lift_a": 4.0, "c_lift_input_y": -2.0}
MOTOR = {"s_prop": 0.02, "c_prop": 1.0, "k_motor": 50.0, "k_t_p": 0.0, "k_omega": 100.0}


def toy(vehicle, limits, channels, motor=True, **parts):
    """A plane with two half tails, moved by given channels up to given angles, without aileron and rudder."""
    for k, (limit, channel) in enumerate(zip(limits, channels, strict=True)):
        deflection = {"channels": [-1, channel, -1], "deflection_max": [0.0, limit, 0.0]}
        parts[f"tail{k}"] = {"kind": "airfoil", "site": "tail", "surface": TAIL, **deflection}
    if motor:
        parts["motor"] = {"kind": "rotor", "site": "motor", "channel": 3, "direction": 1, "generic": MOTOR}
    return vehicle(BODY, parts={"wing": {"kind": "airfoil", "site": "wing", "surface": WING}, **parts})


def test_without_aileron_and_rudder_it_may_slip(vehicle, make_world):
    plane = Aircraft(make_world(toy(vehicle, (0.3, 0.3), (1, 1))))
    assert [(c.name, c.unit, c.channels) for c in plane.controls] == [
        ("elevator", "rad", (1,)),
        ("throttle", "1", (3,)),
    ]
    found = trim(plane, Condition(18.0))
    assert found.beta == pytest.approx(0.0, abs=1e-9)
    with pytest.raises(InputError, match="no trim at 18 m/s at 100 m, turning"):
        trim(plane, Condition(18.0, turn_rate=0.8))


def test_surfaces_that_disagree_are_moved_in_channel_units(vehicle, make_world):
    servo = {"kind": "servo", "channel": 1, "low": -0.4, "high": 0.6}
    plane = Aircraft(make_world(toy(vehicle, (0.3, 0.2), (1, 1), servo=servo)))
    elevator = plane.controls[0]
    assert (elevator.unit, elevator.scale, elevator.low, elevator.high) == ("1", 1.0, -0.4, 0.6)
    assert trim(plane, Condition(18.0)).commands()[1] == trim(plane, Condition(18.0)).values()["elevator"]


def test_two_elevators_have_two_names(vehicle, make_world):
    plane = Aircraft(make_world(toy(vehicle, (0.3, 0.3), (1, 2))))
    assert [control.name for control in plane.controls] == ["elevator_1", "elevator_2", "throttle"]
    values = trim(plane, Condition(18.0)).values()
    assert values["elevator_1"] == pytest.approx(values["elevator_2"], abs=1e-6)


def test_a_glider_finds_its_glide(vehicle, make_world):
    glider = Aircraft(make_world(toy(vehicle, (0.3, 0.3), (1, 1), motor=False)))
    found = trim(glider, Condition(18.0))
    assert found.values().keys() == {"elevator"}
    glider.derivative(found.state, found.inputs)
    forces = [glider.world.part(name).outputs.force for name in ("wing", "tail0", "tail1")]
    force_x, _, force_z = np.sum(forces, axis=0)
    lift = force_z * math.cos(found.alpha) + force_x * math.sin(found.alpha)
    drag = force_z * math.sin(found.alpha) - force_x * math.cos(found.alpha)
    assert math.tan(found.condition.climb) == pytest.approx(-drag / lift, rel=1e-9)
    assert "climbing at -" in str(found.condition)
    with pytest.raises(InputError, match="has no throttle, so its climb follows"):
        trim(glider, Condition(18.0, climb=0.1))


def test_a_vehicle_whose_thrust_does_not_point_ahead_is_told_so(make_world, monkeypatch):
    """An imported multirotor was searched for a glide for a quarter of an hour."""
    monkeypatch.setattr("cupola.analysis.controls.FORWARD", 2.0)
    with pytest.raises(InputError, match=r"plane_1wing has no thrust ahead: motor1 would stand still.*equilibrium"):
        trim(Aircraft(make_world("plane_1wing")), Condition(25.0))
