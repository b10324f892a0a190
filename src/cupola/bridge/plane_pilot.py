"""A plane that is brought from elsewhere gets sticks and an autopilot, both measured on the compiled world.

First each control joint is moved at a speed of flight, and what turns the aircraft about an axis goes to the stick of
that axis, with its sign. Then steady level flight is sought, and the gains of `plane_hold` are what the aircraft does
there: docs/controllers.md has the formulas.
"""

import math
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import numpy as np

from cupola.analysis import Aircraft, Condition, Flight, Trim, trim
from cupola.bridge.pilot import LIFTS, RotorSite
from cupola.bridge.report import Report
from cupola.config.scenario import Scenario, VehicleEntry
from cupola.control.plane.hold import PlaneHold
from cupola.physics.liftdrag import LiftDrag
from cupola.schema.input_files import InputError
from cupola.schema.xml_files import parse_xml
from cupola.sim.world import World

SEA_LEVEL = 1.225
FASTER = (1.4, 1.7, 2.1, 2.6, 3.2, 4.0, 5.0, 6.0)
"""Times the stalling speed: where level flight is sought."""
SLOWEST = 6.0
"""[m/s] at which the loops work."""
ALIKE = 0.7
"""Share of the strongest surface about an axis, beyond which a surface that turns it about another serves both."""
SPARE = 0.7
"""Of the stick: the most that level flight may take."""
STEP = 1e-3
HIGH = 100.0
"""[m] over the ground at which it starts."""
AXES = ("roll", "pitch", "yaw")
THROTTLE = 3


class Mixed(NamedTuple):
    """A servo on a stick: full stick turns its joint by `throw` [rad]."""

    servo: str
    axis: int
    throw: float


def stalling_speed(parts: dict[str, Any], weight: float) -> float:
    """[m/s] at which the surfaces that lift just carry the weight [N]."""
    lift = 0.0
    for part in parts.values():
        if part["kind"] != "liftdrag" or abs(part["upward"][2]) < LIFTS:
            continue
        if advanced := part.get("advanced"):
            lift += advanced["area"] * (advanced.get("cl0", 0.0) + advanced["cla"] * advanced.get("alpha_stall", 0.3))
        else:
            numbers = {**LiftDrag()._asdict(), **part["surface"]}
            lift += numbers["area"] * abs(numbers["cla"]) * min(numbers["alpha_stall"], 0.4)
    return math.sqrt(2.0 * weight / (SEA_LEVEL * lift)) if lift > 0.0 else math.inf


