"""The server, in a process of its own: drawing and talking never slow the physics down. Imports nothing heavy."""

import asyncio
import contextlib
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvicorn
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from cupola.cockpit import messages as say
from cupola.cockpit.built_page import find_pictures
from cupola.cockpit.guard import Guard
from cupola.cockpit.pages import Pages
from cupola.cockpit.uploads import pack_upload
from cupola.cockpit.wires import Channels

LONGEST = 64 * 1024
"""[bytes] of a message of a page."""
PATIENCE = 5.0
"""[s] between two pings, and for the answer."""


class _Server(uvicorn.Server):
    """Ends when the simulation does; a Ctrl-C is the simulation's business."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def application(pages: Pages, page: Path, host: str, token: str | None, framed: bool = False) -> Any:
    """Everything that can be asked of the server."""

    async def scene(request: Request) -> Response:
        return Response(pages.scene, media_type="application/json")

    async def curves(request: Request) -> Response:
        asked = dict(request.query_params)
        asked.pop("token", None)
        signals = [one for one in asked.pop("signals", "").split(",") if one]
        formulas = request.query_params.getlist("formula")
        asked.pop("formula", None)
        try:
            question = say.Curves.model_validate({**asked, "signals": signals, "formulas": formulas})
        except ValidationError as error:
            pages.refuse()
            return Response(f"curves: {error.errors()[0]['msg']}", 400)
        answer = await pages.ask(question)
        return Response(answer or b"", 200 if answer else 503, media_type="application/octet-stream")

    async def derive(request: Request) -> Response:
        try:
            question = say.Derive.model_validate({"formula": request.query_params.get("formula", "")})
        except ValidationError as error:
            pages.refuse()
            return Response(f"derive: {error.errors()[0]['msg']}", 400)
        answer = await pages.ask(question)
        return Response(answer or b"", 200 if answer else 503, media_type="application/json")

    async def flight(request: Request) -> Response:
        form = "page" if request.url.path.endswith(".html") else "data"
        asked = {name: request.query_params[name] for name in ("view", "run") if name in request.query_params}
        try:
            question = say.Share.model_validate({"form": form, **asked})
        except ValidationError as error:
            pages.refuse()
            return Response(f"flight: {error.errors()[0]['msg']}", 400)
        answer = await pages.ask(question)
        headers = {"content-disposition": 'attachment; filename="flight.html"'} if form == "page" else {}
        return Response(answer or b"", 200 if answer else 503, headers, "application/octet-stream")

    async def browse(request: Request) -> Response:
        answer = await pages.ask(say.Browse())
        return Response(answer or b"", 200 if answer else 503, media_type="application/json")

    async def events(request: Request) -> Response:
        answer = await pages.ask(say.AskEvents())
        return Response(answer or b"", 200 if answer else 503, media_type="application/json")

    async def schema(request: Request) -> Response:
        try:
            question = say.Schema.model_validate({"of": request.query_params.get("of", "")})
        except ValidationError as error:
            pages.refuse()
            return Response(f"schema: {error.errors()[0]['msg']}", 400)
        answer = await pages.ask(question)
        return Response(answer or b"", 200 if answer else 503, media_type="application/json")

    drawn = find_pictures()
    routes = [
        Route("/schema.json", schema),
        Route("/gallery.json", browse),
        *([Mount("/gallery", StaticFiles(directory=drawn))] if drawn else []),
        Route("/recording", pack_upload, methods=["POST"]),
        Route("/scene.json", scene),
        Route("/curves", curves),
        Route("/derive", derive),
        Route("/events.json", events),
        Route("/flight.html", flight),
        Route("/flight.data", flight),
        WebSocketRoute("/ws", pages.attend),
        Mount("/", StaticFiles(directory=page, html=True)),
    ]
    return Guard(GZipMiddleware(Starlette(routes=routes), minimum_size=1000), host, token, pages.refuse, framed)


def serve(
    listening: socket.socket, wires: Channels, page: str, host: str, token: str | None, framed: bool = False
) -> None:
    """Serve until the simulation closes its end of the line."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asyncio.run(_serve(listening, wires, Path(page), host, token, framed))


async def _serve(
    listening: socket.socket, wires: Channels, page: Path, host: str, token: str | None, framed: bool
) -> None:
    pages = Pages(wires)
    config = uvicorn.Config(
        application(pages, page, host, token, framed),
        lifespan="off",
        log_level="critical",
        access_log=False,
        server_header=False,
        ws_max_size=LONGEST,
        ws_per_message_deflate=False,
        ws_ping_interval=PATIENCE,
        ws_ping_timeout=PATIENCE,
        timeout_graceful_shutdown=1,
    )
    server, loop = _Server(config), asyncio.get_running_loop()

    async def end() -> None:
        await pages.close()
        server.should_exit = True

    def listen() -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                loop.call_soon_threadsafe(pages.heard, wires.from_simulation.recv())
        with contextlib.suppress(RuntimeError):  # the loop has ended before
            asyncio.run_coroutine_threadsafe(end(), loop)

    threading.Thread(target=listen, daemon=True).start()
    looking = asyncio.create_task(pages.look())
    await server.serve(sockets=[listening])
    looking.cancel()
