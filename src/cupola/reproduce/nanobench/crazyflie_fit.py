"""The fit of the vehicle `crazyflie` on real flights: on circle and star, and on all but one, each left out in turn.

`python -m cupola.reproduce.nanobench.crazyflie_fit` prints the first, with `--folds` the others too.

First the map from motor voltage to shaft speed, and the inflow: least squares of the accelerometer along body z. Then
inertia, rotor drag, flapping and damping: least squares of half a second's prediction (`side_by_side`). Mass,
thrust coefficient, lag and geometry are RotorPy's and stay; only their ratios to what is fitted can be seen anyway.
"""

import sys
from collections.abc import Iterator, Mapping

import mujoco
import numpy as np
from scipy.optimize import least_squares

from cupola.analysis.flight_replay import motors_of, rotors_of
from cupola.analysis.real_flight import STEPS, Array, Flight, Motors, Prediction, Windows, cut, turn_between
from cupola.config.scenario import Scenario
from cupola.physics.blades import SEA_LEVEL, LaggedMotor, blades_along
from cupola.physics.rotation import Quaternion, Vector, unrotate
from cupola.physics.servo import first_order
from cupola.reproduce.nanobench.real_flights import FLIGHTS, TIME_CONSTANT, flights, path_of
from cupola.reproduce.nanobench.side_by_side import predict
from cupola.reproduce.row import Row, missing, within
from cupola.sim.world import World

