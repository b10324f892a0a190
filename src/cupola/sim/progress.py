"""A progress bar below the cell of a notebook, for runs that take a while; elsewhere there is none."""

import sys
import time
import uuid
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from html import escape
from typing import Any

PATIENCE = 1.0
"""[s] before a bar appears: what is done sooner needs none."""
EVERY = 0.25
"""[s] between two pictures of it, at least."""


class NotebookBar:
    """Called with the simulated time, it shows progress and remaining time."""

    def __init__(self, publish: Callable[..., None], title: str, first: float, last: float) -> None:
        self._publish, self._title, self._first, self._last = publish, title, first, last
        self._begun = self._shown = time.monotonic()
        self._name = uuid.uuid4().hex
        self._visible, self._now = False, first

    def __enter__(self) -> "NotebookBar":
        return self

    def __call__(self, now: float) -> None:
        """The run is at `now` [s]."""
        self._now, moment = now, time.monotonic()
        if moment - self._shown >= (EVERY if self._visible else PATIENCE):
            self._show(moment)

    def __exit__(self, *_: object) -> None:
        if self._visible:
            self._show(time.monotonic())

    def _show(self, moment: float) -> None:
        """A picture in plain HTML, which needs no widgets and stays in the file of the notebook."""
        passed, share = moment - self._begun, (self._now - self._first) / max(self._last - self._first, 1e-30)
        left = f", {passed / share - passed:.0f} s left" if 0.0 < share < 1.0 else ""
        text = f"{self._title}: {self._now:.1f} of {self._last:.1f} s, {passed:.0f} s passed{left}"
        bar = f'<progress style="width: 20em" max="1" value="{share:.4f}"></progress> {escape(text)}'
        data = {"text/plain": text, "text/html": bar}
        self._publish(data=data, metadata={}, transient={"display_id": self._name}, update=self._visible)
        self._visible, self._shown = True, moment


def bar_of(title: str, first: float, last: float) -> AbstractContextManager[Callable[[float], None] | None]:
    """A bar if this program is the kernel of a notebook; else nothing."""
    ipython: Any = sys.modules.get("IPython")
    shell: Any = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    if getattr(shell, "kernel", None) is None:  # a terminal has no kernel
        return nullcontext(None)
    return NotebookBar(shell.display_pub.publish, title, first, last)
