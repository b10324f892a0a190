"""Engines of a JSBSim aircraft: turbines, rockets, and what turns propellers."""

import math
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from cupola.bridge.formulas import number
from cupola.bridge.jsbsim import propellers, turbines
from cupola.bridge.jsbsim.elements import FOOT, POUND, POUND_MASS, Place, find_file, location, read_file, value
from cupola.bridge.jsbsim.graph import Graph, Lost
from cupola.bridge.jsbsim.leftovers import unread
from cupola.bridge.jsbsim.shafts import SHAFTS, electric
from cupola.schema.input_files import finite
from cupola.schema.yaml_files import InputError

Parts = dict[str, tuple[str, dict[str, Any]]]
"""Kind of a part and its content, by name."""


class Engine:
    """One engine: what it says of itself, and the parts that it becomes."""

    def __init__(self, element: ET.Element, index: int, path: Path) -> None:
        self.index, self.name = index, f"engine_{index}"
        thruster = element.find("thruster")
        if thruster is None:
            raise InputError(f"engine {index} has no <thruster>")
        self._mount = thruster
        place = thruster.find("location")
        self.place: Place = location(place) if place is not None else (0.0, 0.0, 0.0)
        turned = thruster.find("orient")
        self.pitch, self.yaw = (
            (value(turned, axis, "DEG" if (turned.get("unit") or "RAD").upper() == "DEG" else "RAD", 0.0))
            if turned is not None
            else 0.0
            for axis in ("pitch", "yaw")
        )
        self.sense: float = math.copysign(1.0, value(thruster, "sense", "", 1.0))
        self.engine = _named(element, path, index)
        self.thruster = _named(thruster, path, index)
        self.burns = self.engine.tag not in ("electric_engine", "brushless_dc_motor")
        self.lost: Lost = []
        """What its parts leave out."""
        for one in (element, thruster, self.engine, self.thruster):
            self.lost += unread(one, f"the {one.tag.removesuffix('_engine')} of engine {index}")
        self.tells: dict[str, str] = {}
        """Expressions of its control part, by what it tells others."""

    def throttle(self) -> str:
        """The property of its throttle."""
        return f"fcs/throttle-pos-norm[{self.index}]" if self.index else "fcs/throttle-pos-norm"

    def parts(self, law: Graph, load: Graph, channel: int, arm: Place) -> Parts:
        """The engine itself and, before it, a control part that turns it, with three channels; the hub is at `arm`."""
        e, kind, drives = self.engine, self.engine.tag, self.thruster.tag
        if drives == "propeller" and kind in SHAFTS:
            return self._propeller(law, load, channel, arm)
        if drives == "direct" and kind == "turbine_engine":
            spool = turbines.spool(e, law, law.named(self.throttle()))
            self.tells = {"n2": turbines.n2(e)}
            push = turbines.thrust(e, load, f"channel[{channel}]", load.named(self.throttle()))
            return {
                f"{self.name}_spool": ("table_control", {"channels": {channel: "spooled"}, "remembers": spool}),
                self.name: ("table_engine", {"thrust": push}),
            }
        if drives == "direct" and kind == "electric_engine":
            power = electric(e, load, load.named(self.throttle()), 1.0).power
            self.lost.append((f"electric engine {self.index}", "as in JSBSim its power in ft lbf/s is a thrust in lbf"))
            return {self.name: ("table_engine", {"thrust": f"{power} / {number(FOOT)}"})}
        if drives == "nozzle" and kind == "rocket_engine":
            return {self.name: ("table_engine", {"thrust": self._rocket(load)})}
        raise InputError(f"{kind} with {drives} is not read here")

    def _propeller(self, law: Graph, load: Graph, channel: int, arm: Place) -> Parts:
        lever = f"fcs/mixture-pos-norm[{self.index}]" if self.index else "fcs/mixture-pos-norm"
        if law.moves(lever):
            law.values["mixture"] = law.named(lever)
        shaft = propellers.shaft_of(self.engine, self.thruster, law, law.named(self.throttle()))
        if shaft.left_out:
            kind = self.engine.tag.removesuffix("_engine")
            self.lost.append((f"{kind} of engine {self.index}", shaft.left_out))
        self.lost += propellers.simplified(self.thruster, self.index)
        turning = propellers.turning(self.thruster, shaft, self._inflow(arm), law, channel)
        self.tells = propellers.tells(self.thruster, self.sense)
        return {
            f"{self.name}_shaft": ("table_control", turning),
            self.name: ("table_engine", propellers.pushing(self.thruster, self._mount, self.sense, load, channel)),
        }

    def _inflow(self, arm: Place) -> str:
        """[m/s] of the hub at `arm` (front, left, up) along its thrust; the control law knows the aircraft's motion."""
        x, y, z = arm[0], -arm[1], -arm[2]
        flat = math.cos(self.pitch)
        along = (flat * math.cos(self.yaw), flat * math.sin(self.yaw), -math.sin(self.pitch))
        hub = (
            f"u + {number(z)} * q - {number(y)} * r",
            f"v + {number(x)} * r - {number(z)} * p",
            (f"w + {number(y)} * p - {number(x)} * q"),
        )
        return " + ".join(f"{number(share)} * ({one})" for share, one in zip(along, hub, strict=True) if share != 0.0)

    def _rocket(self, load: Graph) -> str:
        """[N]: specific impulse times the flow of the propellants, less the pressure of the air on the nozzle."""
        e = self.engine
        isp = e.find("isp")
        if isp is None or e.find("thrust_table") is not None:
            raise InputError("a rocket with a table of its thrust is not read here")
        if e.find("slfuelflowmax") is not None:
            flow = sum(value(e, name, "LBS/SEC", 0.0) for name in ("slfuelflowmax", "sloxiflowmax"))
        else:
            flow = value(e, "propflowmax", "LBS/SEC")
        least = value(e, "minthrottle", "", 0.0)
        lever = f"max({load.named(self.throttle())}, 0)"  # JSBSim only reads <maxthrottle>
        burnt = f"if({lever} < {number(least)}, 0, {lever})"
        load.formulas.owner = "isp"
        function = isp.find("function")
        impulse = load.translator.function(function) if function is not None else number(value(e, "isp"))
        vacuum = f"({impulse}) * {number(flow / POUND_MASS * POUND)}"
        area = number(value(self.thruster, "area", "FT2"))
        load.values["burnt"] = burnt
        return f"if(burnt > 0, max({vacuum} * burnt - pressure * {area}, 0), 0)"


