"""Periodic orbits against closed forms, and a bird that flaps: averages as asked, modes as those of the simulation."""

import math

import numpy as np
import pytest
from scipy.linalg import expm

import cupola
from cupola.analysis import equilibrium, linearize, periodic_orbit
from cupola.schema.yaml_files import InputError

CRANK = """import math
from typing import NamedTuple
from cupola import Load, Vector, Wrench
from cupola.kernel.motion import SiteMotion

class Numbers(NamedTuple):
    damping: float = 0.0
    swing: float = 0.0
    push: float = 0.0

class Turn(NamedTuple):
    phase: float = 0.1
    '''[rad]'''

class Turned(NamedTuple):
    state: Turn

class Pushed(NamedTuple):
    wrench: Wrench

class Crank(Load):
    damping: float = 0.0
    swing: float = 0.0
    push: float = 0.0
    Numbers = (Numbers,)
    Index = {"channel": "i8"}
    State = Turn

    def used_channels(self):
        return (0,)

    def numbers(self, places):
        return {"channel": places.channel(0), "damping": self.damping, "swing": self.swing, "push": self.push}

    @staticmethod
    def actuate(p, state: Turn, command, dt) -> Turned:
        return Turned(Turn(state.phase + command * dt))

    @staticmethod
    def load(p, state: Turn, motion: SiteMotion) -> Pushed:
        side = 1.0 if math.sin(state.phase) >= 0.0 else -1.0
        force = p.push * (1.0 + math.sin(state.phase)) - (p.damping + p.swing * side) * motion.vel_s.z
        return Pushed(Wrench(Vector(0.0, 0.0, force), Vector(0.0, 0.0, 0.0)))
"""
SLIDE = """<body name="base"><body name="mass"><joint name="lift" type="slide" axis="0 0 1" stiffness="{stiffness}"/>
  <inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/><site name="hook"/></body></body>"""
BLADE = """<body name="base"><body name="hub"><joint name="shaft" type="hinge" axis="0 0 1"/>
  <inertial pos="0 0 0" mass="1" diaginertia="{hub} {hub} {hub}"/>
  <body name="blade" pos="{offset} 0 0"><joint name="flap" type="hinge" axis="0 -1 0" damping="{damping}"/>
  <inertial pos="0.5 0 0" mass="0.3" diaginertia="1e-6 0.02 0.02"/></body></body></body>"""
SPEED = 2.0 * math.pi / 0.4
"""Of the crank [rad/s]: 400 steps of 1 ms."""


def slide(vehicle, make_world, stiffness, **numbers):
    parts = {"crank": {"kind": "crank.py:Crank", "site": "hook", **numbers}}
    model = vehicle(SLIDE.format(stiffness=stiffness), files={"crank.py": CRANK}, parts=parts)
    return make_world(model, physics_hz=1000, integrator="RK4")


@pytest.mark.parametrize(("damping", "swing", "stable"), [(3.0, 2.0, True), (0.5, 30.0, False)])
def test_multipliers_of_a_damper_that_switches_are_those_of_two_exponentials(
    vehicle, make_world, digest, damping, swing, stable
):
    """Two linear systems in turn (as Meissner, 1918): the orbit and Floquet's multipliers are known in closed form."""
    stiffness, mass = 300.0, 2.0
    world = slide(vehicle, make_world, stiffness, damping=damping, swing=swing)
    before = digest(world)
    orbit = periodic_orbit(world, hold={"channel_0": SPEED})
    assert orbit.clock == "crank.phase" and orbit.period == pytest.approx(0.4, rel=1e-9)
    steps = []
    for side in (1.0, -1.0):
        rates = np.zeros((3, 3))
        rates[:2] = [[0.0, 1.0, 0.0], [-stiffness / mass, -(damping + side * swing) / mass, -9.81]]
        steps.append(expm(rates * 0.2))
    start = math.floor((math.pi - 0.1) / SPEED / 1e-3) * 1e-3  # the steps before the first switch
    rates = np.zeros((3, 3))
    rates[:2] = [[0.0, 1.0, 0.0], [-stiffness / mass, -(damping + swing) / mass, -9.81]]
    cycle = expm(rates * (0.2 - start)) @ steps[1] @ expm(rates * start)
    rest = np.linalg.solve(np.eye(2) - cycle[:2, :2], cycle[:2, 2])
    assert orbit.trace("lift")[0] == pytest.approx(rest[0], rel=1e-6)
    assert orbit.trace("lift_rate")[0] == pytest.approx(rest[1], rel=1e-6, abs=1e-7)
    expected = np.linalg.eigvals(cycle[:2, :2])
    expected = expected[np.argsort(-np.abs(expected))]
    np.testing.assert_allclose(np.sort_complex(orbit.multipliers[:2]), np.sort_complex(expected), rtol=1e-6)
    assert len(orbit.multipliers) == 2 and orbit.stable == stable
    mode = orbit.modes()[0]
    assert math.exp(mode.real * orbit.period) == pytest.approx(np.abs(expected[0]), rel=1e-6)
    assert digest(world) == before


def test_averages_of_a_pushed_mass_and_what_may_go_on(vehicle, make_world):
    """Push and damping alone: it goes up at (push - weight) / damping on average, wherever it is."""
    orbit = periodic_orbit(slide(vehicle, make_world, 0.0, damping=4.0, push=30.0), hold={"channel_0": SPEED})
    assert orbit["lift_rate"] == pytest.approx((30.0 - 2.0 * 9.81) / 4.0, rel=1e-6)
    np.testing.assert_allclose(orbit.multipliers, [math.exp(-4.0 / 2.0 * 0.4)], rtol=1e-6)
    assert orbit.trace("lift")[-1] - orbit.trace("lift")[0] == pytest.approx(0.4 * orbit["lift_rate"], rel=1e-6)
    assert np.ptp(orbit.trace("lift_rate")) > 0.5
    model = linearize(orbit)
    assert model.step == orbit.period and model.states == ("lift", "lift_rate")
    with pytest.raises(InputError, match="cannot be held within one"):
        model.part(("lift_rate",))


