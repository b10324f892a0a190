"""What another part says of itself, at a rate: a gripper's acknowledgement, a bottle's gauge, a driver's light."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from cupola.kernel.records import construct, leaves, size
from cupola.parts.binding import BindContext, Row
from cupola.parts.part import Part
from cupola.parts.sensors.sensor import Sensor
from cupola.xmath import Number


class Monitor(Sensor):
    """The outputs of a part of the same vehicle, by their names."""

    kind: Literal["monitor"]
    site: str = "base"
    of: str = Field(description="name of the part, listed before this one")

    Index: ClassVar[dict[str, str]] = {"source": "i8"}
    _watched: Part | None = None

    def watch(self, part: Part) -> None:
        """Know what the outputs are called, without being bound."""
        self._watched = part

    def watched(self) -> Part:
        """Whose outputs it shows."""
        assert self._watched is not None
        return self._watched

    def told_elsewhere(self) -> dict[str, Any]:
        """The kind of part whose outputs it shows."""
        return {"shows": self.watched().kind}

    def learn(self, told: Mapping[str, Any], kinds: Mapping[str, type[Part]]) -> None:
        """Outputs are called as those of any part of that kind."""
        self.watch(kinds[told["shows"]].model_construct(kind=told["shows"]))

    def bind(self, places: BindContext) -> Row:
        """As any sensor, of a part that has its place already."""
        part = places.parts.get(self.of)
        if part is None or _shown(part) is None:
            known = ", ".join(name for name, one in places.parts.items() if _shown(one) is not None) or "none"
            raise ValueError(f"there is no part {self.of!r} with outputs; there are: {known}")
        if part.output_at < 0:
            raise ValueError(f"the part {self.of!r} must be listed before its monitor")
        self.watch(part)
        return super().bind(places)

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Where the outputs of the part begin."""
        return {"source": self.watched().output_at}

    def width(self) -> int:
        """As many as the part shows."""
        return size(_shown(self.watched()))

    def reading(self, s: list[float]) -> Any:
        """What the part shows, by its own names."""
        return construct(_shown(self.watched()), s)

    def sample_names(self) -> tuple[str, ...]:
        """Names of what the part shows."""
        return leaves(_shown(self.watched()))

    @staticmethod
    def measure(p: Number, outputs: Number, sample: Number) -> None:
        """What the part showed last."""
        for i in range(sample.shape[0]):
            sample[i] = outputs[p.source + i]


def _shown(part: Part) -> Any:
    """NamedTuple of what a part shows; None for one that shows nothing."""
    return part.group().Output
