"""The files that a MuJoCo model names, looked at before MuJoCo opens them: it waits at a pipe, unpacks a picture of any
size, and follows models that are made of each other until the program crashes.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree.ElementTree import Element

from cupola.schema.input_files import MEBI, InputError
from cupola.schema.validation_messages import short

LARGEST_FILE = 512 * MEBI
"""[bytes] of a mesh, a texture or a model."""
MOST_PIXELS = 1 << 26
"""Of a picture: 8192 by 8192."""
MOST_ATTACHED = 5000
"""Elements that come with models attached to others, those inside each other multiplied."""
MODEL = "model"
"""Element whose file is another model, with files of its own."""
FOLDERS: dict[str, tuple[str, ...]] = {"texture": ("texturedir", "assetdir"), MODEL: ()}
"""Attributes of `compiler` that say where files of an element lie; of all others:"""
MESHES = ("meshdir", "assetdir")
PNG = b"\x89PNG\r\n\x1a\n"
HEAD = 24
"""[bytes] of a PNG up to its height."""


def keys_of_files(element: Element) -> list[str]:
    """Attributes that name files: file, and fileright and the like of a cube texture."""
    return [key for key in element.attrib if key.startswith("file")]


def folders_said(root: Element) -> dict[str, str]:
    """What `compiler` elements say of folders; the last one counts."""
    found: dict[str, str] = {}
    for compiler in root.iter("compiler"):
        found |= {key: compiler.attrib[key] for key in (*MESHES, "texturedir", "strippath") if key in compiler.attrib}
    return found


def place_of(element: Element, key: str, main: Path, folders: Mapping[str, str]) -> Path:
    """Where MuJoCo looks for a file that an element names."""
    name = element.attrib[key]
    if folders.get("strippath") == "true":
        name = Path(name).name
    places = FOLDERS.get(element.tag, MESHES)
    folder = next((folders[place] for place in places if place in folders), "")
    return main / folder / name


def check_assets(roots: Mapping[Path, Element], main: Path) -> None:
    """Refuse files that are none, or too large. `roots`: a model's text and those that it names."""
    said: dict[str, str] = {}
    for root in roots.values():
        said |= folders_said(root)
    for path, root in roots.items():
        for element in root.iter():
            for key in keys_of_files(element):
                for folder in {main, path.parent}:  # a model within a model has a folder of its own
                    _check_file(place_of(element, key, folder, said), element)
                    _check_file(folder / element.attrib[key], element)


def _check_file(file: Path, element: Element) -> None:
    if not file.exists():
        return  # MuJoCo says so itself
    if not file.is_file():
        raise InputError(f"{file}: is not a regular file; <{short(element.tag)}> names it")
    if file.stat().st_size > LARGEST_FILE:
        raise InputError(f"{file}: is larger than the {LARGEST_FILE // MEBI} MiB that are read")
    with file.open("rb") as opened:
        check_picture(str(file), opened.read(HEAD))


def check_picture(name: str, content: bytes) -> None:
    """Refuse a PNG that unpacks to more pixels than anybody needs; other files are not looked at."""
    if not content.startswith(PNG):
        return
    width, height = (int.from_bytes(content[k : k + 4], "big") for k in (16, 20))
    if width * height > MOST_PIXELS:
        raise InputError(f"{name}: a picture of {width} by {height}; {MOST_PIXELS} pixels are read")


def check_nesting(roots: Mapping[Path, Element], main: Path, folder: Path) -> None:
    """Refuse models that are made of themselves, and those that grow without end by attaching each other.

    `roots`: the model `main` and all that it names, which is looked up from `folder`.
    """
    added = _Nesting(roots, folder).size(main) - sum(1 for root in roots.values() for _ in root.iter())
    if added > MOST_ATTACHED:
        raise InputError(f"{main}: models that are attached add {added:g} elements; {MOST_ATTACHED} are read")


class _Nesting:
    """How large models are with all that they attach."""

    def __init__(self, roots: Mapping[Path, Element], folder: Path) -> None:
        self._roots, self._folder = roots, folder
        self._known: dict[Path, float | None] = {}
        """Elements of each; None while they are counted."""

    def size(self, file: Path) -> float:
        if file not in self._known:
            self._known[file] = None
            self._known[file] = self._count([*self._included(file, set())])
        found = self._known[file]
        if found is None:
            raise InputError(f"{file}: this model is made of itself")
        return found

    def _included(self, file: Path, met: set[Path]) -> Iterator[Element]:
        """The text of a file and those that it includes."""
        if file in self._roots and file not in met:
            met.add(file)
            yield self._roots[file]
            for element in self._roots[file].iter("include"):
                yield from self._included(self._folder / element.get("file", ""), met)

    def _count(self, texts: list[Element]) -> float:
        elements = [element for text in texts for element in text.iter()]
        named = [(one.get("name"), self.size(self._folder / one.attrib["file"])) for one in elements if _is_model(one)]
        inside, largest = dict(named), max((size for _, size in named), default=0.0)
        return len(elements) + sum(inside.get(one.get("model"), largest) for one in elements if one.tag == "attach")


def _is_model(element: Element) -> bool:
    return element.tag == MODEL and bool(element.get("file"))
