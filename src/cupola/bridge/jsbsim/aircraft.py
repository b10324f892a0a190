"""A JSBSim aircraft as a vehicle folder: model.xml, vehicle.yaml, README.md, and a list of what was lost."""

from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

from cupola.bridge.formulas import number, plain_name
from cupola.bridge.jsbsim.elements import FOOT, POUND, Place, front_left_up, location, read_file, value, whole
from cupola.bridge.jsbsim.engines import Engine, site_of
from cupola.bridge.jsbsim.gear import geoms
from cupola.bridge.jsbsim.graph import Graph, Lost, Sources, definitions
from cupola.bridge.jsbsim.mass import Mass, read_mass
from cupola.bridge.jsbsim.properties import FIRST_FREE, known_expression
from cupola.bridge.lost import not_carried_over
from cupola.bridge.new_folder import new_folder
from cupola.bridge.vehicle_text import check_mjcf, vehicle_text
from cupola.schema.input_files import InputError, boundary

FORCES = {
    "DRAG": ("wind", "x", -1.0), "SIDE": ("wind", "y", 1.0), "LIFT": ("wind", "z", -1.0), "AXIAL": ("body", "x", -1.0),
    "NORMAL": ("body", "z", -1.0), "X": ("body", "x", 1.0), "Y": ("body", "y", 1.0), "Z": ("body", "z", 1.0),
}  # fmt: skip
TORQUES = {"ROLL": "x", "PITCH": "y", "YAW": "z"}
METRICS = {
    "wingarea": ("metrics/Sw-sqft", "FT2", FOOT**2), "wingspan": ("metrics/bw-ft", "FT", FOOT),
    "chord": ("metrics/cbarw-ft", "FT", FOOT), "htailarea": ("metrics/Sh-sqft", "FT2", FOOT**2),
    "htailarm": ("metrics/lh-ft", "FT", FOOT), "vtailarea": ("metrics/Sv-sqft", "FT2", FOOT**2),
    "vtailarm": ("metrics/lv-ft", "FT", FOOT), "wing_incidence": ("metrics/iw-deg", "", 1.0),
}  # fmt: skip
ENTIRE = ("external_reactions", "buoyant_forces", "input", "output")
SITE, REFERENCE = "base", "reference"
THROTTLE = 3
"""Its command channel."""


class Made(NamedTuple):
    """A written folder."""

    folder: Path
    lost: Lost


def import_jsbsim(source: Path, target: Path) -> Made:
    """Read `source` and write the vehicle folder `target`, which must not exist."""
    if target.exists():
        raise InputError(f"{target} exists already; nothing was written, choose another --out")
    with boundary(source, "cannot be imported"):
        try:
            maker = _Maker(source)
            vehicle, mjcf, readme = maker.vehicle(), maker.mjcf(), maker.readme()
        except ValueError as error:
            raise InputError(f"{source}: {error}") from None
    check_mjcf(mjcf, source)
    with new_folder(target) as made:
        (made / "model.xml").write_text(mjcf, encoding="utf-8")
        (made / "vehicle.yaml").write_text(vehicle_text(vehicle), encoding="utf-8")
        (made / "README.md").write_text(readme, encoding="utf-8")
    return Made(target, maker.lost)


