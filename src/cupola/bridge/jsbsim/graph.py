"""The properties of an aircraft as a graph: who computes each, and what a set of them needs."""

import itertools
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

from cupola.bridge.formulas import Formulas, plain_name, stem
from cupola.bridge.jsbsim.components import (
    EXECUTE,
    GOES_ON,
    KINDS,
    TRAVERSING,
    Components,
    plain_property,
    property_name,
)
from cupola.bridge.jsbsim.elements import find_file, read_file
from cupola.bridge.jsbsim.functions import Translator
from cupola.bridge.jsbsim.properties import NEARLY, RESTING, known_expression, of_pilot, relative, why_it_rests
from cupola.schema.yaml_files import InputError

LAWS = ("system", "autopilot", "flight_control")
ORDER = "cupola_order"
"""Attribute of a component: which of two runs first; no file has it."""
Lost = list[tuple[str, str]]


def definitions(root: ET.Element, path: Path, lost: Lost) -> tuple[dict[str, ET.Element], dict[str, float]]:
    """Components and functions by the property that they write, and properties with a starting value."""
    found: dict[str, ET.Element] = {}
    starts: dict[str, float] = {}
    for section in root:
        if section.tag not in LAWS:
            starts |= _begins(section.findall("property"), lost)
    for law in _laws(root, path, lost):
        starts |= _begins(law.iter("property"), lost)
        _executed(law, lost)
        for element in law.iter():
            if element.tag == "function" and "/" in element.get("name", ""):
                found.setdefault(plain_property(element.get("name")), element)
            if (element.get("name") and element.find("input") is not None) or element.tag in KINDS:
                _writes(element, found)
    return found, starts


def _writes(component: ET.Element, found: dict[str, ET.Element]) -> None:
    """Enter what a component writes. Of several writers the last one has a property; those before it, `name#0` on."""
    component.set(ORDER, str(len(found)))
    names = [property_name(component)] if (component.get("name") or "").strip() else []
    outputs = [plain_property(output.text) for output in component.findall("output")]
    for name in dict.fromkeys([*names, *outputs]):
        if name in found and found[name].get(ORDER):
            found[earlier(name, sum(1 for _ in writers_before(name, found)))] = found[name]
            if component.tag in TRAVERSING and name in outputs[:1]:
                component.set(GOES_ON, name)
        found[name] = component


def earlier(name: str, number: int) -> str:
    """How a property is called that a component wrote before another one did."""
    return f"{name}#{number}"


def writers_before(name: str, found: dict[str, ET.Element]) -> Iterator[str]:
    """What a property is called while it has not its last value of a tick."""
    for number in itertools.count():
        if (key := earlier(name, number)) not in found:
            return
        yield key


def _executed(law: ET.Element, lost: Lost) -> None:
    """Write to the components of a channel on what property it depends whether they run."""
    for channel in law.iter("channel"):
        if channel.get("execrate") not in (None, "1"):
            lost.append((f"execrate of the channel {channel.get('name')}", "its components run at every tick here"))
        for component in channel if channel.get("execute") else ():
            component.set(EXECUTE, channel.get("execute", ""))


def _begins(properties: Iterable[ET.Element], lost: Lost) -> dict[str, float]:
    """Properties that are given a value where they are declared; any section may do so."""
    given = [one for one in properties if one.get("value") is not None and one.text]
    return {plain_property(one.text): _start(one, lost) for one in given}


def _start(element: ET.Element, lost: Lost) -> float:
    """The value with which a property begins."""
    text = element.get("value", "0")
    try:
        return float(text)
    except ValueError:
        lost.append((f"start of {(element.text or '').strip()}", f"{text!r} is no number: 0"))
        return 0.0


def _laws(root: ET.Element, path: Path, lost: Lost) -> Iterator[ET.Element]:
    """Systems, autopilot and flight control, those in files of their own too."""
    for element in root:
        if element.tag not in LAWS:
            continue
        yield element
        name = element.get("file")
        if name is None:
            continue
        file = find_file(name, path, "systems")
        if file is None:
            lost.append((f"<{element.tag} file={name!r}>", "there is no such file beside the aircraft or in systems/"))
            continue
        try:
            yield read_file(file)
        except InputError as error:
            lost.append((f"<{element.tag} file={name!r}>", str(error)))


