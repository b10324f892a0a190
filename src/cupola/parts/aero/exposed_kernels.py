"""What a wing of strips does where it feels the floor, streams of rotors or wings ahead: the variants `…exposed`."""

from typing import Any, ClassVar

from cupola.kernel.motion import SiteFrame, SiteMotion
from cupola.kernel.spatial import Mount, Twist
from cupola.parts.aero.exposed import AHEAD, Surroundings, carry, expose, forget, near_floor
from cupola.parts.aero.wing_kernels import WingKernels, follow, lagging_load, stand, with_inertia
from cupola.parts.aero.wing_mass import moving_mass
from cupola.parts.aero.wing_records import Placed, UnsteadyLoad, WingLoad, WorkState, shown
from cupola.parts.aero.wing_shape import mass_place
from cupola.parts.aero.wing_strips import remember_air, settle_air, strips_load
from cupola.xmath import Number


class ExposedKernels:
    """Beside those of `WingKernels`: first what comes to the strips, then the same."""

    @staticmethod
    def start_unsteady_exposed(
        p: Number, elements: Number, memory: Number, drive: Number, mount: Mount, dt: Number
    ) -> Placed:
        """As `start_unsteady`, once the air is known."""
        stand(p, elements, memory, drive, dt)
        forget(p, memory)
        return Placed(mass_place(p, memory, mount))

    @staticmethod
    def actuate_exposed(
        p: Number, motion: SiteMotion, elements: Number, memory: Number, drive: Number, mount: Mount, dt: Number
    ) -> Placed:
        """As `actuate`, and wakes of wings ahead come closer."""
        follow(p, elements, memory, drive, dt)
        carry(p, motion, memory, dt)
        return Placed(mass_place(p, memory, mount))

    @staticmethod
    def actuate_unsteady_exposed(
        p: Number, motion: SiteMotion, elements: Number, memory: Number, drive: Number, mount: Mount, dt: Number
    ) -> Placed:
        """As `actuate_unsteady`, in the air of the last load."""
        follow(p, elements, memory, drive, dt)
        near_floor(p, elements, memory)
        remember_air(p, elements, motion, memory, dt)
        carry(p, motion, memory, dt)
        return Placed(mass_place(p, memory, mount))

    @staticmethod
    def settled_exposed(p: Number, elements: Number, memory: Number, drive: Number, dt: Number) -> None:
        """As `settled`; wakes of wings ahead are of long standing."""
        stand(p, elements, memory, drive, dt)
        forget(p, memory)

    settled_unsteady_exposed: ClassVar[Any] = settled_exposed

    @staticmethod
    def load_exposed(
        p: Number,
        state: WorkState,
        motion: SiteMotion,
        density: Number,
        elements: Number,
        memory: Number,
        constants: Number,
        given: Number,
        height: Number,
        frame: SiteFrame,
    ) -> WingLoad:
        """As `load`, in the air that is there."""
        expose(p, elements, memory, constants, Surroundings(given, frame, height))
        air = strips_load(p, elements, motion, density, memory, constants)
        own = moving_mass(p, motion)
        return WingLoad(shown(p, state, motion, density, air, own.power, own.power), air.wrench, own.wrench)

    @staticmethod
    def load_unsteady_exposed(
        p: Number,
        state: WorkState,
        motion: SiteMotion,
        drift: Twist,
        density: Number,
        elements: Number,
        memory: Number,
        constants: Number,
        given: Number,
        height: Number,
        frame: SiteFrame,
    ) -> UnsteadyLoad:
        """As `load_unsteady`, in the air that is there."""
        expose(p, elements, memory, constants, Surroundings(given, frame, height))
        if memory[p.ways - AHEAD] > 0.0:
            settle_air(p, elements, motion, memory)
            memory[p.ways - AHEAD] = 0.0
        air = lagging_load(p, elements, motion, density, memory, constants)
        return with_inertia(p, state, motion, drift, density, elements, air)

    inertia_unsteady_exposed: ClassVar[Any] = staticmethod(WingKernels.inertia_unsteady)
