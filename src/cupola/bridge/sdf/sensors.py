"""Sensors of SDF, and of the <gazebo> blocks of a URDF, as sensor parts at sites of their own.

Axes agree: a camera there looks along x with z up, a scanner sweeps the x-y plane, as parts do here.
"""

import math
from collections.abc import Container
from typing import Any
from xml.etree import ElementTree as ET

from cupola.bridge.report import Report
from cupola.bridge.sdf.node import Node
from cupola.bridge.sdf.pose import attributes

Part = dict[str, Any]
USUAL = {"camera": 30.0, "laser": 40.0, "rangefinder": 40.0, "imu": 100.0, "magnetometer": 100.0, "barometer": 50.0,
         "gnss": 10.0, "airspeed": 50.0}  # fmt: skip
"""[Hz] where the source gives none, or 0 for every step."""
SCANS = ("ray", "gpu_ray", "lidar", "gpu_lidar")
PLAIN = {"magnetometer": "magnetometer", "air_pressure": "barometer", "altimeter": "barometer", "gps": "gnss",
         "navsat": "gnss", "air_speed": "airspeed"}  # fmt: skip
"""Types that become a kind without numbers of their own; their errors are listed."""
LARGEST = 4096
"""[px] of a picture here."""
CLOSEST = 1e-3
"""[m] of a camera that would see everything."""


def add_sensors(sensors: list[tuple[str, Node]], mjcf: ET.Element, report: Report) -> dict[str, Part]:
    """Parts of sensors, each given with the body it sits on; a site is added for each."""
    bodies = {body.get("name"): body for body in mjcf.iter("body")}
    sites = {site.get("name") for site in mjcf.iter("site")}
    parts: dict[str, Part] = {}
    for body, node in sensors:
        part = read_sensor(node, report)
        if part is None or body not in bodies:
            if part is not None:
                report.lose(str(node), f"its link {body} is not there")
            continue
        name = _unused(node.name or part["kind"], parts)
        site = _unused(name, sites)
        sites.add(site)
        ET.SubElement(bodies[body], "site", {"name": site, **attributes(node.pose()), "group": "4"})
        parts[name] = {"kind": part["kind"], "site": site, **part}
        _plugins(node, report)
    return parts


def read_sensor(node: Node, report: Report) -> Part | None:
    """The part of a sensor, without its site; None for one that has no counterpart, which is listed."""
    kind = node.element.get("type", "").strip()
    for quiet in ("visualize", "always_on", "topic"):
        node.one(quiet)
    if kind in ("camera", "wideanglecamera"):
        part = _camera(node, report)
    elif kind in SCANS:
        part = _scan(node, report)
    elif kind == "imu":
        part = _imu(node)
    elif kind in PLAIN:
        part = {"kind": PLAIN[kind]}
        if inside := node.one(kind):
            report.lose(f"{node}: {inside.summary()}", f"{PLAIN[kind]}: give its errors by hand")
            inside.swallow()
    else:
        report.lose(str(node), f"a sensor of type {kind or 'none'} has no counterpart here: {node.summary()}")
        node.swallow()
        return None
    rate = node.number("update_rate", 0.0)
    if rate <= 0.0:
        rate = USUAL[part["kind"]]
        report.assume(f"{node}: update_rate", f"{rate:g} Hz; the source asks for every step")
    return {"kind": part.pop("kind"), "rate_hz": rate, **part}


def _camera(node: Node, report: Report) -> Part:
    camera = node.one("camera") or node
    width, height = (int(camera.number(f"image/{edge}", value)) for edge, value in (("width", 320), ("height", 240)))
    if max(width, height) > LARGEST:
        report.repair(f"{node}: image", f"{width} × {height} px", f"at most {LARGEST} px", "no larger picture is drawn")
    form = camera.say("image/format", "R8G8B8")
    if form not in ("R8G8B8", "RGB_INT8"):
        report.lose(f"{camera}: format {form}", "pictures here have three colours")
    part = {
        "kind": "camera",
        "width_px": min(width, LARGEST),
        "height_px": min(height, LARGEST),
        "field_of_view": camera.number("horizontal_fov", 1.047),
        "near": max(camera.number("clip/near", 0.1), CLOSEST),
        "far": camera.number("clip/far", 100.0),
    }
    return part | _noise(camera)


def _scan(node: Node, report: Report) -> Part:
    scan = node.one("ray") or node.one("lidar") or node
    rays = int(scan.number("scan/horizontal/samples", 640) * scan.number("scan/horizontal/resolution", 1.0))
    low, high = (scan.number(f"scan/horizontal/{end}_angle", 0.0) for end in ("min", "max"))
    rows = scan.number("scan/vertical/samples", 1)
    for unread in ("scan/vertical", "range/resolution"):
        if (found := scan.deep(unread)) is not None and (unread != "scan/vertical" or rows > 1):
            report.lose(f"{found}: {found.summary()}", "a scanner here has one row, and ranges of any length")
            found.swallow()
    reach = {"range_min": scan.number("range/min", 0.0), "range_max": scan.number("range/max", 30.0)}
    if not math.isfinite(reach["range_max"]):
        reach["range_max"] = 1e4
    if rays < 2 or low == high:
        return {"kind": "rangefinder", **reach, **_noise(scan)}
    fan = {"rays": rays, "angle_min_deg": math.degrees(low), "angle_max_deg": math.degrees(high)}
    return {"kind": "laser", **fan, **reach, "noise": 0.0, **_noise(scan)}


def _imu(node: Node) -> Part:
    """Deviations of one sample become densities by the rate."""
    imu, rate = node.one("imu"), node.number("update_rate", 0.0) or USUAL["imu"]
    part: Part = {"kind": "imu"}
    if imu is None:
        return part
    for ours, new, old in (("rate", "angular_velocity", "rate"), ("accel", "linear_acceleration", "accel")):
        sigma = imu.number(f"{new}/x/noise/stddev", 0.0) or imu.number(f"noise/{old}/stddev", 0.0)
        if sigma > 0.0:
            part[f"{ours}_noise"] = sigma / math.sqrt(rate)
        bias = [imu.number(f"{new}/{axis}/noise/bias_mean", 0.0) for axis in "xyz"]
        if any(bias):
            part[f"{ours}_bias"] = bias
        for axis in "yz":  # of one unit with x
            if found := imu.deep(f"{new}/{axis}/noise"):
                found.swallow()
    return part


def _noise(node: Node) -> Part:
    """Standard deviation of what a camera or a scanner says."""
    node.say("noise/type")
    sigma = node.number("noise/stddev", 0.0)
    return {"noise": sigma} if sigma > 0.0 else {}


def _plugins(node: Node, report: Report) -> None:
    """A plugin inside a sensor only publishes what it measures."""
    for plugin in node.all("plugin"):
        named = plugin.say("topicName") or plugin.say("cameraName") or plugin.name
        report.lose(f"{plugin}", f"it publishes {named} there; topics here have the names of vehicle and part")
        plugin.swallow()


def _unused(wanted: str, taken: Container[Any]) -> str:
    start = "".join(c if c.isalnum() else "_" for c in wanted)
    return next(name for k in range(1, 1000) if (name := start if k == 1 else f"{start}_{k}") not in taken)
