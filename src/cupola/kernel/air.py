"""The air every part sees: mean wind with height, gusts, turbulence, and the standard atmosphere."""

from cupola.kernel.motion import body_quaternion, point_velocity_w, row_vector, site_motion
from cupola.kernel.planet import height_of
from cupola.parts.part import SiteMotion
from cupola.physics.atmosphere import atmosphere
from cupola.physics.noise import gaussian_pair
from cupola.physics.rotation import Vector, add, length, rotate, subtract
from cupola.physics.wind import (
    DrydenNoise,
    DrydenState,
    dryden_gust,
    dryden_start,
    dryden_step,
    one_minus_cosine,
    power_law,
    power_law_slope,
    wind_from,
)
from cupola.xmath import Number


def mean_wind_w(v: Number, height: Number) -> Vector:
    """Steady wind at a height above the world's origin [m/s]."""
    up = v.air[0].wind_up
    if v.air[0].wind_speed == 0.0:
        return Vector(0.0, 0.0, up)
    speed = power_law(height, v.air[0].wind_speed, v.air[0].wind_height, v.air[0].wind_exponent)
    level = wind_from(speed, v.air[0].wind_bearing)
    return Vector(level.x, level.y, up)


def wind_slope_w(v: Number, height: Number) -> Vector:
    """Change of the steady wind per metre of height [1/s]."""
    a = v.air[0]
    return wind_from(power_law_slope(height, a.wind_speed, a.wind_height, a.wind_exponent), a.wind_bearing)


def wind_at(v: Number, vehicle: Number, height: Number) -> Vector:
    """Wind at a part: mean wind at its height plus the gust its vehicle flies in [m/s]."""
    return add(mean_wind_w(v, height), Vector(v.airs[vehicle, 3], v.airs[vehicle, 4], v.airs[vehicle, 5]))


def motion_in_air(v: Number, row: Number) -> tuple[SiteMotion, Number]:
    """Motion of a part through the air around it, and the density there [kg/m³]."""
    wind = wind_at(v, row.vehicle, v.site_xpos[row.site, 2])
    return site_motion(v, row.body, row.site, wind), v.airs[row.vehicle, 6]


def blow(v: Number, tick: Number) -> None:
    """Advance turbulence by one tick and set the gust of each vehicle, held during the tick."""
    sharp = _discrete_gusts(v, tick * v.world[0].dt)
    for i in range(v.vehicles.shape[0]):
        gust = sharp
        if v.air[0].turbulent:
            gust = add(gust, _turbulence(v, i, tick))
        v.airs[i, 3] = gust.x
        v.airs[i, 4] = gust.y
        v.airs[i, 5] = gust.z


def stir(v: Number) -> None:
    """At the start turbulence already blows at full strength: draw its state from the stationary distribution."""
    for i in range(v.vehicles.shape[0]):
        row = v.vehicles[i]
        new = dryden_start(_noise(v, row.stream, 0, 3))
        s = v.state[row.gust : row.gust + 5]
        s[0], s[1], s[2], s[3], s[4] = new.u, new.v1, new.v2, new.w1, new.w2
        if v.air[0].turbulent:
            gust = rotate(body_quaternion(v, row.root), dryden_gust(new, v.air[0]))
            v.airs[i, 3], v.airs[i, 4], v.airs[i, 5] = gust.x, gust.y, gust.z


def sample(v: Number, vehicle: Number) -> Number:
    """Air at a vehicle now, for its parts and for recorders; returns the density [kg/m³]."""
    height = height_of(v, row_vector(v.xpos, v.vehicles[vehicle].root))
    wind = wind_at(v, vehicle, height)
    now = atmosphere(height, v.air[0])
    v.airs[vehicle, 0] = wind.x
    v.airs[vehicle, 1] = wind.y
    v.airs[vehicle, 2] = wind.z
    v.airs[vehicle, 6] = now.density
    v.airs[vehicle, 7] = now.pressure
    v.airs[vehicle, 8] = now.temperature
    return now.density


def _discrete_gusts(v: Number, time: Number) -> Vector:
    total = Vector(0.0, 0.0, 0.0)
    for i in range(v.gusts.shape[0]):
        g = v.gusts[i]
        up = one_minus_cosine(time, g.start, g.rise, 1.0)
        share = up - one_minus_cosine(time, g.start + g.rise + g.hold, g.rise, 1.0)
        total = add(total, Vector(share * g.x, share * g.y, share * g.z))
    return total


def _turbulence(v: Number, vehicle: Number, tick: Number) -> Vector:
    row = v.vehicles[vehicle]
    position = row_vector(v.xpos, row.root)
    velocity = point_velocity_w(v, row.root, position)
    airspeed = length(subtract(velocity, mean_wind_w(v, position.z)))
    s = v.state[row.gust : row.gust + 5]
    noise = _noise(v, row.stream, tick, 0)
    new = dryden_step(DrydenState(s[0], s[1], s[2], s[3], s[4]), airspeed, noise, v.world[0].dt, v.air[0])
    s[0], s[1], s[2], s[3], s[4] = new.u, new.v1, new.v2, new.w1, new.w2
    return rotate(body_quaternion(v, row.root), dryden_gust(new, v.air[0]))


def _noise(v: Number, stream: Number, index: Number, lane: Number) -> DrydenNoise:
    a = gaussian_pair(v.world[0].seed, stream, index, lane)
    b = gaussian_pair(v.world[0].seed, stream, index, lane + 1)
    c = gaussian_pair(v.world[0].seed, stream, index, lane + 2)
    return DrydenNoise(a.a, a.b, b.a, b.b, c.a)
