"""Everything the compiled loop reads and writes, reached through one table of addresses.

Handing forty arrays from function to function costs more than the physics they do. So Python hands over one table of
(address, length), and `v.cvel` in compiled code opens that array on the spot. All arrays stay where they are for the
life of a world.
"""

from typing import Any, NamedTuple

import mujoco
import numpy as np
from llvmlite import ir
from numba import carray
from numba.core import types
from numba.extending import intrinsic, models, overload_attribute, register_model

from cupola.kernel.jit import pointer
from cupola.kernel.mujoco_abi import ContactLayout
from cupola.parts.aero.airfoil import AIRFOIL
from cupola.parts.aero.bluff import BLUFF
from cupola.parts.aero.liftdrag import LIFTDRAG
from cupola.parts.aero.wing import WING
from cupola.parts.external.external import EXTERNAL
from cupola.parts.joints.air_bearing import BEARING
from cupola.parts.joints.gripper import GRIPPER
from cupola.parts.joints.joint_motor import MOTOR
from cupola.parts.joints.mecanum import MECANUM
from cupola.parts.joints.servo import SERVO
from cupola.parts.part import HELD, row_type
from cupola.parts.propulsion.battery import BATTERY
from cupola.parts.propulsion.flapping import FLAPPING
from cupola.parts.propulsion.gas_tank import TANK
from cupola.parts.propulsion.mixer import MIXER
from cupola.parts.propulsion.rotor import ROTOR
from cupola.parts.propulsion.thruster_pair import THRUSTER
from cupola.parts.sensors.sensor import SENSOR
from cupola.physics.atmosphere import Atmosphere
from cupola.physics.geodesy import Geodetic
from cupola.physics.planet import Planet
from cupola.physics.wind import Dryden

SEEN = 21
"""Numbers per vehicle that a controller sees: see `control.controller.Seen`."""
STICKS = 20
"""Stick channels per vehicle."""
AIR_VALUES = 9
"""Per vehicle: wind (3) and the gust in it (3) [m/s, world], density [kg/m³], pressure [Pa], temperature [K]."""


class _WorldNumbers(NamedTuple):
    dt: float
    log_period: float
    """[ticks]."""


class _WindNumbers(NamedTuple):
    wind_speed: float
    wind_height: float
    wind_exponent: float
    wind_bearing: float
    wind_up: float


class _FieldNumbers(NamedTuple):
    field_x: float
    field_y: float
    field_z: float
    """Magnetic field, world axes [T]."""


C_FUNCTIONS = (
    "mj_step1",
    "mj_step2",
    "mj_fwdPosition",
    "mj_fwdVelocity",
    "mj_fwdActuation",
    "mj_fwdAcceleration",
    "mj_fwdConstraint",
    "mj_integratePos",
    "mj_rnePostConstraint",
    "mj_fwdKinematics",
    "mj_makeM",
    "mj_factorM",
    "mj_collision",
    "mj_makeConstraint",
    "mj_island",
    "mj_transmission",
    "mj_projectConstraint",
    "mj_sensorPos",
    "mj_sensorVel",
    "mj_getState",
    "mj_multiRay",
)
CONTACT_PLACES = tuple(f"contact_{name}" for name in ContactLayout._fields)
WORLD = row_type(
    _WorldNumbers,
    **dict.fromkeys(CONTACT_PLACES, "i8"),
    **dict.fromkeys(
        (*C_FUNCTIONS, "model", "data", "seed", "integrator", "state_size", "log_width", "pushed", "floor"), "i8"
    ),
)
AIR = row_type(Atmosphere, Dryden, _WindNumbers, turbulent="i8")
EARTH = row_type(Geodetic, _FieldNumbers, Planet, round="i8")
"""Where on the Earth the world's origin is, and whether the Earth is round."""
PATCH = np.dtype([(name, "f8") for name in ("x_min", "x_max", "y_min", "y_max", "friction")])
"""A rectangle of the floor with a friction of its own."""
GUST = np.dtype([(name, "f8") for name in ("start", "rise", "hold", "x", "y", "z")])
VEHICLE = np.dtype([("root", "i8"), ("gust", "i8"), ("stream", "i8")])
CONTROL = np.dtype([(name, "i8") for name in ("function", "block", "every", "vehicle", "start", "count", "stopped")])


