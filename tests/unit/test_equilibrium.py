"""Operating points: what is asked for is found, what nothing determines is said, and what has none says why."""

import math

import numpy as np
import pytest

from cupola.analysis import Aircraft, Condition, equilibrium, linearize, trim
from cupola.schema.yaml_files import InputError

GLIDER = """<body name="base"><freejoint/><inertial pos="0.02 0 0" mass="1" diaginertia="0.1 0.1 0.2"/>
  <site name="wing"/><site name="tail" pos="-0.8 0 0"/></body>"""
WING = {"area": 0.3, "span": 2.0, "chord": 0.15, "oswald": 0.9, "c_lift_0": 0.4, "c_lift_a": 5.5, "c_drag_p": 0.04}
TAIL = {"area": 0.04, "span": 0.5, "chord": 0.08, "oswald": 0.9, "c_lift_a": 4.0, "c_lift_input_y": -2.0}
SIDEWAYS = {"c_y_b": -0.5, "c_l_b": -0.1, "c_l_p": -0.6, "c_n_b": 0.1, "c_n_r": -0.2}
ELEVATOR = {"channels": [-1, 1, -1], "deflection_max": [0.0, 0.3, 0.0]}
BALL = '<body name="base"><freejoint/><geom size="0.1" mass="2"/><site name="hook"/></body>'
LAG = """from typing import NamedTuple
from cupola import Actuator

class Place(NamedTuple):
    at: float = 0.0

class Moved(NamedTuple):
    state: Place
    channel: float

class Lag(Actuator):
    State = Place

    @staticmethod
    def actuate(p, state: Place, command, dt) -> Moved:
        new = Place(state.at + dt / 0.25 * (command - state.at))
        return Moved(new, new.at)
"""
LIFT = """from cupola import Load, Vector, Wrench

class Lift(Load):
    def step(self, motion, density, drive):
        return Wrench(Vector(0.0, 0.0, 10.0 * drive[0] - 3.0 * motion.vel_s.z), Vector(0.0, 0.0, 0.0))
"""


def glider(vehicle, wing):
    parts = {"wing": {"kind": "airfoil", "site": "wing", "surface": wing}}
    parts["tail"] = {"kind": "airfoil", "site": "tail", "surface": TAIL, **ELEVATOR}
    return vehicle(GLIDER, parts=parts)


@pytest.mark.parametrize("sideways", [{}, SIDEWAYS, {"c_n_b": 0.1}], ids=["nothing", "all", "yaw"])
def test_a_symmetric_glider_does_not_slip(vehicle, make_world, sideways):
    """Whatever acts sideways, or nothing: it glides straight, and what nothing determines is said."""
    craft = Aircraft(make_world(glider(vehicle, WING | sideways)))
    for speed in (9.0, 10.0, 11.0, 12.0):
        found = trim(craft, Condition(speed))
        assert abs(found.beta) < 1e-9 and abs(found.state.phi) < 1e-9
        assert bool(found.free) == (sideways == {})
        assert sideways or "sideslip" in found.free[0]


def test_equilibrium_is_the_trim(vehicle, make_world):
    world = make_world(glider(vehicle, WING | SIDEWAYS))
    point, found = equilibrium(world, hold={"airspeed": 11.0}), trim(Aircraft(world), Condition(11.0, altitude=0.0))
    assert point["alpha"] == pytest.approx(found.alpha, abs=1e-7)
    assert point["climb"] == pytest.approx(found.condition.climb, abs=1e-7)
    assert 0.3 * point["channel_1"] == pytest.approx(found.values()["elevator"], abs=1e-7)
    assert any("climb was found" in note for note in point.notes)


def test_a_hover_stays_put_and_says_what_is_free(make_world):
    world = make_world(
        {"model": "hexacopter", "preset": "thesis", "position": [0, 0, 5], "controller": {"use": "idle", "rate_hz": 1}}
    )
    point = equilibrium(world)
    assert "psi, x, y, h" in point.free[0]
    assert len(point.free) == 3  # six rotors, four things to balance: two ways to share
    commands = [point.commands()[k] for k in range(6)]
    np.testing.assert_allclose(commands, commands[0], rtol=1e-9)  # of minimum norm: alike
    point.put()
    world.run(1.0)
    assert np.abs(point.deviation()).max() < 1e-5


