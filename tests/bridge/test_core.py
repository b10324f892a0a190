"""What all importers stand on: inertias that can be, folders that are whole, a report that can be read, five lines."""

import json

import numpy as np
import pytest

from cupola.bridge.inertia import nearest_moments, repair_inertia
from cupola.bridge.new_folder import new_folder
from cupola.bridge.outcome import Imported
from cupola.bridge.pilot import controller_rate
from cupola.bridge.report import Report
from cupola.schema.input_files import InputError


def test_an_inertia_that_can_be_is_left_alone():
    report, tensor = Report(), np.array([[0.2, 0.01, 0], [0.01, 0.3, 0], [0, 0, 0.4]])
    assert repair_inertia(1.0, tensor, "link", report) is tensor
    assert not report.repaired


def test_products_that_contradict_the_moments_are_dropped_and_listed_with_both_numbers():
    report = Report()
    found = repair_inertia(1.0, np.array([[0.2, 0, 0.9], [0, 0.3, 0], [0.9, 0, 0.4]]), "m.sdf: link a", report)
    np.testing.assert_array_equal(found, np.diag([0.2, 0.3, 0.4]))
    (row,) = report.repaired
    assert row.what == "m.sdf: link a: inertia" and "0.9" in row.was and "0.9" not in row.now


@pytest.mark.parametrize("moments", [(1.0, 1.0, 3.0), (0.0, 0.0, 0.0), (-0.1, 0.2, 0.25), (1e-9, 1e-9, 1.0)])
def test_impossible_moments_move_to_the_nearest_possible(moments):
    report = Report()
    found = repair_inertia(1.0, np.diag(moments), "link", report)
    a, b, c = np.linalg.eigvalsh(found)
    assert a > 0.0 and a + b >= c and len(report.repaired) == 1
    assert repair_inertia(1.0, found, "link", Report()) is found  # MuJoCo takes it now


def test_the_nearest_moments_are_a_projection():
    np.testing.assert_allclose(nearest_moments(np.array([1.0, 1.0, 3.0])), [4 / 3, 4 / 3, 8 / 3], rtol=1e-8)


def test_a_folder_appears_whole_or_not_at_all(tmp_path):
    target = tmp_path / "deep" / "vehicle"
    with pytest.raises(RuntimeError), new_folder(target) as folder:
        (folder / "model.xml").write_text("half")
        assert not target.exists()
        raise RuntimeError
    assert not list(target.parent.iterdir())
    with new_folder(target) as folder:
        (folder / "model.xml").write_text("whole")
    assert [path.name for path in target.parent.iterdir()] == ["vehicle"]
    with pytest.raises(InputError, match="exists already"), new_folder(target):
        pass
    assert (target / "model.xml").read_text() == "whole"


def test_the_report_is_data_and_five_lines(tmp_path):
    report = Report()
    report.repair("a", 1, 2, "because")
    report.repair("a", 1, 2, "because")
    report.lose("b", "no place")
    report.assume("c", "3")
    report.write(tmp_path, source="x.sdf")
    said = json.loads((tmp_path / "import.json").read_text())
    assert said["repaired"] == [{"what": "a", "was": "1", "now": "2", "why": "because"}]
    assert said["not_carried_over"] == [{"what": "b", "why": "no place"}] and said["source"] == "x.sdf"
    lines = Imported(tmp_path, report, tmp_path / "vehicle.yaml", "a toy", "nobody").lines()
    assert [title for title, _ in lines] == ["it is", "flown by", "repaired", "lost", "now type"]
    assert dict(lines)["repaired"] == "1: a: 1 became 2"


@pytest.mark.parametrize(("physics", "rate"), [(2000, 400), (1000, 250), (250, 250), (400, 400), (600, 200)])
def test_a_controller_runs_at_a_rate_that_fits(physics, rate):
    assert controller_rate(physics) == rate
    assert physics % rate == 0 and 2000 % rate == 0
