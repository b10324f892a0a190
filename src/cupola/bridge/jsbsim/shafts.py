"""What turns a propeller: power at the shaft of electric motors, piston engines, turboprops and turbines."""

import math
from collections.abc import Callable
from typing import NamedTuple
from xml.etree import ElementTree as ET

from cupola.bridge.formulas import number
from cupola.bridge.jsbsim import turbines
from cupola.bridge.jsbsim.elements import FOOT, value
from cupola.bridge.jsbsim.graph import Graph
from cupola.schema.yaml_files import InputError

HORSE_POWER = 745.69987158227022
PISTON = "its mixture is always that of full rich at sea level; superchargers, magnetos and the starter are left out"
PISTON_SPEED, STROKE, COMPRESSION, GAMMA = 100.0, 4.0, 9.0, 1.3
"""JSBSim's own: largest mean piston speed [ft/s], stroke [in], compression ratio, ratio of heats in the cylinder."""
INCH, INCH_OF_MERCURY = 0.0254, 3386.38864
STANDARD, HIGHEST = 101325.0, 29.9 * INCH_OF_MERCURY
"""[Pa] at sea level, and the most that a manifold has."""
AIR, FRICTION = 287.3, 1.5 * HORSE_POWER
"""Gas constant of air [J/(kg K)], and what an engine needs to turn at all [W], in JSBSim."""
SLOWER = 2.4
"""By how much a gas generator takes longer to slow down than to speed up, in JSBSim."""


class Shaft(NamedTuple):
    """How an engine turns its propeller."""

    power: str
    """[W], an expression in which `turns` and `rps` are the revolutions of the propeller per second."""
    remembers: turbines.Remembered
    left_out: str = ""
    lever: bool = True
    """Whether the pilot's lever tells the governor of its propeller which speed to hold; else it is the lowest."""


def electric(e: ET.Element, law: Graph, throttle: str, gear: float) -> Shaft:
    """Its power times the throttle."""
    return Shaft(f"{number(value(e, 'power', 'WATTS', 745.7))} * clip({throttle}, 0, 1)", {})


def brushless(e: ET.Element, law: Graph, throttle: str, gear: float) -> Shaft:
    """Three constants: volts per speed, resistance, and the current that only overcomes friction."""
    speed = value(e, "velocityconstant", "") * 2.0 * math.pi / 60.0
    resistance, idle = value(e, "coilresistance", ""), value(e, "noloadcurrent", "")
    volts = f"{number(value(e, 'maxvolts', ''))} * clip({throttle}, 0, 1)"
    law.values["current"] = f"({volts} - {number(2.0 * math.pi / speed)} * turns) / {number(resistance)}"
    driving = f"(current - clip(current, {number(-idle)}, {number(idle)}))"
    return Shaft(f"{driving} * {number(2.0 * math.pi / speed)} * rps", {})


def piston(e: ET.Element, law: Graph, throttle: str, gear: float) -> Shaft:
    """Power of the fuel that burns in the air it breathes, less friction and pumping; without superchargers."""
    fastest, idle = value(e, "maxrpm", "", 2800.0), value(e, "idlerpm", "", 600.0)
    high = min(value(e, "maxmp", "INHG", 28.5 * INCH_OF_MERCURY), HIGHEST)
    low = value(e, "minmp", "INHG", 6.5 * INCH_OF_MERCURY)
    stroke, squeeze = value(e, "stroke", "IN", STROKE * INCH) / INCH, value(e, "compression-ratio", "", COMPRESSION)
    # Impedances of the engine itself, of its air box and of its throttle make the manifold pressure.
    rated = PISTON_SPEED / (fastest * stroke / 360.0)
    box = STANDARD * rated / high - rated
    closed = PISTON_SPEED / (idle * stroke / 360.0) * (STANDARD / low - 1.0) - box
    law.values["breath"] = f"{number(PISTON_SPEED * 360.0 / stroke / gear / 60.0)} / max(turns, 0.1)"
    shut = f"(1 - clip({throttle}, 0, 1)) ^ 2 * {number(closed)}"
    ram = "pressure * (1 + 0.2 * mach ^ 2) ^ 3.5"
    law.values["manifold"] = f"{ram} * breath / (breath + {number(box)} + {shut})"
    behind = f"min(pressure / max(manifold, 1), {number(squeeze)})"
    law.values["filling"] = (
        f"{number((GAMMA - 1.0) / GAMMA)} + ({number(squeeze)} - {behind}) / {number(GAMMA * (squeeze - 1.0))}"
    )
    volume, breathes = value(e, "displacement", "IN3", 360.0 * INCH**3), value(e, "volumetric-efficiency", "", 0.85)
    law.values["air_flow"] = (
        f"{number(0.5 * volume * gear * breathes / AIR)} * max(turns, 0) * filling * manifold / temperature"
    )
    # Mean pressures of friction and of pumping act on the volume of all cylinders once in a cycle.
    cycle = 0.5 * value(e, "cycles", "", 4.0)
    static, dynamic = value(e, "static-fmep", "", 46500.0), value(e, "dynamic-fmep", "", 18400.0)
    mean = f"({number(static)} + {number(dynamic * stroke / 6.0 * 0.3048 * gear)} * turns)"
    law.values["losses"] = (
        f"({mean} + (pressure - manifold) * {number(breathes)}) * {number(volume / cycle * gear)} * turns"
        f" + {number(FRICTION)}"
    )
    lost = (static + dynamic * stroke * fastest / 360.0 * 0.3048 + (STANDARD - high) * breathes) * volume / cycle
    rich = 1.1 * volume / INCH**3 * fastest * breathes * (high / STANDARD) / 9411.0
    most = value(e, "maxhp", "HP", 200.0 * HORSE_POWER) + lost * fastest / 60.0 - FRICTION
    burns = value(e, "bsfc", "", rich / (most / HORSE_POWER))
    per_air = 1.3 / 14.7 * 2.2046 * 3600.0 * HORSE_POWER / burns
    return Shaft(f"{number(per_air)} * air_flow - losses", {}, PISTON)


