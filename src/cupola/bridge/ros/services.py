"""Services that every dialect has: reset, pause, boxes, friction, inertia. Each acts between two ticks."""

import math
import re
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from cupola.bridge.ros.graph import Service
from cupola.build.boxes import DROP, MASS, SIZE
from cupola.schema.yaml_files import InputError
from cupola.sim.body_inertia import Inertia, check
from cupola.sim.world import World

TRIGGER, SWITCH, EMPTY = "std_srvs/srv/Trigger", "std_srvs/srv/SetBool", "std_srvs/srv/Empty"
CORNERS = ("fr", "fl", "rl", "rr")
EDGES = re.compile(r"""<box\s+size\s*=\s*["']([^"']*)["']|<size>([^<]*)</size>""")
MASSES = re.compile(r"""<mass\s+value\s*=\s*["']([^"']*)["']|<mass>([^<]*)</mass>""")
"""Of a model in URDF or SDF."""
BELOW = 1e-6
"""[m] by which the place of a box may differ from the only one where it can be born."""


class Controls(Protocol):
    """What services do to the run itself."""

    def pause(self, on: bool) -> None:
        """Let time stand still, or go on."""

    def reset(self) -> None:
        """Start over."""


def world_services(world: World, controls: Controls) -> list[Service]:
    """Of the world as a whole, then of each vehicle."""
    found = [
        Service("/cupola/reset", TRIGGER, _trigger(controls.reset)),
        Service("/cupola/pause", SWITCH, lambda asked: _done(lambda: controls.pause(bool(asked.data)))),
        Service("/cupola/remove_boxes", TRIGGER, _trigger(world.remove_boxes)),
        Service("/cupola/set_friction", "omnivelma_msgs/srv/SetFriction", lambda asked: _floor(world, asked)),
    ]
    for instance in world.instances:
        name = instance.name
        found.append(Service(f"/{name}/drop_box", TRIGGER, _dropper(world, name)))
        found.append(Service(f"/{name}/restart", TRIGGER, _trigger(partial(world.restart, name))))
        found += wheel_services(world, name, name)
    return found


def gazebo_services(world: World, controls: Controls) -> list[Service]:
    """Those of Gazebo's that the theses' nodes call."""

    def spawn(asked: Any) -> dict[str, Any]:
        if problem := _unlike_ours(asked):
            said = f"boxes are born {-DROP.z:g} m below a vehicle, as cubes of {SIZE:g} m, {MASS:g} kg"
            return _said(False, f"{said}: {problem}")
        return _said(*_box(world, None))

    def delete(asked: Any) -> dict[str, Any]:
        out = world.boxes.dropped()
        world.remove_boxes()
        return _said(bool(out), f"{len(out)} boxes are taken away, all of them")

    return [
        Service("/gazebo/pause_physics", EMPTY, _silently(partial(controls.pause, True))),
        Service("/gazebo/unpause_physics", EMPTY, _silently(partial(controls.pause, False))),
        Service("/gazebo/reset_world", EMPTY, _silently(controls.reset)),
        Service("/gazebo/reset_simulation", EMPTY, _silently(controls.reset)),
        Service("/gazebo/spawn_urdf_model", "gazebo_msgs/srv/SpawnModel", spawn),
        Service("/gazebo/spawn_sdf_model", "gazebo_msgs/srv/SpawnModel", spawn),
        Service("/gazebo/delete_model", "gazebo_msgs/srv/DeleteModel", delete),
    ]


def wheel_services(world: World, vehicle: str, called: str) -> list[Service]:
    """Friction and inertia of a base on Mecanum wheels, as omnivelma has them; none for others."""
    wheels = list(world.robot(vehicle).wheels)
    if not wheels:
        return []

    def friction(asked: Any) -> dict[str, Any]:
        given = {"along": float(asked.mu1), "across": float(asked.mu2)}
        for name, value in given.items():  # both, or none
            world.tuning.check(f"{vehicle}.{wheels[0]}.{name}", value)
        for name, value in given.items():
            world.tune(f"{vehicle}.{wheels[0]}.{name}", value)
        return {}

    def inertia(asked: Any) -> dict[str, Any]:
        given = {name: _inertia(name, getattr(asked, name)) for name in ("base", "front", "wheel")}  # all, or none
        wheel = given.pop("wheel")
        for body, one in {**given, **{f"wheel_{corner}": wheel for corner in CORNERS}}.items():
            world.set_inertia(f"{vehicle}/{body}", *one)
        return {}

    return [
        Service(f"/{called}/set_friction", "omnivelma_msgs/srv/SetFriction", friction),
        Service(f"/{called}/set_inertia", "omnivelma_msgs/srv/SetInertia", inertia),
    ]


def _inertia(name: str, said: Any) -> Inertia:
    """What a message says of a body, if a body can have it."""
    about = (said.ixx, said.iyy, said.izz, said.ixy, said.ixz, said.iyz)
    found = Inertia(said.m, (said.com.x, said.com.y, said.com.z), about)
    try:
        check(found)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    return found


def _unlike_ours(asked: Any) -> str:
    """What a model that is to be spawned has that our boxes have not; empty: nothing."""
    at, turn = asked.initial_pose.position, asked.initial_pose.orientation
    if not abs(at.x - DROP.x) + abs(at.y - DROP.y) + abs(at.z - DROP.z) <= BELOW:
        return f"the position must be (0, 0, {DROP.z:g}) of it, got ({at.x:g}, {at.y:g}, {at.z:g})"
    if not (abs(turn.x) + abs(turn.y) + abs(turn.z) <= BELOW and abs(turn.w) <= 1.0 + BELOW):
        return f"they cannot be turned, got the quaternion x {turn.x:g}, y {turn.y:g}, z {turn.z:g}, w {turn.w:g}"
    for word, pattern, ours in (("size", EDGES, [SIZE] * 3), ("mass", MASSES, [MASS])):
        for found in pattern.findall(asked.model_xml):
            text = "".join(found)
            if [_number(part) for part in text.split()] != ours:
                return f"the model has the {word} {text.strip()!r}"
    return ""


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def floor_service(world: World, name: str) -> Service:
    """Friction of the floor."""
    return Service(name, "omnivelma_msgs/srv/SetFriction", lambda asked: _floor(world, asked))


def _floor(world: World, asked: Any) -> dict[str, Any]:
    if asked.mu1 != asked.mu2:
        raise InputError(f"the floor has one friction in all directions, got {asked.mu1:g} and {asked.mu2:g}")
    world.tune("floor.friction", float(asked.mu1))
    return {}


def _box(world: World, vehicle: str | None) -> tuple[bool, str]:
    if world.drop_box(vehicle):
        return True, f"{len(world.boxes.dropped())} boxes are out"
    return False, f"none of {world.boxes.count} boxes is left: delete them, or write more `boxes:` in the scenario"


def _dropper(world: World, vehicle: str) -> Callable[[Any], dict[str, Any]]:
    def drop(_: Any) -> dict[str, Any]:
        success, message = _box(world, vehicle)
        return {"success": success, "message": message}

    return drop


def _said(success: bool, message: str) -> dict[str, Any]:
    return {"success": success, "status_message": message}


def _silently(act: Callable[[], object]) -> Callable[[Any], dict[str, Any]]:
    def do(_: Any) -> dict[str, Any]:
        act()
        return {}

    return do


def _trigger(act: Callable[[], object]) -> Callable[[Any], dict[str, Any]]:
    return lambda _: _done(act)


def _done(act: Callable[[], object]) -> dict[str, Any]:
    act()
    return {"success": True, "message": ""}