class Sources(NamedTuple):
    """Where properties come from."""

    computed: dict[str, ET.Element]
    """By components and functions."""
    starts: dict[str, float]
    numbers: dict[str, float]
    """Fixed numbers of this aircraft, such as its wing area."""
    expressions: dict[str, str]
    """Fixed expressions of this aircraft."""
    channels: dict[str, int]
    """Properties that a part before this one has written to a channel."""


class Graph:
    """One part's values: asked for properties, it writes down everything they need."""

    def __init__(self, sources: Sources, lost: Callable[[str, str], None]) -> None:
        self.sources, self.tell = sources, lost
        self.values: dict[str, str] = {}
        self.constants: dict[str, float] = {}
        self.formulas = Formulas(self.values)
        self.translator = Translator(self.formulas, self.named)
        self.components = Components(self.translator, lost)
        self._names: dict[str, str] = {}
        self._labels: dict[str, str] = {}
        self._open: list[str] = []
        self._reader: ET.Element | None = None

    def named(self, name: str) -> str:
        """The name under which a property is a value here, as what reads it finds it in its turn."""
        key, reader = plain_property(name), self._reader
        before = list(writers_before(key, self.sources.computed))
        if reader is None or not before:
            return self._resolved(key)
        turn = int(reader.get(ORDER, "0"))
        done = [one for one in (*before, key) if int(self.sources.computed[one].get(ORDER, 0)) < turn]
        if done:
            return self._resolved(done[-1])
        if key not in self._open:
            self._resolved(key)
        return self._of_last_tick(key)

    def _resolved(self, key: str) -> str:
        """The name of a value; what is being computed is that of the last tick."""
        if key in self._open:
            return self._of_last_tick(key)
        if key not in self._names:
            owner, reader, self._open = self.formulas.owner, self._reader, [*self._open, key]
            self._names[key] = self._found(key)
            self.formulas.owner, self._reader, self._open = owner, reader, self._open[:-1]
        return self._names[key]

    def moves(self, key: str) -> bool:
        """Whether the aircraft's own laws compute a property."""
        return key in self.sources.computed or key in self.sources.channels

    def _of_last_tick(self, key: str) -> str:
        last = f"{stem(self._label(key))}_before"
        start = self.sources.starts.get(key, 0.0)
        self.components.remembers.setdefault(last, {"start": start, "next": self._label(key)})
        return last

    def _label(self, key: str) -> str:
        """Its name here; `fcs/flap/pos` and `fcs/flap-pos` are two."""
        if key not in self._labels:
            label = plain_name(key)
            while label in self._labels.values():
                label += "_"
            self._labels[key] = label
        return self._labels[key]

    def _found(self, key: str) -> str:
        label, s = self._label(key), self.sources
        if key in s.channels:
            return self._value(label, f"channel[{s.channels[key]}]")
        if key in s.numbers:
            return self._constant(label, s.numbers[key])
        if key in s.expressions:
            return self._value(label, s.expressions[key])
        if known_expression(key):
            if key in NEARLY:
                self.tell(key, NEARLY[key])
            return self._value(label, known_expression(key))
        if key in s.computed:
            return self._computed(key, label)
        if of_pilot(key):
            return self._value(label, of_pilot(key))
        other = relative(key)
        if other and (other[0] in s.computed or other[0] in s.channels or key.startswith("fcs/mag-")):
            return self._value(label, other[1].format(self.named(other[0])))
        if key == "fcs/throttle-pos-norm" or key.startswith("fcs/throttle-pos-norm["):
            return self._value(label, of_pilot("fcs/throttle-cmd-norm"))
        resting = RESTING.get(key.partition("[")[0])  # the lever of each engine rests where that of the first does
        if key not in s.starts and resting is None:
            self.tell(key, why_it_rests(key))
        return self._constant(label, s.starts.get(key, resting or 0.0))

    def _computed(self, key: str, label: str) -> str:
        element = self.sources.computed[key]
        first = property_name(element)
        if element.tag != "function" and key != first and self.sources.computed.get(first) is element:
            return self._value(label, self._resolved(first))  # an <output> of it: what it remembers is there once
        self.formulas.owner, self._reader = stem(label), element if element.get(ORDER) else None
        try:
            text = self.translator.function(element) if element.tag == "function" else self.components.text(element)
        except (InputError, ValueError) as error:
            self.tell(key, f"stays 0: {error}")
            return self._constant(label, self.sources.starts.get(key, 0.0))
        return self._value(label, text)

    def _value(self, label: str, text: str) -> str:
        if text != label:
            self.values[label] = text
        return label

    def _constant(self, label: str, value: float) -> str:
        self.constants[label] = value
        return label
