"""A vehicle folder is there whole or not at all: it is made under a passing name and renamed when it is complete."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cupola.schema.input_files import InputError, reason
from cupola.schema.whole_files import naming, short_name


@contextmanager
def new_folder(target: Path, instead: str = "another --out") -> Iterator[Path]:
    """A folder beside `target` to write into; it gets its name when all went well, and vanishes when not.

    `instead` says what to choose where there is one already.
    """
    if target.exists():
        raise InputError(f"{target} exists already; nothing was written, choose {instead}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        passing = Path(tempfile.mkdtemp(prefix=f".{short_name(target.name)}.", dir=target.parent))
        passing.chmod(0o755)
    except OSError as error:
        raise InputError(f"{target}: cannot be written: {reason(error)}") from None
    try:
        with naming(target):
            yield passing
        if target.exists():  # made by somebody else meanwhile; rename would go over an empty folder
            raise InputError(f"{target} exists already; nothing was written, choose {instead}")
        passing.rename(target)
    except BaseException:
        shutil.rmtree(passing, ignore_errors=True)
        raise
