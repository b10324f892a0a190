"""What stands where a part is code that shall not run: it has no kernels, and shows what a recording says of it."""

from typing import Annotated, Any, Literal

from pydantic import Field, PrivateAttr, model_validator

from cupola.parts.binding import Arrow, BindContext, PushedSite, Row
from cupola.parts.part import Part
from cupola.parts.shown import RecordedFields, Signal, named_numbers
from cupola.schema.yaml_files import Entry

MOST = 10_000
"""Signals of one part."""
Array = Literal["outputs", "state"]
Which = Annotated[int, Field(ge=-1, lt=MOST)]


class ShownSignal(Entry):
    """A number that a part showed."""

    name: str
    unit: str
    array: Array


class PushRecord(Entry):
    """A site that it pushed beside its own, and which of its signals are the force; -1: no such component."""

    site: str
    force: tuple[Which, Which, Which]


class PartRecord(Entry):
    """What a recording says of a part that was code."""

    site: str = ""
    channels: tuple[Annotated[int, Field(ge=-1, lt=1000)], ...] = ()
    signals: tuple[ShownSignal, ...] = Field((), max_length=MOST)
    message: str = ""
    fields: dict[str, Annotated[int, Field(ge=0)]] = Field({}, description="which signal fills each field")
    constants: dict[str, str | list[str]] = Field({}, description="fields that are always the same")
    arrow: str = Field("", description="the signal that is drawn as its force")
    acts_at: tuple[float, float, float] = (0.0, 0.0, 0.0)
    pushes: tuple[PushRecord, ...] = ()

    @model_validator(mode="after")
    def _check(self) -> "PartRecord":
        places = [*self.fields.values(), *(k for one in self.pushes for k in one.force)]
        if any(k >= len(self.signals) for k in places):
            raise ValueError(f"names a signal beyond the {len(self.signals)} that there are")
        if any(k >= 0 and self.signals[k].array != "state" for one in self.pushes for k in one.force):
            raise ValueError("pushes with a signal that is no state")
        return self


class StandIn(Part):
    """A part without its code."""

    _record: PartRecord = PrivateAttr(default_factory=PartRecord)
    _pushed: list[PushedSite] = PrivateAttr(default_factory=list)

    @classmethod
    def of(cls, kind: str, record: PartRecord) -> "StandIn":
        """One that shows what a recording says."""
        own = type("StandIn", (cls,), {"arrow": Arrow(record.arrow) if record.arrow else None, "__module__": __name__})
        made: StandIn = own(kind=kind)
        made._record = record
        return made

    @classmethod
    def group(cls) -> type[Part]:
        """All of them share rows, and there are no kernels."""
        return StandIn

    def at_site(self) -> str:
        """Where the part sat."""
        return self._record.site

    def used_channels(self) -> tuple[int, ...]:
        """What it listened to."""
        return self._record.channels

    def acts_at(self) -> tuple[float, float, float]:
        """Where its arrow begins."""
        return self._record.acts_at

    def initial_memory(self) -> list[float]:
        """Room for the signals that were state."""
        return [0.0] * sum(one.array == "state" for one in self._record.signals)

    def bind(self, places: BindContext) -> Row:
        """Its place, and room for what it showed."""
        row = super().bind(places)
        row["output"] = self._output_at = places.output(sum(one.array == "outputs" for one in self._record.signals))
        at = [one.place for one in self.shown(row)]
        self._pushed = [
            PushedSite(places.site(one.site), _three([at[k] if k >= 0 else -1 for k in one.force]))
            for one in self._record.pushes
        ]
        return row

    def shown(self, row: Row) -> list[Signal]:
        """Its signals, as they were called."""
        free = {"outputs": int(row["output"]), "state": int(row["memory"])}
        found = []
        for one in self._record.signals:
            found.append(Signal(one.name, one.unit, one.array, free[one.array]))
            free[one.array] += 1
        return found

    def recorded(self, row: Row) -> RecordedFields | None:
        """The message that it was."""
        shown = self.shown(row)
        if not self._record.message:
            return named_numbers(shown) if shown else None
        fields = {field: (shown[k].array, shown[k].place) for field, k in self._record.fields.items()}
        return RecordedFields(self._record.message, fields, self._record.constants)

    def pushed_sites(self) -> list[PushedSite]:
        """Sites that it pushed."""
        return self._pushed


def record_of(part: Part, row: Row, sites: list[str]) -> PartRecord:
    """What a recording says of a bound part; `sites` are the names of all sites of the world."""
    shown = part.shown(row)
    at = {(one.array, one.place): k for k, one in enumerate(shown)}
    recorded = part.recorded(row)
    arrow = part.arrow or part.group().arrow
    known: dict[str, Any] = {}
    if recorded and set(recorded.fields.values()) <= at.keys():
        fields = {field: at[place] for field, place in recorded.fields.items()}
        known = {"message": recorded.type, "fields": fields, "constants": dict(recorded.constants)}
    pushed = [(one.site, [at.get(("state", k), -1) for k in one.force]) for one in part.pushed_sites()]
    return PartRecord(
        site=part.at_site(),
        channels=part.used_channels(),
        signals=tuple(ShownSignal(name=one.name, unit=one.unit, array=_array(one)) for one in shown),
        arrow=arrow.output if arrow else "",
        acts_at=part.acts_at(),
        pushes=tuple(PushRecord(site=sites[k].rpartition("/")[2], force=_three(force)) for k, force in pushed),
        **known,
    )


def _array(one: Signal) -> Array:
    return "state" if one.array == "state" else "outputs"


def _three(numbers: list[int]) -> tuple[int, int, int]:
    x, y, z = numbers
    return x, y, z
