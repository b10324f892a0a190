"""The flow around all wings of a vehicle that name the same theory of whole wings: one solution, so that left and
right, wing and tail feel each other; with `air.wakes` those of all vehicles. It is made by the wings themselves
(`Wing.shared`) and needs no entry in a file.

Steady theories are solved at the present motion, at every stage of the integrator of a tick that is due; the unsteady
lattice sheds a row of its wake at each tick that is due, and its loads are held in between.
"""

from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from pydantic import PrivateAttr

from cupola.aerodynamics.flow import COLUMNS, NODE, at_trailing_edges, columns_in, solve_steady, straight_wake
from cupola.aerodynamics.flow_march import Wake, settle_wake, step_wake
from cupola.aerodynamics.lattice import FAR
from cupola.kernel.air import wind_at
from cupola.kernel.memory import Views, window
from cupola.kernel.motion import row_vector
from cupola.parts.aero.line import solve_line
from cupola.parts.aero.surfaces import SURFACE, Placed, place_surfaces, put_loads
from cupola.parts.aero.wing_panels import remember_motion, settle_motion
from cupola.parts.binding import BindContext, ticks_between
from cupola.parts.part import Part
from cupola.xmath import Number

SLOWEST = 1e-3
"""[m/s] below which there is no flow to solve."""
UNSOLVED = 1e-3
"""Residual at which a run says that its lifting line is none: a lift coefficient is wrong by twice that."""
VARIANTS = {"lifting_line": "line", "lattice": "lattice", "unsteady_lattice": "unsteady"}


class FlowOutput(NamedTuple):
    """How the solution went."""

    residual: Number
    """[1] largest mismatch of a section's lift and its circulation; beyond 1e-6 no lifting line was found."""
    circulation: Number
    """[m²/s] largest of a ring."""


class FlowState(NamedTuple):
    """State besides its wakes."""

    laid: Number = 0.0
    """1 once an unsteady lattice has laid its first wakes."""


class FlowLaid(NamedTuple):
    """Answer of the kernel that may lay the first wakes."""

    state: FlowState
    output: FlowOutput


class FlowShown(NamedTuple):
    """Answer of the kernels."""

    output: FlowOutput


