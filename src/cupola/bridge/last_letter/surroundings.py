"""What Last_letter_2 keeps beside its models: air, rates, joystick, the boxes to drop and the world to fly in."""

from pathlib import Path
from typing import Any

from cupola.bridge.last_letter.values import Values
from cupola.bridge.last_letter.xacro import read_robot
from cupola.bridge.report import Report
from cupola.bridge.sdf.document import Document
from cupola.bridge.sdf.world import read_surroundings
from cupola.config.air import FASTEST
from cupola.schema.input_files import InputError
from cupola.schema.xml_files import number_at, numbers_at
from cupola.teleop.hid import HidMap

FILES = ("environment.yaml", "updatePhysics.yaml", "HID.yaml")
BOX = "objects/can/urdf/can_model.urdf.xacro"
BOXES = 20
"""How many there are to drop; the source makes new ones without end."""
BOX_EDGE, BOX_MASS = 0.05, 1.0
"""[m, kg] of a box here, and in the source."""
LAPSE = -6.5
"""[K/km] of the standard atmosphere."""
AGREES = 1e-3
"""Share by which density, pressure and temperature of one place may differ."""
USUAL_HZ = 400
"""[Hz] of the source's files."""
ABOVE = 2
"""How many folders above a model are searched for what all models share."""


def find_shared(source: Path, folders: tuple[Path, ...]) -> list[Path]:
    """Where files of all models may lie: named folders, the model's, those above it, and `param` in them."""
    above = [source.resolve(), *source.resolve().parents[:ABOVE]]
    return [*folders, *(place for folder in above for place in (folder, folder / "param"))]


def found(name: str, places: list[Path]) -> Path | None:
    """The first of the places that has a file."""
    return next((place / name for place in places if (place / name).is_file()), None)


def read_scenario(places: list[Path], drops: bool, report: Report) -> dict[str, Any]:
    """The keys of a scenario: rates, gravity, air, ground, boxes."""
    scenario: dict[str, Any] = {"physics_hz": USUAL_HZ}
    rates, air = found("updatePhysics.yaml", places), found("environment.yaml", places)
    for name, path in (("updatePhysics.yaml", rates), ("environment.yaml", air)):
        if path is None:
            usual = f"{USUAL_HZ} Hz" if name == "updatePhysics.yaml" else "the standard atmosphere, no wind"
            report.assume(name, f"not found beside the model or above it: {usual}")
    if rates is not None:
        scenario |= _rates(Values(rates, "updatePhysics"), report)
    if air is not None:
        scenario |= _air(Values(air, "environment"), report)
    scenario |= _ground(places, report)
    return scenario | ({"boxes": _boxes(places, report)} if drops else {})


def _rates(values: Values, report: Report) -> dict[str, Any]:
    name = values.path.name
    step = values.number("deltaT", default=1.0 / USUAL_HZ)
    if not step > 0.0:
        raise InputError(f"{values.path}: deltaT: expected a positive number, got {step:g}")
    rate, asked = max(1, round(1.0 / step)), values.number("simRate", default=1.0 / step)
    if abs(rate * step - 1.0) > 1e-9:
        report.repair(f"{name}: deltaT", f"{step:g} s", f"1/{rate} s", "rates are whole numbers here")
    if abs(asked * step - 1.0) > 1e-6:
        report.lose(
            f"{name}: simRate {asked:g}", f"there it runs {asked * step:.3g} times as fast as time: use --speed"
        )
    paused = values.number("paused", default=0.0) != 0.0
    report.lost += values.left("there is nothing it would change here")
    return {"physics_hz": rate, "start_paused": paused}


