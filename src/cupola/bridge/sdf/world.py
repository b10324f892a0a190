"""A world file: which model is the vehicle, and what of the rest a scenario can hold."""

from typing import Any, NamedTuple

from cupola.bridge.sdf.document import Document, MissingFileError, included
from cupola.bridge.sdf.node import Node
from cupola.bridge.sdf.pose import chain
from cupola.bridge.sdf.robot import Robot, Shape
from cupola.bridge.sdf.scope import read_model
from cupola.bridge.standing import gravity_keys, is_floor, obstacle, plane_box
from cupola.schema.yaml_files import InputError

GRAVITY, STEP = 9.8, 0.001
"""Of Gazebo, where a world says nothing [m/s², s]."""
FLOOR = {"friction": 1.0, "size": 1000.0, "patches": []}
"""Of a ground that Gazebo brings with it."""
BUILT_IN = {
    "sun": "the light of the scene here",
    "ground_plane": "the floor here; what touches it brings its own friction",
    "asphalt_plane": "the floor here; what touches it brings its own friction",
}
"""Models of Gazebo's own that worlds include by name, and what stands for them where they are not found."""


class Setting(NamedTuple):
    """The vehicle, and the keys of a scenario around it."""

    robot: Robot
    scenario: dict[str, Any] | None


def read_setting(document: Document, wanted: str | None) -> Setting:
    """The vehicle of a model or world file."""
    world, version = document.root.one("world"), document.version(document.root)
    if world is None:
        models = document.root.all("model")
        if not models and document.root.element.find("include") is None:
            raise InputError(f"{document.path}: there is neither a <model> nor a <world> in it")
        robots, _ = _models(document, document.root, version)
        return Setting(_pick(robots, wanted, document), None)
    robots, ground = _models(document, world, version)
    robot = _pick(robots, wanted, document)
    return Setting(robot, _scenario(document, world, [other for other in robots if other is not robot], ground))


def _models(document: Document, world: Node, version: float) -> tuple[list[Robot], bool]:
    """All models of a world, and whether it has the ground that Gazebo brings with it."""
    robots = [read_model(document, model, version) for model in world.all("model")]
    ground = False
    for include in world.all("include"):
        uri = include.need("uri").text
        name = uri.rstrip("/").rpartition("/")[2]
        try:
            model, own_version = included(document, include)
        except MissingFileError as error:
            include.swallow()
            if name not in BUILT_IN:
                document.lost.append((f"{include}: {uri}", str(error)))
                continue
            document.report.assume(uri, BUILT_IN[name])
            ground = ground or name.endswith("plane")
            continue
        robots.append(read_model(document, model, own_version, include, include.say("name")))
    return robots, ground


def is_place(document: Document) -> bool:
    """Whether a world holds models, none of which can move, and names no other that is missing."""
    world = document.root.one("world")
    models = world.all("model") if world is not None else []
    return bool(models) and not world_includes(document) and all(model.flag("static") for model in models)


def world_includes(document: Document) -> list[str]:
    """What a world includes beside the ground and the light that Gazebo brings with it."""
    world = document.root.one("world")
    uris = [include.need("uri").text for include in world.all("include")] if world is not None else []
    return [uri for uri in uris if uri.rstrip("/").rpartition("/")[2] not in BUILT_IN]


def read_surroundings(document: Document) -> dict[str, Any]:
    """Ground, obstacles, gravity and step of a world, whatever moves in it."""
    world, version = document.root.one("world"), document.version(document.root)
    if world is None:
        raise InputError(f"{document.path}: there is no <world> in it")
    robots, ground = _models(document, world, version)
    return _scenario(document, world, robots, ground)


