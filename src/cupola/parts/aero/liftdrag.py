"""A surface with the numbers of Gazebo's LiftDrag plugins, on a link: as they compute it, or put right.

The site is the frame of the link; `cp`, `forward` and `upward` stand in its axes. A control's angle is read from its
joint, so that what a servo does not reach has no effect.
"""

from typing import Literal, NamedTuple

import mujoco
import numpy as np
from pydantic import Field

from cupola.parts.curve import curve_value
from cupola.parts.part import Curve, Load, Places, Row, SiteMotion
from cupola.physics.advanced_liftdrag import Advanced, Six, advanced_coefficients, advanced_flow, advanced_wrench
from cupola.physics.liftdrag import (
    Coefficients,
    LiftDrag,
    attached_lines,
    centre_shift,
    gazebo_coefficients,
    gazebo_flow,
    mended_coefficients,
    plane_flow,
    surface_load,
)
from cupola.physics.rotation import Vector, Wrench, add, cross, dot, length, move_wrench, scale
from cupola.schema.yaml_files import Entry
from cupola.xmath import Number, absolute

FAITHFUL, CORRECTED, ADVANCED = 0, 1, 2
SCALAR = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
CONTROL = 8
"""Numbers of a control in the pool: where its angle lies, then the fields of `Control` after the joint."""
Triple = tuple[float, float, float]


class LiftDragOutput(NamedTuple):
    """Everything that a surface computes."""

    speed: Number
    """[m/s] in the plane of lift and drag."""
    sweep: Number
    """[rad]; of an aircraft by its derivatives, the sideslip."""
    alpha: Number
    """[rad]."""
    pressure: Number
    """[Pa] dynamic."""
    c_lift: Number
    c_drag: Number
    c_moment: Number
    """Nose up; that of the faithful mode is found but does nothing, as in Gazebo."""
    control: Number
    """[rad] sum of the angles of its control joints."""
    lift: Number
    """[N]."""
    drag: Number
    """[N]."""
    side: Number
    """[N]."""
    moment: Number
    """[N m], nose up."""
    vel: Vector
    """[m/s] of the centre of pressure, axes of the link; through the air unless faithful."""
    wrench: Wrench
    """Axes of the link, about its origin [N, N m]."""


class Control(Entry):
    """What the angle of a joint does to the coefficients [1/rad]."""

    joint: str = Field(description="hinge of the MJCF model")
    lift: float = 0.0
    drag: float = Field(0.0, description="per size of the angle; signed for advanced numbers")
    moment: float = Field(0.0, description="nose up")
    side: float = Field(0.0, description="to the right; for advanced numbers")
    roll: float = Field(0.0, description="right side down; for advanced numbers")
    yaw: float = Field(0.0, description="nose right; for advanced numbers")
    cp: float = Field(0.0, description="[m/rad]: how far the centre of pressure moves forward")


