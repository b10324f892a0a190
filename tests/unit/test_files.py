"""Reading YAML: what is accepted, and that every mistake is answered with its place, its key and what is allowed."""

import json
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import Field, field_validator, model_validator

from cupola.schema.yaml_files import Entry, InputError, parse, parse_plain, read, schema


class Coefficients(NamedTuple):
    c_lift_0: float
    c_lift_a: float = 6.28
    order: int = 1


class Motor(Entry):
    kind: Literal["motor"]
    k_motor: float = Field(gt=0)
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)


class Airfoil(Entry):
    kind: Literal["airfoil", "fin"]
    coefficients: Coefficients
    stall_deg: float = Field(default=15.0, ge=0, le=90)


Part = Annotated[Motor | Airfoil, Field(discriminator="kind")]


class Vehicle(Entry):
    model: Path
    parts: dict[str, Part]


class Controller(Entry):
    name: str
    rate_hz: float = Field(default=100.0, gt=0)
    mode: Literal["rate", "attitude", "position"] = "attitude"
    gain: float | Literal["auto"] = "auto"

    @field_validator("name")
    @classmethod
    def no_space(cls, name: str) -> str:
        if " " in name:
            raise ValueError("a controller name has no spaces")
        return name


class Placed(Entry):
    vehicle: str
    controller: Controller | None = None
    tags: Annotated[list[str], Field(min_length=1, max_length=2)] = Field(default=["main"])


class Scenario(Entry):
    vehicles: list[Placed]
    seed: int = 0
    live: bool = False
    duration: float = Field(default=10.0, gt=0)
    dt: float = 1e-3
    note: str | None = None
    waypoints: dict[int, float] = Field(default={})

    @model_validator(mode="after")
    def long_enough(self) -> "Scenario":
        if self.duration < self.dt:
            raise ValueError(f"duration {self.duration} s is shorter than one step of {self.dt} s")
        return self


GOOD = """\
vehicles:
  - vehicle: quadcopter
    controller:
      name: cascade
      rate_hz: 250
seed: 3
"""
ALL_KEYS = "vehicles, seed, live, duration, dt, note, waypoints"


def message(text: str, model: type[Entry] = Scenario) -> str:
    with pytest.raises(InputError) as caught:
        parse(text, "a.yaml", model)
    said = str(caught.value)
    assert "pydantic" not in said and "http" not in said
    return said


def part(text: str) -> str:
    """What is said about one part called motor1, on line 3 and on."""
    return message(f"model: m.xml\nparts:\n  motor1: {text}\n", Vehicle)


# What is accepted


def test_a_good_file_becomes_its_model(tmp_path: Path) -> None:
    file = tmp_path / "good.yaml"
    file.write_text("\ufeff" + GOOD, encoding="utf-8")  # editors on Windows write the mark in front
    scenario = read(file, Scenario)
    assert scenario.vehicles[0].controller == Controller(name="cascade", rate_hz=250.0)
    assert scenario.seed == 3


def test_lists_fill_tuples_and_named_tuples_take_names_or_a_list() -> None:
    text = """
model: models/x.xml
parts:
  m: {kind: motor, k_motor: 2, axis: [1, 0, 0]}
  a: {kind: fin, coefficients: {c_lift_0: 0.1, order: 2}}
  b: {kind: airfoil, coefficients: [0.1, 5]}
"""
    vehicle = parse(text, "v.yaml", Vehicle)
    motor, fin, airfoil = vehicle.parts["m"], vehicle.parts["a"], vehicle.parts["b"]
    assert vehicle.model == Path("models/x.xml")
    assert isinstance(motor, Motor) and motor.axis == (1.0, 0.0, 0.0)
    assert isinstance(fin, Airfoil) and fin.coefficients == Coefficients(0.1, 6.28, 2)
    assert isinstance(airfoil, Airfoil) and airfoil.coefficients == Coefficients(0.1, 5.0, 1)


@pytest.mark.parametrize(
    ("written", "number"),
    [("1e-3", 1e-3), ("-2.5E+2", -250.0), (".5", 0.5), ("7.", 7.0), ("+3", 3.0), ("010", 10.0), ("0x1F", 31.0)],
)
def test_numbers_of_yaml_1_2(written: str, number: float) -> None:
    assert parse(f"vehicles: []\ndt: {written}\nduration: 1e300", "a.yaml", Scenario).dt == number


