"""Kernels of a GPU on disk, so that the next start compiles nothing: behind checksums, as all compiled code is kept."""

import logging
from pathlib import Path
from typing import Any

from cupola.kernel.disk_cache import SealedFiles
from cupola.kernel.jit import _kept_text, folder_of_text

log = logging.getLogger("cupola")


def kept_kernel(name: str, text: str, names: dict[str, Any], files: frozenset[Path] | None, cuda: Any) -> Any:
    """The function `run` of a text as a kernel; `files` are the sources it reaches, None for one that is not kept."""
    folder = None if files is None else folder_of_text(files, name, text)
    text = text.replace("def run(", f"def {name}(")
    place = folder and _kept_text(folder / f"{name}.py", text)
    space = dict(names)
    exec(compile(text, str(place or f"<{name}>"), "exec"), space)
    kernel = cuda.jit(space[name], fastmath="float32" in name)
    if place:
        kernel._cache = cache_in(place.parent, space[name])
    return kernel


def cache_in(folder: Path, function: Any) -> Any:
    """numba-cuda's cache of one kernel in a folder of ours, which never ends a run."""
    from numba.cuda.core import config
    from numba.cuda.dispatcher import CUDACache

    class KernelCache(CUDACache):  # type: ignore[misc]
        def __init__(self, function: Any) -> None:
            super().__init__(function)
            stamp = self._impl.locator.get_source_stamp()
            self._cache_file = SealedFiles(self._cache_path, self._impl.filename_base, stamp)

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            try:
                return super().load_overload(sig, target_context)
            except Exception as error:  # of another version of something below us
                log.info("the kernel is made anew: %s cannot be loaded (%s)", self._name, error)
                return None

        def save_overload(self, sig: Any, data: Any) -> None:
            try:
                super().save_overload(sig, data)
            except Exception as error:
                log.warning("the kernel cannot be kept in %s, so the next start compiles again: %s", folder, error)

    before, config.CACHE_DIR = config.CACHE_DIR, str(folder)
    try:
        return KernelCache(function)
    finally:
        config.CACHE_DIR = before
