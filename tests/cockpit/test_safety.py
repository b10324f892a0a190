"""Who may speak to a cockpit, and what it does with messages that are wrong, too many or too long."""

import contextlib
import json
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from cupola.cockpit.messages import CLOCK

HOSTILE = [
    "",
    "null",
    "[]",
    "{",
    '"sticks"',
    '{"kind": "sticks"}',
    '{"kind": "sticks", "channels": [2]}',
    '{"kind": "sticks", "channels": [NaN]}',
    '{"kind": "sticks", "channels": "all"}',
    '{"kind": "sticks", "vehicle": -1, "channels": [0]}',
    json.dumps({"kind": "sticks", "channels": [0.0] * 21}),
    '{"kind": "tune", "name": "quadcopter.kp", "value": 1e999}',
    '{"kind": "tune", "name": 3, "value": 1}',
    json.dumps({"kind": "load", "scenario": "x" * 1000}),
    '{"kind": "speed", "factor": -1}',
    '{"kind": "speed", "factor": 1e9}',
    '{"kind": "step", "ticks": 1e12}',
    '{"kind": "push", "body": 1, "point_b": [0, 0], "force_w": [0, 0, 0]}',
    '{"kind": "push", "body": 1, "point_b": [0, 0, 0], "force_w": [1e300, 0, 0]}',
    '{"kind": "hand"}',
    '{"kind": "hand", "keys": ["Delete"]}',
    '{"kind": "hand", "keys": ["KeyW\\n"]}',
    '{"kind": "hand", "keys": ["xKeyW"]}',
    json.dumps({"kind": "hand", "keys": ["KeyW"] * 1000}),
    '{"kind": "hand", "keys": [], "pad": [0, 0, 0]}',
    '{"kind": "hand", "keys": [], "pad": [0, 0, 0, 1.5]}',
    '{"kind": "hand", "keys": [], "cursor": [NaN, 0]}',
    '{"kind": "hand", "keys": [], "notches": 1e9}',
    '{"kind": "open_text", "file": "/etc/passwd"}',
    '{"kind": "open_text", "file": -2}',
    '{"kind": "fly_text", "file": -1, "text": ""}',
    json.dumps({"kind": "fly_text", "file": -1, "version": 1, "text": "x" * 40_001}),
    '{"kind": "save_text", "file": -1, "version": 1, "name": "../mine", "text": "a: 1"}',
    '{"kind": "save_text", "file": -1, "version": 1, "name": "mine\\n", "text": "a: 1"}',
    '{"kind": "save_text", "file": -1, "version": 1, "name": ".bashrc", "text": "a: 1"}',
    '{"kind": "eval", "code": "import os"}',
    '{"kind": "pause", "paused": true, "also": 1}',
    "[" * 5000,
    '{"a":' * 500,
    "\ud800".encode("utf-8", "surrogatepass").decode("utf-8", "replace"),
    "x" * 60_000,
]
"""Every one of them is refused before the simulation hears of it."""


def refused(page):
    return page.next_frame()[CLOCK.index("refused")]


@pytest.mark.parametrize("k", range(len(HOSTILE)))
def test_a_wrong_message_is_refused_and_counted(page, k):
    before = refused(page)
    page.socket.send(HOSTILE[k])
    page.until(lambda: page.clock("refused") == before + 1)


@pytest.mark.parametrize(
    "message",
    [
        {"kind": "sticks", "vehicle": 7, "channels": [0.0]},
        {"kind": "push", "body": 9999, "point_b": [0, 0, 0], "force_w": [1, 0, 0]},
        {"kind": "tune", "name": "quadcopter.nothing", "value": 1},
        {"kind": "fault", "part": "quadcopter.wing", "fault": "off", "amount": 1},
        {"kind": "load", "scenario": "/etc/passwd"},
        {"kind": "restore", "index": 999},
        {"kind": "hand", "keys": ["KeyW"]},
    ],
)
def test_what_the_world_does_not_know_is_refused_and_told(page, message):
    before = refused(page)
    page.say(**message)
    page.until(lambda: page.clock("refused") == before + 1)
    page.until(lambda: page.last("notice")["text"])


