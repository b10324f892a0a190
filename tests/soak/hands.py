"""Who must be there while a command is killed, over and over: `python hands.py page|ardupilot PORT`.

`page`: hands on the page of a cockpit that record, stop and save; `ardupilot`: an autopilot that calls.
"""

import contextlib
import json
import sys
import time
from pathlib import Path

from websockets.sync.client import connect


def press(port: int) -> None:
    """Until the cockpit goes."""
    with connect(f"ws://127.0.0.1:{port}/ws", max_size=None, close_timeout=0.1) as page:
        while True:
            for message in ({"kind": "record", "on": True}, {"kind": "save_scenario"}, {"kind": "record", "on": False}):
                page.send(json.dumps(message))
                end = time.monotonic() + 0.1
                while time.monotonic() < end:
                    with contextlib.suppress(TimeoutError):
                        page.recv(0.02)


def call(port: int) -> None:
    """Until the world goes."""
    sys.path.insert(0, str(Path(__file__).parents[2]))
    from tests.bridge.autopilot_peers import ardupilot

    ardupilot(port)


if __name__ == "__main__":
    while True:
        with contextlib.suppress(Exception):  # it is not there yet, or has gone
            {"page": press, "ardupilot": call}[sys.argv[1]](int(sys.argv[2]))
        time.sleep(0.02)
