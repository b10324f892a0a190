"""Programs that start together share the compiling: each piece is made once, and nobody waits for the dead."""

import gc
import subprocess
import sys
import threading
import time

import pytest

from cupola.engine import units
from cupola.engine.units import Piece, compile_together, work
from cupola.kernel import turns
from cupola.kernel.turns import turn

HOLD = "from cupola.kernel.turns import turn\nwith turn('toy:held', wait=True):\n    print('held', flush=True); input()"


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(turns, "private_base", lambda: tmp_path)
    return tmp_path


def toy(name, made, compile_time=0.0):
    def compile_it():
        time.sleep(compile_time)
        made.append(name)

    return Piece(name, lambda: name not in made, compile_it)


def test_a_piece_under_way_elsewhere_is_left_to_whoever_makes_it():
    made = []
    with turn("toy:a", wait=False) as mine:
        assert mine
        assert [piece.name for piece in work([toy("toy:a", made), toy("toy:b", made)])] == ["toy:a"]
    assert made == ["toy:b"]


def test_each_piece_is_made_once_by_several_at_a_time(monkeypatch):
    monkeypatch.setattr(units, "MOST_HELPERS", 0)
    made, took = [], []

    def one():
        mine = [toy(name, made, 0.05) for name in ("toy:a", "toy:b", "toy:c")]
        took.append([piece for piece in work(mine) if piece.is_cold()])

    threads = [threading.Thread(target=one) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made) == ["toy:a", "toy:b", "toy:c"]


def test_what_another_makes_is_waited_for(monkeypatch):
    monkeypatch.setattr(units, "MOST_HELPERS", 0)
    made, ready = [], threading.Event()

    def other():
        with turn("toy:a", wait=False):
            ready.set()
            time.sleep(0.3)
            made.append("toy:a")

    thread = threading.Thread(target=other)
    thread.start()
    ready.wait()
    seen = []
    compile_together([Piece("toy:a", lambda: True, lambda: seen.append(list(made)))])
    thread.join()
    assert seen == [["toy:a"]]  # found once it was made


def test_a_process_that_is_killed_gives_its_turn_back(own_folder, monkeypatch):
    from cupola.kernel.private_folder import private_base

    monkeypatch.setenv("CUPOLA_CACHE", str(own_folder / "cache"))
    private_base.cache_clear()
    monkeypatch.setattr(turns, "private_base", private_base)
    try:
        with subprocess.Popen([sys.executable, "-c", HOLD], stdin=-1, stdout=-1, text=True) as other:
            assert other.stdout.readline() == "held\n"
            with turn("toy:held", wait=False) as mine:
                assert not mine
            other.kill()
        with turn("toy:held", wait=False) as mine:
            assert mine
    finally:
        private_base.cache_clear()


def test_nobody_waits_for_ever_for_a_process_that_stands_still(monkeypatch):
    monkeypatch.setattr(turns, "LONGEST", 0.2)
    with turn("toy:a", wait=False), turn("toy:a", wait=True) as mine:
        assert mine


def test_where_nothing_can_be_written_everybody_compiles(monkeypatch):
    monkeypatch.setattr(turns, "private_base", lambda: None)
    with turn("toy:a", wait=False) as mine, turn("toy:a", wait=False) as again:
        assert mine and again


def test_the_garbage_collector_rests_while_a_piece_is_made_and_no_longer(monkeypatch):
    monkeypatch.setattr(units, "MOST_HELPERS", 0)
    seen = []

    def fails():
        seen.append(gc.isenabled())
        raise RuntimeError("does not compile")

    compile_together([Piece("toy:a", lambda: not seen, lambda: seen.append(gc.isenabled()))])
    assert (seen, gc.isenabled()) == ([False], True)
    with pytest.raises(RuntimeError):
        compile_together([Piece("toy:b", lambda: True, fails)])
    assert (seen, gc.isenabled()) == ([False, False], True)


def test_what_a_process_has_is_not_looked_for_on_the_disk_again(make_world, monkeypatch):
    make_world("quadcopter")
    monkeypatch.setattr(units, "is_cold", None)
    monkeypatch.setattr(units, "is_core_cold", None)
    make_world("quadcopter")