@pytest.mark.parametrize(("offset", "damping"), [(0.0, 0.5), (0.1, 0.2)])
def test_a_rotor_blade_flaps_at_the_frequency_of_the_books(vehicle, make_world, offset, damping):
    """v² = 1 + offset S / I by the speed of the shaft: Johnson, Helicopter Theory (1980), section 9-2.1."""
    mass, arm, omega = 0.3, 0.5, 25.0
    moment, inertia = mass * arm, mass * arm**2 + 0.02
    world = make_world(
        vehicle(BLADE.format(hub=1e5, offset=offset, damping=damping)),  # a heavy hub turns at its speed
        physics_hz=2000,
        integrator="RK4",
        gravity=0.0,
    )
    orbit = periodic_orbit(world, hold={"shaft_rate": omega, "period": 2.0 * math.pi / omega}, clock="shaft")
    decay = damping / (2.0 * inertia)
    swing = math.sqrt(omega**2 * (1.0 + (offset * moment - 1e-6) / inertia) - decay**2)  # 1e-6: about its own length
    expected = np.exp((-decay + 1j * swing) * orbit.period)
    flaps = [value for value in orbit.multipliers if value.imag > 0.0 or abs(value - 1.0) > 1e-3]
    assert flaps[0] == pytest.approx(expected, rel=1e-5) or flaps[0] == pytest.approx(expected.conjugate(), rel=1e-5)


@pytest.fixture(scope="module")
def bird(make_world):
    """The shipped bird with fewer strips, so that there are fewer numbers to change."""
    coarse = {name: {"strips": 3} for name in ("left_wing", "right_wing")}
    entry = {"model": "robird", "velocity_b": [12, 0, 0], "position": [0, 0, 60], "parts": coarse}
    entry["controller"] = {"use": "idle", "rate_hz": 200}
    world = make_world(entry, physics_hz=1000, integrator="implicitfast")
    return world, periodic_orbit(world, hold={"airspeed": 11.5})


def test_a_bird_flaps_level_and_its_modes_are_those_of_an_aircraft(bird):
    _, orbit = bird
    assert orbit["airspeed"] == pytest.approx(11.5, abs=1e-6) and orbit["climb"] == pytest.approx(0.0, abs=1e-7)
    assert 0.2 < orbit["channel_3"] < 1.0 and orbit.period * orbit["channel_3"] * 6.5 == pytest.approx(1.0, rel=1e-6)
    assert orbit.system.ticks == round(orbit.period / 1e-3) == len(orbit.times()) - 1
    assert np.ptp(orbit.trace("left_wing")) > 0.9  # a full stroke is 1.2 rad
    assert any("climb was not given: taken as 0 on average" in note for note in orbit.notes)
    names = [set(one.name.split(", ")) for one in orbit.modes()]
    for states in ({"u", "theta"}, {"w", "q"}, {"v", "r"}):  # phugoid, short period, Dutch roll
        assert any(states <= name for name in names)


def test_small_changes_of_a_beat_go_on_as_its_multipliers_say(bird):
    """Six beats of the simulation from a state a little beside the orbit, against six times the linear model."""
    _, orbit = bird
    model, system = orbit.model, orbit.system
    kept = [k for k in range(len(system.states)) if k != system.clock]
    change = np.zeros(len(system.states))
    change[[one.name for one in system.states].index("u")] = 1e-3
    ends = []
    with system.whole.asked(), system.whole.held_commands():
        for sign in (1.0, -1.0):
            state = orbit.state + sign * change
            for _ in range(6):
                end = system.fly(state, orbit.inputs).states[-1]
                end[system.clock] = orbit.state[system.clock]
                state = end
            ends.append(state)
    seen = ((ends[0] - ends[1]) / 2.0)[kept]
    expected = np.linalg.matrix_power(model.A, 6) @ change[kept]
    moved = [model.states.index(name) for name in ("u", "w", "q", "theta")]
    np.testing.assert_allclose(seen[moved], expected[moved], rtol=1e-3, atol=1e-6 * np.abs(expected[moved]).max())


def test_put_into_its_world_it_flies_on(bird):
    world, orbit = bird
    orbit.put()
    for channel, value in orbit.commands().items():
        world.turn(channel, value)
    height = world.motion().pos_w.z
    world.run(8 * orbit.period)
    assert world.motion().pos_w.z == pytest.approx(height, abs=0.01)  # it beats by 9 cm


def test_what_has_no_orbit_says_why(make_world):
    with pytest.raises(InputError, match="nothing of quadcopter goes round under these commands"):
        periodic_orbit(make_world("quadcopter"))
    with pytest.raises(InputError, match="has no angle 'crank'; it has: phi, theta"):
        periodic_orbit(make_world("quadcopter"), clock="crank")
    with pytest.raises(InputError, match="must be positive"):
        periodic_orbit(make_world("quadcopter"), hold={"period": 0.0})
    with pytest.raises(InputError, match=r"mechanism.phase keeps changing .* or ask for a periodic_orbit"):
        equilibrium(cupola.load("robird"), hold={"airspeed": 11.0, "channel_3": 0.6})
