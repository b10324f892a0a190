"""Every address of the server, whatever is added to it: no other site, no other name of this machine, no lost token."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from starlette.routing import Mount, WebSocketRoute

from cupola.cockpit import server
from cupola.cockpit.guard import OPEN

TOKEN = "open-sesame"
OWN = {"host": "127.0.0.1:8000"}


@pytest.fixture(scope="module")
def answered(tmp_path_factory):
    """The status of an answer, and the addresses that there are."""
    folder = tmp_path_factory.mktemp("page")
    pictures = folder / "pictures"
    pictures.mkdir()
    (folder / "index.html").write_text("<html></html>")
    (folder / "secret.txt").write_text("secret")
    (pictures / "hover.png").write_bytes(b"\x89PNG")
    (pictures / "link.png").symlink_to(folder / "secret.txt")

    async def ask(question):
        return b"{}"

    async def attend(socket):
        await socket.accept()
        await socket.close()

    pages = SimpleNamespace(scene=b"{}", ask=ask, attend=attend, refuse=lambda: None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server, "find_pictures", lambda: pictures)
        applications = {
            token: server.application(pages, folder, "127.0.0.1", token)  # type: ignore[arg-type]
            for token in (None, TOKEN)
        }

    def status(path, headers, *, token=None, query="", kind="http", method="GET"):
        said = []

        begun = {"type": "websocket.connect"} if kind == "websocket" else {"type": "http.request", "body": b""}
        heard = iter([begun])

        async def receive():
            for message in heard:
                return message
            return await asyncio.Event().wait()  # the browser says no more

        async def send(message):
            said.append(message)

        scope = {
            "type": kind, "path": path, "raw_path": path.encode(), "root_path": "", "query_string": query.encode(),
            "headers": [(k.encode(), v.encode()) for k, v in headers.items()], "method": method, "scheme": "http",
            "http_version": "1.1", "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8000), "subprotocols": [],
        }  # fmt: skip
        # In a thread of its own: a browser that other tests drive keeps a loop running in this one.
        with ThreadPoolExecutor(1) as aside:
            aside.submit(asyncio.run, applications[token](scope, receive, send)).result()
        first = said[0]
        return first.get("status", 403 if first["type"] == "websocket.close" else 101)

    starlette = applications[None]._app.app
    return SimpleNamespace(status=status, addresses=[*_addresses(starlette.routes)])


def _addresses(routes):
    for route in routes:
        if isinstance(route, Mount):
            yield f"{route.path}/hover.png", "http", "GET"
        else:
            kind = "websocket" if isinstance(route, WebSocketRoute) else "http"
            yield route.path, kind, next(iter(sorted(getattr(route, "methods", None) or ["GET"])))


def test_there_are_as_many_addresses_as_we_think(answered):
    """So that the walk below cannot be empty."""
    paths = {path for path, _, _ in answered.addresses}
    assert {"/ws", "/recording", "/gallery.json", "/gallery/hover.png", "/schema.json", "/flight.html"} <= paths
    assert len(paths) >= 11


ATTACKS = {
    "a name that others resolve to this machine": {"host": "evil.example:8000"},
    "a name that begins as ours": {"host": "localhost.evil.example:8000"},
    "an address in a name": {"host": "127.0.0.1.evil.example:8000"},
    "no host": {"host": ""},
    "a site that begins as ours": {**OWN, "origin": "http://127.0.0.1:8000.evil.example"},
    "a site with our name before an @": {**OWN, "origin": "http://127.0.0.1:8000@evil.example"},
    "a page of another site": {**OWN, "origin": "http://evil.example"},
    "a file on the disk": {**OWN, "origin": "null"},
    "a page of no address": {**OWN, "origin": "http://[::1"},
    "another port": {**OWN, "origin": "http://127.0.0.1:9000"},
    "a picture on another site": {**OWN, "sec-fetch-site": "cross-site"},
    "a picture on another port": {**OWN, "sec-fetch-site": "same-site"},
}


@pytest.mark.parametrize("headers", ATTACKS.values(), ids=ATTACKS)
def test_no_address_answers_another_site(headers, answered):
    for path, kind, method in answered.addresses:
        assert answered.status(path, headers, kind=kind, method=method) == 403, path
    for path in OPEN if "sec-fetch-site" not in headers else ():  # a link to the page may stand anywhere
        assert answered.status(path, headers) == 403, path


def test_no_address_answers_without_the_token(answered):
    for path, kind, method in answered.addresses:
        given = {"kind": kind, "method": method, "token": TOKEN}
        for query in ("", "token=", "token=wrong", f"token=wrong&token={TOKEN}", f"tokens={TOKEN}"):
            assert answered.status(path, OWN, query=query, **given) == 403, (path, query)


def test_the_page_itself_is_answered(answered):
    """The same walk with nothing wrong, so that the refusals above mean something."""
    own = {**OWN, "origin": "http://127.0.0.1:8000", "sec-fetch-site": "same-origin"}
    for path, kind, method in answered.addresses:
        if path != "/recording":  # would start a process
            for token in (None, TOKEN):
                found = answered.status(path, own, kind=kind, method=method, token=token, query=f"token={TOKEN}")
                assert found in (101, 200, 400, 404), path
    assert answered.status("/", OWN, token=TOKEN) == 200
    assert answered.status("/gallery/hover.png", OWN) == 200


@pytest.mark.parametrize(
    "name",
    ["../secret.txt", "..%2fsecret.txt", "//etc/passwd", "/etc/passwd", "link.png", "..\\secret.txt", ""],
)
def test_pictures_of_the_gallery_lead_nowhere_else(name, answered):
    assert answered.status(f"/gallery/{name}", OWN) == 404
