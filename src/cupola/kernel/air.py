"""The air every part sees: steady wind, gusts, turbulence, and the standard atmosphere."""

from cupola.kernel.links import stream_at
from cupola.kernel.memory import Views
from cupola.kernel.motion import body_quaternion, point_velocity_w, row_vector
from cupola.kernel.planet import height_of, local_to_world, place_of
from cupola.kernel.wind import foot_w, is_still, mean_wind_w
from cupola.kernel.wind_field import has_field, mark_leaving
from cupola.physics.atmosphere import AirState, atmosphere
from cupola.physics.noise import gaussian_pair
from cupola.physics.rotation import Vector, add, length, rotate, subtract
from cupola.physics.slipstream import jet_velocity
from cupola.physics.von_karman import KarmanState, karman_gust, karman_start, karman_step
from cupola.physics.wind import (
    Dryden,
    DrydenNoise,
    DrydenState,
    dryden_gust,
    dryden_start,
    dryden_step,
    low_altitude_dryden,
    one_minus_cosine,
)
from cupola.xmath import Number


def wind_at(v: Views, vehicle: Number, point_w: Vector) -> Vector:
    """Wind at a point of a vehicle, world axes [m/s]: steady wind, its gust, the wakes of other vehicles."""
    here = v.air_samples[vehicle]
    gust = Vector(here.gust_x, here.gust_y, here.gust_z)
    if is_still(v) and v.jets.shape[0] == 0:
        return add(Vector(0.0, 0.0, 0.0), gust)
    return _moving_air(v, vehicle, point_w, gust)


def _moving_air(v: Views, vehicle: Number, point_w: Vector, gust: Vector) -> Vector:
    """The same where there is wind; apart, so that parts in still air take in nothing of it."""
    wind = add(mean_wind_w(v, point_w), gust)
    for k in range(v.jets.shape[0]):
        if v.jets[k].vehicle != vehicle:
            wind = add(wind, jet_velocity(stream_at(v.given, v.jets[k].given), point_w))
    return wind


def static_air(v: Views, point_w: Vector) -> AirState:
    """Pressure, temperature and density of the air at a point."""
    return atmosphere(height_of(v, point_w), v.air[0])


def step_gusts(v: Views) -> None:
    """Advance turbulence by one draw and set the gust of each vehicle, held until the next: usually for a tick."""
    tick = v.counters[0]
    if tick % v.world[0].draw_every != 0:
        return
    sharp = _discrete_gusts(v, tick * v.world[0].dt)
    for i in range(v.vehicles.shape[0]):
        gust = local_to_world(v, place_of(v, row_vector(v.xpos, v.vehicles[i].root)), sharp)
        if v.air[0].turbulent:
            gust = add(gust, _turbulence(v, i, tick))
        _set_gust(v, i, gust)


def start_gusts(v: Views) -> None:
    """At the start turbulence already blows at full strength: draw its state from the stationary distribution."""
    for i in range(v.vehicles.shape[0]):
        row = v.vehicles[i]
        size = _dryden_at(v, row_vector(v.xpos, row.root))
        if v.air[0].karman:
            swirl = karman_start(_karman_noise(v, row.stream, 0, 10))
            _keep_karman(v, i, swirl)
            gust = karman_gust(swirl, size)
        else:
            new = dryden_start(_noise(v, row.stream, 0, 3))
            _keep(v, i, new)
            gust = dryden_gust(new, size)
        if v.air[0].turbulent:
            _set_gust(v, i, rotate(body_quaternion(v, row.root), gust))


def sample_air(v: Views) -> None:
    """Air at each vehicle now, for its parts and for recorders."""
    for vehicle in range(v.vehicles.shape[0]):
        root = row_vector(v.xpos, v.vehicles[vehicle].root)
        height = height_of(v, root)
        if has_field(v):
            foot = foot_w(v, place_of(v, root), root, height)
            mark_leaving(v, foot.x, foot.y, height)
        wind = wind_at(v, vehicle, root)
        here = v.air_samples[vehicle]
        here.wind_x, here.wind_y, here.wind_z = wind.x, wind.y, wind.z
        if height != here.height:  # a tick begins where the one before has ended
            now = atmosphere(height, v.air[0])
            here.height = height
            here.density, here.pressure, here.temperature = now.density, now.pressure, now.temperature


