"""A wind field from a file: the wind of its grid at each part, and a sentence where it cannot be honoured."""

import itertools
import logging
import re
import shutil

import numpy as np
import pytest
from scipy.interpolate import RegularGridInterpolator
from scipy.io import netcdf_file

import cupola
from cupola.analysis.aircraft import Aircraft
from cupola.config.wind_field import parse_wind_field
from cupola.kernel.wind import wind_slope_w
from cupola.physics.rotation import Vector
from cupola.record.held_files import HeldRecording
from cupola.record.verify import Verification
from cupola.schema.trust import Trust
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

T, X, Y, Z = (0.0, 1.0, 4.0), (-20.0, 5.0, 60.0), (-30.0, 40.0), (0.0, 10.0, 25.0, 80.0)
RNG = np.random.default_rng(4)
WIND = RNG.uniform(-8.0, 8.0, (3, 3, 2, 4, 3))
SCENARIO = "seed: 1\nair: {wind: {field: %s}}\nvehicles: [{model: quadcopter, position: [0, 0, 5]}]\n"


def write_csv(path, wind=WIND, axes=(T, X, Y, Z), names="txyz"):
    lines = [",".join((*names, "u", "v", "w"))]
    for place in itertools.product(*(range(len(axis)) for axis in axes)):
        numbers = [*(axis[k] for axis, k in zip(axes, place, strict=True)), *wind[place]]
        lines.append(",".join(repr(float(number)) for number in numbers))
    mixed = RNG.permutation(lines[1:]).tolist()
    path.write_text("\n".join([lines[0], *mixed]) + "\n")


def write_netcdf(path, units="m", of_wind="m/s", rename=None):
    """Heights from the top, time last, as weather services like it."""
    called = {name: name for name in ("height", "y", "x", "time", *"uvw")} | (rename or {})
    with netcdf_file(path, "w") as file:
        for given, axis, unit in (("height", Z[::-1], units), ("y", Y, "m"), ("x", X, "m"), ("time", T, "s")):
            name = called[given]
            file.createDimension(name, len(axis))
            one = file.createVariable(name, "f8", (name,))
            one[:], one.units = axis, unit
        for k, name in enumerate("uvw"):
            one = file.createVariable(called[name], "f8", tuple(called[n] for n in ("height", "y", "x", "time")))
            one.units = of_wind
            one[:] = WIND[..., k].transpose(3, 2, 1, 0)[::-1]


def world_of(tmp_path, name="wind.csv", text=SCENARIO):
    (tmp_path / "w.yaml").write_text(text % name)
    return cupola.load(str(tmp_path / "w.yaml"))


@pytest.fixture
def world(tmp_path):
    write_csv(tmp_path / "wind.csv")
    return world_of(tmp_path)


def test_the_wind_is_linear_between_the_points_in_space_and_time_and_stays_beyond(world):
    expected = RegularGridInterpolator((T, X, Y, Z), WIND)
    inside = RNG.uniform([-20, -30, 0], [60, 40, 80], (20, 3))
    outside = np.array([[-90.0, 0.0, 5.0], [0.0, 99.0, 5.0], [70.0, -50.0, 900.0]])
    for seconds in (0.0, 0.7, 1.9):
        world.step(round(seconds / world.dt) - world.tick)
        for point in (*inside, *outside):
            edge = np.clip(point, [-20, -30, 0], [60, 40, 80])
            gotten = world.air(point.tolist()).wind_w
            np.testing.assert_allclose(gotten, expected([world.time, *edge])[0], rtol=0, atol=1e-12)


def test_every_part_feels_the_wind_at_its_own_place(world):
    expected = RegularGridInterpolator((T, X, Y, Z), WIND)
    felt = [world.air(bound.name).wind_w for bound in world.assembly.parts if bound.part.at_site()]
    assert len({tuple(one) for one in felt}) > 1
    np.testing.assert_allclose(world.air().wind_w, expected([0.0, *world.motion().pos_w])[0], atol=1e-12)
    # and it moves the vehicle: the compiled loop reads the same grid as the question above
    before = world.snapshot()
    world.run(0.5)
    blown = world.motion().pos_w
    world.restore(before)
    world.tune("air.wind_field_scale", 0.0)
    world.run(0.5)
    assert np.abs(np.subtract(blown, world.motion().pos_w)).max() > 1e-3


def test_netcdf_and_csv_give_the_same_wind(tmp_path, world):
    write_netcdf(tmp_path / "wind.nc")
    other = world_of(tmp_path, "wind.nc")
    np.testing.assert_array_equal(other.arrays.wind_field, world.arrays.wind_field)


