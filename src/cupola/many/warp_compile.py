"""Kernels of `warp_text` compiled for the processor or for a GPU, and arrays that both mujoco-warp and they see."""

import hashlib
import re
from typing import Any

import numba
import numpy as np

from cupola.engine.inlined import Inliner, as_written
from cupola.engine.local_array import local_array
from cupola.kernel import floor
from cupola.kernel.arguments import elements_of
from cupola.kernel.jit import sources
from cupola.kernel.memory import Views, window
from cupola.kernel.wind_field import mark_leaving
from cupola.many.cuda import RENAMED, THREADS, device_functions
from cupola.many.flight_template import INSTEAD as NO_FIELD
from cupola.many.kept_kernel import kept_kernel
from cupola.many.warp_memory import CONTACT, Kernel, contact_part, one_contact, sliced, that_contact
from cupola.many.warp_text import Texts
from cupola.schema.yaml_files import InputError
from cupola.xmath import Number

Array = np.ndarray[Any, Any]
CPU = """
def run(mode, nworld, fresh, kept, status, at, {arguments}):
    for w in range(nworld):
        if {wanted}:
            one(w, mode, nworld, kept, status, at, {arguments})
"""
CPU_TOUCH = """
def run(count, most, worldid, status, {contact}, {arguments}):
    for c in range(min(count[0], most)):
        w = worldid[c]
        if status[w] == 0:
            problem = one(c, w, {contact}, {arguments})
            if problem != 0:
                status[w] = problem
"""
GPU = """
def run(mode, nworld, fresh, kept, status, at, {arguments}):
    w = cuda.grid(1)
    if w < nworld and {wanted}:
        one(w, mode, nworld, kept, status, at, {arguments})
"""
GPU_TOUCH = """
def run(count, most, worldid, status, {contact}, {arguments}):
    c = cuda.grid(1)
    if c < most and c < count[0]:
        w = worldid[c]
        if status[w] == 0:
            problem = one(c, w, {contact}, {arguments})
            if problem != 0:
                status[w] = problem
"""


def unmarked(v: Views, x: Number, y: Number, height: Number) -> None:
    """Nobody leaves the grid of a wind, which no world here has."""


WANTED = {"before": "(mode == 0 or fresh[w] != 0) and status[w] == 0", "after": "True"}
WANTED["late"] = "(mode == 0 or fresh[w] != 0) and status[w] == 0"
"""Which worlds a kernel is for: those that run; after a reset, those that begin."""
INSTEAD = {
    **NO_FIELD,
    mark_leaving: unmarked,
    window: sliced,
    floor.contact_number: one_contact,
    floor.contact_at: that_contact,
    floor.contact_geoms: contact_part("geom"),
    **{getattr(floor, f"contact_{name}"): contact_part(name) for name in CONTACT},
}
"""What stands for functions that find their way through MuJoCo's own memory."""
VIEWING = (window, floor.contact_geoms, *(getattr(floor, f"contact_{name}") for name in CONTACT))
"""Of these, what gives an array back."""


def text_of(kernel: Kernel, gpu: bool) -> str:
    """The text of the loop over worlds or contacts."""
    touch = kernel.name == "contact"
    text = (GPU_TOUCH if gpu else CPU_TOUCH) if touch else (GPU if gpu else CPU)
    contact = ", ".join(f"T_{name}" for name in (*CONTACT, "geom"))
    text = text.replace("{contact}", contact).replace("{arguments}", ", ".join(kernel.arrays))
    return text.replace("{wanted}", WANTED.get(kernel.name, ""))


_COMPILED: dict[str, Any] = {}
"""Functions for the processor, by their texts and names."""


class OnProcessor:
    """Compiled by Numba; arrays of Warp are arrays of NumPy."""

    gpu = False
    device = "cpu"
    """Of Warp."""

    def array(self, values: Array) -> Array:
        """An array of ours."""
        return np.ascontiguousarray(values)

    def host(self, array: Array) -> Array:
        """Its numbers here, perhaps not a copy."""
        return array

    def put(self, array: Array, values: Array) -> None:
        """Write all of it."""
        array[...] = values

    def of_warp(self, array: Any) -> Array:
        """An array of Warp without a copy."""
        return np.asarray(array.numpy())

    def compile(self, kernel: Kernel, texts: Texts) -> Any:
        """A function of the arrays; a text that was compiled before is not compiled again."""
        key = f"{kernel.text}{constants_in(kernel)}"
        if key not in _COMPILED or not ours(texts):
            _COMPILED[key] = self._compiled(kernel)
        return _COMPILED[key]

    def _compiled(self, kernel: Kernel) -> Any:
        space = {**kernel.names, "__name__": "cupola.many.warp_kernels"}
        for count in set(re.findall(r"local_(\d+)\(\)", kernel.text)):
            space[f"local_{count}"] = local_array(int(count), np.dtype(np.float64))
        exec(compile(kernel.text, f"<{kernel.name}>", "exec"), space)
        inliner = Inliner(np.float64, as_written, {elements_of: elements_of})
        inliner.replace(INSTEAD)
        names = {"one": inliner.copy(space["one"])}
        exec(compile(text_of(kernel, False), f"<all {kernel.name}>", "exec"), names)
        return numba.njit(error_model="numpy")(names["run"])

    def launch(self, function: Any, threads: int, arguments: list[Any]) -> None:
        """Run it for all."""
        function(*arguments)