PHYSICS_HZ = 1000
FITTED_ON = ("circle", "star")
OFFSET, SLOPE = 561.1, 416.3
"""[rad/s] and [rad/s/V], fitted on circle and star."""
STRIDE, WIDE = 3, 6
"""Every third window is fitted, of five flights every sixth: they start every 0.1 s and overlap."""
FOLDS: dict[str, dict[str, float]] = {
    "circle": {
        "offset": 406.0,
        "slope": 468.5,
        "k_inflow": 9.7e-07,
        "i_xx": 4.757e-05,
        "i_yy": 4.009e-05,
        "k_drag": 1.928e-06,
        "k_flap": 6.529e-08,
        "k_damping": 7.114e-08,
    },
    "star": {
        "offset": 363.8,
        "slope": 482.7,
        "k_inflow": 9.095e-07,
        "i_xx": 4.833e-05,
        "i_yy": 3.674e-05,
        "k_drag": 1.967e-06,
        "k_flap": 6.778e-08,
        "k_damping": 8.52e-08,
    },
    "figure_eight": {
        "offset": 426.9,
        "slope": 461.5,
        "k_inflow": 9.271e-07,
        "i_xx": 5.206e-05,
        "i_yy": 3.773e-05,
        "k_drag": 1.924e-06,
        "k_flap": 6.651e-08,
        "k_damping": 7.999e-08,
    },
    "lissajous": {
        "offset": 456.1,
        "slope": 452.1,
        "k_inflow": 1.46e-06,
        "i_xx": 4.417e-05,
        "i_yy": 3.408e-05,
        "k_drag": 2.021e-06,
        "k_flap": 6.266e-08,
        "k_damping": 7.842e-08,
    },
    "circle_medium": {
        "offset": 417.9,
        "slope": 464.4,
        "k_inflow": 8.868e-07,
        "i_xx": 5.193e-05,
        "i_yy": 3.691e-05,
        "k_drag": 1.913e-06,
        "k_flap": 6.622e-08,
        "k_damping": 7.378e-08,
    },
    "trefoil": {
        "offset": 358.9,
        "slope": 483.9,
        "k_inflow": 7.457e-07,
        "i_xx": 4.768e-05,
        "i_yy": 3.694e-05,
        "k_drag": 1.929e-06,
        "k_flap": 6.905e-08,
        "k_damping": 7.533e-08,
    },
}
"""What is fitted without the flight that it is named after; `rows` fits them again."""
ALL = {
    "offset": 406.6,
    "slope": 468.3,
    "k_inflow": 9.871e-07,
    "i_xx": 4.836e-05,
    "i_yy": 3.719e-05,
    "k_drag": 1.946e-06,
    "k_flap": 6.616e-08,
    "k_damping": 7.654e-08,
}
"""What is fitted on all six, for flights beyond them; `rows` fits it again."""
START = {"i_xx": 1.43e-5, "i_yy": 1.43e-5, "k_drag": 1.025e-6, "k_flap": 2e-8, "k_damping": 2e-8}
"""Where the second fit begins [SI]: RotorPy's inertia and drag, and a little of the rest."""
SIZES = (0.05, 0.2, 0.08, 0.5)
"""Errors that weigh alike: position [m], velocity [m/s], attitude [rad], rate [rad/s]."""
AT = slice(STEPS // 5 - 1, None, STEPS // 5)
"""Steps after which the errors are taken: every 0.1 s."""
CLOSE = 0.01
"""Relative; by this much a fitted number may differ from that of the vehicle, which has three or four digits."""


def crazyflie() -> World:
    """Alone in still air; nobody steers it."""
    vehicle = {"model": "crazyflie", "controller": {"use": "idle", "rate_hz": PHYSICS_HZ, "channel": 4}}
    return World(Scenario.model_validate({"physics_hz": PHYSICS_HZ, "floor": None, "vehicles": (vehicle,)}))


def rows() -> Iterator[Row]:
    """Every fitted number of the vehicle beside the fit of this minute, and those of every fold."""
    yield from _beside("fit", "circle and star", FITTED_ON, numbers(crazyflie()), STRIDE)
    yield from _beside("fit_all", "all six", tuple(FLIGHTS), ALL, WIDE)
    for name, used in FOLDS.items():
        others = tuple(other for other in FLIGHTS if other != name)
        yield from _beside(f"fold_{name}", f"all but {name}", others, used, WIDE)


def _beside(key: str, source: str, on: tuple[str, ...], used: Mapping[str, float], stride: int) -> Iterator[Row]:
    lacking = [path for path in map(path_of, on) if isinstance(path, str)]
    found = {} if lacking else fit(flights(*on), stride)
    for name, value in used.items():
        titles = f"nanobench_{key}_{name}", f"NanoBench, {source}", f"crazyflie, {name}"
        if lacking:
            yield missing(*titles, lacking[0], "SI")
        else:
            yield within(*titles, value, found[name], CLOSE * abs(value), "SI")


def fit(on: list[Flight], stride: int = STRIDE) -> dict[str, float]:
    """All fitted numbers, from nothing but the flights."""
    offset, slope, k_inflow = fit_map(on)
    motors = motors_of(crazyflie(), offset, slope)
    found = fit_blades(k_inflow, [cut(flight, motors, stride) for flight in on])
    return {"offset": offset, "slope": slope, "k_inflow": k_inflow, **found}


def fitted_world(used: Mapping[str, float]) -> tuple[World, Motors]:
    """The vehicle with the numbers of a fit, and its motors."""
    world, blades = crazyflie(), dict(used)
    offset, slope = blades.pop("offset"), blades.pop("slope")
    change(world, blades)
    return world, motors_of(world, offset, slope)


def numbers(world: World) -> dict[str, float]:
    """What `fit` finds, as the vehicle has it."""
    rotor, inertia = world.part("motor1").row, world.model.body_inertia[world.instances[0].root]
    blades = {name: float(getattr(rotor, name)) for name in ("k_inflow", "k_drag", "k_flap", "k_damping")}
    return {"offset": OFFSET, "slope": SLOPE, "i_xx": float(inertia[0]), "i_yy": float(inertia[1]), **blades}


def fit_map(on: list[Flight]) -> tuple[float, float, float]:
    """Offset [rad/s] and slope [rad/s/V] of the speed map, and k_inflow [N s²/m]."""
    world = crazyflie()
    k_thrust, mass = float(world.part("motor1").row.k_thrust), float(world.model.body_mass.sum())
    seen = [_along_shaft(flight) for flight in on]
    voltage, climb, force = (np.concatenate(column) for column in zip(*seen, strict=True))

    def off(x: Array) -> Array:
        rotor = LaggedMotor(0.0, TIME_CONSTANT, k_thrust, 0.0, k_inflow=1e-6 * x[2])
        speed = 1e3 * (x[0] + x[1] * voltage)
        return np.asarray(blades_along(speed, climb[:, None], SEA_LEVEL, 1.0, rotor).thrust.sum(axis=1) / mass - force)

    offset, slope, inflow = least_squares(off, [0.0, 0.6, 1.0]).x.tolist()
    return 1e3 * offset, 1e3 * slope, 1e-6 * inflow


def _along_shaft(flight: Flight) -> tuple[Array, Array, Array]:
    """Voltage behind the motors' lag, velocity and specific force along body z, during the evaluation."""
    lagging, each = flight.signal[0], []
    for wanted, step in zip(flight.signal, np.diff(flight.time, prepend=flight.time[0]), strict=True):
        lagging = first_order(lagging, wanted, TIME_CONSTANT, step)
        each.append(lagging)
    inside = (flight.time >= flight.first) & (flight.time <= flight.last)
    climb = np.asarray(unrotate(Quaternion(*flight.quat_wb.T), Vector(*flight.vel_w.T)).z)
    return np.array(each)[inside], climb[inside], flight.specific_z[inside]


def fit_blades(k_inflow: float, on: list[Windows]) -> dict[str, float]:
    """Inertia, drag, flapping and damping."""

    def off(x: Array) -> Array:
        tried = dict(zip(START, x * np.array([*START.values()]), strict=True)) | {"k_inflow": k_inflow}
        return np.concatenate([_weighed(predict(windows, tried), windows.flown) for windows in on])

    found = least_squares(off, np.ones(len(START)), bounds=(0.1, 10.0), loss="soft_l1", diff_step=1e-3, xtol=1e-4)
    return {name: value * float(x) for (name, value), x in zip(START.items(), found.x, strict=True)}


def change(world: World, fitted: Mapping[str, float]) -> None:
    """Give the vehicle other numbers."""
    blades = dict(fitted)
    inertia = world.model.body_inertia[world.instances[0].root]
    inertia[:2] = blades.pop("i_xx"), blades.pop("i_yy")
    mujoco.mj_setConst(world.model, mujoco.MjData(world.model))  # MuJoCo keeps the mass matrix of a lone body
    for name, value in blades.items():
        for rotor in rotors_of(world):
            setattr(rotor.row, name, value)


def _weighed(found: Prediction, flown: Prediction) -> Array:
    """Errors five times in every window, each by its size."""
    turn = turn_between(found.quat_wb, flown.quat_wb)
    off = (found.pos_w - flown.pos_w, found.vel_w - flown.vel_w, turn, found.rate_b - flown.rate_b)
    return np.concatenate([(part[:, AT] / size).ravel() for part, size in zip(off, SIZES, strict=True)])


if __name__ == "__main__":
    for name, value in fit(flights(*FITTED_ON)).items():
        print(f"{name:10s} {value:.4g}")
    for left_out in FLIGHTS if "--folds" in sys.argv else ():
        found = fit(flights(*(other for other in FLIGHTS if other != left_out)), WIDE)
        print(left_out, {name: float(f"{value:.4g}") for name, value in found.items()}, flush=True)
