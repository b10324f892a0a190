"""A surface with the numbers of Gazebo's LiftDrag plugins, on a link: as they compute it, or put right.

The site is the frame of the link; `cp`, `forward` and `upward` stand in its axes. A control's angle is read from its
joint, so that what a servo does not reach has no effect.
"""

from typing import Any, ClassVar, Literal, NamedTuple

import mujoco
import numpy as np
from pydantic import Field

from cupola.kernel.motion import SiteFrame, SiteMotion
from cupola.parts.aero.liftdrag_load import (
    ADVANCED,
    CORRECTED,
    FAITHFUL,
    GZ,
    PX4,
    ControlEffect,
    Layout,
    LiftDragOutput,
    Reach,
    liftdrag_load,
)
from cupola.parts.binding import Arrow, BindContext, Curve, row_type
from cupola.parts.curve import curve_columns
from cupola.parts.families import Load
from cupola.physics.advanced_liftdrag import Advanced
from cupola.physics.ground import image_share
from cupola.physics.liftdrag import LiftDrag
from cupola.physics.rotation import Vector, Wrench
from cupola.schema.yaml_files import Entry
from cupola.xmath import Number

SCALAR = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
GAZEBO_DENSITY = 1.2041
"""[kg/m³] of the plugin when none is given."""
CURVES = ("lift", "drag", "moment")
MODES = {"faithful": FAITHFUL, "corrected": CORRECTED, "px4": PX4, "gz": GZ}
PLUGINS = (FAITHFUL, PX4, GZ)
"""Modes that compute what a plugin computes."""
Triple = tuple[float, float, float]


class LiftDragLoad(NamedTuple):
    """Answer of `load`."""

    output: LiftDragOutput
    wrench: Wrench


class Control(Entry):
    """Effect of a joint angle on the coefficients [1/rad]."""

    joint: str = Field(description="hinge of the MJCF model")
    lift: float = 0.0
    drag: float = Field(0.0, description="per size of the angle; signed for advanced numbers")
    moment: float = Field(0.0, description="nose up")
    side: float = Field(0.0, description="to the right; for advanced numbers")
    roll: float = Field(0.0, description="right side down; for advanced numbers")
    yaw: float = Field(0.0, description="nose right; for advanced numbers")
    cp: float = Field(0.0, description="[m/rad]: how far the centre of pressure moves forward")


class GroundWing(Entry):
    """The wing near the floor that a surface is, or is a part of."""

    span: float = Field(gt=0, description="[m] of the whole wing")
    aspect_ratio: float = Field(gt=0, description="of the whole wing")
    oswald: float = Field(1.0, gt=0, le=1, description="efficiency of its spread of lift")


