"""An AVL geometry as a vehicle folder: every surface becomes wings of one lattice, every control a channel."""

import itertools
import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cupola.bridge.avl.document import Geometry, Surface, read_avl
from cupola.bridge.avl.mass import Mass, read_mass
from cupola.bridge.avl.panes import Pane, panes
from cupola.bridge.formulas import plain_name
from cupola.bridge.inertia import repair_inertia
from cupola.bridge.new_folder import new_folder
from cupola.bridge.outcome import Imported
from cupola.bridge.report import Report
from cupola.bridge.vehicle_text import check_mjcf, vehicle_text
from cupola.parts.aero.wing import FEWEST_STRIPS
from cupola.schema.input_files import boundary

STICKS = {"aileron": 0, "elevator": 1, "rudder": 2, "throttle": 3}
"""Channels of controls by name; others follow."""
TURNS = np.array([[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]])
"""What sticks 0 to 2 ask for, about x front, y left, z up: roll right, nose up, nose right."""
SET = ("flap", "spoiler", "brake")
"""Beginnings of names of controls that are set and not flown: trim leaves them where they are."""
TRAVEL = 25.0
"""[deg] of AVL's control at channel value 1, which the file does not say."""
PANELS, STRIPS = 6, 12
"""Most panels along a chord and strips of a wing: what AVL solves once is solved many times a second here.

Fewer strips than a wing needs here become as many as it needs.
"""
SOLVE_HZ = 100.0
ASSUMED_SPEED, ASSUMED_LIFT, DENSITY, GRAVITY = 15.0, 0.5, 1.225, 9.81
SITE = "base"


class _Flap(NamedTuple):
    """What moves one wing's flap: controls by name, with their gains."""

    chord: float
    moved_by: tuple[tuple[str, float], ...]


def import_avl(source: Path, target: Path) -> Imported:
    """Read `source`, and the mass file beside it, and write the vehicle folder `target`."""
    report = Report()
    with boundary(source, "cannot be imported"):
        geometry = read_avl(source)
        beside = source.with_suffix(".mass")
        mass = read_mass(beside) if beside.is_file() else _assumed(geometry, beside, report)
        mass = mass._replace(tensor=repair_inertia(mass.mass, mass.tensor, beside.name, report))
        report.lost += geometry.lost
        maker = _Maker(geometry, mass, report)
        vehicle, mjcf = maker.vehicle(), maker.mjcf()
    check_mjcf(mjcf, source)
    with new_folder(target) as folder:
        (folder / "model.xml").write_text(mjcf, encoding="utf-8")
        (folder / "vehicle.yaml").write_text(vehicle_text(vehicle), encoding="utf-8")
        (folder / "README.md").write_text(maker.readme(source.name), encoding="utf-8")
        report.write(folder, source=source.name)
    what = f"{geometry.title}, {mass.mass:.3g} kg: {len(maker.wings)} wings of one lattice, no engine"
    return Imported(target, report, target / "vehicle.yaml", what, "nobody: a glider with its controls on channels")


def _assumed(geometry: Geometry, beside: Path, report: Report) -> Mass:
    """Of a geometry without a mass file: what 15 m/s carry, spread over its span and length."""
    noses = np.array([s.nose for one in geometry.surfaces for s in one.sections])
    length = max(float(np.ptp(noses[:, 0])), geometry.chord)
    mass = 0.5 * DENSITY * ASSUMED_SPEED**2 * geometry.area * ASSUMED_LIFT / GRAVITY
    x, y = (mass / 12.0 * 0.5 * size**2 for size in (geometry.span, length))
    report.assume("unit of length", f"metres, as there is no {beside.name}")
    report.assume("mass", f"{mass:.4g} kg, which {ASSUMED_SPEED:g} m/s carry at a lift coefficient of {ASSUMED_LIFT:g}")
    report.assume("centre of mass", "Xref, Yref, Zref")
    report.warnings.append(f"there is no {beside.name}: mass and inertia are assumed; write one, or edit model.xml")
    return Mass(1.0, mass, np.array(geometry.reference), np.diag([x, y, x + y]))


