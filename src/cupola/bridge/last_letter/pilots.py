"""Who flies a model of Last_letter_2: its launch file gives each model one of three controllers, by its name.

The names are not in the folder, so the controllers are asked: the two laws for multirotors refuse a robot whose rotors
do not stand where they expect them. A plane keeps its sticks, as there; they are put where it flies level.
"""

import math
from pathlib import Path
from typing import Any

import mujoco

from cupola.analysis.aircraft import Aircraft
from cupola.analysis.trim import Condition, Trim, trim
from cupola.bridge.pilot import RotorSite, can_hover, choose_multirotor, lifting_rotors, rotor_sites, weight
from cupola.bridge.plane_pilot import hold_gains
from cupola.bridge.report import Report
from cupola.config.air import Air
from cupola.config.robot import Robot
from cupola.config.scenario import Scenario, VehicleEntry
from cupola.control.multirotor.hexacopter_pd import HexacopterPD
from cupola.control.multirotor.pd import StickFlight
from cupola.control.multirotor.quadcopter_pd import QuadcopterPD
from cupola.parts.described import RotorPlace
from cupola.parts.propulsion.mixer import Plant
from cupola.physics.rotation import Vector
from cupola.schema.input_files import InputError
from cupola.sim.world import World

LAWS: dict[str, type[StickFlight]] = {"quadcopter_pd": QuadcopterPD, "hexacopter_pd": HexacopterPD}
STICK = -0.8
"""Throttle stick of a multirotor when nobody holds it: its law asks for 5 m."""
SLOWEST, RATIO, TRIES = 8.0, 1.25, 9
"""[m/s] of the first level flight that is tried, and by how much the next is faster."""
SLOW = 1.05
"""Of the stalling speed: the slowest level flight that was found, at least."""
SPARE = 1.2
"""Of the slowest level flight that was found: the airspeed for which the sticks are set."""
CLIMB, CLIMBING = 0.08, 30.0
"""[rad] of the path after the start, and [s] for which it is kept."""


def choose_law(vehicle: dict[str, Any], model: mujoco.MjModel, physics_hz: float, report: Report) -> str:
    """The controller of a multirotor, written into its file; a sentence, or nothing for what does not hover."""
    rotors, rate = lifting_rotors(rotor_sites(vehicle, model)), vehicle["controller"]["rate_hz"]
    count = sum(part["kind"] == "rotor" for part in vehicle["parts"].values())
    if count != len(rotors) or any(part["kind"] == "airfoil" for part in vehicle["parts"].values()):
        return ""
    why = can_hover(rotors, weight(vehicle, model))
    if why:
        report.lose("controller", f"none that we ship flies it: {why}")
        return f"the sticks alone (pass_through): {why}"
    law = next((name for name, cls in LAWS.items() if _accepts(cls, vehicle, rotors, model)), None)
    if law is None:
        return choose_multirotor(vehicle, rotors, report, physics_hz).sentence
    names = [rotor.name for rotor in rotors]
    vehicle["parts"]["mixer"] = {"kind": "mixer", "rotors": names, "channel": count}
    hand = {"use": law, "rate_hz": rate}
    vehicle["controller"] = {**hand, "sticks": [{"time": 0, "channels": [0.0, 0.0, 0.0, STICK]}]}
    vehicle["assisted"] = {"use": "multirotor_velocity", "rate_hz": rate, "channel": count}
    vehicle["raw"] = hand
    report.assume("controller", f"{law}, whose rotors these are; a launch file names it there")
    lift = math.fsum(rotor.thrust * float(rotor.axis[2]) for rotor in rotors)
    below = math.sqrt(weight(vehicle, model) / lift) / float(LAWS[law]().value_of("alt_kp"))
    asks = f"5 m when nobody holds it, and gets {below:.1f} m less, as it does not integrate"
    return f"{law}, its own law: sticks lean and turn it, the throttle asks for a height, {asks}"


