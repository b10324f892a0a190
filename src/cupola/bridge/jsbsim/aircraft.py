"""A JSBSim aircraft as a vehicle folder: model.xml, vehicle.yaml, README.md, and a list of what was lost."""

import math
import re
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

from cupola.bridge.formulas import number, plain_name
from cupola.bridge.jsbsim.accelerations import accelerations
from cupola.bridge.jsbsim.aerodynamics import FROM_LIFT, STALLED, Aerodynamics, Metrics, stall
from cupola.bridge.jsbsim.elements import FOOT, INCH, POUND, Place, front_left_up, location, read_file, value, whole
from cupola.bridge.jsbsim.engines import Engine, published, site_of
from cupola.bridge.jsbsim.external import acting, acts, all_zero, magnitude, reactions
from cupola.bridge.jsbsim.gear import geoms
from cupola.bridge.jsbsim.graph import Graph, Lost, Sources, definitions
from cupola.bridge.jsbsim.mass import Mass, fuel, read_mass
from cupola.bridge.jsbsim.properties import FIRST_FREE, VISCOSITY, known_expression, why_it_rests
from cupola.bridge.lost import not_carried_over
from cupola.bridge.new_folder import new_folder
from cupola.bridge.report import Repair
from cupola.bridge.vehicle_text import check_mjcf, vehicle_text
from cupola.parts.functions.part import QUANTITIES
from cupola.parts.functions.program import Functions, build
from cupola.schema.input_files import InputError, boundary

METRICS = {
    "wingarea": ("metrics/Sw-sqft", "FT2", FOOT**2), "wingspan": ("metrics/bw-ft", "FT", FOOT),
    "chord": ("metrics/cbarw-ft", "FT", FOOT), "htailarea": ("metrics/Sh-sqft", "FT2", FOOT**2),
    "htailarm": ("metrics/lh-ft", "FT", FOOT), "vtailarea": ("metrics/Sv-sqft", "FT2", FOOT**2),
    "vtailarm": ("metrics/lv-ft", "FT", FOOT), "wing_incidence": ("metrics/iw-deg", "RAD", math.pi / 180.0),
}  # fmt: skip
ENTIRE = {
    "buoyant_forces": "the lift of gas cells is left out: what floats in JSBSim sinks here",
    "input": "has no place here",
    "output": "has no place here",
}
LEFT_OUT = re.compile(r"engine \d+|<buoyant_forces>|no fuel")
SITE, REFERENCE = "base", "reference"
THROTTLE = 3
"""Its command channel."""


