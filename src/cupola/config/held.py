"""Files of a scenario in memory, as from a recording: nothing is read from the disk."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from cupola.parts.stand_in import PartRecord


class HeldVehicle(NamedTuple):
    """The files of one vehicle."""

    path: Path
    """Original path of its vehicle file, for messages and to find its code."""
    vehicle: str
    """Text of the vehicle file."""
    mjcf: str
    """Text of the MuJoCo model; the files that it names are `assets`."""
    assets: Mapping[str, bytes] = {}
    tables: Mapping[str, str] = {}
    """Texts of tables, by the name in the vehicle file."""
    routes: Mapping[str, str] = {}
    """Texts of routes, by the name in a controller."""
    policies: Mapping[str, bytes] = {}
    """ONNX files of controllers, by their name in a controller and by their full path."""
    parts: Mapping[str, PartRecord] = {}
    """Recorded data of the parts that were code, by name."""

    def table(self, file: str) -> str:
        """The text of a table."""
        if file not in self.tables:
            raise ValueError(f"there is no {file!r}; held are: {', '.join(self.tables) or 'no tables'}")
        return self.tables[file]


class Held(NamedTuple):
    """The files of a scenario."""

    vehicles: tuple[HeldVehicle, ...]
    wind: bytes | None = None
    """Content of the file of the wind field."""
