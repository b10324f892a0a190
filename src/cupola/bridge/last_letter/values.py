"""The numbers of a YAML file by their path, and which of them nobody has asked for."""

from pathlib import Path
from typing import Any

from cupola.schema.input_files import InputError, finite, read_text
from cupola.schema.validation_messages import short
from cupola.schema.yaml_files import LARGEST, parse_plain

MOST = 100
"""Wings or motors of one vehicle."""
Lost = tuple[str, str]
"""What was not carried over, and why."""


class Values:
    """Parameters as Last_letter_2 has them on its server: `airfoil1/c_lift_0`. Asking for one takes it."""

    def __init__(self, path: Path, prefix: str = "") -> None:
        self.path = path
        if not path.is_file():
            files = (
                ", ".join(sorted(f.name for f in path.parent.glob("*"))) if path.parent.is_dir() else "no such folder"
            )
            raise InputError(f"{path}: no such file; a model folder of Last_letter_2 has it; here: {files}")
        text = read_text(path, LARGEST)
        content = parse_plain(text, str(path)) if _says_anything(text) else {}
        self._left = {key.removeprefix(f"{prefix}/"): value for key, value in _flat(content, "").items()}

    def has(self, *names: str) -> str | None:
        """The first of the names that is there."""
        return next((name for name in names if name in self._left), None)

    def take(self, *names: str, default: Any = None) -> Any:
        """Value under the first of the names that is there."""
        name = self.has(*names)
        if name is None:
            if default is None:
                raise InputError(
                    f"{self.path}: there is no {names[0]!r}; there is: {', '.join(self._left) or 'nothing'}"
                )
            return default
        return self._left.pop(name)

    def number(self, *names: str, default: float | None = None) -> float:
        """A finite number."""
        value = self.take(*names, default=default)
        found = _number(value)
        if found is None:
            raise InputError(f"{self.path}: {names[0]}: expected a number, got {short(repr(value))}")
        return found

    def integer(self, *names: str, default: int | None = None) -> int:
        """A whole number, which may be written 1.0."""
        value = self.number(*names, default=default)
        if value != int(value):
            raise InputError(f"{self.path}: {names[0]}: expected a whole number, got {value:g}")
        return int(value)

    def count(self, name: str) -> int:
        """How many there are of something, 0 unless it is said."""
        found = self.integer(name, default=0)
        if not 0 <= found <= MOST:
            raise InputError(f"{self.path}: {name}: expected 0 to {MOST}, got {found}")
        return found

    def numbers(self, *names: str, count: int | None = None, default: list[float] | None = None) -> list[float]:
        """A list of numbers."""
        value = self.take(*names, default=default)
        found = [number for item in value if (number := _number(item)) is not None] if isinstance(value, list) else []
        if not isinstance(value, list) or len(found) != len(value):
            raise InputError(f"{self.path}: {names[0]}: expected a list of numbers, got {short(repr(value))}")
        if count is not None and len(found) != count:
            raise InputError(f"{self.path}: {names[0]}: expected {count} numbers, got {len(found)}")
        return found

    def left(self, reason: str) -> list[Lost]:
        """What nobody took."""
        return [(f"{self.path.name}: {name} = {short(str(value))}", reason) for name, value in self._left.items()]


def _number(value: Any) -> float | None:
    """A finite number, which may stand in quotes."""
    if isinstance(value, str):
        return finite(value)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _says_anything(text: str) -> bool:
    """Whether there is more than comments; a file may hold nothing where all has a default."""
    return any(line.strip() and not line.lstrip().startswith(("#", "---")) for line in text.splitlines())


def _flat(content: dict[Any, Any], prefix: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in content.items():
        path = f"{prefix}{str(key).strip('/')}"
        found |= _flat(value, f"{path}/") if isinstance(value, dict) else {path: value}
    return found