class PlanePilot:
    """Works on a vehicle folder that has a model.xml; `vehicle` becomes what it finds."""

    def __init__(self, folder: Path, vehicle: dict[str, Any], write: Any, report: Report) -> None:
        self.folder, self.vehicle, self.write, self.report = folder, vehicle, write, report
        """`write(vehicle)` puts the vehicle file into the folder."""

    def choose(self, pushers: list[RotorSite], weight: float, first: int = 0) -> "Chosen":
        """Sticks and gains; an `InputError` says why it cannot be flown. `first` is the channel of the roll stick."""
        stall = stalling_speed(self.vehicle["parts"], weight)
        if not stall < 100.0:
            raise InputError("its surfaces do not carry its weight below 100 m/s")
        pulls = [rotor.name for rotor in pushers]
        if not any(part["kind"] == "servo" and name not in pulls for name, part in self.vehicle["parts"].items()):
            raise InputError("no joint of it moves a surface")
        self._channels(pushers)
        speed = max(FASTER[0] * stall, SLOWEST)
        mixed = self._sticks(self._aircraft(), speed)
        self._assign(mixed, pulls, first)
        plane = self._aircraft()
        if not any(first + THROTTLE in control.channels for control in plane.controls):
            raise InputError(f"trim finds no throttle: it knows no thrust of {', '.join(pulls)}")
        level = self._level(plane, stall, first)
        return Chosen(mixed, level, hold_gains(plane, level, stall, first, self.report))

    def _channels(self, pushers: list[RotorSite]) -> None:
        """Every part that listens gets a channel of its own, the pushers one together."""
        names = [rotor.name for rotor in pushers]
        for name, part in self.vehicle["parts"].items():
            if "channel" in part:
                part["channel"] = THROTTLE if name in names else -1
        free = (k for k in range(10**6) if k != THROTTLE)
        for part in self.vehicle["parts"].values():
            if part.get("channel") == -1:
                part["channel"] = next(free)

    def _aircraft(self) -> Aircraft:
        self.write(self.vehicle)
        entry = VehicleEntry(model=str((self.folder / "vehicle.yaml").resolve()), name="plane")
        return Aircraft(World(Scenario(vehicles=(entry,))))

    def _sticks(self, plane: Aircraft, speed: float) -> list[Mixed]:
        """Which servo belongs to which stick, by the angular acceleration that its full throw gives."""
        servos = {
            part["channel"]: (name, min(-part["low"], part["high"]))
            for name, part in self.vehicle["parts"].items()
            if part["kind"] == "servo" and part["low"] < 0.0 < part["high"]
        }
        state, still = Flight(speed, 0.0, 0.0, h=HIGH), np.zeros(len(plane.controls))
        rest = plane.derivative(state, still).rates[3:6]
        turned: dict[str, Any] = {}
        throws: dict[str, float] = {}
        for k, control in enumerate(plane.controls):
            found = servos.get(control.channels[0])
            if control.name == "throttle" or found is None:
                continue
            moved = still.copy()
            moved[k] = STEP * control.scale
            turned[found[0]] = (plane.derivative(state, moved).rates[3:6] - rest) / STEP * found[1]
            throws[found[0]] = found[1]
        if not turned:
            raise InputError("no joint of it moves a surface")
        most = np.max(np.abs(list(turned.values())), axis=0)
        mixed = []
        for name, effect in turned.items():
            share = np.divide(np.abs(effect), most, out=np.zeros(3), where=most > 1e-9)
            axes = [int(k) for k in np.argsort(-share) if share[k] > ALIKE][:2] if share.max() > ALIKE else []
            axes = axes[:1] if len(axes) == 2 and set(axes) != {0, 1} and set(axes) != {1, 2} else axes
            mixed += [Mixed(name, k, math.copysign(throws[name] / len(axes), effect[k])) for k in axes]
        if not {0, 1} & {one.axis for one in mixed} or 1 not in {one.axis for one in mixed}:
            raise InputError("none of its surfaces turns it in pitch")
        return mixed

    def _assign(self, mixed: list[Mixed], pushers: list[str], first: int) -> None:
        """Servos take sticks instead of angles: the gain of their actuators changes, and a second one may join."""
        parts = self.vehicle["parts"]
        root = parse_xml((self.folder / "model.xml").read_text(encoding="utf-8"), "model.xml")
        done: set[str] = set()
        for one in mixed:
            part = parts[one.servo]
            element = next(e for e in root.iter("general") if e.get("name") == part["actuator"])
            stiffness = -float(element.get("biasprm", "0 0 0").split()[1])
            if one.servo in done:  # a joint of two sticks: the second actuator only adds its share
                name = f"{part['actuator']}_{AXES[one.axis]}"
                actuators = root.find("actuator")
                assert actuators is not None
                made = {"name": name, "joint": str(element.get("joint")), "gainprm": repr(stiffness * one.throw)}
                ET.SubElement(actuators, "general", made)
                ends = {"low": -1.0, "high": 1.0}
                parts[f"{one.servo}_{AXES[one.axis]}"] = {
                    "kind": "servo", "channel": first + one.axis, "actuator": name, **ends
                }  # fmt: skip
                continue
            done.add(one.servo)
            element.set("gainprm", repr(stiffness * one.throw))
            part |= {"channel": first + one.axis, "low": -1.0, "high": 1.0}
            if "rate_max" in part:  # of the angle; now of the stick
                part["rate_max"] /= abs(one.throw)
        for name in pushers:
            parts[name]["channel"] = first + THROTTLE
        rest = (name for name, part in parts.items() if "channel" in part and name not in {*done, *pushers})
        added = {f"{one.servo}_{AXES[one.axis]}" for one in mixed}
        for channel, name in enumerate((n for n in list(rest) if n not in added), first + THROTTLE + 1):
            parts[name]["channel"] = channel
        ET.indent(root)
        (self.folder / "model.xml").write_text(ET.tostring(root, encoding="unicode") + "\n", encoding="utf-8")

    def _level(self, plane: Aircraft, stall: float, first: int) -> Trim:
        """The slowest comfortable level flight."""
        said = ""
        for factor in FASTER:
            speed = max(factor * stall, SLOWEST)
            try:
                level = trim(plane, Condition(speed, altitude=HIGH))
            except InputError as error:
                said = said or str(error)
                continue
            commands = level.commands()
            if abs(commands.get(first + 1, 0.0)) < SPARE and commands.get(first + THROTTLE, 0.0) < SPARE:
                return level
            said = said or f"level flight at {speed:.3g} m/s takes almost all of its elevator or throttle"
        raise InputError(said)


class Chosen(NamedTuple):
    """Sticks, level flight and gains."""

    mixed: list[Mixed]
    level: Trim
    gains: dict[str, float]


def hold_gains(plane: Aircraft, level: Trim, stall: float, first: int, report: Report) -> dict[str, float]:
    """Numbers of `plane_hold`, by small changes about level flight."""
    at, names = np.array(level.state), [control.channels[0] for control in plane.controls]

    def slope(place: str | int) -> Any:
        state, inputs = at.copy(), level.inputs.copy()
        if isinstance(place, str):
            state[Flight._fields.index(place)] += STEP
            return (plane.derivative(state, inputs).rates[:6] - rest) / STEP
        k = names.index(first + place)
        inputs[k] += STEP * plane.controls[k].scale
        return (plane.derivative(state, inputs).rates[:6] - rest) / STEP

    rest = plane.derivative(at, level.inputs).rates[:6].copy()
    u, w, p, q = (slope(name) for name in ("u", "w", "p", "q"))
    speed, commands = level.condition.airspeed, level.commands()
    elevator, throttle = slope(1), slope(THROTTLE)
    found: dict[str, float] = {
        "cruise": speed,
        "speed_min": max(1.2 * stall, 0.8 * speed),
        "speed_max": 1.3 * speed,
    }
    if first in names:
        found["roll_effect"] = slope(0)[3] / -p[3] if p[3] < -1e-3 else 2.0
    # A steady pull-up: moments balance while the path bends as the lift of the angle of attack bends it.
    stiff = w[4] * speed - q[4] * w[2]
    found["pitch_effect"] = w[2] * elevator[4] / stiff if stiff < -1e-3 else 0.5
    found |= {"pitch_trim": commands[first + 1], "throttle_trim": commands[first + THROTTLE]}
    found["throttle_effect"] = throttle[0]
    bandwidth = float(PlaneHold.speed_bandwidth.default)
    found["speed_ki"] = bandwidth * max(-u[0], 0.0)
    found["rotate_speed"] = 1.2 * stall
    return {name: _within(name, float(value), report) for name, value in found.items()}


def _within(name: str, value: float, report: Report) -> float:
    """A gain within the range that its controller declares; a change is said."""
    declared = getattr(PlaneHold, name)
    held = float(min(max(value, declared.low), declared.high))
    if held != value:
        report.assume(f"{name} of plane_hold", f"{held:g} instead of {value:.3g}, which lies beyond its range")
    return held
