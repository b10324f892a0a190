"""The teaching model of Last_letter_2: the numbers of its two links, and the joint between them."""

import numpy as np
import pytest

import cupola


@pytest.fixture
def world():
    return cupola.load("simple_model")


def test_links_have_the_printed_mass_and_inertia(world):
    base, arm = (world.model.body(f"simple_model/{name}") for name in ("base_link", "arm"))
    assert (base.mass[0], arm.mass[0]) == (5.0, 0.5)
    assert base.inertia == pytest.approx([1.66666666667, 1.66666666667, 2.5], abs=1e-10)
    assert sorted(arm.inertia) == pytest.approx([0.00083333333, 0.01083333333, 0.01083333333], abs=1e-10)
    assert arm.ipos == pytest.approx([0.25, 0.05, 0])


def test_the_arm_hangs_down_from_its_joint(world):
    joint = world.model.joint("simple_model/joint")
    assert world.data.joint(joint.id).xanchor == pytest.approx([0, 0.5, 0.5 + 0.25])
    assert world.data.joint(joint.id).xaxis == pytest.approx([0, 1, 0])
    assert joint.range == pytest.approx([-1.57, 1.57], abs=1e-3)
    assert world.data.body("simple_model/arm").xmat.reshape(3, 3)[:, 0] == pytest.approx([0, 0, -1])


def test_it_stands_and_its_arm_follows_at_half_a_radian_per_second(world):
    joint = world.data.joint("simple_model/joint")
    world.run(2.0)  # the stick moves after one second
    assert joint.qpos[0] == pytest.approx(0.5, abs=0.05)
    world.run(2.5)
    assert joint.qpos[0] == pytest.approx(1.0, abs=0.02)  # 0.8 % short: gravity against a spring of 100 N m/rad
    world.run(5.5)
    assert joint.qpos[0] == pytest.approx(-1.0, abs=0.02)
    np.testing.assert_allclose(world.motion().pos_w, [0, 0, 0.5], atol=2e-3)
