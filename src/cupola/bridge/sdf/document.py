"""An SDF file and everything it includes: where files are, and of which version of the format."""

import re
from pathlib import Path

from cupola.bridge.report import Report
from cupola.bridge.sdf.node import Node, read_node
from cupola.schema.input_files import InputError, listed, looks
from cupola.schema.validation_messages import short
from cupola.schema.xml_files import MOST

LONGEST = 1000
"""Characters of the name of a file."""
DEEP, MOST_FOLDERS = 5, 5000
"""Folders inside each other in which packages are looked for, and folders that are looked at."""
PACKAGES = ("package.xml", "model.config")
"""Files that lie at the top of a package of ROS, and of a model of Gazebo."""

FUEL = re.compile(r"https?://.*/models/([^/]+)(?:/\d+|/tip)?/?$", re.IGNORECASE)
"""A model on a server of Gazebo's, with or without a version behind its name."""


class MissingFileError(InputError):
    """A file that another one includes is not there."""


class Document:
    """One file and everything it includes."""

    def __init__(self, path: Path, folders: list[Path], report: Report) -> None:
        self.path, self.report = path, report
        self.folders = list(folders)
        """Where model:// is looked up: folders beside every file that is read, after those that were named."""
        self.roots: list[Node] = []
        self.lost: list[tuple[str, str]] = report.lost
        self._elements = 0
        self.root = self.open(path)

    def open(self, path: Path) -> Node:
        """The root element of a file of this document."""
        root = read_node(path, self.report, "sdf", "gazebo")
        self._elements += sum(1 for _ in root.element.iter())
        if self._elements > MOST:
            raise InputError(f"{path}: with everything included there are more than {MOST} elements")
        self.roots.append(root)
        self.folders += [folder for folder in (path.parent, path.parent.parent) if folder not in self.folders]
        return root

    @staticmethod
    def version(root: Node) -> float:
        """Of the format: 1.04 for 1.4, so that 1.11 comes after 1.9."""
        text = root.element.get("version", "1.11").strip()
        found = re.fullmatch(r"(\d)(?:\.(\d{1,2}))?", text, re.ASCII)
        if found is None:
            raise InputError(f"{root}: version {short(text)!r} is not that of an SDF file")
        return int(found[1]) + int(found[2] or 0) / 100.0

    @staticmethod
    def order(version: str) -> tuple[int, ...]:
        """By which the versions of a format follow each other."""
        return tuple(int(part) for part in re.findall(r"\d{1,4}", version))

    def model_file(self, uri: str, where: Node) -> Path:
        """The SDF file that an include names."""
        folder = self.resolve(uri, where)
        if folder.is_file():
            return folder
        return model_of(folder, self.report)

    def resolve(self, uri: str, where: Node | str) -> Path:
        """The file or folder that a URI names."""
        found = self.find(uri)
        if found is None:
            looked = ", ".join(dict.fromkeys(str(folder) for folder in self.folders))
            raise MissingFileError(f"there is no {uri!r}; looked in {looked}; --models names further folders")
        return found

    def find(self, uri: str) -> Path | None:
        """The same, or nothing; a model of a server is looked for by its name among those that are here."""
        name = FUEL.match(uri)
        found = find_file(f"model://{name[1]}", self.folders) if name else find_file(uri, self.folders)
        if name and found is not None:
            self.report.assume(uri, f"{found.parent.name}/{found.name}, as it has that name; nothing is downloaded")
        return found


def find_file(uri: str, folders: list[Path]) -> Path | None:
    """What lies behind model://, package:// or file:// in one of the folders, or beside the file that names it."""
    kind, _, rest = uri.rpartition("://")
    if len(uri) > LONGEST or "\0" in uri:
        return None
    steps = rest.split("/")
    names = ["/".join(steps[k:]) for k in range(len(steps) if kind else 1)]
    # Without its package, and where that is unpacked elsewhere without the folders above, but never a bare name.
    usual, shorter = names[:2], [name for name in names[2:] if "/" in name]
    for name in (*usual, *shorter):
        for folder in folders:
            if name and (folder / name).exists():
                return folder / name
    return None


def with_packages(path: Path, folders: list[Path]) -> list[Path]:
    """Folders in which packages lie: that of the file's own and those further down in the named ones, then beside it.

    As ROS does, a folder is a package if it holds a package.xml, and packages lie in folders of packages.
    """
    own = next((one for one in path.resolve().parents[:DEEP] if looks((one / PACKAGES[0]).is_file)), None)
    found = [own.parent] if own else []
    visited = 0
    row = [(folder, 0) for folder in folders]
    while row and visited < MOST_FOLDERS:
        folder, depth = row.pop(0)
        visited += 1
        if looks((folder / PACKAGES[0]).is_file):
            found.append(folder.parent)
        elif depth < DEEP and looks(folder.is_dir):
            inside = [one for one in listed(folder) if looks(one.is_dir) and not one.name.startswith(".")]
            row += [(one, depth + 1) for one in inside if not one.is_symlink()]
    return list(dict.fromkeys([*found, path.parent, path.parent.parent, *folders]))


def package_of(path: Path) -> Path:
    """The folder of a file, or that of the package or the model to which it belongs."""
    above = path.resolve().parents[:3]
    return next((one for one in above if any(looks((one / name).is_file) for name in PACKAGES)), above[0])


def included(document: Document, include: Node) -> tuple[Node, float]:
    """The model element that an include brings, and the version of its file; `MissingFileError` where there is none."""
    path = document.model_file(include.need("uri").text, include)
    root = document.open(path)
    model = root.one("model")
    if model is None:
        raise InputError(f"{path}: an included file must hold a <model>")
    return model, document.version(root)


def is_sdf_folder(folder: Path) -> bool:
    """Whether a folder is a model of Gazebo: it has a model.config, or SDF files."""
    return (folder / "model.config").is_file() or any(folder.glob("*.sdf")) or any(folder.glob("*.sdf.jinja"))


def model_of(folder: Path, report: Report) -> Path:
    """The SDF file of a model folder: the newest that its model.config names, model.sdf, or the only one there is."""
    config = folder / "model.config"
    if config.is_file():
        listed = read_node(config, report, "model").all("sdf")
        named = [one for one in listed if one.text and (folder / one.text).is_file()]
        if named:
            return folder / max(named, key=lambda one: Document.order(one.element.get("version", ""))).text
        for one in listed:
            templates = [folder / f"{one.text}.jinja"] if one.text else []
            if templates and templates[0].is_file():
                return templates[0]
    if (folder / "model.sdf").is_file():
        return folder / "model.sdf"
    found = sorted(folder.glob("*.sdf")) or sorted(folder.glob("*.sdf.jinja"))
    if len(found) == 1:
        return found[0]
    said = ", ".join(path.name for path in found) or "none"
    raise InputError(f"{folder}: there is no model.sdf in it, and model.config names none; .sdf files there: {said}")
