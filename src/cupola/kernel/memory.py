"""Everything the compiled loop reads and writes, reached through one table of addresses.

Handing forty arrays from function to function costs more than the physics they do. So Python hands over one table of
(address, length), and `v.cvel` in compiled code opens that array on the spot. All arrays stay where they are for the
life of a world. What a number in an array means is said here and nowhere else: rows are read by name.
"""

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import intrinsic, models, overload, register_model
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import from_dtype

from cupola.kernel.rows import (
    AIR,
    AIR_AT,
    CONTROL,
    EARTH,
    ENTRY,
    ERROR,
    GUST,
    JET,
    OBSERVATION,
    PATCH,
    SEGMENT,
    SENSOR,
    THERMAL,
    TURBULENCE,
    VEHICLE,
    WIND_LAYER,
    WORLD,
    AirRow,
    ControlRow,
    EntryRow,
    ErrorRow,
    GustRow,
    JetRow,
    ObservationRow,
    PatchRow,
    Rows,
    SegmentRow,
    SensorRow,
    TurbulenceRow,
    VehicleRow,
    WindLayerRow,
    WorldRow,
)

STICKS = 20
"""Stick channels per vehicle."""
Array = np.ndarray[Any, Any]


class Views(NamedTuple):
    """Arrays of MuJoCo's model and data under MuJoCo's names, then ours."""

    qpos: Array
    qvel: Array
    qacc: Array
    qacc_warmstart: Array
    xpos: Array
    xquat: Array
    xipos: Array
    cvel: Array
    cacc: Array
    cdof: Array
    cdof_dot: Array
    M: Array
    cfrc_int: Array
    ximat: Array
    body_mass: Array
    body_inertia: Array
    subtree_com: Array
    site_xpos: Array
    site_xmat: Array
    site_pos: Array
    site_quat: Array
    body_ipos: Array
    body_iquat: Array
    xfrc_applied: Array
    qfrc_applied: Array
    ctrl: Array
    actuator_force: Array
    actuator_forcerange: Array
    geom_friction: Array
    dof_frictionloss: Array
    reflectivity: Array
    """Per geom: share of a laser's light that it sends back."""
    body_rootid: Array
    site_bodyid: Array
    jnt_qposadr: Array
    jnt_dofadr: Array
    dof_parentid: Array
    M_rowadr: Array
    M_rownnz: Array
    M_colind: Array
    turning: Array
    """Per velocity coordinate: 1 where the three rates of a ball or free joint begin."""
    last_dof: Array
    """Per body: the last velocity coordinate that moves it, -1 for none."""
    world: Rows[WorldRow]
    vehicles: Rows[VehicleRow]
    air: Rows[Any]
    earth: Rows[Any]
    gusts: Rows[GustRow]
    wind_layers: Rows[WindLayerRow]
    wind_field: Array
    """A grid of winds in space and time: see `kernel.wind_field`. Empty: none."""
    thermals: Rows[Any]
    jets: Rows[JetRow]
    patches: Rows[PatchRow]
    controls: Rows[ControlRow]
    entries: Rows[EntryRow]
    """All kernels of all stages, stage by stage."""
    stage_starts: Array
    """Where each stage begins in `entries`; one more than there are stages."""
    sensors: Rows[SensorRow]
    log_segments: Rows[SegmentRow]
    history_segments: Rows[SegmentRow]
    settling: Array
    """Indices of states with a steady value, such as shaft speeds."""
    state: Array
    """Part states, filter states, biases: what a snapshot must hold."""
    turbulence: Rows[TurbulenceRow]
    counters: Array
    """The tick; then one sample counter per sensor; the last counts log rows."""
    command: Array
    """Command channels of all vehicles; slot 0 is always 0."""
    may_hold: Array
    """Per channel: 1 if NaN is a valid command (hold)."""
    drive: Array
    """The same channels after the actuators."""
    sticks: Array
    """Stick channels of each vehicle, -1 to 1."""
    external_wrench: Array
    """Force and torque from outside per body, world axes, at its centre of mass [N, N m]."""
    applied_forces: Array
    """A force per body [N, world axes], the point of the body it acts at [m, body axes], a torque [N m, world axes]."""
    outputs: Array
    """What parts show."""
    reported: Array
    """What controllers report: their signals."""
    given: Array
    """What parts give to each other: supplies, streams, and the sums of what they draw."""
    air_samples: Rows[AirRow]
    observations: Rows[ObservationRow]
    samples: Array
    log: Array
    constants: Array
    """Tables, curves and elements of parts."""
    history: Array
    error: Rows[ErrorRow]
    buffer: Array
    """Coordinates and rates of the integrator's stages."""

    def as_records(self) -> "Views":
        """The same arrays with rows that plain Python reads by name, as the compiled loop does."""
        rows = {name: value.view(np.recarray) for name, value in self._asdict().items() if value.dtype.names}
        return self._replace(**rows)


