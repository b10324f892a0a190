"""A recording that was dropped on a page, as a flight to compare: read in a process of its own."""

import asyncio
import sys
import tempfile
from pathlib import Path

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

LARGEST = 500_000_000
"""[bytes] of a recording."""
PATIENCE = 300.0
"""[s] for sending it, and for reading it."""
LAST_LINE = 500
"""Characters of what the reader said."""


AT_ONCE = 4
"""Recordings that are received or read at the same time: each takes a file and a process."""
_at_work = 0


async def pack_upload(request: Request) -> Response:
    """The body of a request, a recording, as a packed flight; a sentence when it is none."""
    global _at_work
    if _at_work >= AT_ONCE:
        return PlainTextResponse(f"{AT_ONCE} recordings are being read; try again when they are shown.", 503)
    _at_work += 1
    try:
        with tempfile.TemporaryDirectory(prefix="cupola", ignore_cleanup_errors=True) as folder:
            return await _pack(request, Path(folder) / "dropped.mcap")
    except OSError as error:
        return PlainTextResponse(f"There is no place for it in {tempfile.gettempdir()}: {error.strerror}.", 507)
    finally:
        _at_work -= 1


async def _pack(request: Request, path: Path) -> Response:
    try:
        if not await asyncio.wait_for(_receive(request, path), PATIENCE):
            return PlainTextResponse(f"A recording may have {LARGEST // 1_000_000} MB; this one has more.", 413)
    except ClientDisconnect:
        return PlainTextResponse("", 499)
    except TimeoutError:
        return PlainTextResponse(f"Sending it took more than {PATIENCE:g} s.", 408)
    # `-P`: no modules from the present folder, which may be a stranger's.
    command = (sys.executable, "-P", "-m", "cupola.cockpit.packing", str(path), str(path.with_suffix(".data")))
    reader = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
    try:
        _, said = await asyncio.wait_for(reader.communicate(), PATIENCE)
    except TimeoutError:
        return PlainTextResponse(f"Reading it took more than {PATIENCE:g} s.", 422)
    finally:
        if reader.returncode is None:
            reader.kill()
            await reader.wait()
    if reader.returncode:
        lines = said.decode(errors="replace").strip().splitlines() or ["the recording could not be read"]
        return PlainTextResponse(lines[-1].replace(str(path), "it")[-LAST_LINE:], 422)
    return Response(path.with_suffix(".data").read_bytes(), media_type="application/octet-stream")


async def _receive(request: Request, path: Path) -> bool:
    """Write the body to a file; False when it is too long."""
    size = 0
    with path.open("wb") as file:
        async for piece in request.stream():
            size += len(piece)
            if size > LARGEST:
                return False
            file.write(piece)
    return True
