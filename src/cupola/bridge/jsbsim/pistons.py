"""Piston engines of JSBSim: the power of the fuel that burns in the air they breathe, less friction and pumping."""

from typing import NamedTuple
from xml.etree import ElementTree as ET

import numpy as np

from cupola.bridge.formulas import number
from cupola.bridge.jsbsim import turbines
from cupola.bridge.jsbsim.elements import FOOT, HORSE_POWER, INCH, UNITS, value
from cupola.bridge.jsbsim.graph import Graph
from cupola.physics.atmosphere import Atmosphere, atmosphere

LEFT_OUT = "its mixture is always that of full rich at sea level; magnetos and the starter are left out"
MOVED = "magnetos and the starter are left out"
RICH = 1.3 / 14.7
"""Fuel per air at sea level with the lever ahead, in JSBSim."""
BURNT = {
    0.05: 0.0, 0.05137: 0.00862, 0.05179: 0.21552, 0.0543: 0.48276, 0.05842: 0.7069, 0.06312: 0.83621,
    0.06942: 0.93103, 0.07786: 1.0, 0.08845: 1.0, 0.0927: 0.98276, 0.1012: 0.93103, 0.11455: 0.72414,
    0.12158: 0.4569, 0.12435: 0.23276, 0.125: 0.0,
}  # fmt: skip
"""Share of the power of the fuel that a mixture gives, by fuel per air, in JSBSim."""
PISTON_SPEED, STROKE, COMPRESSION, GAMMA = 100.0, 4.375, 8.5, 1.3
"""JSBSim's own: largest mean piston speed [ft/s], stroke [in], compression ratio, ratio of heats in the cylinder."""
INCH_OF_MERCURY = 3386.38
STANDARD, HIGHEST = 29.92 * INCH_OF_MERCURY, 29.9 * INCH_OF_MERCURY
"""[Pa] at sea level, and the most that a manifold has without a supercharger."""
SEA_LEVEL = 101325.0
"""[Pa]"""
AIR = 287.3
"""Gas constant of air [J/(kg K)], in JSBSim."""
PSI, BLOWER = 6895.0 / UNITS["PSI"], 1.414
"""How JSBSim rounds a pound per square inch, and its exponent of a supercharger's compression."""
SPEEDS = 3
"""Of a supercharger, at most."""
HIGHER = 1000.0 * FOOT
"""Above the height for which one speed is rated the next one takes over [m]."""
TAKE_OFF = 0.98
"""Throttle beyond which the boost for take-off is allowed."""


class Shaft(NamedTuple):
    """How an engine turns its propeller."""

    power: str
    """[W], an expression in which `turns` and `rps` are the revolutions of the propeller per second."""
    remembers: turbines.Remembered
    left_out: str = ""
    lever: bool = True
    """Whether the pilot's lever tells the governor of its propeller which speed to hold; else it is the lowest."""


def piston(e: ET.Element, law: Graph, throttle: str, gear: float) -> Shaft:
    """Power of the fuel that burns in the air it breathes, less friction and pumping."""
    stroke = value(e, "stroke", "IN", STROKE * INCH) / INCH
    lag = value(e, "man-press-lag", "", 1.0)
    _suction(e, law, throttle, stroke, gear)
    law.values["suction"] = (
        f"suction_last + (1 - exp(-dt / {number(max(lag, 1e-12))})) * (suction_wanted - suction_last)"
    )
    speeds = _boost(e, law, throttle, gear)
    squeeze = value(e, "compression-ratio", "", COMPRESSION)
    behind = f"min(pressure / max(manifold, 1), {number(squeeze)})"
    law.values["filling"] = (
        f"{number((GAMMA - 1.0) / GAMMA)} + ({number(squeeze)} - {behind}) / {number(GAMMA * (squeeze - 1.0))}"
    )
    volume, breathes = value(e, "displacement", "IN3", 360.0 * INCH**3), value(e, "volumetric-efficiency", "", 0.85)
    law.values["swallowed"] = f"{number(0.5 * volume * gear * breathes)} * max(turns, 0) * filling"
    law.values["air_flow"] = f"swallowed * manifold / ({number(AIR)} * temperature)"
    per_air = _losses(e, law, stroke, gear, volume, breathes)
    left_out = MOVED if "mixture" in law.values else LEFT_OUT
    told = left_out if speeds < 2 else f"{left_out}; its supercharger changes speed without hysteresis"
    power = f"{number(per_air)} * air_flow{_mixed(law)} - losses"
    return Shaft(power, {"suction_last": {"start": STANDARD, "next": "suction"}}, told)


def _mixed(law: Graph) -> str:
    """Factor of the power by the value `mixture`, where the aircraft's own laws move that lever."""
    if "mixture" not in law.values:
        return ""
    table = law.translator.kept("burnt", [np.array(list(BURNT))], np.array(list(BURNT.values())))
    law.values["richness"] = f"mixture * {number(SEA_LEVEL)} / pressure"
    return f" * richness * {table}({number(RICH)} * richness)"


