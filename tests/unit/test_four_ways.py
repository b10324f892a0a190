"""Every public function of the physics textbook, run as plain Python, compiled, on NumPy arrays and in JAX.

The table below must name every one of them. Each case is a tuple of arguments; the cases of a function differ only in
their numbers. Tables (arrays) and degrees (`n1`, `n2`) belong to the function and are not stacked.
"""

import importlib
import inspect
import math
import pkgutil
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import cupola.physics
from cupola.kernel.jit import jit
from cupola.physics.advanced_liftdrag import Advanced, AdvancedFlow, Six
from cupola.physics.airfoil import Airflow, Surface
from cupola.physics.atmosphere import Atmosphere
from cupola.physics.battery import Draw
from cupola.physics.blades import LaggedMotor
from cupola.physics.bluff import Bluff
from cupola.physics.delaurier import Deficiency, FlappingMotion, FlappingStrip
from cupola.physics.downwash import Sheet
from cupola.physics.flapping import Flapping, Sticks
from cupola.physics.flight_data import Level
from cupola.physics.gazebo_motor import GazeboMotor
from cupola.physics.geodesy import Geodetic
from cupola.physics.helicopter import Flap, Harmonics
from cupola.physics.impedance import Blend, Gains
from cupola.physics.liftdrag import Coefficients, Flow, LiftDrag
from cupola.physics.mecanum import VELMA, Wheels
from cupola.physics.motor import ElectricMotor, GenericMotor, QuadraticMotor
from cupola.physics.planar import Pose, Twist
from cupola.physics.planet import SPHERE, WGS84
from cupola.physics.planform import Built, Shape, Spread
from cupola.physics.propeller import BladeElement
from cupola.physics.rotation import Axes, Euler, Quaternion, Vector, Wrench
from cupola.physics.section import NACA_0012, Polar, Section
from cupola.physics.slipstream import Stream
from cupola.physics.space_arm import LISTING, SIMULATED, Coordinates, constants, directions
from cupola.physics.space_task import Actuated, Task, float_free
from cupola.physics.strip import Strip, StripFlow, StripState
from cupola.physics.von_karman import KarmanState
from cupola.physics.wind import Dryden, DrydenNoise, DrydenState, Thermal

jax.config.update("jax_enable_x64", True)

FIXED = {"n1", "n2"}
O, A, B = Vector(0.0, 0.0, 0.0), Vector(1.0, -2.0, 3.0), Vector(0.5, 0.25, -4.0)  # noqa: E741
Q, R = Quaternion(0.5, 0.5, -0.5, 0.5), Quaternion(0.8, 0.0, 0.6, 0.0)
WING = Surface(0.3, 2.0, 0.15, 0.9, 50.0, 0.4712, *np.linspace(-1.0, 1.3, 29).tolist())
PLATE = Surface(1.0, 1.0, 1.0, c_lift_a=2.0)
PANEL = LiftDrag(0.06, 4.75, 0.64, -1.8, 0.34, -3.85, -0.92, 0.1, 8.0, 1.5, 7.4, 20.0, 0.03, 0.05, 0.1, -0.4, 0.2, -0.3)
TAIL = LiftDrag(-0.2)
DERIVED = Advanced(*np.linspace(0.1, 1.7, len(Advanced._fields)).tolist())
SIX, C3 = Six(0.1, -0.2, 0.3, -0.1, 0.05, 0.02), Coefficients(0.4, 0.05, -0.1)
AHEAD, ABOVE, LEFT = Vector(1.0, 0.0, 0.0), Vector(0.0, 0.0, 1.0), Vector(0.0, 1.0, 0.0)
MEETINGS = (Flow(0.0, 0.0, 1.0, 0.1, ABOVE, O, LEFT), Flow(30.0, 0.2, 0.9, -2.0, AHEAD, ABOVE, LEFT))
MOVES = (O, A, B, Vector(50.0, 0.0, 0.0), Vector(0.0, 3.0, 0.0), Vector(0.0, -3.0, 0.0), Vector(-9.0, 0.1, 0.2))
SPUN = GazeboMotor(max_relative_airspeed=25.0, px4=1.0)
PROPELLER = GenericMotor(0.017, 0.17, 80.0, 2e-5, 254.0)
MOTOR = ElectricMotor(13.333, 0.041, 0.9, 0.01, 3.0, 4.0, 0.305, 0.008, 0.01, 1000.0, 138.0, 0.0, 0.8)
VOLTAGE = QuadraticMotor(0.508, 0.0659, 0.042, 1.5, 44.4, 0.00523, 0.00497, -0.01664, 0.09357, -0.06044, -0.1079)
BLADES = LaggedMotor(2500.0, 0.072, 2.3e-8, 1.4e-10, 1.9e-6, 1.7e-6, 6.1e-8, 6.2e-8)
GUSTS = Dryden(1.0, 1.2, 0.7, 200.0, 150.0, 50.0)
SHORT = Dryden(0.0, 1.0, 2.0, 0.1, 1.0, 10.0)
SWIRL = KarmanState(0.1, -0.4, 1.2, 0.3, -2.0, 0.7, 0.0, -1.1)
STATE, NOISE = DrydenState(0.1, -0.4, 1.2, 0.0, -2.0), DrydenNoise(1.0, -0.3, 0.2, 2.0, -1.1)
BALL = Bluff(0.02, 0.1, 0.1, 0.2, -1.0, -1.5, -0.5)
COLUMN = Thermal(0.0, 0.0, 0.0, 100.0, 3.0, 1500.0)
EARTHS = (WGS84, SPHERE._replace(rotation=0.0))
PLACES = (Vector(6.4e6, 0.0, 0.0), Vector(0.0, 0.0, 6.4e6), Vector(-3e6, 4e6, 4.2e6))
AIR, HIGH = Atmosphere(), Atmosphere(1500.0, -20.0, 98000.0, 1.0)
DRAW = Draw(3.0, 20.0)
ATHENS, POLE = Geodetic(0.66, 0.41, 120.0), Geodetic(-1.5707963, 3.0, 2800.0)
NONE, DENSE = AIR._replace(scale=0.0), AIR._replace(fixed_density=1.2682)
HERE, THERE = Pose(1.0, -2.0, 0.4), Pose(-0.3, 0.1, -3.0)
DRIVES = (Twist(0.0, 0.0, 0.0), Twist(0.25, -0.1, 0.0), Twist(0.1, 0.2, 1e-5), Twist(-0.1, 0.3, -1.5))
SPINS = (Wheels(0.0, 0.0, 0.0, 0.0), Wheels(1.0, -2.0, 0.5, 3.0))
ARMS = (constants(LISTING), constants(SIMULATED)._replace(rotor1=0.01))
POSTURES = tuple(Coordinates(0.3, -1.0, 0.1, -1.0, q2, -0.7) for q2 in (-1.2, 0.0, 0.05, 1.8))
RATES = Coordinates(0.01, -0.02, 0.03, 0.5, -0.4, 0.6)
POINTED = tuple(directions(q, ARMS[0]) for q in POSTURES)
AFLOAT = tuple(float_free(q, RATES, p) for q in POSTURES for p in ARMS)
ASKED, PUSHED = Task(0.1, 0.2, -0.3, 0.4), Task(0.0, 0.5, -0.1, 0.2)
SPRING, HARD = Gains(1.0, 1.2, 0.36), Gains(2.0, 40.0, 100.0)
BREAKS = np.array([-1.0, 0.0, 0.5, 2.0])
CUBICS = np.linspace(-2.0, 3.0, 12)

