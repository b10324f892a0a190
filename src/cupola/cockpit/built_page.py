"""Where the built page lies."""

from pathlib import Path

from cupola.schema.yaml_files import InputError

PAGE = Path(__file__).parent / "page"


def find_page() -> Path:
    """The folder with the built page."""
    if not (PAGE / "index.html").is_file():
        raise InputError(
            "the page of the cockpit is not built: `make web` builds it in a checkout; `cupola run` flies without it"
        )
    return PAGE
