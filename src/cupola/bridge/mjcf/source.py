"""An MJCF file of others: everything it includes in one text, and which body of it becomes the vehicle."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import mujoco

from cupola.bridge.report import Report
from cupola.build.mjcf_files import pack_model
from cupola.build.mjcf_limits import DEEPEST, check_mjcf
from cupola.schema.input_files import InputError, boundary, is_pointer
from cupola.schema.xml_files import parse_xml

ASSETS = "assets"
"""Folder of meshes and textures."""
READ = ("keyframe", "sensor", "option")
SHOWN = ("size", "visual", "statistic")
"""Sections that no vehicle keeps: what was read from the first becomes start, parts and scenario."""
NAMING = ("body", "body1", "body2", "geom", "geom1", "geom2", "joint", "joint1", "joint2", "jointinparent", "site",
          "site1", "site2", "refsite", "slidersite", "cranksite", "tendon", "tendon1", "tendon2",
          "actuator")  # fmt: skip
"""Attributes by which sections other than the bodies name what they act on."""
ACTING = ("contact", "equality", "tendon", "actuator")


UNKNOWN = re.compile(r"unrecognized attribute: '(?P<key>\w+)' Element '(?P<tag>\w+)'")
"""What MuJoCo says of a word that it does not know."""
JOINTS = ("joint", "freejoint")
MOST_WORDS = 20
ROOT = "base"
"""Name of a vehicle's body that has none."""
SHOWN_MOST = 5
"""Files that an error names at most."""


class AssetNames:
    """Assets keep the names of their files; a second one of the same name gets its folder in front."""

    def __init__(self) -> None:
        self.kept: dict[str, tuple[str, bytes]] = {}
        """Name and content, by the name in small letters: some file systems do not tell capitals apart."""

    def __call__(self, content: bytes, file: Path) -> str:
        """The name of a file in the vehicle folder."""
        plain = re.sub(r"[^\w.-]", "_", file.name)
        for name in (plain, f"{file.resolve().parent.name}_{plain}", *(f"{k}_{plain}" for k in range(2, 1000))):
            taken, there = self.kept.setdefault(name.lower(), (name, content))
            if there == content:
                return f"{ASSETS}/{taken}"
        raise InputError(f"{file}: more than 1000 files of that name")


