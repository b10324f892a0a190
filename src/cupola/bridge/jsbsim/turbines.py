"""Turbines of JSBSim: thrust by tables; between idle and full power it grows with the square of the spool."""

from typing import Any
from xml.etree import ElementTree as ET

from cupola.bridge.formulas import number
from cupola.bridge.jsbsim.elements import thrust_value, value
from cupola.bridge.jsbsim.graph import Graph
from cupola.bridge.jsbsim.properties import SEA_LEVEL_DENSITY
from cupola.schema.yaml_files import InputError

Remembered = dict[str, dict[str, Any]]
BURNING = 97.0
"""Speed of the core [%] from which on an afterburner lights at full throttle."""


def spool(e: ET.Element, law: Graph, throttle: str) -> Remembered:
    """The spool from 0 at idle to 1, as `spooled`; it follows the throttle at a limited rate, slower near idle and in
    thin air."""
    span = value(e, "maxn2", "", 100.0) - value(e, "idlen2", "", 60.0)
    usual = 90.0 / (value(e, "bypassratio", "", 0.0) + 3.0)
    thin = f"(1 - density / {number(SEA_LEVEL_DENSITY)})"
    law.values["heavy"] = f"1 + 3 * (1 - min(1, spool + 0.1)) ^ 3 + {thin}"
    up, down = _rate(e, law, "N2SpoolUp", usual), _rate(e, law, "N2SpoolDown", 3.0 * usual)
    step = f"clip(clip({throttle}, 0, 1) - spool, -dt * {down} / {number(span)}, dt * {up} / {number(span)})"
    law.values["spooled"] = f"spool + {step}"
    return {"spool": {"start": 0.0, "next": "spooled"}}


def _rate(e: ET.Element, law: Graph, name: str, usual: float) -> str:
    """How fast the core speeds up or slows down [%/s]: JSBSim's own law, or a function of the file."""
    function = _functions(e).get(name)
    return f"({number(usual)} / heavy)" if function is None else _lookup(e, law, function, name.lower())


def n2(e: ET.Element, spooled: str = "spooled") -> str:
    """Speed of the core [%] at a spool."""
    idle, most = value(e, "idlen2", "", 60.0), value(e, "maxn2", "", 100.0)
    return f"{number(idle)} + {number(most - idle)} * {spooled}"


def thrust(e: ET.Element, graph: Graph, spooled: str, throttle: str) -> str:
    """[N] at a spool; an afterburner burns beyond full throttle, or at full throttle where the file says so."""
    most = thrust_value(e, "milthrust", 10000.0)
    lookups = _functions(e)
    idle = f"({number(most)} * {_lookup(e, graph, lookups.get('IdleThrust'), 'idle')})"
    full = f"(({number(most)} - {idle}) * {_lookup(e, graph, lookups.get('MilThrust'), 'full')})"
    graph.values["whole"] = f"{idle} + {full} * {spooled} ^ 2"
    graph.values["dry"] = f"whole * {number(1.0 - value(e, 'bleed', '', 0.0))}"
    method = value(e, "augmethod", "", 0.0)
    if method not in (1.0, 2.0):
        return "dry"
    wet = "whole"  # a burning engine bleeds no air, whatever it burns
    if lookups.get("AugThrust") is not None and (method == 2.0 or value(e, "augmented", "", 0.0) == 1.0):
        augmented = number(thrust_value(e, "maxthrust", 10000.0))
        wet = f"({augmented} * {_lookup(e, graph, lookups['AugThrust'], 'wet')})"
    if method == 1.0:
        return f"if({throttle} > 0.99 and {n2(e, spooled)} > {number(BURNING)}, {wet}, dry)"
    return f"if({throttle} > 1, whole + ({wet} - whole) * clip({throttle} - 1, 0, 1), dry)"  # if the law goes there


def _functions(e: ET.Element) -> dict[str | None, ET.Element]:
    return {one.get("name"): one for one in e.findall("function")}


def _lookup(e: ET.Element, graph: Graph, function: ET.Element | None, owner: str) -> str:
    if function is None:
        raise InputError(f"the turbine {e.get('name')} has no thrust table for {owner} power")
    graph.formulas.owner = owner
    return graph.formulas.short(graph.translator.function(function))
