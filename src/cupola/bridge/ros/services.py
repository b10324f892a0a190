"""Services that every dialect has: reset, pause, boxes, friction, inertia. Each acts between two ticks."""

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from cupola.bridge.ros.graph import Service
from cupola.build.boxes import DROP
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

TRIGGER, SWITCH, EMPTY = "std_srvs/srv/Trigger", "std_srvs/srv/SetBool", "std_srvs/srv/Empty"
CORNERS = ("fr", "fl", "rl", "rr")
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
        at = asked.initial_pose.position
        if max(abs(at.x - DROP.x), abs(at.y - DROP.y), abs(at.z - DROP.z)) > BELOW:
            return _said(False, f"boxes are born {-DROP.z:g} m below a vehicle: at (0, 0, {DROP.z:g}) of it")
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
        world.tune(f"{vehicle}.{wheels[0]}.along", float(asked.mu1))
        world.tune(f"{vehicle}.{wheels[0]}.across", float(asked.mu2))
        return {}

    def inertia(asked: Any) -> dict[str, Any]:
        given = {"base": asked.base, "front": asked.front, **{f"wheel_{corner}": asked.wheel for corner in CORNERS}}
        for body, one in given.items():
            com = (one.com.x, one.com.y, one.com.z)
            world.set_inertia(f"{vehicle}/{body}", one.m, com, (one.ixx, one.iyy, one.izz, one.ixy, one.ixz, one.iyz))
        return {}

    return [
        Service(f"/{called}/set_friction", "omnivelma_msgs/srv/SetFriction", friction),
        Service(f"/{called}/set_inertia", "omnivelma_msgs/srv/SetInertia", inertia),
    ]


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
