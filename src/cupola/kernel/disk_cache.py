"""Compiled code on disk that heals: what cannot be read is deleted and compiled anew, what cannot be written is said.

Numba unpickles its cache files as they are: a damaged one stops the program, or worse runs. Here each file begins with
the checksum of the rest, and no failure to load or to save ends a run.
"""

import hashlib
import logging
import pickle
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, UserProvidedCacheLocator
from numba.core.runtime import rtsys

log = logging.getLogger("cupola")
SEAL = hashlib.sha256().digest_size


class SealedFiles(IndexDataCacheFile):  # type: ignore[misc]
    """Index and data files of one function, each behind its checksum."""

    def save(self, key: Any, data: Any) -> None:
        """Keep the code of one signature, in a file that is named after it.

        Numba counts its files. Of two processes that compile another signature each at the same moment both take the
        next number, and the index may then call the code of the one that of the other.
        """
        overloads = self._load_index()
        overloads[key] = name = f"{self._index_name}.{hashlib.sha256(self._dump(key)).hexdigest()[:16]}.nbc"
        self._save_data(name, data)
        self._save_index(overloads)

    def _load_index(self) -> dict[Any, str]:
        found = self._opened(Path(self._index_path))
        if not isinstance(found, tuple) or found[:2] != (self._version, self._source_stamp):
            return {}
        overloads = found[-1]
        return overloads if isinstance(overloads, dict) else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        with self._open_for_write(self._index_path) as file:
            file.write(self._dump((self._version, self._source_stamp, overloads)))

    def _load_data(self, name: str) -> Any:
        return self._opened(Path(self._data_path(name)))

    def _dump(self, obj: Any) -> bytes:
        data: bytes = super()._dump(obj)
        return hashlib.sha256(data).digest() + data

    def _opened(self, path: Path) -> Any:
        """What a file holds; None if there is none, or if it was damaged and is now deleted."""
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            return throw_away(path, error)
        if hashlib.sha256(content[SEAL:]).digest() != content[:SEAL]:
            return throw_away(path, "its checksum is wrong")
        try:
            return pickle.loads(content[SEAL:])
        except Exception as error:  # of another version of something below us
            return throw_away(path, error)

    def forget(self, key: Any) -> None:
        """Delete the code of one signature."""
        if name := self._load_index().get(key):
            Path(self._data_path(name)).unlink(missing_ok=True)


def throw_away(path: Path, why: object) -> None:
    """Delete a file that cannot be used, and say so."""
    log.info("compiling again: %s cannot be used (%s)", path, why)
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        log.warning("%s cannot be deleted either: %s", path, error)


class OwnFolderOnly(CompileResultCacheImpl):  # type: ignore[misc]
    """Never beside the sources or in Numba's own folder, which nobody has checked."""

    _locator_classes = (UserProvidedCacheLocator,)


class HealingCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of one function, which never ends a run."""

    _impl_class = OwnFolderOnly

    def __init__(self, function: Any, prepare: Callable[[Any], None]) -> None:
        super().__init__(function)
        self._prepare = prepare
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file: Any = SealedFiles(self._cache_path, self._impl.filename_base, stamp)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code; None if it must be compiled, for which all is then prepared."""
        found = self._loaded(sig, target_context)
        if found is None:
            self._prepare(self._py_func)
        return found

    def _loaded(self, sig: Any, target_context: Any) -> Any:
        """Numba's own way first imports what its compiler may need, half a second; loading needs its runtime alone."""
        try:
            rtsys.initialize(target_context)
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)
        except Exception as error:
            log.info("compiling again: %s cannot be loaded (%s)", self._name, error)
            try:
                self._cache_file.forget(self._index_key(sig, target_context.codegen()))
            except Exception as again:
                log.warning("%s cannot be deleted either: %s", self._cache_path, again)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the compiled code if the disk takes it."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            log.warning("compiled code cannot be kept in %s, so the next start compiles again: %s",
                        self._cache_path, error.strerror or error)  # fmt: skip


def healing_cache(function: Any, folder: Path | None, prepare: Callable[[Any], None]) -> Any:
    """The cache of a function in this folder; None where nothing can be kept.

    `prepare` is called with the function before it is compiled: at once, or when its code is not found on disk.
    """
    if folder is None:
        prepare(function)
        return None
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        return HealingCache(function, prepare)
    except (OSError, RuntimeError) as error:  # Numba's: cannot cache
        prepare(function)
        warnings.warn(f"compiled code of {function.__name__} is not kept: {error}", stacklevel=2)
        return None
    finally:
        numba.config.CACHE_DIR = before
