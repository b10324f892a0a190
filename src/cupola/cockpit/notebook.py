"""The page of the cockpit inside a notebook: a world that flies, or a recording, in a frame below the cell."""

import secrets
import threading
from contextlib import AbstractContextManager, ExitStack
from html import escape
from pathlib import Path
from typing import Any

from cupola.cockpit.built_page import find_page
from cupola.cockpit.link import Link
from cupola.cockpit.opening import flying, replaying
from cupola.cockpit.runner import Runner
from cupola.config.scenario import shipped_scenarios
from cupola.sim.world import World, load


class View:
    """A page that lives until it is closed; shown as the last value of a cell, it is a frame."""

    def __init__(self, height: int, what: str) -> None:
        self.height: int = height
        self._what = what
        self._opened = ExitStack()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self.link: Link = Link(find_page(), token=secrets.token_urlsafe(16), framed=True)

    @property
    def url(self) -> str:
        """Address of the page, for a browser of this machine."""
        return self.link.url

    def _start(self, opening: AbstractContextManager[Runner], before: Any = None, after: Any = None) -> None:
        runner = self._opened.enter_context(opening)

        def turn() -> None:
            if before is not None:
                before()
            try:
                while not self._ended.is_set() and self.link.is_open:
                    runner.turn()
            finally:
                self._opened.close()
                if after is not None:
                    after()

        self._thread = threading.Thread(target=turn, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the page; the world stays where it is."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
        self._opened.close()

    def _repr_html_(self) -> str:
        style = f"width: 100%; height: {self.height}px; border: 0"
        return f'<iframe src="{escape(self.url)}" style="{style}" title="{escape(self._what)}"></iframe>'

    def __repr__(self) -> str:
        return f"{self._what}: {self.url}"


def view_world(world: World, *, height: int = 600, speed: float | None = 1.0, paused: bool = False) -> View:
    """The world on a page, which runs it until the view is closed."""
    view = View(height, world.name)
    show = flying(world, view.link, load=load, scenarios=shipped_scenarios(), speed=speed, paused=paused)
    view._start(show, world.one_thread.give_to_this, world.one_thread.take_back)
    return view


def view_recording(path: Path, *, height: int = 600, speed: float | None = 1.0) -> View:
    """A recording on a page."""
    view = View(height, path.name)
    view._start(replaying(path, view.link, speed=speed))
    return view
