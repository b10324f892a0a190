"""What `<option>` of an MJCF file switches off, carried by the model itself; what a scenario cannot say is listed."""

from typing import Any
from xml.etree import ElementTree as ET

import mujoco
import numpy as np

from cupola.bridge.mjcf.source import Source
from cupola.bridge.report import Report

OFF = mujoco.mjtDisableBit
SOLVER = ("cone", "impratio", "solver", "iterations", "tolerance", "ls_iterations", "noslip_iterations", "o_margin",
          "o_solref", "o_solimp", "o_friction", "disableactuator")  # fmt: skip
"""Settings of the solver of contacts and constraints that may differ from MuJoCo's own."""
MET = ("GRAVITY", "CONTACT", "CONSTRAINT", "LIMIT", "EQUALITY", "FRICTIONLOSS", "AUTORESET", "WARMSTART", "ISLAND",
       "SENSOR")  # fmt: skip
"""Flags that are carried by the model, or that change how fast a step is, and not what it gives."""
IDLE = ("ENERGY", "FWDINV", "INVDISCRETE", "SLEEP")
"""Flags that, switched on, do not change what a step gives."""


def is_off(model: Any, *flags: str) -> bool:
    """Whether one of the flags is switched off."""
    return any(model.opt.disableflags & int(getattr(OFF, f"mjDSBL_{flag}")) for flag in flags)


def apply_flags(source: Source, body: ET.Element, report: Report) -> None:
    """Contacts, limits, equalities and friction of joints that the source switches off, for the vehicle alone."""
    model = source.model
    if is_off(model, "CONTACT", "CONSTRAINT"):
        for geom in body.iter("geom"):
            geom.attrib |= {"contype": "0", "conaffinity": "0"}
        _without(source, "contact", "pair")
        report.assume("<option>: flag contact", "its shapes touch nothing, as the file switches contacts off")
    joints = [joint for joint in body.iter("joint") if joint.get("type") != "free"]
    if is_off(model, "LIMIT", "CONSTRAINT"):
        for joint in joints:
            joint.set("limited", "false")
        report.assume("<option>: flag limit", "its joints have no ends, as the file switches limits off")
    if is_off(model, "FRICTIONLOSS", "CONSTRAINT"):
        for joint in joints:
            joint.set("frictionloss", "0")
    if is_off(model, "EQUALITY", "CONSTRAINT"):
        _without(source, "equality")


def _without(source: Source, section: str, tag: str = "*") -> None:
    for found in source.root.findall(section):
        for element in found.findall(tag):
            found.remove(element)


def list_solver(source: Source, report: Report) -> None:
    """Settings that a scenario here cannot say."""
    option, usual = source.model.opt, mujoco.MjModel.from_xml_string("<mujoco/>").opt
    other = [name for name in SOLVER if not np.array_equal(getattr(option, name), getattr(usual, name))]
    if other:
        said = ", ".join(f"{name} {_words(name, getattr(option, name))}" for name in other)
        report.lose(f"<option>: {said}", "contacts and limits are solved with MuJoCo's own settings")
    flags = [name[7:] for name in dir(OFF) if name.startswith("mjDSBL_") and name[7:] not in MET]
    for name in flags:
        if is_off(source.model, name):
            report.lose(f"<option>: flag {name.lower()}", "switched off in the file, and on here")
    for name in (name[7:] for name in dir(mujoco.mjtEnableBit) if name.startswith("mjENBL_")):
        switched = source.model.opt.enableflags & int(getattr(mujoco.mjtEnableBit, f"mjENBL_{name}"))
        if switched and name not in IDLE:
            report.lose(f"<option>: flag {name.lower()}", "switched on in the file, and off here")


def _words(name: str, value: Any) -> str:
    kinds = {"cone": "mjtCone", "solver": "mjtSolver"}
    if name in kinds:
        return str(getattr(mujoco, kinds[name])(int(value)).name).rpartition("_")[2].lower()
    return " ".join(f"{number:g}" for number in np.atleast_1d(value))
