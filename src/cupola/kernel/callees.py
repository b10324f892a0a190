"""How functions are compiled that only compiled code calls: into what their caller takes in, and no further.

Numba makes each of them a program of its own, optimised together with all that it calls in turn, which takes a third of
the time of a compilation; their caller has copies of all of them and is optimised once more. Here only the caller is.
"""

from typing import Any

from numba import _dynfunc
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import register_pass
from numba.core.environment import lookup_environment
from numba.core.typed_passes import NativeLowering

NO_ADDRESS = 0
ENVIRONMENT = "_ZN08NumbaEnv"
"""How names of variables begin that hold what a function needs at run time."""


@register_pass(mutates_CFG=True, analysis_only=False)
class CalleeLowering(NativeLowering):  # type: ignore[misc]
    """Write a function down for its callers, without making it runnable."""

    _name = "cupola_callee_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower it into a library that is linked into others, and tell its callers where it lies."""
        library = state.library = state.targetctx.codegen().create_library(state.func_id.func_qualname)
        library._optimize_final_module = lambda: None
        library._finalize_final_module = lambda: _finish(library)
        state.flags.no_compile = True
        super().run_pass(state)
        library.finalize()
        done = state["cr"]
        name = done.fndesc.qualname.rpartition(".")[2]
        handle = _dynfunc.make_function(done.fndesc.lookup_module(), name, "", NO_ADDRESS, done.env, (library,))
        state["cr"] = done._replace(cfunc=handle)
        state.targetctx.insert_user_function(handle, done.fndesc, [library])
        state.reload_init.extend(library._reload_init)
        return True


def _finish(library: Any) -> None:
    """What is left of the end of a compilation if nothing is to run."""
    library._finalize_dynamic_globals()
    library._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class CallerLowering(NativeLowering):  # type: ignore[misc]
    """Numba's own, which then gives the functions taken in what they need at run time, as if loaded from disk."""

    _name = "cupola_caller_lowering"

    def run_pass(self, state: Any) -> bool:
        """Lower, optimise and make runnable."""
        super().run_pass(state)
        if state.flags.no_compile:
            return True
        for variable in state.library._final_module.global_variables:
            if variable.name.startswith(ENVIRONMENT) and (found := lookup_environment(variable.name)):
                state.library.codegen.set_env(variable.name, found)
        return True


class CalleeCompiler(Compiler):  # type: ignore[misc]
    """Numba's steps, the last ones left out."""

    def define_pipelines(self) -> list[Any]:
        """Its ways to compile."""
        return _with(CalleeLowering, super().define_pipelines())


class CallerCompiler(Compiler):  # type: ignore[misc]
    """Numba's steps for a function that takes in others."""

    def define_pipelines(self) -> list[Any]:
        """Its ways to compile."""
        return _with(CallerLowering, super().define_pipelines())


def _with(lowering: type[Any], pipelines: list[Any]) -> list[Any]:
    for pipeline in pipelines:
        pipeline.passes = [(lowering if step is NativeLowering else step, why) for step, why in pipeline.passes]
        pipeline.finalize()
    return pipelines
