"""Turbines of JSBSim: thrust by tables; between idle and full power it grows with the square of the spool."""

from typing import Any
from xml.etree import ElementTree as ET

from cupola.bridge.formulas import number
from cupola.bridge.jsbsim.elements import POUND, value
from cupola.bridge.jsbsim.graph import Graph
from cupola.schema.yaml_files import InputError

Remembered = dict[str, dict[str, Any]]


def spool(e: ET.Element, law: Graph, throttle: str) -> Remembered:
    """The spool from 0 at idle to 1, as `spooled`; it follows the throttle at a limited rate."""
    span = value(e, "maxn2", "", 100.0) - value(e, "idlen2", "", 60.0)
    rate = 90.0 / (value(e, "bypassratio", "", 0.0) + 3.0) / span
    step = f"clip(clip({throttle}, 0, 1) - spool, -3 * dt * {number(rate)}, dt * {number(rate)})"
    law.values["spooled"] = f"spool + {step}"
    return {"spool": {"start": 0.0, "next": "spooled"}}


def n2(e: ET.Element) -> str:
    """Speed of the core [%], where `spooled` is the spool."""
    idle, most = value(e, "idlen2", "", 60.0), value(e, "maxn2", "", 100.0)
    return f"{number(idle)} + {number(most - idle)} * spooled"


def thrust(e: ET.Element, graph: Graph, spooled: str, throttle: str) -> str:
    """[N] at a spool; an afterburner burns beyond full throttle, or at full throttle where the file says so."""
    most = value(e, "milthrust", "", 10000.0) * POUND
    lookups = {one.get("name"): one for one in e.findall("function")}
    idle = f"({number(most)} * {_lookup(e, graph, lookups.get('IdleThrust'), 'idle')})"
    full = f"(({number(most)} - {idle}) * {_lookup(e, graph, lookups.get('MilThrust'), 'full')})"
    bleed = number(1.0 - value(e, "bleed", "", 0.0))
    graph.values["dry"] = f"({idle} + {full} * {spooled} ^ 2) * {bleed}"
    if value(e, "augmented", "", 0.0) != 1.0 or lookups.get("AugThrust") is None:
        return "dry"
    augmented = number(value(e, "maxthrust", "", 0.0) * POUND)
    wet = f"({augmented} * {_lookup(e, graph, lookups['AugThrust'], 'wet')})"
    burner = f"{spooled} > 0.99"
    if value(e, "augmethod", "", 0.0) != 1.0:  # beyond full throttle, as far as the control law goes there
        burner = f"clip({throttle} - 1, 0, 1)"
    return f"dry + ({wet} - dry) * ({burner})"


def _lookup(e: ET.Element, graph: Graph, function: ET.Element | None, owner: str) -> str:
    if function is None:
        raise InputError(f"the turbine {e.get('name')} has no thrust table for {owner} power")
    graph.formulas.owner = owner
    return graph.formulas.short(graph.translator.function(function))
