"""What a result depends on besides scenario and seed: the versions of the software that made it."""

import functools
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path

from cupola import __version__

NUMERICS = ("mujoco", "numba", "numpy")
"""Packages whose version can change a digit."""


@functools.cache
def provenance() -> dict[str, str]:
    """Versions of Cupola, Python and the numerical packages as this process loaded them, and the git commit, if any."""
    versions = {"cupola": __version__, "python": platform.python_version(), "machine": platform.platform()}
    return {**versions, **{name: version(name) for name in NUMERICS}, "git_commit": git_commit()}


def git_commit() -> str:
    """Commit of the checkout this file is tracked in, "-dirty" if changed since; empty for an installed package."""
    here = Path(__file__)
    try:
        # an installed copy may lie inside somebody else's checkout: only a tracked file counts
        subprocess.run(_git(here, "ls-files", "--error-unmatch", here.name), check=True, capture_output=True)
        described = _git(here, "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*")
        return subprocess.run(described, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def _git(here: Path, *command: str) -> list[str]:
    return ["git", "-C", str(here.parent), *command]