def _accepts(cls: type[StickFlight], vehicle: dict[str, Any], rotors: list[RotorSite], model: mujoco.MjModel) -> bool:
    """Whether a law takes the robot with its own gains."""
    plant = Plant(model, model.body(vehicle["root"]).id)
    places = {
        rotor.name: RotorPlace(part["channel"], Vector(*rotor.place), Vector(*rotor.axis), part["direction"],
                               rotor.thrust, rotor.ratio, radius=0.0, side_drag=0.0)
        for rotor in rotors
        for part in [vehicle["parts"][rotor.name]]
    }  # fmt: skip
    one, two, three = (Vector(*row) for row in plant.inertia.tolist())
    here, root = Vector(0.0, 0.0, 0.0), vehicle["root"]
    robot = Robot("it", plant.mass, here, (one, two, three), 9.81, root, {}, {}, {}, {}, rotors=places)
    law = cls()
    try:
        law.meet(robot)
    except ValueError:
        return False
    return law.mixing()[1] == len(rotors)


def set_sticks(vehicle: dict[str, Any], folder: Path, around: dict[str, Any], report: Report) -> str:
    """Sticks of a plane at which it flies level, in its air and at its rate; a sentence."""
    kinds = {part["kind"] for part in vehicle["parts"].values()}
    if not {"airfoil", "rotor"} <= kinds:
        why = f"it has no {'rotor' if 'airfoil' in kinds else 'airfoil and no rotor that lifts'}"
        report.lose("controller", f"nothing carries it in the air: {why}; pass_through leaves it to the sticks")
        return f"the sticks alone (pass_through): nothing carries it in the air, {why}"
    still = {key: value for key, value in around.get("air", {}).items() if key not in ("wind", "turbulence")}
    scenario = Scenario(
        physics_hz=around["physics_hz"],
        gravity=around.get("gravity", 9.81),
        air=Air.model_validate(still),
        vehicles=(VehicleEntry(model=str(folder), name="it"),),
    )
    plane = Aircraft(World(scenario))
    try:
        level, climb, slow = _flights(plane)
    except InputError as error:
        why = str(error).partition(": ")[2] or str(error)
        report.lose("sticks of level flight", why)
        return f"the sticks alone (pass_through), as in the source; nobody holds them: {why}"
    mix = vehicle["channel_mix"]
    phases = [(0.0, climb), (CLIMBING, level)] if climb else [(0.0, level)]
    vehicle["controller"]["sticks"] = [{"time": time, "channels": _channels(found, mix)} for time, found in phases]
    speed = level.condition.airspeed
    gains = hold_gains(plane, level, slow / SLOW, 0, report)
    vehicle["assisted"] = {"use": "plane_hold", "rate_hz": vehicle["controller"]["rate_hz"], "parameters": gains}
    vehicle["raw"] = {"use": "pass_through", "rate_hz": vehicle["controller"]["rate_hz"]}
    report.assume(
        "assisted", "plane_hold, with gains measured on this plane, for whoever takes over; there is none there"
    )
    report.assume("sticks", f"held where it climbs, then flies level at {speed:.3g} m/s; there a joystick moves them")
    return f"pass_through, its own: your sticks, set to climb and fly level at {speed:.3g} m/s when nobody holds them"


def _channels(found: Trim, mix: dict[str, int]) -> list[float]:
    """Stick channels whose commands are those of a steady flight."""
    commands, names = found.commands(), ("roll", "pitch", "yaw", "throttle")
    channels = [0.0] * (1 + max(mix[name] for name in names))
    for slot, name in enumerate(names):
        if mix[name] >= 0:
            value = commands.get(slot, 0.0)
            channels[mix[name]] = round(2.0 * value - 1.0 if name == "throttle" else value, 4)
    return channels


def _flights(aircraft: Aircraft) -> tuple[Trim, Trim | None, float]:
    """A level flight with something to spare to the slowest, a climb, and the slowest [m/s]; else the last error."""
    problem = InputError("no airspeed was tried")
    for k in range(TRIES):
        slow = SLOWEST * RATIO**k
        try:
            trim(aircraft, Condition(slow))
            level = trim(aircraft, Condition(SPARE * slow))
        except InputError as error:
            problem = error
            continue
        try:
            return level, trim(aircraft, Condition(SPARE * slow, CLIMB)), slow
        except InputError:
            return level, None, slow
    raise problem
