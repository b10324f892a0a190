"""What pages ask over HTTP, so that each gets its own answer. The server counts the questions."""

from typing import Annotated, Literal

from pydantic import Field

from cupola.cockpit.messages.base import Finite, Formula, Message


class Curves(Message):
    """Some signals between two times [s]."""

    kind: Literal["curves"] = "curves"
    number: int = 0
    signals: Annotated[list[Annotated[int, Field(ge=0)]], Field(max_length=64)]
    """Rows of section `signals`."""
    since: Finite
    until: Finite
    points: Annotated[int, Field(ge=0, le=20_000)] = 0
    """Most rows in the answer; 0: all that there are."""
    thin: Literal["extremes", "rows"] = "extremes"
    """Where there are more: least and greatest values of stretches of time, or every so many rows as they are."""
    formulas: Annotated[list[Formula], Field(max_length=16)] = Field(default_factory=list)
    """Expressions on the signals, one curve each after those of the signals."""


class Derive(Message):
    """What an expression on the signals gives."""

    kind: Literal["derive"] = "derive"
    number: int = 0
    formula: Formula


class Share(Message):
    """The whole flight as one file."""

    kind: Literal["share"] = "share"
    number: int = 0
    form: Literal["page", "data"] = "page"
    """A page that opens from a disk, or what it would hold."""
    view: Annotated[str, Field(max_length=4000)] = ""
    """Address (what follows #) to begin with."""
    run: Annotated[int, Field(ge=0)] = 0
    """One that is over, by its number; 0: the present one."""


class Browse(Message):
    """All that can be loaded."""

    kind: Literal["browse"] = "browse"
    number: int = 0


class AskEvents(Message):
    """What has happened in the run; the answer is `RunEvents`."""

    kind: Literal["events"] = "events"
    number: int = 0


class Schema(Message):
    """JSON Schema of a kind of file."""

    kind: Literal["schema"] = "schema"
    number: int = 0
    of: Literal["scenario", "vehicle"]
