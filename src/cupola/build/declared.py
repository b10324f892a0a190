"""What a kind of part declares by name must be there: one of a user's own is told so before it is compiled."""

from cupola.kernel.records import leaves
from cupola.parts.part import Part


def check_declared(part: Part) -> None:
    """Refuse names of states, outputs and numbers that a part does not have."""
    kind = part.group()
    state, shown, given = leaves(kind.State), leaves(kind.Output), tuple(type(part).model_fields)
    for what, names, known in (
        ("settles", part.settles, state),
        ("switches", part.switches, state),
        ("events", part.events, (*shown, *state)),
        ("noise_fields", getattr(part, "noise_fields", ()), given),
    ):
        for name in names:
            if name not in known:
                there = ", ".join(known) or "none"
                raise ValueError(f"{type(part).__name__}: {what} names {name!r}, which it has not; there are: {there}")
