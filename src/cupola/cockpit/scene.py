"""What stands in a world and does not change while it runs: the page draws it, the frames move it."""

import math
from collections.abc import Iterator
from typing import Any, Literal

import mujoco
import numpy as np

from cupola.build.compile import BoundPart, VehicleInstance
from cupola.cockpit import messages as say
from cupola.cockpit import paint
from cupola.cockpit.obeyed import obeyed
from cupola.cockpit.routes import can_go
from cupola.cockpit.surfaces import surfaces_of
from cupola.cockpit.surroundings import channels, moves, stick_words
from cupola.config.stick_words import NO_STICKS
from cupola.kernel.records import leaves
from cupola.parts.binding import PushedSite
from cupola.physics.rotation import Quaternion, multiply
from cupola.schema.field_notes import first_line
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World
from cupola.teleop.manual import manual_for

SHAPES: dict[int, Literal["plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"]] = {
    int(mujoco.mjtGeom.mjGEOM_PLANE): "plane",
    int(mujoco.mjtGeom.mjGEOM_HFIELD): "hfield",
    int(mujoco.mjtGeom.mjGEOM_SPHERE): "sphere",
    int(mujoco.mjtGeom.mjGEOM_CAPSULE): "capsule",
    int(mujoco.mjtGeom.mjGEOM_ELLIPSOID): "ellipsoid",
    int(mujoco.mjtGeom.mjGEOM_CYLINDER): "cylinder",
    int(mujoco.mjtGeom.mjGEOM_BOX): "box",
    int(mujoco.mjtGeom.mjGEOM_MESH): "mesh",
}
JOINTS: dict[int, Literal["hinge", "slide", "ball", "free"]] = {
    int(mujoco.mjtJoint.mjJNT_HINGE): "hinge",
    int(mujoco.mjtJoint.mjJNT_SLIDE): "slide",
    int(mujoco.mjtJoint.mjJNT_BALL): "ball",
    int(mujoco.mjtJoint.mjJNT_FREE): "free",
}
SHOWN_GROUPS = 3
"""MuJoCo shows the geoms of groups 0 to 2 unless told otherwise; 3 and above hold collision shapes."""
LOOK_BACK = Quaternion(0.0, 1.0, 0.0, 0.0)
"""From the axes of a lens (z ahead, y down) to those of a view (-z ahead, y up)."""
HAND = "push"
"""Row of the forces for the hand of a person."""


def scene_of(world: World) -> say.Scene:
    """Everything that the page needs to draw a world."""
    model = world.model
    meshes, numbers = _meshes(model)
    drawn = [k for k in range(model.ngeom) if int(model.geom_type[k]) in SHAPES]
    return say.Scene(
        bodies=[_body(world, k) for k in range(model.nbody)],
        geoms=[_geom(model, k, numbers) for k in drawn],
        meshes=meshes,
        textures=paint.textures(model),
        materials=paint.materials(model),
        lights=paint.lights(model),
        joints=[_joint(model, k) for k in range(model.njnt)],
        cameras=[*_camera_parts(world), *(_camera(model, k) for k in range(model.ncam))],
        rotors=[_rotor(world, bound) for bound in rotors_of(world)],
        surfaces=surfaces_of(world, {geom: place for place, geom in enumerate(drawn)}),
        lasers=[_laser(world, bound) for bound in lasers_of(world)],
        loads=[*(bound.full_name for bound in loads_of(world)), *pushed_sites(world), *wheels_of(world), HAND],
        vehicles=[_vehicle(world, k) for k in range(len(world.instances))],
        gravity=world.scenario.gravity > 0.0,
        air=not world.scenario.air.space,
        boxes=world.boxes.count,
    )


def loads_of(world: World) -> list[BoundPart]:
    """Parts whose force is drawn."""
    return [bound for bound in world.assembly.parts if arrow_of(bound) is not None]


def arrow_of(bound: BoundPart) -> slice | None:
    """Which of the world's outputs are the force of a part, axes of its site: three, or one along x."""
    arrow = bound.part.arrow or bound.part.group().arrow
    if arrow is None:
        return None
    shown = [one for one in bound.part.shown(bound.row) if one.array == "outputs"]
    places = [one.place for one in shown if arrow.output in (one.name, one.name.partition(".")[0])]
    if len(places) not in (1, 3):
        known = ", ".join(one.name for one in shown) or "none"
        raise InputError(f"{bound.full_name}: arrow: {arrow.output!r} is no number or vector it shows; it has: {known}")
    return slice(places[0], places[0] + len(places))


