"""Sensors that look outside, without errors: closed forms of pressure, place, field, airspeed and distance."""

import math

import numpy as np
import pytest

from cupola.physics.airdata import STANDARD_DENSITY
from cupola.schema.yaml_files import InputError

TILTED = (
    '<body name="base" pos="100 -60 5" euler="20 -35 70"><geom size="0.1"/><site name="here" euler="10 20 30"/></body>'
)
FREE = '<body name="base"><freejoint/><geom size="0.1"/><site name="here" euler="0 0 60"/></body>'


def world_with(vehicle, make_world, body, kind, entry=None, **more):
    scenario = {name: more.pop(name) for name in ("air", "origin", "floor", "gravity") if name in more}
    folder = vehicle(body, parts={"sensor": {"kind": kind, "site": "here", "rate_hz": 100, **more}})
    return make_world({"model": folder, **(entry or {})}, **scenario)


def read(world):
    return world.samples["toy", "sensor"].latest()


def test_pressure_at_a_height_is_that_of_the_standard(vehicle, make_world):
    body = '<body name="base" pos="0 0 1000"><geom size="0.1"/><site name="here" pos="0 0 500"/></body>'
    reading = read(world_with(vehicle, make_world, body, "barometer", air={"altitude": 500}))
    # U.S. Standard Atmosphere 1976, table I, geometric altitude 2000 m: 7.9501e4 Pa, geopotential 1999 m.
    assert reading.pressure == pytest.approx(79501, abs=0.6)
    assert reading.altitude == pytest.approx(1999.4, abs=0.1)


def test_a_barometer_has_its_offset(vehicle, make_world):
    reading = read(world_with(vehicle, make_world, TILTED.replace(' 5"', ' 0"'), "barometer", bias=-25.0))
    assert reading.pressure == pytest.approx(101300.0, abs=1e-9)


def test_a_fix_follows_the_curvature_of_the_earth(vehicle, make_world):
    origin = {"latitude_deg": 47.0, "longitude_deg": 8.5}
    world = world_with(vehicle, make_world, TILTED, "gnss", origin=origin, air={"altitude": 400})
    fix, latitude, e2 = read(world), math.radians(47), 0.00669437999014
    across = 6378137 / math.sqrt(1 - e2 * math.sin(latitude) ** 2)
    along = across * (1 - e2) / (1 - e2 * math.sin(latitude) ** 2)
    # Radii of curvature at the height; what is left out is (100 m / R)² tan(47°) / 2 = 1.3e-10 rad, in longitude twice.
    assert fix.latitude == pytest.approx(latitude - 60 / (along + 405), abs=1e-9)
    assert fix.longitude == pytest.approx(math.radians(8.5) + 100 / ((across + 405) * math.cos(latitude)), abs=1e-9)
    assert fix.altitude == pytest.approx(405, abs=(100**2 + 60**2) / 2 / 6.3e6)


def test_a_fix_has_the_velocity_of_its_site(vehicle, make_world):
    entry = {"velocity_b": [3, 2, 1], "attitude_deg": [0, 0, 90]}
    fix = read(world_with(vehicle, make_world, FREE, "gnss", entry))
    np.testing.assert_allclose(fix.vel_w, [-2, 3, 1], atol=1e-14)


def test_a_constant_field_is_seen_in_the_axes_of_the_site(vehicle, make_world):
    field, iron = [2e-5, 1e-5, -4e-5], [1e-6, 2e-6, -3e-6]
    origin = {"magnetic_field": field}
    world = world_with(vehicle, make_world, TILTED, "magnetometer", origin=origin, hard_iron=iron)
    turn = world.data.site_xmat[0].reshape(3, 3)
    np.testing.assert_allclose(read(world).field_s, turn.T @ field + iron, atol=1e-19)


def test_half_a_turn_swaps_the_field_and_not_the_iron(vehicle, make_world):
    body = '<body name="base"><freejoint/><geom size="0.1"/><site name="here"/></body>'
    origin, iron = {"magnetic_field": [0, 2e-5, -4e-5]}, [1e-6, 0, 0]
    entry = {"attitude_deg": [0, 0, 90]}  # nose north
    world = world_with(vehicle, make_world, body, "magnetometer", entry, origin=origin, hard_iron=iron)
    np.testing.assert_allclose(read(world).field_s, [2.1e-5, 0, -4e-5], atol=1e-20)


