"""One branch per kind of sensor: what there is to see at its site, then what its part makes of it."""

from numba import carray

from cupola.kernel.air import wind_at
from cupola.kernel.jit import pointer
from cupola.kernel.motion import (
    body_rate_w,
    point_velocity_w,
    row_vector,
    site_motion,
    site_quaternion,
    site_specific_force,
    site_wrench,
    to_site,
    write_motion,
)
from cupola.kernel.planet import fall_w, height_of, spin_w
from cupola.kernel.rays import cast_ahead, cast_bright_fan, cast_fan
from cupola.parts import CODES
from cupola.parts.propulsion.battery_monitor import MONITOR_NUMBERS, measure_battery
from cupola.parts.sensors.airspeed import AIRSPEED_NUMBERS, measure_airspeed
from cupola.parts.sensors.barometer import BAROMETER_NUMBERS, measure_pressure
from cupola.parts.sensors.encoder import ENCODER_NUMBERS, measure_turn
from cupola.parts.sensors.force_torque import FORCE_NUMBERS, measure_force
from cupola.parts.sensors.gnss import GNSS_NUMBERS, measure_fix
from cupola.parts.sensors.imu import IMU_NUMBERS, Felt, measure_imu
from cupola.parts.sensors.laser import LASER_NUMBERS, measure_echoes, measure_scan
from cupola.parts.sensors.magnetometer import MAGNETOMETER_NUMBERS, measure_field
from cupola.parts.sensors.motion_capture import CAPTURE_NUMBERS, measure_pose
from cupola.parts.sensors.rangefinder import RANGE_NUMBERS, measure_range
from cupola.parts.sensors.sensor import Chance
from cupola.physics.atmosphere import AirState, atmosphere
from cupola.physics.battery import Supply
from cupola.physics.geodesy import Geodetic
from cupola.physics.rotation import Vector, add, subtract
from cupola.xmath import Number

TRUTH, IMU, BAROMETER, GNSS = CODES["truth"], CODES["imu"], CODES["barometer"], CODES["gnss"]
MAGNETOMETER, AIRSPEED, RANGEFINDER = CODES["magnetometer"], CODES["airspeed"], CODES["rangefinder"]
LASER, CAMERA, MONITOR = CODES["laser"], CODES["camera"], CODES["battery_monitor"]
ENCODER, FORCE, CAPTURE, WATCH = CODES["encoder"], CODES["force_torque"], CODES["motion_capture"], CODES["monitor"]
LASER_COUNT, ENCODER_COUNT = LASER_NUMBERS.itemsize // 8, ENCODER_NUMBERS.itemsize // 8
"""Numbers of a scanner before the directions of its rays, and of encoders before the places of their hinges."""
FORCE_COUNT = FORCE_NUMBERS.itemsize // 8
"""Numbers of a force sensor before the slot of its channel."""


def measure(v: Number, row: Number, index: Number, out: Number, memory: Number) -> None:
    """One sample of one sensor into `out`: what there is to see at its site, then what its kind makes of it."""
    chance = Chance(v.world[0].seed, row.stream, index, row.noisy, row.interval)
    if row.code == TRUTH:
        attitude = site_quaternion(v, row.body, row.site)
        write_motion(v, row.body, row_vector(v.site_xpos, row.site), attitude, out, 0)
    elif row.code == IMU:
        measure_imu(_numbers(v, row, IMU_NUMBERS), _felt(v, row), out, memory, chance)
    elif row.code == BAROMETER:
        keep(measure_pressure(_numbers(v, row, BAROMETER_NUMBERS), _air(v, row).pressure, memory, chance), out, memory)
    elif row.code == GNSS:
        place, velocity, origin = _on_earth(v, row)
        keep(measure_fix(_numbers(v, row, GNSS_NUMBERS), place, velocity, origin, memory, chance), out, memory)
    elif row.code == MAGNETOMETER:
        keep(measure_field(_numbers(v, row, MAGNETOMETER_NUMBERS), _field_s(v, row), chance), out, memory)
    elif row.code == AIRSPEED:
        keep(
            measure_airspeed(_numbers(v, row, AIRSPEED_NUMBERS), _blow(v, row), _air(v, row).density, chance),
            out,
            memory,
        )
    elif row.code == RANGEFINDER:
        p = _numbers(v, row, RANGE_NUMBERS)
        keep(measure_range(p, cast_ahead(v, row, p.range_max), chance), out, memory)
    elif row.code == MONITOR:
        s = v.state[v.batteries[row.source].state :]
        keep(measure_battery(_numbers(v, row, MONITOR_NUMBERS), Supply(s[1], s[2]), s[0], chance), out, memory)
    elif row.code == LASER:
        _scan(v, row, out, chance)
    elif row.code == ENCODER:
        _turns(v, row, out, memory, chance)
    elif row.code == FORCE:
        tare = v.drive[int(v.curves[row.numbers + FORCE_COUNT])] > 0.5
        wrench = site_wrench(v, row.body, row.site)
        measure_force(_numbers(v, row, FORCE_NUMBERS), wrench, tare, out, memory, chance)
    elif row.code == CAPTURE:
        place, attitude = row_vector(v.site_xpos, row.site), site_quaternion(v, row.body, row.site)
        keep(measure_pose(_numbers(v, row, CAPTURE_NUMBERS), place, attitude, memory, chance), out, memory)
    elif row.code == WATCH:
        for i in range(out.shape[0]):
            out[i] = v.outputs[row.source + i]
    elif row.code == CAMERA:
        for i in range(v.qpos.shape[0]):  # where everything is: the picture is drawn for whoever asks for it
            out[i] = v.qpos[i]


