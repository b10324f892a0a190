"""Each promise of docs/reliability.md names a test that exists."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8").partition("## Hostile files")[0]


def test_every_promise_has_a_test():
    rows = re.findall(r"^\| .*`(tests/[\w/]+\.py)::(\w+)` \|$", PAGE, re.MULTILINE)
    promises = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| promise")]
    assert len(rows) == len(promises) > 25
    for file, name in rows:
        nodes = ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8")))
        assert name in {node.name for node in nodes if isinstance(node, ast.FunctionDef)}, name
