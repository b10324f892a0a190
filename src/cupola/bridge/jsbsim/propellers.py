"""Propellers of JSBSim: thrust and power by coefficients over advance ratio, blade angle and Mach number of the tips.

The shaft is a control part that remembers how fast it turns; the propeller itself pushes. They share three channels:
revolutions per second, blade angle, and the power of the engine, whose torque the airframe feels.
"""

import math
from typing import Any
from xml.etree import ElementTree as ET

from cupola.bridge.formulas import number
from cupola.bridge.jsbsim.elements import FOOT, INCH, POUND, SLUG_FT2, value
from cupola.bridge.jsbsim.graph import Graph
from cupola.bridge.jsbsim.pistons import Shaft
from cupola.bridge.jsbsim.shafts import SHAFTS
from cupola.physics.atmosphere import GAS_CONSTANT, HEAT_RATIO
from cupola.schema.yaml_files import InputError

TWO_PI = 2.0 * math.pi
SLOWEST = 200.0 / 60.0
"""[1/s] below which a governor has no oil pressure."""

RUNNING = "running"
"""Constant of the control part; tuned to 0 the engine stops, and the propeller windmills."""


def shaft_of(engine: ET.Element, propeller: ET.Element, law: Graph, throttle: str) -> Shaft:
    """What an engine does to its propeller."""
    return SHAFTS[engine.tag](engine, law, throttle, value(propeller, "gearratio", "", 1.0))


def turning(propeller: ET.Element, shaft: Shaft, inflow: str, law: Graph, channel: int) -> dict[str, Any]:
    """The control part: revolutions by the balance of power, blades by a governor; `inflow` is along the shaft."""
    least, most = (value(propeller, name, "", 0.0) for name in ("minpitch", "maxpitch"))
    inertia = value(propeller, "ixx", "SLUG*FT2", 1.0 * SLUG_FT2)
    _coefficients(propeller, law, inflow, "turns", "blades")
    law.constants[RUNNING] = 1.0
    law.values["power"] = f"{RUNNING} * ({shaft.power})"
    balance = f"(power - needed) / ({number(TWO_PI**2 * inertia)} * max(rps, 0.5))"
    law.values["turning"] = f"max(turns + dt * {balance}, 0)"
    law.values["turned"] = number(least)
    if is_governed(propeller):
        slow, fast = (value(propeller, name, "", 0.0) for name in ("minrpm", "maxrpm"))
        lever = law.named("fcs/advance-cmd-norm") if shaft.lever else "0"
        law.values["wanted_rpm"] = f"{number(slow)} + {number(fast - slow)} * {lever}"
        change = f"if(turns > {number(SLOWEST)}, dt * (60 * turns - wanted_rpm), 0)"
        law.values["turned"] = f"clip(blades + {change}, {number(least)}, {number(most)})"
    start = {"turns": {"start": 20.0, "next": "turning"}, "blades": {"start": least, "next": "turned"}}
    return {
        "channels": {channel: "turning", channel + 1: "turned", channel + 2: "power"},
        "remembers": {**start, **shaft.remembers},
        "show": {"turning": "1/s", "power": "W", "needed": "W"},
    }


def pushing(propeller: ET.Element, mount: ET.Element, sense: float, load: Graph, channel: int) -> dict[str, str]:
    """The engine part: thrust, the torque of the engine on the airframe, and what a hub in a slanted flow adds."""
    width = value(propeller, "diameter", "IN")
    _coefficients(propeller, load, "u", f"channel[{channel}]", f"channel[{channel + 1}]")
    load.values["thrust"] = f"ct * density * channel[{channel}] ^ 2 * {number(width**4)}"
    found = {
        "motion_at": "site",
        "thrust": "thrust",
        "torque": f"{number(-sense / TWO_PI)} * channel[{channel + 2}] / rps",
    }
    spin = number(sense * _version(propeller) * TWO_PI * value(propeller, "ixx", "SLUG*FT2", 1.0 * SLUG_FT2))
    found |= {"pitch_torque": f"{spin} * rps * r", "yaw_torque": f"-{spin} * rps * q"}
    shift = value(mount, "p_factor", "", 0.0) * INCH
    if shift > 0.0:
        load.values["induced"] = _induced(width)
        load.values["across"] = "max(sqrt(v ^ 2 + w ^ 2), 1e-4)"
        load.values["off_centre"] = f"{number(sense * shift)} * atan2(across, inflow + induced) / across * thrust"
        found["pitch_torque"] += " - off_centre * v"
        found["yaw_torque"] += " - off_centre * w"
    return found