def rotors_of(world: World) -> list[BoundPart]:
    """Parts that are drawn as a disc which spins."""
    parts = world.assembly.parts
    return [bound for bound in parts if bound.part.disc_radius() is not None and bound.part.shaft is not None]


def spin_of(bound: BoundPart) -> int:
    """Which number of the state is the speed of a shaft."""
    assert bound.part.shaft is not None
    _, speed = bound.part.shaft
    return int(bound.row["state"]) + leaves(bound.part.group().State).index(speed)


def lasers_of(world: World) -> list[BoundPart]:
    """Parts with a fan of rays."""
    return [bound for bound in world.assembly.parts if bound.part.ray_angles() is not None]


def cameras_of(world: World) -> list[BoundPart]:
    """Parts that take pictures."""
    return [bound for bound in world.assembly.parts if bound.part.takes_pictures]


def pushed_sites(world: World) -> dict[str, PushedSite]:
    """Sites that parts push beside their own, vehicle.part.site."""
    found = {}
    for bound in world.assembly.parts:
        for one in bound.part.pushed_sites():
            name = world.model.site(one.site).name.rpartition("/")[2]
            found[f"{bound.full_name}.{name}"] = one
    return found


def wheels_of(world: World) -> dict[str, int]:
    """Wheels, vehicle.wheel, and their bodies."""
    return {
        f"{bound.vehicle}.{wheel}": world.model.body(f"{bound.vehicle}/{wheel}").id
        for bound in world.assembly.parts
        for wheel in bound.part.wheel_bodies()
    }


def _name(model: Any, kind: Any, index: int) -> str:
    return mujoco.mj_id2name(model, kind, index) or ""


def _body(world: World, k: int) -> say.Body:
    model = world.model
    name = _name(model, mujoco.mjtObj.mjOBJ_BODY, k)
    owner = next((i for i, instance in enumerate(world.instances) if name.startswith(f"{instance.name}/")), -1)
    return say.Body(
        name=name,
        vehicle=owner,
        mass=model.body_mass[k],
        com_b=model.body_ipos[k].tolist(),
        inertia_quat_b=model.body_iquat[k].tolist(),
        inertia_box=_inertia_box(float(model.body_mass[k]), model.body_inertia[k]),
    )


def _inertia_box(mass: float, inertia: Any) -> tuple[float, float, float]:
    """Half sizes [m] of the uniform box with this mass [kg] and these principal moments [kg m²]."""
    if mass <= 0.0:
        return 0.0, 0.0, 0.0
    x, y, z = (float(one) for one in inertia)
    squares = (y + z - x, z + x - y, x + y - z)
    a, b, c = (math.sqrt(max(0.0, 1.5 * square / mass)) for square in squares)
    return a, b, c


def _geom(model: Any, k: int, meshes: dict[str, list[int]]) -> say.Geom:
    rgba = paint.colour(model, k)
    kind = SHAPES[int(model.geom_type[k])]
    return say.Geom(
        name=_name(model, mujoco.mjtObj.mjOBJ_GEOM, k),
        body=int(model.geom_bodyid[k]),
        kind=kind,
        size=model.geom_size[k].tolist(),
        pos_b=model.geom_pos[k].tolist(),
        quat_b=model.geom_quat[k].tolist(),
        rgba=rgba.tolist(),
        mesh=meshes[kind][model.geom_dataid[k]] if kind in meshes else -1,
        material=int(model.geom_matid[k]),
        collides=bool(model.geom_contype[k] or model.geom_conaffinity[k]),
        visible=bool(model.geom_group[k] < SHOWN_GROUPS and rgba[3] > 0.0),
    )


def _meshes(model: Any) -> tuple[list[say.Mesh], dict[str, list[int]]]:
    """What differs among meshes and height fields (ten vehicles of a kind bring the same), and which each one is."""
    made = [_mesh(model, k) for k in range(model.nmesh)] + [paint.height_field(model, k) for k in range(model.nhfield)]
    firsts: dict[tuple[float, ...], int] = {}
    numbers = [firsts.setdefault((*one.vertices, *one.faces, *one.uv), len(firsts)) for one in made]
    different = [made[numbers.index(k)] for k in range(len(firsts))]
    return different, {"mesh": numbers[: model.nmesh], "hfield": numbers[model.nmesh :]}


