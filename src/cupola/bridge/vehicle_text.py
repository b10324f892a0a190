"""Vehicle files as an import writes them: one key per line, lists of numbers on as few lines as they need."""

from pathlib import Path
from typing import Any

import mujoco
import yaml

from cupola.schema.yaml_files import InputError


def check_mjcf(text: str, source: Path) -> None:
    """Refuse a model that MuJoCo refuses, in its words."""
    try:
        mujoco.MjModel.from_xml_string(text)
    except ValueError as error:
        raise InputError(f"{source}: MuJoCo refuses the model: {' '.join(str(error).split())}") from None


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:
        """Values that stand twice are written twice: no anchors."""
        return True


_Dumper.add_representer(list, lambda dumper, data: dumper.represent_sequence("tag:yaml.org,2002:seq", data, True))


def vehicle_text(vehicle: dict[str, Any]) -> str:
    """Content of a vehicle.yaml."""
    return yaml.dump(vehicle, Dumper=_Dumper, sort_keys=False, width=115, default_flow_style=False, allow_unicode=True)
