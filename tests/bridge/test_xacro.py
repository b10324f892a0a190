"""The part of xacro that is understood, and the sentences for the rest."""

import math

import pytest

from cupola.bridge.last_letter.expression import evaluate, fill
from cupola.bridge.last_letter.xacro import read_robot
from cupola.bridge.report import Report
from cupola.bridge.sdf.document import with_packages
from cupola.cli.failure import tell
from cupola.cli.importing import bring
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
        ("0 < a <= 1 and 2 in [1, 2]", True),
        ("'x' not in ['x', 'y'] or none is None", True),
        ("limits['elbow'].upper - limits.elbow['lower']", 3.0),
        ("len([1, 2, 3][1:]) + 'front_left'.split('_').index('left')", 3),
        ("'front_left'.endswith('left') and 'A'.lower() == 'a'", True),
        ("sum([limits.get('knee', 4), 1])", 5),
    ],
)
def test_arithmetic(text, value):
    names = {"a": 1.0, "none": None, "limits": {"elbow": {"lower": -1.0, "upper": 2.0}}}
    assert evaluate(text, names, "here") == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("b + 1", "there is no property 'b'; there are: a"),
        ("a +", "cannot evaluate"),
        ("1/0", "division by zero"),
        ("__import__('os').system('true')", "beyond what is understood"),
        ("[x for x in range(3)]", "beyond what is understood"),
        ("a.real", "beyond what is understood"),
        ("'x'.format(a)", "beyond what is understood"),
        ("[1][2]", "there is no 2 in \\[1\\]; there are: 1 values"),
        ("a['x']", "a is 1.0, which has no 'x'"),
        ("[1] * 100000000", "where a number is expected"),
        ("'a'.replace('', 'b' * 10)", "where a number is expected"),
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


def test_truths_are_truths_before_they_meet_an_operator(expand):
    body = """<xacro:property name="camera" value="false"/><xacro:property name="arm" value="True"/>
    <xacro:if value="${not camera and arm}"><link name="bare"/></xacro:if>
    <xacro:if value="${camera}"><link name="camera"/></xacro:if><link name="${camera}"/>"""
    assert [link.get("name") for link in expand(body)] == ["bare", "False"]


def test_properties_and_blocks_may_use_what_comes_after_them(expand):
    body = """<xacro:property name="area" value="${2*side}"/>
    <xacro:property name="block"><xacro:solid mass="${side}"/></xacro:property>
    <xacro:property name="side" value="3"/>
    <xacro:macro name="solid" params="mass"><inertia ixx="${mass}"/></xacro:macro>
    <a area="${area}"/><xacro:insert_block name="block"/><link name="l"/>"""
    made = expand(body)
    assert made[0].get("area") == "6" and made[1].get("ixx") == "3"


def test_a_property_without_a_value_is_refused_where_it_is_used(expand):
    property_ = '<xacro:property name="folder" value="${arg place}"/>'
    assert expand(f'{property_}<link name="a"/>')[0].get("name") == "a"
    with pytest.raises(InputError, match=r"cannot evaluate \$\{arg place\}"):
        expand(f'{property_}<link name="${{folder}}"/>')


def test_properties_that_need_each_other_are_refused(expand):
    with pytest.raises(InputError, match="a property that needs itself"):
        expand('<xacro:property name="a" value="${b}"/><xacro:property name="b" value="${a}"/><c d="${a}"/>')


ARM = """
limits:
  elbow: {lower: !degrees -180, upper: !radians 1.5, effort: 28.0}
names: [base, elbow]
shared: &kept {mass: 2}
again: *kept
"""


LAUGHS = "".join(f"v{k}: &v{k} [{', '.join([f'*v{k - 1}' if k else '1'] * 10)}]\n" for k in range(9))


