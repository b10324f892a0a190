"""A node that is killed again and again: `mortal_nodes.py KILLS MODULES SCRIPT WORDS...`; the last one lives.

Each is forked from this process, which has imported the modules: it is there at once. It dies some steps after it was
first asked for a command, at a random moment (`ros_law.py`).
"""

import importlib
import os
import random
import runpy
import sys

STEPS = 8
"""Between which and 1 a life lasts, and up to 3 ms more."""


def main(kills, modules, script, *words):
    chance = random.Random(7)
    for name in modules.split(","):
        importlib.import_module(name)
    for k in range(kills + 1):
        life = f"{chance.randint(1, STEPS)} {chance.uniform(1e-6, 3e-3)}" if k < kills else ""
        child = os.fork()
        if child == 0:
            os.environ["CUPOLA_MORTAL"] = life
            sys.argv = [script, *words]
            runpy.run_path(script, run_name="__main__")
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(f"died of {-os.waitstatus_to_exitcode(status)}", flush=True)


main(int(sys.argv[1]), *sys.argv[2:])
