"""Recordings that are dropped on a page: never more than the machine bears, and each failure is one sentence."""

import asyncio
import errno
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from starlette.requests import Request

from cupola.cockpit import uploads


def answers(*bodies):
    """Status and text of the answers to uploads that come at the same time. A body is a list of pieces, and with None
    in it nothing more ever comes."""

    def request(pieces):
        rest = iter(pieces)

        async def receive():
            piece = next(rest, b"")
            if piece is None:
                await asyncio.Event().wait()
            return {"type": "http.request", "body": piece, "more_body": piece != b""}

        return Request({"type": "http", "method": "POST", "headers": []}, receive)

    async def ask():
        return await asyncio.gather(*(uploads.pack_upload(request(pieces)) for pieces in bodies))

    with ThreadPoolExecutor(1) as aside:  # browsers of other tests keep a loop running in this thread
        found = aside.submit(asyncio.run, ask()).result()
    return [(one.status_code, bytes(one.body).decode()) for one in found]


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield
    assert list(tmp_path.iterdir()) == [], "something was left"


def test_only_a_few_are_received_at_once_and_none_waits_for_ever(monkeypatch):
    monkeypatch.setattr(uploads, "PATIENCE", 0.2)
    found = answers(*[[b"half", None]] * 20)
    assert [status for status, _ in found].count(408) == uploads.AT_ONCE
    assert [status for status, _ in found].count(503) == 20 - uploads.AT_ONCE
    assert {text for status, text in found if status == 408} == {"Sending it took more than 0.2 s."}
    assert answers([b"half", None])[0][0] == 408, "the places are free again"


def test_a_disk_that_is_full_is_one_sentence(monkeypatch, tmp_path):
    class Full:
        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def write(self, _):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "open", lambda *_: Full())
    assert answers([b"much"]) == [(507, f"There is no place for it in {tmp_path}: No space left on device.")]


def test_one_that_is_too_long_ends_there(monkeypatch):
    monkeypatch.setattr(uploads, "LARGEST", 1_000_000)
    [(status, text)] = answers([b"x" * 400_000] * 10)
    assert status == 413 and text.startswith("A recording may have 1 MB")


def test_what_is_no_recording_is_refused_by_a_process_that_ends():
    [(status, text)] = answers([b"PK\3\4 a zip that calls itself ../../etc/passwd"])
    assert status == 422 and "it" in text and "Traceback" not in text


def test_a_reader_that_does_not_end_is_ended(monkeypatch, tmp_path):
    monkeypatch.setattr(uploads, "PATIENCE", 0.5)
    sleeper = tmp_path.parent / "sleeper"
    sleeper.write_text("#!/bin/sh\nexec sleep 600\n")
    sleeper.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(sleeper))
    assert answers([b"slow"]) == [(422, "Reading it took more than 0.5 s.")]
