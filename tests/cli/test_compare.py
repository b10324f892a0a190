"""A route of one's own on three models of wheels, compared; and any two fields drawn against each other."""

import math
from pathlib import Path

import pytest

ROUTE = "duration,vx,vy,wz\n1.5,0.2,0,0\n1.5,0,0.2,0\n"


@pytest.fixture
def driven(cupola):
    Path("mine.csv").write_text(ROUTE)
    answer = cupola("run", "omni_three_wheels", "--route", "mine.csv", "--json")
    assert answer.code == 0
    return answer.json


def test_a_route_drives_all_and_says_how_long(cupola, driven):
    assert driven["simulated_time"] == pytest.approx(4.0)
    answer = cupola("compare", "out/omni_three_wheels.mcap", "--json").json
    kinematic, friction, rollers = answer["vehicles"]
    assert [one["vehicle"] for one in (kinematic, friction, rollers)] == ["kinematic", "friction", "rollers"]
    assert (kinematic["end_x"], kinematic["end_y"]) == (pytest.approx(0.3, abs=1e-9), pytest.approx(0.3, abs=1e-9))
    assert kinematic["rms"] == kinematic["largest"] == kinematic["turned"] == 0
    for one in (friction, rollers):  # both lose 4 % sideways
        assert one["end_x"] == pytest.approx(0.3, abs=0.01) and 0.28 < one["end_y"] < 0.295
        off = math.hypot(one["end_x"] - 0.3, one["end_y"] - 0.3)
        assert off - 1e-9 <= one["largest"] < 2 * off and 0 < one["rms"] < one["largest"]
    assert Path(answer["plot"]).read_bytes().startswith(b"\x89PNG")
    said = cupola("compare", "out/omni_three_wheels.mcap", "--out", "here").out
    assert "against kinematic" in said and "turned [deg]" in said and "here/compare.png" in said


def test_any_two_fields_on_the_same_axes(cupola, driven):
    paths = [f"{name}/odometry:position.x:position.y" for name in ("friction", "rollers")]
    answer = cupola("plot", "out/omni_three_wheels.mcap", "--curve", paths[0], "--curve", paths[1], "--json").json
    assert answer["plots"] == ["out/omni_three_wheels/curves.png"]
    assert Path(answer["plots"][0]).read_bytes().startswith(b"\x89PNG")
    over_time = cupola(
        "plot", "out/omni_three_wheels.mcap", "--out", "t", "--curve", "/friction/encoders/wheels:angle.fr"
    )
    assert over_time.code == 0 and Path("t/curves.png").is_file()
    for curve, words in (
        ("friction/odometry", "expected TOPIC:FIELD"),
        ("friction/odometry:x", "has 4 fields 'x'"),
        ("friction/odometry:tall", "has no field 'tall'"),
        ("nowhere:x", "no topic '/nowhere'"),
    ):
        answer = cupola("plot", "out/omni_three_wheels.mcap", "--curve", curve)
        assert answer.code != 0 and words in answer.err


def test_a_file_of_the_thesis_drives_its_way_or_not_at_all(cupola):
    """To the right, to the thesis; ours would read it as forward."""
    Path("theirs").write_text("1 0.2 0 0\n")
    answer = cupola("run", "omni_pair", "--route", "theirs")
    assert answer.code == 2 and "--route" in answer.err and "axes are not known" in answer.err.replace("\n", " ")
    assert cupola("run", "omni_pair", "--route", "theirs", "--view", "thesis").code == 0
    ends = cupola("compare", "out/omni_pair.mcap", "--json").json["vehicles"]
    assert all(abs(end["end_x"]) < 0.01 and -0.21 < end["end_y"] < -0.17 for end in ends)
    assert cupola("verify", "out/omni_pair.mcap").code == 0
    assert "there is no view 'left'" in cupola("run", "omni_pair", "--route", "theirs", "--view", "left").err
    assert "needs --route" in cupola("run", "omni_pair", "--view", "body").err


def test_what_cannot_be_compared_or_routed_is_said(cupola):
    Path("mine.csv").write_text(ROUTE)
    answer = cupola("run", "hover", "--route", "mine.csv")
    assert answer.code != 0 and "nothing in hover drives a route" in answer.err
    answer = cupola("run", "omni_solo", "--route", "moon")
    assert answer.code != 0 and "there is no route 'moon'; shipped are" in answer.err
    cupola("run", "velma_base", "--duration", "0.1")
    answer = cupola("compare", "out/velma_base.mcap")
    assert answer.code != 0 and "has the path of velma_base; it takes two" in answer.err
    assert "there is no recording" in cupola("compare", "out/none.mcap").err


def test_several_recordings_say_where_they_part(cupola):
    for folder, seed in (("one", "1"), ("two", "1"), ("three", "2")):
        assert cupola("run", "square", "--duration", "0.2", "--seed", seed, "--out", folder).code == 0
    files = [f"{folder}/square.mcap" for folder in ("one", "two", "three")]
    same, other = cupola("compare", *files, "--json").json["others"]
    assert same["parting"] is None and same["differences"] == []
    assert other["parting"]["tick"] == 0 and other["differences"][0]["share"] > 0.0
    said = cupola("compare", *files, "--out", "here").out
    assert "equal to the last bit until 0.2 s" in said and "they part at 0 s (tick 0), in quadcopter.air.wind.x" in said
    assert Path("here/compare.png").read_bytes().startswith(b"\x89PNG")
    assert "there is no recording" in cupola("compare", files[0], "none.mcap").err
    tables = cupola("export", files[0], "--out", "tables", "--json").json["tables"]
    assert "tables/quadcopter.imu.parquet" in tables and Path(tables[0]).is_file()
