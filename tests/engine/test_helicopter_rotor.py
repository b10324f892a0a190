"""A helicopter's rotor on a stand: against the closed forms of hover, of the tilting disc and of the shaft.

Closed forms: Johnson, "Helicopter Theory" (1980), sections 2-4 and 5-3, for small angles and uniform inflow; blades of
constant chord without cut-out. Eight rings leave 0.4 % of the thrust, small angles about as much.
"""

import math
from typing import Any

import pytest

from cupola.schema.yaml_files import InputError

DENSITY, OMEGA = 1.2, 167.0
RADIUS, CHORD, SLOPE, FRICTION = 0.775, 0.058, 5.5, 0.024
INERTIA, STIFFNESS = 0.038, 54.0
SOLIDITY = 2 * CHORD / (math.pi * RADIUS)
LOCK = DENSITY * SLOPE * CHORD * RADIUS**4 / INERTIA
AREA = math.pi * RADIUS**2
WHOLE = DENSITY * AREA * (OMEGA * RADIUS) ** 2
STAND = '<body name="base" pos="0 0 9"><geom size="0.1" mass="1"/><site name="hub" euler="0 -90 0"/></body>'
MAIN: dict[str, Any] = {
    "kind": "helicopter_rotor", "site": "hub", "direction": 1, "speed": OMEGA,
    "blades": {"radius": RADIUS, "blades": 2, "rings": 8, "stations": [{"r": 0.1, "chord": CHORD, "pitch": 0.0}],
               "section": {"c_lift_a": SLOPE, "c_friction": FRICTION}},
    "flap": {"inertia": INERTIA, "stiffness": STIFFNESS},
    "collective": {"channel": 0, "gain": 1.0}, "cyclic_y": {"channel": 1, "gain": 1.0},
    "cyclic_z": {"channel": 2, "gain": 1.0},
}  # fmt: skip
FREE = {"flap": {"inertia": INERTIA}}


@pytest.fixture
def stand(vehicle, make_world):
    """Outputs of a rotor that cannot move, at rest under its commands, in wind along the world's x."""
    count = iter(range(100))

    def make(commands, wind=0.0, run=0.0, parts=None, **more):
        air = {"density": DENSITY, **({"wind": {"speed": wind, "from_deg": 90}} if wind else {})}
        folder = vehicle(STAND, name=f"stand{next(count)}", parts={"main": {**MAIN, **more}, **(parts or {})})
        world = make_world(folder, physics_hz=1000, air=air)
        if run:
            world.sticks(commands)
            world.run(run)
        else:
            world.arrays.command[world.instances[0].channels.start : world.instances[0].channels.start + 3] = commands
            world.accelerate()
        return world.part("main").outputs

    return make


def hover(pitch):
    """Thrust coefficient and inflow ratio: C_T = σ a / 2 (θ / 3 - λ / 2), λ = √(C_T / 2)."""
    b = SOLIDITY * SLOPE
    inflow = b / 16 * (math.sqrt(1 + 64 * pitch / (3 * b)) - 1)
    return 2 * inflow**2, inflow


@pytest.mark.parametrize("pitch", [0.06, 0.1, 0.14])
@pytest.mark.parametrize("run", [0.0, 2.0])
def test_thrust_and_power_in_hover_are_those_of_momentum_and_blade_elements(stand, pitch, run):
    out = stand([pitch, 0, 0], run=run)
    coefficient, inflow = hover(pitch)
    assert out.thrust == pytest.approx(coefficient * WHOLE, rel=0.015)
    assert out.induced == pytest.approx(inflow * OMEGA * RADIUS, rel=0.01)
    assert out.thrust == pytest.approx(2 * DENSITY * AREA * out.induced**2, rel=1e-4)  # momentum, exactly
    profile = SOLIDITY * FRICTION / 8 * WHOLE * OMEGA * RADIUS
    assert out.power == pytest.approx(out.thrust * out.induced + profile, rel=0.015)
    assert out.torque.x == pytest.approx(-out.power / OMEGA, rel=1e-9)


def test_blades_cone_by_their_lift(stand):
    pitch = 0.1
    inflow = hover(pitch)[1]
    stiffer = 1 + STIFFNESS / (INERTIA * OMEGA**2)
    assert stand([pitch, 0, 0]).coning == pytest.approx(LOCK / 8 * (pitch - 4 / 3 * inflow) / stiffer, rel=0.02)


def test_a_free_disc_lies_in_the_plane_of_its_swashplate_and_its_thrust_stands_on_it(stand):
    level = stand([0.1, 0, 0], **FREE)
    out = stand([0.1, 0.05, -0.03], **FREE)
    assert (out.tilt_y, out.tilt_z) == pytest.approx((0.05, -0.03), rel=0.01)
    assert out.thrust == pytest.approx(level.thrust, rel=0.01)
    # The hub's z points aft: a disc tilted about y leans forward, one tilted back about z leans to the left.
    assert (out.force.z / out.thrust, out.force.y / out.thrust) == pytest.approx((-0.05, -0.03), rel=0.05)
    assert abs(out.torque.y) < 1e-9 and abs(out.torque.z) < 1e-9  # hinges hold nothing


