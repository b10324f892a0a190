"""Each promise of docs/reliability.md and docs/trust.md has a test, and each test that is named exists."""

import ast
import re
from pathlib import Path

import pytest

from cupola.cli.commands import app, new

ROOT = Path(__file__).parents[2]
PAGES = {name: (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in ("reliability", "trust")}
FUZZ, TRUST, ENDINGS = "tests/fuzz/test_fuzz.py", "tests/cli/test_trust.py", "tests/trust/test_endings.py"
HELD, VERIFY = "tests/cockpit/test_held.py", "tests/cli/test_verify.py"
SAID = {
    "What Cupola promises": "tests/trust/test_promises.py::test_every_row_of_the_tables_has_a_test",
    "A kill may leave a hidden": "tests/soak/test_soak.py::test_nothing_else_writes_files_that_could_be_half",
    "`Recording.interrupted`": f"{ENDINGS}::test_what_is_incomplete_says_so_in_every_command_that_reads_it",
    "`cupola run --hang-limit": f"{ENDINGS}::test_a_controller_that_ends_or_hangs",
    "Not caught in the process": "tests/external/test_isolated.py::test_a_model_in_c_ends_the_run_and_not_the_program",
    "Commands beyond what": "tests/engine/test_motors.py::test_a_wheel_saturates",
    "`make soak` flies": "tests/soak/test_soak.py::test_each_command_that_exists_is_killed_or_writes_nothing",
    "Measured": "tests/soak/test_soak.py::test_a_run_in_pieces_is_the_run_in_one_go",
    "On 19 November 2026 all five": "tests/soak/test_soak.py::test_the_judge_finds_other_bits_and_memory_that_grows",
    "Measures of a scenario need": "tests/unit/test_kept_rows.py::test_a_table_in_a_file_is_the_table_in_memory",
    "An untrusted or damaged": f"{FUZZ}::test_every_input_is_read_or_refused",
    "Numbers must be finite": "tests/bridge/test_hostile.py::test_limits_without_end_are_none",
    "`make fuzz` damages": f"{FUZZ}::test_a_finding_is_a_finding",
    "A second campaign": f"{FUZZ}::test_the_same_seed_gives_the_same_damage",
    "Before these limits": "tests/record/test_damage.py::test_damaged_recordings",
    "**Data never runs code.**": f"{TRUST}::test_no_command_runs_what_a_vehicle_names",
    "It runs with all your rights": f"{TRUST}::test_what_runs_worlds_refuses_code_and_says_how_to_allow_it",
    "if **you named it**": f"{TRUST}::test_code_that_was_named_runs",
    "or if **you trust the folder**": f"{TRUST}::test_trust_is_given_once_and_for_one_folder",
    "or if it ships": f"{TRUST}::test_what_ships_needs_no_trust",
    "A path leads where": f"{TRUST}::test_a_scenario_cannot_lead_to_code_elsewhere",
    "`cupola check` lists": f"{TRUST}::test_check_lists_code_and_runs_none",
    "In Python the same": f"{TRUST}::test_python_refuses_what_a_file_names_and_runs_what_the_caller_names",
    "A [recording](record.md) holds": f"{HELD}::test_it_is_shown_the_same_elsewhere_after_its_files_are_gone",
    "Files that a scenario": "tests/trust/test_files_elsewhere.py::"
    "test_a_recording_names_the_files_from_elsewhere_that_it_holds",
    "A policy in an ONNX file": "tests/learn/test_policy.py::"
    "test_a_stranger_s_policy_reads_no_file_and_comes_to_an_end",
    "`cupola replay` builds": f"{HELD}::test_what_code_gave_is_shown_by_its_numbers_and_its_arrow",
    "`cupola verify` runs": f"{VERIFY}::test_code_runs_from_the_disk_if_it_is_the_same_and_trusted",
    "Names in an untrusted file": "tests/cockpit/test_share.py::test_a_hostile_recording_brings_no_code_into_the_file",
    "`python -m cupola` imports": f"{TRUST}::test_modules_of_the_present_folder_are_not_taken",
    "`cupola` also ignores settings": f"{TRUST}::test_settings_of_the_present_folder_are_not_obeyed",
}
"""How each paragraph that stands in no table begins, and its test."""


def exists(test: str) -> bool:
    file, _, name = test.partition("::")
    nodes = ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8")))
    return not name or name in {node.name for node in nodes if isinstance(node, ast.FunctionDef)}


def paragraphs(text: str) -> list[str]:
    """Without code, headings and tables; items of a list one by one."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    blocks = [part for block in text.split("\n\n") for part in re.split(r"^- ", block, flags=re.MULTILINE)]
    return [block.strip() for block in blocks if block.strip() and block.strip()[0] not in "#|"]


def test_every_row_of_the_tables_has_a_test():
    rows = [line for line in PAGES["reliability"].splitlines() if re.match(r"\| .*\| `tests/", line)]
    assert len(rows) > 30
    for row in rows:
        found = re.search(r"`(tests/[\w/]+\.py(?:::\w+)?)` \|$", row)
        assert found and exists(found[1]), row
    tables = re.findall(r"^\| promise \| test \|\n\|---\|---\|\n((?:\|.*\n)+)", PAGES["reliability"], re.MULTILINE)
    assert len(rows) == sum(table.count("\n") for table in tables), "a promise without a test"


@pytest.mark.parametrize("name", PAGES)
def test_every_paragraph_has_a_test(name):
    for paragraph in paragraphs(PAGES[name]):
        assert paragraph.startswith(tuple(SAID)), f"no test is named for: {paragraph}"


def test_every_test_that_is_named_here_exists_and_belongs_to_a_paragraph():
    said = [paragraph for page in PAGES.values() for paragraph in paragraphs(page)]
    for begin, test in SAID.items():
        assert exists(test), test
        assert any(paragraph.startswith(begin) for paragraph in said), begin


def test_the_page_on_trust_says_of_every_command_whether_it_runs_code():
    rows = re.findall(r"^\| (`[\w`, ]+) \| (.*) \|$", PAGES["trust"], re.MULTILINE)
    told = [command for commands, _ in rows for command in re.findall(r"`(\w+)`", commands)]
    made = {str(one.name or one.callback.__name__) for one in app.registered_commands if one.callback} | {"new"}
    assert new.registered_commands and sorted(told) == sorted(made)