class LiftDragSurface(Load):
    """One surface by slopes or tables (`surface`), or a whole aircraft by derivatives (`advanced`)."""

    kind: Literal["liftdrag"]
    mode: Literal["faithful", "corrected", "px4", "gz"] = Field(
        "corrected",
        description="faithful: as gazebo-classic's plugin, with its defects: no wind, own density, forces astray; "
        "px4, gz: the laws of PX4's and gz-sim's plugins",
    )
    surface: LiftDrag | None = None
    advanced: Advanced | None = Field(
        None, description="numbers of AdvancedLiftDrag, of gz-sim or (mode: px4) of PX4; always put right"
    )
    cp: Triple = Field((0.0, 0.0, 0.0), description="[m] centre of pressure, axes of the link")
    forward: Triple = Field((1.0, 0.0, 0.0), description="direction of the chord line, towards the nose")
    upward: Triple = Field((0.0, 0.0, 1.0), description="direction of lift at zero angle")
    radial_symmetry: bool = Field(False, description="a body of revolution about `forward`: `upward` follows the flow")
    reversible: bool = Field(False, description="mode gz: it also acts on air from behind")
    air_density: float | None = Field(
        None, gt=0, description="[kg/m³] whatever the height; left out: that of the air here, or a plugin's 1.2041"
    )
    ground_effect: GroundWing | None = Field(None, description="more lift and less induced drag near the floor")
    controls: tuple[Control, ...] = Field((), description="joints that act on it; at most one in a plugin's law")
    lift: Curve | None = Field(
        None, description="lift coefficient of attached flow against alpha [rad]: corrected only"
    )
    drag: Curve | None = Field(None, description="the same of drag, without what cdi adds")
    moment: Curve | None = Field(None, description="the same of the moment")

    Numbers = (LiftDrag, Advanced, Layout, Reach)
    Index: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("mode", "radial", "reversible", "from_com", "first", "count"), "i8"),
        **curve_columns(*CURVES),
    }
    Output = LiftDragOutput
    Element = row_type(ControlEffect)
    order = 50
    lifts = True
    arrow = Arrow("force")
    message = "cupola_msgs/msg/LiftDrag"

    def why_no_wake(self) -> str:
        """Its lift acts at one point."""
        return self.kind

    def control_joints(self) -> tuple[str, ...]:
        """Of its controls."""
        return tuple(control.joint for control in self.controls)

    def variant(self) -> str:
        """The floor costs only those that feel it."""
        return "near_ground" if self.ground_effect else ""

    def acts_at(self) -> Triple:
        """The centre of pressure."""
        return self.cp

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Coefficients, directions, curves; the controls go among the constants.

        A surface has either numbers of `LiftDrag` or of `Advanced`, so those of the same name share a column.
        """
        mode = self._check()
        numbers = self.surface or self.advanced
        assert numbers is not None
        row: dict[str, Any] = {**numbers._asdict(), "mode": mode, "radial": self.radial_symmetry}
        row |= {"reversible": self.reversible, "from_com": self.mode in ("faithful", "px4")}
        if mode in PLUGINS:  # they have no side force, and no chord: their moment is per area alone
            row |= {"cyb": 0.0, "chord": 1.0}
        for name in ("cp", "forward", "upward"):
            vector = np.array(getattr(self, name))
            size = 1.0 if name == "cp" else np.sqrt(vector @ vector)
            row |= dict(zip((f"{name}_x", f"{name}_y", f"{name}_z"), vector / size, strict=True))
        row["density"] = self.air_density or (GAZEBO_DENSITY if mode in PLUGINS else 0.0)
        if self.ground_effect and places.ground:
            span, ratio, oswald = (getattr(self.ground_effect, name) for name in ("span", "aspect_ratio", "oswald"))
            row |= Reach(span, span * span / ratio, oswald)._asdict()
        row |= {name: places.curve(getattr(self, name)) for name in CURVES}
        row |= {"first": len(places.constants), "count": len(self.controls)}
        for control in self.controls:
            places.constants += self._effect(places, control)
        return row

    def _effect(self, places: BindContext, control: Control) -> ControlEffect:
        """Effect of a control, and index of its angle."""
        joint = places.joint(control.joint)
        if int(places.model.jnt_type[joint]) not in SCALAR:
            raise ValueError(f"the joint {control.joint!r} of a control must be a hinge or a slide")
        effects = {name: getattr(control, name) for name in Control.model_fields if name != "joint"}
        return ControlEffect(float(places.model.jnt_qposadr[joint]), **effects)

    def _check(self) -> int:
        """Refuse numbers that do not go together; the result is the mode."""
        if (self.surface is None) == (self.advanced is None):
            raise ValueError("give either surface or advanced numbers")
        if max(map(abs, np.cross(self.forward, self.upward))) < 1e-9:
            raise ValueError(f"forward {self.forward} and upward {self.upward} must not be parallel or zero")
        curves = [name for name in CURVES if getattr(self, name) is not None]
        if self.ground_effect and (self.advanced or MODES[self.mode] in PLUGINS):
            raise ValueError("ground_effect: only for mode: corrected with surface numbers; plugins know no ground")
        if self.advanced:
            if curves:
                raise ValueError(f"advanced numbers take no table of {curves[0]}")
            return ADVANCED
        mode = MODES[self.mode]
        if mode in PLUGINS and (curves or len(self.controls) > 1):
            raise ValueError(f"mode: {self.mode} takes one control and no tables, as the plugin")
        return mode

    @staticmethod
    def load(
        p: Number,
        motion: SiteMotion,
        density: Number,
        com_s: Vector,
        qpos: Number,
        elements: Number,
        constants: Number,
    ) -> LiftDragLoad:
        """Load at the present motion and deflections."""
        out = liftdrag_load(p, motion, density, com_s, qpos, elements, constants, 0.0)
        return LiftDragLoad(out, Wrench(out.force, out.torque))

    @staticmethod
    def load_near_ground(
        p: Number,
        motion: SiteMotion,
        density: Number,
        com_s: Vector,
        qpos: Number,
        elements: Number,
        constants: Number,
        height: Number,
        frame: SiteFrame,
    ) -> LiftDragLoad:
        """The same near the floor, by the height of the centre of pressure."""
        above = p.cp_x * frame.x_w.z + p.cp_y * frame.y_w.z + p.cp_z * frame.z_w.z
        share = image_share(height + above, p.whole_span) if p.whole_span > 0.0 else 0.0
        out = liftdrag_load(p, motion, density, com_s, qpos, elements, constants, share)
        return LiftDragLoad(out, Wrench(out.force, out.torque))
