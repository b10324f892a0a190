"""Files that are whole or absent, whenever the program ends, and that never take the place of another unasked.

A file is written without a name (`O_TMPFILE`; elsewhere under a hidden one) and gets its name when it can be read. A
name is taken by linking, which fails where there is one already: two programs in one folder never get the same.
"""

import contextlib
import errno
import io
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LONGEST = 200
"""[bytes] of a wanted name that are in the hidden one."""
OF_DISKS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Errors of a write, which do not say of which file."""
PRIVATE = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class _WritesAll(io.FileIO):
    """A file without a buffer whose `write` writes all of it: the system's own may stop half-way, and say so only by a
    number that most libraries do not look at."""

    def write(self, data: Any) -> int:
        rest = memoryview(data).cast("B")
        total = len(rest)
        while rest:
            rest = rest[super().write(rest) or 0 :]
        return total


class NewFile:
    """A file under way: write to `file`, then `publish` gives it the wanted name, or with `numbered` the next free."""

    def __init__(self, path: Path, *, numbered: bool = False) -> None:
        self.wanted, self.numbered = path, numbered
        self._hidden: Path | None = None
        self._is_special = path.exists() and not path.is_file()  # a device or a pipe: nothing to take the place of
        if self._is_special:
            self.file: BinaryIO = cast(BinaryIO, _WritesAll(path, "wb"))
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        if not numbered and is_being_written(path):
            raise BlockingIOError(11, "another program is writing it", str(path))
        self.file = cast(BinaryIO, _WritesAll(self._open(), "wb"))
        lock(self.file)

    def _open(self) -> int:
        folder = self.wanted.parent
        if hasattr(os, "O_TMPFILE") and Path("/proc/self/fd").is_dir():
            with contextlib.suppress(OSError):  # not every file system can
                return os.open(folder, os.O_TMPFILE | os.O_WRONLY | PRIVATE, 0o666)
        self._hidden = _hidden_name(self.wanted)
        return os.open(self._hidden, os.O_CREAT | os.O_EXCL | os.O_WRONLY | PRIVATE, 0o666)

    def publish(self) -> Path:
        """Give it its name, which is returned; what has been written until now is then found by others."""
        if self._is_special:
            return self.wanted
        if self.numbered:
            return self._take_free_name()
        hidden = self._hidden or _hidden_name(self.wanted)
        if self._hidden is None:
            self._link(hidden)
        hidden.replace(self.wanted)
        self._hidden = None
        return self.wanted

    def _take_free_name(self) -> Path:
        """The wanted name, or the first of -2, -3, ... that is not in the folder."""
        while True:
            path = free_name(self.wanted)
            with contextlib.suppress(FileExistsError):  # somebody was faster
                self._link(path)
                if self._hidden is not None:
                    self._hidden.unlink()
                    self._hidden = None
                return path

    def _link(self, path: Path) -> None:
        if self._hidden is None:
            number = self.file.fileno()  # with a folder given, though it is not used, Python follows the link
            os.link(f"/proc/self/fd/{number}", path, src_dir_fd=number, follow_symlinks=True)
            return
        try:
            os.link(self._hidden, path)
        except FileExistsError:
            raise
        except OSError:  # a file system without links: the name is taken first, then filled
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            self._hidden.replace(path)
            self._hidden = None

    def discard(self) -> None:
        """Leave nothing behind, unless it has its name already."""
        self.file.close()
        if self._hidden is not None:
            self._hidden.unlink(missing_ok=True)


def free_name(wanted: Path) -> Path:
    """The wanted path, or the first of -2, -3, ... that is not in its folder; flight-1 is followed by flight-2."""
    taken = {path.name for path in wanted.parent.iterdir()}
    if wanted.name not in taken:
        return wanted
    stem = wanted.stem.removesuffix("-1")
    numbered = (wanted.with_name(f"{stem}-{n}{wanted.suffix}") for n in range(2, len(taken) + 3))
    return next(path for path in numbered if path.name not in taken)


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """A disk that fails inside is said with the name of what should have been written."""
    try:
        yield
    except OSError as error:
        if error.errno in OF_DISKS:
            error.filename, error.filename2 = str(path), None
        raise


@contextlib.contextmanager
def whole_file(path: Path, *, numbered: bool = False) -> Iterator["NewFile"]:
    """Write a file that has its name only once the block has ended well; `wanted` is then the name it got."""
    with naming(path):
        new = NewFile(path, numbered=numbered)
        try:
            yield new
            new.wanted = new.publish()
        finally:
            new.discard()


def write_whole(path: Path, data: bytes, *, numbered: bool = False, mode: int | None = None) -> Path:
    """Write a file in one go; returns the name it got. `mode`: its permissions, the usual ones unless given."""
    with whole_file(path, numbered=numbered) as new:
        if mode is not None and hasattr(os, "fchmod"):
            os.fchmod(new.file.fileno(), mode)
        new.file.write(data)
    return new.wanted


@contextlib.contextmanager
def whole_path(path: Path) -> Iterator[Path]:
    """The same for libraries that open files by name: a hidden path to write to, with the ending of the wanted one."""
    hidden = path.with_name(f".{secrets.token_hex(4)}.{short_name(path.stem)}{path.suffix}")
    with naming(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield hidden
            hidden.replace(path)
        finally:
            hidden.unlink(missing_ok=True)


class Written(list[Path]):
    """Files that were written; one of another name is among them where the disk takes both names for one, as `A` and
    `a` on many."""

    def __contains__(self, path: object) -> bool:
        if super().__contains__(path):
            return True
        try:
            about = Path(str(path)).stat()
            return any(os.path.samestat(about, one.stat()) for one in self)
        except OSError:  # not there yet
            return False


def lock(file: BinaryIO) -> None:
    """Let others see that it is being written, until it is closed or its program ends."""
    if fcntl:
        with contextlib.suppress(OSError):  # a network drive that knows no locks
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_being_written(path: Path) -> bool:
    """Whether a program that still runs has the file under way."""
    if not fcntl or not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _hidden_name(path: Path) -> Path:
    return path.with_name(f".{short_name(path.name)}.{secrets.token_hex(4)}")


def short_name(name: str) -> str:
    """As much of a name as leaves room for what is added: file systems take 255 bytes."""
    return name.encode(errors="surrogateescape")[:LONGEST].decode(errors="ignore")