def _mesh(model: Any, k: int) -> say.Mesh:
    vertices = model.mesh_vert[model.mesh_vertadr[k] : model.mesh_vertadr[k] + model.mesh_vertnum[k]]
    where = slice(model.mesh_faceadr[k], model.mesh_faceadr[k] + model.mesh_facenum[k])
    vertices, faces, uv = vertices.astype(np.float64), model.mesh_face[where], np.zeros((0, 2))
    if model.mesh_texcoordadr[k] >= 0:
        # Corners of triangles have places in a texture of their own: one vertex each.
        corners = model.mesh_facetexcoord[where].ravel()
        uv = model.mesh_texcoord[model.mesh_texcoordadr[k] + corners].astype(np.float64)
        vertices, faces = vertices[faces.ravel()], np.arange(faces.size)
    # A few micrometres are enough for the eye and halve the text.
    return say.Mesh(
        vertices=np.round(vertices.ravel(), 6).tolist(),
        faces=faces.ravel().tolist(),
        uv=np.round(uv.ravel(), 5).tolist(),
    )


def _joint(model: Any, k: int) -> say.Joint:
    return say.Joint(
        name=_name(model, mujoco.mjtObj.mjOBJ_JOINT, k),
        body=int(model.jnt_bodyid[k]),
        kind=JOINTS[int(model.jnt_type[k])],
        pos_b=model.jnt_pos[k].tolist(),
        axis_b=model.jnt_axis[k].tolist(),
    )


def _camera(model: Any, k: int) -> say.Camera:
    return say.Camera(
        name=_name(model, mujoco.mjtObj.mjOBJ_CAMERA, k),
        body=int(model.cam_bodyid[k]),
        pos_b=model.cam_pos[k].tolist(),
        quat_b=model.cam_quat[k].tolist(),
        fovy=math.radians(model.cam_fovy[k]),
        part=False,
    )


def _camera_parts(world: World) -> Iterator[say.Camera]:
    for bound in cameras_of(world):
        place = _place(world, bound)
        quat = multiply(Quaternion(*place["quat_b"]), LOOK_BACK)
        yield say.Camera(**{**place, "quat_b": quat}, fovy=bound.part.view_height(), part=True)


def _rotor(world: World, bound: BoundPart) -> say.Rotor:
    return say.Rotor(**_place(world, bound), radius=bound.part.disc_radius() or 0.0)


def _laser(world: World, bound: BoundPart) -> say.Laser:
    first, step, rays = bound.part.ray_angles()
    return say.Laser(**_place(world, bound), angle_min=first, angle_step=step, count=rays)


def _place(world: World, bound: BoundPart) -> dict[str, Any]:
    """Name of a part, and the body and pose of its site."""
    site, model = int(bound.row["site"]), world.model
    return {
        "name": bound.full_name,
        "body": int(model.site_bodyid[site]),
        "pos_b": model.site_pos[site].tolist(),
        "quat_b": model.site_quat[site].tolist(),
    }


def _stick_words(instance: VehicleInstance, runner: Any) -> say.StickWords:
    """What the sticks do that the vehicle has; nothing where the scenario moves them."""
    said = (NO_STICKS if runner.script else stick_words(instance, runner))._asdict().items()
    mix = instance.vehicle.channel_mix.sticks
    return say.StickWords(**{s: words if at >= 0 else ("", "") for (s, words), at in zip(said, mix, strict=True)})


def _vehicle(world: World, index: int) -> say.VehicleInfo:
    instance = world.instances[index]
    lifts, tilts = moves(world, instance)
    return say.VehicleInfo(
        name=instance.name,
        model=world.scenario.vehicles[index].model,
        root=instance.root,
        mission=bool(instance.resolved.controller.plan),
        plan=[say.Waypoint(position=one.position, land=one.land) for one in instance.resolved.controller.plan],
        goes=can_go(instance),
        modes=list(instance.runners),
        mode_texts=[first_line(type(runner.controller)) for runner in instance.runners.values()],
        stick_words=[_stick_words(instance, runner) for runner in instance.runners.values()],
        sticks=list(instance.vehicle.channel_mix.sticks),
        keys=[say.VehicleKey(name=name, channel=at) for name, at in instance.vehicle.channel_mix.keys.items()],
        channels=[channels(world, instance, runner) for runner in instance.runners.values()],
        obeyed=[obeyed(world, instance, runner) for runner in instance.runners.values()],
        throttle_rests_at=[runner.controller.throttle_rests_at for runner in instance.runners.values()],
        manual=manual_for(instance.runners) is not None,
        wheels=[name for name in wheels_of(world) if name.startswith(f"{instance.name}.")],
        lifts=lifts,
        tilts=tilts,
    )
