"""The part of xacro that is understood, and the sentences for the rest."""

import math

import pytest

from cupola.bridge.last_letter.expression import evaluate, fill
from cupola.bridge.last_letter.xacro import read_robot
from cupola.bridge.report import Report
from cupola.schema.yaml_files import InputError

HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'


@pytest.fixture
def expand(tmp_path):
    def run(body, **files):
        for name, text in files.items():
            (tmp_path / f"{name}.xacro").write_text(text)
        path = tmp_path / "model.urdf.xacro"
        path.write_text(f"{HEAD}{body}</robot>")
        return read_robot(path)

    return run


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-a/2 + 0.05", -0.45),
        ("2*(a - 3)**2", 8.0),
        ("sqrt(2)*sin(pi/4)", 1.0),
        ("math.pi", math.pi),
        ("a == 1.0", True),
        ("not a", False),
        ("7 // 2 % 2", 1),
    ],
)
def test_arithmetic(text, value):
    assert evaluate(text, {"a": 1.0}, "here") == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("b + 1", "there is no property 'b'; there are: a"),
        ("a +", "cannot evaluate"),
        ("1/0", "division by zero"),
        ("__import__('os').system('true')", "beyond what is understood"),
        ("[x for x in range(3)]", "beyond what is understood"),
    ],
)
def test_what_cannot_be_evaluated_is_said(text, complaint):
    with pytest.raises(InputError, match=complaint):
        evaluate(text, {"a": 1.0}, "here")


def test_numbers_keep_every_digit():
    assert fill("${1/3} x ${2*3}", {}, "here") == f"{1 / 3!r} x 6"


def test_properties_macros_and_defaults(expand):
    robot = expand(
        '<xacro:property name="m" value="2"/>'
        '<xacro:macro name="one" params="name k:=3"><link name="${name}" v="${k*m}"/></xacro:macro>'
        '<xacro:macro name="two" params="name"><xacro:one name="${name}_a"/><xacro:one name="${name}_b" k="5"/>'
        "</xacro:macro>"
        '<xacro:two name="arm"/>'
    )
    assert [link.attrib for link in robot] == [{"name": "arm_a", "v": "6"}, {"name": "arm_b", "v": "10"}]


def test_conditions_arguments_and_includes(expand):
    robot = expand(
        '<xacro:arg name="big" default="1"/><xacro:include filename="part.xacro"/>'
        '<xacro:if value="$(arg big)"><link name="big"/></xacro:if>'
        '<xacro:unless value="${p &gt; 2}"><link name="small"/></xacro:unless>',
        part=f'{HEAD}<xacro:property name="p" value="1"/><link name="included"/></robot>',
    )
    assert [link.get("name") for link in robot] == ["included", "big", "small"]


def test_blocks_defaults_and_scopes(expand):
    """Blocks as properties and by their content, defaults with blanks and of the caller, `and`, `or`, `if ... else`."""
    robot = expand(
        '<xacro:property name="here"><origin xyz="1 2 3"/></xacro:property>'
        '<xacro:property name="p" value="1"/><xacro:property name="p" default="5"/>'
        '<xacro:macro name="m" params="name at:=\'0 0 1\' p:=^|7 q:=^|7 **inside">'
        '<link name="${name}" at="${at}" p="${p}" q="${q}"><xacro:insert_block name="inside"/></link>'
        '<xacro:property name="kept" value="${p + 1}" scope="parent"/></xacro:macro>'
        '<xacro:m name="a"><x><mass/><inertia/></x></xacro:m>'
        '<link name="b" kept="${kept}"><xacro:insert_block name="here"/></link>'
        '<xacro:if value="${p == 1 and not kept == 1 or False}"><link name="c" v="${2 if p else 3}"/></xacro:if>'
    )
    a, b, c = robot
    assert dict(a.attrib) == {"name": "a", "at": "0 0 1", "p": "1", "q": "7"}
    assert [inside.tag for inside in a] == ["mass", "inertia"]
    assert b.get("kept") == "2" and b[0].get("xyz") == "1 2 3" and c.get("v") == "2"


def test_packages_are_found_and_the_environment_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setenv("REACH", "99")
    (tmp_path / "arm_description" / "urdf").mkdir(parents=True)
    (tmp_path / "arm_description" / "parts").mkdir()
    (tmp_path / "arm_description" / "parts" / "a.xacro").write_text(
        f'{HEAD}<xacro:include filename="b.xacro"/></robot>'  # beside the file that includes it
    )
    (tmp_path / "arm_description" / "parts" / "b.xacro").write_text(f'{HEAD}<link name="b"/></robot>')
    main = tmp_path / "arm_description" / "urdf" / "arm.xacro"
    include = '<xacro:include filename="$(find arm_description)/parts/a.xacro"/>'
    main.write_text(f'{HEAD}{include}<link name="$(optenv REACH 0.5)"/></robot>')
    report = Report()
    robot = read_robot(main, report, [main.parent, main.parent.parent])
    assert [link.get("name") for link in robot] == ["b", "0.5"]
    assert report.assumed == [("arm.xacro: $(optenv REACH)", "not looked up; its default: 0.5")]


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ('<xacro:include filename="$(find pkg)/a.xacro"/>', "package://pkg/a.xacro' is not beside it, nor"),
        ('<a b="$(env HOME)"/>', "needs ROS; expand it with `xacro"),
        ('<xacro:include filename="absent.xacro"/>', "absent.xacro' is not beside it"),
        ("<xacro:wheel/>", "<xacro:wheel> is not understood here; macros: none"),
        ('<xacro:property name="p" value="1" scope="moon"/>', "'p' has the scope 'moon'"),
        ('<xacro:macro name="m" params="a"/><xacro:m/>', "the macro 'm' needs 'a'"),
        ('<xacro:macro name="m" params="*a"/><xacro:m/>', "wants a block"),
        ('<xacro:macro name="m" params=""><xacro:m/></xacro:macro><xacro:m/>', "calls itself"),
        ('<xacro:insert_block name="b"/>', "there is no block 'b'"),
        ("<link", "not valid XML"),
    ],
)
def test_what_is_beyond_the_subset_is_said(expand, body, complaint):
    with pytest.raises(InputError, match=complaint):
        expand(body)