def test_an_axis_that_is_left_out_does_not_matter(tmp_path):
    write_csv(tmp_path / "wind.csv", WIND[0, 0, 0], (Z,), "z")
    world = world_of(tmp_path)
    world.run(0.2)
    np.testing.assert_allclose(world.air([900.0, -900.0, 25.0]).wind_w, WIND[0, 0, 0, 2], atol=1e-12)
    assert world.air([0.0, 0.0, 5.0]).wind_w == world.air([77.0, 3.0, 5.0]).wind_w


def test_its_slope_is_that_of_the_wind(world):
    views, step = world.arrays.as_records(), 1e-4
    for x, y, z in RNG.uniform([-20, -30, 1], [60, 40, 79], (10, 3)):
        high, low = (np.array(world.air([x, y, z + d]).wind_w) for d in (step, -step))
        slope = wind_slope_w(views, Vector(x, y, z))
        np.testing.assert_allclose(slope, (high - low) / (2 * step), rtol=1e-6, atol=1e-9)


def test_on_a_round_planet_it_blows_east_north_up_of_the_place(tmp_path):
    write_csv(tmp_path / "wind.csv", np.array([[7.0, 0.0, 0.0]] * 2), ((0.0, 10.0),), "z")
    round_earth = SCENARIO + "origin: {shape: round, latitude_deg: 0, longitude_deg: 0}\n"
    world = world_of(tmp_path, text=round_earth)
    far = 6371007.0 * np.sin(0.1)  # a tenth of a radian east of the origin
    down = 6371007.0 * (np.cos(0.1) - 1.0)
    wind = world.air([far, 0.0, down + 3.0]).wind_w
    np.testing.assert_allclose(wind, [7 * np.cos(0.1), 0.0, -7 * np.sin(0.1)], atol=1e-5)


def test_beyond_its_end_it_is_said_once(tmp_path, caplog):
    write_csv(tmp_path / "wind.csv", np.zeros((2, 3)), ((-1.0, 1.0),), "x")
    text = SCENARIO.replace("[0, 0, 5]", "[3, 0, 5]")
    with caplog.at_level(logging.WARNING, "cupola"):
        world = world_of(tmp_path, text=text)
        world.run(0.1)
        world.run(0.1)
    said = [record.message for record in caplog.records if "beyond the wind field" in record.message]
    assert len(said) == 1 and "wind.csv (x from -1 to 1 m)" in said[0]


def test_it_can_be_scaled_and_a_speed_beside_it_is_no_number_to_tune(world):
    here = np.array(world.air().wind_w)
    world.tune("air.wind_field_scale", 2.0)
    np.testing.assert_allclose(world.air().wind_w, 2 * here, rtol=1e-12)
    with pytest.raises(InputError, match=r"air\.wind_speed"):
        world.tune("air.wind_speed", 5.0)


def test_layers_leave_no_speed_to_tune_either(tmp_path):
    layers = "{layers: [{height: 0, speed: 2, from_deg: 80}, {height: 50, speed: 12, from_deg: 120}]}"
    world = world_of(tmp_path, text="air: {wind: " + layers + "}\nvehicles: [{model: quadcopter}]\n# %s")
    with pytest.raises(InputError, match=r"air\.wind_speed"):
        world.tune("air.wind_speed", 5.0)
    world.tune("air.wind_up", 1.0)
    assert world.air([0.0, 0.0, 50.0]).wind_w.z == 1.0


def test_a_given_wind_takes_its_place(world):
    still = world.evaluate(wind=[0.0, 0.0, 0.0])
    assert still.air.wind_w == (0.0, 0.0, 0.0) and world.air().wind_w != (0.0, 0.0, 0.0)


@pytest.mark.parametrize("ask", [cupola.equilibrium, Aircraft])
def test_operating_points_refuse_it(tmp_path, ask):
    write_csv(tmp_path / "wind.csv")
    world = world_of(tmp_path, text=SCENARIO.replace("quadcopter", "plane_1wing"))
    with pytest.raises(InputError, match=r"field|still air"):
        ask(world)


def test_one_compiled_piece_refuses_it(world):
    from cupola.many.refusals import check

    with pytest.raises(InputError, match="its wind is a field"):
        check(world)


