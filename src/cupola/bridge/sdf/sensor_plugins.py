"""Sensors that PX4 writes as plugins of the model, as parts; their errors are listed where the parts have others."""

from cupola.bridge.sdf.carried import Carried, Part
from cupola.bridge.sdf.node import Node
from cupola.bridge.sdf.pose import NOWHERE

RATES = {"imu": 250.0, "gnss": 10.0, "barometer": 50.0, "magnetometer": 100.0, "airspeed": 10.0}
"""[Hz] where a file gives none."""
PLUGINS = {
    "gazebo_imu_plugin": "imu",
    "gazebo_gps_plugin": "gnss",
    "gazebo_barometer_plugin": "barometer",
    "gazebo_magnetometer_plugin": "magnetometer",
    "gazebo_airspeed_plugin": "airspeed",
    "AirSpeedPlugin": "airspeed",
}


def carry_sensor_plugin(node: Node, scope: str, carried: Carried) -> bool:
    """A sensor that PX4 writes as a plugin of the model; False where it is none."""
    kind = next((ours for name, ours in PLUGINS.items() if name in node.element.get("filename", "")), None)
    if kind is None:
        return False
    named = node.one("linkName") or node.one("link_name")
    body = carried.link(named, scope) if named else carried.built.root
    if body is not None:
        rate = node.number("pubRate", 0.0) or RATES[kind]
        part: Part = {"kind": kind, "site": carried.site(body, f"{body}_{kind}", NOWHERE), "rate_hz": rate}
        if kind == "imu":
            named_ours = {"rate_noise": "gyroscopeNoiseDensity", "accel_noise": "accelerometerNoiseDensity"}
            part |= {ours: value for ours, theirs in named_ours.items() if (value := node.number(theirs, 0.0)) > 0.0}
        carried.add(kind, part)
    carried.report.lose(f"{node}: what is left of it", node.summary() or "nothing")
    node.swallow()
    return True
