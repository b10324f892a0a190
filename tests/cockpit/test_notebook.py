"""Worlds and recordings as a notebook shows them."""

import time
import urllib.error
import urllib.request

import pytest

import cupola
from cupola.cockpit import built_page
from cupola.record import RecordingError


@pytest.fixture(scope="module")
def flown(tmp_path_factory):
    world = cupola.load("quadcopter")
    path = tmp_path_factory.mktemp("notebook") / "<flight>.mcap"
    recorder = cupola.WorldRecorder(world, path)
    world.observers.append(recorder)
    world.run(0.3)
    recorder.close()
    return world, cupola.Recording(path)


def test_a_world_and_a_recording_show_themselves(flown):
    world, recording = flown
    said = world._repr_html_()
    assert "quadcopter: 0.300 s of 10 s, tick 600, seed 1" in said and "<table>" in said
    told = recording._repr_html_()
    assert "/quadcopter/odometry" in told and "nav_msgs/msg/Odometry" in told
    assert "&lt;flight&gt;.mcap" in told and "<flight>" not in told  # a name is no markup


def test_a_sheet_or_a_curve_is_a_figure(flown):
    from matplotlib.figure import Figure

    recording = flown[1]
    for asked in ("overview", "motion", "air and sensors", "quadcopter/odometry:position.z"):
        figure = recording.plot(asked)
        assert figure._repr_png_().startswith(b"\x89PNG")  # it shows itself
        assert isinstance(figure, Figure)
    with pytest.raises(RecordingError, match="there is no sheet 'polars'; there are: overview, motion"):
        recording.plot("polars")
    with pytest.raises(RecordingError, match="has no vehicle 'b'; it has: quadcopter"):
        recording.plot(vehicle="b")


def address(view):
    return view.url.partition("?")[0]


def wait_for(condition):
    end = time.monotonic() + 20.0
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_a_page_runs_the_world_until_it_is_closed(monkeypatch, page_folder, flown):
    monkeypatch.setattr(built_page, "PAGE", page_folder)
    world = cupola.load("quadcopter")
    view = world.view(height=321, speed=None)
    try:
        assert f'src="{view.url}"' in view._repr_html_() and "height: 321px" in view._repr_html_()
        wait_for(lambda: world.time > 0.05)
        with pytest.raises(cupola.InputError, match=r"a page runs quadcopter: close\(\) its view"):
            world.run(0.1)
        with urllib.request.urlopen(address(view), timeout=60) as answer:
            assert "frame-ancestors http://localhost:*" in answer.headers["content-security-policy"]
    finally:
        view.close()
    now = world.tick
    world.step(5)
    assert world.tick == now + 5


def test_a_recording_is_shown_and_the_page_ends(monkeypatch, page_folder, flown):
    monkeypatch.setattr(built_page, "PAGE", page_folder)
    view = flown[1].view()
    wait_for(lambda: view.link.is_open)
    assert "<iframe" in view._repr_html_() and "token=" in view.url
    view.close()
    with pytest.raises((urllib.error.URLError, ConnectionError)):
        urllib.request.urlopen(address(view), timeout=2)
