"""Falls, shots and tumbles over a planet beside an independent integration in axes that do not turn.

The world integrates in axes fixed to the ground; here the same laws are written in inertial axes, from their sources,
and integrated by SciPy at order 8. The check cases of `cupola reproduce nesc` are among their kind.
"""

import itertools
import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from cupola.reproduce.nesc import check_cases as nesc
from cupola.reproduce.nesc.columns import columns

MU, J2, SPIN = 3.986004418e14, 1.08262982e-3, 7.292115e-5
SPHERE, WGS84 = (6371007.1809, 0.0, 0.0), (6378137.0, 1.0 / 298.257223563, J2)
BALL, BRICK, FINS = (*nesc.SPHERE, nesc.BALL), (*nesc.BRICK, None), (*nesc.BRICK, nesc.FINS)
HIGH = {"area": 0.01, "c_drag": 0.8, "span": 0.4, "chord": 0.3, "c_l_p": -0.5, "c_m_q": -0.8, "c_n_r": -0.2}
SHEAR = [(-9144.0, 6.096, 90.0), (0.0, 21.336, 270.0)]
SECONDS, STEPS = 10, 500


def air_of(altitude):
    """Density of the US Standard Atmosphere 1976 to 32 km."""
    height = 6356766.0 * altitude / (6356766.0 + altitude)
    g, gas, base, temperature, pressure = 9.80665, 8.31432 / 0.0289644, 0.0, 288.15, 101325.0
    for top, lapse in ((11e3, -6.5e-3), (20e3, 0.0), (32e3, 1e-3)):
        up = min(height, top) - base
        if lapse:
            pressure *= (1.0 + lapse * up / temperature) ** (-g / (gas * lapse))
        else:
            pressure *= math.exp(-g * up / (gas * temperature))
        base, temperature = base + up, temperature + lapse * up
        if base >= height:
            break
    return pressure / (gas * temperature)


def place_of(r, planet):
    """Geodetic altitude, and the unit vectors north, east, down, at Earth-centred coordinates."""
    a, f, _ = planet
    e2 = f * (2.0 - f)
    flat = math.hypot(r[0], r[1])
    latitude = math.atan2(r[2], flat * (1.0 - e2))
    for _ in range(8):
        s, c = math.sin(latitude), math.cos(latitude)
        n = a / math.sqrt(1.0 - e2 * s * s)
        latitude = math.atan2(r[2] + e2 * n * s, flat)
    s, c, longitude = math.sin(latitude), math.cos(latitude), math.atan2(r[1], r[0])
    altitude = flat * c + r[2] * s - a * math.sqrt(1.0 - e2 * s * s)
    east = np.array([-math.sin(longitude), math.cos(longitude), 0.0])
    down = -np.array([c * math.cos(longitude), c * math.sin(longitude), s])
    return altitude, np.array([np.cross(east, down), east, down])


def blow(layers, above):
    """The wind towards north, east, down at a height above the origin, its components linear between layers."""
    heights = [height for height, *_ in layers]
    parts = [[-speed * f(math.radians(d)) for _, speed, d in layers] for f in (math.cos, math.sin)]
    return np.array([np.interp(above, heights, parts[0]), np.interp(above, heights, parts[1]), 0.0])


def truth(case):
    """Altitude, velocity and rotation (front, right, down to north, east, down) after the flight."""
    planet, spin = case["planet"], np.array([0.0, 0.0, SPIN if case["turns"] else 0.0])
    a, f, j2 = planet
    mass, moments, body = case["body"]
    moments, body = np.array(moments), body or {}
    s, c = (f_of(math.radians(case["latitude"])) for f_of in (math.sin, math.cos))
    n = a / math.sqrt(1.0 - f * (2.0 - f) * s * s)
    start = np.array([(n + case["altitude"]) * c, 0.0, (n * (1.0 - f) ** 2 + case["altitude"]) * s])
    assert place_of(start, planet)[0] == pytest.approx(case["altitude"], abs=1e-6)
    ned = place_of(start, planet)[1]
    heading = Rotation.from_euler("ZYX", [case["yaw"], 0.0, 0.0], degrees=True)
    turn = Rotation.from_matrix(ned.T) * heading
    rate = np.radians(case["rate"]) + turn.inv().apply(spin)
    velocity = np.cross(spin, start) + turn.apply(case["velocity"])
    swing = np.array([body.get(name, 0.0) for name in ("c_l_p", "c_m_q", "c_n_r")])
    lever = np.array([body.get("span", 0.0), body.get("chord", 0.0), body.get("span", 0.0)])

    def slope(_, y):
        r, v, q, w = y[:3], y[3:6], Rotation.from_quat(y[6:10]), y[10:]
        altitude, axes = place_of(np.array([*r]), planet)
        far, high = np.linalg.norm(r), (r[2] / np.linalg.norm(r)) ** 2
        k = 1.5 * j2 * (a / far) ** 2
        pull = -MU / far**3 * r * (1.0 + k * (np.array([1.0, 1.0, 3.0]) - 5.0 * high))
        air = v - np.cross(spin, r) - axes.T @ blow(case["wind"], altitude - case["altitude"])
        speed, density = np.linalg.norm(air), air_of(altitude)
        drag = -0.5 * density * speed * body.get("area", 0.0) * body.get("c_drag", 0.0) * air
        damped = w - q.inv().apply(spin)
        torque = 0.25 * density * speed * body.get("area", 0.0) * lever**2 * swing * damped
        x, y, z, s = y[6:10]
        p, q_, r_ = w
        turned = 0.5 * np.array(
            [s * p + y * r_ - z * q_, s * q_ + z * p - x * r_, s * r_ + x * q_ - y * p, -x * p - y * q_ - z * r_]
        )
        return [*v, *(pull + drag / mass), *turned, *((torque - np.cross(w, moments * w)) / moments)]

    y = [*start, *velocity, *turn.as_quat(), *rate]
    done = solve_ivp(slope, (0.0, SECONDS), y, method="DOP853", rtol=1e-12, atol=1e-9, max_step=0.5).y[:, -1]
    altitude, ned = place_of(done[:3], planet)
    return (
        altitude,
        ned @ (done[3:6] - np.cross(spin, done[:3])),
        Rotation.from_matrix(ned),
        Rotation.from_quat(done[6:10]),
    )


