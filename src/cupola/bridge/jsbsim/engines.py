"""Engines of a JSBSim aircraft: turbines by their thrust tables, and motors on propellers.

Turbine: thrust between idle and full power grows with the square of the spool, which follows the throttle at a limited
rate. Propeller: thrust and power by coefficients over the advance ratio and, where it can change, the blade angle.
A piston engine is simplified: see `PISTON`.
"""

import math
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from cupola.bridge.formulas import number
from cupola.bridge.jsbsim.elements import POUND, SLUG_FT2, Place, find_file, location, read_file, value
from cupola.bridge.jsbsim.graph import Graph
from cupola.schema.yaml_files import InputError

HORSE_POWER = 745.69987158227022
PISTON = "power is maxhp x the share of the air that it breathes; friction, mixture, boost and magnetos are left out"
PISTON_SPEED, STROKE, COMPRESSION, GAMMA = 100.0, 4.0, 9.0, 1.3
"""JSBSim's own: largest mean piston speed [ft/s], stroke [in], compression ratio, ratio of heats in the cylinder."""
STANDARD = 101325.0
"""[Pa]"""
TWO_PI = 2.0 * math.pi


class Engine:
    """One engine: what it says of itself, and the parts that it becomes."""

    def __init__(self, element: ET.Element, index: int, path: Path) -> None:
        self.index, self.name = index, f"engine_{index}"
        thruster = element.find("thruster")
        if thruster is None:
            raise InputError(f"engine {index} has no <thruster>")
        place = thruster.find("location")
        self.place: Place = location(place) if place is not None else (0.0, 0.0, 0.0)
        turned = thruster.find("orient")
        self.pitch, self.yaw = (
            (value(turned, axis, "DEG" if (turned.get("unit") or "RAD").upper() == "DEG" else "RAD", 0.0))
            if turned is not None
            else 0.0
            for axis in ("pitch", "yaw")
        )
        self.sense: float = value(thruster, "sense", "", 1.0)
        self.engine = _named(element, path)
        self.thruster = _named(thruster, path)

    def throttle(self) -> str:
        """The property of its throttle."""
        return f"fcs/throttle-pos-norm[{self.index}]" if self.index else "fcs/throttle-pos-norm"

    def parts(self, law: Graph, load: Graph, channel: int) -> dict[str, dict[str, Any]]:
        """A control part that turns the shaft, and the engine itself; `channel` and the next one are theirs."""
        if self.engine.tag == "turbine_engine" and self.thruster.tag == "direct":
            return self._turbine(law, load, channel)
        if self.engine.tag in ("piston_engine", "electric_engine") and self.thruster.tag == "propeller":
            return self._propeller(law, load, channel)
        raise InputError(f"a {self.engine.tag} with a {self.thruster.tag} is not read here")

    def _turbine(self, law: Graph, load: Graph, channel: int) -> dict[str, dict[str, Any]]:
        e = self.engine
        most = value(e, "milthrust", "", 10000.0) * POUND
        span = value(e, "maxn2", "", 100.0) - value(e, "idlen2", "", 60.0)
        rate = 90.0 / (value(e, "bypassratio", "", 0.0) + 3.0) / span
        throttle = f"clip({law.named(self.throttle())}, 0, 1)"
        step = f"clip({throttle} - spool, -3 * dt * {number(rate)}, dt * {number(rate)})"
        spool = {"channels": {channel: "turning"}, "remembers": {"spool": {"start": 0.0, "next": "turning"}}}
        law.values["turning"] = f"spool + {step}"
        lookups = {one.get("name"): one for one in e.findall("function")}
        idle = f"({number(most)} * {self._lookup(load, lookups.get('IdleThrust'), 'idle')})"
        full = f"(({number(most)} - {idle}) * {self._lookup(load, lookups.get('MilThrust'), 'full')})"
        bleed = number(1.0 - value(e, "bleed", "", 0.0))
        load.values["dry"] = f"({idle} + {full} * channel[{channel}] ^ 2) * {bleed}"
        thrust = "dry"
        if value(e, "augmented", "", 0.0) == 1.0 and lookups.get("AugThrust") is not None:
            augmented = number(value(e, "maxthrust", "", 0.0) * POUND)
            wet = f"({augmented} * {self._lookup(load, lookups['AugThrust'], 'wet')})"
            burner = f"channel[{channel}] > 0.99"
            if value(e, "augmethod", "", 0.0) != 1.0:  # beyond full throttle, as far as the control law goes there
                burner = f"clip({load.named(self.throttle())} - 1, 0, 1)"
            thrust = f"dry + ({wet} - dry) * ({burner})"
        return {f"{self.name}_spool": spool, self.name: {"thrust": thrust}}

    def _lookup(self, load: Graph, function: ET.Element | None, owner: str) -> str:
        if function is None:
            raise InputError(f"the turbine {self.engine.get('name')} has no thrust table for {owner} power")
        load.formulas.owner = owner
        return load.formulas.short(load.translator.function(function))

    def _propeller(self, law: Graph, load: Graph, channel: int) -> dict[str, dict[str, Any]]:
        t = self.thruster
        width = value(t, "diameter", "IN")
        inertia = value(t, "ixx", "SLUG*FT2", 1.0 * SLUG_FT2)
        gear = value(t, "gearratio", "", 1.0)
        ends = value(t, "minpitch", "", 0.0), value(t, "maxpitch", "", 0.0)
        speeds = value(t, "minrpm", "", 0.0), value(t, "maxrpm", "", 0.0)
        governed = ends[0] != ends[1] and speeds[0] != speeds[1]
        for graph in (law, load):
            turns, blades = ("turns", "blades") if graph is law else (f"channel[{channel}]", f"channel[{channel + 1}]")
            graph.values["rps"] = f"max({turns}, 0.01)"
            graph.values["advance"] = f"u / (rps * {number(width)})"
            for label, name in (("C_THRUST", "ct"), ("C_POWER", "cp")):
                graph.values[name] = self._coefficient(graph, label, name, blades, governed or ends[0] != ends[1])
            graph.values["needed"] = f"cp * density * rps ^ 3 * {number(width**5)}"
        law.values["power"] = self._power(law, gear)
        law.values["turning"] = (
            f"max(turns + dt * (power - needed) / ({number(TWO_PI**2 * inertia)} * max(rps, 0.5)), 0)"
        )
        pitch = number(ends[0])
        if governed:
            law.values["wanted_rpm"] = f"{number(speeds[0])} + {number(speeds[1] - speeds[0])} * " + law.named(
                "fcs/advance-cmd-norm"
            )
            change = "if(turns > 3.3, dt * (60 * turns - wanted_rpm), 0)"
            pitch = f"clip(blades + {change}, {number(ends[0])}, {number(ends[1])})"
        start = {"turns": {"start": 20.0, "next": "turning"}, "blades": {"start": ends[0], "next": "turned"}}
        law.values["turned"] = pitch
        shaft = {"channels": {channel: "turning", channel + 1: "turned"}, "remembers": start}
        shaft["show"] = {"turning": "1/s", "power": "W", "needed": "W"}
        thrust = f"ct * density * rps ^ 2 * {number(width**4)}"
        torque = f"{number(-self.sense / TWO_PI)} * needed / rps"
        return {f"{self.name}_shaft": shaft, self.name: {"thrust": thrust, "torque": torque}}

    def _coefficient(self, graph: Graph, label: str, name: str, blades: str, varies: bool) -> str:
        table = next((one for one in self.thruster.findall("table") if one.get("name") == label), None)
        if table is None:
            raise InputError(f"the propeller {self.thruster.get('name')} has no table {label}")
        graph.formulas.owner = name
        return graph.translator.table_over(table, "advance", blades if varies else None)

    def _power(self, law: Graph, gear: float) -> str:
        """[W] at the shaft."""
        e, throttle = self.engine, f"clip({law.named(self.throttle())}, 0, 1)"
        if e.tag == "electric_engine":
            return f"{number(value(e, 'power', 'WATTS', 745.7))} * {throttle}"
        most = value(e, "maxhp", "", 200.0) * HORSE_POWER
        fastest, idle = value(e, "maxrpm", "", 2800.0), value(e, "idlerpm", "", 600.0)
        high, low = value(e, "maxmp", "INHG", 28.5 * 3386.38864), value(e, "minmp", "INHG", 6.5 * 3386.38864)
        stroke, squeeze = (
            value(e, "stroke", "IN", STROKE * 0.0254) / 0.0254,
            value(e, "compression-ratio", "", COMPRESSION),
        )
        # Impedances of the engine itself, of its air box and of its throttle make the manifold pressure.
        rated = PISTON_SPEED / (fastest * stroke / 360.0)
        box = STANDARD * rated / high - rated
        closed = PISTON_SPEED / (idle * stroke / 360.0) * (STANDARD / low - 1.0) - box
        law.values["breath"] = f"{number(PISTON_SPEED * 360.0 / stroke / gear / 60.0)} / max(turns, 0.1)"
        law.values["manifold"] = (
            f"pressure * breath / (breath + {number(box)} + (1 - {throttle}) ^ 2 * {number(closed)})"
        )
        filled = (GAMMA - 1.0) / GAMMA + (squeeze - STANDARD / high) / (GAMMA * (squeeze - 1.0))
        law.values["filling"] = (
            f"({number((GAMMA - 1.0) / GAMMA)} + ({number(squeeze)} - pressure / max(manifold, 1))"
            f" / {number(GAMMA * (squeeze - 1.0))}) / {number(filled)}"
        )
        share = f"manifold / {number(high)} * filling * 288.15 / temperature"
        return f"{number(most)} * max({share}, 0) * turns / {number(fastest / 60.0 / gear)}"


def _named(element: ET.Element, path: Path) -> ET.Element:
    name = element.get("file")
    if name is None:
        raise InputError(f"<{element.tag}> names no file")
    file = find_file(name, path, "engine")
    if file is None:
        raise InputError(f"there is no file {name}.xml beside the aircraft or in engine/")
    return read_file(file)


def site_of(engine: Engine, at: Place) -> str:
    """A site whose x axis is the thrust; nose-up and nose-right angles of it."""
    half_pitch, half_yaw = -0.5 * engine.pitch, -0.5 * engine.yaw
    w, y = math.cos(half_pitch), math.sin(half_pitch)
    a, b = math.cos(half_yaw), math.sin(half_yaw)
    quat = f"{a * w:.17g} {-b * y:.17g} {a * y:.17g} {b * w:.17g}"
    x, left, up = at
    return f'<site name="{engine.name}" pos="{x!r} {left!r} {up!r}" quat="{quat}"/>'
