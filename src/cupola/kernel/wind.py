"""The mean wind at any point: a law of height, layers of a table or a grid from a file, rising air, and thermals."""

from cupola.kernel.memory import Views
from cupola.kernel.planet import local_to_world, place_of, world_to_local
from cupola.kernel.wind_field import field_slope, field_wind, has_field
from cupola.physics.geodesy import Geodetic
from cupola.physics.rotation import Vector, subtract
from cupola.physics.wind import (
    log_law,
    log_law_slope,
    power_law,
    power_law_slope,
    thermal_updraft,
    wind_from,
)
from cupola.xmath import Number


def mean_wind_w(v: Number, point_w: Vector) -> Vector:
    """Mean wind at a point, world axes [m/s]."""
    if not v.earth[0].curved:
        return add_thermals(v, point_w, point_w.z, local_wind(v, point_w, point_w.z))
    place = place_of(v, point_w)
    height = place.altitude - v.earth[0].altitude
    foot = foot_w(v, place, point_w, height)
    return local_to_world(v, place, add_thermals(v, point_w, height, local_wind(v, foot, height)))


def foot_w(v: Views, place: Geodetic, point_w: Vector, height: Number) -> Vector:
    """The point at the height of the world's origin below a place: columns of air stand upright everywhere."""
    return subtract(point_w, local_to_world(v, place, Vector(0.0, 0.0, height)))


def is_still(v: Number) -> Number:
    """Whether there is no mean wind anywhere over a flat Earth: no law, no table, no grid, no thermal."""
    a = v.air[0]
    bare = v.wind_layers.shape[0] == 0 and v.wind_field.shape[0] == 0 and v.thermals.shape[0] == 0
    return bare and a.wind_speed == 0.0 and a.wind_up == 0.0 and not v.earth[0].curved


def local_wind(v: Views, point_w: Vector, height: Number) -> Vector:
    """Wind of the grid at a point, or of the law or table at its height, east, north, up [m/s]."""
    if has_field(v):
        return field_wind(v, point_w.x, point_w.y, height)
    return level_wind(v, height)


def wind_slope_w(v: Views, point_w: Vector) -> Vector:
    """Change of the wind's law per metre of height, world axes [1/s]; thermals do not count."""
    if not v.earth[0].curved:
        return local_slope(v, point_w, point_w.z)
    place = place_of(v, point_w)
    height = place.altitude - v.earth[0].altitude
    return local_to_world(v, place, local_slope(v, foot_w(v, place, point_w, height), height))


def local_slope(v: Views, point_w: Vector, height: Number) -> Vector:
    """Change of the grid's wind at a point, or of that of the law or table, per metre of height [1/s]."""
    if has_field(v):
        return field_slope(v, point_w.x, point_w.y, height)
    return level_slope(v, height)


def level_wind(v: Views, height: Number) -> Vector:
    """Wind of the law or the table at a height above the world's origin, east, north, up [m/s]."""
    a = v.air[0]
    if v.wind_layers.shape[0] > 0:
        k, share = layer_at(v, height)
        low, high = v.wind_layers[k], v.wind_layers[k + 1]
        return Vector(low.x + share * (high.x - low.x), low.y + share * (high.y - low.y), a.wind_up)
    if a.wind_speed == 0.0:
        return Vector(0.0, 0.0, a.wind_up)
    if a.wind_roughness > 0.0:
        level = wind_from(log_law(height, a.wind_speed, a.wind_height, a.wind_roughness), a.wind_bearing)
    else:
        level = wind_from(power_law(height, a.wind_speed, a.wind_height, a.wind_exponent), a.wind_bearing)
    return Vector(level.x, level.y, a.wind_up)


def level_slope(v: Views, height: Number) -> Vector:
    """Change of that wind per metre of height, east, north, up [1/s]."""
    a = v.air[0]
    if v.wind_layers.shape[0] > 0:
        k, share = layer_at(v, height)
        low, high = v.wind_layers[k], v.wind_layers[k + 1]
        thickness = high.height - low.height
        inside = share > 0.0 and share < 1.0
        return Vector((high.x - low.x) / thickness, (high.y - low.y) / thickness, 0.0) if inside else still()
    if a.wind_roughness > 0.0:
        return wind_from(log_law_slope(height, a.wind_speed, a.wind_height, a.wind_roughness), a.wind_bearing)
    return wind_from(power_law_slope(height, a.wind_speed, a.wind_height, a.wind_exponent), a.wind_bearing)


def still() -> Vector:
    """No wind."""
    return Vector(0.0, 0.0, 0.0)


def layer_at(v: Views, height: Number) -> tuple[Number, Number]:
    """Which two rows of the table a height lies between, and how far [0 to 1]: beyond its ends the wind stays."""
    k = 0
    while k < v.wind_layers.shape[0] - 2 and height >= v.wind_layers[k + 1].height:
        k += 1
    low, high = v.wind_layers[k].height, v.wind_layers[k + 1].height
    return k, min(max((height - low) / (high - low), 0.0), 1.0)


def add_thermals(v: Views, point_w: Vector, height: Number, wind: Vector) -> Vector:
    """The same wind with the updraft of every thermal."""
    rising = wind.z
    for k in range(v.thermals.shape[0]):
        t = v.thermals[k]
        away = Vector(point_w.x - t.x, point_w.y - t.y, point_w.z - t.z)
        if v.earth[0].curved:
            away = world_to_local(v, place_of(v, point_w), away)
        rising += thermal_updraft(away.x * away.x + away.y * away.y, height, t)
    return Vector(wind.x, wind.y, rising)
