"""A part whose behaviour is written as functions: what its file may say, and how that becomes numbers of its row."""

from typing import Any, ClassVar

from pydantic import Field, PrivateAttr

from cupola.kernel.records import size
from cupola.parts.binding import BindContext, Row
from cupola.parts.functions.evaluate import WIDTH
from cupola.parts.functions.program import Functions, Program, build, check
from cupola.parts.functions.quantities import AngleRates
from cupola.parts.functions.table import Table
from cupola.parts.part import Part
from cupola.parts.shown import Signal
from cupola.physics.flight_data import FlightData

QUANTITIES = FlightData._fields
RATES = {"alpha_rate", "beta_rate"}
OVER_GROUND = {"roll", "pitch", "heading", "climb_rate", "ground_speed", "track"}
LEFT = AngleRates._fields.index("left")
COLUMNS = (
    "block", "block_size", "code", "count", "result", "roots", "root_count", "shown", "shown_count", "rated",
    "over_ground",
)  # fmt: skip
"""Columns of a row: where the program lies among the constants, and in it the list of registers asked for."""


class FunctionPart(Part):
    """Tables, constants and values that its expressions name."""

    tables: dict[str, Table] = Field({}, description="tables, used by name or called as a function")
    constants: dict[str, float] = Field({}, description="numbers by name, which can be tuned")
    values: dict[str, str] = Field({}, description="expressions by name, in any order")
    show: dict[str, str] = Field({}, description="values to record, and their units")

    Index: ClassVar[dict[str, str]] = dict.fromkeys(COLUMNS, "i8")
    _built: tuple[Any, Program] | None = PrivateAttr(None)

    def roots(self) -> dict[str, str]:
        """The expressions that its kernels ask for, in their order; the names stand in messages."""
        return {}

    def own_names(self) -> tuple[str, ...]:
        """Further names that its expressions may use, filled by its kernels: registers behind the quantities."""
        return ()

    def model_post_init(self, context: Any) -> None:
        """Refuse functions that cannot be computed; those with tables in files are checked when they are read."""
        super().model_post_init(context)
        if not any(table.file for table in self.tables.values()):
            self.program(self.tables)

    def program(self, tables: dict[str, Table]) -> Program:
        """Its functions as instructions; built again only when a constant or a table has changed."""
        names = (*QUANTITIES, *self.own_names())
        functions = Functions(names, self.constants, tables, self.values)
        key = dict(self.constants), tables
        if self._built is None or self._built[0] != key:
            check(functions)
            self._built = key, build(functions, {**self.roots(), **{f"show.{name}": name for name in self.show}})
        return self._built[1]

    def used_channels(self) -> tuple[int, ...]:
        """Channels that its expressions read."""
        if any(table.file for table in self.tables.values()):
            return tuple(int(k) for text in self.values.values() for k in _channels_in(text))
        return tuple(int(place.name) for place in self.program(self.tables).places if place.kind == "channel")

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Where its program lies."""
        program = self.program({name: table.read(places.text) for name, table in self.tables.items()})
        block = [*program.block]
        for place in program.places:
            at = program.code + WIDTH * place.instruction + WIDTH - 1
            if place.kind == "channel":
                block[at] = places.channel(int(place.name))
            else:
                block[at] = int(places.model.jnt_qposadr[places.joint(place.name)])
        roots = [program.wanted[name] for name in self.roots()]
        shown = [program.wanted[f"show.{name}"] for name in self.show]
        first, listed = len(places.constants), len(block)
        block += [*roots, *shown]
        places.constants.extend(map(float, block))
        return {
            **super().numbers(places),
            "block": first,
            "block_size": len(block),
            "code": program.code,
            "count": program.lines,
            "result": program.result,
            "roots": listed,
            "root_count": len(roots),
            "shown": listed + len(roots),
            "shown_count": len(shown),
            "rated": bool(RATES & program.used),
            "over_ground": bool(OVER_GROUND & program.used),
        }

    def bind(self, places: BindContext) -> Row:
        """As any part; behind its outputs lie the values that are shown."""
        row = super().bind(places)
        places.output(len(self.show))
        return row

    def notice(self, arrays: Any, row: Row) -> str:
        """Which table was left first, if one was."""
        left = int(arrays.state[int(row["state"]) + LEFT])
        if left == 0 or self._built is None:
            return ""
        name = self._built[1].tables[left - 1]
        what = "holds its last value" if self.tables[name].outside == "hold" else "goes on with its last slope"
        return f"left its table {name!r}, which {what} there; said once"

    def shown(self, row: Row) -> list[Signal]:
        """Its outputs, then the values."""
        first = int(row["output"]) + size(self.group().Output)
        extra = [Signal(name, unit, "outputs", first + k) for k, (name, unit) in enumerate(self.show.items())]
        return [*super().shown(row), *extra]


def _channels_in(text: str) -> list[str]:
    """Numbers of the channels that a text names."""
    return [piece.partition("]")[0] for piece in text.split("channel[")[1:]]
