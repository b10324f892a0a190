"""Names of files are bytes: one that is no text (of another machine, of another century) stops no command."""

import os
import shutil
from pathlib import Path

import pytest

import cupola as api
from cupola.cockpit.gallery import gallery
from cupola.cockpit.messages import Notice
from cupola.config.vehicle import MODELS
from cupola.schema.hostile_text import writable

ODD = os.fsdecode(b"caf\xe9\xff")


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A vehicle in a folder that is called so, its scenario, and the recording, all of this name."""
    folder = tmp_path_factory.mktemp("odd") / ODD
    try:
        shutil.copytree(MODELS / "quadcopter", folder)
    except OSError:
        pytest.skip("names are text here")
    scenario = folder / f"{ODD}.yaml"
    scenario.write_text("vehicles: [{model: vehicle.yaml, name: bird}]\nduration: 0.1\n")
    world = api.load(scenario)
    recorder = api.WorldRecorder(world, folder / f"{ODD}.mcap")
    world.observers.append(recorder)
    world.run(0.05)
    recorder.close()
    return folder


@pytest.mark.parametrize(
    "words",
    [
        ("check", "{odd}.yaml"),
        ("run", "{odd}.yaml", "--duration", "0.02", "--out", "{odd}-out"),
        ("run", "hover", "--duration", "0.02", "--out", "{odd}-out"),
        ("verify", "{odd}.mcap"),
        ("share", "{odd}.mcap"),
        ("plot", "{odd}.mcap", "--out", "{odd}-plots", "--csv", "{odd}-tables"),
        ("compare", "{odd}.mcap", "again.mcap", "--out", "{odd}-compared"),
        ("export", "{odd}.mcap", "--out", "{odd}-parquet"),
        ("export", "{odd}.mcap", "--format", "csv", "--out", "{odd}-csv"),
        ("export", "{odd}.mcap", "--format", "foxglove"),
        ("export", "{odd}.mcap", "--format", "rerun"),
    ],
    ids=lambda words: "_".join(words[:4:3]).replace("{odd}", "odd"),
)
def test_commands_work_with_it(words, home, cupola, monkeypatch):
    if words[-1] == "rerun":
        pytest.importorskip("rerun")
    monkeypatch.chdir(home)
    if not Path("again.mcap").exists():
        shutil.copyfile(f"{ODD}.mcap", "again.mcap")
    before = set(home.rglob("*"))
    answer = cupola(*(word.format(odd=ODD) for word in words))
    assert answer.code == 0, answer.err
    assert words[0] in ("check", "verify") or {path for path in home.rglob("*") if path.is_file()} - before


def test_the_page_lists_it(home):
    text = gallery(home.parent, home).model_dump_json()
    assert f"{writable(ODD)}.mcap" in text
    assert Notice(level="info", text=f"saved {ODD}").model_dump_json().encode()
    assert writable(ODD) == "caf\ufffd\ufffd"


@pytest.fixture
def closed(tmp_path, monkeypatch):
    """A folder in which some names may not even be looked at, as those of other users; root may look at all."""
    usual = {name: getattr(os, name) for name in ("stat", "scandir", "listdir")}

    def refuse(name):
        def look(path=".", *more, **how):
            if not isinstance(path, int) and "closed" in str(path).rpartition("/")[2]:
                raise PermissionError(13, "Permission denied", str(path))
            return usual[name](path, *more, **how)

        return look

    (tmp_path / "closed").mkdir()
    (tmp_path / "closed.yaml").write_text("vehicles: [{model: quadcopter}]\n")
    for name in usual:
        monkeypatch.setattr(os, name, refuse(name))
    return tmp_path


def test_what_may_not_be_looked_at_is_passed_over(closed, cupola):
    (closed / "mine.yaml").write_text("vehicles: [{model: quadcopter}]\n")
    shown = {entry.name for entry in gallery(closed, closed / "closed").entries}
    assert "mine.yaml" in shown and "closed.yaml" not in shown
    link = "<link name='base'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
    (closed / "model.urdf").write_text(f"<robot name='m'>{link}</robot>")
    assert cupola("import", "model.urdf", "--out", "made").code == 0
    answer = cupola("import", ".")
    assert answer.code == 2 and "model.urdf" in answer.err and "Permission" not in answer.err
