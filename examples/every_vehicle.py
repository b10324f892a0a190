"""Every aircraft that ships flies: how high, how far, how fast at the end, and whether upright; a bird may circle."""

import math

import cupola
from cupola.physics.rotation import euler_from_quaternion

FLIGHTS = {
    "quadcopter": "square",
    "hexacopter": "hexacopter_hover",
    "plane_1wing": "plane_takeoff",
    "plane_1wing_sensors": "sensor_plane_takeoff",
    "plane_3wing_2motor": "twin_takeoff",
    "aerosonde": "aerosonde",
    "quadcopter_x": "quadcopter_x",
    "crazyflie": "crazyflie_hover",
    "vtol": "vtol_mission",
    "xcell": "helicopter_flight",
    "cessna": "cessna_circuit",
    "morphing_uav": "morphing_survey",
    "robird": "robird_flight",
    "gull": "gull_flight",
}

summits, upright = {}, {}
print("vehicle               summit    flown  end speed      roll")
for vehicle, scenario in FLIGHTS.items():
    world = cupola.load(scenario)
    summit, flown = 0.0, 0.0
    while world.time < min(world.scenario.duration, 60.0):
        world.run(0.1)
        now = world.motion()
        summit = max(summit, now.pos_w.z)
        flown += math.hypot(*now.vel_w) * 0.1
    roll = math.degrees(euler_from_quaternion(now.quat_wb).roll)
    summits[vehicle], upright[vehicle] = summit, abs(roll) < (45.0 if vehicle == "robird" else 5.0)
    speed = math.hypot(*now.vel_w)
    print(f"{vehicle:20} {summit:5.1f} m {flown:6.1f} m  {speed:5.1f} m/s  {roll:6.1f}°")
