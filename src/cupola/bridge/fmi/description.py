"""What an FMU says of itself, `modelDescription.xml`, and where its library lies: FMI 2 and 3."""

import platform
import sys
import uuid
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

SYSTEMS = {"linux": ("linux", ".so"), "darwin": ("darwin", ".dylib"), "win32": ("windows", ".dll")}
MACHINES = {"x86_64": "x86_64", "AMD64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}
KIND = {"input": "continuous", "output": "continuous", "local": "continuous", "parameter": "fixed"}


class Declared(NamedTuple):
    """A variable; its value reference is the place of its first number among all of them."""

    name: str
    size: int
    start: float
    unit: str = ""


class About(NamedTuple):
    """What is said of the unit itself."""

    name: str
    source: str
    """Text from which its identity is computed."""
    gives_state: bool = True
    serializes_state: bool = True
    step: float = 0.0
    """[s] by which it steps inside; 0: by any."""
    duration: float = 0.0
    """[s] of the experiment that is proposed; 0: none."""


def library_place(name: str, version: int) -> str:
    """Where the library for this machine lies in the archive."""
    system, ending = SYSTEMS[sys.platform]
    bits = {"windows": "win"}.get(system, system) + "64"
    folder = bits if version == 2 else f"{MACHINES[platform.machine()]}-{system}"
    return f"binaries/{folder}/{name}{ending}"


def describe(about: About, groups: Mapping[str, Sequence[Declared]], version: int) -> str:
    """The text of `modelDescription.xml`; `groups` by causality, in the order of the value references."""
    known, outputs, at, index = [], [], 0, 0
    for role, found in groups.items():
        for one in found:
            for text in _declared(one, role, at, version):
                index += 1
                known.append(text)
                if role == "output":
                    unknown = f'<Unknown index="{index}"/>' if version == 2 else f'<Output valueReference="{at}"/>'
                    outputs.append(unknown)
            at += one.size
    listed = "".join(outputs)
    if version == 2:
        structure = f"<Outputs>{listed}</Outputs><InitialUnknowns>{listed}</InitialUnknowns>" if listed else ""
    else:
        known.append(f'<Float64 name="time" valueReference="{at}" causality="independent" variability="continuous"/>')
        structure = listed + listed.replace("<Output ", "<InitialUnknown ")
    units = dict.fromkeys(one.unit for found in groups.values() for one in found if one.unit)
    texts = [
        f"<CoSimulation modelIdentifier={quoteattr(about.name)} {_abilities(about, version)}/>",
        *(
            [f"<UnitDefinitions>{''.join(f'<Unit name={quoteattr(u)}/>' for u in units)}</UnitDefinitions>"]
            * bool(units)
        ),
        '<LogCategories><Category name="logStatusError"/></LogCategories>',
        *(
            [f'<DefaultExperiment startTime="0.0" stopTime="{about.duration!r}" stepSize="{about.step!r}"/>']
            * bool(about.step)
        ),
        f"<ModelVariables>\n{chr(10).join(known)}\n</ModelVariables>",
        f"<ModelStructure>{structure}</ModelStructure>",
    ]
    key = "guid" if version == 2 else "instantiationToken"
    token = uuid.uuid5(uuid.NAMESPACE_URL, about.source)
    head = f'fmiVersion="{version}.0" modelName={quoteattr(about.name)} {key}="{{{token}}}" generationTool="Cupola"'
    return '<?xml version="1.0" encoding="UTF-8"?>\n<fmiModelDescription {}>\n{}\n</fmiModelDescription>\n'.format(
        head, "\n".join(texts)
    )


def _abilities(about: About, version: int) -> str:
    """Attributes of the element of co-simulation."""
    state = "FMUstate" if version == 2 else "FMUState"
    can = {
        "canHandleVariableCommunicationStepSize": "true",
        f"canGetAndSet{state}": str(about.gives_state).lower(),
        f"canSerialize{state}": str(about.serializes_state).lower(),
    }
    if about.step and version == 3:
        can["fixedInternalStepSize"] = repr(about.step)
    return " ".join(f'{key}="{value}"' for key, value in can.items())


def _declared(one: Declared, role: str, at: int, version: int) -> list[str]:
    """A variable, or in FMI 2, which knows single numbers only, one per number."""
    start = f' start="{one.start!r}"' if role in ("input", "parameter") else ""
    unit = f" unit={quoteattr(one.unit)}" if one.unit else ""
    said = f'causality="{role}" variability="{KIND[role]}"'
    if version == 3:
        starts = start if one.size == 1 else start.replace(repr(one.start), " ".join([repr(one.start)] * one.size))
        dimension = f'<Dimension start="{one.size}"/>' if one.size > 1 else ""
        named = f'name={quoteattr(one.name)} valueReference="{at}"'
        return [f"<Float64 {named} {said}{unit}{starts}>{dimension}</Float64>"]
    names = [one.name] if one.size == 1 else [f"{one.name}[{k + 1}]" for k in range(one.size)]
    return [
        f'<ScalarVariable name={quoteattr(name)} valueReference="{at + k}" {said}><Real{unit}{start}/></ScalarVariable>'
        for k, name in enumerate(names)
    ]
