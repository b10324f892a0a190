"""Quadcopter and plane of Last_letter_2 as they fly: masses, thrusts, hover, and the height error of the PD law."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from cupola.reproduce.row import Row, printed
from cupola.scenario import Scenario, VehicleEntry
from cupola.vehicle import ControllerEntry, PlanEntry, StickEntry
from cupola.world import World

QUAD_SOURCE = "Last_letter_2 specification annex B.4"
PLANE_SOURCE = "Last_letter_2 specification annex B.2"
PD_SOURCE = "Last_letter_2 specification §5.3"
QUAD_MASS, QUAD_THRUST, QUAD_HOVER, QUAD_THRUST_TO_WEIGHT = "1.0128", "11.33", "0.468", "4.56"
PLANE_MASS, PLANE_THRUST, PLANE_SPEED = "3.42", "30.0", "18.06"
PLANE_CENTRE = (("x", "0.109"), ("y", "0.000"), ("z", "-0.027"))
PD_ERROR = "1.56"
SECONDS = 30.0
"""After this time the flights below are steady."""


def rows(full: bool) -> Iterator[Row]:
    """Figures of annex B, each read from a world."""
    yield from quadcopter_rows()
    yield from plane_rows()


def quadcopter_rows() -> Iterator[Row]:
    """Mass, static thrust, hover throttle, and how far below its set-point the PD law hovers."""
    sticks = ControllerEntry(use="pass_through", sticks=(StickEntry(time=0.0, channels=[1.0, 1.0, 1.0, 1.0]),))
    world = fly("quadcopter", controller=sticks)
    world.step()
    mass, thrust = vehicle_mass(world), first_output(world, "rotors")
    yield printed("quad_mass", QUAD_SOURCE, "mass of the quadcopter", QUAD_MASS, mass, "kg")
    yield printed("quad_thrust", QUAD_SOURCE, "static full thrust of one motor", QUAD_THRUST, thrust, "N")
    ratio = 4.0 * thrust / (mass * world.scenario.gravity)
    yield printed("quad_thrust_to_weight", QUAD_SOURCE, "thrust to weight", QUAD_THRUST_TO_WEIGHT, ratio)

    plan = ControllerEntry(use="quadcopter_waypoints", plan=(PlanEntry(position=(0.0, 0.0, 2.0)),))
    world = fly("quadcopter", controller=plan)
    world.run(SECONDS)
    hover = float(world.command()[:4].mean())
    yield printed("quad_hover", QUAD_SOURCE, "motor signal in hover", QUAD_HOVER, hover)

    # The stick at -0.6 asks the PD law for 50 m × (1 - 0.6) / 2.
    asked = 10.0
    stick = ControllerEntry(use="quadcopter_pd", sticks=(StickEntry(time=0.0, channels=[0.0, 0.0, 0.0, -0.6]),))
    world = fly("quadcopter", controller=stick)
    world.run(SECONDS)
    error = asked - world.motion().pos_w.z
    yield printed("quad_pd_height_error", PD_SOURCE, "height below the set-point, PD law", PD_ERROR, error, "m")


def plane_rows() -> Iterator[Row]:
    """Mass, centre of mass, static thrust, and the speed at which the level plane carries its weight."""
    sticks = ControllerEntry(use="pass_through", sticks=(StickEntry(time=0.0, channels=[0.0, 0.0, 0.0, 1.0]),))
    world = fly("plane_1wing", controller=sticks)
    world.step()
    mass = vehicle_mass(world)
    yield printed("plane_mass", PLANE_SOURCE, "mass of plane_1wing", PLANE_MASS, mass, "kg")
    thrust = first_output(world, "rotors")
    yield printed("plane_thrust", PLANE_SOURCE, "static full thrust", PLANE_THRUST, thrust, "N")
    world.reset()
    root = world.members[0].root
    centre = world.data.subtree_com[root] - world.data.xpos[root]
    for (axis, published), measured in zip(PLANE_CENTRE, centre, strict=True):
        yield printed(f"plane_centre_{axis}", PLANE_SOURCE, f"centre of mass, {axis}", published, measured, "m")

    speed = float(PLANE_SPEED)
    world = fly("plane_1wing", velocity_b=(speed, 0.0, 0.0))
    world.step()
    lift = first_output(world, "airfoils", column=7)  # force along z of the level wing
    balance = speed * math.sqrt(mass * world.scenario.gravity / lift)
    yield printed("plane_speed", PLANE_SOURCE, "speed at which lift is weight, level", PLANE_SPEED, balance, "m/s")


def fly(model: str, **entry: Any) -> World:
    """A shipped vehicle alone in still air at sea level."""
    return World(Scenario(vehicles=(VehicleEntry(model=model, **entry),)))


def vehicle_mass(world: World) -> float:
    """Of the first vehicle with all that hangs on it [kg]."""
    return float(world.model.body_subtreemass[world.members[0].root])


def first_output(world: World, kind: str, column: int = 0) -> float:
    """An output of the first part of a kind; the first of a rotor is its thrust."""
    rows: np.ndarray[Any, Any] = getattr(world.arrays, kind)
    return float(world.arrays.outputs[rows["output"][0] + column])
