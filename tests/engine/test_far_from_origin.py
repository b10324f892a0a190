"""On a round planet nothing depends on where the world has its origin: air, gravity, sensors, motion, every signal.

The same flight is begun twice at the same place: in a world whose origin is far away, and in one whose origin is there.
What a recording holds and the page shows are the world's signals.
"""

import logging
import math
from typing import Any

import numpy as np
import pytest

from cupola.analysis.equilibrium import equilibrium
from cupola.config.origin import Origin
from cupola.physics.geodesy import (
    Geodetic,
    ecef_from_enu,
    ecef_from_geodetic,
    enu_from_ecef,
    geodetic_from_world,
    local_from_world,
)
from cupola.physics.planet import MU, SPHERE_RADIUS
from cupola.physics.rotation import Euler, Vector, quaternion_from_euler, rotate, subtract
from cupola.schema.yaml_files import InputError

from .every_kind import FLYING, SETTINGS, WEATHER, build

BODY = """<body name="base"><freejoint/><site name="base"/><site name="tip" pos="0.4 0.1 0.2"/>
<inertial pos="0 0 0" mass="2" diaginertia="0.1 0.2 0.25"/></body>"""
NOISE = {"rate_hz": 200, "site": "tip"}
PARTS = {
    "body": {"kind": "bluff", "site": "tip", "body": {"area": 0.3, "c_drag": 1.1}},
    "wing": {
        "kind": "airfoil",
        "site": "tip",
        "surface": {"area": 0.5, "span": 2.0, "chord": 0.25, "c_lift_a": 5.0},
        "wind_gradient": True,
    },
    "imu": {"kind": "imu", **NOISE},
    "gnss": {"kind": "gnss", **NOISE},
    "baro": {"kind": "barometer", **NOISE},
    "mag": {"kind": "magnetometer", **NOISE},
    "speed": {"kind": "airspeed", **NOISE},
}
AIR: dict[str, Any] = {
    "altitude": 100.0,
    "wind": {"speed": 7.0, "from_deg": 60.0, "height": 20.0, "exponent": 0.28},
    "gusts": [{"start": 0.0, "rise": 0.05, "velocity": [1.0, -2.0, 0.5], "hold": 1.0}],
    "turbulence": {"wind_at_6m": 6.0},
}
LAYERS = {"wind": {"layers": [{"height": h, "speed": s, "from_deg": d} for h, s, d in ((0, 3, 20), (80, 9, 70))]}}
LOGARITHMIC = {"wind": {"speed": 7.0, "from_deg": 200.0, "height": 10.0, "roughness": 0.03}}
MARS = {"semi_major": 3396190.0, "flattening": 1 / 169.89, "mu": 4.2828e13, "j2": 1.96045e-3, "rotation": 7.0882e-5}
PLANETS: dict[str, dict[str, Any]] = {
    "sphere": {"shape": "round"},
    "wgs84": {"shape": "oblate"},
    "mars": {"planet": MARS},
}
PLACES = {"sphere": (47.0, 8.0), "wgs84": (-33.0, -179.5), "mars": (86.5, 10.0)}
"""Latitude and longitude; one near the pole, one beside the line where longitudes begin anew."""
HEIGHT = 40.0


def quaternion(turn):
    """Roll, pitch, yaw [deg] of a matrix whose columns are the body axes."""
    yaw, pitch = math.atan2(turn[1, 0], turn[0, 0]), -math.asin(turn[2, 0])
    return [math.degrees(angle) for angle in (math.atan2(turn[2, 1], turn[2, 2]), pitch, yaw)]


