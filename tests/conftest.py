"""What tests of worlds share: write a vehicle to a folder, build a world of it, tell two worlds apart."""

import gc
import hashlib
import json
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

LONGEST = ("test_reproduce.py", "test_repeatable.py", "test_docs.py")
"""Files that take longest: begun first, no worker waits for them at the end."""

REAL_TIME = ("bridge", "cli", "cockpit", "soak", "trust")
"""Folders whose tests wait for other programs: a browser, a node of ROS, a terminal, a process that is killed."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files first, all else in its order. What waits for other programs is tried up to three times."""
    items.sort(key=lambda item: LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST))
    for item in items:
        if item.path.relative_to(Path(__file__).parent).parts[0] in REAL_TIME:
            item.add_marker(pytest.mark.flaky(reruns=2))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test marked `data("file", ...)` where `CUPOLA_DATA` has no such file; the reason names the file.

    A second try begins with programs of its own, not with what the first has done to those of its module.
    """
    if getattr(item, "execution_count", 1) > 1:
        again: Any = item
        for found in again._fixtureinfo.name2fixturedefs.values():
            for fixture in found:
                if fixture.scope == "module":
                    fixture.finish(again._request)
    for mark in item.iter_markers("data"):
        from cupola.reproduce.row import data_file  # brings the whole engine, which most tests do without

        for name in mark.args:
            if isinstance(found := data_file(name), str):
                pytest.skip(found)


@pytest.fixture(scope="session", autouse=True)
def config(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A configuration folder of the tests' own, in which the folders that tests write code into are trusted."""
    folder = tmp_path_factory.mktemp("config")
    (folder / "trusted_folders").write_text(f"{tmp_path_factory.getbasetemp().resolve()}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CUPOLA_CONFIG", str(folder))
        yield folder


@pytest.fixture(scope="session", autouse=True)
def compile_alone() -> None:
    """Workers keep the cores busy: helpers of theirs would only start up."""
    from cupola.engine import units

    units.MOST_HELPERS = 0


@pytest.fixture(scope="session", autouse=True)
def signals_arrive() -> None:
    """Programs started by tests inherit ignored signals: SIGINT from a shell's `&`, SIGHUP from `nohup`."""
    for name, usual in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, usual)


@pytest.fixture(scope="session", autouse=True)
def leave_modules_to_stay() -> None:
    """All tests have been imported, with Numba, JAX and MuJoCo: the garbage collector need not search them again.

    What is compiled stays, too, and worlds are few: searching at every 700 new objects takes an eighth of the time.
    """
    gc.freeze()
    gc.set_threshold(10_000)


@pytest.fixture
def vehicle(tmp_path: Path) -> Callable[..., str]:
    """Write a vehicle of some MJCF bodies and parts into a folder; returns the folder's path."""

    def write(bodies: str, *, name: str = "toy", files: dict[str, str] | None = None, **entry: Any) -> str:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "model.xml").write_text(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
        content = {"about": "a test", "controller": {"use": "pass_through", "rate_hz": 100}, **entry}
        (folder / "vehicle.yaml").write_text(json.dumps(content))  # JSON is YAML
        for file, text in (files or {}).items():
            (folder / file).write_text(text)
        return str(folder)

    return write


@pytest.fixture(scope="session")
def make_world() -> Callable[..., Any]:
    """A world of vehicles in still air without a floor, and whatever else a scenario file may say."""
    from cupola.config.scenario import Scenario
    from cupola.sim.world import World

    def make(*entries: str | dict[str, Any], options: dict[str, Any] | None = None, **scenario: Any) -> World:
        vehicles = [{"model": entry} if isinstance(entry, str) else entry for entry in entries]
        record = {"rate_hz": min(100, scenario.get("physics_hz", 100))}
        content = {"vehicles": vehicles, "floor": None, "record": record, **scenario}
        return World(Scenario.model_validate_json(json.dumps(content)), **(options or {}))

    return make


@pytest.fixture(scope="session")
def digest() -> Callable[[Any], str]:
    """SHA-256 over everything that a snapshot of a world holds in numbers."""

    def of(world: Any) -> str:
        kept = world.snapshot()
        total = hashlib.sha256(kept.engine.tobytes())
        for name in sorted(kept.numbers):
            total.update(kept.numbers[name].tobytes())
        return total.hexdigest()

    return of
