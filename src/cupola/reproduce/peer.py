"""Another program beside ours, in a process of its own and perhaps another Python environment.

It is looked for in this environment, then in those that `CUPOLA_PEERS_PYTHON` names (paths of interpreters, separated
as in PATH). The scripts that drive them lie in `bench/peers`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

TIMEOUT = 600.0
SCRIPTS = Path(__file__).parents[1] / "bench" / "peers"


def interpreter_with(module: str) -> str | None:
    """The first Python that can import `module`, or None."""
    probe = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({module!r}) is None)"
    others = os.environ.get("CUPOLA_PEERS_PYTHON", "").split(os.pathsep)
    for python in (sys.executable, *filter(None, others)):
        try:
            if subprocess.run([python, "-c", probe], capture_output=True, timeout=TIMEOUT).returncode == 0:
                return python
        except OSError:
            continue
    return None


def last_line(module: str, *arguments: str, script: str | None = None) -> dict[str, Any] | str:
    """What a script of a peer prints last, as JSON; or the sentence that says why there is nothing."""
    python = interpreter_with(module)
    if python is None:
        return f"not installed: pip install {module}, here or in an environment that CUPOLA_PEERS_PYTHON names"
    path = SCRIPTS / f"{script or module.lower()}.py"
    try:
        done = subprocess.run(
            [python, str(path), *arguments], capture_output=True, text=True, timeout=TIMEOUT, check=True
        )
        found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
        return found
    except subprocess.TimeoutExpired:
        return f"did not finish in {TIMEOUT:g} s"
    except subprocess.CalledProcessError as error:
        return f"failed: {((error.stderr or '').strip().splitlines()[-1:] or ['no message'])[0]}"
