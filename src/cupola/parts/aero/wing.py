"""A wing of many strips at a site: x front, y left, z up, from its root. It bends nowhere, but it may change its shape.

A wing that flaps is a wing on a body with a hinge; a wing that bends is a chain of such bodies (see `docs/wings.md`).
Span, sweep, dihedral, twist and camber follow command channels: a servo on the channel gives them lag and limits. What
the air does then follows from the strips, and the mass of the wing's own body moves with them.
"""

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field, PrivateAttr

from cupola.parts.aero.added_mass import ADDED, STIRRED
from cupola.parts.aero.bending import Bending, attach_chain, pieces_of
from cupola.parts.aero.exposed import AHEAD, WAY
from cupola.parts.aero.exposed_kernels import ExposedKernels
from cupola.parts.aero.flow import Flow
from cupola.parts.aero.spreading import Spreading
from cupola.parts.aero.surfaces import SurfaceNumbers
from cupola.parts.aero.wing_geometry import (
    EDGE,
    Blown,
    Cutting,
    Flap,
    Morph,
    Station,
    cut_edges,
    cut_strips,
    of_curve,
)
from cupola.parts.aero.wing_kernels import WingKernels
from cupola.parts.aero.wing_mass import CARRIED, WingMass, weigh
from cupola.parts.aero.wing_panels import MOVED, PanelKernels
from cupola.parts.aero.wing_records import WingNumbers, WingOutput, WorkState
from cupola.parts.aero.wing_shape import SHAPES, SHAPES_KEPT, WIDTH
from cupola.parts.aero.wing_strips import (
    ALONE,
    DELAURIER,
    HELD,
    INDUCED,
    LATTICE,
    LINE,
    ONSET,
    STRIP,
    STRIP_MEMORY,
    STRIPS,
)
from cupola.parts.binding import Arrow, BindContext, Curve, Row
from cupola.parts.curve import curve_columns
from cupola.parts.described import Swing
from cupola.parts.families import Load
from cupola.parts.part import Part
from cupola.physics.downwash import Sheet
from cupola.physics.planform import Shape
from cupola.physics.section import Section
from cupola.physics.slipstream import Stream
from cupola.physics.strip import StripState

Theory = Literal["strips", "unsteady_strips", "delaurier", "lifting_line", "lattice", "unsteady_lattice"]
SOLVED = {"lifting_line": LINE, "lattice": LATTICE, "unsteady_lattice": LATTICE}
"""Theories that solve all wings of a vehicle together, and how their loads are found."""
REMEMBERING = {"unsteady_strips": STRIPS, "delaurier": DELAURIER}
"""Theories whose air has a memory of each strip, and an inertia in the mass matrix."""
ONLY = {
    "panels": ("lattice", "unsteady_lattice"),
    "wake_rows": ("unsteady_lattice",),
    "solve_hz": tuple(SOLVED),
    **dict.fromkeys(("wash", "downwash"), ("strips", *REMEMBERING)),
}
"""Keys that only some theories use."""
SHARED = ("theory", "solve_hz", "wake_rows", "ground_effect")
"""Settings that wings solved together must share."""
FEWEST_STRIPS = 3
"""Strips of a whole wing, with which theories that solve it are not yet far off."""
STALLED = 0.05
"""[s] past the stall that a run speaks of."""
STILL = StripState(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, attached=1.0)
"""Initial unsteady state of a strip."""