class _Maker:
    def __init__(self, geometry: Geometry, mass: Mass, report: Report) -> None:
        self._geometry, self._mass, self._report = geometry, mass, report
        self.wings: dict[str, Pane] = {}
        self._flaps: dict[str, _Flap] = {}
        for surface in geometry.surfaces:
            self._add(surface)
        self._controls = self._numbered()
        self._senses = {name: self._sense(name) for name in self._controls}
        self._drag = self._friction()

    def _add(self, surface: Surface) -> None:
        image = surface.image if surface.image is not None else (0.0 if self._geometry.mirrored else None)
        for pane in panes(surface, image, self._mass.length, self._mass.centre):
            plain = plain_name("_".join(filter(None, (surface.name, pane.label))).lower())
            name = next(n for k in itertools.count(1) if (n := plain if k == 1 else f"{plain}_{k}") not in self.wings)
            self.wings[name] = pane
            if pane.moved_by:
                self._flaps[name] = _Flap(pane.flap_chord, pane.moved_by)
            for what, how in pane.assumed:
                self._report.assume(f"{what} on {name}", how)
        for section in surface.sections:
            if abs(section.slope - 1.0) > 1e-9:
                self._report.lose(f"CLAF {section.slope:g} of {surface.name}", "panels have a lift slope of 2 π")
                break

    def _numbered(self) -> dict[str, int]:
        names = list(dict.fromkeys(name for flap in self._flaps.values() for name, _ in flap.moved_by))
        known = {name: STICKS[name] for name in names if name in STICKS}
        others = [name for name in names if name not in STICKS]
        return known | {name: len(STICKS) + k for k, name in enumerate(others)}

    def _sense(self, name: str) -> float:
        """1, or -1 for a stick that would roll left, lower the nose or turn it left."""
        channel, moment = STICKS.get(name, len(TURNS)), np.zeros(3)
        if channel >= len(TURNS):
            return 1.0
        for wing, flap in self._flaps.items():
            pane, gain = self.wings[wing], dict(flap.moved_by).get(name, 0.0)
            moment += gain * np.cross(*pane.lifts())
        return -1.0 if moment @ TURNS[channel] < 0.0 else 1.0

    def _friction(self) -> float:
        """CDo of the reference area, spread over all wings."""
        area = sum(pane.area for pane in self.wings.values())
        return self._geometry.drag * self._geometry.area * self._mass.length**2 / area

    def vehicle(self) -> dict[str, Any]:
        """Content of vehicle.yaml."""
        first = len(STICKS) + len(self._controls)
        channels = {name: first + k for k, name in enumerate(self._flaps)}
        parts: dict[str, Any] = {}
        if self._flaps:
            for name in self._controls:
                self._report.assume(f"travel of {name}", f"channel value 1 is {TRAVEL * self._senses[name]:g}°")
            parts["law"] = {
                "kind": "table_control",
                "site": SITE,
                "channels": {channels[name]: self._mixed(flap) for name, flap in self._flaps.items()},
                "controls": {
                    number: math.radians(TRAVEL) for name, number in self._controls.items() if not name.startswith(SET)
                },
            }
        for name, pane in self.wings.items():
            parts[name] = self._wing(name, pane, channels.get(name))
        speed = math.sqrt(2.0 * self._mass.mass * GRAVITY / (DENSITY * self._area() * ASSUMED_LIFT))
        return {
            "about": f"{self._geometry.title}, imported from AVL",
            "root": SITE,
            "start": {"position": [0.0, 0.0, 100.0], "velocity_b": [round(speed, 3), 0.0, 0.0]},
            "parts": parts,
            "controller": {"use": "pass_through", "rate_hz": 100},
        }

    def _area(self) -> float:
        return self._geometry.area * self._mass.length**2

    def _mixed(self, flap: _Flap) -> str:
        """What its flap does, of the controls' channels."""
        said = ((gain * self._senses[name], self._controls[name]) for name, gain in flap.moved_by)
        return " + ".join(f"{gain!r} * channel[{number}]" for gain, number in said)

    def _wing(self, name: str, pane: Pane, channel: int | None) -> dict[str, Any]:
        panels, strips = min(pane.chordwise, PANELS), min(max(pane.spanwise, FEWEST_STRIPS), STRIPS)
        if (panels, strips) != (pane.chordwise, pane.spanwise):
            self._report.assume(
                f"lattice of {name}", f"{panels} x {strips} panels; the file has {pane.chordwise} x {pane.spanwise}"
            )
        made: dict[str, Any] = {
            "kind": "wing",
            "site": name,
            "theory": "lattice",
            "panels": panels,
            "strips": strips,
            "solve_hz": SOLVE_HZ,
            "side": pane.side,
            "stations": [station._asdict() for station in pane.stations],
            "section": {"c_moment_0": pane.c_moment_0, "c_friction": self._drag},
        }
        if channel is not None:
            made["flap"] = {"channel": channel, "gain": math.radians(TRAVEL), "chord": self._flaps[name].chord}
        return made

    def mjcf(self) -> str:
        """Content of model.xml: the origin is the centre of mass."""
        turn = np.diag([-1.0, -1.0, 1.0])
        t = turn @ self._mass.tensor @ turn
        tensor = " ".join(repr(float(t[i, j])) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
        body = [shape for pane in self.wings.values() for shape in pane.shapes()]
        sites = [
            f'<site name="{name}" pos="{" ".join(map(repr, pane.place))}" euler="{pane.roll_deg!r} 0 0"/>'
            for name, pane in self.wings.items()
        ]
        newline = "\n      "
        return f"""<mujoco model="{plain_name(self._geometry.title)}">
  <compiler angle="degree"/>
  <worldbody>
    <body name="{SITE}">
      <freejoint/>
      <inertial pos="0 0 0" mass="{self._mass.mass!r}" fullinertia="{tensor}"/>
      <site name="{SITE}"/>
      {newline.join([*sites, *body])}
    </body>
  </worldbody>
</mujoco>
"""

    def readme(self, name: str) -> str:
        """Where everything came from, and what did not come along."""
        rows = [
            f"| {number} | {control}, {TRAVEL * self._senses[control]:g}° at 1 |"
            for control, number in self._controls.items()
        ]
        about = f"Imported from `{name}` of AVL by `cupola import`. Its licence is that of the file."
        origin = f"Mass {self._mass.mass:.4g} kg; the origin is the centre of mass; x front, y left, z up."
        table = ["| channel | control |", "|---|---|", *(rows or ["| none | |"]), ""]
        return "\n".join([f"# {self._geometry.title}", "", about, origin, "", *table, *self._report.sections()])
