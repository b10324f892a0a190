"""Files that were made to hurt an importer: each is answered with one sentence, within seconds."""

import pytest

from cupola.bridge.last_letter.expression import evaluate
from cupola.bridge.last_letter.folder import import_folder
from cupola.bridge.last_letter.xacro import read_robot
from cupola.bridge.sdf.folder import import_file
from cupola.schema.input_files import InputError
from cupola.schema.xml_files import parse_xml

pytestmark = pytest.mark.timeout(60)

HEAD = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
INERTIAL = "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"
LAUGHS = "".join(f'<!ENTITY a{k} "{f"&a{k - 1};" * 10 if k else "ha"}">' for k in range(10))


@pytest.mark.parametrize(
    "text",
    [
        "9**9**9", "9**9**9**9", "-9**9**9", "2**1e300", "(9**99)**(9**99)", "1e999", "1e308*10", "10**400",
        "'a'*10**9", "10**9*'a'", "'%1000000000d' % 5", "'a'+'b'*9", "float('nan')", "float('inf')", "sqrt(-1)",
        "int('9'*5000)", "0**-1", "1/0", "1//0", "5 % 0", "tan()", "max()", "atan2(1)", "(-8)**0.5", "'a' < 1",
        "(" * 300 + "1" + ")" * 300, "1" * 5000, "1\x002", "[1, 2][2]", "lambda: 1", "__import__('os')",
        "math.os", "().__class__", "x", "1 +", "",
    ],
)  # fmt: skip
def test_expressions_that_have_no_value(text):
    with pytest.raises(InputError, match=r"^f\.xacro: .*(cannot evaluate|more than 1000 characters)"):
        evaluate(text, {}, "f.xacro")


@pytest.mark.parametrize(
    ("text", "value"),
    [("2**10", 1024), ("2**-2", 0.25), ("10**300 * 10", 10**301), ("'a' + 'b'", "ab"), ("(-2)**3", -8), ("0**9", 0)],
)
def test_expressions_that_have_one(text, value):
    assert evaluate(text, {}, "f.xacro") == value


MACROS = "".join(
    f'<xacro:macro name="m{k}" params="">{f"<xacro:m{k - 1}/>" * 10 if k else ""}</xacro:macro>' for k in range(20)
)
DOUBLED = "".join(f'<xacro:property name="p{k + 1}" value="${{p{k}}}${{p{k}}}"/>' for k in range(60))
ARGUED = "".join(f'<xacro:arg name="p{k + 1}" default="$(arg p{k})$(arg p{k})"/>' for k in range(60))


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        ('<xacro:include filename="f.xacro"/>', "includes itself"),
        ('<xacro:include filename="f.xacro"/>' * 2, "includes itself"),
        ('<xacro:macro name="a" params=""><xacro:a/></xacro:macro><xacro:a/>', "calls itself"),
        (f"{MACROS}<xacro:m19/>", "more than 100000 elements"),
        (f'<xacro:property name="p0" value="ab"/>{DOUBLED}', "grows to more than 10000 characters"),
        (f'<xacro:arg name="p0" default="ab"/>{ARGUED}', "grows to more than 10000 characters"),
        ('<link name="${9**9**9}"/>', "cannot evaluate"),
        (f'<link name="{"${" * 50_000}"/>', "is not closed"),
        ("<a>" * 3000 + "</a>" * 3000, "nested more than 100 deep"),
        ('<xacro:property value="1"/>', "<{http://www.ros.org/wiki/xacro}property> has no 'name'"),
        ("<xacro:if><a/></xacro:if>", "has no 'value'"),
        ("<xacro:include/>", "has no 'filename'"),
        (f'<xacro:include filename="{"x" * 5000}"/>', "is not beside it"),
        ('<xacro:macro name="a" params="*b"><c/></xacro:macro><xacro:a><xacro:property name="q" value="1"/></xacro:a>',
         "is 0 elements, expected one"),
    ],
)  # fmt: skip
def test_hostile_xacro(tmp_path, body, complaint):
    (tmp_path / "f.xacro").write_text(f"{HEAD}{body}</robot>")
    with pytest.raises(InputError) as error:
        read_robot(tmp_path / "f.xacro")
    assert complaint in str(error.value) and "f.xacro" in str(error.value)


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (f"<!DOCTYPE a [{LAUGHS}]><a>&a9;</a>".encode(), "the entity 'a0': entities of one's own are not read"),
        (b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', "the entity 'x'"),
        (b'<!DOCTYPE a [<!ENTITY x "1e999">]><a>&x;</a>', "the entity 'x'"),
        (b'<!DOCTYPE a [<!ENTITY x "0000000000001">]><a>&x;</a>', "the entity 'x'"),
        (b'<!DOCTYPE a [<!ENTITY % x "1">]><a>&x;</a>', "the entity 'x'"),
        (b'<!DOCTYPE a [<!ENTITY x "<b/>">]><a>&x;</a>', "the entity 'x'"),
        (b'<!DOCTYPE a SYSTEM "http://no.where/x.dtd"><a>&x;</a>', "entit"),
        (b"<a>&x;</a>", "not valid XML: undefined entity"),
        (b"<a>" * 100_000, "nested more than 100 deep"),
        (b"<a>" + b"<b/>" * 300_001 + b"</a>", "more than 300000 elements"),
        (b"<a", "not valid XML"),
        (b"", "not valid XML: no element found"),
        (b"\x00" * 100, "not valid XML"),
        (b'<?xml version="1.0" encoding="klingon"?><a/>', "not valid XML"),
        (b"<a>\xff\xfe</a>", "not valid XML"),
        (b"<!--" * 500_000, "not valid XML"),
    ],
)
def test_hostile_xml(data, complaint):
    with pytest.raises(InputError) as error:
        parse_xml(data, "f.xml")
    assert complaint in str(error.value) and str(error.value).startswith("f.xml")