class _Maker:
    def __init__(self, source: Path) -> None:
        self._path = source
        self._root = root = whole(read_file(source), source)
        if root.tag != "fdm_config":
            raise InputError(f"{source}: an aircraft of JSBSim begins with <fdm_config>, this file with <{root.tag}>")
        self.lost: Lost = []
        self._mass: Mass = read_mass(root, self.lost)
        self._name = root.get("name") or source.stem
        metrics = root.find("metrics")
        if metrics is None:
            raise InputError("there is no <metrics>")
        self._metrics = metrics
        self._reference = self._point("AERORP")
        self._computed, self._starts = definitions(root, source, self.lost)
        self._channels: dict[str, int] = {}
        self.lost += [(f"<{tag}>", "has no place here") for tag in ENTIRE if root.find(tag) is not None]
        self._sites: list[str] = []
        self._contacts = geoms(root, self._mass, self.lost)
        self._aero = self._aerodynamics()
        self._engines = self._propulsion()
        self._law = self._control()

    def _point(self, name: str) -> Place:
        for one in self._metrics.findall("location"):
            if one.get("name") == name:
                return location(one)
        raise InputError(f"<metrics> has no location {name}")

    def _told(self, what: str, why: str) -> None:
        if (what, why) not in self.lost:
            self.lost.append((what, why))

    def _numbers(self) -> dict[str, float]:
        found = {name: value(self._metrics, tag, unit, 0.0) / size for tag, (name, unit, size) in METRICS.items()}
        found["inertia/weight-lbs"] = self._mass.mass / 0.45359237
        found["inertia/mass-slugs"] = self._mass.mass / 14.593902937206
        return found

    def _expressions(self) -> dict[str, str]:
        """What depends on the size of this aircraft."""
        n = self._numbers()
        chord, span = n["metrics/cbarw-ft"] * FOOT, n["metrics/bw-ft"] * FOOT
        x, y, z = front_left_up(self._reference, self._mass.centre)
        below = f"(-sin(pitch) * {number(x)} + cos(pitch) * (sin(roll) * {number(-y)} + cos(roll) * {number(-z)}))"
        return {
            "aero/ci2vel": f"({number(0.5 * chord)} / airspeed)",
            "aero/bi2vel": f"({number(0.5 * span)} / airspeed)",
            "aero/h_b-mac-ft": f"((height - {below}) / {number(span)})",
        }

    def _graph(self, channels: dict[str, int], computed: dict[str, ET.Element]) -> Graph:
        sources = Sources(computed, self._starts, self._numbers(), self._expressions(), channels)
        return Graph(sources, self._told)

    def _aerodynamics(self) -> dict[str, Any]:
        """The part `aero`; what it needs of the control law is given a channel."""
        section = self._root.find("aerodynamics")
        if section is None:
            raise InputError("there is no <aerodynamics>")
        limits = section.find("hysteresis_limits")
        if limits is not None:
            self._computed[STALLED] = _stall(limits)
        own = {one.get("name", "").strip(): one for one in section.iter("function") if one.get("name")}
        graph = self._graph(_Asked(self._channels, self._computed), own)
        graph.sources.expressions["aero/cl-squared"] = "0"
        sums: dict[str, list[str]] = {}
        frames: set[str] = set()
        for axis in section.findall("axis"):
            name = (axis.get("name") or "").strip().upper()
            if name in FORCES:
                frame, component, sign = FORCES[name]
                key, frames = f"force.{component}", frames | {(axis.get("frame") or frame).lower()}
            elif name in TORQUES:
                key, sign = f"torque.{TORQUES[name]}", 1.0
                if (axis.get("frame") or "BODY").upper() != "BODY":
                    self._told(f"frame of the axis {name}", "moments are those of the body axes")
            else:
                self._told(f"axis {name}", "is not one of drag, side, lift, axial, normal, x, y, z, roll, pitch, yaw")
                continue
            terms = [self._term(graph, one, f"{name.lower()}_{k}") for k, one in enumerate(axis.findall("function"))]
            text = graph.formulas.chain("+", terms) if terms else "0"
            total = f"total_{name.lower()}"
            graph.values[total] = text
            size = number(sign * POUND * (FOOT if key.startswith("torque") else 1.0))
            sums.setdefault(key, []).append(f"{total} * {size}")
        if len(frames) > 1:
            raise InputError(f"forces in several axes at once ({', '.join(sorted(frames))}) are not read here")
        self._induced(graph)
        joined = {key: " + ".join(terms) for key, terms in sums.items()}
        parts = {
            group: {axis: joined[f"{group}.{axis}"] for axis in "xyz" if f"{group}.{axis}" in joined}
            for group in ("force", "torque")
        }
        shown = {name: "lbf" for name in ("total_drag", "total_side", "total_lift") if name in graph.values}
        return {
            "kind": "table_aero",
            "site": REFERENCE,
            "force_axes": next(iter(frames), "wind"),
            **parts,
            "show": shown,
            **_content(graph),
        }

    def _term(self, graph: Graph, element: ET.Element, fallback: str) -> str:
        name = (element.get("name") or "").strip()
        if name:
            return graph.named(name)
        graph.formulas.owner = fallback
        return graph.translator.function(element)

    def _induced(self, graph: Graph) -> None:
        """The square of the lift coefficient, which JSBSim takes from the lift of the frame before."""
        label = plain_name("aero/cl-squared")
        if label not in graph.values:
            return
        area = number(self._numbers()["metrics/Sw-sqft"] * FOOT**2)
        graph.values[label] = f"(total_lift * {number(POUND)} / max(dynamic_pressure * {area}, 1e-12)) ^ 2"

    def _propulsion(self) -> dict[str, dict[str, Any]]:
        """Each engine and what turns it; one that is not understood is listed."""
        found: dict[str, dict[str, Any]] = {}
        for index, element in enumerate(self._root.iterfind("propulsion/engine")):
            law, load = (self._graph(_Asked(self._channels, self._computed), {}) for _ in range(2))
            try:
                engine = Engine(element, index, self._path)
                channels = [self._reserve(f"{engine.name} {what}") for what in ("turning", "blades", "power")]
                parts = engine.parts(law, load, channels[0])
            except (InputError, ValueError) as error:
                self._told(f"engine {index}", str(error))
                continue
            for what, why in engine.lost:
                self._told(what, why)
            self._sites.append(site_of(engine, front_left_up(engine.place, self._mass.centre)))
            places = {
                "table_control": {"site": SITE, **_content(law)},
                "table_engine": {"site": engine.name, "throttle": THROTTLE, **_content(load)},
            }
            found |= {name: {"kind": kind, **places[kind], **own} for name, (kind, own) in parts.items()}
        return found

    def _reserve(self, name: str) -> int:
        return self._channels.setdefault(name, FIRST_FREE + len(self._channels))

    def _control(self) -> dict[str, Any] | None:
        """The part `law`: it writes the channels that others read."""
        if not any(name in self._computed for name in self._channels):
            return None
        graph = self._graph({}, self._computed)
        asked = {name: channel for name, channel in self._channels.items() if name in self._computed}
        written = {channel: graph.named(name) for name, channel in sorted(asked.items(), key=lambda p: p[1])}
        return {
            "kind": "table_control",
            "site": SITE,
            "channels": written,
            "controls": {0: 1.0, 1: 1.0, 2: 1.0},
            "remembers": graph.components.remembers,
            **_content(graph),
        }

    def vehicle(self) -> dict[str, Any]:
        """Content of vehicle.yaml."""
        parts = {"law": self._law} if self._law else {}
        return {
            "about": f"{self._name}, imported from JSBSim",
            "root": SITE,
            "parts": {**parts, **self._engines, "aero": self._aero},
            "controller": {"use": "pass_through", "rate_hz": 100},
        }

    def mjcf(self) -> str:
        """Content of model.xml: the origin is the centre of mass at the start."""
        t = self._mass.tensor
        tensor = " ".join(repr(float(t[i, j])) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
        x, y, z = front_left_up(self._reference, self._mass.centre)
        span = self._numbers()["metrics/bw-ft"] * FOOT
        chord = self._numbers()["metrics/cbarw-ft"] * FOOT
        newline = "\n      "
        box = f"{0.5 * chord:.3f} {0.5 * span:.3f} {0.03 * chord:.3f}"
        return f"""<mujoco model="{plain_name(self._name)}">
  <worldbody>
    <body name="{SITE}">
      <freejoint/>
      <inertial pos="0 0 0" mass="{self._mass.mass!r}" fullinertia="{tensor}"/>
      <geom type="capsule" fromto="{-0.4 * span:.3f} 0 0 {0.4 * span:.3f} 0 0" size="{0.25 * chord:.3f}" mass="0"
        contype="0" conaffinity="0"/>
      <geom type="box" pos="{x:.4f} {y:.4f} {z:.4f}" size="{box}" mass="0" contype="0" conaffinity="0"/>
      <site name="{SITE}"/>
      <site name="{REFERENCE}" pos="{x!r} {y!r} {z!r}"/>
      {newline.join([*self._sites, *self._contacts])}
    </body>
  </worldbody>
</mujoco>
"""

    def readme(self) -> str:
        """Where everything came from, and what did not come along."""
        rows = [f"| {channel} | {name} |" for name, channel in sorted(self._channels.items(), key=lambda p: p[1])]
        return "\n".join(
            [
                f"# {self._name}",
                "",
                f"Imported from `{self._path.name}` of JSBSim by `cupola import`. Its licence is that of the file.",
                f"Mass {self._mass.mass:.2f} kg with full tanks; the origin is the centre of mass at the start.",
                "Channels 0 to 6 are aileron, elevator, rudder, throttle, flaps, speedbrake and spoiler, with the",
                "signs of JSBSim's commands.",
                "",
                "| channel | property |",
                "|---|---|",
                *rows,
                "",
                *not_carried_over(self.lost),
            ]
        )


STALLED = "aero/stall-hyst-norm"


def _stall(limits: ET.Element) -> ET.Element:
    """1 from the upper angle of attack on until the lower one: a switch that else stays as it was."""
    low, high = (
        value(limits, name, "RAD" if not limits.get("unit") else str(limits.get("unit"))) for name in ("min", "max")
    )
    switch = ET.Element("switch", {"name": STALLED})
    ET.SubElement(switch, "default", {"value": STALLED})
    for now, sign, limit in (("1", "gt", high), ("0", "lt", low)):
        ET.SubElement(switch, "test", {"value": now}).text = f"aero/alpha-rad {sign} {limit!r}"
    return switch


class _Asked(dict[str, int]):
    """Channels of computed properties: each gets one when it is first asked for."""

    def __init__(self, channels: dict[str, int], computed: dict[str, ET.Element]) -> None:
        self._channels, self._computed = channels, computed

    def __contains__(self, key: object) -> bool:
        return key in self._computed and not known_expression(str(key))

    def __getitem__(self, key: str) -> int:
        return self._channels.setdefault(key, FIRST_FREE + len(self._channels))


def _content(graph: Graph) -> dict[str, Any]:
    tables = {name: one.model_dump(exclude_defaults=True) for name, one in graph.translator.tables.items()}
    return {"tables": tables, "constants": graph.constants, "values": graph.values}
