"""Siblings of the models that we have: the same families written otherwise. Each imports, and says who flies it."""

import math
import re

import mujoco
import numpy as np
import pytest
import yaml

import cupola
from cupola.bridge.sdf.folder import import_file

INERTIA = "<inertia><ixx>0.03</ixx><iyy>0.03</iyy><izz>0.05</izz></inertia>"
BALL = "<collision name='c'><geometry><sphere><radius>0.1</radius></sphere></geometry></collision>"
BASE = f"<link name='base'><inertial><mass>2</mass>{INERTIA}</inertial>{BALL}</link>"
ROTOR = """<link name="r{k}"><pose>{place}</pose><inertial><mass>0.01</mass><inertia><ixx>1e-5</ixx><iyy>1e-5</iyy>
<izz>1e-5</izz></inertia></inertial></link><joint name="j{k}" type="revolute"><parent>base</parent><child>r{k}</child>
<axis><xyz>0 0 1</xyz></axis></joint><plugin name="m{k}" filename="{file}"><jointName>j{k}</jointName>
<linkName>r{k}</linkName><turningDirection>{turn}</turningDirection><maxRotVelocity>1000</maxRotVelocity>
<motorConstant>1e-5</motorConstant><motorNumber>{k}</motorNumber></plugin>"""
CLASSIC = "libgazebo_motor_model.so"
FORWARD = "0 1.5708 0"
WING = """<plugin name="{name}" filename="gz-sim-lift-drag-system"><a0>0.05</a0><cla>4.7</cla><cda>0.6</cda>
<alpha_stall>0.3</alpha_stall><cla_stall>-3.8</cla_stall><cp>-0.05 {y} 0</cp><area>0.4</area><forward>1 0 0</forward>
<upward>0 0 1</upward><link_name>base</link_name></plugin>"""
WINGS = WING.format(name="left", y=0.4) + WING.format(name="right", y=-0.4)


def ring(count, file=CLASSIC, radius=0.3):
    """Rotors round the base, turning in turns."""
    around = [math.pi / 4 + 2.0 * math.pi * k / count for k in range(count)]
    places = [f"{radius * math.cos(a):.5f} {radius * math.sin(a):.5f} 0 0 0 0" for a in around]
    return "".join(rotor(k, place, file) for k, place in enumerate(places))


def rotor(k, place, file=CLASSIC):
    return ROTOR.format(k=k, place=place, turn=("cw", "ccw")[k % 2], file=file)


def model(inside, version="1.6", name="toy"):
    return f'<sdf version="{version}"><model name="{name}">{inside}</model></sdf>'


QUAD = BASE + ring(4)
FILES = [
    f"{front}{middle}{end}"
    for middle in ("gz-sim-multicopter-motor-model-system", "ignition-gazebo6-multicopter-motor-model-system")
    for front, end in (("", ""), ("lib", ".so"))
]
CORNERS = ((0.2, -0.2), (0.2, 0.2), (-0.2, 0.2), (-0.2, -0.2))
COAXIAL = "".join(
    rotor(k, f"{x} {y} {z} 0 0 0") for k, (z, (x, y)) in enumerate((z, at) for z in (0.05, -0.05) for at in CORNERS)
)
HOVERS = {
    **{f"SDF {version}": model(QUAD, version) for version in ("1.4", "1.5", "1.7", "1.8", "1.10", "1.11")},
    **{file: model(BASE + ring(4, file)) for file in (*FILES, "gazebo_motor_model", "librotors_gazebo_motor_model.so")},
    **{f"{count} rotors": model(BASE + ring(count)) for count in (5, 6, 8, 12)},
    "coaxial": model(BASE + COAXIAL),
    "quadplane of eight, and a pusher": model(BASE + ring(8) + rotor(8, f"-0.5 0 0 {FORWARD}") + WINGS),
    "numbers of motors missing": re.sub("<motorNumber>.*?</motorNumber>", "", model(QUAD)),
    "numbers of motors alike": re.sub("<motorNumber>.*?</motorNumber>", "<motorNumber>0</motorNumber>", model(QUAD)),
    "names with spaces and strokes": model(QUAD.replace("r0", "front rotor").replace("r1", "toy/rotor_1")),
    "endless limits": model(QUAD.replace("</xyz>", "</xyz><limit><lower>-inf</lower><upper>1e16</upper></limit>")),
    "relative poses": model(QUAD.replace("<pose>", "<pose relative_to='base'>"), "1.9"),
    "a root of another time": model(QUAD).replace("<sdf", "<gazebo").replace("</sdf>", "</gazebo>"),
}


@pytest.fixture
def bring(tmp_path):
    def run(text):
        (tmp_path / "toy.sdf").write_text(text)
        return import_file(tmp_path / "toy.sdf", tmp_path / "out")

    return run


@pytest.mark.parametrize("text", HOVERS.values(), ids=HOVERS)
def test_a_multirotor_written_otherwise_still_hovers(bring, text):
    made = bring(text)
    assert re.match(r"multirotor_geometric through a mixer of \d+ rotors; it hovers", made.flown_by), made.flown_by
    assert not made.warnings


