"""What turns a propeller: power at the shaft of electric motors, piston engines, turboprops and turbines."""

import math
from collections.abc import Callable
from xml.etree import ElementTree as ET

from cupola.bridge.formulas import number
from cupola.bridge.jsbsim import turbines
from cupola.bridge.jsbsim.elements import FOOT, HORSE_POWER, POUND, thrust_value, value
from cupola.bridge.jsbsim.graph import Graph
from cupola.bridge.jsbsim.pistons import Shaft, piston
from cupola.schema.yaml_files import InputError

SLOWER = 2.4
"""By how much a gas generator takes longer to slow down than to speed up, in JSBSim."""


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
    most = thrust_value(e, "milthrust", 10000.0) / POUND / 550.0
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