def _pick(robots: list[Robot], wanted: str | None, document: Document) -> Robot:
    path = document.path
    if wanted:
        chosen = [robot for robot in robots if robot.name == wanted]
        if not chosen:
            raise InputError(f"{path}: there is no model {wanted!r}; there are: {', '.join(r.name for r in robots)}")
        return chosen[0]
    moving = [robot for robot in robots if not robot.static and robot.links]
    if len(moving) != 1:
        names = ", ".join(robot.name for robot in moving) or "none"
        gone = [why for what, why in document.lost if "/include" in what]
        names += f" ({gone[0]})" if gone and not moving else ""
        raise InputError(f"{path}: models that can move: {names}; --model says which becomes the vehicle")
    return moving[0]


def _scenario(document: Document, world: Node, others: list[Robot], ground: bool) -> dict[str, Any]:
    physics = world.one("physics")
    step = physics.number("max_step_size", STEP) if physics else STEP
    if step <= 0.0:
        document.report.repair(f"{physics}/max_step_size", f"{step:g}", f"{STEP:g}", "a step must be positive")
        step = STEP
    gravity = _gravity(document, world, physics)
    floor: dict[str, Any] | None = {**FLOOR} if ground else None
    obstacles: list[dict[str, Any]] = []
    for robot in others:
        if not robot.static:
            document.lost.append(
                (f"model {robot.name}", "another vehicle: import it apart and put it into the scenario")
            )
            continue
        for link in robot.links.values():
            for shape in link.collisions:
                at = chain(robot.pose, chain(link.pose, shape.pose))
                if shape.kind == "plane" and not is_floor(at.pos, at.quat):
                    obstacles.append(plane_box(at.pos, at.quat, shape.size, shape.friction or 1.0))
                    said = "a plane that is tilted or not at height 0: the upper side of a box"
                    document.report.assume(shape.where, said)
                elif shape.kind == "plane":
                    floor = {"friction": shape.friction or 1.0, "size": max(shape.size), "patches": []}
                elif shape.kind in ("box", "cylinder"):
                    obstacles.append(_obstacle(shape, at))
                else:
                    document.lost.append(
                        (shape.where, f"a {shape.kind} that does not move; only boxes and cylinders do")
                    )
            for shape in link.visuals:
                _look(document, robot, shape, floor)
    scenario: dict[str, Any] = {"physics_hz": round(1.0 / step)}
    scenario |= gravity_keys(gravity, f"{world}: gravity", document.report)
    scenario["floor"] = floor
    return scenario | ({"obstacles": obstacles} if obstacles else {})


def _gravity(document: Document, world: Node, physics: Node | None) -> tuple[float, ...]:
    """[m/s²]; up to SDF 1.4 it stood in <physics>, where files of every version still have it."""
    inside = physics.one("gravity") if physics else None
    own = world.one("gravity")
    if own is None and inside is not None and inside.text:
        return inside.floats(3)
    if own is not None and inside is not None and inside.text and inside.floats(3) != own.floats(3):
        document.report.repair(str(inside), inside.text, own.text, "the gravity of the world counts")
    return world.numbers("gravity", 3, (0.0, 0.0, -GRAVITY))


def _look(document: Document, robot: Robot, shape: Shape, floor: dict[str, Any] | None) -> None:
    """A plane smaller than the floor is a patch of it; what else can be seen is drawn by nobody."""
    if shape.kind == "plane" and floor:
        if max(shape.size) < floor["size"]:
            x, y = (shape.pose.pos.x + robot.pose.pos.x, shape.pose.pos.y + robot.pose.pos.y)
            size = [2.0 * shape.size[0], 2.0 * shape.size[1]]
            floor["patches"].append({"center": [x, y], "size": size, "friction": floor["friction"]})
        return
    document.lost.append((shape.where, "how something that does not move looks"))


def _obstacle(shape: Shape, at: Any) -> dict[str, Any]:
    x, *rest = shape.size
    size = [2.0 * edge for edge in shape.size] if shape.kind == "box" else [2.0 * x, 2.0 * x, 2.0 * rest[0]]
    return obstacle(shape.kind, at.pos, at.quat, size, shape.friction)
