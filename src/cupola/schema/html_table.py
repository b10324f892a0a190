"""A small table for a notebook."""

from collections.abc import Iterable, Sequence
from html import escape


def html_table(title: str, head: Sequence[str], rows: Iterable[Sequence[object]], note: str = "") -> str:
    """A title, a table with a head, and a note below it; everything escaped."""

    def row(cells: Iterable[object], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag} style='text-align: left'>{escape(str(c))}</{tag}>" for c in cells) + "</tr>"

    body = "".join(row(cells, "td") for cells in rows)
    below = f"<p>{escape(note)}</p>" if note else ""
    return (
        f"<div><b>{escape(title)}</b><table><thead>{row(head, 'th')}</thead><tbody>{body}</tbody></table>{below}</div>"
    )
