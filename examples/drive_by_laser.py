"""A base drives a square in a room and knows where it is only from its wheels, its gyroscope and its lasers.

Its wheels lose 4 % sideways and do not feel it; the lasers do.
"""

import math

import numpy as np

import cupola
from cupola import Controller, parameter
from cupola.estimate.base_pose import BasePose, Localiser
from cupola.estimate.scan_match import Scanner
from cupola.physics.mecanum import Wheels, wheel_speeds
from cupola.physics.planar import Pose, Twist, relative

CORNERS = [(0.0, 0.0), (0.0, 0.8), (-0.8, 0.8), (-0.8, 0.0), (0.0, 0.0)]


class ByLaser(Controller):
    """Drives from corner to corner by the pose that it estimates; of `seen`, the truth, it uses only the clock."""

    needs = "mecanum"
    speed = parameter(0.3, low=0, high=1, unit="m/s")

    def reset(self):
        """Forget everything but the robot: its wheels and its scanners."""
        super().reset()
        self.base = self.robot.wheels_at(0).kinematics()
        self.scanners = {name: Scanner.of(self.robot, name) for name in self.robot.scanners}
        self.where, self.leg = Localiser(BasePose(self.base)), 1

    def step(self, obs, ref):
        """Sensors to a pose, the pose to a velocity, the velocity to wheel speeds."""
        self.where.filter.gyro(self.sensors["imu"]().rate_s.z)
        self.where.filter.encoders(obs.time, Wheels(*self.sensors["encoders"]().angles))
        points = [scanner.points(self.sensors[name]().ranges) for name, scanner in self.scanners.items()]
        self.where.scan(obs.time, np.concatenate(points))
        goal = relative(self.where.pose, Pose(*CORNERS[self.leg], 0.0))
        away = math.hypot(goal.x, goal.y)
        if away < 0.01 and self.leg < len(CORNERS) - 1:
            self.leg += 1
        pace = min(self.speed, 2.0 * away) / max(away, 1e-9)
        return wheel_speeds(Twist(pace * goal.x, pace * goal.y, goal.yaw), self.base)


if __name__ == "__main__":
    world = cupola.load("omni_room", controllers={"velma_base": f"{__file__}:ByLaser"})
    nearest = np.full(len(CORNERS), np.inf)
    for _ in range(200):
        world.run(0.1)
        place = np.array(world.motion().pos_w[:2])
        nearest = np.minimum(nearest, np.linalg.norm(CORNERS - place, axis=1))
    off = math.hypot(*place)
    print(f"corners met within {1000 * nearest.max():.0f} mm; it ends {1000 * off:.1f} mm from where it began")
