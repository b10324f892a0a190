"""A rotor by its blades in a world: against the steady search, closed forms of the hovering rotor, and the wind."""

import math
from typing import Any

import numpy as np
import pytest

from cupola.parts.propulsion.propeller import Propeller
from cupola.physics.propeller import element_load
from cupola.schema.yaml_files import InputError

DENSITY = 1.2
WIND = {"speed": 4.0, "from_deg": 60}
STAND = '<body name="base" pos="0 0 5"><geom size="0.1" mass="1"/><site name="shaft"/></body>'
FREE = STAND.replace("<geom", "<freejoint/><geom")
BLADES: dict[str, Any] = {
    "radius": 0.12, "hub_radius": 0.012, "blades": 2, "rings": 12, "speed_max": 800.0, "time_constant": 0.03,
    "section": {"c_friction": 0.012},
    "stations": [
        {"r": 0.02, "chord": 0.016, "pitch": 0.55},
        {"r": 0.06, "chord": 0.022, "pitch": 0.33},
        {"r": 0.12, "chord": 0.010, "pitch": 0.17},
    ],
}  # fmt: skip
OMEGA, SOLIDITY, SLOPE = 100.0, 0.05, 2.0 * math.pi
THRUST, TORQUE, SPEED, POWER = 0, 1, 2, 5


def rotor(blades, **more):
    return {"kind": "rotor", "site": "shaft", "channel": 0, "direction": 1, "elements": blades, **more}


@pytest.fixture
def stand(vehicle, make_world):
    """Outputs of a rotor that cannot move, in wind from ahead: after a run, or at rest at once."""
    count = iter(range(100))

    def make(blades, wind=0.0, throttle=1.0, run=1.0, **more):
        air = {"density": DENSITY, **({"wind": {"speed": wind, "from_deg": 90}} if wind else {})}
        folder = vehicle(STAND, name=f"stand{next(count)}", parts={"r": rotor(blades, **more)})
        world = make_world(folder, physics_hz=1000, air=air)
        if run:
            world.sticks([throttle])
            world.run(run)
        else:
            world.arrays.command[world.instances[0].channels.start] = throttle
            world.accelerate()
        return world.arrays.outputs.copy()

    return make


def steady(blades, omega, v_axial=0.0):
    rings = Propeller.model_validate({**blades, "stations": tuple(blades["stations"])}).elements()
    loads = [element_load(omega, v_axial, DENSITY, ring) for ring in rings]
    return sum(load.thrust for load in loads), sum(load.torque for load in loads)


@pytest.mark.parametrize("run", [2.0, 0.0])
@pytest.mark.parametrize(("direction", "wind"), [(1, 0.0), (-1, 0.0), (1, 12.0)])
def test_steady_loads_are_those_of_the_search(stand, run, direction, wind):
    found = stand(BLADES, wind=wind, throttle=0.75, run=run, direction=direction)
    thrust, torque = steady(BLADES, 600.0, wind)
    assert found[THRUST] == pytest.approx(thrust, rel=1e-6)
    assert found[TORQUE] == pytest.approx(-direction * torque, rel=1e-6)
    assert found[SPEED] == pytest.approx(direction * 600.0, rel=1e-9)
    assert found[POWER] == pytest.approx(torque * 600.0, rel=1e-6)
    assert thrust > 0.1  # it pushes


def test_the_air_needs_time(stand):
    """A shaft that is there at once meets air at rest: more thrust at first than in the end."""
    at_once = {**BLADES, "time_constant": 0.0}
    thrust, _ = steady(BLADES, 800.0)
    assert stand(at_once, run=0.001)[THRUST] > 1.2 * thrust
    assert stand(at_once, run=0.2)[THRUST] == pytest.approx(thrust, rel=1e-3)


def test_a_tiny_fast_rotor_settles_at_a_millisecond(stand):
    """A plain step of the inflow at 1 ms would run away here."""
    share = 0.1
    stations = [{"r": share * s["r"], "chord": share * s["chord"], "pitch": s["pitch"]} for s in BLADES["stations"]]
    tiny = {**BLADES, "radius": 0.012, "hub_radius": 0.0012, "stations": stations, "speed_max": 6000.0}
    assert stand(tiny, wind=20.0)[THRUST] == pytest.approx(steady(tiny, 6000.0, 20.0)[0], rel=1e-6)


