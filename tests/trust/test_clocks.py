"""Machines whose clock is wrong: in 1970, as boards without a battery begin, or far ahead."""

import time
import zipfile

import numpy as np
import pytest

import cupola as api
from cupola.bridge.fmi.pack import pack
from cupola.record import Recording

YEARS = {"1970": 0.0, "1904": -2_082_844_800.0, "2150": 5_680_281_600.0}
SUM = """
const char *cupola_names(int which) { return which == 0 ? "a" : which == 1 ? "b" : ""; }
int cupola_step(const double *in, double *out, double *s, const double *p, double t, double dt) {
    out[0] = in[0];
    return 0;
}
"""


@pytest.fixture
def in_1970(monkeypatch):
    now, utc = YEARS["1970"], time.gmtime
    monkeypatch.setattr(time, "time", lambda: now)
    monkeypatch.setattr(time, "time_ns", lambda: int(now * 1e9))
    monkeypatch.setattr(time, "localtime", lambda seconds=None: utc(now if seconds is None else seconds))


def test_what_is_written_can_be_read(in_1970, cupola, make_world, tmp_path):
    assert cupola("run", "hover", "--duration", "0.1", "--out", ".").code == 0
    assert Recording(tmp_path / "hover.mcap").is_complete
    for words in (("share", "hover.mcap"), ("export", "hover.mcap", "--out", "tables"), ("verify", "hover.mcap")):
        assert cupola(*words).code == 0, words
    assert cupola("linearize", "plane_1wing", "--airspeed", "20", "--npz", "l.npz").code == 0
    assert len(np.load(tmp_path / "l.npz")["A"]) and str(np.load(tmp_path / "l.npz")["states"][0])
    world = make_world("quadcopter")
    world.dump_folder = tmp_path
    world.run(0.02)
    world.data.qvel[2] = np.nan
    with pytest.raises(api.SimulationError, match="the last states are in"):
        world.run(0.02)
    (dump,) = tmp_path.glob("*stopped*.npz")
    world.restore(dump, 0)


def test_the_same_model_is_the_same_archive(tmp_path, monkeypatch):
    (tmp_path / "sum.c").write_text(SUM)
    found = []
    for now in YEARS.values():
        with monkeypatch.context() as clock:
            clock.setattr(time, "time", lambda now=now: now)
            clock.setattr(time, "localtime", lambda seconds=None, now=now: time.gmtime(now))
            made = pack(tmp_path / "sum.c", tmp_path / "sum.fmu")
        with zipfile.ZipFile(made) as archive:
            assert archive.testzip() is None and "modelDescription.xml" in archive.namelist()
            found.append([(one.filename, one.date_time) for one in archive.infolist()])
    assert found[0] == found[1] == found[2]