class Flow(Part):
    """One solution for several wings of a vehicle."""

    kind: Literal["flow"] = "flow"
    theory: Literal["lifting_line", "lattice", "unsteady_lattice"]
    solve_hz: float | None = None
    wake_rows: int = 60
    ground_effect: bool = False
    _wings: tuple[Any, ...] = PrivateAttr(())

    Index: ClassVar[dict[str, str]] = dict.fromkeys(
        ("first", "count", "every", "ground", "wake_nodes", "wake_rings", "rings"), "i8"
    )
    State = FlowState
    Output = FlowOutput
    Element = SURFACE
    order = 59
    """Before the wings whose loads it finds; they take their shape at an earlier stage."""

    def around(self, wings: tuple[Any, ...]) -> "Flow":
        """The same around some wings."""
        self._wings = wings
        return self

    @classmethod
    def group(cls) -> type[Part]:
        """Its own: every kernel belongs to one theory."""
        return Flow

    def variant(self) -> str:
        """Theories share no kernels."""
        return VARIANTS[self.theory]

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Where the wings have their numbers, which are bound already."""
        row: dict[str, Any] = {"first": len(places.constants), "count": len(self._wings)}
        for wing in self._wings:
            places.constants += [float(number) for number in wing.surface()]
        rate = self.solve_hz or (100.0 if self.theory == "unsteady_lattice" else places.physics_hz)
        try:
            row["every"] = ticks_between(rate, places.physics_hz)
        except ValueError as error:
            raise ValueError(str(error).replace("rate_hz", "solve_hz")) from None
        columns = sum(wing.strips for wing in self._wings)
        row |= {"ground": self.ground_effect and places.ground}
        row |= {"rings": sum(wing.strips * wing.panels for wing in self._wings)}
        row |= {"wake_rings": columns * self.wake_rows}
        return row | {"wake_nodes": (columns + len(self._wings)) * (self.wake_rows + 1)}

    def notice(self, arrays: Any, row: Any) -> str:
        """A lifting line that was not found."""
        residual = float(arrays.outputs[int(row["output"])])
        if self.theory != "lifting_line" or residual < UNSOLVED:
            return ""
        why = "past the stall there are several or none; circulations are about what the sections carry"
        return f"no lifting line was found (residual {residual:.2g}): {why}; said once"

    def initial_memory(self) -> list[float]:
        """Of an unsteady lattice: nodes of the wakes, their rings, the circulations of two steps."""
        if self.theory != "unsteady_lattice":
            return []
        columns = sum(wing.strips for wing in self._wings)
        nodes, rings = (columns + len(self._wings)) * (self.wake_rows + 1), columns * self.wake_rows
        return [0.0] * (3 * nodes + rings + 2 * sum(wing.strips * wing.panels for wing in self._wings))

    @staticmethod
    def load_line(p: Number, v: Views, elements: Number, tick: Number, output: FlowOutput) -> FlowShown:
        """Lifting lines: what the vortices induce at each strip; the strips then find their loads."""
        if tick % p.every != 0:
            return FlowShown(output)
        placed = place_surfaces(v, elements, 0)
        way = far_wake(elements, placed, p.ground != 0)
        if not np.any(way):
            return FlowShown(FlowOutput(0.0, 0.0))
        nodes = straight_wake(placed.layout, placed.corners, way)
        return FlowShown(FlowOutput(solve_line(v, elements, placed, nodes, p.ground != 0), 0.0))

    @staticmethod
    def load_lattice(p: Number, v: Views, elements: Number, tick: Number, output: FlowOutput) -> FlowShown:
        """A lattice with straight wakes: the loads of each wing."""
        if tick % p.every != 0:
            return FlowShown(output)
        placed = place_surfaces(v, elements, 1)
        way = far_wake(elements, placed, p.ground != 0)
        if not np.any(way):
            put_loads(v, elements, placed, np.zeros((p.rings, 3)))
            return FlowShown(FlowOutput(0.0, 0.0))
        edge = at_trailing_edges(placed.layout, placed.corners, 0)
        rear = 0.25 * (edge - at_trailing_edges(placed.layout, placed.corners, 1))
        found = solve_steady(placed.layout, placed.corners, placed.speed, placed.tilt, rear, way, p.ground != 0)
        put_loads(v, elements, placed, found.force)
        return FlowShown(FlowOutput(0.0, largest(found.gamma)))

    @staticmethod
    def settled_unsteady(state: FlowState) -> FlowState:
        """The next loads are those of a motion that has gone on for long."""
        return FlowState(0.0)

    @staticmethod
    def load_unsteady(
        p: Number, v: Views, elements: Number, memory: Number, dt: Number, state: FlowState, output: FlowOutput
    ) -> FlowLaid:
        """At the start: the wakes that the present motion leaves when it goes on for long, and its loads."""
        if state.laid > 0.0:
            return FlowLaid(state, output)
        placed = place_surfaces(v, elements, 1)
        wake, step, ground = wake_of(p, memory), p.every * dt, p.ground != 0
        found = settle_wake(placed.layout, placed.corners, placed.speed, placed.tilt, step, wake, ground)
        put_loads(v, elements, placed, found.force)
        settle_motion(v, elements)
        return FlowLaid(FlowState(1.0), FlowOutput(0.0, largest(found.gamma)))

    @staticmethod
    def before_step_unsteady(
        p: Number,
        v: Views,
        elements: Number,
        memory: Number,
        dt: Number,
        tick: Number,
        state: FlowState,
        output: FlowOutput,
    ) -> FlowShown:
        """One more row of the wake, and the loads that are held until the next."""
        if tick % p.every != 0 or state.laid == 0.0:
            return FlowShown(output)
        placed = place_surfaces(v, elements, 1)
        wake, step, ground = wake_of(p, memory), p.every * dt, p.ground != 0
        drift = carried(v, elements, step)
        found = step_wake(placed.layout, placed.corners, placed.speed, placed.tilt, step, wake, drift, ground)
        put_loads(v, elements, placed, found.force)
        remember_motion(v, elements, step)
        return FlowShown(FlowOutput(0.0, largest(found.gamma)))


def wake_of(p: Number, memory: Number) -> Wake:
    """Nodes and rings of the wakes, and the circulations of the last two steps."""
    nodes = window(memory, 0, 3 * p.wake_nodes).reshape((p.wake_nodes, 3))
    shed = window(memory, 3 * p.wake_nodes, p.wake_rings)
    past = window(memory, 3 * p.wake_nodes + p.wake_rings, 2 * p.rings).reshape((2, p.rings))
    return Wake(nodes, shed, past)


def largest(numbers: Number) -> Number:
    """Of the sizes of some numbers."""
    found = 0.0
    for n in range(len(numbers)):
        found = max(found, abs(numbers[n]))
    return found


def carried(v: Views, surfaces: Number, time: Number) -> Number:
    """How far the wind carries the wake of each surface (n, 3) [m]: as the air at its vehicle's first one moves."""
    made, first = np.empty((surfaces.shape[0], 3)), 0
    for k in range(surfaces.shape[0]):
        if surfaces[k].vehicle != surfaces[first].vehicle:
            first = k
        one = surfaces[first]
        wind = wind_at(v, int(one.vehicle), row_vector(v.site_xpos, int(one.site)))
        made[k, 0], made[k, 1], made[k, 2] = time * wind.x, time * wind.y, time * wind.z
    return made


