"""What another part says of itself, at a rate: a gripper's acknowledgement, a bottle's gauge, a driver's light."""

from typing import Any, Literal

from pydantic import Field

from cupola.parts.part import Part, Places, Row
from cupola.parts.sensors.sensor import Message, Sensor


class Monitor(Sensor):
    """The outputs of a part of the same vehicle, by their names."""

    kind: Literal["monitor"]
    site: str = "base"
    of: str = Field(description="name of the part, listed before this one")

    _watched: Part | None = None

    def watch(self, part: Part) -> None:
        """Know what the outputs are called, without being bound."""
        self._watched = part

    def watched(self) -> Part:
        """Whose outputs it shows."""
        assert self._watched is not None
        return self._watched

    def bind(self, places: Places) -> Row:
        """As any sensor; `source` is where the outputs begin."""
        part = places.parts.get(self.of)
        if part is None or part.Output is None:
            known = ", ".join(name for name, one in places.parts.items() if one.Output is not None) or "none"
            raise ValueError(f"there is no part {self.of!r} that shows anything; there are: {known}")
        if part.output_at < 0:
            raise ValueError(f"the part {self.of!r} must be listed before its monitor")
        self.watch(part)
        row = super().bind(places)
        row["source"] = part.output_at
        return row

    def width(self) -> int:
        """As many as the part shows."""
        return len(self._fields())

    def reading(self, s: list[float]) -> Any:
        """What the part shows, by its own names."""
        return self.watched().Output(*s)

    def messages(self, frame: str) -> tuple[Message, ...]:
        """Named numbers."""
        names = self._fields()
        fields = {f"value.{k}": k for k in range(len(names))}
        return (Message("cupola_msgs/msg/Numbers", fields, {"header.frame_id": frame, "name": list(names)}),)

    def _fields(self) -> tuple[str, ...]:
        return tuple(self.watched().Output._fields)
