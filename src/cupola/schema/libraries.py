"""Packages that are imported only where they are used; one that is absent or broken is told with how to install it."""

import importlib
from typing import Any

from cupola.schema.yaml_files import InputError


def library(name: str, sentence: str, kind: type[Exception] = InputError) -> Any:
    """The module of a name; else an error with the sentence, which says who needs it and how to install it."""
    try:
        return importlib.import_module(name)
    except Exception as error:  # one that is broken may raise anything
        raise not_imported(name, sentence, error, kind) from None


def not_imported(name: str, sentence: str, error: Exception, kind: type[Exception] = InputError) -> Exception:
    """What to say after an import that failed."""
    if isinstance(error, ModuleNotFoundError) and error.name in (None, name.partition(".")[0]):
        return kind(sentence)
    short = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    more = "; add --force-reinstall" if "pip install" in sentence else ""
    return kind(f"{sentence} (what is installed cannot be imported: {short}{more})")
