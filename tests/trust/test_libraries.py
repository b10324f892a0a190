"""Every library that is imported only where it is used: absent or broken, the error says how to install it."""

import importlib
import re
import sys
from pathlib import Path

import pytest

import cupola
from cupola.record.stream import RecordingError

HOME = Path(cupola.__file__).parent


def module(name):
    return importlib.import_module(f"cupola.{name}")


def again(name):
    """Import a module of ours anew."""
    sys.modules.pop(f"cupola.{name}", None)
    return module(name)


NEEDED = {
    "foxglove": (lambda: module("bridge.viewers.foxglove").scene_update(None), "cupola[foxglove]"),
    "rerun": (lambda: module("bridge.viewers.rerun")._sdk(), "cupola[rerun]"),
    "pymavlink": (lambda: module("bridge.mavlink.station").dialect(), "cupola[mavlink]"),
    "cyclonedds": (lambda: module("bridge.ros2.dds").Dds(), "cupola[ros2]"),
    "zenoh": (lambda: module("bridge.ros2.zenoh").Zenoh(), "cupola[ros2]"),
    "rclpy": (lambda: module("bridge.ros2.rclpy_node").Rclpy(), "source the setup.bash of ROS 2"),
    "rospy": (lambda: module("bridge.ros1.node").import_rospy(), "apt install ros-core python3-rospy"),
    "fmpy": (lambda: module("bridge.fmi.fmi")._describe(Path("a.fmu")), "cupola[fmi]"),
    "pygame": (lambda: module("teleop.sdl").SdlDevice(), "cupola[joystick]"),
    "h5netcdf": (lambda: netcdf(), "h5netcdf: install them"),
    "xarray": (lambda: module("record.frames").need("xarray", "a dataset"), "cupola[data]"),
    "pandas": (lambda: module("record.frames").need("pandas", "a table"), "cupola[data]"),
    "pyarrow": (lambda: module("many.sweep").parquet_files(), "cupola[data]"),
    "cmaes": (lambda: module("fit.tune")._cma_es(), "cupola[fit]"),
    "ray": (lambda: module("many.workers").cluster("auto"), "cupola[ray]"),
    "jax": (lambda: module("many.differentiable").Differentiable("hover", []), "cupola[jax]"),
    "onnx": (lambda: module("learn.policy_file").onnx_module(), "cupola[learn]"),
    "control": (lambda: module("analysis.linear_model").LinearModel.to_python_control(None), "cupola[control]"),
    "mujoco_warp": (lambda: module("many.warp_arrays").modules(), "cupola[warp]"),
    "gymnasium": (lambda: again("learn.environments"), "cupola[learn]"),
    "pettingzoo": (lambda: again("learn.parallel"), "cupola[agents]"),
    "torch": (lambda: again("learn.tensors"), "https://pytorch.org"),
}
"""What asks for a library, and what it must say."""
ELSEWHERE = {"warp", "numba"}
"""What mujoco_warp brings along; what is always there, and looked for a GPU."""


def netcdf():
    return module("config.netcdf").read_netcdf(b"\x89HDF\r\n\x1a\n" + bytes(64), "a.nc", {"x"})


class Absent:
    """Finds nothing, and lets nobody else look."""

    def __init__(self, name):
        self.name = name

    def find_spec(self, name, path=None, target=None):
        if name == self.name:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


@pytest.fixture
def without(monkeypatch, tmp_path):
    """Hide a library, or put a broken one in its place."""

    def hide(name, text=None):
        for known in [one for one in sys.modules if one == name or one.startswith(f"{name}.")]:
            monkeypatch.delitem(sys.modules, known)
        if text is None:
            monkeypatch.setattr(sys, "meta_path", [Absent(name), *sys.meta_path])
        else:
            (tmp_path / name).mkdir()
            (tmp_path / name / "__init__.py").write_text(text)
            monkeypatch.syspath_prepend(tmp_path)

    kept = dict(sys.modules)
    yield hide
    for name in [one for one in sys.modules if one.startswith("cupola.learn.") and one not in kept]:
        del sys.modules[name]
    sys.modules.update({name: found for name, found in kept.items() if name.startswith("cupola.learn.")})


def said(ask):
    with pytest.raises((cupola.InputError, RecordingError, ValueError)) as refusal:
        ask()
    return str(refusal.value)


@pytest.mark.parametrize("name", NEEDED)
def test_one_that_is_absent_is_told_with_how_to_install_it(name, without):
    ask, how = NEEDED[name]
    without(name)
    words = said(ask)
    assert how in words and "what is installed" not in words and "\n" not in words


@pytest.mark.parametrize("name", NEEDED)
@pytest.mark.parametrize(
    "text",
    ["raise OSError('libfoo.so.3: no such file')", "import nobody_has_this", "raise ImportError('libfoo\\nbar')"],
)
def test_one_that_is_broken_is_told_with_the_reason_and_how_to_install_it(name, text, without):
    ask, how = NEEDED[name]
    without(name, text)
    words = said(ask)
    reason = "nobody_has_this" if "nobody" in text else "libfoo"
    assert how in words and reason in words and "\n" not in words


def test_every_library_that_is_imported_late_is_in_the_list():
    found, left = set(), []
    for path in HOME.rglob("*.py"):
        text = path.read_text()
        found |= {
            one.partition(".")[0] for one in re.findall(r"(?:library|not_imported|_import)\(\s*\"([\w.]+)\"", text)
        }
        if "except ImportError" in text and "fcntl" not in text and "find_spec" not in text:
            left.append(path.name)
    assert found - ELSEWHERE == set(NEEDED) - {"pandas"} and left == []