def test_a_recording_holds_it(tmp_path, world):
    path = tmp_path / "flight.mcap"
    recorder = cupola.WorldRecorder(world, path)
    world.observers.append(recorder)
    world.run(0.3)
    recorder.close()
    away = tmp_path / "away"
    away.mkdir()
    shutil.move(path, away / "flight.mcap")
    (tmp_path / "wind.csv").unlink()
    held = HeldRecording(cupola.Recording(away / "flight.mcap"))
    again = World(held.scenario, away, held=held.held)
    again.run(0.3)
    assert again.motion() == world.motion()
    assert Verification(away / "flight.mcap").run(Trust()).same


GOOD = "t,x,u,v,w\n0,0,1,0,0\n0,1,1,0,0\n1,0,2,0,0\n1,1,2,0,0\n"
WRONG: dict[str, tuple[str | bytes, str]] = {
    "a point is missing": (GOOD.rpartition("1,1")[0], "has 3 rows; a grid of 2 t × 2 x points"),
    "a point is there twice": (GOOD.replace("1,1,2", "1,0,2"), "twice and another is missing"),
    "not a number": (GOOD.replace("0,1,1,0,0", "0,1,x,0,0"), r":3: expected 5 finite numbers \(t, x, u, v, w\)"),
    "not finite": (GOOD.replace("0,1,1,0,0", "0,1,nan,0,0"), "finite"),
    "short row": (GOOD.replace("0,1,1,0,0", "0,1,1"), ":3: expected 5"),
    "another column": (GOOD.replace("t,x", "t,lon"), "the column 'lon' is unknown; columns are t, time, x, y, z"),
    "a coordinate twice": (GOOD.replace("t,x", "t,time"), "'t' and 'time' mean the same"),
    "a column twice": (GOOD.replace("t,x", "x,x"), "'x' and 'x' mean the same"),
    "knots": (GOOD.replace("u,v", "u [kt],v"), "the unit of u is 'kt', expected 'm/s'"),
    "kilometres": (GOOD.replace("t,x", "t,x (km)"), "the unit of x is 'km', expected 'm'"),
    "speed and direction": (GOOD.replace("u,v", "speed,dir"), "the column 'speed' is unknown"),
    "decimal commas": (GOOD.replace(",", ";").replace("1;1;2", "1;1;2,5"), ":5: expected 5 finite numbers"),
    "no wind": ("x,u\n0,1\n", "needs u and v"),
    "empty": ("", "needs u and v"),
    "no point": ("t,x,u,v,w\n", "holds no point"),
    "too fast": (GOOD.replace(",2,0,0", ",2e3,0,0"), "blows with 2000 m/s, more than 150"),
    "no text": (b"\xff\xfe\x00\x01", "not a wind field"),
    "NetCDF, cut": (b"CDF\x01\x00", "not a wind field"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_refused_with_the_place(tmp_path, name):
    content, message = WRONG[name]
    (tmp_path / "wind.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError, match=message):
        world_of(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace(",", ";"),
        GOOD.replace(",", "\t"),
        GOOD.replace("t,x,u,v,w", "Time [s],X (m),U [m/s],V [m s-1],W"),
        GOOD.replace("\n", "\r\n") + "\r\n,,,,\r\n",
        "\ufeff" + "v,u,x,w,t\n0,1,0,0,0\n0,2,1,0,1\n0,2,0,0,1\n0,1,1,0,0\n",
    ],
    ids=["semicolons", "tabs", "units", "other line ends", "other order"],
)
def test_a_file_written_another_way_is_the_same_wind(text):
    expected = parse_wind_field(GOOD.encode(), "good.csv", 150.0)
    found = parse_wind_field(text.encode(), "other.csv", 150.0)
    for mine, theirs in zip((*found.axes, found.wind), (*expected.axes, expected.wind), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_a_missing_value_of_netcdf_is_named_by_its_place(tmp_path):
    write_netcdf(tmp_path / "wind.nc")
    with netcdf_file(tmp_path / "wind.nc", "a") as file:
        file.variables["v"]._FillValue = -999.0
        file.variables["v"][0, 1, 2, 1] = -999.0
    with pytest.raises(InputError, match="v is missing or not finite at 1 points, as at t = 1, x = 60, y = 40, z = 80"):
        world_of(tmp_path, "wind.nc")


def _w_along_other_axes(file):
    was = file.variables.pop("w")[:]
    file.createVariable("w", "f8", ("x", "time", "y", "height"))[:] = was.transpose(2, 3, 1, 0)


def _packed(file):
    """Whole numbers of 0.5 mm/s from 1 m/s on; a variable that means nothing here has gaps."""
    for name in "uvw":
        was = file.variables.pop(name)[:]
        one = file.createVariable(name, "i2", ("height", "y", "x", "time"))
        one[:], one.scale_factor, one.add_offset = np.round((was - 1.0) / 5e-4), 5e-4, 1.0
        one._FillValue = np.int16(-32768)
    other = file.createVariable("cells", "i2", ("x",))
    other[:], other._FillValue = [1, 2, 3], np.int16(2)


def _capitals(file):
    for name in "uvw":
        file.variables[name.upper()] = file.variables.pop(name)


def _heights_in_words(file):
    file.variables["height"].positive = "up"


@pytest.mark.parametrize("change", [_w_along_other_axes, _packed, _capitals, _heights_in_words])
def test_netcdf_written_another_way_is_the_same_wind(tmp_path, world, change):
    write_netcdf(tmp_path / "wind.nc")
    with netcdf_file(tmp_path / "wind.nc", "a") as file:
        change(file)
    found = world_of(tmp_path, "wind.nc").arrays.wind_field
    np.testing.assert_allclose(found, world.arrays.wind_field, atol=2.6e-4 if change is _packed else 0.0)


def test_a_coordinate_that_is_one_number_does_not_matter(tmp_path):
    """As left by a choice of one moment or height from a larger file."""
    with netcdf_file(tmp_path / "wind.nc", "w") as file:
        file.createDimension("z", 2)
        file.createVariable("time", "f8", ())
        for name, values in (("z", [0.0, 10.0]), ("u", [3.0, 5.0]), ("v", [0.0, 0.0])):
            file.createVariable(name, "f8", ("z",))[:] = values
    assert world_of(tmp_path, "wind.nc").air([0.0, 0.0, 5.0]).wind_w.x == 4.0


def _gap_of_whole_numbers(file):
    was = file.variables.pop("u")[:]
    one = file.createVariable("u", "i2", ("height", "y", "x", "time"))
    one[:], one._FillValue = np.round(was), np.int16(-9)
    one[0, 0, 0, 0] = -9


def _depths(file):
    file.variables["height"].positive = "down"


def _a_unit_that_is_a_number(file):
    file.variables["x"].units = 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_gap_of_whole_numbers, "u is missing or not finite at 1 points, as at t = 0, x = -20, y = -30, z = 80"),
        (_depths, "height counts downwards"),
        (_a_unit_that_is_a_number, "the unit of x is '3', expected 'm'"),
    ],
)
def test_what_netcdf_leaves_out_or_means_otherwise_is_refused(tmp_path, change, message):
    write_netcdf(tmp_path / "wind.nc")
    with netcdf_file(tmp_path / "wind.nc", "a") as file:
        change(file)
    with pytest.raises(InputError, match=message):
        world_of(tmp_path, "wind.nc")


