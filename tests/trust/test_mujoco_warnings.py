"""What MuJoCo warns of is said by us: not among the results, and in no MUJOCO_LOG.TXT in the present folder."""

import logging
from pathlib import Path

import mujoco
import pytest

from cupola import load
from cupola.build.mujoco_warnings import compiled, counted, only_count

LIGHT = '<inertial pos="0 0 0" mass="1e-14" diaginertia="1e-14 1e-14 1e-14"/>'
ARM = '<body name="arm">{}</body>'
MODELS = {
    "singular": ARM.format(f'{LIGHT}<joint name="j" axis="1 0 0"/><joint name="k" axis="1 0 0"/>'),
    "apart": ARM.format('<joint name="j" stiffness="1e18" springref="90"/><geom size="0.1"/>'),
}
MODEL = '<mujoco><worldbody><body name="base" pos="0 0 1"><freejoint/><geom size="0.1"/>{}</body></worldbody></mujoco>'
FULL = """<mujoco><size memory="1K"/><worldbody><geom type="plane" size="1 1 1"/>
<body pos="0 0 0.05"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("what", MODELS)
def test_an_import_prints_no_warning_of_mujoco_and_leaves_no_log(what, start, tmp_path):
    (tmp_path / "a.xml").write_text(MODEL.format(MODELS[what]))
    done = start("import", "a.xml", "--out", "a", "--json")
    out, err = done.communicate(timeout=300)
    assert done.returncode == 0, err
    assert out.startswith("{") and "WARNING" not in out + err and ".py:" not in err
    assert ("MuJoCo: Inertia matrix" in err) == (what == "singular")
    assert ("flies apart" in out) == (what == "apart")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "a.xml"]


def test_a_run_says_once_what_mujoco_warns_of(tmp_path, monkeypatch, vehicle, caplog):
    monkeypatch.chdir(tmp_path)
    world = load(vehicle(MODEL.format("").partition("<worldbody>")[2].partition("</worldbody>")[0]))
    world.step()
    assert "MuJoCo" not in caplog.text
    world.data.warning.number[mujoco.mjtWarning.mjWARN_CONTACTFULL] += 3
    with caplog.at_level(logging.WARNING, "cupola"):
        world.step()
        world.step()
    (said,) = [one.getMessage() for one in caplog.records if "MuJoCo" in one.getMessage()]
    assert "Too many contacts" in said and said.endswith("; said once")
    assert not Path("MUJOCO_LOG.TXT").exists()


def test_every_kind_is_counted_and_none_printed(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    model = compiled(mujoco.MjSpec.from_string(FULL))
    data = mujoco.MjData(model)
    only_count(data)
    assert list(counted(data)) == []
    mujoco.mj_step(model, data)
    full = {int(mujoco.mjtWarning.mjWARN_CONTACTFULL), int(mujoco.mjtWarning.mjWARN_CNSTRFULL)}
    assert {kind for kind, _ in counted(data)} == full
    assert "".join(capfd.readouterr()) == "" and list(tmp_path.iterdir()) == []