def keep(said: Number, out: Number, memory: Number) -> None:
    """Write the numbers of a sample, then what its sensor remembers."""
    for i in range(len(said)):
        if i < out.shape[0]:
            out[i] = said[i]
        else:
            memory[i - out.shape[0]] = said[i]


def _numbers(v: Number, row: Number, kind: Number) -> Number:
    """The numbers of a sensor by name."""
    return carray(pointer(v.curves.ctypes.data + 8 * row.numbers), (1,), kind)[0]


def _felt(v: Number, row: Number) -> Felt:
    force_s = site_specific_force(v, row.body, row.site)
    rate_w = body_rate_w(v, row.body)
    if v.earth[0].round:  # here gravity is a load like any other, and the world itself turns
        place = row_vector(v.site_xpos, row.site)
        force_s = subtract(force_s, to_site(v, row.site, fall_w(v, place, point_velocity_w(v, row.body, place))))
        rate_w = add(rate_w, spin_w(v))
    return Felt(force_s, to_site(v, row.site, rate_w), site_quaternion(v, row.body, row.site))


def _scan(v: Number, row: Number, out: Number, chance: Chance) -> None:
    """Ranges, and behind them the strength of the echoes, if the sample has room for it."""
    p = _numbers(v, row, LASER_NUMBERS)
    rays, plane = int(p.rays), v.curves[row.numbers + LASER_COUNT :]
    ranges, echoes = out[:rays], out[rays:]
    if echoes.shape[0] == 0:
        cast_fan(v, row, plane, ranges, p.range_max)
        measure_scan(p, ranges, chance)
    else:
        cosines, reflectivities = cast_bright_fan(v, row, plane, ranges, p.range_max)
        measure_scan(p, ranges, chance)
        measure_echoes(ranges, cosines, reflectivities, echoes)


def _turns(v: Number, row: Number, out: Number, memory: Number, chance: Chance) -> None:
    """Angles, then speeds, of the hinges whose coordinates follow the sensor's numbers."""
    p, places = _numbers(v, row, ENCODER_NUMBERS), v.curves[row.numbers + ENCODER_COUNT :]
    count = out.shape[0] // 2
    for k in range(count):
        own, with_it, sign = int(places[4 * k]), int(places[4 * k + 1]), places[4 * k + 2]
        angle, speed, ahead = v.qpos[v.joint_angle[own]], v.qvel[v.joint_speed[own]], int(places[4 * k + 3])
        if ahead >= 0:  # a gear with play: the encoder sits on the motor
            angle, speed = angle + v.state[ahead], v.state[ahead + 1]
        if with_it >= 0:
            angle += v.qpos[v.joint_angle[with_it]]
            speed += v.qvel[v.joint_speed[with_it]]
        if p.incremental > 0.0 and memory[2 * count] == 0.0:
            memory[count + k] = sign * angle
        said = measure_turn(p, sign * angle - memory[count + k], sign * speed, memory[k], k, chance)
        out[k], out[count + k], memory[k] = said.angle, said.speed, said.angle
    memory[2 * count] = 1.0


def _air(v: Number, row: Number) -> AirState:
    return atmosphere(height_of(v, row_vector(v.site_xpos, row.site)), v.air[0])


def _blow(v: Number, row: Number) -> Number:
    """Speed of the site through the air along its x axis [m/s]."""
    wind = wind_at(v, row.vehicle, v.site_xpos[row.site, 2])
    return site_motion(v, row.body, row.site, wind).vel_air_s.x


def _field_s(v: Number, row: Number) -> Vector:
    return to_site(v, row.site, Vector(v.earth[0].field_x, v.earth[0].field_y, v.earth[0].field_z))


def _on_earth(v: Number, row: Number) -> tuple[Vector, Vector, Geodetic]:
    """Position and velocity of the site in the world, and where on the Earth the world has its origin."""
    pos_w = row_vector(v.site_xpos, row.site)
    origin = Geodetic(v.earth[0].latitude, v.earth[0].longitude, v.earth[0].altitude)
    return pos_w, point_velocity_w(v, row.body, pos_w), origin
