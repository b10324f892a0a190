"""The plane flies its circuit by itself: path, height and airspeed, for several turbulences; take-off and landing."""

import math

import numpy as np
import pytest

from cupola.config.scenario import find_scenario
from cupola.physics.rotation import euler_from_quaternion
from cupola.sim.world import World

CORNERS = np.array([[0, 0], [500, 0], [500, 400], [-700, 400], [-700, 0], [0, 0]], float)
RADIUS, HEIGHT, SPEED = 150.0, 40.0, 24.0


def rounded_path():
    """The ground path every metre: lines, and arcs of RADIUS in the corners, which are all right angles to the left."""
    points = []
    for before, corner, after in zip(CORNERS[:-2], CORNERS[1:-1], CORNERS[2:], strict=True):
        arrive, leave = (v / np.linalg.norm(v) for v in (corner - before, after - corner))
        centre = corner + RADIUS * (leave - arrive)
        angles = np.linspace(0, math.pi / 2, 236)
        arc = centre + RADIUS * (np.outer(np.sin(angles), arrive) - np.outer(np.cos(angles), leave))
        start = points[-1][-1] if points else before
        line = np.linspace(start, arc[0], int(np.linalg.norm(arc[0] - start)) + 2)
        points += [line, arc]
    points.append(np.linspace(points[-1][-1], CORNERS[-1], 600))
    return np.concatenate(points)


class Flight:
    """One circuit, looked at ten times a second."""

    def __init__(self, seed):
        scenario, _ = find_scenario("plane_circuit")
        world = World(scenario.model_copy(update={"seed": seed}))
        rows, commands = [], []
        while world.time < scenario.duration - 1e-9:
            world.run(0.1)
            m = world.motion()
            roll = euler_from_quaternion(m.quat_wb).roll
            rows.append([world.time, *m.pos_w, *m.vel_w, np.linalg.norm(m.vel_air_b), roll])
            commands.append(world.command()[:4])
        self.rows, self.commands = np.array(rows), np.array(commands)
        self.time, self.speed, self.roll = self.rows[:, 0], self.rows[:, 7], self.rows[:, 8]
        self.pos, self.vel = self.rows[:, 1:4], self.rows[:, 4:7]
        path = rounded_path()
        self.off_path = np.array([np.linalg.norm(path - at, axis=1).min() for at in self.pos[:, :2]])
        level = np.flatnonzero(self.pos[:, 2] > HEIGHT - 1)
        self.cruising = slice(level[0], np.flatnonzero((self.pos[:, 0] < -540) & (self.pos[:, 1] < 50))[0])
        self.touch = self.cruising.stop + np.flatnonzero(self.pos[self.cruising.stop :, 2] < 0.35)[0]


@pytest.fixture(scope="module", params=[1, 2, 3, 4, 5])
def flight(request):
    return Flight(request.param)


def test_keeps_to_the_path(flight):
    off = flight.off_path[flight.cruising]
    assert off.max() < 6.0
    assert np.sqrt(np.mean(off**2)) < 2.0


def test_keeps_height_and_airspeed(flight):
    height = flight.pos[flight.cruising, 2] - HEIGHT
    speed = flight.speed[flight.cruising] - SPEED
    assert np.abs(height).max() < 2.0 and np.sqrt(np.mean(height**2)) < 0.8
    assert np.abs(speed).max() < 2.0 and np.sqrt(np.mean(speed**2)) < 0.6


def test_commands_stay_within_their_limits(flight):
    assert np.all(np.abs(flight.commands[:, :3]) <= 1.0)
    assert np.all((flight.commands[:, 3] >= 0.0) & (flight.commands[:, 3] <= 1.0))
    assert np.abs(flight.roll).max() < 0.7 + 0.15  # bank_max, and a gust


def test_lands_softly_near_its_point_and_rolls_out(flight):
    at = flight.touch
    sink = -flight.vel[at - 5 : at + 1, 2].min()
    assert abs(flight.pos[at, 1]) < 3.0 and abs(flight.pos[at, 0]) < 60.0
    assert sink < 1.5  # a fall from 11 cm
    assert flight.pos[at:, 2].max() < 1.0  # it may hop
    assert abs(flight.roll[-1]) < 0.05
    assert np.linalg.norm(flight.vel[-1]) < 8.0
    assert flight.commands[-1, 3] == 0.0
