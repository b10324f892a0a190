"""What a scenario must not have if its flight is to be one compiled piece; each is refused in one sentence."""

import inspect

import mujoco

from cupola.build.compile import BoundPart
from cupola.engine.adapters import kernel_of, needs_of
from cupola.kernel.rows import FORCES
from cupola.kernel.stages import STAGES
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

FLOWN = ("actuate", "load", "settle", "settled")
"""Stages in which parts may have kernels; sensors measure beside them."""
STEPS = (mujoco.mjtIntegrator.mjINT_EULER, mujoco.mjtIntegrator.mjINT_IMPLICITFAST)
"""Integrators that are one and the same for a body on a free joint without damping."""


def check(world: World) -> None:
    """Refuse a scenario that the back-ends `fused` and `cuda` cannot fly."""
    entries = world.assembly.entries
    runner = world.runner()
    found = {
        "it has several vehicles": len(world.instances) > 1,
        "its Earth is round": bool(world.arrays.earth[0].curved),
        "its turbulence is von Kármán's": bool(world.arrays.air[0].karman),
        "its wind is a field": bool(len(world.arrays.wind_field)),
        "it has obstacles": bool(world.scenario.obstacles),
        "it has faults": bool(world.scenario.faults),
        "it has changes on the way": bool(world.scenario.changes),
        "it has pushes on the way": bool(world.scenario.pushes),
        "its integrator is not Euler": world.model.opt.integrator not in STEPS,
        f"its controller {type(runner.controller).__name__} is not compiled": not runner.compiled,
        "a part runs in plain Python": bool(entries.python) or any(b.part.plain for b in world.assembly.parts),
        "a sensor loses samples": any(b.part.own_loss() > 0.0 for b in entries.sensed),
    }
    found |= _acting_outside(world, FLOWN)
    if reasons := [said for said, true in found.items() if true]:
        raise InputError(f"fused cannot fly {world.name}: {', '.join(reasons)}; the back-end threads can")


WARPED = ("start", "actuate", "publish", "load", "contact", "before_step", "after_step", "settle", "settled")
"""Stages in which parts may have kernels on the memory of mujoco-warp."""
INTEGRATED = (*STEPS, mujoco.mjtIntegrator.mjINT_IMPLICIT)


def check_warp(world: World, left_out: set[str]) -> None:
    """Refuse a scenario that the back-end `warp` cannot run, by the kind or the stage that keeps it from it."""
    entries, scenario = world.assembly.entries, world.scenario
    found = {
        "its Earth is round": bool(world.arrays.earth[0].curved),
        "its wind is a field": bool(len(world.arrays.wind_field)),
        "it has faults": bool(scenario.faults),
        "it has changes on the way": bool(scenario.changes),
        "it has pushes on the way": bool(scenario.pushes),
        "a part runs in plain Python": bool(entries.python) or any(b.part.plain for b in world.assembly.parts),
        "its integrator is MuJoCo's RK4, at whose inner stages our loads would have to run, too": (
            world.model.opt.integrator not in INTEGRATED
        ),
    }
    for instance in world.instances:
        runner = world.runner(instance.name)
        law = f"the controller {type(runner.controller).__name__}"
        found[f"{law} is not compiled"] = not runner.compiled
        found[f"{law} has a long memory"] = runner.compiled and runner.long
    found |= _acting_outside(world, WARPED)
    for bound in entries.sensed:
        if bound.full_name not in left_out and (why := _unmeasured(bound)):
            found[f"{bound.full_name} {why} (without=[{bound.name!r}] leaves it out)"] = True
    if reasons := [said for said, true in found.items() if true]:
        raise InputError(f"warp cannot run {world.name}: {', '.join(reasons)}; the back-end threads can")


def _acting_outside(world: World, stages: tuple[str, ...]) -> dict[str, bool]:
    """Kinds whose parts act in other stages than these, each in a sentence."""
    acts: dict[str, list[str]] = {}
    for stage in STAGES:
        for step in world.assembly.entries.steps[stage] if stage not in stages else ():
            where = acts.setdefault(step.group.kind.__name__, [])
            where += [stage] if stage not in where else []
    return {
        f"the kind {kind} acts in the stage{'s' * (len(where) > 1)} {' and '.join(where)}": True
        for kind, where in acts.items()
    }


def _unmeasured(bound: BoundPart) -> str:
    """Why a sensor cannot measure there; empty where it can."""
    kind = bound.group.kind
    kernel = kernel_of(kind, "measure", bound.group.variant)
    if kernel is None:
        return "measures in plain Python"
    if needs_of(kind, bound.group.variant) == FORCES:
        return "needs the forces between bodies, for which MuJoCo is asked once more"
    sees = "v" in inspect.signature(kernel).parameters
    return f"looks into MuJoCo's own memory, as the kind {kind.__name__} does" if sees else ""
