"""The message packages that a dialect needs and a stock ROS 1 machine lacks, as catkin builds them."""

from collections import defaultdict
from pathlib import Path

from cupola import __version__
from cupola.bridge.new_folder import new_folder
from cupola.bridge.ros.definitions import READY_MADE, SERVICES, request_of, response_of, text_of
from cupola.bridge.ros.graph import Graph

ABOUT = {
    "cupola_msgs": "What the simulator Cupola says where ROS has no message for it",
    "last_letter_2_msgs": "Messages and services of the simulator Last_letter_2",
    "omnivelma_msgs": "Messages and services of the simulation of the base of Velma",
}
PACKAGE = """<?xml version="1.0"?>
<package format="2">
  <name>{name}</name>
  <version>{version}</version>
  <description>{about}</description>
  <maintainer email="nobody@example.org">The Cupola developers</maintainer>
  <license>Apache-2.0</license>
  <buildtool_depend>catkin</buildtool_depend>
{depends}  <build_depend>message_generation</build_depend>
  <exec_depend>message_runtime</exec_depend>
</package>
"""
CMAKE = """cmake_minimum_required(VERSION 3.0.2)
project({name})
find_package(catkin REQUIRED COMPONENTS message_generation{depends})
{files}generate_messages(DEPENDENCIES{depends})
catkin_package(CATKIN_DEPENDS message_runtime{depends})
"""


def write_packages(graph: Graph, folder: Path) -> list[Path]:
    """Into new folders of `folder`, the `src` of a workspace; returns them."""
    files: dict[str, dict[str, str]] = defaultdict(dict)
    for name in (*(one.stream.type for one in graph.outgoing), *(one.type for one in graph.incoming)):
        _add(files, name)
    for name in (*(one.type for one in graph.services), *(one.type for one in graph.asked)):
        request, response = SERVICES[name]
        package, _, short = name.split("/")
        for part in (request_of(name), response_of(name)):
            _add_inner(files, part)
        if package not in READY_MADE:
            files[package][f"srv/{short}.srv"] = f"{request}---\n{response}"
    return [_write(folder / package, package, files[package]) for package in sorted(files)]


def _add(files: dict[str, dict[str, str]], name: str) -> None:
    """A message, and those inside it."""
    package, _, short = name.split("/")
    text = text_of(name)
    if text is None or package in READY_MADE:
        return
    files[package][f"msg/{short}.msg"] = text
    _add_inner(files, name)


def _add_inner(files: dict[str, dict[str, str]], name: str) -> None:
    for inner in _inner(text_of(name) or ""):
        _add(files, inner)


def _inner(text: str) -> list[str]:
    """The types of other packages that a definition names."""
    words = [line.partition("#")[0].split() for line in text.splitlines()]
    names = [word[0].partition("[")[0] for word in words if word]
    return [name.replace("/", "/msg/") for name in names if "/" in name]


def _write(target: Path, package: str, files: dict[str, str]) -> Path:
    needed = sorted({name.partition("/")[0] for text in files.values() for name in _inner(text)} - {package})
    told = {"name": package, "version": __version__, "about": ABOUT[package]}
    depends = "".join(f"  <depend>{name}</depend>\n" for name in needed)
    lines = []
    for kind, call in (("msg", "add_message_files"), ("srv", "add_service_files")):
        if own := [Path(name).name for name in sorted(files) if name.startswith(kind)]:
            lines.append(f"{call}(DIRECTORY {kind} FILES {' '.join(own)})\n")
    also = "".join(f" {name}" for name in needed)
    texts = {"package.xml": PACKAGE.format(**told, depends=depends), **files}
    texts["CMakeLists.txt"] = CMAKE.format(name=package, depends=also, files="".join(lines))
    with new_folder(target) as folder:
        for name, text in texts.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
    return target
