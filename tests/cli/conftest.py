"""Typing `cupola ...` in a folder of its own."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cupola.cli import main


class Answer(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def cupola(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Answer]:
    """Run a command line in a fresh folder, as the entry point does."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def run(*words: str) -> Answer:
        capsys.readouterr()
        with pytest.raises(SystemExit) as exit_:
            main(words)
        return Answer(int(exit_.value.code or 0), *capsys.readouterr())

    return run
