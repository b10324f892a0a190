"""Where the built page lies, and the pictures of its gallery."""

from pathlib import Path

from cupola.schema.yaml_files import InputError

PAGE = Path(__file__).parent / "page"
PICTURES = (Path(__file__).parents[1] / "gallery", Path(__file__).parents[3] / "docs/images/gallery")
"""Where the pictures lie: in an installed package, and in a checkout."""


def find_page() -> Path:
    """The folder with the built page."""
    if not (PAGE / "index.html").is_file():
        raise InputError(
            "the page of the cockpit is not built: `make web` builds it in a checkout; `cupola run` flies without it"
        )
    return PAGE


def find_pictures() -> Path | None:
    """The folder with the pictures of the gallery, if this installation has one."""
    return next((folder for folder in PICTURES if folder.is_dir()), None)