@pytest.mark.parametrize(
    ("rename", "message"),
    [
        ({"y": "lat"}, "u lies along 'lat'; coordinates are t, time, x, y, z, height, in metres and seconds"),
        ({"u": "ua"}, "needs u and v"),
    ],
)
def test_names_of_netcdf_that_are_not_known_are_refused(tmp_path, rename, message):
    write_netcdf(tmp_path / "wind.nc", rename=rename)
    with pytest.raises(InputError, match=message):
        world_of(tmp_path, "wind.nc")


def test_a_wind_of_netcdf_in_knots_is_refused(tmp_path):
    write_netcdf(tmp_path / "wind.nc", of_wind="kt")
    with pytest.raises(InputError, match="the unit of u is 'kt', expected 'm/s'"):
        world_of(tmp_path, "wind.nc")


def test_coordinates_in_other_units_are_refused(tmp_path):
    write_netcdf(tmp_path / "wind.nc", units="km")
    with pytest.raises(InputError, match="the unit of height is 'km', expected 'm'"):
        world_of(tmp_path, "wind.nc")


def test_netcdf_4_names_what_it_needs(tmp_path):
    (tmp_path / "wind.nc").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(64))
    with pytest.raises(InputError, match=r"h5netcdf|not a wind field"):
        world_of(tmp_path, "wind.nc")


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match=re.escape("air.wind.field: there is no file")):
        world_of(tmp_path, "none.csv")


@pytest.mark.parametrize("beside", ["speed: 3", "up: 1", "exponent: 0.2", "roughness: 0.1"])
def test_nothing_else_is_said_beside_it(tmp_path, beside):
    with pytest.raises(InputError, match="field is the whole wind"):
        world_of(tmp_path, "wind.csv, " + beside)
