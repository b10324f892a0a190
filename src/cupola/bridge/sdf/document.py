"""An SDF file and everything it includes: where files are, and of which version of the format."""

from pathlib import Path

from cupola.bridge.sdf.node import Node, read_xml
from cupola.schema.yaml_files import InputError


class Document:
    """One file and everything it includes."""

    def __init__(self, path: Path, folders: list[Path]) -> None:
        self.path = path
        self.folders = list(folders)
        """Where model:// is looked up: folders beside every file that is read, after those that were named."""
        self.roots: list[Node] = []
        self.lost: list[tuple[str, str]] = []
        self.root = self.open(path)

    def open(self, path: Path) -> Node:
        """The root element of a file of this document."""
        root = read_xml(path, "sdf", "gazebo")
        self.roots.append(root)
        self.folders += [folder for folder in (path.parent, path.parent.parent) if folder not in self.folders]
        return root

    @staticmethod
    def version(root: Node) -> float:
        """Of the format: 1.04 for 1.4, so that 1.11 comes after 1.9."""
        text = root.element.get("version", "1.11")
        major, _, minor = text.partition(".")
        try:
            return float(major) + int(minor or 0) / 100.0
        except ValueError:
            raise InputError(f"{root}: version {text!r} is not that of an SDF file") from None

    def model_file(self, uri: str, where: Node) -> Path:
        """The SDF file that an include names."""
        folder = self.resolve(uri, where)
        if folder.is_file():
            return folder
        config = folder / "model.config"
        if config.is_file() and (named := read_xml(config, "model").all("sdf")):
            return folder / named[-1].text
        return folder / "model.sdf"

    def resolve(self, uri: str, where: Node | str) -> Path:
        """The file or folder that a URI names."""
        found = self.find(uri)
        if found is None:
            looked = ", ".join(dict.fromkeys(str(folder) for folder in self.folders))
            raise InputError(f"{where}: there is no {uri!r}; looked in {looked}; --models names further folders")
        return found

    def find(self, uri: str) -> Path | None:
        """The same, or nothing."""
        return find_file(uri, self.folders)


def find_file(uri: str, folders: list[Path]) -> Path | None:
    """What lies behind model://, package:// or file:// in one of the folders, or beside the file that names it."""
    kind, _, rest = uri.rpartition("://")
    for folder in folders:
        for name in (rest, rest.partition("/")[2] if kind else rest):
            if name and (folder / name).exists():
                return folder / name
    return None


def included(document: Document, include: Node) -> tuple[Node, float]:
    """The model element that an include brings, and the version of its file."""
    path = document.model_file(include.need("uri").text, include)
    root = document.open(path)
    model = root.one("model")
    if model is None:
        raise InputError(f"{path}: an included file must hold a <model>")
    return model, document.version(root)