def lossless(pitch, rings=200, **section):
    """Radius 1 m, one blade area spread over so many blades that no tip counts, a section that never stalls."""
    blades = 1_000_000
    r = np.linspace(0.0, 1.0, 2 * rings + 1)
    chord = SOLIDITY * math.pi / blades
    return {
        "radius": 1.0, "blades": blades, "rings": rings, "speed_max": OMEGA, "time_constant": 0.01,
        "section": {"alpha_stall": 3.0, "c_normal_90": 0.0, **section},
        "stations": [{"r": float(x), "chord": chord, "pitch": float(pitch(x))} for x in r],
    }  # fmt: skip


def test_thrust_in_hover_of_constant_pitch(stand):
    """C_T = ∫ 4 λ² r dr with λ = σa/16 (√(1 + 32θr/σa) - 1); σa/2 (θ/3 - λ/2) takes one λ for the whole disc."""
    pitch, load = 0.05, SOLIDITY * SLOPE
    found = stand(lossless(lambda r: pitch), run=0.0)[THRUST] / (DENSITY * math.pi * OMEGA**2)
    r = (np.arange(20000) + 0.5) / 20000
    inflow = load / 16.0 * (np.sqrt(1.0 + 32.0 * pitch * r / load) - 1.0)
    assert found == pytest.approx(float(np.mean(4.0 * inflow**2 * r)), rel=5e-3)
    uniform = 0.0
    for _ in range(200):
        uniform = 0.5 * (uniform + 0.5 * load * (pitch / 3.0 - 0.5 * math.sqrt(0.5 * uniform)))
    assert found == pytest.approx(uniform, rel=0.05)


@pytest.mark.parametrize("friction", [0.0, 0.002])
def test_figure_of_merit_of_ideal_twist(stand, friction):
    """Uniform inflow loses nothing but friction: P = T √(T / 2ρA) + σ c_d / 8."""
    tip = 0.03
    found = stand(lossless(lambda r: tip / max(r, 0.02), c_friction=friction), run=0.0)
    disc = DENSITY * math.pi * OMEGA**2
    root = (math.sqrt(1.0 + 32.0 * tip / (SOLIDITY * SLOPE)) - 1.0) * SOLIDITY * SLOPE / 16.0
    c_thrust, c_power = found[THRUST] / disc, found[POWER] / (disc * OMEGA)
    assert c_thrust == pytest.approx(2.0 * root**2, rel=0.01)
    ideal = c_thrust**1.5 / math.sqrt(2.0)
    assert ideal / c_power == pytest.approx(ideal / (ideal + SOLIDITY * friction / 8.0), rel=0.01)


def test_thrust_falls_with_advance_until_the_wind_turns_the_blades(stand):
    found = [stand(BLADES, wind=wind, run=0.5) for wind in (0.0, 5.0, 10.0, 15.0, 25.0, 40.0)]
    thrust, torque = [out[THRUST] for out in found], [out[TORQUE] for out in found]
    assert thrust == sorted(thrust, reverse=True)
    assert thrust[0] > 0.0 > thrust[-1]
    assert torque[0] < 0.0 < torque[-1]  # a windmill drives its shaft, and the vehicle with it
    assert found[-1][POWER] < 0.0


def test_back_to_the_bit(vehicle, make_world, digest):
    folder = vehicle(FREE, parts={"r": rotor(BLADES, reactions=True, inertia=1e-5)})
    world = make_world({"model": folder, "velocity_b": [3, 1, 0]}, physics_hz=1000, air={"wind": WIND})
    world.sticks([0.6])
    world.run(0.05)
    kept = world.snapshot()
    world.run(0.3)
    after = digest(world)
    world.restore(kept)
    assert digest(world) != after
    world.run(0.3)
    assert digest(world) == after


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"hub_radius": 0.12}, "hub_radius 0.12 must lie below radius 0.12"),
        ({"stations": BLADES["stations"][::-1]}, "one behind the other along the blade, got r = 0.12, 0.06, 0.02"),
        ({"radius": 0.1}, "on the blade, r = 0.012 to 0.1, got r = 0.02, 0.06, 0.12"),
        ({"stations": []}, "at least 1 item"),
        ({"blades": 0}, "elements.blades: must be at least 1, got 0"),
    ],
)
def test_blades_that_cannot_be_are_refused(vehicle, make_world, wrong, message):
    with pytest.raises(InputError, match=message):
        make_world(vehicle(STAND, parts={"r": rotor({**BLADES, **wrong})}))


def test_one_kind_of_motor(vehicle, make_world):
    lagged = {"speed_max": 800.0, "time_constant": 0.03, "k_thrust": 1e-6, "k_torque": 1e-8}
    with pytest.raises(InputError, match="one kind of motor, not of lagged and elements"):
        make_world(vehicle(STAND, parts={"r": rotor(BLADES, lagged=lagged)}))