def _set_gust(v: Views, vehicle: Number, gust: Vector) -> None:
    here = v.air_samples[vehicle]
    here.gust_x, here.gust_y, here.gust_z = gust.x, gust.y, gust.z


def _keep(v: Views, vehicle: Number, new: DrydenState) -> None:
    s = v.turbulence[vehicle]
    s.u, s.v1, s.v2, s.w1, s.w2 = new.u, new.v1, new.v2, new.w1, new.w2


def _keep_karman(v: Views, vehicle: Number, new: KarmanState) -> None:
    s = v.turbulence[vehicle]
    s.u, s.u2, s.v1, s.v2, s.v3 = new.u1, new.u2, new.v1, new.v2, new.v3
    s.w1, s.w2, s.w3 = new.w1, new.w2, new.w3


def _discrete_gusts(v: Number, time: Number) -> Vector:
    total = Vector(0.0, 0.0, 0.0)
    for i in range(v.gusts.shape[0]):
        g = v.gusts[i]
        up = one_minus_cosine(time, g.start, g.rise, 1.0)
        share = up - one_minus_cosine(time, g.start + g.rise + g.hold, g.rise, 1.0)
        total = add(total, Vector(share * g.x, share * g.y, share * g.z))
    return total


def _turbulence(v: Views, vehicle: Number, tick: Number) -> Vector:
    row = v.vehicles[vehicle]
    position = row_vector(v.xpos, row.root)
    velocity = point_velocity_w(v, row.root, position)
    airspeed = length(subtract(velocity, mean_wind_w(v, position)))
    s = v.turbulence[vehicle]
    every, size = v.world[0].draw_every, _dryden_at(v, position)
    if v.air[0].karman:
        before = KarmanState(s.u, s.u2, s.v1, s.v2, s.v3, s.w1, s.w2, s.w3)
        swirl = _karman_noise(v, row.stream, tick // every, 6)
        after = karman_step(before, airspeed, swirl, every * v.world[0].dt, size)
        _keep_karman(v, vehicle, after)
        return rotate(body_quaternion(v, row.root), karman_gust(after, size))
    noise = _noise(v, row.stream, tick // every, 0)
    new = dryden_step(DrydenState(s.u, s.v1, s.v2, s.w1, s.w2), airspeed, noise, every * v.world[0].dt, size)
    _keep(v, vehicle, new)
    return rotate(body_quaternion(v, row.root), dryden_gust(new, size))


def _dryden_at(v: Number, point_w: Vector) -> Dryden:
    """Intensity and scale of the turbulence at a point: as given, or by height over the ground."""
    a = v.air[0]
    if a.wind_at_6m > 0.0:
        return low_altitude_dryden(height_of(v, point_w), a.wind_at_6m)
    return Dryden(a.sigma_u, a.sigma_v, a.sigma_w, a.length_u, a.length_v, a.length_w)


def _noise(v: Number, stream: Number, index: Number, lane: Number) -> DrydenNoise:
    a = gaussian_pair(v.world[0].seed, stream, index, lane)
    b = gaussian_pair(v.world[0].seed, stream, index, lane + 1)
    c = gaussian_pair(v.world[0].seed, stream, index, lane + 2)
    return DrydenNoise(a.a, a.b, b.a, b.b, c.a)


def _karman_noise(v: Number, stream: Number, index: Number, lane: Number) -> KarmanState:
    a = gaussian_pair(v.world[0].seed, stream, index, lane)
    b = gaussian_pair(v.world[0].seed, stream, index, lane + 1)
    c = gaussian_pair(v.world[0].seed, stream, index, lane + 2)
    d = gaussian_pair(v.world[0].seed, stream, index, lane + 3)
    return KarmanState(a.a, a.b, b.a, b.b, c.a, c.b, d.a, d.b)
