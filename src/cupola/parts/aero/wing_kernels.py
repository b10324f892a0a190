"""Kernels of a wing without interaction with other wings."""

from cupola.kernel.memory import Views
from cupola.kernel.motion import SiteFrame, SiteMotion
from cupola.kernel.spatial import Mount, Twist
from cupola.parts.aero.added_mass import add_to_matrix, drift_push, stir_push
from cupola.parts.aero.exposed import near_floor, sheet_of
from cupola.parts.aero.wing_mass import moving_mass
from cupola.parts.aero.wing_records import Placed, UnsteadyLoad, WingLoad, WingOutput, WorkState, shown
from cupola.parts.aero.wing_shape import change_shape, mass_place, place_strips, start_shape
from cupola.parts.aero.wing_strips import (
    DELAURIER,
    LATTICE,
    StripsLoad,
    delaurier_load,
    lattice_load,
    remember_air,
    settle_air,
    strips_load,
)
from cupola.physics.downwash import Sheet
from cupola.physics.rotation import Wrench, add
from cupola.xmath import Number, both, where


class WingKernels:
    """Of wings without a memory, and of those of the variant `unsteady`."""

    @staticmethod
    def start(p: Number, elements: Number, memory: Number, drive: Number, mount: Mount, dt: Number) -> Placed:
        """As if the present shape had been there for long."""
        stand(p, elements, memory, drive, dt)
        return Placed(mass_place(p, memory, mount))

    @staticmethod
    def start_unsteady(
        p: Number, motion: SiteMotion, elements: Number, memory: Number, drive: Number, mount: Mount, dt: Number
    ) -> Placed:
        """The same for the present motion."""
        stand(p, elements, memory, drive, dt)
        settle_air(p, elements, motion, memory)
        return Placed(mass_place(p, memory, mount))

    @staticmethod
    def reopen(p: Number, elements: Number, memory: Number, drive: Number, mount: Mount, dt: Number) -> Placed:
        """Strips and mass where the shape puts them."""
        place_strips(p, elements, memory, drive, dt)
        return Placed(mass_place(p, memory, mount))

    @staticmethod
    def actuate(p: Number, elements: Number, memory: Number, drive: Number, mount: Mount, dt: Number) -> Placed:
        """It takes the shape that its channels ask for."""
        follow(p, elements, memory, drive, dt)
        return Placed(mass_place(p, memory, mount))

    @staticmethod
    def actuate_unsteady(
        p: Number, motion: SiteMotion, elements: Number, memory: Number, drive: Number, mount: Mount, dt: Number
    ) -> Placed:
        """The same, and advance the unsteady state by one tick."""
        follow(p, elements, memory, drive, dt)
        remember_air(p, elements, motion, memory, dt)
        return Placed(mass_place(p, memory, mount))

    @staticmethod
    def settled(p: Number, elements: Number, memory: Number, drive: Number, dt: Number) -> None:
        """The shape stands still: it neither moves nor slows down."""
        stand(p, elements, memory, drive, dt)

    @staticmethod
    def settled_unsteady(
        p: Number, motion: SiteMotion, elements: Number, memory: Number, drive: Number, dt: Number
    ) -> None:
        """The same, and the air is as when the present motion has gone on for long."""
        stand(p, elements, memory, drive, dt)
        settle_air(p, elements, motion, memory)

    @staticmethod
    def load(
        p: Number,
        state: WorkState,
        motion: SiteMotion,
        density: Number,
        elements: Number,
        memory: Number,
        constants: Number,
    ) -> WingLoad:
        """Sum over the strips, or what a solution of panels left."""
        air = steady_load(p, elements, motion, density, memory, constants)
        own = moving_mass(p, motion)
        return WingLoad(shown(p, state, motion, density, air, own.power, own.power), air.wrench, own.wrench)

    @staticmethod
    def load_unsteady(
        p: Number,
        state: WorkState,
        motion: SiteMotion,
        drift: Twist,
        density: Number,
        elements: Number,
        memory: Number,
        constants: Number,
    ) -> UnsteadyLoad:
        """The same, and the inertia of the air where the joints do not accelerate."""
        air = lagging_load(p, elements, motion, density, memory, constants)
        return with_inertia(p, state, motion, drift, density, elements, air)

    @staticmethod
    def publish(
        p: Number,
        motion: SiteMotion,
        density: Number,
        elements: Number,
        memory: Number,
        constants: Number,
        frame: SiteFrame,
    ) -> Sheet:
        """The wake that its present lift leaves behind it, for wings that name it in `downwash`."""
        if p.off:
            return Sheet(frame.pos_w, frame.pos_w, frame.x_w, 0.0)
        if p.onset >= 0:
            near_floor(p, elements, memory)
        if p.unsteady:
            air = lagging_load(p, elements, motion, density, memory, constants)
        else:
            air = steady_load(p, elements, motion, density, memory, constants)
        return sheet_of(p, elements, motion, density, air, frame)

    @staticmethod
    def inertia_unsteady(p: Number, v: Views, matrix_density: Number) -> None:
        """Inertia of the air; it changes MuJoCo's mass matrix, so this kernel sees the world's memory."""
        if not p.off:
            add_to_matrix(v, p.body, p.site, p.added, matrix_density)

    @staticmethod
    def tally(p: Number, state: WorkState, output: WingOutput, x: Number) -> WorkState:
        """Add the present powers over a time of `x` [s] to what they have done."""
        past = where(both(output.alpha > p.stall_low, output.alpha < p.stall_high), 0.0, x)
        return WorkState(state.work + x * output.power, state.driven + x * output.drive, state.stalled + past)


def with_inertia(
    p: Number,
    state: WorkState,
    motion: SiteMotion,
    drift: Twist,
    density: Number,
    elements: Number,
    air: StripsLoad,
) -> UnsteadyLoad:
    """A load of the air with the inertia of what goes along, where the joints do not accelerate."""
    carried, own = drift_push(p.added, drift, density), moving_mass(p, motion)
    moved, power, drive = own.wrench, own.power, own.power
    if p.stirs:
        stirred = stir_push(p.stirred, p.added, motion, density)
        moved = Wrench(add(moved.force, stirred.wrench.force), add(moved.torque, stirred.wrench.torque))
        power, drive = power + stirred.power, drive + stirred.drive
    return UnsteadyLoad(shown(p, state, motion, density, air, power, drive), air.wrench, carried, moved)


def stand(p: Number, elements: Number, memory: Number, drive: Number, dt: Number) -> None:
    """The shape of the channels, as if it had been there for long."""
    start_shape(p, memory, drive)
    place_strips(p, elements, memory, drive, dt)


def follow(p: Number, elements: Number, memory: Number, drive: Number, dt: Number) -> None:
    """One tick towards the shape of the channels."""
    if p.moves:
        change_shape(p, memory, drive)
        place_strips(p, elements, memory, drive, dt)


def steady_load(
    p: Number, elements: Number, motion: SiteMotion, density: Number, memory: Number, constants: Number
) -> StripsLoad:
    """Of a wing whose strips have no memory."""
    if p.solved == LATTICE:
        return lattice_load(p, elements, motion, density, memory)
    return strips_load(p, elements, motion, density, memory, constants)


def lagging_load(
    p: Number, elements: Number, motion: SiteMotion, density: Number, memory: Number, constants: Number
) -> StripsLoad:
    """Of a wing whose strips remember, without the inertia of the air."""
    if p.unsteady == DELAURIER:
        return delaurier_load(p, elements, motion, density, memory)
    return strips_load(p, elements, motion, density, memory, constants)