def far_wake(surfaces: Number, placed: Placed, ground: bool) -> Number:
    """From every trailing edge to the end of its straight wake (n, 3) [m]: against the mean motion of all wings of the
    vehicle, or of all vehicles where it stands still; along the ground where there is one.
    """
    way, layout = np.zeros((columns_in(placed.layout) + len(placed.layout), 3)), placed.layout
    axes, extent, at = 2 if ground else 3, 0.0, 0
    for n in range(axes):
        low, high = placed.corners[0, n], placed.corners[0, n]
        for i in range(len(placed.corners)):
            low, high = min(low, placed.corners[i, n]), max(high, placed.corners[i, n])
        extent += high - low
    everyone = mean_motion(placed, 0, len(layout), axes)
    for k in range(len(layout)):
        first, last = k, k + 1
        while first > 0 and surfaces[first - 1].vehicle == surfaces[k].vehicle:
            first -= 1
        while last < len(layout) and surfaces[last].vehicle == surfaces[k].vehicle:
            last += 1
        mean = mean_motion(placed, first, last, axes)
        if not np.any(mean):
            mean = everyone
        for j in range(layout[k, COLUMNS] + 1):
            for n in range(3):
                way[at + j, n] = -FAR * extent * mean[n]
        at += layout[k, COLUMNS] + 1
    return way


def mean_motion(placed: Placed, first: Number, last: Number, axes: Number) -> Number:
    """Direction in which some surfaces move through the air (3); zeros where there is none."""
    start = placed.layout[first, NODE]
    end = placed.layout[last, NODE] if last < len(placed.layout) else len(placed.corners)
    mean, square = np.zeros(3), 0.0
    for n in range(axes):
        for i in range(start, end):
            mean[n] += placed.speed[i, n] / (end - start)
        square += mean[n] * mean[n]
    for n in range(3):
        mean[n] = mean[n] / np.sqrt(square) if square > SLOWEST * SLOWEST else 0.0
    return mean