INT = np.dtype(np.int64)
ROW_TYPES: dict[str, Any] = {
    "world": WORLD,
    "vehicles": VEHICLE,
    "air": AIR,
    "earth": EARTH,
    "gusts": GUST,
    "wind_layers": WIND_LAYER,
    "thermals": THERMAL,
    "jets": JET,
    "patches": PATCH,
    "controls": CONTROL,
    "entries": ENTRY,
    "sensors": SENSOR,
    "log_segments": SEGMENT,
    "history_segments": SEGMENT,
    "error": ERROR,
    "turbulence": TURBULENCE,
    "air_samples": AIR_AT,
    "observations": OBSERVATION,
    **dict.fromkeys(("body_rootid", "site_bodyid", "jnt_qposadr", "jnt_dofadr", "dof_parentid"), INT),
    **dict.fromkeys(("M_rowadr", "M_rownnz", "M_colind", "turning", "last_dof"), INT),
    **dict.fromkeys(("stage_starts", "settling", "counters", "may_hold"), INT),
}
"""What an entry of each array is; a float64 unless named here."""
WIDTHS = {
    **dict.fromkeys(("xpos", "xipos", "subtree_com", "site_xpos", "site_pos", "body_ipos", "body_inertia"), 3),
    **dict.fromkeys(("geom_friction",), 3),
    **dict.fromkeys(("xquat", "site_quat", "body_iquat"), 4),
    **dict.fromkeys(("cvel", "cacc", "cfrc_int", "cdof", "cdof_dot", "xfrc_applied"), 6),
    "external_wrench": 6,
    "applied_forces": 9,
    **dict.fromkeys(("site_xmat", "ximat"), 9),
    "actuator_forcerange": 2,
    "sticks": STICKS,
}
"""Columns of the arrays that are tables."""


class ViewsType(types.Type):
    """How compiled code sees `Views`: the address of the table, nothing else to carry from call to call."""

    def __init__(self) -> None:
        super().__init__("Views")


views_type: Any = ViewsType()
register_model(ViewsType)(lambda manager, kind: models.PrimitiveModel(manager, kind, ir.IntType(64)))


@intrinsic
def open_views(typing_context, address):  # type: ignore[no-untyped-def]
    """The views behind the address of a table."""
    return views_type(types.intp), lambda context, builder, signature, args: args[0]


@intrinsic
def table_of(typing_context, views):  # type: ignore[no-untyped-def]
    """The address of the table behind some views."""
    return types.intp(views_type), lambda context, builder, signature, args: args[0]


def window(array: Array, start: int, count: int) -> Array:
    """Some numbers of an array, not copied; compiled without the checks of a slice, which cost a second each."""
    return array[start : start + count]


@intrinsic
def _window(typing_context, array, start, count):  # type: ignore[no-untyped-def]
    def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
        kind = signature.return_type
        whole, part = context.make_array(kind)(context, builder, args[0]), context.make_array(kind)(context, builder)
        populate_array(
            part,
            data=builder.gep(whole.data, [args[1]]),
            shape=cgutils.pack_array(builder, (args[2],), ty=ir.IntType(64)),
            strides=whole.strides,
            itemsize=whole.itemsize,
            meminfo=None,
        )
        return part._getvalue()

    return array(array, types.int64, types.int64), generate


@overload(window)
def _(array, start, count):  # type: ignore[no-untyped-def]
    return lambda array, start, count: _window(array, start, count)


def copy(source: Array, target: Array) -> None:
    """Copy all numbers of an array into another one."""
    for i in range(source.shape[0]):
        target[i] = source[i]


class _Place(NamedTuple):
    number: int
    kind: Any
    width: int
    size: int


def _place(index: int, name: str) -> _Place:
    kind, width = ROW_TYPES.get(name, np.dtype(np.float64)), WIDTHS.get(name, 0)
    return _Place(index, types.Array(from_dtype(kind), 2 if width else 1, "C"), width, kind.itemsize)


PLACES = {name: _place(index, name) for index, name in enumerate(Views._fields)}


@infer_getattr
class _ViewsAttributes(AttributeTemplate):  # type: ignore[misc]
    key = ViewsType

    def generic_resolve(self, views: Any, name: str) -> Any:
        return PLACES[name].kind if name in PLACES else None


@lower_getattr_generic(ViewsType)
def _open(context, builder, kind, value, name):  # type: ignore[no-untyped-def]
    """`v.name` loads address and length from the table; a compiled function for each would cost a minute."""
    place, word = PLACES[name], ir.IntType(64)
    table = builder.inttoptr(value, word.as_pointer())
    address = builder.load(builder.gep(table, [ir.Constant(word, 2 * place.number)]))
    count = builder.load(builder.gep(table, [ir.Constant(word, 2 * place.number + 1)]))
    shape: tuple[Any, ...] = (count,)
    strides: tuple[Any, ...] = (ir.Constant(word, place.size),)
    if place.width:
        shape = (builder.sdiv(count, ir.Constant(word, place.width)), ir.Constant(word, place.width))
        strides = (ir.Constant(word, place.width * place.size), *strides)
    array = context.make_array(place.kind)(context, builder)
    populate_array(
        array,
        data=builder.inttoptr(address, context.get_data_type(place.kind.dtype).as_pointer()),
        shape=cgutils.pack_array(builder, shape, ty=word),
        strides=cgutils.pack_array(builder, strides, ty=word),
        itemsize=ir.Constant(word, place.size),
        meminfo=None,
    )
    return array._getvalue()


def address_table(arrays: Views) -> np.ndarray[Any, np.dtype[np.int64]]:
    """(address, number of entries) of each array, in the order of `Views`."""
    pairs = [(array.ctypes.data, array.size) for array in arrays]
    return np.array(pairs, np.int64).ravel()
