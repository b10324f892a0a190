"""Axes and buttons to channels: the arrays of the thesis, its example, overlap, dead zone."""

import pytest

from cupola.schema.yaml_files import InputError, parse
from cupola.teleop.hid import LOGITECH_EXTREME_3D, HidMap, channels, missing, without_dead_zone

EXAMPLE = """
HID:
  axes: [0, 1, 3, 2, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1]
  buttons: [-1, -1, -1, -1, -1, -1, -1, 6, -1, 9, 10, -1, -1, -1, -1, -1, -1, -1, -1, -1]
  throws: [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
"""


def test_example_of_the_thesis():
    mapping = parse(EXAMPLE, "HID.yaml", HidMap)
    buttons = [0] * 12
    buttons[6] = buttons[10] = 1
    values = channels(mapping, [1.0, -1.0, 0.0, 1.0], buttons)
    assert values == [-1.0, 1.0, -1.0, 0.0, 0, 0, 0, 1.0, 0, 0, 1.0, *[0] * 9]


def test_default_map_is_the_authors_joystick():
    # §5.5: axes 0-5 on channels 0-5, buttons 0-11 on channels 6-17, throws -1 for the first three.
    values = channels(LOGITECH_EXTREME_3D, [1.0] * 6, [1] * 12)
    assert values == [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0, *[1.0] * 12, 0.0, 0.0]
    assert LOGITECH_EXTREME_3D.dead_zone == 0.01


def test_value_is_divided_by_the_throw():
    assert channels(HidMap(axes=[0], throws=[-0.5], dead_zone=0.0), [0.25], [])[0] == -0.5


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("axes: [0, 1]\nbuttons: [-1, 3]", "channel 1 has both axis 1 and button 3"),
        ("axes: [0]\nthrows: [0]", "throw of channel 0 must not be 0"),
        ("axes: [-2]", "axes"),
        (f"axes: {[0] * 21}", "axes"),
        ("axis: [0]", "axis"),
    ],
)
def test_bad_maps_are_refused(text, complaint):
    with pytest.raises(InputError, match=complaint):
        parse(text, "map.yaml", HidMap)


def test_axis_comes_before_button():
    # A map with both is refused when it is read; one made by hand in code still has a defined answer.
    both = HidMap.model_construct(axes=[0], buttons=[0], throws=[], dead_zone=0.0)
    assert channels(both, [0.5], [1])[0] == 0.5


def test_what_the_device_lacks_stays_zero_and_is_named():
    mapping = HidMap(axes=[0, 7], buttons=[-1, -1, 20])
    assert channels(mapping, [1.0], [1])[:3] == [1.0, 0.0, 0.0]
    assert missing(mapping, 1, 1) == ["axis 7 (channel 1)", "button 20 (channel 2)"]


def test_dead_zone_has_no_jump_and_keeps_the_ends():
    assert without_dead_zone(0.01, 0.01) == without_dead_zone(-0.005, 0.01) == 0.0
    assert without_dead_zone(0.0101, 0.01) == pytest.approx(0.0001 / 0.99)
    assert (without_dead_zone(1.0, 0.01), without_dead_zone(-1.0, 0.01)) == (1.0, -1.0)