class LiftDragSurface(Load):
    """One surface by slopes or tables (`surface`), or a whole aircraft by derivatives (`advanced`)."""

    kind: Literal["liftdrag"]
    mode: Literal["faithful", "corrected"] = Field(
        "corrected", description="faithful: as Gazebo's plugin, with its defects: no wind, own density, forces astray"
    )
    surface: LiftDrag | None = None
    advanced: Advanced | None = Field(None, description="numbers of gz-sim's AdvancedLiftDrag; always corrected")
    cp: Triple = Field((0.0, 0.0, 0.0), description="[m] centre of pressure, axes of the link")
    forward: Triple = Field((1.0, 0.0, 0.0), description="direction of the chord line, towards the nose")
    upward: Triple = Field((0.0, 0.0, 1.0), description="direction of lift at zero angle")
    radial_symmetry: bool = Field(False, description="a body of revolution about `forward`: `upward` follows the flow")
    air_density: float | None = Field(
        None, gt=0, description="[kg/m³] whatever the height; left out: that of the air here, or 1.2041 when faithful"
    )
    controls: tuple[Control, ...] = Field((), description="joints that act on it; at most one when faithful")
    lift: Curve | None = Field(
        None, description="lift coefficient of attached flow against alpha [rad]: corrected only"
    )
    drag: Curve | None = Field(None, description="the same of drag, without what cdi adds")
    moment: Curve | None = Field(None, description="the same of the moment")

    def bind(self, places: Places) -> Row:
        """Numbers and places for the loop."""
        mode = self._check()
        site = places.site(self.site)
        row = np.zeros((), LIFTDRAG)
        numbers = self.surface or self.advanced
        assert numbers is not None
        for name, value in numbers._asdict().items():
            row[name] = value
        if mode == FAITHFUL:
            row["cyb"] = 0.0
        for name in ("cp", "forward", "upward"):
            vector = np.array(getattr(self, name))
            size = 1.0 if name == "cp" else np.sqrt(vector @ vector)
            row[f"{name}_x"], row[f"{name}_y"], row[f"{name}_z"] = vector / size
        row["body"], row["site"], row["vehicle"], row["mode"] = places.body_of(site), site, places.vehicle, mode
        row["radial"] = self.radial_symmetry
        row["density"] = self.air_density or (GAZEBO_DENSITY if mode == FAITHFUL else 0.0)
        for name in ("lift", "drag", "moment"):
            curve = places.curve(getattr(self, name))
            row[f"{name}_start"], row[f"{name}_segments"], row[f"{name}_count"] = curve
        row["control_start"], row["control_count"] = len(places.pool), len(self.controls)
        for control in self.controls:
            joint = places.joint(control.joint)
            if int(places.model.jnt_type[joint]) not in SCALAR:
                raise ValueError(f"the joint {control.joint!r} of a control must be a hinge or a slide")
            effects = [getattr(control, name) for name in Control.model_fields if name != "joint"]
            places.pool += [float(places.model.jnt_qposadr[joint]), *effects]
        row["output"] = places.output(OUTPUTS)
        return row

    def _check(self) -> int:
        """Refuse numbers that do not go together; the result is the mode."""
        if (self.surface is None) == (self.advanced is None):
            raise ValueError("give either surface or advanced numbers")
        if max(map(abs, np.cross(self.forward, self.upward))) < 1e-9:
            raise ValueError(f"forward {self.forward} and upward {self.upward} must not be parallel or zero")
        curves = [name for name in ("lift", "drag", "moment") if getattr(self, name) is not None]
        if self.advanced:
            if curves:
                raise ValueError(f"advanced numbers take no table of {curves[0]}")
            return ADVANCED
        if self.mode == "faithful" and (curves or len(self.controls) > 1):
            raise ValueError("mode: faithful takes one control and no tables, as the plugin")
        return FAITHFUL if self.mode == "faithful" else CORRECTED


GAZEBO_DENSITY = 1.2041
"""[kg/m³] of the plugin when none is given."""
OUTPUTS = 21
"""Numbers of `LiftDragOutput`."""
_VECTORS = [f"{name}_{axis}" for name in ("cp", "forward", "upward") for axis in "xyz"]
_CURVES = [f"{name}_{what}" for name in ("lift", "drag", "moment") for what in ("start", "segments", "count")]
_PLACES = ["body", "site", "vehicle", "output", "mode", "radial", "control_start", "control_count"]
LIFTDRAG = np.dtype(
    [(name, "f8") for name in dict.fromkeys((*LiftDrag._fields, *Advanced._fields, *_VECTORS, "density"))]
    + [(name, "i8") for name in (*_CURVES, *_PLACES)]
)
"""Row of a surface. It has either numbers of `LiftDrag` or of `Advanced`, so those of the same name share a place."""


class _Deflected(NamedTuple):
    """What the controls add now."""

    angle: Number
    lift: Number
    drag: Number
    moment: Number
    side: Number
    roll: Number
    yaw: Number
    cp: Number


