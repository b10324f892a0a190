"""Filters and controllers of JSBSim that remember their inputs, stepped as JSBSim does: by Tustin's rule."""

from collections.abc import Callable
from typing import NamedTuple
from xml.etree import ElementTree as ET

from cupola.bridge.formulas import Formulas
from cupola.schema.yaml_files import InputError

SUMS = {
    "rect": "{x}",
    "trap": "(0.5 * ({x} + {x}_last))",
    "ab2": "(1.5 * {x} - 0.5 * {x}_last)",
    "ab3": "((23 * {x} - 16 * {x}_last + 5 * {x}_last_2) / 12)",
}
"""What a <pid> adds up, by the `type` of its <ki>; `ab2` unless given."""
SMALLEST = "0.000001"
"""A trigger that is less is off."""


class Filter(NamedTuple):
    """A component to translate: its element, its input, and how its numbers, triggers and memories are written."""

    element: ET.Element
    owner: str
    input: str
    value: Callable[[ET.Element, str, float | None], str]
    remember: Callable[[str, str], None]
    formulas: Formulas

    def c(self, number: int) -> str:
        """One of its coefficients."""
        return self.value(self.element, f"c{number}", None)

    def now(self, suffix: str, text: str) -> str:
        """A value of this tick under a name of its own."""
        name = f"{self.owner}_{suffix}"
        self.formulas.values[name] = text
        return name

    def remembered(self, suffix: str, text: str, ticks: int = 1) -> str:
        """The same, whose last values are `name_last` and, of two ticks, `name_last_2`."""
        name = self.now(suffix, text)
        self.remember(f"{name}_last", name)
        if ticks == 2:
            self.remember(f"{name}_last_2", f"{name}_last")
        return name

    def trigger(self) -> str:
        """The property that stops a sum; empty where there is none."""
        return self.value(self.element, "trigger", None) if self.element.find("trigger") is not None else ""


def lead_lag(f: Filter) -> str:
    """(c1 s + c2) / (c3 s + c4)."""
    x = f.remembered("in", f.input)
    c1, c2, c3, c4 = (f.c(k) for k in (1, 2, 3, 4))
    below = f.now("below", f"2 * {c3} + dt * {c4}")
    up = f"(2 * {c1} + dt * {c2}) * {x} + (dt * {c2} - 2 * {c1}) * {x}_last"
    return f.remembered("out", f"({up} + (2 * {c3} - dt * {c4}) * {f.owner}_out_last) / {below}")


def washout(f: Filter) -> str:
    """s / (s + c1)."""
    x, c1 = f.remembered("in", f.input), f.c(1)
    return f.remembered("out", f"(2 * ({x} - {x}_last) + (2 - dt * {c1}) * {f.owner}_out_last) / (2 + dt * {c1})")


def second_order(f: Filter) -> str:
    """(c1 s² + c2 s + c3) / (c4 s² + c5 s + c6)."""
    x, out = f.remembered("in", f.input, 2), f"{f.owner}_out"
    c1, c2, c3, c4, c5, c6 = (f.c(k) for k in (1, 2, 3, 4, 5, 6))
    below = f.now("below", f"4 * {c4} + 2 * {c5} * dt + {c6} * dt * dt")
    first = f.now("first", f"(4 * {c1} + 2 * {c2} * dt + {c3} * dt * dt) * {x}")
    second = f.now("second", f"(2 * {c3} * dt * dt - 8 * {c1}) * {x}_last")
    third = f.now("third", f"(4 * {c1} - 2 * {c2} * dt + {c3} * dt * dt) * {x}_last_2")
    fourth = f.now("fourth", f"(2 * {c6} * dt * dt - 8 * {c4}) * {out}_last")
    fifth = f.now("fifth", f"(4 * {c4} - 2 * {c5} * dt + {c6} * dt * dt) * {out}_last_2")
    return f.remembered("out", f"({first} + {second} + {third} - {fourth} - {fifth}) / {below}", 2)


def integrator(f: Filter) -> str:
    """c1 / s; a trigger that is not 0 stops it, a negative one empties it."""
    x, before = f.remembered("in", f.input), f"{f.owner}_out_last"
    added = f"(0.5 * dt * {f.c(1)} * ({x} + {x}_last))"
    return f.remembered("out", " + ".join(_triggered(f.trigger(), before, added)))


def pid(f: Filter) -> str:
    """kp x + ki ∫ x + kd dx/dt; triggers as those of an integrator."""
    e, trigger = f.element, f.trigger()
    x = f.remembered("in", f.input)
    older = f.now("in_older", _triggered(trigger, f"{x}_last", "0")[0])
    f.remember(f"{x}_last_2", older)
    kp, kd = f.value(e, "kp", 0.0), f.value(e, "kd", 0.0)
    rate = f.value(e, "pvdot", None) if e.find("pvdot") is not None else f"(({x} - {x}_last) / dt)"
    inner, total = e.find("ki"), "0"
    if inner is not None:
        kind = inner.get("type", "ab2")
        if kind not in SUMS:
            raise InputError(f"<pid> {e.get('name')}: <ki type={kind!r}> is not read here; read are {', '.join(SUMS)}")
        added = f"({f.value(e, 'ki', 0.0)} * dt * {SUMS[kind].format(x=x)})"
        total = f.remembered("sum", " + ".join(_triggered(trigger, f"{f.owner}_sum_last", added)))
    if e.get("type") == "standard":
        return f.now("out", f"{kp} * ({x} + {total} + {kd} * {rate})")
    return f.now("out", f"{kp} * {x} + {total} + {kd} * {rate}")


def _triggered(trigger: str, before: str, added: str) -> tuple[str, str]:
    """What was summed up, and what is added to it."""
    if not trigger:
        return before, added
    return f"if({trigger} < 0, 0, {before})", f"if(abs({trigger}) < {SMALLEST}, {added}, 0)"


FILTERS = {
    "lead_lag_filter": lead_lag,
    "washout_filter": washout,
    "second_order_filter": second_order,
    "integrator": integrator,
    "pid": pid,
}
