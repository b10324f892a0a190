"""Laws of PX4's plugins against golden values, with the numbers that the importer reads from the originals."""

import csv
import math
from pathlib import Path

import numpy as np
import pytest

from cupola.bridge.sdf.folder import import_file
from cupola.config.vehicle import read_vehicle
from cupola.physics.gazebo_motor import GazeboMotor, gazebo_aside, gazebo_speed, gazebo_thrust
from cupola.physics.liftdrag import (
    Coefficients,
    LiftDrag,
    gazebo_coefficients,
    gazebo_flow,
    projected_flow,
    surface_load,
)
from cupola.physics.rotation import Vector
from cupola.reproduce.row import data_file

pytestmark = pytest.mark.data("gazebo_models/README.md")
TEST = LiftDrag(0.02, 4.752798721, 0.6417112299, -0.1, 0.3391428111, -3.85, -0.9233984055, 0.3, 0.5)


def rows(name):
    with Path(data_file(f"gazebo_models/{name}")).open() as file:
        return list(csv.DictReader(file))


def numbers(row, *names):
    return np.array([float(row[name]) for name in names])


def turn(row):
    """Rz Ry Rx of a row."""
    r, p, y = numbers(row, "roll_rad", "pitch_rad", "yaw_rad")
    x = np.array([[1, 0, 0], [0, math.cos(r), -math.sin(r)], [0, math.sin(r), math.cos(r)]])
    about_y = np.array([[math.cos(p), 0, math.sin(p)], [0, 1, 0], [-math.sin(p), 0, math.cos(p)]])
    z = np.array([[math.cos(y), -math.sin(y), 0], [math.sin(y), math.cos(y), 0], [0, 0, 1]])
    return z @ about_y @ x


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    """Parts of the three originals, by model."""
    folder = tmp_path_factory.mktemp("golden")
    found = {}
    for name in ("iris", "plane", "standard_vtol"):
        made = import_file(Path(data_file(f"gazebo_models/{name}/{name}.sdf")), folder / name)
        found[name] = read_vehicle(made.folder / "vehicle.yaml").parts
    return found


def surface(parts, name):
    """Numbers, forward, upward, radial, lift and moment per radian of control."""
    if name.startswith("plane "):
        part = parts["plane"][name.removeprefix("plane ")]
        assert part.mode == "px4" and part.surface is not None
        (control,) = part.controls
        return part.surface, Vector(*part.forward), Vector(*part.upward), 0.0, control.lift, control.moment
    ahead, up = Vector(1.0, 0.0, 0.0), Vector(0.0, 0.0, 1.0)
    if name == "test":
        return TEST, ahead, up, 0.0, -1.0, 0.25
    wing = surface(parts, "plane left_wing")[0]
    return wing._replace(a0=0.0, area=0.1), ahead, up, 1.0, 0.0, 0.0


def test_liftdrag_of_px4_and_of_gazebo_classic(parts):
    for row in rows("liftdrag_px4_golden.csv"):
        p, ahead, up, radial, per_lift, per_moment = surface(parts, row["surface"])
        delta, turned = float(row["joint_rad"]), turn(row)
        vel = numbers(row, "vx_m_s", "vy_m_s", "vz_m_s")
        wind = numbers(row, "wind_x_m_s", "wind_y_m_s", "wind_z_m_s")
        air = Vector(*(turned.T @ (vel - wind)))
        flow = projected_flow(air, ahead, up, radial, 0.0, 0.0, p)
        c = gazebo_coefficients(flow.alpha, flow.factor, per_lift * delta, p)
        c = Coefficients(c.lift, c.drag, c.moment + per_moment * delta)
        load = surface_load(flow, c, air, 1.2041, p._replace(chord=1.0, cyb=0.0))
        force, moment = turned @ np.array(load.force), turned @ np.array(load.torque)
        np.testing.assert_allclose(force, numbers(row, "force_x_n", "force_y_n", "force_z_n"), rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(
            moment, numbers(row, "moment_x_nm", "moment_y_nm", "moment_z_nm"), rtol=1e-6, atol=1e-9
        )
        if flow.speed > 0.0:
            found = (flow.alpha, flow.factor, c.lift, c.drag, c.moment)
            wanted = numbers(row, "alpha_rad", "cos_sweep", "cl", "cd", "cm")
            np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-9)
        still = Vector(*(turned.T @ vel))  # the other law of the same name
        other = gazebo_flow(still, ahead, up, radial, p)
        c = gazebo_coefficients(other.alpha, other.factor, per_lift * delta, p)
        classic = surface_load(other, Coefficients(c.lift, c.drag, 0.0), still, 1.2041, p._replace(cyb=0.0))
        wanted = numbers(row, "classic_force_x_n", "classic_force_y_n", "classic_force_z_n")
        np.testing.assert_allclose(turned @ np.array(classic.force), wanted, rtol=1e-6, atol=1e-9)


def test_motor_of_px4(parts):
    for row in rows("motor_px4_golden.csv"):
        rotor = "rotor_2" if "rotor_2" in row["case"] else "rotor_puller" if "puller" in row["case"] else "rotor_0"
        part = parts[row["model"]][rotor]
        p, direction = part.gazebo, part.direction
        assert p.px4 == 1.0 and p.max_relative_airspeed == (30.0 if rotor == "rotor_puller" else 25.0)
        tilt = math.radians(0.0) if rotor != "rotor_puller" else 1.57  # the link, as the file turns it
        pitch = np.array([[math.cos(tilt), 0, math.sin(tilt)], [0, 1, 0], [-math.sin(tilt), 0, math.cos(tilt)]])
        to_z = np.array([[0, 0, -1], [0, 1, 0], [1, 0, 0]])  # site x along the link's z
        site = turn(row) @ pitch @ to_z
        omega = float(row["rotor_speed_rad_s"])
        vel = numbers(row, "vx_m_s", "vy_m_s", "vz_m_s") - numbers(row, "wind_x_m_s", "wind_y_m_s", "wind_z_m_s")
        air = Vector(*(site.T @ vel))
        along, aside = gazebo_thrust(omega, air, direction, p), gazebo_aside(omega, air, direction, p)
        assert along.thrust == pytest.approx(float(row["thrust_n"]), rel=1e-6, abs=1e-9)
        force = site @ (np.array([along.thrust, 0, 0]) + np.array(aside.force))
        np.testing.assert_allclose(force, numbers(row, "force_x_n", "force_y_n", "force_z_n"), rtol=1e-6, atol=1e-7)
        torque = site @ np.array([along.torque, 0.0, 0.0])
        names = ("drag_torque_x_nm", "drag_torque_y_nm", "drag_torque_z_nm")
        np.testing.assert_allclose(torque, numbers(row, *names), rtol=1e-6, atol=1e-9)
        rolling = numbers(row, "rolling_x_nm", "rolling_y_nm", "rolling_z_nm")
        np.testing.assert_allclose(site @ np.array(aside.torque), rolling, rtol=1e-6, atol=1e-8)


def test_filter_of_px4s_motor():
    p = GazeboMotor(max_rot_velocity=1000.0, time_constant_up=0.0125, time_constant_down=0.025)
    for row in rows("motor_px4_filter.csv"):
        start, target = (700.0, 300.0) if "down" in row["case"] or "700 to 300" in row["case"] else (0.0, 700.0)
        speed = start
        for _ in range(int(row["updates"])):
            speed = gazebo_speed(speed, target / 1000.0, float(row["step_s"]), p)
        assert speed == pytest.approx(float(row["filtered_speed_rad_s"]), rel=1e-6)
