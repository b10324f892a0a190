"""All loads, summed into MuJoCo's applied forces. Called at every stage of the integrator."""

from cupola.kernel.memory import Views
from cupola.kernel.motion import body_quaternion, push_point, row_vector
from cupola.kernel.stages import LOAD, PUBLISH, run_stage
from cupola.physics.rotation import Vector, Wrench, add, dot, rotate
from cupola.xmath import Number


def add_loads(v: Views) -> Number:
    """Sum all loads at the present motion; the result is 0 or what went wrong."""
    for body in range(v.xfrc_applied.shape[0]):
        for k in range(6):
            v.xfrc_applied[body, k] = v.external_wrench[body, k]
    if v.world[0].forces_applied:
        apply_forces(v)
    run_stage(v, PUBLISH, 0.0)
    return run_stage(v, LOAD, 0.0)


def apply_forces(v: Views) -> None:
    """Add applied forces at points of bodies, whose lever arms rotate with the body, and applied torques."""
    for body in range(1, v.applied_forces.shape[0]):
        f = v.applied_forces[body]
        force, torque = Vector(f[0], f[1], f[2]), Vector(f[6], f[7], f[8])
        if force.x == 0.0 and force.y == 0.0 and force.z == 0.0 and dot(torque, torque) == 0.0:
            continue
        point_w = add(row_vector(v.xpos, body), rotate(body_quaternion(v, body), Vector(f[3], f[4], f[5])))
        push_point(v, body, point_w, Wrench(force, torque))