def test_a_held_channel_stays_and_the_others_balance(make_world):
    world = make_world({"model": "hexacopter", "preset": "thesis", "position": [0, 0, 5]})
    point = equilibrium(world, hold={"channel_0": 0.3})
    assert point["channel_0"] == 0.3 and len(point.free) == 2
    assert world.evaluate(commands=point.commands()).accel_w == pytest.approx((0, 0, 0), abs=1e-6)
    with pytest.raises(InputError, match=r"quadcopter has no equilibrium at channel_0 = 0: .* leaves"):
        equilibrium(make_world("quadcopter"), hold={"channel_0": 0.0})


def test_states_of_parts_of_your_own_are_found(vehicle, make_world):
    """A lag in an actuator and a load in plain Python: neither says how it comes to rest."""
    parts = {"lag": {"kind": "lag.py:Lag", "channel": 0}, "lift": {"kind": "lift.py:Lift", "site": "hook"}}
    world = make_world(vehicle(BALL, files={"lag.py": LAG, "lift.py": LIFT}, parts=parts))
    point = equilibrium(world)
    assert point["channel_0"] == pytest.approx(1.962, rel=1e-7)  # 2 kg, 10 N per unit
    assert point["lag.at"] == pytest.approx(1.962, rel=1e-7)
    found = world.evaluate(commands={0: 1.962})
    assert found.accel_w.z == pytest.approx(0.0, abs=1e-9) and world.part("lag").state.at == 0.0
    model = linearize(point)
    at = model.states.index("lag.at")
    assert model.A[at, at] == pytest.approx(-4.0, rel=1e-6) and model.B[at, 0] == pytest.approx(4.0, rel=1e-6)
    w = model.states.index("w")
    assert model.A[w, w] == pytest.approx(-1.5, rel=1e-6) and model.A[w, at] == pytest.approx(-5.0, rel=1e-6)
    assert model.units["w"] == "m/s" and model.units["theta"] == "rad"


def test_what_has_no_operating_point_says_why(make_world):
    with pytest.raises(InputError, match="its wings carry it only in flight: hold an airspeed"):
        equilibrium(make_world("plane_1wing"))
    with pytest.raises(InputError, match="quadcopter has no 'speed'; it has: "):
        equilibrium(make_world("quadcopter"), hold={"speed": 3.0})
    with pytest.raises(InputError, match="quadcopter is 5 km away: set the origin there"):
        equilibrium(make_world({"model": "quadcopter", "position": [5e3, 0, 9]}, origin={"shape": "round"}))
    with pytest.raises(InputError, match="needs steady air"):
        equilibrium(make_world("quadcopter", air={"turbulence": {"sigma": [1, 1, 1], "length": [50, 50, 50]}}))
    with pytest.raises(InputError, match="must be a finite number"):
        equilibrium(make_world("quadcopter"), hold={"h": math.nan})
    with pytest.raises(InputError, match="linearize needs an operating point"):
        linearize(make_world("quadcopter"))


def test_a_steady_wind_is_flown_in(make_world):
    """It hovers over the ground: the air passes it, and the crazyflie, whose rotors feel it, leans into it."""
    calm = equilibrium(make_world({"model": "crazyflie", "position": [0, 0, 5]}))
    wind = {"wind": {"speed": 3, "from_deg": 0, "height": 5, "exponent": 0}}
    windy = equilibrium(make_world({"model": "crazyflie", "position": [0, 0, 5]}, air=wind))
    assert abs(calm["phi"]) < 1e-9 < abs(windy["phi"])
    assert np.abs(windy.rates[:6]).max() < 1e-7


@pytest.mark.parametrize(("low", "said"), [(0.0, True), (-0.01, False)])
def test_a_joint_at_the_end_of_its_range_is_said(vehicle, make_world, low, said):
    """Forces there differ from one side to the other: a linear model is that of one."""
    slide = f"""<body name="base"><geom size="0.1" mass="2"/>
      <body name="tip"><joint name="tip" type="slide" axis="0 1 0" range="{low} 0.5" stiffness="10"/>
      <geom size="0.02" mass="0.01"/></body></body>"""
    notes = equilibrium(make_world(vehicle(slide))).notes
    assert any("tip is at the end of its range" in note for note in notes) == said