class _Seen:
    """An array of Warp as CUDA's array interface tells it."""

    def __init__(self, array: Any, warp: Any) -> None:
        if not array.is_contiguous:
            raise InputError("warp: mujoco-warp keeps an array in pieces, which our kernels cannot read")
        self.kept = array
        shape = (*array.shape, *getattr(array.dtype, "_shape_", ()))
        kind = np.dtype(warp.dtype_to_numpy(getattr(array.dtype, "_wp_scalar_type_", array.dtype)))
        self.__cuda_array_interface__ = {
            "shape": shape,
            "typestr": kind.str,
            "data": (int(array.ptr), False),
            "strides": None,
            "version": 2,
        }


class OnGpu:
    """Compiled by numba-cuda; launched on Warp's own stream, so that both wait for each other."""

    gpu = True
    device = "cuda"

    def __init__(self, cuda: Any, warp: Any) -> None:
        self.cuda, self.warp = cuda, warp

    def array(self, values: Array) -> Any:
        """An array of ours in the memory of the GPU."""
        return self.cuda.to_device(renamed(np.ascontiguousarray(values)))

    def host(self, array: Any) -> Array:
        """A copy of its numbers here."""
        self.warp.synchronize()
        return np.asarray(array.copy_to_host())

    def put(self, array: Any, values: Array) -> None:
        """Write all of it."""
        self.warp.synchronize()
        array.copy_to_device(np.ascontiguousarray(renamed(np.asarray(values)), array.dtype))
        self.cuda.synchronize()

    def of_warp(self, array: Any) -> Any:
        """An array of Warp without a copy, the numbers of its vectors and matrices as further axes."""
        return self.cuda.as_cuda_array(_Seen(array, self.warp), sync=False)

    def compile(self, kernel: Kernel, texts: Texts) -> Any:
        """A kernel, kept on disk once it is compiled."""
        cuda = self.cuda

        def wrap(function: Any) -> Any:
            return cuda.jit(device=True, forceinline=True)(function)

        space = {**kernel.names, "__name__": "cupola.many.warp_kernels", "cuda": cuda, "FLOAT": np.float64}
        exec(compile(kernel.text, f"<{kernel.name}>", "exec"), space)
        inliner = Inliner(np.float64, wrap, device_functions(wrap, cuda), RENAMED)
        inliner.replace({function: other for function, other in INSTEAD.items() if function not in VIEWING})
        # No function of a GPU gives an array back, so that those which do are written into their callers.
        inliner.put({one: cuda.jit(device=True, inline="always")(INSTEAD[one]) for one in VIEWING})
        names = {"cuda": cuda, "one": inliner.copy(space["one"])}
        said = hashlib.sha256((kernel.text + repr(constants_in(kernel))).encode()).hexdigest()[:16]
        read = [f for f in kernel.names.values() if hasattr(f, "__code__") and f.__code__.co_filename[0] != "<"]
        if not ours(texts):
            return kept_kernel(f"warp_{kernel.name}_{said}", f"# {said}{text_of(kernel, True)}", names, None, cuda)
        groups = texts.world.assembly.entries.groups
        kinds = [f for g in groups for f in vars(g.kind).values() if isinstance(f, staticmethod)]
        files = frozenset().union(*(sources(f) for f in read), *(sources(f.__func__) for f in kinds), sources(text_of))
        return kept_kernel(f"warp_{kernel.name}_{said}", f"# {said}{text_of(kernel, True)}", names, files, cuda)

    def launch(self, kernel: Any, threads: int, arguments: list[Any]) -> None:
        """Run it for all."""
        stream = self.cuda.external_stream(int(self.warp.get_stream().cuda_stream))
        kernel[-(-threads // THREADS), THREADS, stream](*arguments)


def renamed(array: Array) -> Array:
    """Rows with the names of columns that code for a GPU has for them."""
    names = array.dtype.names
    if not set(names or ()) & set(RENAMED):
        return array
    kinds = [(RENAMED.get(name, name), array.dtype[name]) for name in names or ()]
    return array.view(np.dtype(kinds))


def ours(texts: Texts) -> bool:
    """Whether all that is compiled is of this package."""
    classes: list[type] = [group.kind for group in texts.world.assembly.entries.groups]
    classes += [type(runner.controller) for runner in texts.laws]
    return all(one.__module__.startswith("cupola.") for one in classes)


def constants_in(kernel: Kernel) -> list[str]:
    """What a text names and does not say: which laws and kinds, and constants."""
    found = [
        f"{name} {getattr(f, '__module__', '')} {getattr(f, '__qualname__', '')}" for name, f in kernel.names.items()
    ]
    return sorted(found)


def place(device: str | None, warp: Any) -> Any:
    """Where worlds run: `cuda`, `cpu`, or what there is."""
    if device not in (None, "cpu", "cuda"):
        raise InputError(f"warp: device: expected cpu or cuda, got {device!r}")
    if device == "cpu" or (device is None and not warp.is_cuda_available()):
        return OnProcessor()
    if not warp.is_cuda_available():
        raise InputError("warp: there is no GPU that Warp can use here; device='cpu' runs the same, slowly")
    from cupola.many.cuda import cuda_module

    return OnGpu(cuda_module(), warp)