def _suction(e: ET.Element, law: Graph, throttle: str, stroke: float, gear: float) -> None:
    """Pressure before a supercharger: impedances of the engine, of its air box and of its throttle share it."""
    fastest, idle = value(e, "maxrpm", "", 2800.0), value(e, "idlerpm", "", 600.0)
    high = min(value(e, "maxmp", "INHG", 28.5 * INCH_OF_MERCURY), HIGHEST)
    low = value(e, "minmp", "INHG", 6.5 * INCH_OF_MERCURY)
    peak = value(e, "peak-piston-speed", "", PISTON_SPEED)
    rated = peak / (fastest * stroke / 360.0)
    box = value(e, "air-intake-impedance-factor", "", STANDARD * rated / high - rated)
    closed = peak / (idle * stroke / 360.0) * (STANDARD / low - 1.0) - box
    law.values["breath"] = f"{number(peak * 360.0 / stroke / gear / 60.0)} / max(turns, 0.1)"
    shut = f"(1 - clip({throttle}, 0, 1)) ^ 2 * {number(closed)}"
    ram = f"pressure * (1 + {number(value(e, 'ram-air-factor', '', 1.0))} * ((1 + 0.2 * mach ^ 2) ^ 3.5 - 1))"
    law.values["suction_wanted"] = f"{ram} * breath / (breath + {number(box)} + {shut})"


def _boost(e: ET.Element, law: Graph, throttle: str, gear: float) -> int:
    """The value `manifold` [Pa] behind a supercharger, which has as many speeds as are answered."""
    law.values["manifold"] = "suction"
    speeds = min(int(value(e, "numboostspeeds", "", 0.0)), SPEEDS)
    more = value(e, "takeoffboost", "PSI", 0.0) - value(e, "ratedboost1", "PSI", 0.0)
    found: list[tuple[str, float]] = []
    for k in range(1, speeds + 1):
        boost, height = value(e, f"ratedboost{k}", "PSI", 0.0), value(e, f"ratedaltitude{k}", "FT", 0.0)
        if boost <= 0.0 or value(e, f"ratedpower{k}", "", 0.0) <= 0.0:
            break
        rated = STANDARD + boost * PSI
        times = rated / float(atmosphere(height, Atmosphere()).pressure) - 1.0
        turned = f"{number(times / value(e, f'ratedrpm{k}', '', 2500.0) * 60.0 * gear)} * turns"
        most = (
            f"if({throttle} > {TAKE_OFF}, {number(rated + more * PSI)}, {number(rated)})" if more > 0 else number(rated)
        )
        pressed = f"suction * (1 + {turned})"
        text = pressed if value(e, "boostoverride", "", 0.0) == 1.0 else f"min({pressed}, {most})"
        law.values[f"boosted_{k}"] = text
        found.append((f"boosted_{k}", float(atmosphere(height + HIGHER, Atmosphere()).pressure)))
    for name, until in reversed(found):
        last = law.values["manifold"]
        law.values["manifold"] = name if last == "suction" else f"if(pressure < {number(until)}, {last}, {name})"
    return len(found)


def _losses(e: ET.Element, law: Graph, stroke: float, gear: float, volume: float, breathes: float) -> float:
    """The value `losses` [W]; the answer is the power of the fuel in a kilogram of air per second."""
    fastest, cycle = value(e, "maxrpm", "", 2800.0), 0.5 * value(e, "cycles", "", 4.0)
    high = value(e, "maxmp", "INHG", 28.5 * INCH_OF_MERCURY)
    static, dynamic = value(e, "static-fmep", "", 46500.0), value(e, "dynamic-fmep", "", 18400.0)
    friction = value(e, "static-friction", "HP", 1.5 * HORSE_POWER)
    # Mean pressures of friction and of pumping act on the volume of all cylinders once in a cycle.
    mean = f"({number(static)} + {number(dynamic * stroke / 6.0 * FOOT * gear)} * turns)"
    law.values["losses"] = (
        f"({mean} + (pressure - suction) * {number(breathes)}) * {number(volume / cycle * gear)} * turns"
        f" + {number(friction)}"
    )
    blower = value(e, "boost-loss-factor", "", 0.0)
    if blower > 0.0:
        power = (BLOWER - 1.0) / BLOWER
        law.values["losses"] += (
            f" + {number(blower / power)} * suction * swallowed * ((manifold / suction) ^ {number(power)} - 1)"
        )
    lost = (static + dynamic * stroke * fastest / 360.0 * FOOT + (STANDARD - high) * breathes) * volume / cycle
    rich = 1.1 * volume / INCH**3 * fastest * breathes * (high / STANDARD) / 9411.0
    most = value(e, "maxhp", "HP", 200.0 * HORSE_POWER) + lost * fastest / 60.0 - friction
    burns = value(e, "bsfc", "", rich / (most / HORSE_POWER))
    return RICH * 2.2046 * 3600.0 * HORSE_POWER / burns
