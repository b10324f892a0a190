"""The bar below a cell: in the kernel of a notebook only, one picture that changes, and the whole run at the end."""

import sys
from types import SimpleNamespace

import pytest

import cupola
from cupola.sim import progress
from cupola.sim.progress import NotebookBar, bar_of


@pytest.fixture
def notebook(monkeypatch):
    """What a kernel would send to the page of a notebook."""
    sent = []
    shell = SimpleNamespace(kernel=object(), display_pub=SimpleNamespace(publish=lambda **one: sent.append(one)))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "EVERY", 0.0)
    return sent


def test_a_run_has_a_bar_in_a_notebook_that_ends_full(notebook):
    world = cupola.load("quadcopter")
    world.run(0.05)
    assert 'value="1.0000"' in notebook[-1]["data"]["text/html"]
    assert "quadcopter: 0.1 of 0.1 s" in notebook[-1]["data"]["text/plain"]
    assert [one["update"] for one in notebook] == [False, *[True] * (len(notebook) - 1)]
    assert len({one["transient"]["display_id"] for one in notebook}) == 1


def test_whoever_asks_to_be_told_gets_no_bar(notebook):
    told = []
    cupola.load("quadcopter").run(0.05, progress=told.append)
    assert told and not notebook


def test_worlds_side_by_side_have_one_too_and_end_as_without(notebook, monkeypatch):
    with_bar = cupola.batch("quadcopter", 2)
    with_bar.run(0.1)
    assert len(notebook) > 3 and "2 worlds: 0.1 of 0.1 s" in notebook[-1]["data"]["text/plain"]
    monkeypatch.delitem(sys.modules, "IPython")
    without = cupola.batch("quadcopter", 2)
    without.run(0.1)
    assert (with_bar.state().pos_w == without.state().pos_w).all()


@pytest.mark.parametrize("shell", [None, SimpleNamespace()], ids=["a program", "a terminal"])
def test_elsewhere_there_is_none(monkeypatch, shell):
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    with bar_of("run", 0.0, 1.0) as told:
        assert told is None


def test_a_short_run_shows_nothing_and_names_are_no_markup():
    sent = []
    with NotebookBar(lambda **one: sent.append(one), "<b>", 0.0, 1.0) as bar:
        bar(1.0)
    assert not sent
    bar._visible = True
    bar._show(0.0)
    assert "&lt;b&gt;" in sent[0]["data"]["text/html"]
