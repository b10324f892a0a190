"""The stream behind a propeller: momentum, energy and mass of the air are kept."""

import math

import numpy as np
import pytest

from cupola.physics.motor import GenericMotor, generic_motor
from cupola.physics.slipstream import immersed_share, induced_speed, stream_radius, stream_speed

DENSITY, RADIUS = 1.225, 0.15
DISC = math.pi * RADIUS**2


@pytest.mark.parametrize("speed", [0.0, 3.0, 20.0])
@pytest.mark.parametrize("thrust", [0.5, 30.0])
def test_momentum_and_energy_of_the_stream(thrust, speed):
    v = induced_speed(thrust, speed, DENSITY, RADIUS)
    flow = DENSITY * DISC * (speed + v)
    far = stream_speed(v, 1e6, RADIUS)
    assert far == pytest.approx(2 * v, rel=1e-12)
    assert flow * far == pytest.approx(thrust, rel=1e-11)
    # What the disc spends, thrust times the speed through it, is the kinetic energy that the stream gains.
    assert 0.5 * flow * ((speed + far) ** 2 - speed**2) == pytest.approx(thrust * (speed + v), rel=1e-11)


def test_at_rest_it_is_the_induced_speed_of_hover():
    assert induced_speed(10.0, 0.0, DENSITY, RADIUS) == pytest.approx(math.sqrt(10.0 / (2 * DENSITY * DISC)), rel=1e-14)
    assert induced_speed(0.0, 0.0, DENSITY, RADIUS) == induced_speed(0.0, 12.0, DENSITY, RADIUS) == 0.0
    assert induced_speed(10.0, -5.0, DENSITY, RADIUS) == induced_speed(10.0, 0.0, DENSITY, RADIUS)


def test_the_generic_motor_throws_the_air_as_fast_as_it_says():
    # Beard and McLain's k_motor is the speed of the stream at full throttle, whatever the flight speed.
    motor = GenericMotor(s_prop=DISC, c_prop=1.0, k_motor=55.0, k_t_p=0.0, k_omega=0.0)
    for throttle, speed in ((1.0, 0.0), (1.0, 20.0), (0.6, 15.0)):
        thrust = generic_motor(throttle, speed, DENSITY, 1.0, motor).thrust
        v = induced_speed(thrust, speed, DENSITY, RADIUS)
        assert speed + 2 * v == pytest.approx(55.0 * throttle, rel=1e-13)


def test_a_brake_slows_the_air_by_half_at_most():
    slow = [induced_speed(-thrust, 10.0, DENSITY, RADIUS) for thrust in (1.0, 2.0, 1e3)]
    assert 0 > slow[0] > slow[1] > slow[2] == -5.0
    assert np.isfinite(induced_speed(1.0, 5.0, 0.0, RADIUS))


def test_the_stream_gathers_speed_from_ahead_of_the_disc():
    where = np.linspace(-3.0, 3.0, 61)
    speeds = np.array([stream_speed(7.0, s, RADIUS) for s in where])
    assert np.all(np.diff(speeds) > 0)
    assert stream_speed(7.0, 0.0, RADIUS) == 7.0
    assert stream_speed(7.0, RADIUS, RADIUS) == pytest.approx(7 * (1 + 1 / math.sqrt(2)), rel=1e-14)
    assert stream_speed(7.0, -1e6, RADIUS) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("speed", [0.0, 12.0])
@pytest.mark.parametrize("distance", [0.0, 0.1, 1.0])
def test_the_stream_contracts_as_its_mass_flow_stays(speed, distance):
    v = 8.0
    added = stream_speed(v, distance, RADIUS)
    section = math.pi * stream_radius(v, added, speed, RADIUS) ** 2
    assert section * (speed + added) == pytest.approx(DISC * (speed + v), rel=1e-13)


def test_width_of_the_stream_is_bounded():
    assert stream_radius(8.0, 16.0, 0.0, RADIUS) == pytest.approx(RADIUS / math.sqrt(2), rel=1e-14)
    assert stream_radius(0.0, 0.0, 0.0, RADIUS) == RADIUS
    assert stream_radius(-5.0, -10.0, 10.0, RADIUS) == RADIUS  # no flow left to follow
    assert stream_radius(8.0, 0.01, 0.0, RADIUS) == pytest.approx(RADIUS * math.sqrt(2), rel=1e-14)


def test_share_of_a_span_in_a_stream():
    assert immersed_share(0.2, 0.0, 0.0, 2.0) == pytest.approx(0.2, rel=1e-14)
    assert immersed_share(0.2, 0.4, 0.0, 0.2) == 0.0  # it passes beside
    assert immersed_share(0.2, -0.5, 0.0, 1.0) == pytest.approx(0.2, rel=1e-14)  # half of it over the tip
    assert immersed_share(5.0, 0.3, 0.2, 1.0) == 1.0
    assert immersed_share(0.2, 0.0, 0.12, 1.0) == pytest.approx(2 * 0.16, rel=1e-14)  # a chord of the circle: 3-4-5
    assert immersed_share(0.2, 0.0, 0.25, 1.0) == 0.0
