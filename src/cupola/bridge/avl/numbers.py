"""Numbers as Fortran reads them: an exponent may begin with D."""

from cupola.schema.input_files import finite


def real(word: str) -> float | None:
    """The finite number that a word is; None for any other word."""
    return finite(word.lower().replace("d", "e", 1))