@pytest.mark.parametrize("word", ["on", "off", "yes", "no", "Yes", "y", "n", "2020-01-01", "1:30", "1_000"])
def test_words_stay_text(word: str) -> None:
    assert parse(f"vehicles: []\nnote: {word}", "a.yaml", Scenario).note == word
    assert f"live: expected true or false, got text '{word}'" in message(f"vehicles: []\nlive: {word}")


def test_only_true_and_false_are_booleans() -> None:
    assert parse("vehicles: []\nlive: true", "a.yaml", Scenario).live is True
    assert parse("vehicles: []\nlive: False", "a.yaml", Scenario).live is False


def test_keys_are_text_as_written() -> None:
    assert parse("vehicles: []\nwaypoints: {1: 2.5}", "a.yaml", Scenario).waypoints == {1: 2.5}
    said = message("vehicles: []\nwaypoints: {on: 2.5}")
    assert said == "a.yaml:2:13: waypoints.on: expected a whole number, got text 'on'"


def test_entries_are_as_strict_in_python() -> None:
    for wrong in ("5", True, float("nan"), float("inf")):
        with pytest.raises(InputError, match="Controller: rate_hz: "):
            Controller(name="x", rate_hz=wrong)  # type: ignore[arg-type]
    controller = Controller(name="x", rate_hz=5)
    with pytest.raises(InputError, match="rate_hz cannot be changed"):
        controller.rate_hz = 6.0  # type: ignore[misc]


# Files


def test_missing_file_names_its_neighbours(tmp_path: Path) -> None:
    for name in ("quadcopter.yaml", "plane.yaml"):
        (tmp_path / name).write_text(GOOD)
    with pytest.raises(InputError) as caught:
        read(tmp_path / "quadcpter.yaml", Scenario)
    assert str(caught.value) == f"{tmp_path / 'quadcpter.yaml'}: no such file; did you mean quadcopter.yaml?"
    with pytest.raises(InputError, match=r"holds plane\.yaml, quadcopter\.yaml$"):
        read(tmp_path / "zzz", Scenario)
    with pytest.raises(InputError, match=r"the folder .*nowhere does not exist"):
        read(tmp_path / "nowhere" / "plane.yaml", Scenario)


def test_a_folder_is_not_a_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is a folder, expected a YAML file; .* holds no YAML file"):
        read(tmp_path, Scenario)
    (tmp_path / "inside.yaml").write_text(GOOD)
    with pytest.raises(InputError, match=r"holds inside\.yaml"):
        read(tmp_path, Scenario)


def test_unreadable_files(tmp_path: Path) -> None:
    loop = tmp_path / "loop.yaml"
    loop.symlink_to(loop)  # refused by the system even for a user who may read everything
    with pytest.raises(InputError, match=r"loop\.yaml: cannot be read: \w+"):
        read(loop, Scenario)
    latin = tmp_path / "latin.yaml"
    latin.write_bytes("note: Böe".encode("latin-1"))
    with pytest.raises(InputError, match=r"latin\.yaml: is not UTF-8 text \(byte 8\)"):
        read(latin, Scenario)


# YAML


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("seed: 1\nvehicles: [a, b\nlive: true\n", "3:5", "while parsing a flow sequence: expected ',' or ']'"),
        ("seed:\n\t- 1\n", "2:1", "indent with spaces, not tabs"),
        ("seed: 1\n---\nseed: 2\n", "2:1", "another document"),
        ("seed: \x01\n", "1:7", r"character '\x01'"),
        ('note: "\\UFFFFFFFF"', "", "not valid YAML"),
    ],
)
def test_bad_syntax_in_one_line(text: str, place: str, reason: str) -> None:
    said = message(text)
    assert said.startswith(f"a.yaml:{place}")
    assert reason in said and "not valid YAML" in said and "\n" not in said


@pytest.mark.parametrize("text", ["", "  \n", "# only a remark\n"])
def test_empty_file(text: str) -> None:
    assert message(text) == "a.yaml: is empty, expected a mapping of 'key: value'"


