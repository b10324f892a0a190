"""A folder that only the user can write to: its contents are executed."""

import atexit
import functools
import logging
import os
import shutil
import stat
import tempfile
from pathlib import Path

log = logging.getLogger("cupola")
ROOT = 0
HAS_OWNERS = hasattr(os, "getuid")
"""Windows keeps other people out of a user's folders by itself."""
CONTENT = "compiled"


@functools.cache
def private_base() -> Path | None:
    """`$CUPOLA_CACHE`, else the user's cache folder, else a temporary one; None where nothing can be written.

    Needs neither a home nor an entry among the users of the machine. What is not private is said and not used.
    """
    refused: list[str] = []
    for find in (_usual, _temporary, _of_this_process):
        try:
            folder = find()
        except (OSError, RuntimeError) as error:  # Path says RuntimeError where there is no home
            refused.append(str(error))
            continue
        if refused:
            how = "for this run only" if find is _of_this_process else f"in {folder}"
            log.warning("compiled code is kept %s: %s; CUPOLA_CACHE may name a folder of yours", how, refused[0])
        return folder
    log.warning("compiled code is not kept, so every start compiles again: %s", "; ".join(dict.fromkeys(refused)))
    return None


def _usual() -> Path:
    if given := os.environ.get("CUPOLA_CACHE"):
        return make_private(Path(given))
    said = Path(os.environ.get("XDG_CACHE_HOME") or "")
    return make_private((said if said.is_absolute() else Path.home() / ".cache") / "cupola")


def _temporary() -> Path:
    """One that the next run finds again."""
    user = os.getuid() if HAS_OWNERS else os.environ.get("USERNAME", "user")
    return make_private(Path(tempfile.gettempdir()) / f"cupola-{user}")


def _of_this_process() -> Path:
    folder = tempfile.mkdtemp(prefix="cupola-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def make_private(wanted: Path) -> Path:
    """The folder, made if it is not there; OSError if somebody else could write into it or put another in its place."""
    folder = wanted.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    if HAS_OWNERS:
        for place in folder.parents:
            _check_above(place)
        _take(folder)
    with tempfile.TemporaryFile(dir=folder):
        return folder


def _check_above(place: Path) -> None:
    """Who may write into a folder may swap what is in it; a sticky one, as /tmp, lets nobody do so."""
    about = place.stat()
    mode = stat.S_IMODE(about.st_mode)
    if about.st_uid not in (os.getuid(), ROOT):
        raise OSError(f"{place} belongs to the user {about.st_uid}")
    if mode & stat.S_ISVTX:
        return
    if mode & stat.S_IWOTH:
        raise OSError(f"everybody may write into {place} (mode {mode:04o})")
    if mode & stat.S_IWGRP and about.st_gid not in (ROOT, os.getgid()):
        raise OSError(f"the group {about.st_gid} may write into {place} (mode {mode:04o})")


def _take(folder: Path) -> None:
    """Close it to others; what they could have written is thrown away."""
    about = folder.lstat()
    if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.getuid():
        raise OSError(f"{folder} belongs to the user {about.st_uid}")
    if about.st_mode & 0o077:
        folder.chmod(0o700)
    content = folder / CONTENT
    if about.st_mode & 0o022 and os.path.lexists(content):
        shutil.rmtree(content)  # raises OSError for a link
