"""Commands in a folder of their own, in this process or in another."""

import os
import subprocess
import sys

import pytest
from tests.cli.conftest import cupola

__all__ = ["cupola", "start"]


@pytest.fixture
def start(tmp_path):
    """Begin a command in a process of its own."""
    begun = []

    def run(*words, **options):
        here = {"cwd": tmp_path, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        environment = {**os.environ, "COLUMNS": "200", **options.pop("env", {})}
        process = subprocess.Popen([sys.executable, "-m", "cupola", *words], env=environment, **here | options)
        begun.append(process)
        return process

    yield run
    for process in begun:
        process.kill()
        process.wait()
        for stream in (process.stdout, process.stderr):
            if stream:
                stream.close()
