"""Flight-control components of JSBSim as expressions; what has a memory keeps it under a name of its own.

Lags are written so that they hold for a tick of any length, as an analysis needs it.
"""

import itertools
import math
from collections.abc import Callable
from xml.etree import ElementTree as ET

from cupola.bridge.formulas import number
from cupola.bridge.jsbsim.accelerations import ACCELERATION, acceleration
from cupola.bridge.jsbsim.filters import FILTERS, Filter
from cupola.bridge.jsbsim.functions import Translator
from cupola.parts.functions.table import Table
from cupola.schema.yaml_files import InputError

OPERATORS = {"==": "==", "eq": "==", "!=": "!=", "ne": "!=", "<": "<", "lt": "<", "<=": "<=", "le": "<="}
OPERATORS |= {">": ">", "gt": ">", ">=": ">=", "ge": ">="}
EXECUTE = "cupola_execute"
"""Attribute of a component whose channel runs only while a property is not 0; no file has it."""
GOES_ON = "cupola_goes_on"
"""Attribute of a kinematic: its output, where another component has written that before it; no file has it."""
TRAVERSING = ("kinematic", "kinemat")
AT_ONCE = 1e-9
"""[s] of a stretch that takes no time."""
Remembered = dict[str, dict[str, float | str]]


def plain_property(text: str | None) -> str:
    """A property as others call it: `x[0]` is `x`."""
    return (text or "").strip().removesuffix("[0]")


def property_name(element: ET.Element) -> str:
    """The property that a component writes: its name, in lower case under fcs/ unless it is a path."""
    name = plain_property(element.get("name"))
    return name if "/" in name else "fcs/" + name.lower().replace(" ", "-")


