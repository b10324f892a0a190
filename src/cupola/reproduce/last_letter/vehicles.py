"""The vehicles of Last_letter_2 as they fly: masses, thrusts, hover, and the height error of the PD law."""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from cupola.config.scenario import Scenario, VehicleEntry
from cupola.config.vehicle import ControllerEntry, StickEntry
from cupola.reproduce.row import Row, printed
from cupola.sim.world import World


class Multirotor(NamedTuple):
    """A multirotor, its number of motors, and its figures as printed."""

    name: str
    motors: int
    mass: str
    thrust_to_weight: str
    hover: str
    height_error: str


class Plane(NamedTuple):
    """A plane and its figures as printed."""

    name: str
    source: str
    mass: str
    centre: tuple[str, str, str]


ROTOR_SOURCE = "Last_letter_2 specification annex B.4"
PLANE_SOURCE = "Last_letter_2 specification annex B.2"
TWIN_SOURCE = "Last_letter_2 specification §4.6.1"
PD_SOURCE = "Last_letter_2 specification §5.3"
MULTIROTORS = {
    "quad": Multirotor("quadcopter", 4, "1.0128", "4.56", "0.468", "1.56"),
    "hexa": Multirotor("hexacopter", 6, "1.492", "4.64", "0.464", "2.58"),
}
MOTOR_THRUST = "11.33"
PLANES = {
    "plane": Plane("plane_1wing", PLANE_SOURCE, "3.42", ("0.109", "0.000", "-0.027")),
    "sensors": Plane("plane_1wing_sensors", PLANE_SOURCE, "3.42", ("0.109", "0.000", "-0.027")),
    "twin": Plane("plane_3wing_2motor", TWIN_SOURCE, "3.48", ("-0.047", "0.000", "-0.017")),
}
PLANE_THRUST, PLANE_SPEED = "30.0", "18.06"
SECONDS = 30.0
"""After this time the flights below are steady."""


def rows(full: bool) -> Iterator[Row]:
    """Figures of §4.6, §5.3 and annex B, each read from a world."""
    for key, multirotor in MULTIROTORS.items():
        yield from multirotor_rows(key, multirotor)
    for key, plane in PLANES.items():
        yield from mass_rows(key, plane)
    yield from plane_rows()


def multirotor_rows(key: str, published: Multirotor) -> Iterator[Row]:
    """Mass, static thrust, hover throttle, and how far below its set-point the PD law hovers."""
    name = published.name
    world = fly(name, "pass_through", [1.0] * published.motors)
    world.step()
    mass, thrust = vehicle_mass(world), world.part("motor1").outputs.thrust
    yield printed(f"{key}_mass", ROTOR_SOURCE, f"mass of the {name}", published.mass, mass, "kg")
    yield printed(f"{key}_thrust", ROTOR_SOURCE, f"{name}: static full thrust of a motor", MOTOR_THRUST, thrust, "N")
    ratio = published.motors * thrust / (mass * world.scenario.gravity)
    quantity = f"{name}: thrust to weight"
    yield printed(f"{key}_thrust_to_weight", ROTOR_SOURCE, quantity, published.thrust_to_weight, ratio)

    # The stick at -0.6 asks the PD law for 50 m × (1 - 0.6) / 2.
    asked = 10.0
    world = fly(name, f"{name}_pd", [0.0, 0.0, 0.0, -0.6])
    world.run(SECONDS)
    hover = float(world.command()[: published.motors].mean())
    yield printed(f"{key}_hover", ROTOR_SOURCE, f"{name}: motor signal in hover", published.hover, hover)
    error, quantity = asked - world.motion().pos_w.z, f"{name}: height below the set-point, PD law"
    yield printed(f"{key}_pd_height_error", PD_SOURCE, quantity, published.height_error, error, "m")


def mass_rows(key: str, published: Plane) -> Iterator[Row]:
    """Mass and centre of mass of a plane, from the origin of its body."""
    world = fly(published.name, "pass_through", [0.0])
    mass, quantity = vehicle_mass(world), f"mass of {published.name}"
    yield printed(f"{key}_mass", published.source, quantity, published.mass, mass, "kg")
    root = world.instances[0].root
    centre = world.data.subtree_com[root] - world.data.xpos[root]
    for axis, figure, measured in zip("xyz", published.centre, centre, strict=True):
        quantity = f"{published.name}: centre of mass, {axis}"
        yield printed(f"{key}_centre_{axis}", published.source, quantity, figure, measured, "m")


def plane_rows() -> Iterator[Row]:
    """Static thrust of plane_1wing, and the speed at which it carries its weight while level."""
    world = fly("plane_1wing", "pass_through", [0.0, 0.0, 0.0, 1.0])
    world.step()
    thrust = world.part("motor1").outputs.thrust
    yield printed("plane_thrust", PLANE_SOURCE, "static full thrust", PLANE_THRUST, thrust, "N")

    speed = float(PLANE_SPEED)
    world = fly("plane_1wing", "pass_through", [0.0], velocity_b=(speed, 0.0, 0.0))
    world.step()
    lift = world.part("wing").outputs.force.z  # the wing is level
    balance = speed * math.sqrt(vehicle_mass(world) * world.scenario.gravity / lift)
    yield printed("plane_speed", PLANE_SOURCE, "speed at which lift is weight, level", PLANE_SPEED, balance, "m/s")


def fly(model: str, controller: str, sticks: list[float], **entry: Any) -> World:
    """A shipped vehicle alone in still air at sea level, with these sticks held from the start.

    Where it has numbers that the thesis has not, they are left out.
    """
    pilot = ControllerEntry(use=controller, sticks=(StickEntry(time=0.0, channels=sticks),))
    thesis = "thesis" if model in {one.name for one in MULTIROTORS.values()} else None
    return World(Scenario(vehicles=(VehicleEntry(model=model, controller=pilot, preset=thesis, **entry),)))


def vehicle_mass(world: World) -> float:
    """Of the first vehicle with all that hangs on it [kg]."""
    return float(world.model.body_subtreemass[world.instances[0].root])
