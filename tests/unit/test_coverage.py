"""The ledgers in docs/coverage: every feature of the four theses has one row, and what a row claims exists."""

import ast
import re
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
LEDGERS = {"last_letter_2": 133, "omni_base": 121, "cepheus": 125, "morphing_wing": 169}
HEADER = ["#", "feature", "status", "module", "test"]
STATUS = re.compile(r"done|open|replaced by \S.*|not applicable because \S.*")


class Row(NamedTuple):
    number: str
    feature: str
    status: str
    modules: list[str]
    tests: list[str]

    @property
    def needs_evidence(self) -> bool:
        return self.status == "done" or self.status.startswith("replaced by")


def parse(text: str) -> list[Row]:
    """Rows of the table headed `# | feature | status | module | test`; a row of another width is an error."""
    lines = iter(text.splitlines())
    for line in lines:
        if _cells(line) == HEADER:
            break
    else:
        raise ValueError(f"no table headed {' | '.join(HEADER)}")
    next(lines)
    rows = []
    for line in lines:
        if not line.startswith("|"):
            break
        cells = _cells(line)
        if len(cells) != len(HEADER):
            raise ValueError(f"{len(cells)} cells instead of {len(HEADER)}: {line}")
        number, feature, status, modules, tests = cells
        rows.append(Row(number, feature, status, _names(modules), _names(tests)))
    return rows


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def _names(cell: str) -> list[str]:
    return [name.strip(" `") for name in cell.split(",") if name.strip(" `")]


def problems(rows: list[Row], count: int, root: Path = ROOT) -> list[str]:
    """What is wrong with a ledger that must have the rows 1 to `count`; empty when all is well."""
    found = []
    numbers = [row.number for row in rows]
    expected = [str(n) for n in range(1, count + 1)]
    found += [f"row {n} is missing" for n in expected if n not in numbers]
    found += [f"row {n} appears {numbers.count(n)} times" for n in expected if numbers.count(n) > 1]
    found += [f"row {n} is not one of 1 to {count}" for n in numbers if n not in expected]
    for row in rows:
        found += [f"row {row.number}: {problem}" for problem in _row_problems(row, root)]
    return found


def _row_problems(row: Row, root: Path) -> list[str]:
    found = []
    if not row.feature:
        found.append("no feature")
    if not STATUS.fullmatch(row.status):
        found.append(f"status {row.status!r} is not done, replaced by …, not applicable because … or open")
    if row.needs_evidence and not row.modules:
        found.append(f"{row.status} but no module")
    if row.needs_evidence and not row.tests:
        found.append(f"{row.status} but no test")
    found += [f"no module {name}" for name in row.modules if not _is_file(root, name)]
    found += [f"no test {name}" for name in row.tests if not _is_test(root, name)]
    return found


def _is_file(root: Path, name: str) -> bool:
    return not Path(name).is_absolute() and ".." not in Path(name).parts and (root / name).exists()


def _is_test(root: Path, name: str) -> bool:
    path, _, function = name.partition("::")
    if not re.fullmatch(r"tests/.+\.py::test_\w+", name) or not _is_file(root, path):
        return False
    body = ast.parse((root / path).read_text(encoding="utf-8")).body
    return any(isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == function for node in body)


@pytest.mark.parametrize("name", LEDGERS)
def test_ledger_is_complete_and_true(name):
    text = (ROOT / "docs" / "coverage" / f"{name}.md").read_text(encoding="utf-8")
    assert problems(parse(text), LEDGERS[name]) == []


def test_every_ledger_is_checked():
    assert {path.stem for path in (ROOT / "docs" / "coverage").glob("*.md")} == set(LEDGERS)


@pytest.mark.parametrize(("thesis", "count"), [("Last_letter_2", 41), ("Omni base", 24), ("Cepheus", 23)])
def test_every_contradiction_is_decided(thesis, count):
    section = (
        (ROOT / "docs/decisions.md").read_text(encoding="utf-8").partition(f"## {thesis}\n")[2].partition("\n## ")[0]
    )
    rows = [cells for line in section.splitlines() if (cells := _cells(line))[0].isdigit()]
    assert [int(row[0]) for row in rows] == list(range(1, count + 1))
    assert all(len(row) == 3 and row[2] for row in rows)


def ledger(*rows: str) -> str:
    return "\n".join(["# Title", "", "| # | feature | status | module | test |", "|---:|---|---|---|---|", *rows, ""])


THIS = "tests/unit/test_coverage.py"
GOOD = f"| 1 | lift | done | `{THIS}` | `{THIS}::test_good_rows_pass` |"


def test_good_rows_pass():
    rows = [GOOD, "| 2 | a | open | | |", "| 3 | b | not applicable because no air | | |"]
    rows.append(GOOD.replace("| 1 |", "| 4 |").replace("done", "replaced by a browser page"))
    assert problems(parse(ledger(*rows)), 4) == []


@pytest.mark.parametrize(
    ("rows", "count", "complaint"),
    [
        ([GOOD], 2, "row 2 is missing"),
        ([GOOD, GOOD], 1, "row 1 appears 2 times"),
        ([GOOD, "| 7 | a | open | | |"], 1, "row 7 is not one of 1 to 1"),
        (["| 1 | | open | | |"], 1, "row 1: no feature"),
        (["| 1 | a | Done | | |"], 1, "row 1: status 'Done' is not"),
        (["| 1 | a | | | |"], 1, "row 1: status '' is not"),
        (["| 1 | a | open soon | | |"], 1, "row 1: status 'open soon' is not"),
        (["| 1 | a | not applicable because | | |"], 1, "row 1: status 'not applicable because' is not"),
        ([f"| 1 | a | done | | {THIS}::test_good_rows_pass |"], 1, "row 1: done but no module"),
        ([f"| 1 | a | replaced by b | {THIS} | |"], 1, "row 1: replaced by b but no test"),
        ([GOOD.replace(f"`{THIS}` |", "src/cupola/nothing.py |")], 1, "row 1: no module src/cupola/nothing.py"),
        ([GOOD.replace(f"`{THIS}` |", "../elsewhere |")], 1, "row 1: no module ../elsewhere"),
        ([GOOD.replace("test_good_rows_pass", "test_absent")], 1, f"row 1: no test {THIS}::test_absent"),
        ([GOOD.replace("test_good_rows_pass", "ledger")], 1, f"row 1: no test {THIS}::ledger"),
        ([GOOD.replace("::test_good_rows_pass", "")], 1, f"row 1: no test {THIS}"),
    ],
)
def test_bad_rows_are_named(rows, count, complaint):
    found = problems(parse(ledger(*rows)), count)
    assert len(found) == 1
    assert found[0].startswith(complaint)


@pytest.mark.parametrize("text", ["no table here", ledger("| 1 | a | open | |")])
def test_malformed_text_is_refused(text):
    with pytest.raises(ValueError, match=r"no table|cells instead of"):
        parse(text)
