"""Who runs the portions of a study: processes of this machine, or those of a Ray cluster."""

import concurrent.futures
import functools
import itertools
import multiprocessing
import socket
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from cupola.record.provenance import NUMERICS, provenance
from cupola.schema.libraries import library
from cupola.schema.yaml_files import InputError

AGAIN = 10
"""How often a portion is begun anew on a cluster when the machine that ran it is lost."""
ANSWER = 10.0
"""[s] after which a cluster that does not answer is not there."""
AHEAD = 3
"""Portions that wait on a cluster for each of its processors."""
Row = dict[str, Any]


class Found(NamedTuple):
    """What a portion of runs leaves."""

    rows: list[Row]
    files: dict[str, bytes]
    """Last states of runs that a fault has ended."""


Job = Callable[[int, list[Row]], Found]
Workers = Callable[[Job, Mapping[int, list[Row]]], Iterator[tuple[int, Found]]]
"""Does a job for portions, each called by the number of its first run; gives each once, as they come."""


def processes(count: int) -> Workers:
    """Processes of this machine."""
    return functools.partial(_in_processes, count)


def _in_processes(count: int, job: Job, portions: Mapping[int, list[Row]]) -> Iterator[tuple[int, Found]]:
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(min(count, max(1, len(portions))), mp_context=context) as pool:
        waiting = {pool.submit(job, k, rows): k for k, rows in portions.items()}
        for future in concurrent.futures.as_completed(waiting):
            yield waiting[future], future.result()


def here(job: Job, portions: Mapping[int, list[Row]]) -> Iterator[tuple[int, Found]]:
    """This process, one portion after the other: for batches, which use every core or a GPU themselves."""
    for k, rows in portions.items():
        yield k, job(k, rows)


def cluster(address: str) -> Workers:
    """The nodes of a Ray cluster, of which this machine is one."""
    ray = library("ray", "a cluster is reached through Ray: pip install 'cupola[ray]'")
    return functools.partial(_on_cluster, ray, address)


def _on_cluster(ray: Any, address: str, job: Job, portions: Mapping[int, list[Row]]) -> Iterator[tuple[int, Found]]:
    _reach(address)
    try:
        ray.init(address=address, logging_level="warning")
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise InputError(f"there is no Ray cluster at {address}: {error}") from None
    try:
        remote = ray.remote(num_cpus=1, max_retries=AGAIN)(_there)
        task, said = ray.put(job), _numerics()  # the scenario travels once to each node
        left = iter(portions.items())
        waiting: dict[Any, int] = {}
        while True:
            room = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1))) - len(waiting)
            for k, rows in itertools.islice(left, max(0, room)):
                waiting[remote.remote(task, said, k, rows)] = k
            if not waiting:
                return
            for one in ray.wait(list(waiting))[0]:
                yield waiting.pop(one), _got(ray, one)
    finally:
        ray.shutdown()


def _reach(address: str) -> None:
    """Ray itself tries for minutes where nobody answers."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal():
        raise InputError(f"the address of a Ray cluster is HOST:PORT, as `ray start --head` prints it, got {address!r}")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWER).close()
    except (OSError, OverflowError) as error:
        raise InputError(f"there is no Ray cluster at {address}: {error}") from None


def _got(ray: Any, one: Any) -> Found:
    try:
        return ray.get(one)  # type: ignore[no-any-return]
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    except ray.exceptions.WorkerCrashedError as error:
        raise InputError(f"a portion of the study was lost {AGAIN + 1} times: {error}; run it again to go on") from None


def _there(job: Job, said: dict[str, str], first: int, rows: list[Row]) -> Found:
    """A portion, on a node of the cluster."""
    here = _numerics()
    if here != said:
        others = [f"{name} {here[name]} for {wanted}" for name, wanted in said.items() if here[name] != wanted]
        raise InputError(f"a node of the cluster has {', '.join(others)}: its results would be others")
    return job(first, rows)


def _numerics() -> dict[str, str]:
    """Versions of what results depend on."""
    found = provenance()
    return {
        "commit": found["git_commit"].removesuffix("-dirty"),
        **{name: found[name] for name in ("cupola", *NUMERICS)},
    }