THIN = Section(5.8, -0.03, 0.14, 0.05, 0.1, 1.2, 0.0, -0.05, 0.01)
STRIPS = (Strip(0.2, 0.1), Strip(0.3, 0.05, 0.4, 0.8, 2.0, 4.0, *THIN))
FLOWS = (StripFlow(0.0, 0.0, 0.0, 0.0, 0.0), StripFlow(9.0, 1.5, -2.0, 4.0, 1.7), StripFlow(-3.0, 2.0, 1.0, -1.0, 2.1))
MEMORIES = (StripState(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0), StripState(1.0, -0.5, 0.3, 0.7, -0.2, 0.4, 0.2))
FLAPPER = FlappingStrip(0.2, 0.1, 6.0, 0.1, 0.05, 0.02, 0.9, 0.01, -0.02)
BEATS = (
    FlappingMotion(0.0, 0.0, 0.1, 0.0, 0.0),
    FlappingMotion(1.0, -5.0, 0.2, 2.0, 9.0),
    FlappingMotion(9.0, 1.0, 0.6, 0.0, 0.0),
)
BLADE = BladeElement(0.1, 0.01, 0.02, 0.3, 2.0, 0.15, 0.01, *THIN)

ALPHAS = (-math.pi, -0.4712, 0.0, 0.1, 0.4712, 0.48, 3.0)
HEIGHTS = (-9000.0, -100.0, 0.0, 120.0, 15000.0, 25000.0, 90000.0)