def test_without_a_field_the_earth_is_a_dipole(vehicle, make_world):
    origin = {"latitude_deg": 0, "longitude_deg": 0}
    body = '<body name="base"><geom size="0.1"/><site name="here"/></body>'
    reading = read(world_with(vehicle, make_world, body, "magnetometer", origin=origin))
    # Degree 1 of IGRF-13 at the crossing of equator and Greenwich: east -h11, north -g10, up 2 g11.
    np.testing.assert_allclose(reading.field_s, [-4652.5e-9, 29404.8e-9, -2901.8e-9], atol=1e-20)


def test_a_pitot_tube_feels_the_air_along_its_axis(vehicle, make_world):
    air = {"altitude": 1500, "wind": {"speed": 5, "from_deg": 90}}  # from ahead of a nose to the east
    world = world_with(vehicle, make_world, FREE, "airspeed", {"velocity_b": [20, 0, 0]}, air=air, gravity=0)
    density, along = world.arrays.air_samples["density"][0], 25 * math.cos(math.radians(60))
    assert density == pytest.approx(1.0581, abs=1e-4)  # tables of the standard at 1500 m
    assert read(world).differential_pressure == pytest.approx(0.5 * density * along**2, rel=1e-12)
    assert read(world).indicated == pytest.approx(along * math.sqrt(density / STANDARD_DENSITY), rel=1e-12)


def test_wind_from_behind_gives_no_airspeed(vehicle, make_world):
    air = {"wind": {"speed": 25, "from_deg": 270}}
    world = world_with(vehicle, make_world, FREE, "airspeed", {"velocity_b": [20, 0, 0]}, air=air)
    assert read(world) == (0.0, 0.0)


@pytest.mark.parametrize("tilt", [0, 30, 60])
def test_range_to_the_floor_at_a_tilt(vehicle, make_world, tilt):
    site = f'<site name="here" pos="0 0 -0.5" euler="0 {90 - tilt} 0"/>'
    body = f'<body name="base" pos="0 0 5"><geom size="1"/>{site}</body>'
    world = world_with(vehicle, make_world, body, "rangefinder", floor={})
    assert read(world).range == pytest.approx(4.5 / math.cos(math.radians(tilt)), rel=1e-14)


@pytest.mark.parametrize(("limits", "said"), [((0.1, 4.9), math.inf), ((5.1, 9), -math.inf), ((0.1, 5.1), 5.0)])
def test_out_of_reach_is_infinite(vehicle, make_world, limits, said):
    body = '<body name="base" pos="0 0 5"><geom size="1"/><site name="here" euler="0 90 0"/></body>'
    reach = {"range_min": limits[0], "range_max": limits[1], "floor": {}}
    assert read(world_with(vehicle, make_world, body, "rangefinder", **reach)).range == said


SCENE = """<body name="base" pos="0 0 1"><geom type="cylinder" size="0.3 0.2"/><site name="here" euler="0 0 20"/></body>
  <body name="box" pos="3 0 1"><geom type="box" size="0.5 0.5 0.5"/></body>"""


def test_a_scan_hits_a_box_and_never_its_own_body(vehicle, make_world):
    world = world_with(vehicle, make_world, SCENE, "laser", rate_hz=40, noise=0)
    laser = world.samples["toy", "sensor"].part
    ranges, angles = np.array(read(world).ranges), np.array(laser.angles()) + math.radians(20)
    assert len(ranges) == 720 and angles[0] == -math.pi / 2 + math.radians(20)
    hit = np.abs(np.tan(angles)) * 2.5 < 0.5
    hit &= np.abs(angles) < 1
    np.testing.assert_allclose(ranges[hit], 2.5 / np.cos(angles[hit]), rtol=1e-13)
    assert hit.sum() == 90 and np.all(ranges[~hit] == math.inf)


def test_a_scan_sees_the_floor_all_round_when_it_looks_down(vehicle, make_world):
    body = '<body name="base" pos="0 0 2"><geom size="0.3"/><site name="here" euler="0 90 0"/></body>'
    world = world_with(
        vehicle, make_world, body, "laser", rays=91, noise=0, floor={}, angle_min_deg=-45, angle_max_deg=45
    )
    angles = np.radians(np.arange(-45, 46))
    np.testing.assert_allclose(read(world).ranges, 2 / np.cos(angles), rtol=1e-13)


