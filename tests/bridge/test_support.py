"""An imported model that nobody flies says what becomes of it before it falls, sinks or is thrown off."""

import pytest

from cupola.bridge.mjcf.folder import import_mjcf
from cupola.bridge.sdf.folder import import_file

INERTIAL = "<inertial><mass>2</mass><inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial>"
GROUND = "<include><uri>model://ground_plane</uri></include>"


BALL = "<collision name='c'><geometry><sphere><radius>0.1</radius></sphere></geometry></collision>"


def box(size, at):
    shape = f"<collision name='c'><geometry><box><size>{size}</size></box></geometry></collision>"
    return f"<model name='block'><static>true</static><pose>{at} 0 0 0</pose><link name='l'>{shape}</link></model>"


@pytest.fixture
def said(tmp_path):
    """What an import of a toy in a world says that looks wrong."""

    def run(around, inside=BALL, at="0 0 1"):
        toy = f"<model name='toy'><pose>{at} 0 0 0</pose><link name='base'>{INERTIAL}{inside}</link></model>"
        source = tmp_path / "w.world"
        source.write_text(f"<sdf version='1.9'><world name='w'>{around}{toy}</world></sdf>")
        return " | ".join(import_file(source, tmp_path / f"out{len(list(tmp_path.iterdir()))}").warnings)

    return run


def test_what_stands_on_something_is_not_said_to_fall(said):
    for around in (GROUND, box("2 2 1", "0 0 -1")):
        assert "nothing holds it up" not in said(around) and "it will stand or lie" in said(around)


def test_ground_that_is_elsewhere_holds_nothing_up(said):
    """A world has something to stand on, and the model is not over it."""
    assert "it falls past everything that is there; after 3 s it is 44 m below its start" in said(box("2 2 1", "9 0 0"))


def test_a_model_that_begins_in_the_ground_is_thrown_off(said):
    deep = said(box("4 4 4", "0 0 0"), at="0 0 1.2")
    assert "left alone it runs away" in deep or "flies apart" in deep


@pytest.mark.parametrize(
    "file", ["gz-sim-buoyancy-system", "libBuoyancyPlugin.so", "libuuv_underwater_object_plugin.so"]
)
def test_water_is_missed_by_name(said, file):
    plugin = f"<plugin name='p' filename='{file}'/>"
    for one in (said(GROUND + plugin), said(GROUND, BALL + plugin)):
        assert f"its own simulator carries it by {file}, which is not there here: it has its whole weight" in one
    assert "whole weight" not in said(GROUND + plugin.replace(file, "gz-sim-physics-system"))


def test_a_mujoco_model_that_touches_nothing_says_so(tmp_path):
    def bring(touches):
        file = tmp_path / "m.xml"
        shape = f"<geom size='0.1' contype='{touches}' conaffinity='{touches}'/>"
        body = f"<body name='b' pos='0 0 1'><freejoint/>{shape}</body>"
        file.write_text(f"<mujoco><worldbody><geom type='plane' size='5 5 1'/>{body}</worldbody></mujoco>")
        return " ".join(import_mjcf(file, tmp_path / f"out{touches}").warnings)

    assert "nothing holds it up" in bring(0)
    assert bring(1) == ""
