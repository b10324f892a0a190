"""Pictures and films of a shared flight: their sizes, their number, their moments."""

import io
import xml.etree.ElementTree as ET
import zipfile
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image
from tests.cockpit.shared_file import record

from cupola.cockpit.built_page import find_page
from cupola.cockpit.opening import read_flight
from cupola.cockpit.share import as_page
from cupola.sim.world import load


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """Two seconds of a quadcopter that climbs, as a shared file that looks from a fixed place."""
    path = record(load("square"), tmp_path_factory.mktemp("flown") / "square.mcap", 2.0)
    path.with_suffix(".html").write_bytes(as_page(read_flight(path), find_page(), "t=0&view=orbit"))
    return path.with_suffix(".html")


def saved(window, name):
    with window.page.expect_download(timeout=120_000) as download:
        window.page.get_by_role("button", name=name).first.click()
    return download.value.path().read_bytes()


def test_pictures_films_and_figures(file, open_window):
    window = open_window(file.as_uri())
    window.page.keyboard.press("5")
    size = window.page.get_by_label("Size of pictures")
    size.wait_for(state="visible")
    size.select_option("3840 × 2160 (4K)")
    picture = Image.open(io.BytesIO(saved(window, "Save picture")))
    assert picture.size == (3840, 2160) and np.asarray(picture.convert("RGBA"))[..., 3].min() == 255
    size.select_option("640 × 360")
    window.page.get_by_label("Without sky and ground").check()
    bare = np.asarray(Image.open(io.BytesIO(saved(window, "Save picture"))).convert("RGBA"))
    assert bare.shape == (360, 640, 4)
    assert bare[0, 0, 3] == 0 and 0.001 < (bare[..., 3] == 255).mean() < 0.9  # the vehicle alone
    window.page.get_by_label("Without sky and ground").uncheck()
    window.page.get_by_label("Film from").fill("1")
    window.page.get_by_label("Film until").fill("1.25")
    with zipfile.ZipFile(io.BytesIO(saved(window, "Make a film"))) as made:
        names = [name for name in made.namelist() if name.endswith(".png")]
        assert names == [f"frame_{k:05d}.png" for k in range(15)]  # a quarter of a second at 60
        frames = [np.asarray(Image.open(made.open(name)).convert("RGB"), int) for name in names]
    assert {frame.shape for frame in frames} == {(360, 640, 3)}
    assert all(np.abs(b - a).sum() > 0 for a, b in pairwise(frames))  # each is another moment
    window.until("document.body.textContent.includes('Saved 15 pictures')")
    window.page.keyboard.press("2")
    window.until("document.querySelectorAll('.series b').length > 2")
    window.until("[...document.querySelectorAll('.series b')].every((text) => text.textContent !== '–')")
    figure = ET.fromstring(saved(window, "Save as SVG"))
    words = [one.text or "" for one in figure.iter("{http://www.w3.org/2000/svg}text")]
    lines = [one.get("points").split() for one in figure.iter("{http://www.w3.org/2000/svg}polyline")]
    assert "quadcopter.position.z [m]" in words and len(lines) == 3 and min(map(len, lines)) > 100
    assert "not in it" in " ".join(words)  # what this file lacks, as the page says it
    drawn = window.tell("document.querySelector('.plot canvas').height")
    assert Image.open(io.BytesIO(saved(window, "Save as PNG"))).height >= drawn + (3 + 1) * 16  # three names, the note
    assert window.complaints == []