def test_a_scanner_may_be_badly_calibrated_and_lose_echoes(vehicle, make_world):
    body = '<body name="base" pos="0 0 2"><geom size="0.3"/><site name="here" euler="0 90 0"/></body>'
    fan = {"rays": 901, "noise": 0, "floor": {}, "angle_min_deg": -45, "angle_max_deg": 45}
    world = world_with(vehicle, make_world, body, "laser", bias=0.03, lost=0.1, **fan)
    ranges, true = np.array(read(world).ranges), 2 / np.cos(np.radians(np.linspace(-45, 45, 901)))
    lost = np.isinf(ranges)
    assert 54 < lost.sum() < 126  # 90 and four standard deviations
    np.testing.assert_allclose(ranges[~lost], true[~lost] + 0.03, rtol=1e-13)


@pytest.mark.parametrize("red", [0.8, 0.2])
def test_an_echo_is_weaker_from_afar_askew_and_from_the_dark(vehicle, make_world, red):
    body = SCENE.replace('size="0.5 0.5 0.5"', f'size="0.5 0.5 0.5" rgba="{red} 0.5 0.5 1"')
    scan = read(world_with(vehicle, make_world, body, "laser", rays=721, noise=0, intensity=True))
    ranges, echoes = np.array(scan.ranges), np.array(scan.intensities)
    hit = np.isfinite(ranges)
    # The face lies at x = 2.5 m, so a ray of length r meets it at the cosine 2.5 / r.
    np.testing.assert_allclose(echoes[hit], red * 2.5 / ranges[hit] ** 3, rtol=1e-7)  # colours are single precision
    assert np.all(echoes[~hit] == 0) and hit.sum() == 91


def test_a_lost_echo_has_no_strength_and_a_scan_of_a_fine_device_has_twice_the_rays(vehicle, make_world):
    fine = {"rate_hz": 25, "rays": 1081, "angle_min_deg": -135, "angle_max_deg": 135, "lost": 0.3, "intensity": True}
    world = world_with(vehicle, make_world, SCENE, "laser", **fine)
    scan = read(world)
    assert len(scan.ranges) == len(scan.intensities) == 1081
    assert math.degrees(world.samples["toy", "sensor"].part.angle_step()) == pytest.approx(0.25)
    assert [r == math.inf for r in scan.ranges] == [i == 0 for i in scan.intensities]
    world.run(1.0)
    assert world.samples["toy", "sensor"].count == 26


def test_a_scanner_on_a_hinge_turns_with_it(vehicle, make_world):
    body = """<body name="base" pos="0 0 2"><geom pos="0 0 0.5" size="0.1"/>
      <body name="head"><joint name="turn" axis="0 1 0"/><geom size="0.4"/><site name="here"/></body></body>"""
    world = world_with(vehicle, make_world, body, "laser", rays=3, noise=0, floor={}, gravity=0)
    assert read(world).ranges == (math.inf,) * 3
    world.data.qpos[0] = math.radians(30)  # nose down
    world.step(50)
    # The other rays lie in the level axis of the hinge.
    assert read(world).ranges == (math.inf, pytest.approx(4.0, rel=1e-12), math.inf)


@pytest.mark.parametrize(
    ("kind", "numbers", "complaint"),
    [
        ("rangefinder", {"range_min": 3, "range_max": 2}, r"range_min 3 must be below range_max 2"),
        ("laser", {"angle_min_deg": 10, "angle_max_deg": -10}, r"angle_min_deg 10 must be below angle_max_deg -10"),
        ("laser", {"rays": 1}, r"rays"),
        ("gnss", {"wander_time": 0}, r"wander_time"),
        ("barometer", {"sigma": 1}, r"sigma.*drift_time"),
    ],
)
def test_nonsense_is_refused(vehicle, make_world, kind, numbers, complaint):
    with pytest.raises(InputError, match=f"(?s)parts.sensor.*{complaint}"):
        world_with(vehicle, make_world, FREE, kind, **numbers)