@pytest.mark.parametrize(("text", "got"), [("- a\n- b", "a list"), ("hello", "the single value 'hello'")])
def test_top_level_is_a_mapping(text: str, got: str) -> None:
    assert message(text) == f"a.yaml:1:1: expected a mapping of 'key: value' at the top level, got {got}"


def test_duplicate_keys_are_refused() -> None:
    assert (
        message("seed: 1\nvehicles: []\nseed: 2\n") == "a.yaml:1:1: seed: is written twice, again on line 3; keep one"
    )
    inner = message("vehicles:\n  - vehicle: a\n    vehicle: b\n")
    assert inner == "a.yaml:2:5: vehicles[0].vehicle: is written twice, again on line 3; keep one"


@pytest.mark.parametrize("text", ["seed: &a 1", "vehicles: *a", "seed: !!str 1", "note: !secret x"])
def test_no_anchors_aliases_or_tags(text: str) -> None:
    assert "anchors (&), aliases (*) and tags (!) are not used here" in message(text)


def test_odd_keys_and_depth() -> None:
    assert "line 2 has a list or mapping as a key, expected text" in message("vehicles: []\n? [a, b]\n: 1\n")
    assert "nested deeper than 32 levels" in message("vehicles: " + "[" * 40 + "]" * 40)
    assert "nested deeper than 32 levels" in message("vehicles: " + "[" * 5000)
    assert "half a character" in message('vehicles: []\nnote: "\\ud800"')


@pytest.mark.parametrize("written", [".nan", ".inf", "-.INF", "1e999", "9" * 400, "9" * 5000, "0x" + "f" * 5000])
def test_no_nan_or_infinity_anywhere(written: str) -> None:
    said = message(f"vehicles: []\nnote: {written}\n")
    assert said.startswith("a.yaml:2:1: note: must be a finite number, got " + written[:50])
    assert len(said) < 130


# Keys and values


def test_unknown_key_suggests_and_lists() -> None:
    said = message("vehicles: []\nsede: 1\n")
    assert said == f"a.yaml:2:1: sede: unknown key (did you mean 'seed'?); known keys: {ALL_KEYS}"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("dt: abc", "dt: expected a number, got text 'abc'"),
        ("dt: '1'", "dt: expected a number, got text '1'"),
        ("dt: true", "dt: expected a number, got true"),
        ("dt:", "dt: expected a number, got nothing"),
        ("seed: 1.5", "seed: expected a whole number, got 1.5"),
        ("note: 3", "note: expected text, got 3"),
        ("dt: [1, 2]", "dt: expected a number, got a list of 2"),
        ("dt: {a: 1}", "dt: expected a number, got a mapping with the keys a"),
        ("waypoints: 4", "waypoints: expected a mapping of 'key: value', got 4"),
        ("waypoints: {1: x}", "waypoints.1: expected a number, got text 'x'"),
        ("duration: -1", "duration: must be greater than 0, got -1"),
    ],
)
def test_wrong_type_or_range(line: str, complaint: str) -> None:
    column = 13 if "{1:" in line else 1
    assert message(f"vehicles: []\n{line}\n") == f"a.yaml:2:{column}: {complaint}"


def test_a_list_is_expected_and_so_are_mappings_in_it() -> None:
    assert message("vehicles: quad") == "a.yaml:1:1: vehicles: expected a list, got text 'quad'"
    assert (
        message("vehicles: [quad]") == "a.yaml:1:12: vehicles[0]: expected a mapping of 'key: value', got text 'quad'"
    )


def test_missing_key() -> None:
    assert message("seed: 1\n") == f"a.yaml:1:1: vehicles: is missing; the keys here are {ALL_KEYS}"
    said = message("vehicles:\n  - vehicle: q\n    controller:\n      rate_hz: 5\n")
    assert said.startswith("a.yaml:3:5: vehicles[0].controller.name: is missing; the keys here are name, rate_hz")


def test_range_deep_inside() -> None:
    text = GOOD.replace("250", "-1")
    assert message(text) == "a.yaml:5:7: vehicles[0].controller.rate_hz: must be greater than 0, got -1"
    assert "parts.motor1.stall_deg: must be at most 90, got 91" in part("{kind: fin, coefficients: [1], stall_deg: 91}")


