"""Manual control without a screen: eleven modes, gears, the stop, and what is missing."""

import math
from types import SimpleNamespace

import pytest

from cupola.physics.mecanum import Wheels
from cupola.physics.planar import Twist
from cupola.schema.yaml_files import InputError
from cupola.teleop.manual import Manual, drive
from cupola.teleop.manual_modes import GEARS, MODES, Pad

NAN = math.nan
IDLE = Pad(0.0, 0.0, 0.0, 0.0)


def hand(mode, **options):
    """Everything plugged in and at rest; gear 5 is 1 rad/s or 0.1 m/s."""
    manual = Manual(rate_hz=1000.0, **options)
    manual.pad(IDLE)
    manual.mouse((0.0, 0.0))
    manual.choose(mode)
    manual.pad(IDLE)
    manual.mouse((0.0, 0.0))
    return manual


def after(manual, seconds=0.0):
    """The command when what is held now has been held for some time more."""
    manual.clock = getattr(manual, "clock", 1e6)
    manual.poll(manual.clock)
    manual.clock += seconds
    manual.poll(manual.clock)
    return manual.command()


def same(command, expected):
    return type(command) is type(expected) and command == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(
    ("key", "wheels"),
    [
        ("NumpadMultiply", (1, 0, 0, 0)), ("Numpad9", (-1, 0, 0, 0)),
        ("NumpadDivide", (0, 1, 0, 0)), ("Numpad8", (0, -1, 0, 0)),
        ("Numpad5", (0, 0, 1, 0)), ("Numpad2", (0, 0, -1, 0)),
        ("Numpad6", (0, 0, 0, 1)), ("Numpad3", (0, 0, 0, -1)),
    ],
)  # fmt: skip
def test_mode_1_a_wheel_turns_while_its_key_is_pressed(key, wheels):
    manual = hand(1)
    manual.press(key)
    assert same(after(manual), Wheels(*wheels))
    manual.release(key)
    assert same(after(manual), Wheels(0, 0, 0, 0))


def test_mode_2_leaves_idle_wheels_alone():
    manual = hand(2)
    manual.press("Numpad5")
    assert same(after(manual), Wheels(NAN, NAN, 1, NAN))
    manual.release("Numpad5")
    assert same(after(manual), Wheels(NAN, NAN, NAN, NAN))


def test_mode_3_moves_smoothly_and_stays():
    manual = hand(3)
    manual.press("Numpad6")
    assert same(after(manual, 0.4), Wheels(0, 0, 0, 0.4))
    manual.release("Numpad6")
    assert same(after(manual, 5.0), Wheels(0, 0, 0, 0.4))
    manual.press("Numpad6")
    assert same(after(manual, 9.0), Wheels(0, 0, 0, 1.0))


@pytest.mark.parametrize(("mode", "idle"), [(4, 0.0), (5, NAN)])
def test_modes_4_and_5_step_by_a_tenth_per_press(mode, idle):
    manual = hand(mode)
    for _ in range(3):
        manual.press("Numpad8")
        manual.press("Numpad8")  # the keyboard repeats a held key
        manual.release("Numpad8")
    assert same(after(manual, 1.0), Wheels(idle, -0.3, idle, idle))
    for _ in range(3):
        manual.press("NumpadDivide")
        manual.release("NumpadDivide")
    assert same(after(manual), Wheels(idle, idle, idle, idle))


def test_mode_6_has_a_wheel_on_each_axis():
    manual = hand(6)
    manual.pad(Pad(left_x=0.1, left_y=0.2, right_x=0.3, right_y=0.4))
    assert same(after(manual), Wheels(0.4, 0.2, 0.1, 0.3))


@pytest.mark.parametrize(
    ("keys", "way"),
    [
        (["KeyW"], (1, 0, 0)), (["KeyS"], (-1, 0, 0)), (["KeyA"], (0, 1, 0)), (["KeyD"], (0, -1, 0)),
        (["KeyW", "KeyD"], (1, -1, 0)), (["KeyQ"], (0, 0, 1)), (["KeyS", "KeyA", "KeyE"], (-1, 1, -1)),
        (["KeyW", "KeyS"], (0, 0, 0)),
    ],
)  # fmt: skip
def test_mode_7_drives_in_eight_directions_and_turns(keys, way):
    manual = hand(7)
    for key in keys:
        manual.press(key)
    assert same(after(manual), Twist(*(0.1 * w for w in way)))
    for key in keys:
        manual.release(key)
    assert same(after(manual), Twist(0, 0, 0))