@pytest.fixture
def arm(tmp_path):
    """A package whose xacro reads its numbers from a YAML file beside it, as those of common arms do."""
    package = tmp_path / "src" / "arms" / "arm_description"
    (package / "urdf").mkdir(parents=True)
    (package / "config").mkdir()
    (package / "package.xml").write_text("<package><name>arm_description</name></package>")
    (package / "config" / "small.yaml").write_text(ARM)
    file = package / "urdf" / "arm.xacro"
    file.write_text(
        HEAD.replace('"r"', '"$(arg name)"')
        + """<xacro:arg name="name" default="arm"/><xacro:property name="file"
        value="$(find arm_description)/config/$(arg size).yaml"/>
        <xacro:property name="config" value="${xacro.load_yaml(file)}"/>
        <xacro:macro name="joint" params="name limits">
          <xacro:if value="${name in limits}"><limit lower="${limits[name].lower}" upper="${limits[name]['upper']}"/>
          </xacro:if>
        </xacro:macro>
        <xacro:joint name="elbow" limits="${config['limits']}"/><xacro:joint name="wrist" limits="${config.limits}"/>
        <link name="${config.names[0]}" mass="${config.again.mass}"/></robot>"""
    )
    return file


def test_numbers_come_from_a_yaml_file_and_arguments_from_outside(arm):
    report = Report()
    robot = read_robot(arm, report, with_packages(arm, []), {"size": "small", "name": "left"})
    limit, link = robot
    assert robot.get("name") == "left" and dict(link.attrib) == {"name": "base", "mass": "2"}
    assert float(limit.attrib["lower"]) == pytest.approx(-math.pi) and limit.get("upper") == "1.5"
    assert [path.name for path in report.read] == ["small.yaml"]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({}, "'size' is an argument without a default; add --set size=VALUE$"),
        ({"size": "small", "colour": "red"}, r"no argument 'colour'; there are: name \(arm\), size"),
        ({"size": "large"}, "the file 'package://arm_description/config/large.yaml' is not beside it"),
    ],
)
def test_arguments_that_do_not_fit_are_said(arm, arguments, complaint):
    with pytest.raises(InputError, match=complaint):
        read_robot(arm, Report(), with_packages(arm, []), arguments)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a: [1", "cannot be read"),
        ("a: !degrees wide", "expected !degrees or !radians and a number"),
        ("a: !!python/object:os.system {}", "could not determine a constructor"),
        ("a: &a [*a, *a]", "more than 10000 values"),
        (LAUGHS, "more than 10000 values"),
    ],
)
def test_yaml_files_that_are_wrong_or_grow_are_refused(arm, text, complaint):
    (arm.parent.parent / "config" / "small.yaml").write_text(text)
    with pytest.raises(InputError, match=complaint):
        read_robot(arm, Report(), with_packages(arm, []), {"size": "small"})


def test_packages_in_folders_of_packages_are_found_and_no_other_file_of_that_name(arm, tmp_path):
    """A file in its own package, in one beside it, and in one further down in a folder that --models names."""
    other, tree = tmp_path / "src" / "arms" / "tool_description", tmp_path / "elsewhere"
    far = tree / "repository" / "tables" / "table_description"
    for package, name in ((other, "tool"), (far, "table")):
        (package / "urdf").mkdir(parents=True)
        (package / "package.xml").write_text("<package/>")
        (package / "urdf" / "arm.xacro").write_text(f'{HEAD}<link name="{name}"/></robot>')
    include = '<xacro:include filename="$(find {}_description)/urdf/arm.xacro"/>'
    arm.write_text(HEAD + include.format("tool") + include.format("table") + "</robot>")
    robot = read_robot(arm, Report(), with_packages(arm, [tree]))
    assert [link.get("name") for link in robot] == ["tool", "table"]


def test_a_refusal_of_any_kind_is_told_without_calling_it_a_bug(tmp_path, capsys):
    (tmp_path / "loop.sdf.jinja").write_text("<sdf>{% if 1 %}{% endif %}</sdf>")
    with pytest.raises(InputError) as error:
        bring(tmp_path / "loop.sdf.jinja", tmp_path / "made", None, (), (), as_json=False)
    assert tell(error.value) == 2 and "looks like a bug" not in capsys.readouterr().err


def test_the_command_gives_arguments_and_names_those_that_are_missing(arm, tmp_path, capsys):
    bring(arm, tmp_path / "made", None, (), ("size=small", "name=left"), as_json=False)
    assert capsys.readouterr().out.startswith("it is:    left, ")
    with pytest.raises(InputError, match="add --set size=VALUE"):
        bring(arm, tmp_path / "other", None, (), (), as_json=False)
    with pytest.raises(InputError, match="--set: expected NAME=VALUE, got 'size'"):
        bring(arm, tmp_path / "other", None, (), ("size",), as_json=False)
