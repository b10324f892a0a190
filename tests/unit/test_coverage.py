"""The ledgers in docs/coverage: every feature of the four theses has one row, and what a row claims exists."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
LEDGERS = {"last_letter_2": 133, "omni_base": 121, "cepheus": 125, "morphing_wing": 169}
HEADER = ["#", "feature", "status", "module", "test"]
STATUS = re.compile(r"done|done, shown with data only|partly: \S.*|open|replaced by \S.*|not applicable because \S.*")
WITH_DATA = "shown with data only"
"""A status says so where every test of the row is skipped without the original data."""


class Row(NamedTuple):
    number: str
    feature: str
    status: str
    modules: list[str]
    tests: list[str]

    @property
    def needs_evidence(self) -> bool:
        return self.status.startswith(("done", "partly:", "replaced by"))

    @property
    def is_whole(self) -> bool:
        """Whether nothing of what its modules hold may lie unused."""
        return self.status.startswith(("done", "replaced by"))


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
        found.append(f"status {row.status!r} is not done, partly: …, replaced by …, not applicable because … or open")
    if row.needs_evidence and not row.modules:
        found.append(f"{row.status} but no module")
    if row.needs_evidence and not row.tests:
        found.append(f"{row.status} but no test")
    modules = [name for name in row.modules if _is_module(root, name)]
    found += [f"no module {name}" for name in row.modules if name not in modules]
    if row.is_whole:
        found += [f"{unused} has no caller" for name in modules for unused in _without_caller(root, name)]
    tests = [name for name in row.tests if _is_test(root, name)]
    found += [f"no test {name}" for name in row.tests if name not in tests]
    if row.needs_evidence and tests and all(_needs_data(root, name) for name in tests) != (WITH_DATA in row.status):
        wrong = "does not say" if WITH_DATA not in row.status else "wrongly says"
        found.append(f"{wrong} that it is {WITH_DATA}")
    return found


def _is_file(root: Path, name: str) -> bool:
    return not Path(name).is_absolute() and ".." not in Path(name).parts and (root / name).exists()


def _is_module(root: Path, name: str) -> bool:
    """A path, or `path::name` of a function or class in it."""
    path, _, function = name.partition("::")
    return _is_file(root, path) and (not function or function in _definitions(root / path))


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _definitions(path: Path) -> list[str]:
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return [node.name for node in _tree(path).body if isinstance(node, kinds)]


def _without_caller(root: Path, name: str) -> list[str]:
    """Public functions and classes of a cited module that neither the package nor an example uses.

    `path::name` is asked for that name alone. A definition with a decorator, such as a command, has its caller there.
    """
    path, _, only = name.partition("::")
    if not path.startswith("src/") or not path.endswith(".py"):
        return []
    decorated = [getattr(node, "name", "") for node in _tree(root / path).body if getattr(node, "decorator_list", None)]
    asked = [only] if only else [n for n in _definitions(root / path) if not n.startswith("_") and n not in decorated]
    return [f"{path}::{n}" for n in asked if n not in _used(root)]


@cache
def _used(root: Path) -> frozenset[str]:
    """Names that code of the package or an example mentions outside their own definition and outside an import."""
    mentions: set[str] = set()
    for path in (*(root / "src").rglob("*.py"), *(root / "examples").rglob("*.py")):
        for statement in _tree(path).body:
            mentions |= {_mentioned(node) for node in ast.walk(statement)} - {getattr(statement, "name", "")}
    return frozenset(mentions)


def _mentioned(node: ast.AST) -> str:
    """A name, an attribute, or the last word of a line of a registry, `module:Name`."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"[\w.]+:\w+", node.value):
        return node.value.rpartition(":")[2]
    return str(getattr(node, "id", None) or getattr(node, "attr", None) or "")


def _is_test(root: Path, name: str) -> bool:
    """`tests/file.py::test_name`, or `…::test_name[value]` where the file holds that text."""
    match = re.fullmatch(r"(tests/.+\.py)::(test_\w+)(?:\[(.+)\])?", name)
    if not match or not _is_file(root, match[1]):
        return False
    tree = _tree(root / match[1])
    values = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return match[2] in _definitions(root / match[1]) and (match[3] is None or match[3] in values)


