"""Every shipped vehicle has an operating point, and small motions about it are those of the simulation."""

import numpy as np
import pytest
from scipy.linalg import expm

import cupola
from cupola.analysis import OperatingPoint, equilibrium, linearize
from cupola.config.vehicle import MODELS
from cupola.engine.loop import act_now, advance

HELD = {
    "aerosonde": {"airspeed": 25},
    "cepheus": {},
    "cepheus_cube": {},
    "cepheus_sim": {},
    "cepheus_target": {},
    "client": {},
    "cessna": {"airspeed": 52},
    "crazyflie": {},
    "flapper": {},
    "gull": {"airspeed": 6},
    "hexacopter": {},
    "morphing_uav": {"airspeed": 20},
    "plane_1wing": {"airspeed": 22},
    "plane_1wing_sensors": {"airspeed": 22},
    "plane_3wing_2motor": {"airspeed": 18},
    "quadcopter": {},
    "quadcopter_x": {},
    "robird": {"airspeed": 9},
    "servicer": {},
    "simple_model": {},
    "velma_base": {},
    "vtol": {"airspeed": 18},
    "xcell": {},
}
"""What is asked of each; nothing: rest."""
SHAPING = dict.fromkeys(("gull", "robird"), ("left_twist.position", "right_twist.position", "channel_0"))
"""What twists wings whose air has an inertia: a linear model holds the shape still, it lacks the speed of the twist."""
TICKS = 100
STIFF = ("cepheus", "cessna", "servicer", "simple_model", "velma_base")
"""With dry friction, end stops or contacts."""


def tick_of(name):
    """[s] so short that the order of the integrator and of the actuators within a tick does not show."""
    return 1e-10 if name == "velma_base" else 1e-9 if name in STIFF else 1e-8


def step_of(name):
    """In scales; larger than that of the linear model, which the rounding of so short a flight asks for."""
    if name == "servicer":
        # Dry friction of 1 N m holds 100 kg m²: it is a damper up to 1e-5 rad/s, from where the joint slides.
        return 2e-5
    return 1e-4 if name in STIFF else 1e-3


ARRIVE = 1e-14
"""[s] in which only what follows at once moves."""


def test_the_table_has_every_shipped_vehicle():
    assert set(HELD) == {path.parent.name for path in MODELS.glob("*/vehicle.yaml")}


def flown(point: OperatingPoint, state, inputs):
    """The state after some ticks of the simulation itself, with held commands."""
    system, world = point.system, point.system.world
    for dt, run in ((ARRIVE, act_now), (ARRIVE, act_now), (ARRIVE, act_now), (tick_of(system.name), None)):
        world.arrays.world["dt"] = dt
        system.put(state, inputs)
        if run is not None:
            run(world._table)
    assert advance(world._table, TICKS) == TICKS
    return system.present()[0]


def by_simulation(point: OperatingPoint, columns):
    """Differences of the simulation: (x(t) - x(0)) / t per change of a state or an input."""
    system, world = point.system, point.system.world
    n, start = len(point.state), np.concatenate([point.state, point.inputs])
    found = np.zeros((n, len(start)))
    with system.asked():
        point.open()
        point.put()
        world.arrays.controls["function"], world.arrays.world["log_period"] = 0, 1e15
        world.model.opt.timestep = tick_of(system.name)
        base, given = world.arrays.state.copy(), world.arrays.given.copy()
        for k in columns:
            step = np.zeros(len(start))
            step[k] = step_of(system.name) * scales(system)[k]
            ends = []
            for sign in (1.0, -1.0):
                world.arrays.state[:], world.arrays.given[:] = base, given
                ends.append(flown(point, *np.split(start + sign * step, [n])))
            found[:, k] = (ends[0] - ends[1]) / (2.0 * step[k])
    return found


@pytest.mark.parametrize(("name", "value", "twist"), [("u", 0.2, (1, 1, 1, 1)), ("v", 0.2, (-1, 1, -1, 1))])
def test_a_base_that_drives_is_refused_with_the_wheel_speeds_that_drive_it_so(name, value, twist):
    world = cupola.load("velma_base")
    with pytest.raises(cupola.InputError, match=f"no operating point at {name} = 0.2: it drives") as error:
        equilibrium(world, hold={name: value})
    speeds = [sign * value / 0.1016 for sign in twist]
    assert all(f"channel_{k} = {speed:.4g}" in str(error.value) for k, speed in enumerate(speeds))


def scales(system):
    return np.array([s.scale for s in system.states] + [0.5 * min(c.high - c.low, 2.0) for c in system.controls])


@pytest.mark.parametrize("name", sorted(HELD))
def test_the_linear_model_is_that_of_the_simulation(name, digest):
    world = cupola.load(name)
    before = digest(world)
    point = equilibrium(world, hold=HELD[name], free=("climb",) if name in ("robird", "gull") else ())
    steady = [k for k, one in enumerate(point.system.states) if one.name not in ("x", "y", "h", "psi")]
    assert np.abs(point.rates[steady] / scales(point.system)[steady]).max() < 1e-5
    model, n = linearize(point), len(point.state)
    inside = [
        c.low + 1e-3 < v < c.high - 1e-3 and not any(one.name.split(".")[0] in c.parts for one in point.system.limited)
        for c, v in zip(point.system.controls, point.inputs, strict=True)
    ]
    columns = [k for k in range(n) if "memory" not in point.system.states[k].name or k % 20 == 0]
    columns += [n + k for k, room in enumerate(inside) if room]
    columns = [k for k in columns if [*model.states, *model.inputs][k] not in SHAPING.get(name, ())]
    whole = np.zeros((n + len(inside),) * 2)
    whole[:n, :n], whole[:n, n:] = model.A, model.B
    scale = scales(point.system)
    expected = (expm(whole * tick_of(name) * TICKS)[:n] * scale / scale[:n, None])[:, columns]
    seen = (by_simulation(point, columns) * scale / scale[:n, None])[:, columns]
    change = np.abs(expected - (np.eye(n, len(scale)) * scale / scale[:n, None])[:, columns]).max()
    worst = np.unravel_index(np.argmax(np.abs(seen - expected)), seen.shape)
    names = [*model.states, *model.inputs]
    said = f"{names[worst[0]]} by {names[columns[worst[1]]]}: {seen[worst]:.9g}, linear model {expected[worst]:.9g}"
    assert np.abs(seen - expected).max() < 1e-5 * change, said
    assert digest(world) == before
