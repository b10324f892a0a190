"""Which code of users may run: files that the user named, and files in folders that the user trusts.

A scenario, a vehicle or a recording is data and may come from a stranger; a controller, a part, a library or an FMU
that it names is code. Every load of code asks a `Trust` first, and what it does not allow is refused in one sentence.
"""

import contextlib
import functools
import logging
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from cupola.schema.hostile_text import printable
from cupola.schema.whole_files import write_whole
from cupola.schema.yaml_files import InputError

PACKAGE = Path(__file__).resolve().parents[1]
"""What ships is trusted."""
REMEMBERED = "trusted_folders"
"""File in the user's configuration folder: one folder per line."""
LARGEST = 1 << 20
"""[bytes] of it."""
ROOT = 0
log = logging.getLogger("cupola")


class Code(NamedTuple):
    """Code that a file names."""

    file: Path
    written: str
    """As the file names it: `mine.py:Mine`, `wing.so`."""
    source: str
    """Who names it: file and key."""

    @property
    def where(self) -> Path:
        """The file itself, links followed."""
        return self.file.resolve()


class UntrustedError(InputError):
    """Something would run code that the user has not allowed."""


class Trust:
    """What may run. `everything`: whatever the files name; `leaves_out`: nothing runs, others stand in for code."""

    def __init__(self, *, named: Iterable[Path] = (), everything: bool = False, leaves_out: bool = False) -> None:
        self.leaves_out = leaves_out
        self._everything = everything and not leaves_out
        self._named = {path.resolve() for path in named}
        self._folders = trusted_folders()

    def naming(self, files: Iterable[Path]) -> "Trust":
        """The same, and these files, which the user named."""
        more = Trust(named=[*self._named, *files], everything=self._everything, leaves_out=self.leaves_out)
        more._folders = self._folders
        return more

    def allows(self, code: Code) -> bool:
        """Whether this may run. A link leads where it leads: a trusted folder does not vouch for what lies outside."""
        if self.leaves_out:
            return False
        file = code.where
        inside = (file.is_relative_to(folder) for folder in (PACKAGE, *self._folders))
        return self._everything or file in self._named or any(inside)

    def demand(self, codes: Iterable[Code]) -> None:
        """Refuse what may not run."""
        wanted = [code for code in codes if not self.allows(code)]
        if not wanted:
            return
        listed = printable("; ".join(f"{code.where} ({code.source}: {code.written})" for code in wanted))
        raise UntrustedError(
            f"this would run code that you have not allowed: {listed}. If you know what it does, trust its folder: "
            "--trust on the command line, once, or trust=True in Python"
        )


def as_trust(given: "bool | Trust") -> Trust:
    """The caller's choice in Python: True trusts all code that the files name."""
    return given if isinstance(given, Trust) else Trust(everything=given)


def file_of(reference: str, folder: Path) -> Path:
    """The file of `file.py:Class`, looked up from `folder`."""
    where, _, _ = reference.rpartition(":")
    return folder / where


def config_folder() -> Path | None:
    """`$CUPOLA_CONFIG`, else the user's configuration folder; None for a user who has none."""
    if own := os.environ.get("CUPOLA_CONFIG"):
        return Path(own)
    base = os.environ.get("APPDATA") if os.name == "nt" else os.environ.get("XDG_CONFIG_HOME")
    try:
        return Path(base or Path.home() / ".config") / "cupola"
    except RuntimeError:  # no HOME and no entry for this user
        return None


def trusted_folders() -> list[Path]:
    """Folders whose code may run, from the list of trusted folders."""
    folder = config_folder()
    if folder is None:
        return []
    try:
        # A pipe in its place is not waited for.
        with os.fdopen(os.open(folder / REMEMBERED, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            _check_owner(file.fileno())
            lines = file.read(LARGEST).decode().split("\n")  # names of folders may hold other ends of lines
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        _warn_once(f"no folder is trusted, because {folder / REMEMBERED} cannot be used: {error}")
        return []
    return [Path(line) for line in lines if Path(line).is_absolute()]


@functools.cache
def _warn_once(text: str) -> None:
    log.warning("%s", text)


def _check_owner(number: int) -> None:
    """What others could have written into an open file says nothing of what the user trusts."""
    about = os.fstat(number)
    if not stat.S_ISREG(about.st_mode):
        raise OSError("it is not a regular file")
    if hasattr(os, "getuid") and about.st_uid not in (os.getuid(), ROOT):
        raise OSError(f"it belongs to the user {about.st_uid}")
    if os.name != "nt" and about.st_mode & stat.S_IWOTH:
        raise OSError(f"everybody may write it (mode {stat.S_IMODE(about.st_mode):04o})")


def remember(folders: Iterable[Path]) -> list[Path]:
    """Trust folders from now on; returns those that could not be stored."""
    known, home, lost = trusted_folders(), config_folder(), []
    for folder in dict.fromkeys(path.resolve() for path in folders):
        if folder in known:
            continue
        if home is None or _is_wide(folder) or "\n" in str(folder):
            lost.append(folder)
            continue
        try:
            home.mkdir(parents=True, exist_ok=True, mode=0o700)
            text = "".join(f"{one}\n" for one in (*known, folder))
            # Whole or not at all: half of a path is the path of a folder that holds more.
            write_whole((home / REMEMBERED).resolve(), text.encode(), mode=0o600)
            known.append(folder)
        except (OSError, UnicodeEncodeError):  # a name that is no text
            lost.append(folder)
    return lost


def _is_wide(folder: Path) -> bool:
    """Whether a folder holds everything that a user has: whatever comes in later would be trusted, too."""
    with contextlib.suppress(RuntimeError):
        return Path.home().resolve().is_relative_to(folder)
    return folder == Path(folder.anchor)
