"""The controllers of a vehicle: made, checked against it, and given their place in the arrays."""

import logging
import math

from cupola.build.controller_runner import ControllerRunner, make_controller
from cupola.build.layout_builder import LayoutBuilder
from cupola.config.controller import Controller
from cupola.config.resolved_vehicle import ControllerSpec, ResolvedVehicle
from cupola.config.routes import find_route, parse_route, route_sticks
from cupola.config.vehicle import ControllerEntry
from cupola.kernel.records import flat, size
from cupola.parts import KINDS
from cupola.parts.binding import ticks_between
from cupola.schema.arguments import number
from cupola.schema.input_files import InputError

log = logging.getLogger("cupola")

LONGEST_PERIOD = 1 << 31
"""Ticks between two calls of a controller."""


def make_runner(one: ResolvedVehicle, spec: ControllerSpec, builder: LayoutBuilder, compiled: bool) -> ControllerRunner:
    """A controller of a vehicle at its rate, with its route if it has one."""
    entry = spec.entry
    slowest = builder.physics_hz / LONGEST_PERIOD
    if entry.rate_hz < slowest:
        raise InputError(f"{spec.source}.rate_hz: must be at least {slowest:g} Hz, got {entry.rate_hz:g}")
    every = max(1, round(builder.physics_hz / entry.rate_hz))
    if spec.exact:
        try:
            every = ticks_between(entry.rate_hz, builder.physics_hz)
        except ValueError as error:
            raise InputError(f"{spec.source}.{error}") from None
    policies = one.held.policies if one.held else None
    controller = make_controller(entry, spec.home, spec.source, builder.trust, spec.given, policies)
    _check_needs(one, spec, controller)
    _tell_clamped_speeds(one, entry, controller)
    _check_own_rate(one, controller, builder.physics_hz / every)
    if entry.channel >= builder.channels:
        raise InputError(f"{spec.source}.channel: {one.name} has {builder.channels} channels, got {entry.channel}")
    first = builder.state(*flat(controller.State()))
    place, order = slice(first, len(builder.numbers)), one.vehicle.channel_mix.sticks
    reports = builder.report(size(controller.Signals))
    runner = ControllerRunner(one.name, controller, entry, every, compiled, order, place, reports)
    if entry.route:
        try:
            held = one.held.routes.get(entry.route) if one.held else None
            # A recording holds what was driven: without a view it was recognised as that of the body.
            legs = (
                find_route(entry.route, spec.home, entry.view)
                if held is None
                else parse_route(held, entry.route, entry.view or "body")
            )
            runner.script = runner.first_script = route_sticks(legs)
        except InputError as error:
            raise InputError(f"{spec.source}.route: {error}") from None
    return runner


def _tell_clamped_speeds(one: ResolvedVehicle, entry: ControllerEntry, controller: Controller) -> None:
    """Warn about speeds of a plan that the controller will not fly."""
    low, high = (controller.values.get(name) for name in ("speed_min", "speed_max"))
    if low is None or high is None:
        return
    outside = sorted({way.speed for way in entry.plan if not low <= way.speed <= high})
    if outside:
        asked = ", ".join(f"{speed:g}" for speed in outside)
        log.warning(
            "%s: the plan asks for %s m/s; its controller keeps within %g to %g m/s", one.name, asked, low, high
        )


def _check_own_rate(one: ResolvedVehicle, controller: Controller, called: float) -> None:
    """Warn about a `rate_hz` that a user's class declares and that is not the one that counts."""
    own = [vars(cls) for cls in type(controller).__mro__ if not cls.__module__.startswith("cupola.")]
    said = next((found["rate_hz"] for found in (vars(controller), *own) if "rate_hz" in found), called)
    name = type(controller).__name__
    if number(said, f"{one.name}: {name}.rate_hz", 0.0) == 0.0:
        raise InputError(f"{one.name}: {name}.rate_hz: expected a number above 0, got {said!r}")
    if not math.isclose(said, called, rel_tol=1e-9):
        log.warning(
            "%s: %s.rate_hz is %g, but it is called at %g Hz: `rate_hz` of its entry in the scenario or vehicle counts",
            *(one.name, name, said, called),
        )


def _check_needs(one: ResolvedVehicle, spec: ControllerSpec, controller: Controller) -> None:
    needs, parts = controller.needs, one.vehicle.parts.values()
    if needs is None:
        return
    obeying = [part for part in parts if needs in (part.obeys, part.kind)]
    if not obeying:
        known = " or ".join(kind for kind, cls in KINDS.items() if cls.obeys == needs) or f"the kind {needs}"
        kinds = ", ".join(sorted({part.kind for part in parts})) or "no parts"
        raise InputError(
            f"{spec.source}.use: {spec.entry.use} commands {needs}, as parts like {known} obey; {one.name} has: {kinds}"
        )
    firsts = {first: part.kind for part in obeying if (first := part.first_input()) is not None}
    if firsts and spec.entry.channel not in firsts:
        begin = ", ".join(f"{kind} at {first}" for first, kind in firsts.items())
        raise InputError(
            f"{spec.source}.channel: {spec.entry.use} commands {needs}, which no part of {one.name} takes from channel "
            f"{spec.entry.channel} on; they begin with: {begin}"
        )


def check_none_is_shared(resolved: list[ResolvedVehicle]) -> None:
    """One instance flies one vehicle: two would share its state."""
    seen: dict[int, str] = {}
    for one in resolved:
        given = one.specs["mission"].given
        if isinstance(given, Controller) and seen.setdefault(id(given), one.name) != one.name:
            said = type(given).__name__
            raise InputError(f"the same {said} cannot fly {seen[id(given)]} and {one.name}: give each one of its own")
