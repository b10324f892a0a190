"""Rows of the world's arrays: what each number is called. Read by name in compiled code and in Python."""

from collections.abc import Iterator
from typing import Any, Protocol, TypeVar, get_type_hints
from typing import overload as typed_overload

import numpy as np

from cupola.physics.atmosphere import Atmosphere
from cupola.physics.geodesy import Geodetic
from cupola.physics.planet import Planet
from cupola.physics.wind import Dryden, Thermal

T = TypeVar("T", covariant=True)


class Rows(Protocol[T]):
    """An array of rows that are read by name."""

    shape: tuple[int, ...]
    size: int
    nbytes: int
    dtype: Any
    ctypes: Any

    @typed_overload
    def __getitem__(self, index: str) -> Any:
        """One column of all rows."""

    @typed_overload
    def __getitem__(self, index: int) -> T:
        """One row."""

    @typed_overload
    def __getitem__(self, index: Any) -> Any:
        """Some of the rows."""

    def __setitem__(self, index: Any, value: Any) -> None:
        """Write a column, or rows."""

    def __iter__(self) -> Iterator[T]:
        """Row by row."""

    def __len__(self) -> int:
        """How many rows there are."""

    def view(self, kind: Any) -> Any:
        """The same rows otherwise."""


class WorldRow:
    """Numbers of the whole world: its clock, what is where, and MuJoCo's functions by address."""

    dt: float
    log_period: float
    """[ticks]."""
    seed: int
    draw_every: int
    """[ticks] that gusts and turbulence are held."""
    integrator: int
    state_size: int
    """Numbers of MuJoCo's state."""
    state_copied: int
    """1 if MuJoCo must copy its state itself: see `kernel.mujoco_abi.state_segments`."""
    log_width: int
    forces_applied: int
    """1 while a force is applied to a body."""
    floor: int
    """Geom of the floor, -1 for none."""
    split: int
    """1 if inertia or contact entries need the forward pass stage by stage."""
    model: int
    data: int
    contact_number: int
    """In MuJoCo's data: offset of the number of contacts; then of the pointer to the first [bytes]."""
    contact_first: int
    contact_size: int
    """Of one contact [bytes], then offsets in it."""
    contact_pos: int
    contact_frame: int
    contact_friction: int
    contact_surfacevel: int
    contact_geom: int
    mjcb_time: int
    """Where MuJoCo has the address of its clock."""
    mj_step1: int
    mj_step2: int
    mj_fwdPosition: int  # noqa: N815 - MuJoCo's name
    mj_fwdVelocity: int  # noqa: N815
    mj_fwdActuation: int  # noqa: N815
    mj_fwdAcceleration: int  # noqa: N815
    mj_fwdConstraint: int  # noqa: N815
    mj_integratePos: int  # noqa: N815
    mj_rnePostConstraint: int  # noqa: N815
    mj_fwdKinematics: int  # noqa: N815
    mj_makeM: int  # noqa: N815
    mj_factorM: int  # noqa: N815
    mj_collision: int
    mj_makeConstraint: int  # noqa: N815
    mj_island: int
    mj_transmission: int
    mj_projectConstraint: int  # noqa: N815
    mj_sensorPos: int  # noqa: N815
    mj_sensorVel: int  # noqa: N815
    mj_getState: int  # noqa: N815
    mj_multiRay: int  # noqa: N815


class ObservationRow:
    """What a controller sees of its vehicle: see `kernel.observation.Observation`."""

    time: float
    period: float
    x: float
    y: float
    z: float
    qw: float
    qx: float
    qy: float
    qz: float
    vx: float
    """World axes."""
    vy: float
    vz: float
    u: float
    """Body axes."""
    v: float
    w: float
    p: float
    q: float
    r: float
    air_u: float
    """Through the air, body axes."""
    air_v: float
    air_w: float


class AirRow:
    """The air at one vehicle."""

    wind_x: float
    """[m/s, world], gust included."""
    wind_y: float
    wind_z: float
    gust_x: float
    """[m/s, world], held during a tick."""
    gust_y: float
    gust_z: float
    density: float
    pressure: float
    temperature: float
    height: float
    """[m] for which the three above were found; NaN before."""
    matrix_density: float
    """[kg/m³] with which the inertia of the air is in MuJoCo's mass matrix: a restore makes it again, to the bit."""