BIRD, STICKS = Flapping(beat_yaw=0.2), (Sticks(0.3, -0.5, 0.8, 0.0), Sticks(-1.0, 0.2, 0.0, 0.7))
BUILT, SHAPE = Built(-0.1, 0.4, 0.02, 0.05, 0.8, 0.2), Shape(1.2, 0.3, -0.1, 0.04, 0.02)
CASES: dict[str, list[tuple[Any, ...]]] = {
    "advanced_liftdrag.advanced_coefficients": [
        (AdvancedFlow(20.0, a, b), c, DERIVED)
        for a in (-2.0, 0.0, 0.3)
        for b in (0.0, -0.4)
        for c in (SIX, Six(*[0.0] * 6))
    ],
    "advanced_liftdrag.advanced_flow": [(v,) for v in MOVES],
    "advanced_liftdrag.advanced_wrench": [
        (AdvancedFlow(speed, 0.3, -0.2), SIX, rate, 1.2, DERIVED) for speed in (0.0, 20.0) for rate in (O, A)
    ],
    "airdata.indicated_airspeed": [(q,) for q in (-2.0, 0.0, 140.0)],
    "airdata.pitot_pressure": [(v, 1.1) for v in (-3.0, 0.0, 20.0)],
    "airdata.pressure_altitude": [(p,) for p in (0.0, 5000.0, 22000.0, 90000.0, 103000.0)],
    "airfoil.airflow": [(v,) for v in (O, A, B, Vector(0.0, 3.0, 0.0), Vector(-5.0, 0.0, 0.0))],
    "airfoil.stall_blend": [(a, 0.4712, m) for a in ALPHAS for m in (0.0, 50.0, 5000.0)],
    "airfoil.plate_lift": [(a,) for a in ALPHAS],
    "airfoil.linear_lift": [(a, p) for a in ALPHAS for p in (WING, PLATE)],
    "airfoil.linear_drag": [(a, p) for a in ALPHAS for p in (WING, PLATE)],
    "airfoil.surface_wrench": [
        (Airflow(0.0, 0.0, 0.0), B, A, 0.3, 0.1, 1.2, WING),
        (Airflow(15.0, 0.1, -0.2), A, B, 0.6, 0.05, 1.2, WING),
        (Airflow(8.0, 2.0, 0.4), O, O, -0.4, 1.2, 0.0, PLATE),
    ],
    "blades.blades_along": [(w, v, 1.2, d, BLADES) for w in (0.0, 1800.0) for v in (-2.0, 3.0) for d in (-1.0, 1.0)],
    "blades.blades_aside": [(w, v, r, 1.2, BLADES) for w in (-1800.0, 0.0, 900.0) for v in (O, A) for r in (O, B)],
    "blades.side_force": [(t, v, 1.2, 0.1, 0.2) for t in (-1.0, 0.0, 3.0) for v in (O, A)],
    "blades.lagged_speed": [
        (w, 0.7, -1.0, 0.001, p) for w in (0.0, -900.0) for p in (BLADES, BLADES._replace(time_constant=0.0))
    ],
    "flight_data.angles_of": [(v,) for v in MOVES],
    "flight_data.attitude_of": [(AHEAD, LEFT, ABOVE, Level(AHEAD, LEFT, ABOVE)), (A, B, LEFT, Level(LEFT, A, ABOVE))],
    "flight_data.mach_number": [(340.0, 288.15), (0.0, 216.65)],
    "flight_data.body_axes": [(Wrench(A, B), f, t, 0.3, -0.2) for f in (0.0, 1.0, 2.0) for t in (0.0, 2.0)],
    "flight_data.turned": [(A, axes, 0.3, -0.2) for axes in (0.0, 1.0, 2.0)],
    "bluff.bluff_wrench": [(v, w, 1.2, p) for v in (O, A) for w in (O, B) for p in (BALL, BALL._replace(c_l_p=0.0))],
    "atmosphere.atmosphere": [(h, p) for h in HEIGHTS for p in (AIR, HIGH, NONE, DENSE)],
    "atmosphere.geopotential_height": [(h,) for h in HEIGHTS],
    "atmosphere.speed_of_sound": [(t,) for t in (180.0, 288.15)],
    "battery.battery_supply": [(16.0, charge, 0.05, DRAW) for charge in (0.0, 0.7)],
    "battery.cell_voltage": [(x,) for x in (-0.1, 0.0, 0.02, 0.5, 1.0)],
    "battery.discharge": [(0.5, current, 7200.0, 0.001) for current in (-3.0, 40.0)],
    "battery.motor_draw": [(0.6, 9.0, 0.04), (0.0, 9.0, 0.04)],
    "creep.creep": [(v, w, VELMA, 0.02) for v in DRIVES for w in SPINS],
    "curve.coefficient_count_2d": [(1, 5)],
    "curve.polynomial": [(x, np.array([0.1, -2.0, 0.0, 4.0])) for x in (-1.5, 0.0, 0.3)],
    "curve.polynomial_2d": [(x, 1.7, CUBICS[:7], 1, 3) for x in (-1.5, 0.0, 0.3)],
    "curve.spline": [(x, BREAKS, CUBICS) for x in (-9.0, -1.0, -0.3, 0.0, 0.7, 2.0, 9.0)],
    "delaurier.flapping_load": [(m, 10.0, 31.0, Deficiency(0.7, -0.2), 1.2, FLAPPER) for m in BEATS],
    "delaurier.section_load": [(a, 9.0, f, 1.2, FLAPPER) for a in (-0.3, 0.05, 0.4) for f in FLOWS],
    "delaurier.flapping_wrench": [(f, late, 9.0, 1.2, FLAPPER) for f in FLOWS for late in (0.0, 1.5)],
    "delaurier.lagging_down": [(f, late, FLAPPER) for f in FLOWS for late in (0.0, 1.5)],
    "delaurier.lagging_step": [(late, f, 9.0, 0.01, FLAPPER) for f in FLOWS for late in (0.0, 1.5)],
    "delaurier.scherer_lag": [(a,) for a in (2.0, 12.0)],
    "delaurier.scherer": [(k, a) for k in (0.0, 0.3, 5.0) for a in (2.0, 12.0)],
    "flap.flap_effect": [(e,) for e in (0.1, 0.25, 0.9)],
    "flap.parabolic_camber": [(0.02,), (-0.1,)],
    "echo.echo": [(0.8, c, 2.0) for c in (0.0, 0.5, 1.0)],
    "drive.asked_current": [(t, 186.0, 0.0439) for t in (-0.3, 0.0, 2.0)],
    "drive.gear_friction": [(t, 0.08, e) for t in (-0.3, 0.0, 2.0) for e in (0.75, 1.0)],
    "drive.motor_power": [(i, 7.25, 0.1, -2.0) for i in (-0.5, 0.0, 3.0)],
    "drive.pulse": [(i, 4.0, 0.1, 0.9, n) for i in (-9.0, -0.3, 0.0, 1.7) for n in (0.0, 5000.0)],
    "drive.reachable_current": [(i, 24.0, e, 7.25) for i in (-9.0, 0.3, 4.0) for e in (-30.0, 0.0, 12.0)],
    "drive.slowed": [(v, 0.2) for v in (-0.5, -0.1, 0.0, 0.3)],
    "drive.through_teeth": [(g, 0.3, 0.016, 300.0, 2.0) for g in (-0.02, 0.0, 0.005, 0.1)],
    "gas.bottle_pressure": [(m, 0.004, 5.5e5, 5e6) for m in (0.0, 0.001, 0.04)],
    "gas.dry_drag": [(v, 8.0, 0.002) for v in (-0.1, 0.0, 0.001)],
    "gas.film_drag": [(0.038, h, 1.47e-5) for h in (5e-6, 1e-5)],
    "gas.gas_flow": [(f, 45.0) for f in (0.0, 0.6)],
    "gas.supply_share": [(m, 0.004) for m in (0.0, 0.001, 0.04)],
    "geodesy.ecef_from_enu": [(A, 0.6, -2.0), (B, -1.5, 0.0)],
    "geodesy.enu_from_ecef": [(A, 0.6, -2.0), (B, -1.5, 0.0)],
    "geodesy.eccentricity_2": [(e,) for e in EARTHS],
    "geodesy.world_from_local": [(A, ATHENS, POLE), (B, POLE, ATHENS)],
    "geodesy.local_from_world": [(A, ATHENS, POLE), (B, POLE, ATHENS)],
    "geodesy.ecef_from_geodetic": [(place, e) for place in (ATHENS, POLE) for e in EARTHS],
    # High up: an altitude is the difference of two radii, which round at 1e-9 m.
    "geodesy.geodetic_from_ecef": [(Vector(1.6e7, 1.0e7, -1.9e7), EARTHS[0]), (Vector(0.0, 0.0, 2.6e7), EARTHS[1])],
    "geodesy.geodetic_from_world": [
        (Vector(3e6, -2e6, 2e7), ATHENS, EARTHS[0]),
        (Vector(0.0, 1e6, 1e7), POLE, EARTHS[1]),
    ],
    "grip.between": [(100.0, 1e5, s) for s in (0.0, 0.4, 1.0)],
    "grip.pull": [(d, v, k, 20.0, 1.0) for d in (O, A) for v in (O, B) for k in (0.0, 100.0)],
    "grip.turn_between": [(a, b) for a in (Q, R) for b in (Q, R)],
    "downwash.carried_step": [(0.3, 0.8, way) for way in (0.0, 0.5, 30.0)],
    "downwash.elliptic_circulation": [(lift, v, 0.8, 1.2) for lift in (-3.0, 0.0, 9.0) for v in (0.0, 12.0)],
    "downwash.sheet_velocity": [
        (Sheet(O, A, Vector(-1.0, 0.0, 0.0), g), late, point)
        for g in (0.0, 2.0)
        for late in (0.5, -1.0)
        for point in (O, B)
    ],
    "ground.factor_near_ground": [(f, share) for f in (0.5, 0.8, 1.0) for share in (0.0, 0.4, 1.0)],
    "ground.image_share": [(h, 2.0) for h in (-1.0, 0.0, 0.3, 100.0)],
    "ground.induced_by_lift": [(p,) for p in (WING, PLATE)],
    "ground.rotor_gain": [
        (z, 0.12, thrust, v, up, density)
        for z in (-1.0, 0.0, 0.2, 9.0)
        for thrust in (-1.0, 0.0, 3.0)
        for v in (0.0, 8.0)
        for up in (-0.5, 0.0, 0.9)
        for density in (0.0, 1.2)
    ],
    "ground.wing_drag": [(0.1, 0.5, 0.6, share, p) for share in (0.0, 0.3, 1.0) for p in (WING, PLATE)],
    "ground.wing_lift": [(0.5, a, share, p) for a in (-1.0, 0.0, 5.0) for share in (0.0, 1.0) for p in (WING, PLATE)],
    "ground.wing_share": [(h, 2.0) for h in (-1.0, 0.0, 0.3, 100.0)],
    "impedance.blend": [(push, band, 100.0) for push in (-0.2, 0.0, 0.004, 3.0) for band in (0.0, 0.01)],
    "impedance.chaser_force": [(12.0, 0.3, -0.1)],
    "impedance.contact_gains": [(g, 100.0, 1e6, b) for g in (SPRING, HARD) for b in (0.0, 3.0)],
    "impedance.gains": [(2.0, 0.7, 0.6)],
    "impedance.held_push": [(held, push, 0.01, 0.5) for held in (0.0, 0.3) for push in (-0.2, 0.1)],
    "impedance.impedance_acceleration": [(0.01, -0.2, 0.3, 0.4, g) for g in (SPRING, HARD)],
    "impedance.mix": [(Blend(0.2, 0.8), 3.0, -1.0)],
    "impedance.mix_gains": [(Blend(0.2, 0.8), SPRING, HARD)],
    "impedance.settling_gains": [(1.0, 10.0)],
    "inertial.bias_step": [(0.1, -1.2, 0.02, 0.001)],
    "inertial.creep_step": [(c, g, 1.5, 20.0, 0.1) for c, g in ((0.0, 0.3), (0.3, 0.0), (-0.1, -0.2))],
    "inertial.gauss_markov": [(0.3, -1.2, 2.0, 30.0, dt) for dt in (0.1, 1e9)],
    "inertial.specific_force": [(A, B, Q, O, O, A), (O, A, R, A, B, B)],
    "inertial.white_noise_sigma": [(0.004, 400.0), (0.0, 1.0)],
    "liftdrag.attached_lines": [(a, p) for a in ALPHAS for p in (PANEL, TAIL)],
    "liftdrag.centre_shift": [(a, 0.1, p) for a in ALPHAS for p in (PANEL, TAIL)],
    "liftdrag.fold": [(a,) for a in (-2.0, -0.5 * math.pi, 0.0, 0.5 * math.pi, 1.6, 4.0)],
    "liftdrag.gazebo_coefficients": [(a, 0.9, 0.1, p) for a in ALPHAS for p in (PANEL, TAIL)],
    "liftdrag.gazebo_flow": [(v, AHEAD, up, r, PANEL) for v in MOVES for up in (ABOVE, LEFT) for r in (0.0, 1.0)],
    "liftdrag.mended_coefficients": [(a, 0.9, C3, c, p) for a in ALPHAS for c in (C3,) for p in (PANEL, TAIL)],
    "liftdrag.plane_flow": [(v, AHEAD, up, r, PANEL) for v in MOVES for up in (ABOVE, LEFT) for r in (0.0, 1.0)],
    "liftdrag.projected_flow": [
        (v, AHEAD, up, r, q, b, PANEL)
        for v in MOVES
        for up in (ABOVE, LEFT)
        for r, q, b in ((0.0, 0.0, 1.0), (1.0, 1.0, 0.0))
    ],
    "gazebo_motor.gazebo_speed": [(w, t, 0.001, SPUN) for w in (0.0, 700.0) for t in (0.5, 1.0)],
    "gazebo_motor.gazebo_thrust": [
        (w, v, -1.0, p) for w in (-800.0, 0.0, 700.0) for v in (O, A) for p in (SPUN, SPUN._replace(px4=0.0))
    ],
    "gazebo_motor.gazebo_aside": [
        (w, v, -1.0, p) for w in (-800.0, 0.0) for v in (O, A) for p in (SPUN, SPUN._replace(px4=0.0))
    ],
    "liftdrag.plate_drag": [(a, ratio) for a in ALPHAS for ratio in (0.2, 1.0, 7.4)],
    "liftdrag.surface_load": [(flow, C3, v, 1.2, p) for flow in MEETINGS for v in (O, A) for p in (PANEL, TAIL)],
    "liftdrag.three_lines": [(a, 4.0, -3.0, 0.4712) for a in ALPHAS],
    "magnetism.dipole_field": [(0.66, 0.4, h) for h in (0.0, 5e5)],
    "flapping.beat": [(s, BIRD) for s in STICKS],
    "flapping.flap": [(phase, s, BIRD) for phase in (0.0, 2.0) for s in STICKS],
    "planform.turn_wing": [(s, side) for s in (Shape(), SHAPE) for side in (1.0, -1.0)],
    "planform.strip_place": [(BUILT, 1.3, q, side) for q in (Q, R) for side in (1.0, -1.0)],
    "planform.strip_turn": [(BUILT, 0.1, q) for q in (Q, R)],
    "planform.cos_of_sweep": [(q,) for q in (Q, R)],
    "planform.ratio_of": [(8.0, 1.2, 1.3), (6.0, 0.9, 1.0)],
    "planform.span_factor": [
        (a, c, s, p)
        for a in (0.5, 8.0)
        for c in (1.0, 0.8)
        for s in (0.0, 6.3)
        for p in (Spread(), Spread(0.3, 0.2, 0.1))
    ],
    "mecanum.body_twist": [(w, VELMA) for w in SPINS],
    "mecanum.contact": [(v, 2.0, 0.36, -0.38, hand, VELMA) for v in DRIVES for hand in (-1.0, 1.0)],
    "mecanum.contacts": [(v, w, VELMA) for v in DRIVES for w in SPINS],
    "mecanum.forward_part": [(1.0,), (0.6,)],
    "mecanum.lever_of": [(VELMA,), (VELMA._replace(slope=0.6),)],
    "mecanum.mismatch": [(w,) for w in SPINS],
    "mecanum.pose_in_thesis": [(HERE,), (THERE,)],
    "mecanum.quarter_turns": [(v, turns) for v in DRIVES for turns in (0, 1, 2, 3)],
    "mecanum.slope_of": [(angle,) for angle in (0.25 * math.pi, 0.5, 1.0)],
    "mecanum.twist_from_view": [(v, turns) for v in DRIVES for turns in (0, 1, 2, 3)],
    "mecanum.wheel_speeds": [(v, VELMA) for v in DRIVES],
    "motor.advance_ratio": [(v, w, MOTOR) for v in (-3.0, 0.0, 10.0) for w in (-700.0, 0.0, 0.01, 900.0)],
    "motor.electric_motor": [
        (throttle, omega, v, density, 0.3, 0.05, 1.0, motor)
        for motor in (MOTOR, MOTOR._replace(fade_in=1.0))
        for throttle in (0.0, 0.005, 0.6, 1.0)
        for omega in (0.0, 0.01, 900.0)
        for v in (-2.0, 0.0, 12.0)
        for density in (0.0, 1.2)
    ],
    "motor.generic_motor": [(t, v, 1.2, d, PROPELLER) for t in (0.0, 0.7) for v in (0.0, 90.0) for d in (-1.0, 1.0)],
    "motor.generic_thesis": [(t, v, 1.2, d, PROPELLER) for t in (0.0, 0.7) for v in (0.0, 90.0) for d in (-1.0, 1.0)],
    "motor.quadratic_motor": [
        (throttle, v, density, d, VOLTAGE)
        for throttle in (0.0, 0.5, 1.0)
        for v in (0.0, 25.0, 80.0)
        for density in (0.0, 1.2682)
        for d in (-1.0, 1.0)
    ],
    "helicopter.element_force": [(w, u, 0.1, 1.2, BLADE) for w in (-5.0, 90.0) for u in (-3.0, 0.0, 6.0)],
    "helicopter.skew": [(u, v, 8.0) for u in (0.0, 4.0) for v in (-9.0, 0.0, 3.0)],
    "helicopter.disc_inflow_step": [(u, 60.0, 3.0, v, 8.0, 0.5, 1e-3) for u in (0.0, 4.0) for v in (-9.0, 0.0)],
    "helicopter.flap_step": [
        (flap, Harmonics(9.0, 0.3, -0.2), w, Harmonics(0.0, 0.4, -0.1), 54.0, 0.04, 1e-3)
        for flap in (Flap(), Flap(0.1, 0.02, -0.03, 0.5, -0.4, 0.3))
        for w in (0.0, 160.0)
    ],
    "helicopter.bar_step": [(0.1, a, 0.3, 0.12, 1e-3) for a in (-0.2, 0.4)],
    "helicopter.governed_step": [
        (w, 9.0, 6.0, 160.0, q, 0.1, 0.01, 0.02, 1e-3) for w in (0.0, 150.0) for q in (0.0, 2e3)
    ],
    "motor.shaft_reaction": [(2e-4, omega, 30.0, rate) for omega in (-500.0, 0.0) for rate in (O, A)],
    "motor.spin_up": [
        (-500.0, 30.0, -1.0, 0.001, MOTOR),
        (999.9, 1e5, 1.0, 0.001, MOTOR),
        (0.0, -9.0, 1.0, 0.1, MOTOR),
    ],
    "motor.spin_up_literal": [(-500.0, 30.0, 0.4, -1.0, MOTOR), (0.01, -9.0, 1.0, 1.0, MOTOR)],
    "noise.uniform": [(7, 1, tick, lane) for tick in (0, 4_000_000_000) for lane in (0, 3)],
    "noise.gaussian_pair": [(7, 1, tick, lane) for tick in (0, 1, 4_000_000_000) for lane in (0, 3)],
    "noise.threefry": [(0, 0, 0, 0), (2**32 - 1,) * 4, (-1, 2**40, 3, 4), (0x13198A2E, 0x03707344, 9, -9)],
    "planar.advance": [(HERE, v, dt) for v in DRIVES for dt in (0.0, 0.001, 2.0)],
    "planar.carry": [(v, THERE) for v in DRIVES],
    "planar.chord_share": [(x,) for x in (-2.0, -1e-3, 0.0, 1e-5, 0.7)],
    "planar.compose": [(HERE, THERE), (THERE, HERE)],
    "planar.distance": [(HERE, THERE), (HERE, HERE)],
    "planar.inverse": [(HERE,), (THERE,)],
    "planar.relative": [(HERE, THERE), (THERE, HERE)],
    "planet.gravitation": [(p, e) for p in PLACES for e in EARTHS],
    "planet.apparent_acceleration": [(p, v, e) for p in PLACES for v in (O, A) for e in EARTHS],
    "planet.apparent_torque": [(Vector(1.0, 2.0, 2.5), a, b) for a in (O, A) for b in (O, B)],
    "propeller.blade_load": [(5.0, w, v, 1.2, BLADE) for w in (0.0, 900.0) for v in (-5.0, 0.0, 60.0)],
    "propeller.inflow_rate": [(u, w, 8.0, BLADE) for u in (0.0, 5.0) for w in (0.0, 900.0)],
    "propeller.inflow_step": [(u, w, 8.0, 1e-3, BLADE) for u in (0.0, 5.0) for w in (0.0, 900.0)],
    "propeller.element_load": [(w, v, 1.2, BLADE) for w in (0.0, 900.0) for v in (-5.0, 0.0, 8.0, 60.0)],
    "propeller.momentum_speed": [(v, u) for v in (-9.0, -1.0, 0.0, 4.0) for u in (-5.0, 0.0, 5.0)],
    "propeller.tip_loss": [(r, phi, BLADE) for r in (0.05, 0.149) for phi in (-0.3, 0.0, 0.2)],
    "quintic.quintic": [(t, 50.0) for t in (-1.0, 0.0, 12.5, 25.0, 50.0, 60.0)],
    "quintic.quintic_coefficients": [(50.0,), (0.5,)],
    "rotation.add": [(A, B)],
    "rotation.angle_of": [(0.0, 0.0), (0.0, -1.0), (1.0, 0.0), (-2.0, 1.0)],
    "rotation.wrap": [(x,) for x in (-7.0, 0.0, 3.2, 100.0)],
    "rotation.attitude_error": [(Q, Axes(A, B, A)), (R, Axes(B, A, O))],
    "rotation.axes_along": [(A, 0.3), (Vector(0.0, 0.0, -2.0), 0.0), (B, -3.0)],
    "rotation.conjugate": [(Q,)],
    "rotation.cross": [(A, B)],
    "rotation.dot": [(A, B)],
    "rotation.euler_from_quaternion": [(Quaternion(1.0, 0.0, 0.0, 0.0),), (R,), (Quaternion(0.1, 0.7, 0.5, 0.5),)],
    "rotation.euler_rates": [(Euler(0.0, 0.0, 0.0), A), (Euler(0.3, -1.2, 3.0), B)],
    "rotation.frd": [(A,)],
    "rotation.length": [(O,), (A,)],
    "rotation.move_wrench": [(Wrench(A, B), A), (Wrench(O, A), B)],
    "rotation.multiply": [(Q, R)],
    "rotation.quaternion_from_euler": [(Euler(0.0, 0.0, 0.0),), (Euler(0.3, -1.2, 3.0),)],
    "rotation.rotate": [(Q, A), (R, O)],
    "rotation.scale": [(2.5, A)],
    "rotation.subtract": [(A, B)],
    "rotation.unrotate": [(Q, A), (R, B)],
    "section.heading": [(c,) for c in (-1.0, -0.1, 0.0, 0.05, 0.9)],
    "section.lift_and_drag": [(a, Polar(0.8, 0.1, -0.2, 0.7)) for a in ALPHAS],
    "section.plate_normal": [(a, 1.98) for a in ALPHAS],
    "section.polar_of": [(a, 0.9, 0.1, -0.05) for a in ALPHAS],
    "section.revolving_wing": [(a,) for a in ALPHAS],
    "section.section_polar": [(a, x, p) for a in ALPHAS for x in (0.0, 0.3, 1.0) for p in (NACA_0012, THIN)],
    "section.separation_point": [(a, p) for a in (*ALPHAS, 1.6) for p in (NACA_0012, THIN)],
    "section.steady_polar": [(a, p) for a in ALPHAS for p in (NACA_0012, THIN)],
    "section.turned_polar": [(Polar(0.9, 0.1, -0.05, 1.1), a) for a in (-0.2, 0.0, 0.3)],
    "section.viterna": [(a, 0.25, 1.2, 0.03, 8.0) for a in (0.25, 0.7, 1.5)],
    "servo.first_order": [(0.2, 1.0, tau, 0.01) for tau in (0.0, 0.001, 0.5)],
    "servo.limit_rate": [(0.2, wanted, 3.0, 0.01) for wanted in (-1.0, 0.21, 1.0)],
    "servo.second_order": [
        (0.3, -2.0, 1.0, 20.0, damping, dt)
        for damping in (0.0, 0.5, 0.9999, 1.0, 1.0001, 3.0, 50.0)
        for dt in (0.001, 0.3, 20.0)
    ],
    "space_arm.constants": [(a,) for a in (LISTING, SIMULATED)],
    "space_dynamics.coriolis": [(d, RATES, p) for d in POINTED for p in ARMS],
    "space_arm.directions": [(q, p) for q in POSTURES for p in ARMS],
    "space_arm.hand_jacobian": [(d, p) for d in POINTED for p in ARMS],
    "space_arm.hand_jacobian_rate": [(d, RATES, p) for d in POINTED for p in ARMS],
    "space_arm.hand_pose": [(q, p) for q in POSTURES for p in ARMS],
    "space_dynamics.mass_matrix": [(d, p) for d in POINTED for p in ARMS],
    "space_task.actuated_torques": [(f, Actuated(1.0, 2.0, -3.0, 4.0)) for f in AFLOAT],
    "space_task.dot": [(Actuated(1.0, 2.0, -3.0, 4.0), Actuated(0.5, 0.1, 0.2, 0.3))],
    "space_task.float_free": [(q, RATES, p) for q in POSTURES for p in ARMS],
    "space_task.reduce": [(f,) for f in AFLOAT],
    "space_task.solve": [(f, ASKED) for f in AFLOAT],
    "space_task.task_torques": [(f, ASKED, PUSHED) for f in AFLOAT],
    "slipstream.immersed_share": [
        (r, y, z, 1.0) for r in (0.0, 0.2, 3.0) for y in (-0.6, 0.0, 0.4) for z in (0.0, 0.1, 0.2)
    ],
    "slipstream.induced_speed": [
        (thrust, v, density, 0.15) for thrust in (-9.0, 0.0, 5.0) for v in (-3.0, 0.0, 12.0) for density in (0.0, 1.2)
    ],
    "slipstream.jet_velocity": [
        (Stream(A, Vector(0.6, 0.0, 0.8), 4.0, ahead, 0.2), point) for ahead in (0.0, 8.0) for point in (O, B, A)
    ],
    "slipstream.stream_radius": [
        (v, added, u, 0.15) for v, added in ((0.0, 0.0), (5.0, 9.0), (-5.0, -9.0)) for u in (-3.0, 0.0, 12.0)
    ],
    "slipstream.stream_speed": [(v, s, 0.15) for v in (-2.0, 0.0, 7.0) for s in (-1.0, 0.0, 0.5)],
    "strip.across_sweep": [(0.2, 0.1, 0.5), (0.3, 0.1, -0.2)],
    "strip.added_energy": [(f, 1.2, p) for f in FLOWS for p in STRIPS],
    "strip.added_mass": [(1.2, p) for p in STRIPS],
    "strip.added_wrench": [(9.0, -40.0, 1.2, p) for p in STRIPS],
    "strip.effective_down": [(m, f, p) for m in MEMORIES for f in FLOWS for p in STRIPS],
    "strip.idle_down": [(f, p) for f in FLOWS for p in STRIPS],
    "strip.steady_down": [(f, p) for f in FLOWS for p in STRIPS],
    "strip.strip_friction": [(f, 1.2, p) for f in FLOWS for p in STRIPS],
    "strip.strip_flow": [(v, w, p) for v in (O, A) for w in (O, B) for p in STRIPS],
    "strip.strip_rates": [(m, f, 0.3, p) for m in MEMORIES for f in FLOWS for p in STRIPS],
    "strip.strip_start": [(f, p) for f in FLOWS for p in STRIPS],
    "strip.strip_step": [(m, f, -0.2, dt, p) for m in MEMORIES for f in FLOWS for dt in (0.001, 9.0) for p in STRIPS],
    "strip.strip_wrench": [
        (f, w, x, Polar(0.8, 0.1, -0.2, 0.7), 1.2, p)
        for f in FLOWS
        for w in (0.0, 1.4)
        for x in (0.0, 0.6)
        for p in STRIPS
    ],
    "von_karman.karman_gust": [(SWIRL, GUSTS), (SWIRL, SHORT)],
    "von_karman.karman_start": [(SWIRL,)],
    "von_karman.karman_step": [(SWIRL, 300.0, SWIRL, dt, GUSTS) for dt in (10.0, 60.0)],
    "wind.dryden_gust": [(STATE, GUSTS), (STATE, SHORT)],
    "wind.dryden_start": [(NOISE,)],
    "wind.dryden_step": [(STATE, v, NOISE, dt, p) for v in (0.0, 20.0) for dt in (5e-4, 0.05) for p in (GUSTS, SHORT)],
    "wind.log_law": [(h, 5.0, 10.0, 0.03) for h in (-3.0, 0.03, 2.0, 80.0)],
    "wind.log_law_slope": [(h, 5.0, 10.0, 0.03) for h in (-3.0, 0.03, 2.0, 80.0)],
    "wind.thermal_updraft": [(d, h, COLUMN) for d in (0.0, 9e3, 1e5) for h in (-1.0, 300.0, 2000.0)],
    "wind.low_altitude_dryden": [(h, 8.0) for h in (-5.0, 0.0, 50.0, 900.0)],
    "wind.one_minus_cosine": [(x, 1.0, 4.0, 3.0) for x in (0.0, 1.0, 2.2, 5.0, 9.0)],
    "wind.power_law": [(h, 5.0, 10.0, s) for h in (-3.0, 0.0, 0.01, 2.0, 80.0) for s in (0.0, 0.28)],
    "wind.power_law_slope": [(h, 5.0, 10.0, s) for h in (-3.0, 0.0, 0.01, 2.0, 80.0) for s in (0.0, 0.28)],
    "wind.sheared_rate": [(A, B), (O, A)],
    "wind.wind_from": [(4.0, bearing) for bearing in (0.0, 1.0, -2.0)],
}


