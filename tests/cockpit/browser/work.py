"""What some processes computed and how long they waited for a processor: a busy machine is told from a slow page."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser

PROC = Path("/proc")


class Thread(NamedTuple):
    """Since it began [ms]."""

    computed: float
    waited: float
    """Ready to compute, while the processors were busy with something else."""


def tree(*roots: int) -> set[int]:
    """Processes and all that they started."""
    children: dict[int, list[int]] = {}
    for process in PROC.glob("[0-9]*"):
        try:
            parent = int((process / "stat").read_text(errors="replace").rpartition(")")[2].split()[1])
        except OSError:  # it has ended
            continue
        children.setdefault(parent, []).append(int(process.name))
    found, new = set(roots), list(roots)
    while new:
        new = [child for one in new for child in children.get(one, []) if child not in found]
        found |= set(new)
    return found


def processes_of(browser: Browser) -> set[int]:
    """Of a Chromium."""
    told = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
    return {int(one["id"]) for one in told["processInfo"]}


def would_take(processes: set[int], act: Callable[[], float]) -> float:
    """[ms] that `act`, which tells its time by the clock on the wall, would take on a machine with nothing else to do.

    What the threads computed counts as if it was done one after another; of those that share their work, as the two
    that draw, the longest counts. A wait for anything but a processor counts, too. So what is slow is slow on any
    machine, and what had to wait for others is not.
    """
    before = _threads(processes)
    wall = act()
    groups: dict[tuple[int, str], Thread] = {}
    for (process, number, name), now in _threads(processes).items():
        then = before.get((process, number, name), Thread(0.0, 0.0))
        group = process, re.sub(r"\d+", "", name)
        known = groups.get(group, Thread(0.0, 0.0))
        groups[group] = Thread(
            max(known.computed, now.computed - then.computed), max(known.waited, now.waited - then.waited)
        )
    return max(sum(one.computed for one in groups.values()), wall - sum(one.waited for one in groups.values()))


def _threads(processes: set[int]) -> dict[tuple[int, int, str], Thread]:
    found = {}
    for process in processes:
        for thread in (PROC / str(process) / "task").glob("*"):
            try:
                name = (thread / "comm").read_text(errors="replace").strip()
                computed, waited, _ = (thread / "schedstat").read_text().split()
            except OSError:  # it has ended
                continue
            found[process, int(thread.name), name] = Thread(1e-6 * int(computed), 1e-6 * int(waited))
    return found