def flown(case, vehicle, make_world):
    """The same in the world, as the columns of `cupola reproduce nesc`."""
    mass, moments, body = case["body"]
    inertia = " ".join(map(str, moments))
    text = f"""<body name="base"><freejoint/><site name="base"/>
      <inertial pos="0 0 0" mass="{mass}" diaginertia="{inertia}"/></body>"""
    folder = vehicle(text, parts={"body": {"kind": "bluff", "site": "base", "body": body}} if body else {})
    (u, v, w), (p, q, r) = case["velocity"], np.radians(case["rate"])
    layers = [{"height": h, "speed": s, "from_deg": d} for h, s, d in case["wind"]]
    planet = "round" if case["planet"] is SPHERE else "oblate"
    world = make_world(
        {
            "model": folder,
            "attitude_deg": [0, 0, 90.0 - case["yaw"]],
            "velocity_b": [u, -v, -w],
            "rate_b": [p, -q, -r],
        },
        physics_hz=STEPS,
        integrator="RK4",
        air={"altitude": case["altitude"], "wind": {"layers": layers}},
        origin={
            "latitude_deg": case["latitude"],
            "longitude_deg": 0,
            "shape": planet,
            "rotating": case["turns"],
        },
    )
    world.step(SECONDS * STEPS)
    return columns(world)


CALM = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)]
FALL = {"body": BALL, "planet": WGS84, "turns": True, "latitude": 0.0, "altitude": 9144.0, "yaw": 0.0,
        "velocity": (0.0, 0.0, 0.0), "rate": (0.0, 0.0, 0.0), "wind": CALM}  # fmt: skip
CASES = {
    **{
        f"shot, {planet}, {'turning' if turns else 'at rest'}, {azimuth}°, {speed} m/s": {
            "planet": SPHERE if planet == "sphere" else WGS84, "turns": turns, "latitude": latitude,
            "altitude": 100.0, "yaw": azimuth, "velocity": (speed, 0.0, -0.9 * speed),
        }
        for (planet, turns), (azimuth, speed, latitude) in zip(
            itertools.product(("sphere", "wgs84"), (True, False)),
            ((30.0, 150.0, 35.0), (210.0, 900.0, -60.0), (135.0, 900.0, 52.0), (300.0, 250.0, -20.0)), strict=True,
        )
    },
    "dropped over a sphere at rest": {"planet": SPHERE, "turns": False, "rate": (10.0, 20.0, 30.0)},
    "dropped over a sphere": {"planet": SPHERE, "rate": (10.0, 20.0, 30.0), "latitude": 70.0},
    "in wind shear": {"wind": SHEAR, "latitude": 45.0, "yaw": 250.0},
    "wind that turns with height": {"wind": [(-4e2, 8.0, 350.0), (-1e2, 4.0, 20.0), (0.0, 15.0, 130.0)]},
    "brick": {"body": BRICK, "rate": (10.0, 20.0, 30.0), "latitude": 30.0, "yaw": 77.0},
    "brick over its middle axis": {"body": BRICK, "rate": (1.0, 400.0, -2.0), "latitude": -30.0},
    "brick with damping": {"body": FINS, "rate": (-40.0, 60.0, 25.0), "velocity": (90.0, 5.0, 0.0), "yaw": 11.0},
    "draggy and damped": {"body": (*nesc.BRICK, HIGH), "rate": (200.0, 9.0, 80.0), "velocity": (600.0, 0.0, 40.0)},
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_it_flies_as_integrated_independently(vehicle, make_world, name):
    case = {**FALL, **CASES[name]}
    altitude, velocity, ned, attitude = truth(case)
    ours = flown(case, vehicle, make_world)
    got = [ours[key] for key in ("vel_north_m_s", "vel_east_m_s", "vel_down_m_s")]
    angles = [ours[key] for key in ("yaw_deg", "pitch_deg", "roll_deg")]
    apart = Rotation.from_euler("ZYX", angles, degrees=True).inv() * ned * attitude
    # RK4 in steps of 2 ms errs by less than 1e-9 of a fall; positions are 6.4e6 m from the middle, in 16 digits.
    assert ours["altitude_m"] == pytest.approx(altitude, rel=1e-9, abs=2e-7)
    np.testing.assert_allclose(got, velocity, rtol=0, atol=1e-9 * max(float(np.linalg.norm(velocity)), 100.0))
    assert math.degrees(apart.magnitude()) < 1e-6
