"""The table of the capture: the thesis's chart from start to end, and every way out of it. No physics."""

import itertools
import math

import numpy as np
import pytest

from cupola.control.space.states import (
    ALWAYS,
    FIRST,
    LAST,
    NAMES,
    SAFE,
    TABLE,
    CatchLimits,
    Gap,
    Signs,
    close_enough,
    held_for,
    next_number,
)

AGAIN = ("approach", "retreat")
"""States that begin another try."""
CHART = [
    ("prepare", "ready"),
    ("home", "homed"),
    ("posture", "there"),
    ("approach", "touched"),
    ("contact", "caught"),
    ("soft grip", "soft_done"),
    ("hard grip", "hard_done"),
    ("settle", "still"),
]


def next_state(now, signs, tries_left=True):
    return NAMES[next_number(NAMES.index(now), np.array(signs, float), tries_left)]


def signs(*names):
    return Signs(**dict.fromkeys(names, True))


def test_the_chart_leads_from_start_to_end_and_waits_for_each_sign():
    now = FIRST
    for state, sign in CHART:
        assert now == state
        waiting = signs(*(s for _, s in CHART if s != sign))
        assert next_state(now, waiting) in (now, "approach") if state == "contact" else next_state(now, waiting) == now
        now = next_state(now, signs(sign))
    assert now == LAST and next_state(now, signs(*(s for _, s in CHART))) == LAST


def test_the_gripper_is_told_soft_then_hard_and_the_arm_is_still_meanwhile():
    told = [TABLE[state].grip for state, _ in CHART]
    assert [order for order, _ in itertools.groupby(told)] == ["open", "soft", "hard"]
    assert all(TABLE[s].arm == "hold" for s in ("soft grip", "hard grip", "settle", "end"))


@pytest.mark.parametrize("state", [s for s in TABLE if s not in SAFE])
@pytest.mark.parametrize(("sign", "then"), ALWAYS)
def test_the_operator_comes_first_in_every_state(state, sign, then):
    others = [s for s, _ in TABLE[state].exits]
    assert next_state(state, signs(sign, *others)) == then


def test_stop_beats_everything_and_is_final():
    everything = Signs(*(True,) * len(Signs._fields))
    for state in TABLE:
        assert next_state(state, everything) == "stopped"


def test_what_is_safe_lets_go_of_the_arm_and_leaves_the_grip():
    for state in SAFE:
        assert TABLE[state].grip == "keep"
    assert TABLE["stopped"].arm == TABLE["safe-close"].arm == "slack"
    assert next_state("safe-close", signs("ready", "homed", "caught")) == "safe-close"
    assert next_state("safe-close", signs("go_on")) == FIRST


@pytest.mark.parametrize("state", ["posture", "approach", "contact", "retreat"])
def test_a_blind_robot_moves_no_arm(state):
    assert next_state(state, signs("blind", "touched", "caught", "there")) == "safe-close: blind"


def test_what_closes_it_by_itself_says_why_and_is_as_safe_as_the_operator_s():
    reasons = [name for name in TABLE if name.startswith("safe-close:")]
    assert len(reasons) == 2 and all(TABLE[name] == TABLE["safe-close"] and name in SAFE for name in reasons)
    for state in TABLE.values():
        assert not [sign for sign, then in state.exits if then == "safe-close" and sign != "close"]


def test_a_grip_that_fails_is_released_and_tried_again():
    path = ["soft grip"]
    for sign in ("late", "opened", "there", "touched", "caught"):
        path.append(next_state(path[-1], signs(sign)))
    assert path == ["soft grip", "release", "retreat", "approach", "contact", "soft grip"]


def test_every_exit_leads_to_a_state_by_a_sign_that_exists_and_every_state_can_be_reached():
    reached = {then for _, then in ALWAYS} | {FIRST}
    for state in TABLE.values():
        for sign, then in state.exits:
            assert sign in Signs._fields and then in TABLE
            reached.add(then)
        ends = dict(state.gives_up)
        reached |= set(ends.values())
        assert set(ends) == {sign for sign, then in state.exits if then in AGAIN and state.arm != "posture"}
        assert ("late" in dict(state.exits)) == (state.limit < 1e9)
    assert reached == set(TABLE)


def test_a_miss_starts_the_count_anew():
    held = 0.0
    for true in (True, True, True, False, True):
        held = held_for(held, true, 0.01)
    assert held == pytest.approx(0.01)


@pytest.mark.parametrize(
    ("state", "sign", "end"),
    [
        ("approach", "strained", "failed: no room for the arm"),
        ("approach", "overdue", "failed: the target is not touched"),
        ("contact", "strained", "failed: not caught"),
        ("contact", "apart", "failed: not caught"),
        ("contact", "overdue", "failed: not caught"),
        ("release", "opened", "failed: the grip does not hold"),
    ],
)
def test_tries_are_bounded_and_end_in_a_stated_failure(state, sign, end):
    assert next_state(state, signs(sign)) in AGAIN
    assert next_state(state, signs(sign), tries_left=False) == end
    assert next_state(end, signs("ready", "touched", "caught", "there")) == end
    assert next_state(end, signs("go_on")) == FIRST


def test_no_state_can_last_for_ever_but_those_that_say_how_it_ended():
    """Approach and contact end by their own signs, which count the time since the way ended."""
    for name, state in TABLE.items():
        endless = state.limit == math.inf
        assert endless == (name in (LAST, "approach", "contact", *SAFE) or name.startswith("failed"))


@pytest.mark.parametrize(
    ("gap", "close"),
    [
        (Gap(0.049, -0.049, 0.19), True),
        (Gap(0.051, 0.0, 0.0), False),
        (Gap(0.0, -0.051, 0.0), False),
        (Gap(0.0, 0.0, -0.21), False),
    ],
)
def test_the_catch_condition(gap, close):
    assert close_enough(gap, CatchLimits()) is close


@pytest.mark.parametrize("state", ["approach", "contact", "retreat"])
def test_an_arm_that_turns_its_base_away_gives_up_at_once_whatever_tries_are_left(state):
    others = signs("turned", "strained", "touched", "caught", "there", "overdue")
    assert next_state(state, others) == "failed: the base turns away" == next_state(state, others, tries_left=False)


@pytest.mark.parametrize("state", ["approach", "contact"])
def test_a_target_too_near_to_the_base_is_not_reached_for(state):
    assert next_state(state, signs("too_near", "touched", "caught")) == "failed: the target is too near"


def test_who_goes_on_after_a_base_that_turned_away_may_bring_it_back_first():
    now = next_state("failed: the base turns away", signs("go_on"))
    for sign in ("ready", "homed"):
        now = next_state(now, signs(sign, "turned"))
    assert now == "posture" == next_state(now, signs("turned"))
