"""What a scenario must not have if its flight is to be one compiled piece; each is refused in one sentence."""

import mujoco

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
    found |= {
        f"a part acts in the stage {stage}": True for stage in STAGES if stage not in FLOWN and entries.steps[stage]
    }
    if reasons := [said for said, true in found.items() if true]:
        raise InputError(f"fused cannot fly {world.name}: {', '.join(reasons)}; the back-end threads can")