def _air(values: Values, report: Report) -> dict[str, Any]:
    name = values.path.name
    density, gas = values.number("rho", default=1.225), values.number("Rd", default=287.05307)
    warm, heavy = (
        values.number("groundTemp", default=15.0) + 273.15,
        100.0 * values.number("groundPres", default=1013.25),
    )
    air: dict[str, Any] = {"temperature_offset": warm - 288.15, "sea_level_pressure": heavy}
    made = heavy / (gas * warm)
    if abs(made / density - 1.0) > AGREES:
        air["density"] = density
        said = f"{warm - 273.15:g} °C and {heavy / 100:g} mbar make {made:.4g} kg/m³; forces follow rho"
        report.assume(f"{name}: density", f"{density:g} kg/m³ at every height: {said}")
    report.lose(f"{name}: pressure by height", "the source's rises by a sign that is wrong; here as it is in nature")
    lapse = values.number("L0", "Lo", default=LAPSE)
    if abs(lapse - LAPSE) > 1e-9:
        report.lose(f"{name}: L0 {lapse:g} K/km", f"the standard atmosphere's {LAPSE:g} K/km is used")
    gravity = abs(values.number("gravity", default=-9.81))
    wind = _wind(values)
    if wind:
        air["wind"] = wind
    turbulence = _turbulence(values, report)
    if turbulence:
        air["turbulence"] = turbulence
    report.lost += values.left("there is nothing it would change here")
    return {"gravity": gravity, "air": air}


def _wind(values: Values) -> dict[str, Any]:
    """There the direction is counter-clockwise from x, here a bearing: x is called east."""
    speed, height = values.number("windRef", default=0.0), values.number("windRefAlt", default=10.0)
    towards, law = values.number("windDir", default=0.0), values.number("surfSmooth", "surf/Smooth", default=0.0)
    if speed == 0.0:
        return {}
    bearing = (90.0 - towards + (180.0 if speed < 0.0 else 0.0)) % 360.0
    return {"speed": abs(speed), "from_deg": bearing, "height": height, "exponent": law}


def _turbulence(values: Values, report: Report) -> dict[str, Any]:
    """Dryden's, where it is switched on."""
    names = ("Lu", "Lw", "sigmau", "sigmaw")
    along, up, level, lift = (values.number(f"Dryden/{name}", default=0.0) for name in names)
    if values.number("Dryden/use", default=0.0) == 0.0:
        return {}
    if max(level, lift) > FASTEST:
        why = f"a deviation of {max(level, lift):g} m/s is no wind; {FASTEST:g} m/s is the most"
        report.lose(f"{values.path.name}: Dryden", why)
        return {}
    return {"sigma": [level, level, lift], "length": [along or 533.0, along or 533.0, up or 533.0]}


def _ground(places: list[Path], report: Report) -> dict[str, Any]:
    """The floor and what stands on it, of the world file beside the models."""
    worlds = sorted(world for place in places for world in (place / "worlds").glob("*.world"))
    if not worlds:
        report.assume("worlds", "no world file found beside the model or above it: a level floor")
        return {}
    if len({*worlds}) > 1:
        report.lose(f"worlds: {', '.join(world.name for world in worlds[1:])}", f"{worlds[0].name} was taken")
    around = read_surroundings(Document(worlds[0], places, report))
    return {key: value for key, value in around.items() if key in ("floor", "obstacles")}


def _boxes(places: list[Path], report: Report) -> int:
    """Boxes to drop; one of another size is said."""
    path = found(BOX, places)
    if path is not None:
        robot = read_robot(path)
        size, mass = robot.find("link/collision/geometry/box"), robot.find("link/inertial/mass")
        edges = numbers_at(size, "size", 3, path.name) if size is not None else [BOX_EDGE] * 3
        heavy = number_at(mass, "value", path.name) if mass is not None else BOX_MASS
        if edges != [BOX_EDGE] * 3 or heavy != BOX_MASS:
            said = " × ".join(f"{edge:g}" for edge in edges)
            report.lose(f"{path.name}: {said} m, {heavy:g} kg", f"boxes here are {BOX_EDGE:g} m and {BOX_MASS:g} kg")
    report.assume("boxes to drop", f"{BOXES}; the source has no end of them")
    return BOXES


def read_joystick(places: list[Path], report: Report) -> dict[str, Any] | None:
    """The joystick map, in our keys."""
    path = found("HID.yaml", places)
    if path is None:
        report.assume("HID.yaml", "not found beside the model or above it: the map of a Logitech Extreme 3D Pro")
        return None
    values = Values(path, "HID")
    lists = {name: values.numbers(name, default=[]) for name in ("axes", "buttons", "throws")}
    made = {
        "axes": [int(axis) for axis in lists["axes"]],
        "buttons": [int(button) for button in lists["buttons"]],
        "throws": lists["throws"],
    }
    report.lost += values.left("there is nothing it would change here")
    try:
        HidMap.model_validate(made)
    except ValueError as error:
        raise InputError(f"{path}: {error}") from None
    return made
