"""`cupola joystick`: live values of axes and buttons, and a suggested map."""

import contextlib
import time
from pathlib import Path
from typing import Any

from rich.live import Live
from rich.table import Table

from cupola.cli.piloting import read_map
from cupola.cli.screen import columns, say, show_json, stderr, stdout
from cupola.schema.yaml_files import InputError
from cupola.teleop.calibration import STICKS, Calibration
from cupola.teleop.hid import HidMap, channels
from cupola.teleop.joystick import Device, State
from cupola.teleop.sdl import SdlDevice

PERIOD = 0.02
"""[s] between two updates."""


def show(map_file: Path | None, seconds: float, as_json: bool) -> None:
    """Watch the joystick, then print a map."""
    mapping = read_map(map_file)
    device = SdlDevice()
    try:
        if device.read() is None:
            raise InputError("there is no joystick: plug one in, or fly with --keyboard or --sticks FILE")
        name = device.name
        say(f"{name}: move each stick first to its positive side ({', '.join(STICKS)}), then around; Ctrl-C ends")
        calibration = watch(device, mapping, seconds)
    finally:
        device.close()
    if as_json:
        show_json(results(name, calibration))
    else:
        stdout().print(f"# {name}\n{calibration.text()}", markup=False, soft_wrap=True)


def watch(device: Device, mapping: HidMap, seconds: float) -> Calibration:
    """Show the device until the time is over, Ctrl-C is pressed or it is unplugged."""
    calibration = Calibration()
    end = time.monotonic() + seconds
    with Live(console=stderr()) as live, contextlib.suppress(KeyboardInterrupt):
        while (state := device.read()) is not None:
            calibration.see(state)
            live.update(picture(state, calibration, mapping))
            if time.monotonic() >= end:
                break
            time.sleep(PERIOD)
    return calibration


def picture(state: State, calibration: Calibration, mapping: HidMap) -> Table:
    """Present axes and buttons, and the channels computed by the map."""
    table = columns("source", "now", "lowest", "highest", "throw", "channel", "value")
    values = channels(mapping, state.axes, state.buttons)
    for i, value in enumerate(state.axes):
        seen = [f"{x:+.3f}" for x in (value, calibration.low[i], calibration.high[i], calibration.throw(i))]
        table.add_row(f"axis {i}", *seen, *_target(mapping.axes, i, values))
    for i, on in enumerate(state.buttons):
        table.add_row(f"button {i}", str(on), "", "", "1", *_target(mapping.buttons, i, values))
    return table


def _target(sources: list[int], index: int, values: list[float]) -> tuple[str, str]:
    if index not in sources:
        return "", ""
    channel = sources.index(index)
    return str(channel), f"{values[channel]:+.3f}"


def results(name: str, calibration: Calibration) -> dict[str, Any]:
    """The same for a program."""
    axes = range(len(calibration.low))
    return {
        "name": name,
        "axes": [
            {"lowest": calibration.low[i], "highest": calibration.high[i], "throw": calibration.throw(i)} for i in axes
        ],
        "moved": list(calibration.moved),
        "pressed": calibration.pressed,
        "map": calibration.text(),
    }