def test_an_inner_model_with_its_plugins_outside_lifts_off(bring):
    """As sensors and propellers are put on in gz-sim: nested, fixed by a joint, named from outside."""
    inner = ring(4).replace("<parent>base", "<parent>hub")
    plugins = "".join(re.findall("<plugin.*?</plugin>", inner, flags=re.DOTALL))
    plugins = plugins.replace("<jointName>", "<jointName>props::").replace("<linkName>", "<linkName>props::")
    hub = f"<link name='hub'><inertial><mass>0.1</mass>{INERTIA}</inertial></link>"
    bare = re.sub("<plugin.*?</plugin>", "", inner, flags=re.DOTALL)
    nested = f"<model name='props'><pose>0 0 0.1 0 0 0</pose>{hub}{bare}</model>"
    held = "<joint name='held' type='fixed'><parent>base</parent><child>props::hub</child></joint>"
    made = bring(model(f"{BASE}{nested}{held}{plugins}", "1.8"))
    world = cupola.load(str(made.folder / "vehicle.yaml"))
    start = world.motion().pos_w.z
    world.run(3.0)
    assert world.motion().pos_w.z > start + 0.5 and abs(world.motion().quat_wb.w) > 0.99


@pytest.mark.parametrize("kind", ["fixed", "revolute"])
def test_a_drone_on_a_test_stand_is_not_called_a_flight(bring, kind):
    axis = "<axis><xyz>0 0 1</xyz></axis>"
    made = bring(
        model(f"{QUAD}<joint name='stand' type='{kind}'><parent>world</parent><child>base</child>{axis}</joint>")
    )
    assert "a joint holds base in the world" in made.flown_by and "pass_through" in made.flown_by
    assert any(what == "controller" for what, _ in made.lost)


FINGER = """<link name="f{k}"><pose>0.2 {k} 0 0 0 0</pose><inertial><mass>0.1</mass>
<inertia><ixx>1e-3</ixx><iyy>1e-3</iyy><izz>1e-3</izz></inertia></inertial></link>
<joint name="finger{k}" type="revolute"><parent>base</parent><child>f{k}</child>
<axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>1</upper></limit>{mimic}</axis></joint>"""


def test_a_joint_that_follows_another_does_so_by_the_rule_of_the_format(bring):
    """SDF 1.11: multiplier (position - reference) + offset."""
    mimic = "<mimic joint='finger0'><multiplier>-2</multiplier><offset>0.1</offset><reference>0.2</reference></mimic>"
    made = bring(model(QUAD + FINGER.format(k=0, mimic="") + FINGER.format(k=1, mimic=mimic), "1.11"))
    assert not any("mimic" in what for what, _ in made.lost)
    compiled = mujoco.MjModel.from_xml_path(str(made.folder / "model.xml"))
    assert compiled.eq_data[0][:2] == pytest.approx([0.1 + 2 * 0.2, -2.0])


def test_poses_of_an_include_are_added_to_those_of_its_model(tmp_path):
    """Turned by a quarter and lifted: the rotors are where both poses put them."""
    (tmp_path / "quad").mkdir()
    (tmp_path / "quad" / "model.sdf").write_text(model(f"<pose>0 0 0.1 0 0 0</pose>{QUAD}", name="quad"))
    place = "<pose degrees='true'>1 2 0.5 0 0 90</pose>"
    text = f"<sdf version='1.9'><world name='w'><include>{place}<uri>model://quad</uri></include></world></sdf>"
    (tmp_path / "yard.sdf").write_text(text)
    world = cupola.load(str(import_file(tmp_path / "yard.sdf", tmp_path / "out").folder / "scenario.yaml"))
    at = world.motion()
    # The pose of an include takes the place of the one in its model.
    np.testing.assert_allclose(at.pos_w, [1.0, 2.0, 0.5], atol=1e-9)
    assert at.quat_wb.z == pytest.approx(math.sin(math.pi / 4))
    name = world.instances[0].name
    rotor_at = world.data.body(f"{name}/r0").xpos - np.array([1.0, 2.0, 0.5])
    half = 0.3 * math.sqrt(0.5)
    np.testing.assert_allclose(rotor_at, [-half, half, 0.0], atol=1e-5)


GROUND = """<sdf version="1.9"><world name="w"><gravity>1 0 -9</gravity><model name="ground"><static>true</static>
<pose>{}</pose><link name="l"><collision name="c"><geometry><plane><normal>0 0 1</normal><size>20 20</size></plane>
</geometry></collision></link></model><model name="toy"><pose>0 0 3 0 0 0</pose><link name="body"><inertial>
<mass>1</mass></inertial></link></model></world></sdf>"""


@pytest.mark.parametrize(
    ("pose", "top"),
    [("0 0 0 0 0 0", None), ("0 0 -2 0 0 0", (0, 0, -2.5)), ("0 0 0 0 1.5707963267948966 0", (-0.5, 0, 0))],
)
def test_ground_at_another_height_or_tilted_stays_there_and_gravity_leans(tmp_path, pose, top):
    (tmp_path / "w.sdf").write_text(GROUND.format(pose))
    made = import_file(tmp_path / "w.sdf", tmp_path / "out")
    scenario = yaml.safe_load(made.run.read_text())
    assert (scenario["floor"] is None) == (top is not None)
    if top is not None:
        (box,) = scenario["obstacles"]
        assert box["position"] == pytest.approx(top, abs=1e-9) and box["size"] == [20.0, 20.0, 1.0]
    assert cupola.load(str(made.run)).model.opt.gravity == pytest.approx([1, 0, -9])
