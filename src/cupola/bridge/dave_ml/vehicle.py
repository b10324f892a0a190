"""DAVE-ML files as a vehicle folder: aerodynamics, engine, mass and a control law, joined by their standard names."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cupola.bridge.dave_ml.checks import run_checks
from cupola.bridge.dave_ml.document import DaveModel, read_dave_ml
from cupola.bridge.dave_ml.surfaces import USUAL_TRAVEL, sense, travel
from cupola.bridge.dave_ml.units import QUANTITIES, factor
from cupola.bridge.dave_ml.variable import Variable
from cupola.bridge.formulas import number
from cupola.bridge.lost import not_carried_over
from cupola.bridge.new_folder import new_folder
from cupola.bridge.vehicle_text import check_mjcf, vehicle_text
from cupola.parts.functions.evaluate import evaluate
from cupola.parts.functions.program import build
from cupola.schema.input_files import InputError, boundary

ROLES = {
    "aero": "aerobodyforcecoefficient_x",
    "engine": "thrustbodyforce_x",
    "inertia": "totalmass",
}
"""Which output tells what a file is for; what gives inputs of these is a control law."""
MASS = ("totalMass", *(f"bodyMomentOfInertia_{axis}" for axis in ("Roll", "Pitch", "Yaw")))
"""What a vehicle without a file of its inertia must be given [kg, kg m²]..."""
MASS_OPTIONAL = (
    *(f"bodyProductOfInertia_{axes}" for axes in ("XY", "ZX", "YZ")),
    *(f"bodyPositionOfCmWrtMrc_{axis}" for axis in "XYZ"),
)
"""... and what it may be given [kg m², m]."""
STICKS = {"pilotcontrol_lat": 0, "pilotcontrol_long": 1, "pilotcontrol_yaw": 2, "pilotcontrol_throttle": 3}
SURFACES = {"ailerondeflection": 0, "elevatordeflection": 1, "rudderdeflection": 2, "powerleverangle": 3}
"""Channels of a vehicle without a control law."""
FIRST_FREE = 4
AXES = ("roll", "pitch", "yaw")
"""What channels 0 to 2 do."""
SITE, REFERENCE = "base", "reference"
Lost = list[tuple[str, str]]


class Made(NamedTuple):
    """A written folder."""

    folder: Path
    lost: Lost


def import_dave_ml(source: Path, target: Path, law: str | None, given: Mapping[str, float]) -> Made:
    """Read a file and those beside it, or a folder of them, and write the vehicle folder `target`.

    `law` chooses among several control laws by the name of their file; `given` are values of inputs by their names.
    """
    if target.exists():
        raise InputError(f"{target} exists already; nothing was written, choose another --out")
    folder = source if source.is_dir() else source.parent
    paths = sorted({*folder.glob("*.dml"), *(folder.glob("*.xml") if source.is_dir() else [source])})
    with boundary(source, "cannot be imported"):
        models = [read_dave_ml(path) for path in paths]
        maker = _Maker(models, law, dict(given))
        vehicle, mjcf = maker.vehicle(), maker.mjcf()
    check_mjcf(mjcf, source)
    with new_folder(target) as made:
        (made / "model.xml").write_text(mjcf, encoding="utf-8")
        (made / "vehicle.yaml").write_text(vehicle_text(vehicle), encoding="utf-8")
        (made / "README.md").write_text(maker.readme(), encoding="utf-8")
    return Made(target, maker.lost)


class _Maker:
    def __init__(self, models: list[DaveModel], law: str | None, given: dict[str, float]) -> None:
        self.lost: Lost = []
        self._given, self._unused = given, set(given)
        self._models: dict[str, DaveModel] = {}
        for role, name in ROLES.items():
            found = [one for one in models if name in _names(one.outputs())]
            if len(found) > 1:
                raise InputError(f"two files give {name}: {found[0].path.name} and {found[1].path.name}")
            if found:
                self._models[role] = found[0]
        read = ", ".join(one.path.name for one in models) or "no file"
        if "aero" not in self._models:
            raise InputError(f"no file gives {ROLES['aero']}, which a vehicle needs; read were: {read}")
        if "inertia" not in self._models and (short := [name for name in MASS if name not in given]):
            pairs = " ".join(f"--set {name}=..." for name in short)
            raise InputError(f"no file gives {ROLES['inertia']}: say it in kg and kg m², {pairs}; read were: {read}")
        for model in self._models.values():
            self.lost += [(f"{model.path.name}: <{tag}>", "only nominal values are flown") for tag in model.unread]
            self.lost += [(f"{model.path.name}: {what}", why) for what, why in model.notes]
        self._choose_law(models, law)
        self._channels: dict[str, int] = {}
        self._mass = self._masses()
        self._parts = {role: self._part(role) for role in ("aero", "engine", "law") if role in self._models}
        if self._unused:
            known = ", ".join(sorted({one.name for model in self._models.values() for one in model.inputs()}))
            raise InputError(f"there is no input {sorted(self._unused)[0]!r} to set; there are: {known}")

    def _choose_law(self, models: list[DaveModel], chosen: str | None) -> None:
        needed = {name for role in self._models for name in _names(self._models[role].inputs())}
        laws = [one for one in models if one not in self._models.values() and _names(one.outputs()) & needed]
        names = [one.path.stem for one in laws]
        if chosen is not None and chosen not in names:
            raise InputError(f"there is no control law {chosen!r}; there are: {', '.join(names) or 'none'}")
        if len(laws) > 1 and chosen is None:
            raise InputError(f"several files are control laws: choose one with --model: {', '.join(names)}")
        if laws:
            self._models["law"] = next(one for one in laws if chosen in (None, one.path.stem))
        others = [one for one in laws if one is not self._models.get("law")]
        self.lost += [(one.path.name, "another control law was chosen") for one in others]
        rest = [one for one in models if one not in laws and one not in self._models.values()]
        self.lost += [(one.path.name, "gives nothing that a vehicle needs") for one in rest]

    def _channel(self, name: str) -> int:
        """Of an input that is neither a quantity nor a constant: sticks first, then one after the other."""
        fixed = STICKS if "law" in self._models else SURFACES
        if name not in self._channels:
            free = max([FIRST_FREE - 1, *self._channels.values()]) + 1
            self._channels[name] = fixed.get(name, free)
        return self._channels[name]

    def _input(self, role: str, one: Variable, constants: dict[str, float]) -> str:
        """Where the value of an input comes from, in the units of the file; empty for one that becomes a constant."""
        key = one.name.lower()
        if one.name in self._given:
            self._unused.discard(one.name)
            constants[one.raw] = float(self._given[one.name])
            return ""
        if key in QUANTITIES:
            return _in_units(QUANTITIES[key], factor(one.units, one.name))
        driven = "law" in self._models and key in _names(self._models["law"].outputs())
        moved = key in SURFACES or one.is_control or key.endswith("deflection")
        if key in STICKS or driven or (role != "law" and moved):
            scale = factor(one.units, one.name) if "law" in self._models else 1.0 / self._travel(role, one)
            return _in_units(f"channel[{self._channel(key)}]", scale)
        constants[one.raw] = self._assumed(role, one)
        return ""

    def _assumed(self, role: str, one: Variable) -> float:
        """Value of an input that nobody gives."""
        value = one.initial or 0.0
        later = "" if role == "inertia" else " or tune it while it flies"
        said = f"nobody gives this input, so it is {value:g}: --set {one.name}=...{later}"
        self.lost.append((f"{self._models[role].path.name}: {one.name} [{one.units}]", said))
        return value

    def _travel(self, role: str, one: Variable) -> float:
        """Deflection at channel 1 in the file's units; negative where a positive one turns against the stick."""
        model, channel = self._models[role], SURFACES.get(one.name.lower())
        far = travel(model, one)
        if far is None:
            far = USUAL_TRAVEL.get(one.units, 1.0)
            note = f"no limit, no table over it: taken as {far:.3g} {one.units} at full stick"
            if (row := (f"{model.path.name}: {one.name}", note)) not in self.lost:
                self.lost.append(row)
        return far * sense(model, one, AXES[channel], far) if channel is not None and channel < len(AXES) else far

    def _part(self, role: str) -> dict[str, Any]:
        model = self._models[role]
        constants = dict(model.constants)
        inputs = {one.raw: self._input(role, one, constants) for one in model.inputs()}
        values = {name: text for name, text in inputs.items() if text} | model.values
        tables = {name: table.model_dump(exclude_defaults=True) for name, table in model.tables.items()}
        part = {"kind": f"table_{'control' if role == 'law' else role}", "site": REFERENCE if role == "aero" else SITE}
        common = {"tables": tables, "constants": constants, "values": values}
        return {**part, **getattr(self, f"_{role}")(model), **common}

    def _aero(self, model: DaveModel) -> dict[str, Any]:
        named = {one.name.lower(): one for one in model.variables.values()}

        def si(name: str) -> str:
            one = named.get(name)
            if one is None:
                raise InputError(f"{model.path.name}: there is no variable {name}")
            return f"{one.own} * {number(factor(one.units, one.name))}"

        area, span, chord = (si(f"referencewing{what}") for what in ("area", "span", "chord"))
        lengths = {"Roll": span, "Pitch": chord, "Yaw": span}
        force = {
            axis.lower(): f"dynamic_pressure * {area} * {si(f'aerobodyforcecoefficient_{axis.lower()}')}"
            for axis in "XYZ"
        }
        torque = {
            axis: f"dynamic_pressure * {area} * {lengths[what]} * {si(f'aerobodymomentcoefficient_{what.lower()}')}"
            for axis, what in zip("xyz", lengths, strict=True)
        }
        shown = {one.own: "1" for one in model.outputs() if "coefficient" in one.name.lower()}
        controls = (
            {}
            if "law" in self._models
            else {SURFACES[n]: self._rad(model, n) for n in list(SURFACES)[:3] if n in named}
        )
        return {"force": force, "torque": torque, "show": shown, "controls": controls}

    def _rad(self, model: DaveModel, name: str) -> float:
        one = next(one for one in model.inputs() if one.name.lower() == name)
        return self._travel("aero", one) * factor(one.units, one.name)

    def _engine(self, model: DaveModel) -> dict[str, Any]:
        named = {one.name.lower(): one for one in model.outputs()}
        found = {}
        for axis in ("force_x", "force_y", "force_z", "moment_roll", "moment_pitch", "moment_yaw"):
            one = named.get(f"thrustbody{axis}")
            if one is not None:
                found[axis] = f"{one.own} * {number(factor(one.units, one.name))}"
        for axis in ("force_y", "force_z", "moment_pitch", "moment_yaw"):
            if axis in found and named[f"thrustbody{axis}"].initial != 0.0:
                self.lost.append((f"{model.path.name}: thrustBody{axis}", "an engine pushes along x alone"))
        return {"thrust": found["force_x"], "torque": found.get("moment_roll", "0"), "throttle": 3}

    def _law(self, model: DaveModel) -> dict[str, Any]:
        needed = {n for role, one in self._models.items() if role != "law" for n in _names(one.inputs())}
        used = [one for one in model.outputs() if one.name.lower() in needed]
        self.lost += [
            (f"{model.path.name}: {one.name}", "nothing needs it") for one in model.outputs() if one not in used
        ]
        written = {
            self._channel(one.name.lower()): f"{one.own} * {number(factor(one.units, one.name))}" for one in used
        }
        sticks = {STICKS[n]: None for n in list(STICKS)[:3] if n in _names(model.inputs())}
        return {"channels": written, "controls": sticks}

    def vehicle(self) -> dict[str, Any]:
        """Content of vehicle.yaml."""
        order = [role for role in ("law", "aero", "engine") if role in self._parts]
        return {
            "about": f"{self._models['aero'].path.stem}, from DAVE-ML files",
            "root": "base",
            "parts": {role: self._parts[role] for role in order},
            "controller": {"use": "pass_through", "rate_hz": 100},
        }

    def _masses(self) -> dict[str, float]:
        """Outputs of the file of the inertia, or what was given in its place, SI, by their names."""
        model = self._models.get("inertia")
        if model is None:
            found = {name: self._given[name] for name in (*MASS, *MASS_OPTIONAL) if name in self._given}
            self._unused -= set(found)
            return {name.lower(): value for name, value in found.items()}
        program = build(model.functions(), {one.name.lower(): one.own for one in model.outputs()})
        block = np.array(program.block)
        for k, one in enumerate(model.inputs()):
            self._unused.discard(one.name)
            block[k] = self._given[one.name] if one.name in self._given else self._assumed("inertia", one)
        evaluate(block, program.code, program.lines, program.result, (), ())
        sizes = {one.name.lower(): factor(one.units, one.name) for one in model.outputs()}
        return {name: float(block[k]) * sizes[name] for name, k in program.wanted.items()}

    def mjcf(self) -> str:
        """Content of model.xml: the origin is the centre of mass; the shape is drawn from the wing's span and chord."""
        m = self._mass
        roll, pitch, yaw = (m[f"bodymomentofinertia_{axis}"] for axis in ("roll", "pitch", "yaw"))
        xy, zx, yz = (m.get(f"bodyproductofinertia_{axes}", 0.0) for axes in ("xy", "zx", "yz"))
        x, y, z = (m.get(f"bodypositionofcmwrtmrc_{axis}", 0.0) for axis in "xyz")
        # Products are integrals in axes front, right, down: half a turn about x takes the sign off those with x.
        tensor = " ".join(repr(value) for value in (roll, pitch, yaw, xy, zx, -yz))
        return f"""<mujoco model="{self._models["aero"].path.stem}">
  <worldbody>
    <body name="base">
      <freejoint/>
      <inertial pos="0 0 0" mass="{m["totalmass"]!r}" fullinertia="{tensor}"/>
      <geom type="capsule" fromto="-6 0 0 6 0 0" size="0.8" mass="0"/>
      <geom type="box" pos="-1 0 0" size="1.5 4.5 0.05" mass="0" contype="0" conaffinity="0"/>
      <geom type="box" pos="-5 0 1.2" size="0.9 0.05 1.2" mass="0" contype="0" conaffinity="0"/>
      <site name="{SITE}"/>
      <site name="{REFERENCE}" pos="{-x!r} {y!r} {z!r}"/>
    </body>
  </worldbody>
</mujoco>
"""

    def readme(self) -> str:
        """Where everything came from."""
        lines = [f"# {self._models['aero'].path.stem}", "", "Made by `cupola import` from DAVE-ML files:", ""]
        for role, model in self._models.items():
            checks = run_checks(model)
            wrong = [one for one in checks if not one.passed]
            said = (
                f"{len(checks) - len(wrong)} of {len(checks)} numbers of its check cases agree"
                if checks
                else "no check cases"
            )
            lines.append(f"- {role}: `{model.path.name}`, {said}")
        lines += ["", "| channel | what |", "|---|---|"]
        lines += [f"| {k} | {name} |" for name, k in sorted(self._channels.items(), key=lambda pair: pair[1])]
        if "law" not in self._models:
            lines += [
                "",
                "At 1 a channel moves as far as the file lets it; `world.turn(4, 0.5)` moves one without a stick.",
            ]
        lines += ["", "Thrust acts through the centre of mass. The shape is a sketch and not of the files.", ""]
        self.lost.append(("landing gear, lag of engine and surfaces", "the files have none"))
        return "\n".join([*lines, *not_carried_over(self.lost)])


def _names(variables: list[Variable]) -> set[str]:
    return {one.name.lower() for one in variables}


def _in_units(text: str, size: float) -> str:
    """An SI expression in units of this size."""
    return text if size == 1.0 else f"({text}) / {number(size)}"