KINDS = (*SHAFTS, "rocket_engine")
THRUSTERS = ("direct", "propeller", "nozzle", "rotor")
TOLD = (
    "propeller-rpm", "engine-rpm", "thrust-coefficient", "advance-ratio", "blade-angle", "helical-tip-Mach",
    "prop-induced-velocity_fps", "thrust-lbs", "n2",
)  # fmt: skip
"""Properties of an engine that others may ask for."""


def published(root: ET.Element) -> dict[str, tuple[int, str]]:
    """Properties that the engines of an aircraft may tell others: number of the engine, and what it tells."""
    found: dict[str, tuple[int, str]] = {}
    engines = root.findall("propulsion/engine")
    for index in range(len(engines)):
        bases = [f"propulsion/engine[{index}]", *(["propulsion/engine"] if index == 0 else [])]
        found |= {f"{base}/{what}": (index, what) for base in bases for what in TOLD}
    turned = [
        one.text for axis in ("pitch", "yaw") for one in root.iterfind(f"propulsion/engine/thruster/orient/{axis}")
    ]
    if len(engines) == 1 and not any(finite(text or "0") for text in turned):
        found["moments/l-prop-lbsft"] = 0, "roll-torque"  # of one engine that pushes straight ahead
    return found


def _named(element: ET.Element, path: Path, index: int) -> ET.Element:
    """What stands in the file that an element names, or in itself; `#` in its properties is the engine's number."""
    name, inside = element.get("file"), [one for one in element if one.tag in (*KINDS, *THRUSTERS)]
    if name is None and not inside:
        raise InputError(f"<{element.tag}> names no file")
    if name is None:
        found = inside[0]
    else:
        file = find_file(name, path, "engine")
        if file is None:
            raise InputError(f"there is no file {name}.xml beside the aircraft or in engine/")
        found = read_file(file)
    for one in found.iter():
        one.text = (one.text or "").replace("[#]", f"[{index}]")
    return found


def site_of(engine: Engine, at: Place) -> str:
    """A site whose x axis is the thrust; nose-up and nose-right angles of it."""
    half_pitch, half_yaw = -0.5 * engine.pitch, -0.5 * engine.yaw
    w, y = math.cos(half_pitch), math.sin(half_pitch)
    a, b = math.cos(half_yaw), math.sin(half_yaw)
    quat = f"{a * w:.17g} {-b * y:.17g} {a * y:.17g} {b * w:.17g}"
    x, left, up = at
    return f'<site name="{engine.name}" pos="{x!r} {left!r} {up!r}" quat="{quat}"/>'