def lie(planet, distance, height, attitude_deg=(0.0, 0.0, 0.0)):
    """An origin `distance` [m] away on the ground, towards south-west, and place and attitude of one body there."""
    arc, (latitude, longitude) = distance / 6.4e6, PLACES[planet]
    origin = {**PLANETS[planet], "rotating": True, "longitude_deg": longitude - math.degrees(arc)}
    origin["longitude_deg"] = (origin["longitude_deg"] + 180.0) % 360.0 - 180.0
    origin["latitude_deg"] = latitude - math.degrees(0.7 * arc)
    here = Geodetic(math.radians(latitude), math.radians(longitude), AIR["altitude"] + height)
    there = Geodetic(math.radians(origin["latitude_deg"]), math.radians(origin["longitude_deg"]), AIR["altitude"])
    e = Origin(**origin).planet_now()
    away = subtract(ecef_from_geodetic(here, e), ecef_from_geodetic(there, e))
    position = enu_from_ecef(away, there.latitude, there.longitude)
    turn = quaternion_from_euler(Euler(*map(math.radians, attitude_deg)))
    axes = [
        enu_from_ecef(
            ecef_from_enu(rotate(turn, Vector(*axis)), here.latitude, here.longitude), there.latitude, there.longitude
        )
        for axis in np.eye(3)
    ]
    return origin, there, e, {"position": list(position), "attitude_deg": quaternion(np.array(axes).T)}


def begin(make_world, folder, planet, distance, air):
    """The flight in a world whose origin is `distance` [m] away."""
    origin, there, e, start = lie(planet, distance, HEIGHT)
    entry = {"model": folder, **start, "velocity_b": [15.0, 2.0, -1.0]}
    world = make_world(entry, origin=origin, air={**AIR, **air}, integrator="RK4", physics_hz=1000)
    return world, there, e


def on_the_map(planet, distance, east, north):
    """World x and y of a place on the ground, some metres from where the body is, for an origin far away."""
    _, there, e, _ = lie(planet, distance, HEIGHT)
    latitude, longitude = (math.radians(angle) for angle in PLACES[planet])
    here = Geodetic(latitude + north / 6.4e6, longitude + east / 6.4e6 / math.cos(latitude), AIR["altitude"])
    away = subtract(ecef_from_geodetic(here, e), ecef_from_geodetic(there, e))
    return list(enu_from_ecef(away, there.latitude, there.longitude))[:2]


def told(world, there, e):
    """Everything that a place can say, in local axes."""
    now = world.motion()
    place = geodetic_from_world(now.pos_w, there, e)
    air = world.arrays.air_samples[0]
    samples = [np.ravel(world.samples["toy", name].since(0)[:, 1:]) for name in ("imu", "gnss", "baro", "mag", "speed")]
    wind = local_from_world(Vector(air["wind_x"], air["wind_y"], air["wind_z"]), place, there)
    up = local_from_world(rotate(now.quat_wb, Vector(0.0, 0.0, 1.0)), place, there)
    return {
        "place": place,
        "velocity": local_from_world(now.vel_w, place, there),
        "attitude": up,
        "rates": now.rate_b,
        "through the air": now.vel_air_b,
        "wind": wind,
        "air": [float(air[name]) for name in ("density", "pressure", "temperature")],
        "samples": np.concatenate(samples),
    }


@pytest.mark.parametrize("air", [{}, LAYERS, LOGARITHMIC], ids=["power law", "layers", "logarithmic law"])
@pytest.mark.parametrize("planet", PLANETS)
def test_nothing_depends_on_where_the_origin_is(vehicle, make_world, planet, air):
    folder = vehicle(BODY, parts=PARTS)
    for distance in (20e3, 50e3, 500e3):
        flights = [begin(make_world, folder, planet, d, air) for d in (0.0, distance)]
        for ticks in (1, 99):
            for world, *_ in flights:
                world.step(ticks)
            near, far = (told(*flight) for flight in flights)
            for name, value in near.items():
                scale = max(np.abs(value).max(), 1e-3)
                np.testing.assert_allclose(
                    far[name], value, rtol=1e-9, atol=1e-9 * scale, err_msg=f"{name}, {distance} m"
                )


def rising(planet, distance):
    """Two thermals beside the body, one of sinking air, under a wind that a file tells by time and height."""
    places = [on_the_map(planet, distance, *away) for away in ((60.0, 30.0), (-150.0, 80.0))]
    kinds = {"radius": 120.0, "strength": 4.0}, {"radius": 200.0, "strength": -2.0, "top": 400.0}
    return {"thermals": [{"center": place, **kind} for place, kind in zip(places, kinds, strict=True)]}


