"""PX4's models are templates, `name.sdf.jinja`, with names that its build fills in. Its defaults are taken."""

import re

from cupola.bridge.report import Report
from cupola.schema.input_files import InputError

DEFAULTS = {
    "mavlink_tcp_port": "4560",
    "mavlink_udp_port": "14560",
    "mavlink_id": "1",
    "serial_enabled": "0",
    "serial_device": "/dev/ttyACM0",
    "serial_baudrate": "921600",
    "hil_mode": "0",
    "qgc_udp_port": "14550",
    "qgc_addr": "INADDR_ANY",
    "sdk_udp_port": "14540",
    "sdk_addr": "INADDR_ANY",
    "mavlink_addr": "INADDR_ANY",
    "use_lockstep": "0",
    "enable_lockstep": "0",
    "gst_udp_host": "127.0.0.1",
    "gst_udp_port": "5600",
    "video_uri": "5600",
    "mavlink_cam_udp_port": "14530",
}
"""Of PX4's generator: ports and devices, none of which is read here."""
NAME = re.compile(r"\{\{-?\s*(\w+)\s*-?\}\}")
NOTE = re.compile(r"\{#.*?#\}", re.DOTALL)


class TemplateError(InputError):
    """A template that must be filled in by its own program."""


def filled(text: str, name: str, report: Report) -> str:
    """The text with PX4's defaults in the places of names; a template that computes is refused."""
    text = NOTE.sub("", text)
    how = HOW.format(name.partition(".")[0])
    used: dict[str, str] = {}

    def value(found: re.Match[str]) -> str:
        used[found[1]] = DEFAULTS.get(found[1], "0")
        return used[found[1]]

    if "{%" in text:
        raise TemplateError(f"{name}: a template with statements ({{% ... %}}); {how}")
    made = NAME.sub(value, text)
    if "{{" in made:
        raise TemplateError(f"{name}: a template that computes ({{{{ ... }}}}); {how}")
    if used:
        report.assume(f"{name}: names of a template", ", ".join(f"{key} {word}" for key, word in used.items()))
    return made


HOW = (
    "a file of data runs nothing here; fill it in first, in PX4's folder: "
    "python3 scripts/jinja_gen.py models/{0}/{0}.sdf.jinja . --output-file {0}.sdf, and import that"
)
"""With PX4's own program, which needs jinja2."""