def test_a_heavy_arm_that_dry_friction_holds_does_not_slide_within_a_difference(vehicle, make_world):
    """Friction is a damper up to the speed at which it slides: the weaker it is, the shorter that damper lasts."""

    def damping(friction):
        arm = f"""<body name="base"><geom size="0.1" mass="2"/>
          <body name="arm"><joint name="arm" axis="0 0 1" frictionloss="{friction}"/>
          <inertial pos="1 0 0" mass="100" diaginertia="1 1 1"/></body></body>"""
        point = equilibrium(make_world(vehicle(arm, name=f"arm_{friction:g}")))
        assert any("dry friction holds arm" in note for note in point.notes)
        model = linearize(point)
        return model.A[model.states.index("arm_rate"), model.states.index("arm_rate")]

    assert damping(0.05) == pytest.approx(damping(1000.0), rel=1e-6)


TURNTABLE = """<body name="base"><joint name="turn" axis="0 0 1"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 0.5"/>
  </body>"""
OUTSIDE = """from cupola import External

class Drive(External):
    def step(self, x, time, dt):
        return {"torque": 2.0 * x.u - 0.3 * x.rate - 4.0 * x.angle}
"""
WIRES = {"channel.0": "u", "joint.turn.velocity": "rate", "joint.turn.position": "angle"}


def test_a_model_from_outside_without_a_state_is_linearised_exactly(vehicle, make_world):
    part = {"kind": "drive.py:Drive", "inputs": WIRES, "outputs": {"joint.turn.torque": "torque"}}
    world = make_world(vehicle(TURNTABLE, files={"drive.py": OUTSIDE}, parts={"drive": part}))
    point = equilibrium(world, hold={"channel_0": 0.5})
    assert point["turn"] == pytest.approx(0.25, rel=1e-7)  # 2 u = 4 angle
    model = linearize(point)
    np.testing.assert_allclose(model.A, [[0.0, 1.0], [-8.0, -0.6]], rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(model.B, [[0.0], [4.0]], rtol=1e-6, atol=1e-9)


HIDDEN = {
    "load": """from cupola import Load, Vector, Wrench

class Part(Load):
    _past: float = 0.0

    def step(self, motion, density, drive):
        self._past = 0.9 * self._past + 0.1 * drive[0]
        return Wrench(Vector(0.0, 0.0, 10.0 * {what} - 3.0 * motion.vel_s.z), Vector(0.0, 0.0, 0.0))
""",
    "actuator": """from cupola import Actuator

class Part(Actuator):
    _past: float = 0.0

    def step(self, command, dt):
        self._past += dt * (command - self._past)
        return {what}
""",
    "model": """from cupola import External

class Part(External):
    _past: float = 0.0

    def step(self, x, now, dt):
        self._past += dt * x.u
        return {{"lift": 10.0 * {what}}}
""",
}
WIRED = {
    "load": {"site": "hook"},
    "actuator": {"channel": 0},
    "model": {"inputs": {"channel.0": "u"}, "outputs": {"site.hook.force_s.z": "lift"}},
}
GIVEN = {"load": "drive[0]", "actuator": "command", "model": "x.u"}


@pytest.mark.parametrize("family", HIDDEN)
def test_a_part_that_keeps_a_state_of_its_own_is_refused_and_one_that_only_counts_is_not(family, vehicle, make_world):
    parts = {"mine": {"kind": "mine.py:Part", **WIRED[family]}}
    if family == "actuator":
        parts["lift"] = {"kind": "lift.py:Lift", "site": "hook"}
    elif family == "load":
        parts["lag"] = {"kind": "lag.py:Lag", "channel": 0}
    for what, refused in (("self._past", True), (GIVEN[family], False)):
        files = {"mine.py": HIDDEN[family].format(what=what), "lift.py": LIFT, "lag.py": LAG}
        world = make_world(vehicle(BALL, name=f"refused_{refused}", files=files, parts=parts))
        if refused:
            with pytest.raises(InputError, match=r"mine \(_past\) keeps a state of its own") as said:
                equilibrium(world)
            assert "State" in str(said.value)
        else:
            assert equilibrium(world)["channel_0"] == pytest.approx(1.962, rel=1e-6)