class Views(NamedTuple):
    """Arrays of MuJoCo's data, then ours."""

    qpos: Any
    qvel: Any
    qacc: Any
    qacc_warmstart: Any
    xpos: Any
    xquat: Any
    xipos: Any
    cvel: Any
    cacc: Any
    cdof: Any
    """Per velocity coordinate: the spatial velocity it means."""
    cdof_dot: Any
    matrix: Any
    """Mass matrix, row by row, only what can differ from zero."""
    cfrc_int: Any
    """Per body what its parent does to it: torque, force, world axes, at the centre of mass of the tree."""
    ximat: Any
    mass: Any
    inertia: Any
    subtree_com: Any
    site_xpos: Any
    site_xmat: Any
    site_pos: Any
    site_quat: Any
    body_ipos: Any
    body_iquat: Any
    xfrc: Any
    qfrc: Any
    """What is applied to each velocity coordinate [N, N m]."""
    ctrl: Any
    motor_force: Any
    """What each MuJoCo actuator exerts."""
    motor_range: Any
    """Least and most that it may."""
    geom_friction: Any
    reflectivity: Any
    """Per geom: share of a laser's light that it sends back."""
    frictionloss: Any
    """Dry friction per velocity coordinate."""
    tree_root: Any
    site_body: Any
    joint_angle: Any
    joint_speed: Any
    """Where the first coordinate of a joint lies in `qpos` and in `qvel`."""
    turning: Any
    """Per velocity coordinate: 1 where the three rates of a ball or free joint begin."""
    last_dof: Any
    """Per body: the last velocity coordinate that moves it, -1 for none."""
    dof_parent: Any
    matrix_row: Any
    """Where the rows of the mass matrix begin, how many numbers they have, and in which columns those stand."""
    matrix_count: Any
    matrix_column: Any
    world: Any
    vehicles: Any
    air: Any
    earth: Any
    gusts: Any
    patches: Any
    controls: Any
    mixers: Any
    flappers: Any
    servos: Any
    airfoils: Any
    liftdrags: Any
    wings: Any
    rotors: Any
    mecanums: Any
    treads: Any
    """Per geom: 4 times the row of the base and the number of the wheel whose tread it is, -1 for others."""
    motors: Any
    tanks: Any
    bearings: Any
    thrusters: Any
    grippers: Any
    bluffs: Any
    batteries: Any
    held: Any
    externals: Any
    sensors: Any
    state: Any
    """Part states, filter states, biases: what a snapshot must hold."""
    counters: Any
    """[0] the tick; then one sample counter per sensor; the last counts log rows."""
    command: Any
    """Command channels of all vehicles; slot 0 is always 0."""
    may_hold: Any
    """Per channel: 1 where not a number is a command."""
    drive: Any
    """The same channels after the actuators."""
    sticks: Any
    """What each pilot's hand does: 20 channels per vehicle, -1 to 1."""
    push: Any
    """Outside force and torque per body, world axes, at its centre of mass [N, N m]."""
    pulls: Any
    """A force per body [N, world axes], then the point of the body it acts at [m, body axes]."""
    outputs: Any
    airs: Any
    seen: Any
    samples: Any
    log: Any
    curves: Any
    history: Any
    fault: Any
    stages: Any

    def as_records(self) -> "Views":
        """The same arrays with rows that plain Python reads by name, as the compiled loop does."""
        rows = {name: value.view(np.recarray) for name, value in self._asdict().items() if value.dtype.names}
        return self._replace(**rows)


ROW_TYPES = {
    "world": WORLD,
    "vehicles": VEHICLE,
    "air": AIR,
    "earth": EARTH,
    "gusts": GUST,
    "patches": PATCH,
    "controls": CONTROL,
    "mixers": MIXER,
    "flappers": FLAPPING,
    "servos": SERVO,
    "airfoils": AIRFOIL,
    "liftdrags": LIFTDRAG,
    "wings": WING,
    "rotors": ROTOR,
    "mecanums": MECANUM,
    "motors": MOTOR,
    "tanks": TANK,
    "bearings": BEARING,
    "thrusters": THRUSTER,
    "grippers": GRIPPER,
    "bluffs": BLUFF,
    "batteries": BATTERY,
    "held": HELD,
    "externals": EXTERNAL,
    "sensors": SENSOR,
    **dict.fromkeys(("tree_root", "site_body", "joint_angle", "joint_speed", "turning"), np.dtype(np.int64)),
    **dict.fromkeys(("counters", "fault", "may_hold", "treads"), np.dtype(np.int64)),
    **dict.fromkeys(("last_dof", "dof_parent", "matrix_row", "matrix_count", "matrix_column"), np.dtype(np.int64)),
}
"""What an entry of each array is; a float64 unless named here."""
WIDTHS = {
    **dict.fromkeys(
        ("xpos", "xipos", "subtree_com", "site_xpos", "site_pos", "body_ipos", "inertia", "geom_friction"), 3
    ),
    **dict.fromkeys(("xquat", "site_quat", "body_iquat"), 4),
    **dict.fromkeys(("cvel", "cacc", "cfrc_int", "cdof", "cdof_dot", "xfrc", "push", "pulls"), 6),
    **dict.fromkeys(("site_xmat", "ximat"), 9),
    "motor_range": 2,
    "airs": AIR_VALUES,
    "seen": SEEN,
    "sticks": STICKS,
}
"""Columns of the arrays that are tables."""


class ViewsType(types.Type):
    """How compiled code sees `Views`: the address of the table, nothing else to carry from call to call."""

    def __init__(self) -> None:
        super().__init__("Views")


views_type = ViewsType()
register_model(ViewsType)(lambda manager, kind: models.PrimitiveModel(manager, kind, ir.IntType(64)))


