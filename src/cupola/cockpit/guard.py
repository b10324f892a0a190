"""Access to the server, checked before anything else handles a request.

A page of another site must not reach a server on this machine through the visitor's browser, so the Host must be ours
(else a name that somebody else resolves to 127.0.0.1 would do) and the Origin must be the Host; pictures and scripts,
which are asked for without an Origin, are told by what the browser says of their site. On any other address
than loopback, and wherever a token was asked for, `?token=` must carry it.
"""

import hmac
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

LOOPBACK = ("127.0.0.1", "localhost", "::1")
OPEN = ("/", "/index.html", "/licenses.md")
ASSETS = "/assets/"
"""What needs no token: the page itself, which holds nothing of the run."""
ELSEWHERE = ("cross-site", "same-site")
"""What a browser says of a request that the page of another site or port makes, also where it sends no Origin."""
HEADERS = {
    "content-security-policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}
"""No request leaves the machine, no other page may frame this one, the token stays out of Referer headers."""
FRAMES = "frame-ancestors http://localhost:* http://127.0.0.1:*"
"""Who may frame a page that is shown in a notebook: pages of this machine."""


def headers(framed: bool) -> list[tuple[bytes, bytes]]:
    """What every answer says."""
    policy = HEADERS["content-security-policy"]
    own = {**HEADERS, "content-security-policy": policy.replace("frame-ancestors 'none'", FRAMES) if framed else policy}
    return [(name.encode(), value.encode()) for name, value in own.items()]


class Guard:
    """ASGI middleware: answers 403 to requests without access."""

    def __init__(
        self, app: Any, host: str, token: str | None, refused: Callable[[], None], framed: bool = False
    ) -> None:
        self._said = headers(framed)
        self._app, self._token, self._refused = app, token, refused
        self._local = host in LOOPBACK

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer, or hand on."""
        if scope["type"] == "lifespan" or self._may(scope):
            await self._app(scope, receive, self._with_headers(send) if scope["type"] == "http" else send)
            return
        self._refused()
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await send({"type": "http.response.start", "status": 403, "headers": self._said})
            await send({"type": "http.response.body", "body": b"This address needs the token that was printed."})

    def _with_headers(self, send: Any) -> Any:
        async def said(message: Any) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *self._said]}
            await send(message)

        return said

    def _may(self, scope: Any) -> bool:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get("host", "")
        if self._local and _hostname(host) not in LOOPBACK:
            return False
        origin = headers.get("origin")
        if origin is not None and _netloc(origin) != host:
            return False
        if scope["path"] in OPEN or scope["path"].startswith(ASSETS):
            return True
        if headers.get("sec-fetch-site", "") in ELSEWHERE:
            return False
        if self._token is None:
            return True
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return hmac.compare_digest(given.encode(), self._token.encode())


def _netloc(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _hostname(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None