def test_wrong_choice_lists_the_choices() -> None:
    said = message(GOOD.replace("rate_hz: 250", "mode: atitude"))
    assert said == (
        "a.yaml:5:7: vehicles[0].controller.mode: must be 'rate', 'attitude' or 'position', "
        "got text 'atitude' (did you mean 'attitude'?)"
    )


def test_a_plain_union_is_one_problem() -> None:
    said = message(GOOD.replace("rate_hz: 250", "gain: [1]"))
    assert said == "a.yaml:5:7: vehicles[0].controller.gain: expected a number or must be 'auto', got a list of 1"


def test_a_tuple_with_a_wrong_item_is_not_called_too_short() -> None:
    """`vehicles: expected at least 1 items, got 1` stood beside the real mistake: pydantic counts valid items only."""

    class Row(Entry):
        numbers: Annotated[tuple[float, ...], Field(min_length=1)]

    with pytest.raises(InputError) as error:
        parse("numbers: [x]", "a.yaml", Row)
    assert str(error.value) == "a.yaml:1:11: numbers[0]: expected a number, got text 'x'"
    with pytest.raises(InputError, match="expected at least 1 item"):
        parse("numbers: []", "a.yaml", Row)


def test_lists_of_wrong_length() -> None:
    assert part("{kind: motor, k_motor: 1, axis: [0]}").endswith("parts.motor1.axis: expected 3 items, got 1")
    assert part("{kind: motor, k_motor: 1, axis: [0, 0, 1, 1]}").endswith(".axis: expected 3 items, got 4")
    assert message("vehicles: [{vehicle: q, tags: []}]").endswith(".tags: expected at least 1 item(s), got 0")
    assert message("vehicles: [{vehicle: q, tags: [a, b, c]}]").endswith(".tags: expected at most 2 items, got 3")


def test_unknown_kind_lists_the_kinds() -> None:
    said = part("{kind: moter, k_motor: 1}")
    known = "parts.motor1.kind: must be one of motor, airfoil, fin"
    assert said == f"a.yaml:3:12: {known}, got text 'moter' (did you mean 'motor'?)"
    assert part("{kind: }") == f"a.yaml:3:12: {known}, got nothing"
    assert part("{k_motor: 1}") == "a.yaml:3:3: parts.motor1.kind: is missing; give one of motor, airfoil, fin"
    assert part("5") == "a.yaml:3:3: parts.motor1: expected a mapping of 'key: value', got 5"


def test_inside_the_chosen_kind_the_path_is_that_of_the_file() -> None:
    assert part("{kind: motor, k_motor: x}") == "a.yaml:3:25: parts.motor1.k_motor: expected a number, got text 'x'"
    assert part("{kind: motor, k_moter: 1, k_motor: 1}") == (
        "a.yaml:3:25: parts.motor1.k_moter: unknown key (did you mean 'k_motor'?); known keys: kind, k_motor, axis"
    )
    # a part that is called like a kind, and a key called like its own kind, do not confuse the path
    said = message("model: m.xml\nparts: {motor: {kind: motor, k_motor: 1, motor: 2}}", Vehicle)
    assert (
        said == "a.yaml:2:42: parts.motor.motor: unknown key (did you mean 'k_motor'?); known keys: kind, k_motor, axis"
    )


def test_named_tuples_are_treated_like_models() -> None:
    fin = "{kind: fin, coefficients: %s}"
    where = "parts.motor1.coefficients"
    keys = "c_lift_0, c_lift_a, order"
    assert part(fin % "{c_lift_0: 1, c_lift_b: 2}") == (
        f"a.yaml:3:51: {where}.c_lift_b: unknown key (did you mean 'c_lift_a'?); known keys: {keys}"
    )
    assert part(fin % "{order: 2}") == f"a.yaml:3:23: {where}.c_lift_0: is missing; the keys here are {keys}"
    assert part(fin % "{c_lift_0: true}").endswith(f"{where}.c_lift_0: expected a number, got true")
    assert part(fin % "7") == f"a.yaml:3:23: {where}: expected a mapping with the keys {keys}, got 7"
    assert part(fin % "[1, x]").endswith(f"{where}[1]: expected a number, got text 'x'")
    assert part(fin % "[]").endswith(f"{where}: expected 3 items ({keys}), got 0")
    assert part(fin % "[1, 2, 3, 4]").endswith(f"{where}: expected 3 items ({keys}), got 4")


