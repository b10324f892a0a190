"""External reactions of a JSBSim aircraft, such as a parachute or a tow: forces and moments that a property or a
function measures, along a direction of the body, the wind or the local horizon."""

import math
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np

from cupola.bridge.formulas import number
from cupola.bridge.jsbsim.aerodynamics import TURNED
from cupola.bridge.jsbsim.elements import FOOT, POUND, Place, location, value
from cupola.bridge.jsbsim.graph import Graph
from cupola.parts.functions.evaluate import WIDTH, evaluate
from cupola.parts.functions.program import Program
from cupola.schema.yaml_files import InputError

LOCAL = (
    "cos(pitch) * (cos(heading) * {x} + sin(heading) * {y}) - sin(pitch) * {z}",
    "(sin(roll) * sin(pitch) * cos(heading) - cos(roll) * sin(heading)) * {x}"
    " + (sin(roll) * sin(pitch) * sin(heading) + cos(roll) * cos(heading)) * {y} + sin(roll) * cos(pitch) * {z}",
    "(cos(roll) * sin(pitch) * cos(heading) + sin(roll) * sin(heading)) * {x}"
    " + (cos(roll) * sin(pitch) * sin(heading) - sin(roll) * cos(heading)) * {y} + cos(roll) * cos(pitch) * {z}",
)
FRAMES = {"": TURNED["body"], "BODY": TURNED["body"], "WIND": TURNED["wind"], "LOCAL": LOCAL}
"""Components in body axes of a vector of another frame; LOCAL is north, east, down."""
DRAWS = 50
COMPONENTS = {"force": ("x", "y", "z"), "moment": ("l", "m", "n")}
MAGNITUDES = {"force": "magnitude", "moment": "magnitude-lbsft"}


def reactions(root: ET.Element) -> list[ET.Element]:
    """All forces and moments."""
    return [one for one in root.iterfind("external_reactions/*") if one.tag in COMPONENTS]


def magnitude(element: ET.Element) -> str:
    """The property that measures it, unless a function does."""
    return f"external_reactions/{element.get('name')}/{MAGNITUDES[element.tag]}"


def acts(element: ET.Element, graph: Graph) -> bool:
    """Whether anything here gives it a size."""
    name = magnitude(element)
    return element.find("function") is not None or graph.moves(name) or graph.sources.starts.get(name, 0.0) != 0.0


def all_zero(program: Program, inputs: int) -> bool:
    """Whether the one result of a program is 0 at many random values of its inputs and of all channels."""
    rng = np.random.default_rng(1)
    for _ in range(DRAWS):
        block = np.array(program.block)
        block[:inputs] = rng.uniform(-2.0, 2.0, inputs)
        for place in program.places:  # as a part does when it is bound
            block[program.code + WIDTH * place.instruction + WIDTH - 1] = 0
        evaluate(block, program.code, program.lines, program.result, rng.uniform(-1.0, 1.0, 1), np.zeros(1))
        if block[program.wanted["found"]] != 0.0:
            return False
    return True


def acting(element: ET.Element, graph: Graph, centre: Place) -> dict[str, Any]:
    """Force and torque about the centre of mass, in body axes; `centre` lies in the structural frame [m]."""
    frame = (element.get("frame") or "").strip()
    if frame not in FRAMES:
        raise InputError(f"a {element.tag} of the frame {frame} is not read here; read are BODY, WIND and LOCAL")
    function = element.find("function")
    graph.formulas.owner = "size"
    size = graph.named(magnitude(element)) if function is None else graph.translator.function(function)
    graph.values["size"] = f"{number(POUND if element.tag == 'force' else POUND * FOOT)} * ({size})"
    given = dict(zip("xyz", _direction(element, graph), strict=True))
    for axis, text in zip("xyz", FRAMES[frame], strict=True):
        graph.values[f"along_{axis}"] = f"size * ({text.format(**given)})"
    along = {axis: f"along_{axis}" for axis in "xyz"}
    if element.tag == "moment":
        return {"torque": along}
    place = element.find("location")
    back, right, up = location(place) if place is not None else (0.0, 0.0, 0.0)
    x, y, z = (number(one) for one in (centre[0] - back, right - centre[1], centre[2] - up))  # front, right, down
    torque = {
        "x": f"{y} * along_z - {z} * along_y",
        "y": f"{z} * along_x - {x} * along_z",
        "z": f"{x} * along_y - {y} * along_x",
    }
    return {"force": along, "torque": torque}


def _direction(element: ET.Element, graph: Graph) -> list[str]:
    """Three numbers of length 1, or the properties that someone moves in their place."""
    given = element.find("direction")
    found = [0.0 if given is None else value(given, axis, "", 0.0) for axis in "xyz"]
    size = math.hypot(*found) or 1.0
    names = [f"external_reactions/{element.get('name')}/{one}" for one in COMPONENTS[element.tag]]
    return [
        graph.named(name) if graph.moves(name) else number(one / size) for name, one in zip(names, found, strict=True)
    ]
