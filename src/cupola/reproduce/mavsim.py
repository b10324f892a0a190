"""Check values of mavsim, the teaching simulator of Beard and McLain's book, with its Aerosonde in our world.

Chapter 3: derivatives of the state under a given force and moment. Chapter 4: aerodynamic forces and moments; its
propeller is another model than ours and acts along and about x only, so its published share is taken off there. The
book's axes are front-right-down in a world of north-east-down; with our x as north, `frd` is the way there and back.
"""

from collections.abc import Iterator

from cupola.physics.atmosphere import GAS_CONSTANT, SEA_LEVEL_TEMPERATURE
from cupola.physics.rotation import Quaternion, Vector, cross, frd, multiply, subtract
from cupola.reproduce.row import Row, within
from cupola.reproduce.scene import world_of
from cupola.world import World

SOURCE = "mavsim_public e8bff50, chapter {} check values"
DENSITY = 1.2682
# Aerosonde: Jx, Jy, Jz, Jxz = 0.8244, 1.135, 1.759, 0.1204 kg m². Half a turn about x flips the sign of Jxz.
MJCF = """<mujoco><worldbody><body name="base"><freejoint/>
  <inertial pos="0 0 0" mass="11" fullinertia="0.8244 1.135 1.759 0 0.1204 0"/><site name="wing"/>
</body></worldbody></mujoco>"""
WING = {
    "kind": "airfoil", "site": "wing", "channels": [0, 1, 2], "deflection_max": [1.0, 1.0, 1.0],
    "surface": {
        "area": 0.55, "span": 2.8956, "chord": 0.18994, "oswald": 0.9, "mcoeff": 50.0, "alpha_stall": 0.47,
        "c_lift_0": 0.23, "c_lift_a": 5.61, "c_lift_q": 7.95, "c_lift_input_y": 0.13, "c_drag_input_y": 0.0135,
        "c_m_0": 0.0135, "c_m_a": -2.74, "c_m_q": -38.21, "c_m_input_y": -0.99,
        "c_y_b": -0.98, "c_y_input_x": 0.075, "c_y_input_z": 0.19,
        "c_l_b": -0.13, "c_l_p": -0.51, "c_l_r": 0.25, "c_l_input_x": 0.17, "c_l_input_z": 0.0024,
        "c_n_b": 0.073, "c_n_p": 0.069, "c_n_r": -0.095, "c_n_input_x": -0.011, "c_n_input_z": -0.069,
    },
}  # fmt: skip
CONTROLLER = {"use": "pass_through", "rate_hz": 400}

FORCE, MOMENT, VELOCITY, RATE = Vector(10.0, 5.0, 0.0), Vector(0.0, 14.0, 0.0), (5.0, 0.0, 0.0), Vector(1.0, 0.5, 0.0)
CHAPTER_3 = {
    "north_dot": (5.0, "m/s"), "east_dot": (0.0, "m/s"), "down_dot": (0.0, "m/s"),
    "u_dot": (0.90909091, "m/s²"), "v_dot": (0.45454545, "m/s²"), "w_dot": (2.5, "m/s²"),
    "e0_dot": (0.0, "1/s"), "e1_dot": (0.5, "1/s"), "e2_dot": (0.25, "1/s"), "e3_dot": (0.0, "1/s"),
    "p_dot": (0.06073576, "rad/s²"), "q_dot": (12.22872247, "rad/s²"), "r_dot": (-0.08413156, "rad/s²"),
}  # fmt: skip
EIGHT_DECIMALS = 5e-9

ELEVATOR, RUDDER, SPEED = -0.2, 0.005, 25.0
PROPELLER_THRUST, PROPELLER_TORQUE = -12.43072534597213, -0.49879620097737787
CHAPTER_4 = {
    "fx": (-12.109717001006562 - PROPELLER_THRUST, "N"), "fy": (0.20707328125000002, "N"),
    "Mx": (0.5063701133123779 + PROPELLER_TORQUE, "N m"), "My": (8.75643373378125, "N m"),
    "Mz": (-0.21774997963125006, "N m"), "v_dot": (0.01882484375, "m/s²"), "w_dot": (5.767612500567343, "m/s²"),
    "q_dot": (7.714919589234582, "rad/s²"),
}  # fmt: skip


def rows(full: bool) -> Iterator[Row]:
    """Chapters 3 and 4."""
    for number, published, measured in ((3, CHAPTER_3, chapter_3()), (4, CHAPTER_4, chapter_4())):
        for name, (figure, unit) in published.items():
            key, quantity = f"mavsim_{number}_{name}", f"Aerosonde, {name}"
            yield within(key, SOURCE.format(number), quantity, figure, measured[name], EIGHT_DECIMALS, unit)


def chapter_3() -> dict[str, float]:
    """Derivatives of the state in a world without gravity and air."""
    space = {"gravity": 0.0, "air": {"space": True}}
    world = world_of(MJCF, {"controller": CONTROLLER}, space, velocity_b=VELOCITY, rate_b=frd(RATE))
    seen = world.motion()
    world.arrays.push[world.members[0].root] = [*frd(FORCE), *frd(MOMENT)]
    turn = multiply(seen.quat_wb, Quaternion(0.0, *seen.rate_b))
    rates = (0.5 * turn.w, *(0.5 * x for x in frd(Vector(turn.x, turn.y, turn.z))))
    u_dot, v_dot, w_dot, *turning = accelerations(world)
    return dict(zip(CHAPTER_3, (*frd(seen.vel_w), u_dot, v_dot, w_dot, *rates, *turning), strict=True))


def chapter_4() -> dict[str, float]:
    """Aerodynamic force and moment, and the derivatives that the propeller leaves alone."""
    sticks = [{"time": 0.0, "channels": [0.0, ELEVATOR, RUDDER]}]
    vehicle = {"parts": {"wing": WING}, "controller": {**CONTROLLER, "sticks": sticks}}
    air = {"sea_level_pressure": DENSITY * GAS_CONSTANT * SEA_LEVEL_TEMPERATURE}
    world = world_of(MJCF, vehicle, {"air": air}, velocity_b=(SPEED, 0.0, 0.0))
    _, v_dot, w_dot, _, q_dot, _ = accelerations(world)
    out = [float(x) for x in world.arrays.outputs[5:11]]
    force, moment = frd(Vector(*out[:3])), frd(Vector(*out[3:]))
    return dict(zip(CHAPTER_4, (force.x, force.y, *moment, v_dot, w_dot, q_dot), strict=True))


def accelerations(world: World) -> tuple[float, ...]:
    """Take one step; u, v, w and p, q, r rates at its beginning, front-right-down."""
    seen = world.motion()
    world.step()
    linear, angular = Vector(*world.data.qacc[:3].tolist()), Vector(*world.data.qacc[3:6].tolist())
    return (*frd(subtract(linear, cross(seen.rate_b, seen.vel_b))), *frd(angular))