@intrinsic
def open_views(typing_context, address):  # type: ignore[no-untyped-def]
    """The views behind the address of a table."""
    return views_type(types.intp), lambda context, builder, signature, args: args[0]


@intrinsic
def _table(typing_context, views):  # type: ignore[no-untyped-def]
    return types.intp(views_type), lambda context, builder, signature, args: args[0]


def _make_attribute(index: int, name: str) -> None:
    """`v.name` in compiled code opens array number `index` of the table."""
    kind, width = ROW_TYPES.get(name, np.dtype(np.float64)), WIDTHS.get(name, 0)

    def flat(v):  # type: ignore[no-untyped-def]
        table = carray(pointer(_table(v)), (2 * FIELDS,), np.int64)
        return carray(pointer(table[2 * index]), (table[2 * index + 1],), kind)

    def wide(v):  # type: ignore[no-untyped-def]
        table = carray(pointer(_table(v)), (2 * FIELDS,), np.int64)
        return carray(pointer(table[2 * index]), (table[2 * index + 1] // width, width), kind)

    overload_attribute(ViewsType, name)(lambda v: wide if width else flat)


FIELDS = len(Views._fields)
for _index, _name in enumerate(Views._fields):
    _make_attribute(_index, _name)


def address_table(arrays: Views) -> np.ndarray[Any, np.dtype[np.int64]]:
    """(address, number of entries) of each array, in the order of `Views`."""
    pairs = [(array.ctypes.data, array.size) for array in arrays]
    return np.array(pairs, np.int64).ravel()


def mujoco_arrays(model: Any, data: Any) -> dict[str, Any]:
    """The arrays of `Views` that MuJoCo owns. Integers and `reflectivity` are copies that never change."""
    return {
        "qpos": data.qpos,
        "qvel": data.qvel,
        "qacc": data.qacc,
        "qacc_warmstart": data.qacc_warmstart,
        "xpos": data.xpos,
        "xquat": data.xquat,
        "xipos": data.xipos,
        "cvel": data.cvel,
        "cacc": data.cacc,
        "cdof": data.cdof,
        "cdof_dot": data.cdof_dot,
        "matrix": data.M,
        "cfrc_int": data.cfrc_int,
        "ximat": data.ximat,
        "mass": model.body_mass,
        "inertia": model.body_inertia,
        "subtree_com": data.subtree_com,
        "site_xpos": data.site_xpos,
        "site_xmat": data.site_xmat,
        "site_pos": model.site_pos,
        "site_quat": model.site_quat,
        "body_ipos": model.body_ipos,
        "body_iquat": model.body_iquat,
        "xfrc": data.xfrc_applied,
        "qfrc": data.qfrc_applied,
        "ctrl": data.ctrl,
        "motor_force": data.actuator_force,
        "motor_range": model.actuator_forcerange,
        "geom_friction": model.geom_friction,
        "reflectivity": _reflectivity(model),
        "frictionloss": model.dof_frictionloss,
        "tree_root": np.array(model.body_rootid, np.int64),
        "site_body": np.array(model.site_bodyid, np.int64),
        "joint_angle": np.array(model.jnt_qposadr, np.int64),
        "joint_speed": np.array(model.jnt_dofadr, np.int64),
        "turning": _turning(model),
        "last_dof": _last_dof(model),
        "dof_parent": np.array(model.dof_parentid, np.int64),
        "matrix_row": np.array(model.M_rowadr, np.int64),
        "matrix_count": np.array(model.M_rownnz, np.int64),
        "matrix_column": np.array(model.M_colind, np.int64),
    }


def _last_dof(model: Any) -> Any:
    last = np.full(model.nbody, -1, np.int64)
    for body in range(1, model.nbody):
        count, first = model.body_dofnum[body], model.body_dofadr[body]
        last[body] = first + count - 1 if count else last[model.body_parentid[body]]
    return last


def _reflectivity(model: Any) -> Any:
    """The red of a geom's colour, or of its material: the nearest to the infrared that a model says."""
    red = np.array(model.geom_rgba[:, 0], np.float64)
    dressed = model.geom_matid >= 0
    red[dressed] = model.mat_rgba[model.geom_matid[dressed], 0]
    return red


def _turning(model: Any) -> Any:
    starts = np.zeros(model.nv, np.int64)
    for kind, first in zip(model.jnt_type, model.jnt_dofadr, strict=True):
        if kind == mujoco.mjtJoint.mjJNT_BALL:
            starts[first] = 1
        elif kind == mujoco.mjtJoint.mjJNT_FREE:
            starts[first + 3] = 1
    return starts


LOGGED = ("seen", "airs", "xpos", "xquat", "qpos", "qvel", "sticks", "command", "drive", "outputs", "state")
"""Arrays of a log row, after its tick, in the order in which `engine.senses.note` writes them."""


def log_columns(arrays: Any) -> dict[str, slice]:
    """Where each array lies in a log row."""
    columns, at = {}, 1
    for name in LOGGED:
        size = getattr(arrays, name).size
        columns[name] = slice(at, at + size)
        at += size
    return columns