@pytest.mark.parametrize("planet", PLANETS)
def test_thermals_and_winds_of_a_file_depend_on_the_place_alone(vehicle, make_world, tmp_path, planet):
    rows = [f"{t},{z},{3 + z / 9 + 40 * t},{2 - z / 30},{0.02 * z - t}" for t in (0, 0.03, 0.2) for z in (0, 35, 90)]
    (tmp_path / "wind.csv").write_text("\n".join(["t,z,u,v,w", *rows]))
    field = {"wind": {"field": str(tmp_path / "wind.csv")}}
    folder = vehicle(BODY, parts=PARTS)
    for distance in (20e3, 50e3, 500e3):
        air = [{**field, **rising(planet, d)} for d in (0.0, distance)]
        flights = [begin(make_world, folder, planet, d, one) for d, one in zip((0.0, distance), air, strict=True)]
        for ticks in (1, 99):
            for world, *_ in flights:
                world.step(ticks)
            near, far = (told(*flight) for flight in flights)
            assert near["wind"].z > 1.0
            for name, value in near.items():
                bound = 1e-9 * max(np.abs(value).max(), 1e-3)
                np.testing.assert_allclose(far[name], value, rtol=1e-9, atol=bound, err_msg=f"{name}, {distance} m")


def test_columns_of_air_stand_upright_far_from_the_origin(vehicle, make_world, tmp_path):
    """The wind by place alone: whatever the height, it is that of the ground below; 0.05 m/s more per metre of x."""
    folder = vehicle(BODY, parts={"body": PARTS["body"]})
    for distance in (0.0, 50e3, 500e3):
        found = []
        x, _ = on_the_map("wgs84", distance, 0.0, 0.0)
        (tmp_path / "wind.csv").write_text(f"x,u,v,w\n{x - 1e3},-50,0,0\n{x + 1e3},50,0,0")
        for height in (10.0, 400.0):
            origin, there, e, start = lie("wgs84", distance, height)
            air = {"altitude": AIR["altitude"], "wind": {"field": str(tmp_path / "wind.csv")}}
            world = make_world({"model": folder, **start}, origin=origin, air=air)
            world.step(1)
            found.append(told_wind(world, there, e))
        np.testing.assert_allclose(found[0], found[1], rtol=0.0, atol=0.05 * 1e-3)  # the body has moved a little


def told_wind(world, there, e):
    """East, north, up at the vehicle."""
    air, place = world.arrays.air_samples[0], geodetic_from_world(world.motion().pos_w, there, e)
    return local_from_world(Vector(air["wind_x"], air["wind_y"], air["wind_z"]), place, there)


def test_a_thermal_beyond_the_horizon_is_refused(vehicle, make_world):
    air = {"thermals": [{"center": [6.3e6, 0.0], "radius": 100.0, "strength": 2.0}]}
    with pytest.raises(InputError, match=r"the thermal at x 6\.3e"):
        make_world({"model": vehicle(BODY)}, origin={"shape": "round"}, air=air)


def test_the_wind_of_the_right_height_is_felt_far_from_the_origin(vehicle, make_world):
    """20 km away a point of the tangent plane is 31 m above the sea that it touches."""
    folder = vehicle(BODY, parts={"body": PARTS["body"]})
    origin = {"latitude_deg": 0, "longitude_deg": 0, "shape": "oblate"}
    air = {"wind": {"speed": 10.0, "from_deg": 270.0, "height": 10.0, "exponent": 0.28}}
    entry = {"model": folder, "position": [20e3, 0.0, 100.0 - 20e3**2 / (2 * 6378137.0)]}
    world = make_world(entry, origin=origin, air=air)
    assert math.hypot(*world.motion().vel_air_b) == pytest.approx(10.0 * 10.0**0.28, rel=1e-5)


def test_a_sphere_pulls_to_its_middle(vehicle, make_world):
    """Free fall over a sphere stays on the plumb line; on WGS-84 without J2 it used to drift north."""
    world = make_world(
        {"model": vehicle(BODY), "position": [0, 0, 1000]},
        origin={"latitude_deg": 45, "longitude_deg": 0, "shape": "round"},
        air={"space": True},
        integrator="RK4",
    )
    world.run(10.0)
    east, north, up = world.motion().pos_w
    mu, r = 3.986004418e14, 6371007.1809 + 1000.0
    assert (east, north) == pytest.approx((0.0, 0.0), abs=1e-9)
    assert up == pytest.approx(1000.0 - 0.5 * mu / r**2 * 100.0, abs=0.02)  # gravity grows by 1.4e-4 on the way


