"""The fit of the vehicle `crazyflie` on two real flights, circle and star.

`python -m cupola.reproduce.nanobench.crazyflie_fit` prints it.

First the map from motor voltage to shaft speed, and the inflow: least squares of the accelerometer along body z. Then
inertia, rotor drag, flapping and damping: least squares of what the compiled world predicts for half a second. Mass,
thrust coefficient, lag and geometry are RotorPy's and stay; only their ratios to what is fitted can be seen anyway.
"""

from collections.abc import Iterator, Mapping

import mujoco
import numpy as np
from scipy.optimize import least_squares

from cupola.physics.blades import SEA_LEVEL, LaggedMotor, blades_along
from cupola.physics.rotation import Quaternion, Vector, unrotate
from cupola.physics.servo import first_order
from cupola.reproduce.nanobench.crazyflie_world import crazyflie, fly, motors
from cupola.reproduce.nanobench.real_flights import (
    FITTED_ON,
    FLIGHTS,
    STEPS,
    TIME_CONSTANT,
    Array,
    Flight,
    Prediction,
    SpeedMap,
    Windows,
    cut,
    read,
    turn_between,
)
from cupola.reproduce.row import Row, data_file, missing, within
from cupola.sim.world import World

SPEED_MAP = SpeedMap(offset=561.1, slope=416.3)
"""Fitted on circle and star."""
STRIDE = 3
"""Every third window is fitted: they start every 0.1 s and overlap."""
START = {"i_xx": 1.43e-5, "i_yy": 1.43e-5, "k_drag": 1.025e-6, "k_flap": 2e-8, "k_damping": 2e-8}
"""Where the second fit begins [SI]: RotorPy's inertia and drag, and a little of the rest."""
SIZES = (0.05, 0.2, 0.08, 0.5)
"""Errors that weigh alike: position [m], velocity [m/s], attitude [rad], rate [rad/s]."""
AT = slice(STEPS // 5 - 1, None, STEPS // 5)
"""Steps after which the errors are taken: every 0.1 s."""
CLOSE = 0.01
"""Relative; by this much a fitted number may differ from that of the vehicle, which has three or four digits."""


def rows() -> Iterator[Row]:
    """Every fitted number of the vehicle beside the fit of this minute."""
    files = [data_file(f"nanobench/{FLIGHTS[name][0]}") for name in FITTED_ON]
    lacking = [path for path in files if isinstance(path, str)]
    used, found = numbers(crazyflie()), {} if lacking else fit(flights())
    for name, value in used.items():
        titles = f"nanobench_fit_{name}", "NanoBench, circle and star", f"crazyflie, {name}"
        if lacking:
            yield missing(*titles, lacking[0], "SI")
        else:
            yield within(*titles, value, found[name], CLOSE * abs(value), "SI")


def flights() -> list[Flight]:
    """The flights to fit on."""
    found = []
    for name in FITTED_ON:
        file, first, last = FLIGHTS[name]
        path = data_file(f"nanobench/{file}")
        if isinstance(path, str):
            raise SystemExit(path)
        found.append(read(path, first, last))
    return found


def fit(on: list[Flight]) -> dict[str, float]:
    """All fitted numbers, from nothing but the flights."""
    offset, slope, k_inflow = fit_map(on)
    world = crazyflie()
    for motor in motors(world):
        motor.row.k_inflow = k_inflow
    found = fit_blades(world, [cut(flight, SpeedMap(offset, slope), STRIDE) for flight in on])
    return {"offset": offset, "slope": slope, "k_inflow": k_inflow, **found}


def numbers(world: World) -> dict[str, float]:
    """What `fit` finds, as the vehicle has it."""
    rotor, inertia = world.part("motor1").row, world.model.body_inertia[world.instances[0].root]
    blades = {name: float(getattr(rotor, name)) for name in ("k_inflow", "k_drag", "k_flap", "k_damping")}
    return {**SPEED_MAP._asdict(), "i_xx": float(inertia[0]), "i_yy": float(inertia[1]), **blades}


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
    lagging, each = flight.voltage[0], []
    for wanted, step in zip(flight.voltage, np.diff(flight.time, prepend=flight.time[0]), strict=True):
        lagging = first_order(lagging, wanted, TIME_CONSTANT, step)
        each.append(lagging)
    inside = (flight.time >= flight.first) & (flight.time <= flight.last)
    climb = np.asarray(unrotate(Quaternion(*flight.quat_wb.T), Vector(*flight.vel_w.T)).z)
    return np.array(each)[inside], climb[inside], flight.specific_z[inside]


def fit_blades(world: World, on: list[Windows]) -> dict[str, float]:
    """Inertia, drag, flapping and damping."""

    def off(x: Array) -> Array:
        change(world, dict(zip(START, x * np.array([*START.values()]), strict=True)))
        return np.concatenate([_weighed(fly(world, windows), windows.flown) for windows in on])

    found = least_squares(off, np.ones(len(START)), bounds=(0.1, 10.0), loss="soft_l1", diff_step=1e-3, xtol=1e-4)
    return {name: value * float(x) for (name, value), x in zip(START.items(), found.x, strict=True)}


def change(world: World, fitted: Mapping[str, float]) -> None:
    """Give the vehicle other numbers."""
    blades = dict(fitted)
    inertia = world.model.body_inertia[world.instances[0].root]
    inertia[:2] = blades.pop("i_xx"), blades.pop("i_yy")
    mujoco.mj_setConst(world.model, mujoco.MjData(world.model))  # MuJoCo keeps the mass matrix of a lone body
    for name, value in blades.items():
        for motor in motors(world):
            setattr(motor.row, name, value)


def _weighed(found: Prediction, flown: Prediction) -> Array:
    """Errors five times in every window, each by its size."""
    turn = turn_between(found.quat_wb, flown.quat_wb)
    off = (found.pos_w - flown.pos_w, found.vel_w - flown.vel_w, turn, found.rate_b - flown.rate_b)
    return np.concatenate([(part[:, AT] / size).ravel() for part, size in zip(off, SIZES, strict=True)])


if __name__ == "__main__":
    for name, value in fit(flights()).items():
        print(f"{name:10s} {value:.4g}")