def test_mode_8_moves_smoothly_and_mode_9_in_steps():
    manual = hand(8)
    manual.press("KeyW")
    assert same(after(manual, 0.5), Twist(0.05, 0, 0))
    manual.choose(9)
    assert same(after(manual), Twist(0, 0, 0))
    manual.release("KeyW")
    manual.press("KeyW")
    assert same(after(manual, 5.0), Twist(0.01, 0, 0))


def test_mode_10_right_stick_moves_and_left_stick_turns():
    manual = hand(10)
    manual.pad(Pad(left_x=-0.5, left_y=0.9, right_x=0.2, right_y=1.0))
    assert same(after(manual), Twist(0.1, -0.02, 0.05))


def test_mode_11_the_cursor_is_the_tip_of_the_velocity():
    manual = hand(11)
    manual.mouse((-0.5, 0.25))
    manual.scroll(2)
    assert same(after(manual), Twist(0.025, 0.05, 0.02))
    manual.press("KeyE")
    assert same(after(manual, 0.4), Twist(0.025, 0.05, -0.02))
    manual.press("KeyW")  # keys only turn here
    assert same(after(manual, 0.0), Twist(0.025, 0.05, -0.02))


def test_gears_multiply_everything_and_have_their_own_list_per_output():
    manual = hand(1)
    manual.press("NumpadMultiply")
    for gear, factor in enumerate(GEARS["wheels"], 1):
        manual.press(f"Digit{gear}")
        assert after(manual).front_right == factor
    manual.press("KeyR")  # there is no higher one
    assert manual.gear == 7
    for key in ("KeyF", "NumpadSubtract", "PadLB"):
        manual.press(key)
    assert manual.gear == 4
    manual.press("F7")
    manual.press("KeyW")
    assert same(after(manual), Twist(GEARS["velocity"][3], 0, 0))


@pytest.mark.parametrize("key", ["Space", "PadStart"])
@pytest.mark.parametrize("mode", range(1, 12))
def test_the_stop_is_zero_in_every_mode_and_at_once(mode, key):
    manual = hand(mode)
    manual.poll(0.0)
    for drive_key in ("NumpadMultiply", "Numpad2", "KeyW", "KeyQ"):
        manual.press(drive_key)
    manual.pad(Pad(0.5, 0.5, 0.5, 0.5))
    manual.mouse((0.5, 0.5))
    manual.poll(0.3)
    assert any(value for value in manual.command())
    manual.press(key)
    assert manual.poll(0.3) == ((0.0,) * 4 if MODES[mode - 1].output == "wheels" else (0.0,) * 3)
    manual.pad(Pad(0.6, 0.6, 0.6, 0.6))  # what is still held does not count
    manual.mouse((0.6, 0.6))
    manual.press("KeyW")
    manual.press("NumpadMultiply")
    assert not any(after(manual, 1.0))
    assert manual.stopped


def test_after_a_stop_a_new_press_drives_again():
    manual = hand(2)
    manual.press("Numpad5")
    manual.press("Space")
    manual.release("Numpad5")
    assert same(after(manual), Wheels(0, 0, 0, 0))  # not left alone
    manual.press("Numpad5")
    assert same(after(manual), Wheels(NAN, NAN, 1, NAN))


def test_after_a_stop_a_stick_must_pass_its_centre():
    manual = hand(10)
    manual.pad(Pad(0.0, 0.0, 0.0, 1.0))
    manual.press("Space")
    manual.pad(Pad(0.0, 0.0, 0.0, 0.9))
    assert not any(after(manual))
    manual.pad(IDLE)
    manual.pad(Pad(0.0, 0.0, 0.0, 0.9))
    assert same(after(manual), Twist(0.09, 0, 0))