def test_ten_thousand_hostile_messages(cockpit):
    """No crash, all counted, and the world goes on meanwhile; for how long it halts, `cupola bench` says."""
    command = [sys.executable, "-m", "cupola.bench.pages", "attack", cockpit.url, "10000"]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=90).stdout)
    assert found["counted"] == 10_000
    assert 0.0 < found["halt"] < 1.0


def test_a_message_that_is_too_long_ends_the_connection(cockpit, open_page, page):
    before = refused(page)
    with open_page(cockpit.url) as enemy:
        enemy.socket.send("x" * 100_000)
        page.until(lambda: page.clock("refused") == before + 1)
        page.until(lambda: page.last("role")["pages"] == 1)


def test_bytes_that_are_no_websocket_do_no_harm(cockpit, page):
    for junk in (
        b"\x00" * 1000,
        b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 10_000,
        b"\r\n\r\n",
        b"POST /ws HTTP/1.1\r\n\r\n",
    ):
        with socket.create_connection(("127.0.0.1", cockpit.port), timeout=2) as raw:
            raw.sendall(junk)
    tick = page.next_frame()[2]
    assert page.next_frame()[2] > tick


def test_a_thousand_connections_that_say_nothing_or_nonsense(cockpit, page):
    """Half-open, half-spoken and hostile ones at once: the flight goes on, and a page that comes later is served."""
    said = (b"", b"GET /ws HTTP/1.1\r\nHost: ", b"\x16\x03\x01\x02\x00", b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 500)
    held = []
    try:
        for k in range(1000):
            raw = socket.create_connection(("127.0.0.1", cockpit.port), timeout=10)
            raw.setblocking(False)
            held.append(raw)
            with contextlib.suppress(OSError):  # a full buffer or a refusal is fine
                raw.send(said[k % len(said)])
        tick = page.next_frame()[2]
        page.until(lambda: page.next_frame()[2] > tick + 100)
        request = urllib.request.Request(f"{cockpit.url}scene.json")
        assert json.load(urllib.request.urlopen(request, timeout=30))["vehicles"]
    finally:
        for raw in held:
            raw.close()
    tick = page.next_frame()[2]
    page.until(lambda: page.next_frame()[2] > tick + 100)


@pytest.mark.parametrize("origin", ["http://example.org", "null", "http://127.0.0.1:1"])
def test_a_page_of_another_site_is_turned_away(cockpit, origin):
    with pytest.raises(InvalidStatus, match="403"), connect(f"ws://127.0.0.1:{cockpit.port}/ws", origin=origin):
        pass


def test_a_name_that_others_resolve_to_this_machine_is_turned_away(cockpit):
    request = urllib.request.Request(f"{cockpit.url}scene.json", headers={"Host": "example.org"})
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(request)


def test_the_page_itself_and_an_ssh_tunnel_are_welcome(cockpit):
    for host in (f"127.0.0.1:{cockpit.port}", "localhost:9000"):
        raw = socket.create_connection(("127.0.0.1", cockpit.port))
        with connect(f"ws://{host}/ws", sock=raw, origin=Origin(f"http://{host}"), close_timeout=0.2) as opened:
            assert json.loads(opened.recv())["kind"] == "hello"


def test_another_address_needs_the_token(start_cockpit, open_page):
    cockpit = start_cockpit("fly", "hover", "--host", "0.0.0.0")
    token = cockpit.url.partition("?token=")[2]
    assert len(token) > 20
    here = f"127.0.0.1:{cockpit.port}"
    for wrong in ("", "?token=", "?token=wrong", f"?token={token[:-1]}"):
        with pytest.raises(InvalidStatus, match="403"), connect(f"ws://{here}/ws{wrong}"):
            pass
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(f"http://{here}/scene.json{wrong}")
    with open_page(f"http://{here}/?token={token}") as page:
        assert page.hello["scenario"] == "hover"
    assert json.load(urllib.request.urlopen(f"http://{here}/scene.json?token={token}"))["vehicles"]


def test_too_many_pages_are_turned_away(cockpit, open_page, page):
    from cupola.cockpit.pages import MOST_PAGES

    others = [open_page(cockpit.url) for _ in range(MOST_PAGES - 1)]
    try:
        before = refused(page)
        with connect(f"ws://127.0.0.1:{cockpit.port}/ws") as one_more, pytest.raises(Exception, match="1008"):
            one_more.recv()
        page.until(lambda: page.clock("refused") == before + 1)
    finally:
        for other in others:
            other.close()