def _needs_data(root: Path, name: str) -> bool:
    """Whether a test, or its whole file, is marked `data`."""
    path, _, function = name.partition("[")[0].partition("::")
    for node in _tree(root / path).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark":
            if "pytest.mark.data(" in ast.unparse(node.value):
                return True
        elif isinstance(node, ast.FunctionDef) and node.name == function:
            return any("pytest.mark.data(" in ast.unparse(mark) for mark in node.decorator_list)
    return False


@pytest.mark.parametrize("name", LEDGERS)
def test_ledger_is_complete_and_true(name):
    text = (ROOT / "docs" / "coverage" / f"{name}.md").read_text(encoding="utf-8")
    assert problems(parse(text), LEDGERS[name]) == []


def test_every_ledger_is_checked():
    assert {path.stem for path in (ROOT / "docs" / "coverage").glob("*.md")} == set(LEDGERS)


def test_no_test_passes_over_data_that_are_not_there():
    """The mark `data` skips by name; a test that looks for itself whether there are any could pass without them."""
    looks = [r"environ\W+(get\()?\W*CUPOLA_DATA", r"skipif\(.*(data_file|CUPOLA_DATA)"]
    for path in (ROOT / "tests").rglob("test_*.py"):
        if path != Path(__file__):
            assert not any(re.search(look, path.read_text(encoding="utf-8")) for look in looks), path


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
REPRODUCE = "tests/unit/test_reproduce.py"
GOOD = f"| 1 | lift | done | `{THIS}` | `{THIS}::test_good_rows_pass` |"


def test_good_rows_pass():
    rows = [GOOD, "| 2 | a | open | | |", "| 3 | b | not applicable because no air | | |"]
    rows.append(GOOD.replace("| 1 |", "| 4 |").replace("done", "replaced by a browser page"))
    rows.append(GOOD.replace("| 1 |", "| 5 |").replace("done", "partly: lift is there, drag is not"))
    rows.append(
        f"| 6 | of one function | done | `src/cupola/physics/curve.py::spline` | `{THIS}::test_good_rows_pass` |"
    )
    rows.append(f"| 7 | of one case | done | `{THIS}` | `{REPRODUCE}::test_figures[wing_]` |")
    rows.append(f"| 8 | of data | done, shown with data only | `{THIS}` | `{REPRODUCE}::test_figures_of_data[nesc_]` |")
    assert problems(parse(ledger(*rows)), 8) == []


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
        ([GOOD.replace(f"{THIS}` |", f"{THIS}::absent` |")], 1, f"row 1: no module {THIS}::absent"),
        ([f"| 1 | a | done | {THIS} | {REPRODUCE}::test_figures[absent] |"], 1, "row 1: no test"),
        (
            [f"| 1 | a | done | {THIS} | {REPRODUCE}::test_figures_of_data[nesc_] |"],
            1,
            "row 1: does not say that it is",
        ),
        ([GOOD.replace("done", f"done, {WITH_DATA}")], 1, "row 1: wrongly says that it is shown with data only"),
    ],
)
def test_bad_rows_are_named(rows, count, complaint):
    found = problems(parse(ledger(*rows)), count)
    assert len(found) == 1
    assert found[0].startswith(complaint)


def test_what_a_row_cites_has_a_caller(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "examples").mkdir()
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_a.py").write_text("def test_it(): ...")
    (tmp_path / "src/a.py").write_text(
        "@command\ndef started(): ...\ndef used(): ...\ndef recursive(): recursive()\ndef imported(): ...\n"
        "class Named: ...\ndef shown(): ...\ndef _own(): ..."
    )
    (tmp_path / "src/b.py").write_text("from a import imported, used\nused()\nKINDS = {'named': 'src.a:Named'}")
    (tmp_path / "examples/c.py").write_text("import a\na.shown()")

    def complain(module, status="done"):
        return problems(parse(ledger(f"| 1 | a | {status} | {module} | tests/test_a.py::test_it |")), 1, tmp_path)

    assert complain("src/a.py") == [f"row 1: src/a.py::{name} has no caller" for name in ("recursive", "imported")]
    assert complain("src/a.py::recursive") == ["row 1: src/a.py::recursive has no caller"]
    assert complain("src/a.py::used") == []
    assert complain("src/a.py", "partly: one calls itself only") == []


@pytest.mark.parametrize("text", ["no table here", ledger("| 1 | a | open | |")])
def test_malformed_text_is_refused(text):
    with pytest.raises(ValueError, match=r"no table|cells instead of"):
        parse(text)