def tells(propeller: ET.Element, sense: float) -> dict[str, str]:
    """What the control part can tell others, in JSBSim's units."""
    width, gear = value(propeller, "diameter", "IN"), value(propeller, "gearratio", "", 1.0)
    thrust = f"(ct * density * turns ^ 2 * {number(width**4)})"
    return {
        "propeller-rpm": "60 * turning",
        "engine-rpm": f"{number(60.0 * gear)} * turning",
        "thrust-coefficient": "ct",
        "advance-ratio": "advance",
        "blade-angle": "turned",
        "helical-tip-Mach": "tip_mach",
        "roll-torque": f"{number(-sense / TWO_PI / (FOOT * POUND))} * power / rps",
        "thrust-lbs": f"{thrust} / {number(POUND)}",
        "prop-induced-velocity_fps": f"({_induced(width, thrust)}) / {number(FOOT)}",
    }


def _induced(width: float, thrust: str = "thrust") -> str:
    """Velocity that the disk adds [m/s], by momentum theory as JSBSim has it."""
    total = f"inflow * abs(inflow) + {number(2.0 / (0.25 * math.pi * width**2))} * {thrust} / density"
    return f"0.5 * (sign({total}) * sqrt(abs({total})) - inflow)"


def _version(propeller: ET.Element) -> float:
    """Sign of JSBSim's gyroscopic moment, ω × H: only files of a version above 1.0 have that of a real propeller."""
    try:
        return -1.0 if float(propeller.get("version", "1")) > 1.0 else 1.0
    except ValueError:
        return 1.0


def is_governed(propeller: ET.Element) -> bool:
    """Whether its blades turn so that it keeps its speed."""
    kept = value(propeller, "constspeed", "", 1.0 if propeller.find("maxrpm") is not None else 0.0)
    return _varies(propeller) and kept != 0.0


def simplified(propeller: ET.Element, index: int) -> list[tuple[str, str]]:
    """What is left out of a propeller, or is not as it should be."""
    told = []
    if _version(propeller) > 0.0:
        why = "as in JSBSim it has the opposite sign of a real one's: the file has no version above 1.0"
        told.append((f"gyroscopic moment of propeller {index}", why))
    if _varies(propeller) and not is_governed(propeller):
        told.append((f"blade angle of propeller {index}", "stays at its <minpitch>: nothing here turns the blades"))
    return told


def _varies(propeller: ET.Element) -> bool:
    return value(propeller, "minpitch", "", 0.0) != value(propeller, "maxpitch", "", 0.0)


def _coefficients(propeller: ET.Element, graph: Graph, inflow: str, turns: str, blades: str) -> None:
    """Values `rps`, `advance`, `ct`, `cp` and the power `needed` [W]."""
    width = value(propeller, "diameter", "IN")
    graph.values["rps"] = f"max({turns}, 0.01)"
    graph.values["inflow"] = inflow
    graph.values["advance"] = f"inflow / (rps * {number(width)})"
    sound = f"({number(math.sqrt(HEAT_RATIO * GAS_CONSTANT))} * sqrt(temperature))"
    graph.values["tip_mach"] = f"sqrt(({number(math.pi * width)} * rps) ^ 2 + inflow ^ 2) / {sound}"
    for name, label, at_tip, factor in (
        ("ct", "C_THRUST", "CT_MACH", "ct_factor"),
        ("cp", "C_POWER", "CP_MACH", "cp_factor"),
    ):
        graph.formulas.owner = name
        table = _table(propeller, label)
        if table is None:
            raise InputError(f"the propeller {propeller.get('name')} has no table {label}")
        found = graph.translator.table_over(table, "advance", blades if _varies(propeller) else None)
        text = f"{number(value(propeller, factor, '', 1.0))} * {found}"
        fast = _table(propeller, at_tip)
        if fast is not None:
            graph.formulas.owner = f"{name}_mach"
            breaks = [number(float(word)) for word in (fast.findtext("tableData") or "").split()[::2]]
            # JSBSim's tables begin where the tips get fast: slower ones have not left them.
            text += f" * {graph.translator.table_over(fast, f'clip(tip_mach, {breaks[0]}, {breaks[-1]})', None)}"
        graph.values[name] = text
    graph.values["needed"] = f"cp * density * rps ^ 3 * {number(width**5)}"


def _table(propeller: ET.Element, name: str) -> ET.Element | None:
    return next((one for one in propeller.findall("table") if one.get("name") == name), None)