class Source:
    """The model of a file, compiled, and its text, to be cut down to one vehicle."""

    def __init__(self, path: Path, report: Report) -> None:
        self.path, self.report = path, report
        check_mjcf(path)
        packed = pack_model(path, named=AssetNames())
        self.assets = packed.assets
        if pointers := [name for name, content in packed.assets.items() if is_pointer(content)]:
            said = ", ".join(pointers[:SHOWN_MOST]) + (" and more" if len(pointers) > SHOWN_MOST else "")
            raise InputError(
                f"{path}: files that are pointers of Git LFS: {said}; `git lfs pull` brings what they hold"
            )
        report.say_what_lies_elsewhere(packed.files, [path.parent])
        self.root: ET.Element = parse_xml(packed.text, str(path), "mujoco", deepest=DEEPEST)
        self.actuators = [one for section in self.root.findall("actuator") for one in section]
        self._name_actuators()
        self._name_bodies()
        self._forget_old_words()
        self.model = self.compiled()
        if len(self.actuators) != self.model.nu:
            said = f"{len(self.actuators)} actuators are written in it, and MuJoCo makes {self.model.nu}"
            raise InputError(f"{path}: {said}; import the file that <attach> names, or write out <replicate>")

    @property
    def name(self) -> str:
        """What the model calls itself, else its file."""
        return self.root.get("model") or self.path.stem

    def text(self) -> str:
        """As it is now."""
        return ET.tostring(self.root, encoding="unicode") + "\n"

    def compiled(self) -> Any:
        """The text as MuJoCo reads it."""
        with boundary(self.path, "MuJoCo refuses the model"):
            return mujoco.MjModel.from_xml_string(self.text(), self.assets)

    def _forget_old_words(self) -> None:
        """Leave out attributes of older versions that this one no longer knows."""
        for _ in range(MOST_WORDS):
            try:
                mujoco.MjModel.from_xml_string(self.text(), self.assets)
                return
            except ValueError as error:
                found = UNKNOWN.search(" ".join(str(error).split()))
            if found is None:
                return  # whatever else is wrong is said when it is compiled
            for element in self.root.iter(found["tag"]):
                if (was := element.attrib.pop(found["key"], None)) is not None:
                    why = f"MuJoCo {mujoco.__version__} does not know this attribute"
                    self.report.repair(f"<{found['tag']}>: {found['key']}", was, "left out", why)

    def bodies(self) -> list[ET.Element]:
        """Bodies that hang on the world, those in frames too."""
        row, found = list(self.root.findall("worldbody")), []
        while row:
            element = row.pop(0)
            found += element.findall("body")
            row += element.findall("frame")
        return found

    def choose(self, wanted: str | None) -> ET.Element:
        """The body that becomes the vehicle: the one that `--model` names, else that is driven, free, or moves."""
        bodies = self.bodies()
        names = ", ".join(body.attrib["name"] for body in bodies) or "none"
        if wanted is not None:
            found = [body for body in bodies if body.get("name") == wanted]
            if not found:
                raise InputError(f"{self.path}: there is no body {wanted!r} on the world; there are: {names}")
            return found[0]
        if not bodies:
            raise InputError(f"{self.path}: there is no body on the world, so there is nothing that could be a vehicle")
        driven = [body for body in bodies if self._is_driven(body)]
        free = [body for body in bodies if is_free(body)]
        jointed = [body for body in bodies if any(True for tag in JOINTS for _ in body.iter(tag))]
        classes = {
            "bodies that are free and that actuators act on": [body for body in free if body in driven],
            "bodies that actuators act on": driven,
            "bodies that are free": free,
            "bodies that move": jointed,
            "bodies on the world": bodies,
        }
        kind, chosen = next((kind, found) for kind, found in classes.items() if found)
        if len(chosen) != 1:
            said = ", ".join(body.attrib["name"] for body in chosen)
            raise InputError(f"{self.path}: {kind}: {said}; --model says which becomes the vehicle")
        if len(bodies) > 1:
            others = ", ".join(body.attrib["name"] for body in bodies if body is not chosen[0])
            name = chosen[0].attrib["name"]
            self.report.assume("vehicle", f"{name}, the only one of the {kind}; --model chooses of {others} too")
        return chosen[0]

    def _is_driven(self, body: ET.Element) -> bool:
        """Whether an actuator acts on a body, or on something that hangs on it."""
        own = {element.attrib["name"] for element in body.iter() if "name" in element.attrib}
        tendons = {
            tendon.get("name")
            for section in self.root.findall("tendon")
            for tendon in section
            if any(part.get(key) in own for part in tendon.iter() for key in NAMING)
        }
        return any(one.get(key) in own | tendons for one in self.actuators for key in NAMING)

    def paired(self, body: ET.Element) -> dict[str, set[str]]:
        """Geoms of the world that a <pair> lets touch the vehicle, and the vehicle's geoms of these pairs."""
        own = {geom.get("name", "") for geom in body.iter("geom")} - {""}
        ground = {self.model.geom(k).name for k in range(self.model.ngeom) if self.model.geom_bodyid[k] == 0} - {""}
        found: dict[str, set[str]] = {}
        for pair in (one for section in self.root.findall("contact") for one in section.findall("pair")):
            ends = {pair.get("geom1", ""), pair.get("geom2", "")}
            if ends & own and ends & ground:
                found.setdefault(min(ends & ground), set()).update(ends & own)
        return found

    def _touch_by_masks(self, body: ET.Element, report: Report) -> None:
        """A vehicle keeps no pair with the world: its geoms that touch by pairs alone touch by their masks instead."""
        wanted = set().union(*self.paired(body).values())
        masked = []
        for geom in (one for one in body.iter("geom") if one.get("name") in wanted):
            k = self.model.geom(geom.attrib["name"]).id
            if not self.model.geom_contype[k] and not self.model.geom_conaffinity[k]:
                geom.set("conaffinity", "1")
                masked.append(geom.attrib["name"])
        if masked:
            said = "they touch whatever stands there, with the usual contact: the file lets them by <pair> alone"
            report.assume(f"<contact>: {', '.join(masked)}", said)

    def keep(self, body: ET.Element, report: Report) -> None:
        """Cut everything away that is not the vehicle, and say so."""
        self._touch_by_masks(body, report)
        before = set(self._names())
        for world in self.root.findall("worldbody"):
            self._cut(world, body, report)
        for tag in (*READ, *SHOWN):
            for section in self.root.findall(tag):
                self.root.remove(section)
                if tag in SHOWN:
                    report.lose(f"<{tag}>", "how a viewer shows it, and how much memory it takes")
        gone = before - set(self._names())
        for section in [one for tag in ACTING for one in self.root.findall(tag)]:
            for element in list(section):
                touched = sorted({text for e in element.iter() for key in NAMING if (text := e.get(key)) in gone})
                if touched:
                    report.lose(f"<{section.tag}>: {_called(element)}", f"acts on {', '.join(touched)}, which is gone")
                    section.remove(element)
                    if element in self.actuators:
                        self.actuators.remove(element)

    def _cut(self, parent: ET.Element, body: ET.Element, report: Report) -> None:
        for child in list(parent):
            if child is body:
                continue
            if child.tag == "frame" and body in list(child.iter("body")):
                self._cut(child, body, report)
                continue
            if child.tag not in ("light", "geom"):  # the scene of a viewer; geoms are told by whoever reads the ground
                report.lose(f"<{parent.tag}>: {_called(child)}", "only the vehicle is taken")
            parent.remove(child)

    def _names(self) -> Iterator[str]:
        for section in self.root.findall("worldbody"):
            yield from (element.attrib["name"] for element in section.iter() if "name" in element.attrib)

    def _name_actuators(self) -> None:
        taken = {one.get("name") for one in self.actuators}
        for k, one in enumerate(self.actuators):
            if not one.get("name"):
                one.set("name", next(n for n in (f"actuator{k + 1}", f"actuator{k + 1}_") if n not in taken))

    def _name_bodies(self) -> None:
        """So that --model can choose one."""
        taken = {body.get("name") for body in self.root.iter("body")}
        nameless = [body for body in self.bodies() if not body.get("name")]
        for k, body in enumerate(nameless, 1):
            plain = ROOT if len(nameless) == 1 else f"body{k}"
            body.set("name", next(n for n in (plain, f"{plain}_", f"{plain}__") if n not in taken))


def is_free(body: ET.Element) -> bool:
    """Whether nothing holds a body to the world."""
    return body.find("freejoint") is not None or any(j.get("type") == "free" for j in body.findall("joint"))


def _called(element: ET.Element) -> str:
    return f"{element.tag} {element.get('name', '')}".strip()