def turboprop(e: ET.Element, law: Graph, throttle: str, gear: float) -> Shaft:
    """Power by tables over the speeds of shaft and gas generator, and over the flight; its gas generator lags."""
    idle, most = value(e, "idlen1", "", 30.0), value(e, "maxn1", "", 100.0)
    delay = value(e, "n1idle_max_delay", "", 1.0)
    law.values["n1_wanted"] = f"{number(idle)} + {number(most - idle)} * clip({throttle}, 0, 1)"
    slow = f"if(n1 > n1_wanted, {number(SLOWER * delay)}, {number(delay)})"
    law.values["n1_now"] = f"n1_wanted + (n1 - n1_wanted) * exp(-dt / {slow})"
    law.formulas.owner = "shaft_power"
    turning = law.translator.table_over(_table(e, "EnginePowerRPM_N1"), f"(turns * {number(60.0 * gear)})", "n1_now")
    power = f"min({turning} * {_in_flight(e, law)} * {number(HORSE_POWER)}, {number(value(e, 'maxpower', 'HP'))})"
    torque = value(e, "ielumaxtorque", "FT*LB", 0.0)
    if torque > 0.0:
        power = f"min({power}, {number(torque * 2.0 * math.pi)} * rps)"
    left_out = "start, reverse and feathering are left out; the limiter of its torque acts at once"
    return Shaft(power, {"n1": {"start": idle, "next": "n1_now"}}, left_out)


def turbine(e: ET.Element, law: Graph, throttle: str, gear: float) -> Shaft:
    """JSBSim hands the thrust of a turbine [lbf] to a propeller as if it were power [ft lbf/s], and so is it here."""
    remembers = turbines.spool(e, law, throttle)
    power = f"({turbines.thrust(e, law, 'spooled', throttle)}) * {number(FOOT)}"
    most = value(e, "milthrust", "", 10000.0) / 550.0
    left_out = f"as in JSBSim its propeller takes the thrust in lbf for a power in ft lbf/s: {most:.3g} hp at most"
    return Shaft(power, remembers, left_out, lever=False)


def _table(e: ET.Element, name: str) -> ET.Element:
    found = next((one for one in e.findall("table") if one.get("name") == name), None)
    if found is None:
        raise InputError(f"the turboprop {e.get('name')} has no table {name}")
    return found


def _in_flight(e: ET.Element, law: Graph) -> str:
    """The share of its power that it has at a height and a speed; in a function or a table of its own."""
    function = next((one for one in e.findall("function") if one.get("name") == "EnginePowerVC"), None)
    if function is not None:
        return law.formulas.short(law.translator.function(function))
    return law.formulas.short(law.translator.table(_table(e, "EnginePowerVC")))


SHAFTS: dict[str, Callable[[ET.Element, Graph, str, float], Shaft]] = {
    "electric_engine": electric,
    "brushless_dc_motor": brushless,
    "piston_engine": piston,
    "turboprop_engine": turboprop,
    "turbine_engine": turbine,
}
