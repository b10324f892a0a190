"""Versions of Python that are declared: the sources are read by each one that is found here."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSIONS = [found[1] for line in PROJECT["classifiers"] if (found := re.fullmatch(r".* :: Python :: (3\.\d+)", line))]
READ = "import pathlib, sys; [compile(p.read_bytes(), str(p), 'exec') for p in pathlib.Path(sys.argv[1]).rglob('*.py')]"


def test_they_are_declared_from_the_oldest_on():
    assert VERSIONS == ["3.11", "3.12", "3.13"] and PROJECT["requires-python"] == f">={VERSIONS[0]}"


@pytest.mark.parametrize("version", VERSIONS)
def test_the_sources_are_valid_in_it(version):
    python = shutil.which(f"python{version}")
    if python is None or subprocess.run([python, "-c", ""], capture_output=True).returncode:  # a shim may not start
        pytest.skip(f"no Python {version} here")
    done = subprocess.run([python, "-W", "error", "-c", READ, str(ROOT / "src")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