def test_names_of_numbers_are_read():
    """JSBSim's systems write `&on;`; such a text cannot grow."""
    root = parse_xml(b'<!DOCTYPE a [<!ENTITY on "1"><!ENTITY low "-0.25">]><a b="&low;">&on;</a>', "f.xml")
    assert (root.text, root.get("b")) == ("1", "-0.25")


def test_faults_of_xml_that_cost_nothing():
    """Others read both, and real models have them."""
    root = parse_xml(b"\n  <?xml version='1.0'?><a x='1'><!-- one -- two --><b>t</b></a>", "f.xml")
    assert root.get("x") == "1" and root.findtext("b") == "t"
    root = parse_xml(b"<a xmlns:x='http://x.org'><x:b x:c='1'/></a>", "f.xml")  # names as ElementTree has them
    assert root[0].tag == "{http://x.org}b" and root[0].get("{http://x.org}c") == "1"


def link(name, inside=""):
    return f'<link name="{name}">{INERTIAL}{inside}</link>'


def joint(k, parent, child, inside=""):
    axis = f"<axis><xyz>0 0 1</xyz>{inside}</axis>"
    return f'<joint name="j{k}" type="revolute"><parent>{parent}</parent><child>{child}</child>{axis}</joint>'


def sdf(body):
    return f'<sdf version="1.9"><model name="m">{body}</model></sdf>'


CHAIN = "".join(link(f"l{k}") + (joint(k, f"l{k - 1}", f"l{k}") if k else "") for k in range(400))
MANY = "".join(link(f"l{k}") for k in range(1500))
FRAMES = "".join(f'<frame name="f{k}"><pose relative_to="f{k + 1}"/></frame>' for k in range(3000))


def includes(k):
    return "".join(f"<include><uri>i{k}.sdf</uri><name>n{j}</name></include>" for j in range(10))


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (link("a").replace("<mass>1", "<mass>nan"), "inertial/mass: expected a finite number, got 'nan'"),
        (link("a").replace("<ixx>1", "<ixx>inf"), "ixx: expected a finite number"),
        (link("a").replace("<ixx>1", "<ixx>1e999"), "ixx: expected a finite number"),
        (link("a").replace("<ixx>1", "<ixx>1_0"), "ixx: expected a finite number"),
        (link("a", "<pose>0 0 nan 0 0 0</pose>"), "pose: expected 6 finite numbers"),
        (link("a", '<pose rotation_format="quat_xyzw">0 0 0 0 0 0 0</pose>'), "is no turn"),
        (link("a") + link("b") + joint(1, "a", "b", "<limit><lower>nan</lower></limit>"), "lower: expected a finite"),
        (link("a", "<pose>1.7e308 1.7e308 0 1 1 1</pose>") + link("b", "<pose>-1.7e308 0 0 2 2 2</pose>")
         + joint(1, "a", "b"), "which no model can hold"),
        (CHAIN, "more than 200 links hang on it in a row"),
        (MANY, "1500 links"),
        (FRAMES + link("a", '<pose relative_to="f0">0 0 0 0 0 0</pose>'), "nested too deeply"),
        (includes(1), "more than 300000 elements"),
        ("<include><uri>i8.sdf</uri></include>" * 2, "there are two things called 'm'"),
        (f'<include><uri>{"x" * 100_000}</uri></include>', "there is no"),
        ("<include><uri>\u2028</uri></include>", "there is no"),
        (link("a") + '<model name="n">' * 150 + "</model>" * 150, "nested more than 100 deep"),
    ],
)  # fmt: skip
def test_hostile_sdf(tmp_path, body, complaint):
    for k in range(1, 9):
        deeper = includes(k + 1) if k < 8 else link("a")
        (tmp_path / f"i{k}.sdf").write_text(sdf(deeper + "<x/>" * 100))
    (tmp_path / "f.sdf").write_text(sdf(body))
    with pytest.raises(InputError) as error:
        import_file(tmp_path / "f.sdf", tmp_path / "out")
    assert complaint in str(error.value)
    assert not (tmp_path / "out").exists()