IN_WORLD_AXES = (
    "it.position.",
    "it.velocity.",
    "it.attitude.",
    "it.wind.",
    "truth.pos_w",
    "truth.quat_ws",
    "truth.vel_w",
)
"""Signals that say where the world's axes are; the first four are compared in local axes above."""


def test_every_kind_says_the_same_far_from_the_origin(tmp_path):
    """All kinds that fly, all their signals, without a floor: rays need one."""
    flights = []
    for distance in (0.0, 50e3, 500e3):
        origin, *_, start = lie("wgs84", distance, FLYING["position"][2], FLYING["attitude_deg"])
        folder = tmp_path / f"{distance:g}"
        entry = {"model": str(folder / "it"), **FLYING, **start}
        air = {**WEATHER, "altitude": AIR["altitude"]}
        more: dict[str, Any] = {"vehicles": [entry], "air": air, "floor": None, "integrator": "RK4", "physics_hz": 1000}
        flights.append(build("air", folder, origin=origin, **more))
    names = [s.name for s in flights[0].signals() if not any(word in s.name for word in IN_WORLD_AXES)]
    for kind in set(SETTINGS["air"].kinds) - {"mixer", "flapping", "servo", "table_control", "camera", "laser"}:
        assert any(name.startswith(f"it.{kind}.") for name in names), kind
    for ticks in (1, 149):
        for world in flights:
            world.step(ticks)
        near, *far = ({name: np.asarray(world.signal(name)).item() for name in names} for world in flights)
        for found in far:
            off = {n: (v, found[n]) for n, v in near.items() if abs(found[n] - v) > 1e-9 * max(abs(v), 1e-3)}
            assert not off


@pytest.mark.parametrize("setting", ["air", "floor"])
def test_near_its_origin_a_round_planet_is_a_flat_one_with_its_gravity(tmp_path, setting):
    """All kinds, all their signals: 150 steps later a sphere of 6371 km differs by less than a thousandth."""
    pull = MU / SPHERE_RADIUS**2
    flights = [
        build(setting, tmp_path / name, **more)
        for name, more in (("flat", {"gravity": pull}), ("round", {"origin": {"shape": "round"}}))
    ]
    for world in flights:
        world.step(150)
    flat, curved = ({s.name: np.asarray(world.signal(s.name)).item() for s in world.signals()} for world in flights)
    assert len(flat) > 50
    assert not {n: (v, curved[n]) for n, v in flat.items() if abs(curved[n] - v) > 1e-3 * max(abs(v), 1e-2)}


def test_where_the_floor_no_longer_holds_the_run_says_so(vehicle, make_world, caplog):
    """A plane 50 km from where it touches the planet is 196 m above it; at 2 km it is 0.3 m, of which nobody speaks."""
    folder = vehicle(BODY, parts={"body": PARTS["body"]})
    origin = {"latitude_deg": 0, "longitude_deg": 0, "shape": "oblate"}
    for away, said in ((50e3, 1), (2e3, 0)):
        for floor in ({}, None):
            caplog.clear()
            world = make_world({"model": folder, "position": [away, 0.0, 100.0]}, origin=origin, floor=floor)
            with caplog.at_level(logging.WARNING, "cupola"):
                world.step(2)
                world.step(2)
            found = [one.getMessage() for one in caplog.records if "the floor, a plane" in one.getMessage()]
            assert len(found) == (said if floor is not None else 0)
            assert all("50 km from the origin" in text and "lies 196 m above" in text for text in found)


def test_an_operating_point_far_from_the_origin_is_refused(vehicle, make_world):
    """There the axes of the world are not level."""
    folder = vehicle(BODY, parts={"wing": PARTS["wing"]})
    origin = {"latitude_deg": 0, "longitude_deg": 0, "shape": "oblate"}
    world = make_world({"model": folder, "position": [4e3, 0, 10]}, origin=origin)
    with pytest.raises(InputError, match="toy is 4 km away: set the origin there"):
        equilibrium(world)
