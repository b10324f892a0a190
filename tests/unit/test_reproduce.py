"""The table of published figures: every quick row passes, and a wrong figure would be noticed."""

import json
import os

import pytest

from cupola import reproduce
from cupola.reproduce import standard_atmosphere
from cupola.reproduce.last_letter import wings as last_letter_wings
from cupola.reproduce.row import at_most, data_file, printed, within
from cupola.schema.yaml_files import InputError

KEYS = ["id", "source", "quantity", "published", "measured", "unit", "criterion", "pass"]


@pytest.fixture(scope="module")
def table():
    return reproduce.run([])


def test_every_quick_row_passes(table):
    failed = [row for row in table if not row["pass"]]
    if not os.environ.get("CUPOLA_DATA"):
        failed = [row for row in failed if "CUPOLA_DATA" not in str(row["measured"])]
    assert failed == []


def test_rows_have_the_keys_of_the_table(table):
    for row in table:
        assert sorted(row) == sorted(KEYS)
    assert json.loads(json.dumps(table, allow_nan=False)) == table
    assert len({row["id"] for row in table}) == len(table)


FAMILIES = ["wing_", "spline_", "motor_", "quad_", "hexa_", "plane_", "sensors_", "twin_", "tumbling", "sound"]
FAMILIES += [
    "mavsim_3",
    "mavsim_4a",
    "mavsim_4b",
    "mavsim_5",
    "nesc_01",
    "nesc_09",
    "nanobench_figure_eight",
    "nanobench_lissajous",
    "morphing_line",
    "morphing_lattice",
    "morphing_start",
    "morphing_flapping",
    "morphing_yeo",
    "morphing_energy",
    "cepheus_mass_matrix",
    "cepheus_truth_",
    "cepheus_sensors_",
    "cepheus_listing_",
    "cepheus_moving_",
    "cepheus_hardware_",
    "cepheus_captures",
    "liftdrag_",
    "cessna_",
]


@pytest.mark.parametrize("quantity", FAMILIES)
def test_no_family_of_rows_is_lost(table, quantity):
    assert any(row["id"].startswith(quantity) for row in table)


def test_groups_can_be_asked_for_one_by_one():
    done = []
    rows = reproduce.run(["atmosphere"], progress=done.append)
    assert done == [row["id"] for row in rows]
    assert {row["source"].partition(",")[0] for row in rows if row["pass"]} >= {"U.S. Standard Atmosphere"}


def test_unknown_group_lists_the_known_ones():
    with pytest.raises(InputError, match=r"'wings'.*last_letter, atmosphere, rigid_body, mavsim, nesc, nanobench"):
        reproduce.run(["wings"])


def test_a_wrong_published_figure_fails(monkeypatch):
    degrees, blend, lift, drag = last_letter_wings.LINEAR[1]
    assert lift == "2.96244"
    monkeypatch.setattr(last_letter_wings, "LINEAR", ((degrees, blend, "2.96246", drag),))
    by_id = {row.id: row.passed for row in last_letter_wings.rows(False)}
    assert (by_id["wing_lift_20"], by_id["wing_drag_20"]) == (False, True)


def test_half_of_the_last_printed_digit_is_allowed():
    assert printed("x", "", "", "0.0437", 0.04374).passed
    assert not printed("x", "", "", "0.0437", 0.04376).passed
    assert printed("x", "", "", "1.17e-10", 1.174e-10).passed
    assert not printed("x", "", "", "1.17e-10", 1.18e-10).passed
    assert printed("x", "", "", "831", 831.4).passed and not printed("x", "", "", "831", 831.6).passed


@pytest.mark.parametrize("measured", [float("nan"), float("inf"), -float("inf")])
def test_what_is_not_a_number_never_passes(measured):
    assert not within("x", "", "", 1.0, measured, 1e9).passed
    assert not at_most("x", "", "", 1e9, abs(measured)).passed


def test_rows_without_their_data_say_so_and_do_not_pass(monkeypatch, tmp_path):
    monkeypatch.delenv("CUPOLA_DATA", raising=False)
    for row in standard_atmosphere.nesc_rows(data_file("nesc/Atmos_01_sim_05.csv")):
        assert not row.passed and row.published is None
        assert row.measured == "no nesc/Atmos_01_sim_05.csv: CUPOLA_DATA is not set"
    monkeypatch.setenv("CUPOLA_DATA", str(tmp_path))
    assert data_file("nesc/a.csv") == f"no nesc/a.csv in CUPOLA_DATA ({tmp_path})"


def test_rows_with_their_data_are_judged(tmp_path):
    path = tmp_path / "fall.csv"
    path.write_text("altitude_m,temperature_k,pressure_pa,density_kg_m3\n0,288.15,101325,1.3\n")
    verdicts = [row.passed for row in standard_atmosphere.nesc_rows(path)]
    assert verdicts == [True, True, False]