class TurbulenceRow:
    """What the turbulence around one vehicle remembers: see `DrydenState` and `KarmanState` in `physics`."""

    u: float
    v1: float
    v2: float
    w1: float
    w2: float
    u2: float
    v3: float
    w3: float


class VehicleRow:
    """One vehicle."""

    root: int
    """Body whose motion controllers see."""
    stream: int
    """Of its random numbers."""


class ControlRow:
    """Who flies one vehicle."""

    function: int
    """Compiled law; 0 for a controller in plain Python."""
    block: int
    every: int
    """[ticks]."""
    vehicle: int
    start: int
    """Its channels."""
    count: int
    stopped: int


class EntryRow:
    """One kernel of one kind in a stage: what to call, and the rows to call it for."""

    function: int
    rows: int
    count: int


class SegmentRow:
    """Some numbers that are copied as they lie."""

    address: int
    count: int


class SensorRow:
    """When a sensor fires, where its samples lie, and what a failure does to them."""

    period: float
    """[ticks]; sample k falls on the first tick at or after k periods."""
    loss: float
    """Share of samples that never arrives."""
    function: int
    """Compiled `measure` of its kind."""
    rows: int
    """Address of its own row."""
    start: int
    capacity: int
    width: int
    counter: int
    stream: int
    stuck: int
    """1: repeats its last sample."""
    needs: int
    """What must be known first: 0 nothing more, 1 accelerations, 2 forces between bodies."""


class ErrorRow:
    """What went wrong first in a tick: see `kernel.stages`."""

    what: int
    which: int
    """Controller, velocity coordinate, entry of a stage, or sensor."""
    row: int


ACCELERATIONS, FORCES = 1, 2
"""What a sensor may need before it measures: `SensorRow.needs`."""


class PatchRow:
    """A rectangle of the floor with its own friction."""

    x_min: float
    x_max: float
    y_min: float
    y_max: float
    friction: float


class GustRow:
    """A 1-cosine gust."""

    start: float
    rise: float
    hold: float
    x: float
    y: float
    z: float


class JetRow:
    """A propeller whose stream others feel: where it lies in `given`, and whose it is."""

    given: int
    vehicle: int


class WindLayerRow:
    """Wind of a table at one height, east and north."""

    height: float
    x: float
    y: float


class WindRow:
    """Mean wind: a power law of height, or a logarithmic one where there is a roughness."""

    wind_speed: float
    wind_height: float
    wind_exponent: float
    wind_bearing: float
    wind_up: float
    wind_roughness: float
    wind_scale: float
    """What a wind field is multiplied with."""
    wind_at_6m: float
    """[m/s]: turbulence by height over the ground; 0: the same everywhere."""
    turbulent: int
    karman: int
    """1: von Kármán's spectrum, 0: Dryden's."""


class FieldRow:
    """Magnetic field east, north, up [T], unless that of the dipole; spin of the planet [rad/s], world axes; shape."""

    field_x: float
    field_y: float
    field_z: float
    dipole: int
    """1: the field of the Earth's dipole at each place."""
    spin_x: float
    spin_y: float
    spin_z: float
    curved: int
    """1 on a round Earth. Not `round`: a row of NumPy has a method of that name, which plain Python would read."""


def columns(*classes: type) -> np.dtype[np.void]:
    """Record type of the annotated fields of some classes: floats and integers of 64 bits."""
    kinds = {int: "i8"}
    named = {name: kinds.get(hint, "f8") for cls in classes for name, hint in get_type_hints(cls).items()}
    return np.dtype(list(named.items()))


WORLD, VEHICLE, CONTROL, ENTRY = columns(WorldRow), columns(VehicleRow), columns(ControlRow), columns(EntryRow)
OBSERVATION, AIR_AT, TURBULENCE = columns(ObservationRow), columns(AirRow), columns(TurbulenceRow)
WIND_LAYER, THERMAL, JET = columns(WindLayerRow), columns(Thermal), columns(JetRow)
SEGMENT, SENSOR, PATCH, GUST = columns(SegmentRow), columns(SensorRow), columns(PatchRow), columns(GustRow)
ERROR = columns(ErrorRow)
AIR = columns(Atmosphere, Dryden, WindRow)
EARTH = columns(Geodetic, FieldRow, Planet)


def column_of(row_type: np.dtype[Any], name: str) -> int:
    """Which number of a row has a name."""
    assert row_type.names is not None
    return row_type.names.index(name)