def liftdrag_load(
    row: Number, motion: SiteMotion, density: Number, com_s: Vector, qpos: Number, pool: Number
) -> LiftDragOutput:
    """Load of one surface; `com_s` is where the centre of mass of its link lies, axes of the link [m]."""
    control = _deflected(row, qpos, pool)
    cp = Vector(row.cp_x, row.cp_y, row.cp_z)
    forward = Vector(row.forward_x, row.forward_y, row.forward_z)
    upward = Vector(row.upward_x, row.upward_y, row.upward_z)
    turning = cross(motion.rate_s, cp)
    density = row.density if row.density > 0.0 else density
    if row.mode == ADVANCED:
        return _advanced(row, add(motion.vel_air_s, turning), motion.rate_s, density, cp, forward, upward, control)
    if row.mode == FAITHFUL:
        vel = add(motion.vel_s, turning)
        flow = gazebo_flow(vel, forward, upward, row.radial, row)
        c = gazebo_coefficients(flow.alpha, flow.factor, control.lift, row)
        load = surface_load(flow, Coefficients(c.lift, c.drag, 0.0), vel, density, row)
        place = add(cp, com_s)  # the plugin measures it from the centre of mass, and the velocity from the origin
    else:
        vel = add(motion.vel_air_s, turning)
        flow = plane_flow(vel, forward, upward, row.radial, row)
        added = Coefficients(control.lift, control.drag, control.moment)
        c = mended_coefficients(flow.alpha, flow.factor, _attached(flow.alpha, row, pool), added, row)
        load = surface_load(flow, c, vel, density, row)
        place = add(cp, scale(centre_shift(flow.alpha, control.cp, row), forward))
    return LiftDragOutput(
        flow.speed,
        flow.sweep,
        flow.alpha,
        load.pressure,
        c.lift,
        c.drag,
        c.moment,
        control.angle,
        load.lift,
        load.drag,
        load.side,
        load.moment,
        vel,
        move_wrench(Wrench(load.force, load.torque), place),
    )


def _attached(alpha: Number, row: Number, pool: Number) -> Coefficients:
    c = attached_lines(alpha, row)
    lift, drag, moment = c.lift, c.drag, c.moment
    if row.lift_count > 0:
        lift = curve_value(alpha, row.lift_start, row.lift_segments, row.lift_count, pool)
    if row.drag_count > 0:
        drag = curve_value(alpha, row.drag_start, row.drag_segments, row.drag_count, pool)
    if row.moment_count > 0:
        moment = curve_value(alpha, row.moment_start, row.moment_segments, row.moment_count, pool)
    return Coefficients(lift, drag, moment)


def _advanced(
    row: Number,
    vel: Vector,
    rate: Vector,
    density: Number,
    cp: Vector,
    forward: Vector,
    upward: Vector,
    control: _Deflected,
) -> LiftDragOutput:
    """In front-right-down axes, whose first two are `forward` and what is right of it."""
    right = cross(forward, upward)
    right = scale(1.0 / length(right), right)
    down = cross(forward, right)
    flow = advanced_flow(Vector(dot(vel, forward), dot(vel, right), dot(vel, down)))
    six = Six(control.drag, control.side, control.lift, control.roll, control.moment, control.yaw)
    c = advanced_coefficients(flow, six, row)
    rates = Vector(dot(rate, forward), dot(rate, right), dot(rate, down))
    load = advanced_wrench(flow, c, rates, density, row)
    push = 0.5 * density * flow.speed * flow.speed
    wrench = Wrench(_from_frd(load.force, forward, right, down), _from_frd(load.torque, forward, right, down))
    return LiftDragOutput(
        flow.speed,
        flow.beta,
        flow.alpha,
        push,
        c.cl,
        c.cd,
        c.cem,
        control.angle,
        push * row.area * c.cl,
        push * row.area * c.cd,
        load.force.y,
        load.torque.y,
        vel,
        move_wrench(wrench, cp),
    )


def _from_frd(a: Vector, forward: Vector, right: Vector, down: Vector) -> Vector:
    return add(scale(a.x, forward), add(scale(a.y, right), scale(a.z, down)))


def _deflected(row: Number, qpos: Number, pool: Number) -> _Deflected:
    total, lift, drag, moment, side, roll, yaw, cp = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(row.control_count):
        n = pool[row.control_start + CONTROL * k : row.control_start + CONTROL * (k + 1)]
        angle = qpos[int(n[0])]
        total += angle
        lift += n[1] * angle
        drag += n[2] * (angle if row.mode == ADVANCED else absolute(angle))
        moment += n[3] * angle
        side += n[4] * angle
        roll += n[5] * angle
        yaw += n[6] * angle
        cp += n[7] * angle
    return _Deflected(total, lift, drag, moment, side, roll, yaw, cp)