class Wing(ExposedKernels, PanelKernels, WingKernels, Load):
    """One half of a wing, a tail or a fin (turn its site)."""

    kind: Literal["wing"]
    theory: Theory | None = Field(
        None, description="strips unless given; from lifting_line on, all such wings of the vehicle are one solution"
    )
    model: Literal["steady", "unsteady"] = Field(
        "steady", description="older name of two theories: steady is strips, unsteady is unsteady_strips"
    )
    panels: int = Field(4, ge=1, le=30, description="along the chord, of a lattice")
    solve_hz: float | None = Field(
        None, gt=0, description="how often the flow is solved; without it every tick, an unsteady lattice 100 Hz"
    )
    wake_rows: int = Field(60, ge=1, le=2000, description="that an unsteady lattice keeps behind it")
    ground_effect: bool = Field(
        False, description="feel the floor: theories of whole wings by images of all vortices, strips by what those do"
    )
    wash: tuple[Blown, ...] = Field((), description="streams of rotors that blow over its strips")
    downwash: tuple[str, ...] = Field((), description="wings ahead, part by part, in whose downwash it lies")
    side: Literal["left", "right"] = "left"
    stations: tuple[Station, ...] = Field(min_length=2, description="from the root to the tip")
    strips: int = Field(10, ge=1, le=200)
    aspect_ratio: float | None = Field(
        None,
        gt=0,
        description="of the whole wing, whose lift is then distributed as on an elliptic one; without it this half and "
        "its mirror image are the wing, and its outline counts",
    )
    section: Section = Section()
    lift: Curve | None = Field(None, description="lift coefficient against angle of attack [rad], over all of ±180°")
    drag: Curve | None = Field(None, description="drag coefficient against angle of attack [rad]")
    moment: Curve | None = Field(None, description="moment about the quarter chord, nose up, against angle of attack")
    span: Morph | None = Field(None, description="relative change of the span")
    sweep: Morph | None = Field(None, description="[rad], tip backwards")
    dihedral: Morph | None = Field(None, description="[rad], tip up")
    twist: Morph | None = Field(None, description="[rad], tip nose up")
    camber: Morph | None = Field(None, description="height of the arch over the chord")
    flap: Flap | None = None
    bending: Bending | None = Field(None, description="take the wing's body to pieces on hinges with springs")
    _surface: dict[str, Any] = PrivateAttr(default_factory=dict)
    _piece_of: tuple[tuple[Station, ...], float] | None = PrivateAttr(None)
    """Stations of the wing that this is a piece of, and where it begins there [m]."""

    Numbers = (WingNumbers, WingMass)
    Index: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("unsteady", "solved", "inert", "shapes", "moves", "slides", "stirs"), "i8"),
        **dict.fromkeys(("first", "count", "flap_channel"), "i8"),
        **dict.fromkeys(("onset", "ways", "ground", "wash_start", "wash_count", "down_start", "down_count"), "i8"),
        **dict.fromkeys(("stall_low", "stall_high"), "f8"),
        "shape_channel": f"{WIDTH}i8",
        "shape_gain": f"{WIDTH}f8",
        "added": ADDED,
        "stirred": STIRRED,
        "carried": CARRIED,
        **curve_columns("lift", "drag", "moment"),
    }
    State = WorkState
    Output = WingOutput
    gives = Sheet
    lifts = True
    Element = STRIP
    order = 60
    arrow = Arrow("force")
    message = "cupola_msgs/msg/Wing"
    set_by_world = ("added", "stirred", "carried", *WingMass._fields)

    def attach(self, spec: Any) -> None:
        """Make the chain of a wing that bends; let the mass matrix have room for the air that a wing moves along."""
        if self.bending:
            if self._moves():
                raise ValueError("a wing either bends or changes its shape by channels")
            attach_chain(self, spec)
        if self._inert() and (site := spec.site(self.site)):
            site.parent.simple = False  # else MuJoCo keeps the diagonal of a free body alone

    def pieces(self, name: str) -> dict[str, Part]:
        """A wing that bends is a wing part for each piece."""
        return {**pieces_of(self, name, self._ratio())} if self.bending else {name: self}

    def deflections(self) -> dict[int, float]:
        """That of its flap."""
        return {self.flap.channel: self.flap.gain} if self.flap else {}

    def used_channels(self) -> tuple[int, ...]:
        """Of the shape and the flap."""
        morphs = [getattr(self, name) for name in SHAPES]
        return tuple(m.channel if m else -1 for m in (*morphs, self.flap))

    def acts_at(self) -> tuple[float, float, float]:
        """Half-way out."""
        return 0.0, 0.5 * self.stations[-1].y * self._side(), 0.0

    def variant(self) -> str:
        """The air around an unsteady wing has a memory and an inertia; others feel more than their motion."""
        if self._theory() == "unsteady_lattice":
            return "panels"
        words = ("unsteady" if self._theory() in REMEMBERING else "", "exposed" if self._exposed() else "")
        return "_".join(filter(None, words))

    def _exposed(self) -> bool:
        """Whether its strips feel the floor, streams or downwash."""
        return bool(self.wash or self.downwash or (self.ground_effect and self._theory() not in SOLVED))

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Channels of the shape, mass, curves; the strips go among the constants."""
        if (self.lift is None) != (self.drag is None):
            raise ValueError("give both a lift and a drag curve, or neither")
        if self._theory() in SOLVED and self.strips < FEWEST_STRIPS and self._piece_of is None:
            needs = f"theory {self._theory()} needs {FEWEST_STRIPS} or more for the flow along the span"
            raise ValueError(f"strips: {needs}, not {self.strips}")
        morphs = [getattr(self, name) for name in SHAPES]
        theory = self._theory()
        row: dict[str, Any] = {"side": self._side(), "moves": self._moves()}
        row |= {"unsteady": REMEMBERING.get(theory, 0), "inert": self._inert()}
        row |= {"solved": SOLVED.get(theory, ALONE), "shapes": self._air_memory()}
        row |= {"shape_channel": [places.channel(m.channel if m else -1) for m in morphs]}
        row |= {"shape_gain": [m.gain if m else 0.0 for m in morphs], "slides": self._slides()}
        row |= {"stirs": self._slides() or self.twist is not None}
        row |= self._surroundings(places)
        if self.flap:
            row |= {"flap_channel": places.channel(self.flap.channel), "flap_gain": self.flap.gain}
        row |= (weigh(places, self.site) if self._slides() else WingMass())._asdict()
        row |= {name: places.curve(getattr(self, name)) for name in ("lift", "drag", "moment")}
        section = of_curve(self.section, row["lift"], places.constants) if self.lift else self.section
        far = math.inf if self.lift else section.alpha_stall
        row |= {"stall_low": section.alpha_0 - far, "stall_high": section.alpha_0 + far}
        cutting = Cutting(self.stations, self._side(), self._ratio(), section, self.flap, self._planform())
        strips = cut_strips(cutting, self.strips, closer=theory in SOLVED)
        row |= {"area": sum(strip["chord"] * strip["width"] for strip in strips)}
        row |= {"ratio": self._ratio()}
        row |= {"first": len(places.constants), "count": len(strips)}
        for strip in strips:
            strip["curve_alpha_0"] = section.alpha_0
            if theory == "lifting_line":
                strip["span_factor"] = 1.0  # the wake is in the solution
            places.constants += [float(strip[name]) for name in STRIP.names or ()]
        if theory in SOLVED:
            self._surface = {"edges": len(places.constants), "strips": row["first"], "columns": len(strips)}
            for edge in cut_edges(cutting, self.strips):
                places.constants += [float(edge[name]) for name in EDGE.names or ()]
        return row

    def _surroundings(self, places: BindContext) -> dict[str, Any]:
        """Where what its strips feel beside their motion is given and kept."""
        if not self._exposed():
            return {"onset": -1}
        onset = self._air_memory() + len(Shape._fields) * (SHAPES_KEPT if self._moves() else 0)
        streams = [places.given(places.named(one.rotor, Stream, "gives"), Stream) for one in self.wash]
        ahead = [places.named(name, Sheet, "gives") for name in self.downwash]
        if any(wing is self for wing in ahead):
            raise ValueError("downwash: a wing does not lie behind itself")
        wings = [places.given(wing, Sheet) for wing in ahead]
        row = {
            "onset": onset,
            "ways": onset + ONSET * self.strips + AHEAD,
            "ground": self.ground_effect and places.ground,
        }
        row |= {"wash_start": len(places.constants), "wash_count": len(streams)}
        row |= {"down_start": len(places.constants) + len(streams), "down_count": len(wings)}
        places.constants += [float(slot) for slot in (*streams, *wings)]
        return row

    def bind(self, places: BindContext) -> Row:
        """Its row; a wing that is solved with others says where its numbers lie."""
        row = super().bind(places)
        if self._theory() in SOLVED:
            at = int(row["memory"])
            self._surface |= {name: int(row[name]) for name in ("vehicle", "site", "body", "memory")}
            self._surface |= {"side": self._side()}
            self._surface |= {"rows": self.panels, "shapes": at + int(row["shapes"]) if self._moves() else -1}
            self._surface |= dict(zip(("lift_start", "lift_segments", "lift_numbers"), row["lift"], strict=True))
        return row

    def notice(self, arrays: Any, row: Any) -> str:
        """Of a stall that its theory does not know as it is."""
        at, why = int(row["state"]) + WorkState._fields.index("stalled"), self.stall_unknown()
        if not why or float(arrays.state[at]) < STALLED:
            return ""
        return f"past the stall of its section: {why}; said once"

    def stall_unknown(self) -> str:
        """What its theory does where its section stalls in a fast motion; empty if it knows that."""
        theory = self._theory()
        if theory == "unsteady_strips":
            return ""
        does = "never stalls, its lift is too large" if SOLVED.get(theory) == LATTICE else "loses lift at once"
        late = "unsteady_strips stalls as late as a fast change of the angle allows"
        return f"theory {theory} {does} there; {late}"

    def why_not_swing(self, rate: float, swings: Mapping[int, Swing], speed: float) -> str:
        """Its tip meets the air past the stall, and its theory does not know how late that comes."""
        why, stall = self.stall_unknown(), self.section.alpha_stall
        twisted = swings.get(self.twist.channel) if self.twist else None
        nose_up = self.twist.gain * twisted.angle if self.twist and twisted else 0.0
        angle = math.atan2(abs(rate) * self.stations[-1].y, speed) + nose_up
        if not why or self.lift or angle < stall:
            return ""
        far, last = math.degrees(angle), math.degrees(stall)
        return (
            f"at full throttle the beat turns the air at its tip by {far:.0f}° at {speed:.3g} m/s, and its section "
            f"stalls at {last:.0f}°: {why}; the run says when it comes to that, and state.stalled for how long"
        )

    def surface(self) -> SurfaceNumbers:
        """Where the flow around it and others finds its numbers, once it is bound."""
        return SurfaceNumbers(**self._surface)

    @classmethod
    def shared(cls, pieces: Mapping[str, Part], whose: str = "one vehicle") -> dict[str, Part]:
        """The flow around all wings that are solved together."""
        wings = {name: part for name, part in pieces.items() if isinstance(part, cls) and part._theory() in SOLVED}
        if not wings:
            return {}
        first, one = next(iter(wings.items()))
        for name, other in wings.items():
            for key in SHARED:
                if getattr(other, key) != getattr(one, key):
                    said = f"{first} says {getattr(one, key)}, {name} says {getattr(other, key)}"
                    raise ValueError(f"{key}: wings of {whose} are solved together: {said}")
        if any(name.rpartition(".")[2] == "flow" for name in pieces):
            raise ValueError("flow: the flow around its wings has this name; give the part another one")
        settings = {key: getattr(one, key) for key in SHARED}
        return {"flow": Flow(**settings).around(tuple(wings.values()))}

    def initial_memory(self) -> list[float]:
        """What the air remembers of each strip, or what a solution left; then its shapes, then what else it feels."""
        air = [*STILL * self.strips] if self._theory() in REMEMBERING else [0.0] * self._air_memory()
        felt = ONSET * self.strips + AHEAD + WAY * len(self.downwash) if self._exposed() else 0
        return [*air, *Shape() * (SHAPES_KEPT if self._moves() else 0), *[0.0] * felt]

    def why_no_wake(self) -> str:
        """Strips are independent."""
        return "" if self._theory() in SOLVED else f"theory {self._theory()}"

    def _theory(self) -> str:
        """The part that solves it."""
        return self.theory or ("unsteady_strips" if self.model == "unsteady" else "strips")

    def _air_memory(self) -> int:
        """Numbers of its memory before its shapes."""
        each = {**dict.fromkeys(REMEMBERING, STRIP_MEMORY), "lifting_line": INDUCED}.get(self._theory(), 0)
        if SOLVED.get(self._theory()) == LATTICE:
            return HELD + (MOVED if self._inert() else 0)
        return each * self.strips

    def _inert(self) -> bool:
        """Whether the air that goes along with it stands in the mass matrix."""
        return self._theory() == "unsteady_lattice" or self._theory() in REMEMBERING

    def model_post_init(self, context: Any) -> None:
        """Refuse keys that its theory does not use."""
        super().model_post_init(context)
        if self.theory and "model" in self.model_fields_set:
            raise ValueError("give a theory or its older name, model, not both")
        for key, theories in ONLY.items():
            if key in self.model_fields_set and self._theory() not in theories:
                raise ValueError(f"{key}: only for theory: {', '.join(theories)}; this wing has {self._theory()}")
        if SOLVED.get(self._theory()) == LATTICE and (self.lift or self.drag or self.moment):
            raise ValueError(f"lift, drag, moment: a wing with theory {self._theory()} has panels, not curves")
        if self._theory() == "delaurier":
            if self.lift or self.drag or self.moment:
                raise ValueError("lift, drag, moment: DeLaurier's strips are thin airfoils, they take no curves")
            if not math.isclose(self.section.c_lift_a, 2.0 * math.pi, rel_tol=1e-3):
                raise ValueError(f"section.c_lift_a: DeLaurier's strips have 2π, not {self.section.c_lift_a:g}")

    def _side(self) -> float:
        return 1.0 if self.side == "left" else -1.0

    def _moves(self) -> bool:
        """Whether anything of it follows a channel."""
        return any(channel >= 0 for channel in self.used_channels())

    def _slides(self) -> bool:
        """Whether its strips change their places."""
        return any((self.span, self.sweep, self.dihedral))

    def _planform(self) -> Spreading | None:
        """What the wing's outline does to its strips: known where the part, or the whole that it is a piece of, is one
        half of the wing, and not where its aspect ratio is given.
        """
        if self._piece_of is None and self.aspect_ratio:
            return None
        stations, start = self._piece_of or (self.stations, 0.0)
        return Spreading(tuple(s.y for s in stations), tuple(s.chord for s in stations), start)

    def _ratio(self) -> float:
        """Aspect ratio of the whole wing."""
        y, chord = [s.y for s in self.stations], [s.chord for s in self.stations]
        return self.aspect_ratio or 2.0 * y[-1] ** 2 / float(np.trapezoid(chord, y))