class Made(NamedTuple):
    """A written folder."""

    folder: Path
    lost: Lost
    """Engines that are left out come first."""
    repaired: tuple[Repair, ...] = ()


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
    return Made(target, maker.lost, maker.repaired)


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
        x, y, z = front_left_up(self._point("EYEPOINT", self._mass.centre), self._mass.centre)
        self._computed = {**accelerations((x, -y, -z)), **self._computed}
        self._published = published(root)
        self._channels: dict[str, int] = {}
        self.lost += [(f"<{tag}>", why) for tag, why in ENTIRE.items() if root.find(tag) is not None]
        self._sites: list[str] = []
        self._asked_by_engines: set[str] = set()
        self._burn = False
        self._tells: dict[int, dict[str, str]] = {}
        self._contacts = geoms(root, self._mass, self.lost)
        self._aero = self._aerodynamics()
        self._external = self._pushes()
        self._engines = self._propulsion()
        self.lost += fuel(root, self._burn)
        self._control()
        self._publish()
        self.lost.sort(key=lambda row: LEFT_OUT.fullmatch(row[0]) is None)  # what moves it most comes first
        self.repaired = self._mass.repaired

    def _point(self, name: str, default: Place | None = None) -> Place:
        for one in self._metrics.findall("location"):
            if one.get("name") == name:
                return location(one)
        if default is not None:
            return default
        raise InputError(f"<metrics> has no location {name}")

    def _told(self, what: str, why: str) -> None:
        if (what, why) not in self.lost:
            self.lost.append((what, why))

    def _numbers(self) -> dict[str, float]:
        found = {name: value(self._metrics, tag, unit, 0.0) / size for tag, (name, unit, size) in METRICS.items()}
        found["inertia/weight-lbs"] = self._mass.mass / 0.45359237
        found["inertia/mass-slugs"] = self._mass.mass / 14.593902937206
        found |= {f"inertia/cg-{axis}-in": at / INCH for axis, at in zip("xyz", self._mass.centre, strict=True)}
        found["metrics/iw-rad"] = math.radians(found["metrics/iw-deg"])
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
            "aero/h_b-cg-ft": f"(height / {number(span)})",
            "aero/alpha-wing-rad": f"(alpha + {number(math.radians(n['metrics/iw-deg']))})",
            "aero/qbar-area": f"(dynamic_pressure * {number(n['metrics/Sw-sqft'] * FOOT**2 / POUND)})",
            "aero/Re": f"(airspeed * density * {number(chord)} / ({VISCOSITY}))",
        }

    def _graph(self, channels: dict[str, int], computed: dict[str, ET.Element], silent: bool = False) -> Graph:
        sources = Sources(computed, self._starts, self._numbers(), self._expressions(), channels)
        return Graph(sources, (lambda *_: None) if silent else self._told)

    def _aerodynamics(self) -> dict[str, Any]:
        """The part `aero`; what it needs of the control law is given a channel."""
        section = self._root.find("aerodynamics")
        if section is None:
            raise InputError("there is no <aerodynamics>")
        limits = section.find("hysteresis_limits")
        if limits is not None:
            self._computed[STALLED] = stall(limits)
        own = {one.get("name", "").strip(): one for one in section.iter("function") if one.get("name")}
        graph = self._graph(_Asked(self._channels, self._computed, self._published), own)
        graph.sources.expressions.update(dict.fromkeys(FROM_LIFT, "0"))
        n = self._numbers()
        x, y, z = front_left_up(self._reference, self._mass.centre)
        metrics = Metrics(n["metrics/Sw-sqft"] * FOOT**2, n["metrics/cbarw-ft"] * FOOT, (x, -y, -z), self._mass.mass)
        acting = Aerodynamics(section, graph, metrics).content()
        shown = {name: "lbf" for name in ("total_drag", "total_side", "total_lift") if name in graph.values}
        return {"kind": "table_aero", "site": REFERENCE, **acting, "show": shown, **_content(graph)}

    def _pushes(self) -> dict[str, dict[str, Any]]:
        """External reactions that something here gives a size, as parts; the others are listed."""
        found: dict[str, dict[str, Any]] = {}
        for element in reactions(self._root):
            what = f"{element.tag} {element.get('name')!r} of <external_reactions>"
            own = {one.get("name", "").strip(): one for one in element.iter("function") if one.get("name")}
            graph = self._graph(_Asked(self._channels, self._computed, self._published), own)
            if not acts(element, graph):
                self._told(what, f"stays 0: nothing here sets {magnitude(element)}")
                continue
            if element.find("function") is None and self._rests(magnitude(element)):
                self._told(what, f"stays 0: so does all that {magnitude(element)} is made of")
                continue
            try:
                forces = acting(element, graph, self._mass.centre)
            except (InputError, ValueError) as error:
                self._told(what, f"is left out: {error}")
                continue
            name = f"external_{plain_name(element.get('name') or str(len(found)))}"
            found[name] = {"kind": "table_aero", "site": SITE, **forces, **_content(graph)}
        return found

    def _propulsion(self) -> dict[str, dict[str, Any]]:
        """Each engine and what turns it; one that is not understood is listed."""
        found: dict[str, dict[str, Any]] = {}
        for index, element in enumerate(self._root.iterfind("propulsion/engine")):
            asked = _Asked(self._channels, self._computed, self._published, self._asked_by_engines)
            law, load = self._graph(asked, {}), self._graph(asked, {})
            try:
                engine = Engine(element, index, self._path)
                channels = [self._reserve(f"{engine.name} {what}") for what in ("turning", "blades", "power")]
                arm = front_left_up(engine.place, self._mass.centre)
                parts = engine.parts(law, load, channels[0], arm)
            except (InputError, ValueError) as error:
                self._told(f"engine {index}", str(error))
                continue
            self._burn = self._burn or engine.burns
            for what, why in engine.lost:
                self._told(what, why)
            self._sites.append(site_of(engine, arm))
            places = {
                "table_control": {"site": SITE, **_content(law)},
                "table_engine": {"site": engine.name, "throttle": THROTTLE, **_content(load)},
            }
            found |= {name: {"kind": kind, **places[kind], **own} for name, (kind, own) in parts.items()}
            self._tells[index] = engine.tells
        return found

    def _publish(self) -> None:
        """Channels of what aerodynamics and control law asked of the engines, written by what turns these."""
        for name, channel in self._channels.items():
            if name not in self._published:
                continue
            index, what = self._published[name]
            text = self._tells.get(index, {}).get(what)
            if text is None:
                self._told(name, why_it_rests(name))
                continue
            control = f"engine_{index}_shaft" if f"engine_{index}_shaft" in self._engines else f"engine_{index}_spool"
            self._engines[control]["channels"][channel] = text

    def _reserve(self, name: str) -> int:
        return self._channels.setdefault(name, FIRST_FREE + len(self._channels))

    def _control(self) -> None:
        """The parts `law` and, behind the engines, `law_of_engines`: they write the channels that others read."""
        asked = {name: channel for name, channel in self._channels.items() if name in self._computed}
        later = {name for name in asked if self._needs_engines(name)}
        for name in sorted(later & self._asked_by_engines):
            self._told(name, "the engines need it and it needs the engines: here it takes what these tell for 0")
        later -= self._asked_by_engines
        early = {name: channel for name, channel in asked.items() if name not in later}
        self._law = self._law_of(early) if early else None
        self._later_law = self._law_of({name: asked[name] for name in later}) if later else None

    def _needs_engines(self, name: str) -> bool:
        """Whether a property depends on what an engine tells."""
        told: dict[str, int] = {}
        self._graph(_Asked(told, {}, self._published), self._computed, silent=True).named(name)
        return bool(told)

    def _rests(self, name: str) -> bool:
        """Whether a property is 0 whatever the flight and the sticks: what others set in JSBSim nobody sets here."""
        graph = self._graph({}, self._computed, silent=True)
        wanted = {"found": graph.named(name)}
        own = (*QUANTITIES, *graph.components.remembers)
        program = build(Functions(own, graph.constants, graph.translator.tables, graph.values), wanted)
        return all_zero(program, len(own))

    def _law_of(self, asked: dict[str, int]) -> dict[str, Any]:
        graph = self._graph(_Asked(self._channels, {}, self._published), self._computed)
        written = {channel: graph.named(name) for name, channel in sorted(asked.items(), key=lambda p: p[1])}
        return {
            "kind": "table_control",
            "site": SITE,
            "channels": written,
            "controls": {0: None, 1: None, 2: None},
            "remembers": graph.components.remembers,
            **_content(graph),
        }

    def vehicle(self) -> dict[str, Any]:
        """Content of vehicle.yaml."""
        early = {"law": self._law} if self._law else {}
        later = {"law_of_engines": self._later_law} if self._later_law else {}
        return {
            "about": f"{self._name}, imported from JSBSim",
            "root": SITE,
            "parts": {**early, **self._engines, **later, "aero": self._aero, **self._external},
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
                *(
                    [
                        "## Repaired",
                        "",
                        *(f"- {row.what}: {row.was} became {row.now}: {row.why}" for row in self.repaired),
                        "",
                    ]
                    if self.repaired
                    else []
                ),
                *not_carried_over(self.lost),
            ]
        )


class _Asked(dict[str, int]):
    """Channels of computed properties: each gets one when it is first asked for."""

    def __init__(
        self,
        channels: dict[str, int],
        computed: dict[str, ET.Element],
        published: dict[str, tuple[int, str]],
        asked: set[str] | None = None,
    ) -> None:
        self._channels, self._computed, self._published = channels, computed, published
        self._asked = set() if asked is None else asked

    def __contains__(self, key: object) -> bool:
        return (key in self._computed and not known_expression(str(key))) or key in self._published

    def __getitem__(self, key: str) -> int:
        self._asked.add(key)
        return self._channels.setdefault(key, FIRST_FREE + len(self._channels))


def _content(graph: Graph) -> dict[str, Any]:
    tables = {name: one.model_dump(exclude_defaults=True) for name, one in graph.translator.tables.items()}
    return {"tables": tables, "constants": graph.constants, "values": graph.values}
