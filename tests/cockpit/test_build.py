"""The page is built when `web/` has changed, and only then; a page that cannot be built is one sentence."""

import importlib.util
import os
import stat
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def hook():
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout with a page of one file and an npm that notes what it is asked and copies that file."""
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "index.html").write_text("<p>1")
    (tmp_path / "src" / "cupola" / "cockpit" / "page").mkdir(parents=True)
    npm = tmp_path / "bin" / "npm"
    npm.parent.mkdir()
    npm.write_text(
        '#!/bin/sh\necho "$@" >> ../asked\n[ ! -f broken ] || { echo no such thing; exit 1; }\n'
        "cp index.html ../src/cupola/cockpit/page/\n"
    )
    npm.chmod(npm.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", f"{npm.parent}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def test_built_once_and_again_after_a_change(hook, checkout):
    assert hook.build(checkout)
    assert (checkout / hook.PAGE / "index.html").read_text() == "<p>1"
    assert not hook.build(checkout)
    assert (checkout / "asked").read_text().count("run build") == 1
    (checkout / "web" / "index.html").write_text("<p>2")
    (checkout / "web" / "node_modules").mkdir()
    assert hook.build(checkout)
    (checkout / "web" / "node_modules" / "anything").write_text("does not count")
    assert not hook.build(checkout)


def test_a_build_that_fails_says_why_and_leaves_no_mark(hook, checkout):
    (checkout / "web" / "broken").touch()
    with pytest.raises(RuntimeError, match="no such thing"):
        hook.build(checkout)
    assert not hook.is_current(checkout)


@pytest.mark.parametrize(
    ("said", "enough"),
    [("v18.20.4", False), ("v20.18.0", False), ("v20.19.0", True), ("v22.1.0", False), ("v24.0.0", True)],
)
def test_an_old_node_is_not_taken(hook, checkout, said, enough):
    node = checkout / "bin" / "node"
    node.write_text(f"#!/bin/sh\necho {said}\n")
    node.chmod(node.stat().st_mode | stat.S_IEXEC)
    assert hook.has_node() is enough