def test_modes_without_their_device_are_grey():
    manual = Manual(nan=False)
    grey = [number for number, (_, why) in enumerate(manual.shown().modes, 1) if why]
    assert grey == [2, 5, 6, 10, 11]
    with pytest.raises(InputError, match="mode 10 cannot be chosen: there is no gamepad"):
        manual.choose(10)
    manual.press("F10")
    assert manual.number == 1
    manual.pad(IDLE)
    manual.choose(10)
    assert [n for n, (_, why) in enumerate(Manual(wheels=False).shown().modes, 1) if not why] == [7, 8, 9]
    with pytest.raises(InputError, match="there are gears 1 to 7, got 8"):
        Manual(gear=8)
    with pytest.raises(InputError, match="needs a vehicle that takes"):
        Manual(wheels=False, velocity=False)


def test_next_mode_skips_what_is_grey_and_function_keys_pick():
    manual = Manual(nan=False)
    visited = []
    for _ in range(6):
        manual.press("KeyZ")
        manual.release("KeyZ")
        visited.append(manual.number)
    assert visited == [3, 4, 7, 8, 9, 1]
    manual.press("F9")
    assert manual.number == 9


def test_another_mode_begins_with_a_stop_not_with_wheels_left_alone():
    manual = hand(1)
    manual.press("Numpad5")
    after(manual)
    manual.press("F2")
    assert same(after(manual), Wheels(0, 0, 0, 0))


def test_a_gamepad_pulled_out_stops_the_base():
    manual = hand(10)
    manual.pad(Pad(0.0, 0.0, 0.0, 1.0))
    manual.pad(None)
    assert not any(after(manual))
    assert "no gamepad" in manual.why_not(10)


def test_a_mouse_that_is_gone_stops_it_too():
    manual = hand(11)
    manual.mouse((1.0, 0.0))
    manual.mouse(None)
    assert not any(after(manual))
    assert "no mouse" in manual.why_not(11)


def test_a_window_that_loses_the_keyboard_lets_go():
    manual = hand(7)
    manual.press("KeyW")
    manual.release_all()
    assert not any(after(manual))


def test_commands_are_sent_at_their_rate_however_often_one_asks():
    manual = Manual(rate_hz=10.0)
    sent = [k for k in range(1001) if manual.poll(k * 0.001) is not None]
    assert sent == list(range(0, 1001, 100))


class Listener:
    """What `drive` needs of a world."""

    def __init__(self):
        self.log = []
        self._mode = "mission"
        values = {"speed": 5.0, "linear_x_max_velocity": 0.5, "linear_y_max_velocity": 0.4}
        values |= {"linear_x_min_velocity": -0.25, "linear_y_min_velocity": -0.4}
        values |= {"angular_z_max_velocity": 0.8, "angular_z_min_velocity": -0.8}
        controller = SimpleNamespace(values=values)
        self.runner = lambda vehicle: SimpleNamespace(controller=controller)

    def mode(self, vehicle):
        return self._mode

    def take_over(self, mode, vehicle):
        self._mode = mode
        self.log.append(mode)

    def sticks(self, channels, vehicle):
        self.log.append([round(c, 9) for c in channels])


def test_a_base_is_driven_raw_by_wheels_and_assisted_by_velocities():
    manual, world = hand(1), Listener()
    manual.press("Numpad5")
    drive(world, manual, 0.0)
    manual.press("F7")
    manual.press("KeyW")
    manual.press("KeyD")
    drive(world, manual, 0.5)
    drive(world, manual, 0.5)
    assert world.log == ["raw", [0.0, 0.0, 0.2, 0.0], "assisted", [0.25, -0.2, 0.0]]
    manual.hold(["KeyS"])  # half as fast backward at most, so the stick must go twice as far
    drive(world, manual, 1.0)
    assert world.log[-1] == [0.0, 0.4, 0.0]


def test_what_is_held_says_what_was_pressed_and_released():
    manual = hand(9)
    manual.hold(["KeyW", "KeyQ"])
    manual.hold(["KeyW", "KeyQ"])
    manual.hold(["KeyQ"])
    manual.hold(["KeyQ", "KeyW"])
    assert same(after(manual), Twist(0.02, 0.0, 0.01))
