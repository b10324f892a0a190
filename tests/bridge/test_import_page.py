"""docs/import.md, from download to flight: its commands run on the originals, from where CUPOLA_DATA keeps them."""

import re
from pathlib import Path

import pytest

from cupola.cli.commands import app
from cupola.reproduce.row import data_file

PAGE = Path(__file__).parents[2] / "docs" / "import.md"
KEPT = {
    "PX4-SITL_gazebo-classic/models/": "gazebo_models/",
    "gazebo-classic/worlds/": "gazebo_models/",
    "gazebo_models/": "gazebo_cessna/",
    "last_letter_2/last_letter_2/config/param/models/": "last_letter_models/",
    "last_letter_2/last_letter_2/config/param/objects/": "last_letter_models/param/objects/",
}
"""Where a path of a repository lies among the data."""
BLOCKS = [
    block.splitlines()
    for block in re.findall(
        r"^```text\n(git clone.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
]


def kept(path):
    """The same file among the data; None for a repository that is not there."""
    for start, ours in KEPT.items():
        if path.startswith(start):
            return ours + path.removeprefix(start)
    return None


HERE = [lines for lines in BLOCKS if kept(lines[1].split()[2])]


def test_the_page_has_an_original_of_each_family():
    """Of Gazebo, PX4, Last_letter_2 and xacro among the data; others are written on the page."""
    names = {lines[1].split()[2].rpartition("/")[2] for lines in HERE}
    assert names == {"iris", "plane_demo.world", "cessna", "hexacopter", "can_model.urdf.xacro"}
    assert all(len(lines) == 3 for lines in BLOCKS)
    own = set(re.findall(r"^<!-- file: (\S+) -->$", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
    assert own == {"dart/model.sdf", "yard.sdf", "wren.urdf.xacro", "sparrow.xml"}


@pytest.mark.data("gazebo_models/README.md", "gazebo_cessna/README.md", "last_letter_models/README.md")
@pytest.mark.parametrize("lines", HERE, ids=lambda lines: lines[1].split()[2].rpartition("/")[2])
def test_three_commands(lines, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    _, bring, fly = (line.split() for line in lines)
    place = Path(data_file("gazebo_models/README.md")).parents[1] / str(kept(bring[2]))
    app([*bring[1:2], str(place), *bring[3:]], standalone_mode=False)
    assert capsys.readouterr().out.splitlines()[-1] == f"now type: {' '.join(fly)}"
    words = [word for word in fly[1:] if word != "--keyboard"]  # there is no terminal here
    app([*words, "--duration", "2"], standalone_mode=False)
    assert "simulated" in capsys.readouterr().out
