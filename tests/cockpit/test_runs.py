"""Every start from the beginning makes a run; runs and recordings are handed to a page that compares them."""

import gzip
import json
import struct
import urllib.error
import urllib.request
from typing import cast

import numpy as np
import pytest

from cupola.cockpit import messages as say
from cupola.cockpit import runs
from cupola.cockpit.flight import Flight
from cupola.cockpit.link import Link
from cupola.schema.yaml_files import InputError
from cupola.sim.world import load


class Letters:
    def __init__(self):
        self.answers = {}

    def tell(self, message):
        pass

    def answer(self, number, content):
        self.answers[number] = content


@pytest.fixture
def flight(tmp_path):
    return Flight(load("square"), cast(Link, Letters()), tmp_path, [], load)


def test_a_reset_keeps_the_run_with_what_was_tuned_its_curves_and_measures(flight):
    flight.step(2000)
    before = flight.course.flown()
    flight.obey(say.Reset())
    assert flight.course.kept.runs.infos == [say.RunInfo(number=1, end=1.0, tuned=[])]
    kept = flight.course.kept.runs.flight(1)
    np.testing.assert_array_equal(kept.curves.values, before.curves.values)
    assert kept.measures == before.measures and {one.name for one in kept.measures} == set(flight.world.measures())
    flight.obey(say.Reset())  # nothing was flown
    flight.obey(say.Tune(name="air.wind_speed", value=7.0))
    flight.step(1200)
    flight.obey(say.Reset())
    assert [(info.number, info.tuned) for info in flight.course.kept.runs.infos] == [(1, []), (2, ["air.wind_speed 7"])]


def test_the_whole_run_is_kept_where_somebody_looked_back(flight):
    flight.step(1400)
    flight.obey(say.Seek(time=0.2))
    flight.obey(say.Reset())
    assert flight.course.kept.runs.infos[0].end == pytest.approx(0.7)
    assert flight.course.kept.runs.flight(1).curves.times[-1] == pytest.approx(0.7, abs=0.011)


def test_only_the_last_are_kept_and_one_that_is_gone_is_answered_at_once(flight, monkeypatch):
    monkeypatch.setattr(runs, "MOST", 2)
    flown = flight.course.flown()
    for _ in range(3):
        flight.course.kept.runs.keep(flight.world, 1.0, flown)
    assert [info.number for info in flight.course.kept.runs.infos] == [2, 3]
    with pytest.raises(InputError, match="there is no run 1 any more; kept: 2, 3"):
        flight.obey(say.Share(number=9, form="data", run=1))
    assert flight.link.answers[9] == b""


def test_a_recording_is_read_for_a_page_and_what_is_none_is_refused_in_a_sentence(cockpit, tmp_path):
    flown = Flight(load("hover"), cast(Link, Letters()), tmp_path, [], load)
    flown.obey(say.Record(on=True))
    flown.step(400)
    flown.close()
    (path,) = tmp_path.glob("*.mcap")

    def post(content):
        request = urllib.request.Request(f"{cockpit.url}recording", data=content, method="POST")
        return urllib.request.urlopen(request)

    with post(path.read_bytes()) as answer:
        content = gzip.decompress(answer.read())
    (length,) = struct.unpack_from("<I", content)
    head = json.loads(content[4 : 4 + length])
    assert head["hello"]["replay"] == [0.0, pytest.approx(0.2)] and head["curve_rows"] == 21
    with pytest.raises(urllib.error.HTTPError) as refused:
        post(b"no recording")
    said = refused.value.read().decode()
    assert (refused.value.code, said) == (422, "it is not an MCAP file")
