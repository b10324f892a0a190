"""A vehicle that takes keys for itself, as Gazebo's Cessna does: they press its channels and open no tab."""

import json
import math

import pytest

from cupola.control.plane.cessna_presets import KEYS

HINGE = """<body name="{0}" pos="{1} 0 1"><joint name="{0}" axis="0 1 0" range="-30 30" armature="0.01"/>
<geom type="box" size="0.1 0.2 0.01" mass="0.1"/></body>"""
SERVO = '<position name="{0}" joint="{0}" kp="20" kv="1"/>'
CHANNELS = {"flap": 2, "elevators": 5}
"""Of two of the Cessna's joints."""


@pytest.fixture(scope="module")
def stand(tmp_path_factory):
    """A folder with two of the Cessna's surfaces on a stand, flown by its keys."""
    folder = tmp_path_factory.mktemp("vehicle") / "stand"
    folder.mkdir()
    hinges = "".join(HINGE.format(name, -k) for name, k in CHANNELS.items())
    servos = "".join(SERVO.format(name) for name in CHANNELS)
    model = f"<body name='base'><geom type='box' size='0.5 0.5 0.1' mass='5'/>{hinges}</body>"
    (folder / "model.xml").write_text(f"<mujoco><worldbody>{model}</worldbody><actuator>{servos}</actuator></mujoco>")
    ends = {"low": -0.53, "high": 0.53}
    vehicle = {
        "about": "two surfaces on a stand",
        "parts": {name: {"kind": "servo", "channel": at, "actuator": name, **ends} for name, at in CHANNELS.items()},
        "controller": {"use": "cessna_presets", "rate_hz": 100},
        "channel_mix": {"keys": KEYS},
    }
    (folder / "vehicle.yaml").write_text(json.dumps(vehicle))
    return folder


def _value(name):
    return f"cupola.link.frame.get('signals')[cupola.link.signal('stand.{name}')]"


def test_keys_of_the_vehicle_win(stand, start_cockpit, open_window):
    window = open_window(start_cockpit("fly", str(stand), "--start-at-once").url)
    tab = "document.querySelector('[role=tab][aria-selected=true]').textContent"
    before = window.tell(tab)
    for key, preset in (("2", 2), ("3", 3), ("1", 1)):
        window.hold(key, f"{_value('controller.phase')} === {preset}")
    assert window.tell(tab) == before
    # Held until it is seen, which may take a busy machine longer than a key needs to repeat.
    window.hold("g", f"{_value('command.2')} > {math.radians(0.9)}")
    window.hold("ArrowDown", f"{_value('command.5')} > {0.033 + math.radians(0.9)}")
    window.hold("1", f"{_value('command.2')} === 0 && {_value('command.5')} === 0.033")
    assert window.tell("cupola.link.mode") == "mission"  # the controller of the keys still flies
    window.page.keyboard.press("4")  # not one of its keys
    window.until(f"{tab} !== {json.dumps(before)}")
    window.page.keyboard.press("h")
    said = window.page.locator("dialog.help[open] .own-keys").text_content()
    assert "Keys of stand" in said and "take-off, cruise, landing" in said
    assert window.complaints == []