class Components:
    """Translates components; `lost` is told what was left out of one."""

    def __init__(self, translator: Translator, lost: Callable[[str, str], None]) -> None:
        self._t, self._lost = translator, lost
        self.remembers: Remembered = {}

    def text(self, element: ET.Element) -> str:
        """The expression of a component; the owner of the formulas is the name of what it computes."""
        kind = KINDS.get(element.tag)
        if kind is None:
            raise InputError(f"a <{element.tag}> is not read here")
        kept = len(self.remembers)
        found = self._clipped(element, getattr(self, f"_{kind}")(element))
        if element.get(EXECUTE):
            if len(self.remembers) > kept:
                self._lost(
                    f"execute={element.get(EXECUTE)!r}", f"{element.get('name')} holds its output, not its memory"
                )
            last = f"{self._t.formulas.owner}_held_last"
            found = self._keep(last, f"if({self._t.signed(element.get(EXECUTE, ''))} == 0, {last}, {found})")
        return self._t.formulas.short(found)

    def _inputs(self, element: ET.Element) -> list[str]:
        return [self._t.signed(one.text or "") for one in element.findall("input")]

    def _input(self, element: ET.Element) -> str:
        found = self._inputs(element)
        if len(found) != 1:
            raise InputError(f"a <{element.tag}> has one input, {element.get('name')} has {len(found)}")
        return found[0]

    def _value(self, element: ET.Element, tag: str, default: float | None = None) -> str:
        """A number, or a property in its place."""
        text = (element.findtext(tag) or "").strip()
        if not text:
            if default is None:
                raise InputError(f"<{element.tag}> {element.get('name')} has no <{tag}>")
            return number(default)
        try:
            return number(float(text))
        except ValueError:
            return self._t.signed(text)

    def _clipped(self, element: ET.Element, text: str) -> str:
        clip = element.find("clipto")
        if clip is None:
            return text
        low, high = self._value(clip, "min"), self._value(clip, "max")
        if (clip.get("type") or "").strip() == "cyclic":
            x, width = self._t.formulas.short(text), f"({high} - {low})"
            return f"({x} - {width} * floor(({x} - {low}) / {width}))"
        return self._t.formulas.call("clip", text, low, high)

    def _summer(self, element: ET.Element) -> str:
        return self._t.formulas.chain("+", [*self._inputs(element), self._value(element, "bias", 0.0)])

    def _gain(self, element: ET.Element) -> str:
        return self._t.formulas.chain("*", [self._value(element, "gain", 1.0), self._input(element)])

    def _scheduled(self, element: ET.Element) -> str:
        table = element.find("table")
        if table is None:
            raise InputError(f"the scheduled gain {element.get('name')} has no table")
        return self._t.formulas.chain("*", [self._gain(element), self._t.table(table)])

    def _scale(self, element: ET.Element) -> str:
        f, x = self._t.formulas, self._t.formulas.short(self._input(element))
        domain, span = element.find("domain"), element.find("range")
        low, high = ("(-1.0)", "1.0") if domain is None else (self._value(domain, "min"), self._value(domain, "max"))
        bottom, top = ("(-1.0)", "1.0") if span is None else (self._value(span, "min"), self._value(span, "max"))
        centred = (element.findtext("zero_centered") or "true").strip().lower() not in ("0", "false")
        if centred:
            found = f"if({x} > 0, {x} / {high} * {top}, if({x} < 0, {x} / {low} * {bottom}, 0))"
        else:
            found = f"({bottom} + ({x} - {low}) / ({high} - {low}) * ({top} - {bottom}))"
        return f.chain("*", [found, self._value(element, "gain", 1.0)])

    def _kinematic(self, element: ET.Element) -> str:
        """Towards the command with the speed of the stretch in which it is."""
        settings = element.findall("traverse/setting")
        places = [float(one.findtext("position", "nan")) for one in settings]
        times = [float(one.findtext("time", "nan")) for one in settings]
        wanted = self._input(element)
        if element.find("noscale") is None:
            wanted = f"({wanted}) * {number(places[-1])}"
        begins = list(itertools.accumulate((max(time, AT_ONCE) for time in times[1:]), initial=0.0))
        f, name = self._t.formulas, self._t.formulas.owner
        # On the way it is a matter of time alone, also across the stretches.
        f_time = self._kept(f"{name}_time", places, begins)
        f_place = self._kept(f"{name}_place", begins, places)
        now, last = f"{name}_last_time", f"{name}_last"
        if element.get(GOES_ON):
            last = f.named(self._t.named(element.get(GOES_ON, "")))
            f.owner = name
        f.values[now] = f"{f_time}({last})"
        wanted = f.named(wanted)
        moved = f"{f_place}({now} + clip({f_time}({wanted}) - {now}, -dt, dt))"
        for low, high, time in zip(places, places[1:], times[1:], strict=False):
            if time <= 0.0:  # what enters it is where it should be at once
                moved = f.named(moved)
                up = f"({wanted} > {last} and {last} < {number(high)} and {moved} > {number(low)})"
                down = f"({wanted} < {last} and {last} > {number(low)} and {moved} < {number(high)})"
                moved = f"if({up} or {down}, clip({wanted}, {number(places[0])}, {number(places[-1])}), {moved})"
        return self._keep(f"{name}_last", self._clipped(element, moved))

    def _kept(self, name: str, breaks: list[float], values: list[float]) -> str:
        self._t.tables[name] = Table(over={"x0": breaks}, values=values)
        return name

    def _keep(self, last: str, text: str) -> str:
        """A value that is remembered under the name `last`; the value itself."""
        now = last.removesuffix("_last") + "_now"
        self._t.formulas.values[now] = text
        self.remembers[last] = {"start": 0.0, "next": now}
        return now

    def _lag(self, element: ET.Element) -> str:
        return self._lagged(self._input(element), self._value(element, "c1"))

    def _lagged(self, text: str, rate: str) -> str:
        """c1 / (s + c1) by Tustin's rule, as JSBSim steps it."""
        name, values = self._t.formulas.owner, self._t.formulas.values
        values[f"{name}_in"] = text
        self.remembers[f"{name}_in_last"] = {"start": 0.0, "next": f"{name}_in"}
        both = f"dt * {rate} * ({name}_in + {name}_in_last)"
        return self._keep(f"{name}_last", f"(({both} + (2 - dt * {rate}) * {name}_last) / (2 + dt * {rate}))")

    def _filter(self, element: ET.Element) -> str:
        def remember(last: str, now: str) -> None:
            self.remembers[last] = {"start": 0.0, "next": now}

        owner, x = self._t.formulas.owner, self._input(element)
        self._t.formulas.owner = owner  # an input that is computed first leaves its own
        return FILTERS[element.tag](Filter(element, owner, x, self._value, remember, self._t.formulas))

    def _sensor(self, element: ET.Element) -> str:
        """Lag, gain, bias and steps; the rest of its errors is listed."""
        for tag in ("noise", "drift_rate", "delay"):
            if element.find(tag) is not None:
                self._lost(f"<{tag}> of {element.get('name')}", "a sensor here has lag, gain, bias and quantization")
        x = self._input(element)
        if element.find("lag") is not None:
            x = self._lagged(x, self._value(element, "lag"))
        scaled = self._t.formulas.chain("*", [self._value(element, "gain", 1.0), x])
        measured = self._t.formulas.chain("+", [scaled, self._value(element, "bias", 0.0)])
        steps = element.find("quantization")
        return measured if steps is None else self._stepped(measured, steps)

    def _stepped(self, text: str, steps: ET.Element) -> str:
        """What a converter of some bits makes of it."""
        low, high = (float(self._value(steps, tag).strip("()")) for tag in ("min", "max"))
        size = (high - low) / 2.0 ** float(self._value(steps, "bits").strip("()"))
        held = self._t.formulas.call("clip", text, number(low), number(high))
        return f"({number(low)} + {number(size)} * floor(({held} - {number(low)}) / {number(size)}))"

    def _actuator(self, element: ET.Element) -> str:
        """One stage after the other, in JSBSim's order; `{name}_last` and the like are theirs."""
        if element.find("delay") is not None:
            self._lost(
                f"<delay> of {element.get('name')}", "an actuator has lag, rate, dead band, hysteresis, bias here"
            )
        f, name, x = self._t.formulas, self._t.formulas.owner, self._input(element)
        if element.find("lag") is not None:
            x = self._lagged(x, self._value(element, "lag"))
        up, down = self._rates(element)
        if up is not None or down is not None:
            last = f"{name}_rate_last"
            step = f"{f.short(x)} - {last}"
            low = step if down is None else f"max({step}, -dt * {down})"
            x = self._keep(last, f"({last} + {low if up is None else f'min({low}, dt * {up})'})")
        if element.find("deadband_width") is not None:
            x, half = f.short(x), f"(0.5 * {self._value(element, 'deadband_width')})"
            x = f"({x} - clip({x}, -{half}, {half}))"
        if element.find("hysteresis_width") is not None:
            x, half, last = f.short(x), f"(0.5 * {self._value(element, 'hysteresis_width')})", f"{name}_hyst_last"
            # Before the first tick, and so in a trim, it follows at once, as in JSBSim.
            x = self._keep(last, f"if(time > 0, clip({last}, {x} - {half}, {x} + {half}), {x})")
        return f.chain("+", [x, self._value(element, "bias", 0.0)])

    def _rates(self, element: ET.Element) -> tuple[str | None, str | None]:
        """How fast an actuator goes up and down; none: as fast as it likes."""
        found: dict[str, str] = {}
        for one in element.findall("rate_limit"):
            text = (one.text or "").strip()
            try:
                rate = number(float(text))
            except ValueError:
                rate = self._t.signed(text)
            sense = (one.get("sense") or "").strip()[:4]
            found |= dict.fromkeys([sense] if sense in ("incr", "decr") else ["incr", "decr"], rate)
        return found.get("incr"), found.get("decr")

    def _acceleration(self, element: ET.Element) -> str:
        """What an accelerometer at a place feels, or how fast the velocity or a rate changes."""
        return acceleration(element, self._t.formulas.owner, self._changing)

    def _changing(self, name: str, quantity: str) -> str:
        """How fast a quantity has changed over the last tick; 0 in the first one."""
        self.remembers[f"{name}_last"] = {"start": 0.0, "next": quantity}
        self.remembers[f"{name}_begun"] = {"start": 0.0, "next": "1"}
        self._t.formulas.values[f"{name}_change"] = f"if({name}_begun > 0, ({quantity} - {name}_last) / dt, 0)"
        return f"{name}_change"

    def _deadband(self, element: ET.Element) -> str:
        x, half = self._t.formulas.short(self._input(element)), f"(0.5 * {self._value(element, 'width')})"
        found = f"if({x} < -{half}, {x} + {half}, if({x} > {half}, {x} - {half}, 0))"
        return self._t.formulas.chain("*", [found, self._value(element, "gain", 1.0)])

    def _function(self, element: ET.Element) -> str:
        function = element.find("function")
        if function is None:
            raise InputError(f"{element.get('name')} has no function")
        inputs = self._inputs(element)  # JSBSim multiplies by the first
        return self._t.formulas.chain("*", [*inputs[:1], self._t.function(function)])

    def _angle(self, element: ET.Element) -> str:
        """From one direction to another, the shorter way round."""
        units = {"DEG": 180.0 / math.pi, "RAD": 1.0}
        read = {"DEG": 0.017453293, "RAD": 1.0}  # JSBSim's digits
        source, target = (
            f"({self._value(element, tag)} * {number(read[_unit(element.find(tag))])})"
            for tag in ("source_angle", "target_angle")
        )
        turn = self._t.formulas.short(f"({target} - {source})")
        return f"(atan2(sin({turn}), cos({turn})) * {number(units[_unit(element)])})"

    def _switch(self, element: ET.Element) -> str:
        default = element.find("default")
        found = "0" if default is None else self._either(default.get("value", "0"))
        for test in reversed(element.findall("test")):
            found = self._t.formulas.call("if", self._condition(test), self._either(test.get("value", "0")), found)
        return found

    def _either(self, text: str) -> str:
        try:
            return number(float(text))
        except ValueError:
            return self._t.signed(text)

    def _condition(self, test: ET.Element) -> str:
        """Comparisons, one per line, and tests inside the test."""
        pieces = [self._compared(line) for line in _lines(test)]
        pieces += [self._condition(inside) for inside in test.findall("test")]
        return self._t.formulas.chain((test.get("logic") or "AND").lower(), pieces)

    def _compared(self, line: str) -> str:
        words = line.split()
        if len(words) != 3 or words[1].lower() not in OPERATORS:
            raise InputError(f"the condition {line!r} is not read here")
        left, sign, right = self._either(words[0]), OPERATORS[words[1].lower()], self._either(words[2])
        return f"(not ({left} == {right}))" if sign == "!=" else f"({left} {sign} {right})"


def _unit(element: ET.Element | None) -> str:
    """Of an angle; radians unless it says degrees."""
    said = "RAD" if element is None else (element.get("unit") or "RAD").strip().upper()
    return "DEG" if said.startswith("DEG") else "RAD"


def _lines(test: ET.Element) -> list[str]:
    texts = [test.text or "", *(inside.tail or "" for inside in test)]
    return [line.strip() for text in texts for line in text.splitlines() if line.strip()]


KINDS = {
    "summer": "summer", "pure_gain": "gain", "scheduled_gain": "scheduled", "aerosurface_scale": "scale",
    "angle": "angle", "kinematic": "kinematic", "kinemat": "kinematic", "lag_filter": "lag", "actuator": "actuator",
    "deadband": "deadband", "fcs_function": "function", "switch": "switch", "sensor": "sensor",
    ACCELERATION: "acceleration", **dict.fromkeys(FILTERS, "filter"),
}  # fmt: skip
