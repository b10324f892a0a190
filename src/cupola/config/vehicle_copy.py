"""A copy of a shipped vehicle with all its files, as a starting point for another."""

import re
from pathlib import Path


def files_of_copy(home: Path, text: str | None = None) -> dict[str, bytes]:
    """The files of the vehicle in the folder `home`, by name; `text`: another one of its vehicle.yaml."""
    sources = {path.name: path for path in sorted(home.iterdir()) if path.is_file()}
    if text is None:
        text = sources["vehicle.yaml"].read_text(encoding="utf-8")
    for found in sorted(set(re.findall(r"\.\./[\w./-]+", text))):  # files of another vehicle come along
        beside = (home / found).resolve()
        sources[beside.name] = beside
        text = text.replace(found, beside.name)
    return {file: source.read_bytes() for file, source in sources.items()} | {"vehicle.yaml": text.encode()}
