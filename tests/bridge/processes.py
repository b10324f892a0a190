"""Processes that a test starts, whose words go into files, and which are all ended after it."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import xmlrpc.client
from typing import Any

import cupola

LONG = 400.0 + 10.0 * sum(float(os.environ.get(name, "0")) for name in ("CUPOLA_BRIDGE_SECONDS", "CUPOLA_KILLS"))
"""[s] after which something that was waited for will not come."""


def warm(*names):
    """Compile here what worlds in other processes need, so that nobody waits for that there."""
    for name in names:
        world = cupola.load(name)
        world.make_modes_ready()
        world.run(0.01)


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Processes:
    """Starts and ends processes."""

    def __init__(self, folder, **env):
        self.folder = folder
        self.started = []
        self.env = {key: value for key, value in os.environ.items() if not key.startswith(("ROS", "CYCLONE", "ZENOH"))}
        self.env |= {"PYTHONUNBUFFERED": "1", "COLUMNS": "200", **env}

    def start(self, command, name, **more):
        """A process, whose words go into a file."""
        words = (self.folder / f"{name}.log").open("wb")
        env = {key: value for key, value in self.env.items() if command[0] == sys.executable or key != "PYTHONPATH"}
        process: Any = subprocess.Popen(
            command,
            stdout=words,
            stderr=subprocess.STDOUT,
            cwd=self.folder,
            env={**env, **more},
            start_new_session=True,
        )
        words.close()
        self.started.append(process)
        process.words = self.folder / f"{name}.log"
        return process

    def until(self, true, what):
        """Wait; what is asked may not be there yet."""
        end = time.monotonic() + LONG
        while True:
            with contextlib.suppress(OSError, xmlrpc.client.Error, KeyError):
                if true():
                    return
            dead = [p for p in self.started if p.poll() not in (None, 0)]
            assert time.monotonic() < end, f"{what} did not come; {self.said()}"
            assert not dead, f"{what} did not come, {dead[0].args} ended: {self.said()}"
            time.sleep(0.1)

    def said(self):
        """What the processes said last."""
        return "\n".join(f"{p.words.name}: {p.words.read_text()[-2000:]}" for p in self.started)

    def ended(self, process):
        """Its exit code."""
        try:
            return process.wait(LONG)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{process.args} did not end; {self.said()}") from None

    def stop(self, process, how=signal.SIGINT):
        """End one process and those that it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, how)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(20)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(20)
        if process in self.started:
            self.started.remove(process)

    def clear(self, but=()):
        """End everything."""
        for process in list(self.started):
            if process not in but:
                self.stop(process)