MOST_CASES = max(len(cases) for cases in CASES.values())


def public_functions() -> dict[str, Any]:
    found = {}
    for info in pkgutil.iter_modules(cupola.physics.__path__):
        module = importlib.import_module(f"cupola.physics.{info.name}")
        for name, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == module.__name__ and not name.startswith("_"):
                found[f"{info.name}.{name}"] = function
    return found


FUNCTIONS = public_functions()


def test_no_physics_function_is_forgotten():
    assert sorted(CASES) == sorted(FUNCTIONS)


def as_row(p: Any) -> Any:
    """Parameters as the compiled loop keeps them: a record with the same field names."""
    return np.array([tuple(p)], dtype=[(name, "f8") for name in p._fields])[0]


def leaves(result: Any) -> list[Any]:
    return jax.tree.leaves(result)


class Stacked:
    """The cases of one function: its varying arguments as arrays, the fixed ones apart."""

    def __init__(self, name: str) -> None:
        self.function = FUNCTIONS[name]
        self.cases = CASES[name]
        self.names = list(inspect.signature(self.function).parameters)
        fixed = [n in FIXED or isinstance(a, np.ndarray) for n, a in zip(self.names, self.cases[0], strict=True)]
        self.fixed = {i: self.cases[0][i] for i, f in enumerate(fixed) if f}
        varying = [tuple(a for i, a in enumerate(case) if i not in self.fixed) for case in self.cases]
        self.arrays = jax.tree.map(lambda *column: np.array(column), *varying) if varying[0] else ()

    def call(self, arrays: tuple[Any, ...], tables: Any = np.asarray) -> Any:
        rest = iter(arrays)
        fixed = {i: tables(a) if isinstance(a, np.ndarray) else a for i, a in self.fixed.items()}
        return self.function(*(fixed[i] if i in fixed else next(rest) for i in range(len(self.names))))

    def python(self) -> list[Any]:
        """One array per number of the result, one row per case: the answer the others are held to."""
        plain = [[a.tolist() if isinstance(a, np.ndarray) else a for a in case] for case in self.cases]
        rows = [leaves(self.function(*case)) for case in plain]
        return [np.array(column) for column in zip(*rows, strict=True)]

    def compiled(self) -> list[Any]:
        run = jit(self.function)
        rows = [
            leaves(run(*(as_row(a) if n == "p" else a for n, a in zip(self.names, case, strict=True))))
            for case in self.cases
        ]
        return [np.array(column) for column in zip(*rows, strict=True)]

    def numpy(self) -> list[Any]:
        return leaves(self.call(self.arrays))

    def jax(self) -> tuple[list[Any], list[Any]]:
        """Values, and the gradient of their sum by every floating point argument.

        The cases are repeated to one length for all functions and nothing is compiled as a whole: JAX then compiles
        each operation once for all functions. `vmap` traces as `jit` does.
        """
        arrays = jax.tree.map(lambda a: np.resize(a, (MOST_CASES, *a.shape[1:])), self.arrays)
        values, gradients = self._differentiated(arrays)
        size = len(self.cases)
        return [np.asarray(v)[:size] for v in values], [np.asarray(g)[:size] for g in gradients]

    def _differentiated(self, arrays: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
        def total(floats, integers):
            joined = jax.tree.map(lambda f, i: i if f is None else f, floats, integers, is_leaf=lambda x: x is None)
            result = self.call(joined, jnp.asarray)
            return sum(leaves(result)), result

        is_float = jax.tree.map(lambda a: a.dtype.kind == "f", arrays)
        floats = jax.tree.map(lambda a, f: jnp.asarray(a) if f else None, arrays, is_float)
        integers = jax.tree.map(lambda a, f: None if f else jnp.asarray(a), arrays, is_float)
        if not leaves(floats):
            return leaves(jax.vmap(lambda i: self.call(i, jnp.asarray))(integers)), []
        gradient, result = jax.vmap(jax.grad(total, has_aux=True))(floats, integers)
        return leaves(result), leaves(gradient)


def compare(got: list[Any], expected: list[Any], size: int) -> None:
    assert len(got) == len(expected)
    for g, e in zip(got, expected, strict=True):
        # The absolute part only forgives rounding of numbers that should be zero.
        np.testing.assert_allclose(np.broadcast_to(g, size), e, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("name", sorted(CASES))
def test_four_ways_agree(name):
    stacked = Stacked(name)
    size = len(stacked.cases)
    expected = stacked.python()
    assert all(np.all(np.isfinite(e)) for e in expected)
    compare(stacked.compiled(), expected, size)
    if not stacked.arrays:
        return
    compare(stacked.numpy(), expected, size)
    values, gradients = stacked.jax()
    compare(values, expected, size)
    for gradient in gradients:
        assert np.all(np.isfinite(gradient)), f"{name} has no finite gradient in {stacked.cases}"


def test_the_same_random_bits_in_all_four():
    stacked = Stacked("noise.threefry")
    expected = stacked.python()
    for got in (stacked.compiled(), stacked.numpy(), stacked.jax()[0]):
        np.testing.assert_array_equal(np.array(got), np.array(expected))