def test_validators_speak_for_themselves() -> None:
    assert (
        message("vehicles: []\nduration: 1e-4") == "a.yaml:1:1: duration 0.0001 s is shorter than one step of 0.001 s"
    )
    said = message(GOOD.replace("cascade", "my own"))
    assert said == "a.yaml:4:7: vehicles[0].controller.name: a controller name has no spaces"


def test_several_problems_are_counted_and_follow_the_file() -> None:
    text = "dt: x\nvehicles:\n  - vehicle: 3\n    wheels: 4\nseed: 1.5\n"
    assert message(text).splitlines() == [
        "a.yaml: 4 problems",
        "a.yaml:1:1: dt: expected a number, got text 'x'",
        "a.yaml:3:5: vehicles[0].vehicle: expected text, got 3",
        "a.yaml:4:5: vehicles[0].wheels: unknown key; known keys: vehicle, controller, tags",
        "a.yaml:5:1: seed: expected a whole number, got 1.5",
    ]


def test_keys_of_more_than_one_word_are_quoted_in_paths() -> None:
    said = message("model: m\nparts:\n  front left: {kind: motor, k_motor: 0}", Vehicle)
    assert said == "a.yaml:3:29: parts['front left'].k_motor: must be greater than 0, got 0"


# Editors


def test_schema_allows_what_the_reader_allows() -> None:
    described = schema(Vehicle)
    assert described["$schema"].startswith("https://json-schema.org/")
    assert described["required"] == ["model", "parts"] and described["additionalProperties"] is False
    named, listed = described["$defs"]["Coefficients"]["anyOf"]
    assert list(named["properties"]) == ["c_lift_0", "c_lift_a", "order"]
    assert named["required"] == ["c_lift_0"] and named["additionalProperties"] is False
    assert listed["type"] == "array" and listed["maxItems"] == 3
    json.dumps(described)


# Anything at all

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
KEYS = st.sampled_from(ALL_KEYS.split(", ")) | st.sampled_from(["kind", "vehicle", "controller", "parts", "model"])
KINDS = st.fixed_dictionaries(
    {"kind": st.sampled_from(["motor", "fin", "airfoil"]) | SCALARS},
    optional={
        "coefficients": st.lists(SCALARS, max_size=4) | st.dictionaries(st.text(max_size=8), SCALARS, max_size=3)
    },
)
DATA: st.SearchStrategy[Any] = st.recursive(
    SCALARS | KINDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS | st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)
TEXT = st.text(alphabet="ab1e.:-+,[]{}&*!?|>'\"%@`#~<=\\xuU \n\t", max_size=60) | st.text(max_size=60)


@settings(max_examples=300, deadline=None)
@given(text=TEXT | DATA.map(lambda data: yaml.safe_dump(data, allow_unicode=True)))
@example(text="&a [*a]")
@example(text="{" * 3000)
@example(text="? {a: 1}\n: b")
@example(text="%YAML " + "9" * 5000 + ".1\n---\na: 1")
@example(text="<<: {a: 1}")
def test_no_text_raises_anything_else(text: str) -> None:
    for model in (Scenario, Vehicle):
        try:
            assert isinstance(parse(text, "a.yaml", model), model)
        except InputError as error:
            first, *rest = str(error).splitlines()
            assert first.startswith("a.yaml")
            assert not rest or first == f"a.yaml: {len(rest)} problems"


def test_a_text_is_read_once_and_what_is_done_to_one_answer_is_not_seen_in_the_next(monkeypatch):
    text = "once: {a: [1, 2.5, 0x10, yes, null], b: 1e-3}\n"
    first = parse_plain(text, "once.yaml")
    monkeypatch.setattr(yaml, "compose", None)
    first["once"]["a"].append(3)
    assert parse_plain(text, "once.yaml") == {"once": {"a": [1, 2.5, 16, "yes", None], "b": 0.001}}


def test_the_same_text_of_two_files_is_blamed_on_each():
    for source in ("one.yaml", "two.yaml", "one.yaml"):
        with pytest.raises(InputError, match=f"^{source}:1:1: a: is written twice, again on line 2"):
            parse_plain("a: 1\na: 2\n", source)
