"""Moves wings through a given stroke, again and again: a sum of waves, for wings in a wind tunnel."""

import math
from typing import Any, NamedTuple

from cupola.config.controller import Controller, NoState, parameter
from cupola.config.stick_words import NO_STICKS
from cupola.kernel.observation import Observation, Reference
from cupola.xmath import Number, cos, sin


class StrokeCommand(NamedTuple):
    """Angles of the left and the right wing, up positive [rad]."""

    left: Number
    right: Number


def stroke(obs: Observation, ref: Reference, state: NoState, p: Any) -> tuple[StrokeCommand, NoState]:
    """mean + sum of a_n cos(n phase) + b_n sin(n phase), `lead` seconds ahead, at the end of the coming period."""
    angle = _angle(2.0 * math.pi * p.frequency * (obs.time + obs.period + p.lead), p)
    return StrokeCommand(angle, angle), state


class StrokeSignals(NamedTuple):
    """The stroke."""

    angle: Number
    """[rad] that both wings shall have now, up positive."""
    strokes: Number
    """[1] since the start."""


def stroke_signals(obs: Observation, ref: Reference, state: NoState, p: Any) -> StrokeSignals:
    """Without the lead: where the wings should be, not where they are sent."""
    strokes = p.frequency * obs.time
    return StrokeSignals(_angle(2.0 * math.pi * strokes, p), strokes)


def _angle(phase: Number, p: Any) -> Number:
    angle = p.mean + p.a1 * cos(phase) + p.a2 * cos(2.0 * phase) + p.a3 * cos(3.0 * phase) + p.a4 * cos(4.0 * phase)
    angle += p.b1 * sin(phase) + p.b2 * sin(2.0 * phase) + p.b3 * sin(3.0 * phase) + p.b4 * sin(4.0 * phase)
    return angle


class Stroke(Controller):
    """Symmetric flapping of two wings."""

    stick_words = NO_STICKS
    rate_hz = 1000.0
    law = staticmethod(stroke)
    Signals = StrokeSignals
    report = staticmethod(stroke_signals)

    frequency: parameter = parameter(1.0, low=0, high=100, unit="Hz")
    lead: parameter = parameter(0.0, low=0, high=0.1, unit="s", about="how far the hinges lag behind")
    mean: parameter = parameter(0.0, low=-1.5, high=1.5, unit="rad")
    a1: parameter = parameter(0.0, low=-1.5, high=1.5, unit="rad")
    a2: parameter = parameter(0.0, low=-1.5, high=1.5, unit="rad")
    a3: parameter = parameter(0.0, low=-1.5, high=1.5, unit="rad")
    a4: parameter = parameter(0.0, low=-1.5, high=1.5, unit="rad")
    b1: parameter = parameter(0.0, low=-1.5, high=1.5, unit="rad")
    b2: parameter = parameter(0.0, low=-1.5, high=1.5, unit="rad")
    b3: parameter = parameter(0.0, low=-1.5, high=1.5, unit="rad")
    b4: parameter = parameter(0.0, low=-1.5, high=1.5, unit="rad")