def test_limits_without_end_are_none(tmp_path):
    """Real models write `inf` where there is no limit."""
    ends = "<limit><lower>-inf</lower><upper>inf</upper><effort>inf</effort><velocity>inf</velocity></limit>"
    (tmp_path / "f.sdf").write_text(sdf(link("a") + link("b") + joint(1, "a", "b", ends)))
    made = import_file(tmp_path / "f.sdf", tmp_path / "out")
    assert 'range="' not in (made.folder / "model.xml").read_text()


URDF = """<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
<visual><geometry><box size="1 1 1"/></geometry><material name="m"><color rgba="1 0 0 1"/></material></visual></link>
<link name="b"/><joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="0" upper="1" effort="2"/><dynamics damping="1"/><origin xyz="0 0 0" rpy="0 0 0"/></joint></robot>"""


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('value="1"', 'value="nan"', "link a: mass value: expected a finite number, got 'nan'"),
        ('value="1"', "", "has no 'value'"),
        ('ixx="1"', 'ixx="inf"', "ixx: expected a finite number"),
        ('ixx="1"', 'ixx="one"', "ixx: expected a finite number"),
        ('rgba="1 0 0 1"', 'rgba="1 0 0"', "rgba: expected 4 finite numbers"),
        ('lower="0"', 'lower="x"', "lower: expected a finite number"),
        ('damping="1"', 'damping="nan"', "damping: expected a finite number"),
        ('xyz="0 0 1"', 'xyz="0 0 0"', "the axis must not be zero"),
        ('xyz="0 0 0"', 'xyz="0 0"', "expected 3 finite numbers"),
        ('child link="b"', 'child link="c"', "there is no link 'c'"),
        ('<link name="b"/>', '<link name="b"/><link name="b"/>', "there are two <link> called 'b'"),
        ('<link name="b"/>', "<link/>", "has no 'name'"),
        ('box size="1 1 1"', 'mesh filename="x.obj" scale="1 1"', "scale: expected 3 finite numbers"),
    ],
)
def test_hostile_urdf(tmp_path, old, new, complaint):
    (tmp_path / "f.urdf").write_text(URDF.replace(old, new))
    with pytest.raises(InputError) as error:
        import_file(tmp_path / "f.urdf", tmp_path / "out")
    assert complaint in str(error.value)


def test_a_ring_of_links_is_said(tmp_path):
    ring = joint(1, "b", "c") + joint(2, "c", "b")
    (tmp_path / "f.sdf").write_text(sdf(link("a") + link("b") + link("c") + ring))
    made = import_file(tmp_path / "f.sdf", tmp_path / "out")
    assert [what for what, why in made.lost if "a ring" in why] == [f"f.sdf: sdf/model m/link {name}" for name in "bc"]


ALIASES = [f"{c}: &{c} [{f'*{p}, ' * 9}*{p}]\n" for p, c in zip("abcdefgh", "bcdefghi", strict=True)]
LAUGHING = "a: &a [1, 1]\n" + "".join(ALIASES)


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("aerodynamics", "nWings: 1000000000", "nWings: expected 0 to 100, got 1000000000"),
        ("aerodynamics", "nWings: .inf", "nWings: must be a finite number"),
        ("aerodynamics", "nWings: 1e999", "nWings: must be a finite number"),
        ("aerodynamics", "nWings: nan", "nWings: expected a number, got 'nan'"),
        ("aerodynamics", "nWings: [1]", "nWings: expected a number"),
        ("aerodynamics", "nWings: -1", "nWings: expected 0 to 100"),
        ("propulsion", LAUGHING, "aliases (*) grow to more than 300000 values"),
        ("propulsion", "nMotors: *a", "found undefined alias"),
        ("propulsion", "a: &a [*a]", "propulsion.yaml"),
        ("propulsion", "[" * 5000, "nested deeper"),
        ("init", "init: {position: [1, 2, x]}", "position: expected a list of numbers"),
        ("init", "init: {position: 7}", "position: expected a list of numbers"),
        ("init", "a: !!python/object/apply:os.system [ls]", "tags (!) are not used here"),
        ("channel_mix", "channels: {roll_in_chan: 1.5}", "expected a whole number"),
        ("channel_mix", "just words", "expected a mapping"),
    ],
)
def test_hostile_yaml_of_last_letter(model_folder, tmp_path, name, text, complaint):
    folder = model_folder()
    (folder / f"{name}.yaml").write_text(text)
    with pytest.raises(InputError) as error:
        import_folder(folder, tmp_path / "out", find_sticks=False)
    assert complaint in str(error.value)
    assert not (tmp_path / "out").exists()


def test_a_ring_of_joints_in_last_letter_is_left_out(model_folder, tmp_path):
    from .conftest import XACRO

    ring = '<joint name="ring" type="fixed"><parent link="airfoil1"/><child link="body_FLU"/></joint></robot>'
    made = import_folder(model_folder(XACRO.replace("</robot>", ring)), tmp_path / "out", find_sticks=False)
    assert any("joint ring" in what and "closes a loop" in why for what, why in made.lost)
