"""Which signals of controllers are set-points, and which signal is to follow each of them."""

from collections.abc import Iterable, Mapping

from cupola.sim.signals import REPORTS

OTHER_NAMES = {
    "height": "position.z",
    "climb": "velocity.z",
    "bank": "attitude.roll",
    "roll": "attitude.roll",
    "pitch": "attitude.pitch",
    "yaw": "attitude.yaw",
}
"""What controllers call a number of the motion."""


def setpoints(units: Mapping[str, str], modes: Iterable[str] = ("assisted", "raw")) -> dict[str, str]:
    """By the name of a set-point the name of what follows it, which has the same unit."""
    found = {}
    for name, unit in units.items():
        vehicle, _, rest = name.partition(f".{REPORTS}.")
        if not rest:
            continue
        mode, _, inside = rest.partition(".")
        wanted = inside if mode in modes and inside else rest
        actual = next(
            (
                f"{vehicle}.{one}"
                for one in (wanted, OTHER_NAMES.get(wanted, ""))
                if units.get(f"{vehicle}.{one}") == unit
            ),
            "",
        )
        if actual:
            found[name] = actual
    return found