@pytest.mark.parametrize("direction", [1, -1])
def test_a_spring_turns_the_tilt_by_the_angle_of_the_books(stand, direction):
    out = stand([0.1, 0.05, 0.0], direction=direction)
    lead = 8 * STIFFNESS / (LOCK * INERTIA * OMEGA**2)
    assert out.tilt_y == pytest.approx(0.05 / (1 + lead**2), rel=0.01)
    assert out.tilt_z / out.tilt_y == pytest.approx(-direction * lead, rel=0.03)
    # two blades, each with its spring: the moment of the hub is stiffness times tilt
    assert (out.torque.y, out.torque.z) == pytest.approx((STIFFNESS * out.tilt_y, STIFFNESS * out.tilt_z), rel=1e-9)
    assert out.torque.x * direction < 0


def test_stiff_blades_hand_their_moment_to_the_hub(stand):
    out = stand([0.1, 0.02, 0.0], flap=None)
    assert out.tilt_y == out.tilt_z == 0.0
    # A quarter of a turn before the blades would be up: moment σ a / 16 per pitch, of all blades
    moment = SOLIDITY * SLOPE / 16 * 0.02 * WHOLE * RADIUS
    assert math.hypot(out.torque.y, out.torque.z) == pytest.approx(moment, rel=0.02)
    assert abs(out.torque.z) == pytest.approx(moment, rel=0.02)


def test_flight_forward_costs_less_induced_power_and_tilts_the_disc_back(stand):
    still, ahead = stand([0.1, 0, 0], **FREE), stand([0.1, 0, 0], wind=10.0, **FREE)
    assert ahead.thrust > 1.1 * still.thrust and ahead.induced < 0.7 * still.induced
    glauert = 2 * DENSITY * AREA * ahead.induced * math.hypot(10.0, ahead.induced)
    assert ahead.thrust == pytest.approx(glauert, rel=1e-4)
    assert ahead.tilt_y < -0.01  # the wind comes from ahead, where the nose of the hub is
    ratio = 10.0 / (OMEGA * RADIUS)  # a1 = μ (8/3 θ - 2 λ) / (1 - μ²/2) for uniform inflow, positive backwards
    back = ratio * (8 / 3 * 0.1 - 2 * ahead.induced / (OMEGA * RADIUS)) / (1 - ratio**2 / 2)
    assert -ahead.tilt_y == pytest.approx(back, rel=0.03)


def test_a_bar_follows_within_the_time_of_its_lock_number(stand):
    lag = 16 / (0.8 * OMEGA)
    bar = {"lock": 0.8, "share": 0.7}
    at_last = stand([0.1, 0.05, 0.0], bar=bar, **FREE)
    assert at_last.tilt_y == pytest.approx(0.05, rel=0.01)
    early = stand([0.1, 0.05, 0.0], bar=bar, run=lag, **FREE)
    rotor = 16 / (LOCK * OMEGA)  # the disc itself follows too
    expected = 0.3 * (1 - math.exp(-lag / rotor)) + 0.7 * (
        1 - (lag * math.exp(-1) - rotor * math.exp(-lag / rotor)) / (lag - rotor)
    )
    assert early.tilt_y == pytest.approx(0.05 * expected, rel=0.05)


def test_an_engine_holds_its_speed_until_its_power_ends(vehicle, make_world):
    engine = {"kind": "engine", "speed": OMEGA, "power": 2000.0, "inertia": 0.095, "kp": 0.05, "ki": 0.2}
    main = {**MAIN, "engine": "engine"}
    main.pop("speed")
    world = make_world(
        vehicle(STAND, name="driven", parts={"engine": engine, "main": main}), physics_hz=1000, air={"density": DENSITY}
    )
    world.sticks([0.1])
    world.run(20.0)
    shaft, rotor = world.part("engine").outputs, world.part("main").outputs
    assert shaft.speed == pytest.approx(OMEGA, rel=1e-3)
    assert shaft.power == pytest.approx(rotor.power, rel=1e-3)
    world.fail("driven.engine", "off")
    world.run(0.1)
    slowed = world.part("engine").outputs
    # I dΩ/dt = -Q, with what the last tenth of a second took
    assert slowed.speed - OMEGA == pytest.approx(-rotor.power / OMEGA / 0.095 * 0.1, rel=0.1)
    assert slowed.power == 0.0


@pytest.mark.parametrize(
    ("more", "why"),
    [({"engine": "engine"}, "either the engine that turns it or a fixed speed"),
     ({"bar": {"lock": 0.8, "share": 0.5}, "flap": None}, "needs blades that flap")],
)  # fmt: skip
def test_numbers_that_do_not_go_together_are_refused(stand, more, why):
    with pytest.raises(InputError, match=why):
        stand([0.1, 0, 0], **more)
