"""The air every part sees: mean wind with height, gusts, turbulence, and the standard atmosphere."""

from cupola.kernel.motion import body_quaternion, point_velocity_w, row_vector
from cupola.kernel.planet import height_of
from cupola.physics.atmosphere import AirState, atmosphere
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


def wind_at_height(v: Number, vehicle: Number, height: Number) -> Vector:
    """Wind at a part: mean wind at its height plus the gust its vehicle flies in [m/s]."""
    here = v.air_samples[vehicle]
    return add(mean_wind_w(v, height), Vector(here.gust_x, here.gust_y, here.gust_z))


def static_air(v: Number, point_w: Vector) -> AirState:
    """Pressure, temperature and density of the air at a point."""
    return atmosphere(height_of(v, point_w), v.air[0])


def step_gusts(v: Number) -> None:
    """Advance turbulence by one tick and set the gust of each vehicle, held during the tick."""
    tick = v.counters[0]
    sharp = _discrete_gusts(v, tick * v.world[0].dt)
    for i in range(v.vehicles.shape[0]):
        gust = sharp
        if v.air[0].turbulent:
            gust = add(gust, _turbulence(v, i, tick))
        _set_gust(v, i, gust)


def start_gusts(v: Number) -> None:
    """At the start turbulence already blows at full strength: draw its state from the stationary distribution."""
    for i in range(v.vehicles.shape[0]):
        row = v.vehicles[i]
        new = dryden_start(_noise(v, row.stream, 0, 3))
        _keep(v, i, new)
        if v.air[0].turbulent:
            _set_gust(v, i, rotate(body_quaternion(v, row.root), dryden_gust(new, v.air[0])))


def sample_air(v: Number) -> None:
    """Air at each vehicle now, for its parts and for recorders."""
    for vehicle in range(v.vehicles.shape[0]):
        height = height_of(v, row_vector(v.xpos, v.vehicles[vehicle].root))
        wind = wind_at_height(v, vehicle, height)
        here = v.air_samples[vehicle]
        here.wind_x, here.wind_y, here.wind_z = wind.x, wind.y, wind.z
        if height != here.height:  # a tick begins where the one before has ended
            now = atmosphere(height, v.air[0])
            here.height = height
            here.density, here.pressure, here.temperature = now.density, now.pressure, now.temperature


def _set_gust(v: Number, vehicle: Number, gust: Vector) -> None:
    here = v.air_samples[vehicle]
    here.gust_x, here.gust_y, here.gust_z = gust.x, gust.y, gust.z


def _keep(v: Number, vehicle: Number, new: DrydenState) -> None:
    s = v.turbulence[vehicle]
    s.u, s.v1, s.v2, s.w1, s.w2 = new.u, new.v1, new.v2, new.w1, new.w2


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
    s = v.turbulence[vehicle]
    noise = _noise(v, row.stream, tick, 0)
    new = dryden_step(DrydenState(s.u, s.v1, s.v2, s.w1, s.w2), airspeed, noise, v.world[0].dt, v.air[0])
    _keep(v, vehicle, new)
    return rotate(body_quaternion(v, row.root), dryden_gust(new, v.air[0]))


def _noise(v: Number, stream: Number, index: Number, lane: Number) -> DrydenNoise:
    a = gaussian_pair(v.world[0].seed, stream, index, lane)
    b = gaussian_pair(v.world[0].seed, stream, index, lane + 1)
    c = gaussian_pair(v.world[0].seed, stream, index, lane + 2)
    return DrydenNoise(a.a, a.b, b.a, b.b, c.a)
