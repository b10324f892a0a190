"""Interaction with a running world. All of it acts between two ticks, is told to the listeners, repeats to
the bit when it is done again at the same ticks, and is in a snapshot.
"""

import logging
from collections.abc import Callable, Sequence
from typing import Any

import mujoco
import numpy as np

from cupola.build.boxes import Boxes
from cupola.build.compile import Assembly
from cupola.build.controller_runner import NEVER, due
from cupola.build.mjcf import place, reset_joints
from cupola.config.robot import Robot
from cupola.config.scenario import Scenario
from cupola.engine.loop import reopen
from cupola.kernel.memory import Views, address_table
from cupola.kernel.observation import Observation, observation_in
from cupola.schema.arguments import number, numbers, text, whole_number
from cupola.schema.tunable_fields import Parameter
from cupola.schema.yaml_files import InputError
from cupola.sim.body_inertia import BodyInertias, Inertia
from cupola.sim.control_modes import ControlModes
from cupola.sim.events import Command
from cupola.sim.failures import Failure, Failures
from cupola.sim.piloting import Piloting
from cupola.sim.saving import saved
from cupola.sim.scheduled_pushes import schedule_pushes
from cupola.sim.tuning import Tuning

log: logging.Logger = logging.getLogger("cupola")


class Interaction(Piloting):
    """Interaction with a running world: the base class of `World`."""

    def __init__(self, scenario: Scenario, assembly: Assembly, source: str) -> None:
        self.scenario: Scenario = scenario
        self.assembly: Assembly = assembly
        self.model: Any = assembly.model
        self.data: Any = assembly.data
        self.arrays: Views = assembly.arrays
        self.dt: float = 1.0 / scenario.physics_hz
        self.listeners: list[Callable[[Command], None]] = []
        """Functions called with every intervention from now on."""
        self._acting_itself = False
        self._table = address_table(self.arrays)
        self.boxes: Boxes = Boxes(self.model, self.data, self.arrays.external_wrench, scenario)
        self._all_modes = [
            ControlModes(i, instance, assembly, self.dt) for i, instance in enumerate(assembly.instances)
        ]
        self.masses: BodyInertias = BodyInertias(self.model)
        self._faults = Failures(assembly.parts, [m.name for m in assembly.instances])
        self.tuning: Tuning = Tuning(assembly, self._all_modes, self._faults, scenario.air, self.masses)
        self._breakdowns = self._schedule(scenario, source)
        self._changes = self._schedule_changes(scenario, source)
        self._pushes = schedule_pushes(scenario.pushes, self.dt, self._body, source)
        self._before_changes: dict[str, Any] = {}
        """What was tuned, and the bodies, before the scenario changed something on the way: a reset goes back there."""

    @property
    def table(self) -> Any:
        """Addresses of everything that the compiled loop reads and writes."""
        return self._table

    # channels and what lies about

    def turn(self, channel: int, value: float, vehicle: str | None = None) -> None:
        """Set a command channel that the controller does not command, such as that of a camera servo."""
        instance = self._modes(vehicle).instance
        last = instance.channels.stop - instance.channels.start - 1
        channel, value = whole_number(channel, "turn: channel", 0, last), number(value, "turn: value")
        self._tell("turn", channel, value, instance.name)
        self.arrays.command[instance.channels][channel] = value

    def drop_box(self, vehicle: str | None = None) -> bool:
        """Drop a box below a vehicle; False, with a warning, if the scenario has none left."""
        instance = self._modes(vehicle).instance
        self._tell("drop_box", instance.name)
        dropped = self.boxes.drop(self.motion(vehicle), instance.root)
        if dropped:
            reopen(self._table)
        elif self.boxes.count:
            log.warning("all %d boxes are out: remove them to drop more", self.boxes.count)
        else:
            log.warning("there are no boxes to drop: write `boxes: 10` in the scenario")
        return dropped

    def remove_boxes(self) -> None:
        """Remove all boxes."""
        self._tell("remove_boxes")
        if not self.boxes.count:  # taking nothing away changes nothing, to the bit
            return
        self.boxes.park()
        reopen(self._table)

    def restart(self, vehicle: str | None = None) -> None:
        """Reset one vehicle to its start, including joints, motors and controller. Time and other vehicles continue."""
        modes = self._modes(vehicle)
        instance = modes.instance
        self._tell("restart", instance.name)
        reset_joints(f"{instance.name}/", self.model, self.data)
        place(instance.resolved, instance.root, self.model, self.data)
        self.arrays.state[instance.own_state] = self.assembly.initial_state[instance.own_state]
        self.arrays.command[instance.channels] = self.arrays.drive[instance.channels] = 0.0
        for bound in self.assembly.parts:
            if bound.vehicle == instance.name:
                bound.part.reset()
        modes.reset()
        reopen(self._table)

    # numbers

    @property
    def parameters(self) -> dict[str, tuple[Parameter, float]]:
        """Every tunable number of controllers, parts, bodies and the air: its declaration and its present value."""
        return {name: (tunable.declared, tunable.read()) for name, tunable in self.tuning.tunables.items()}

    def tune(self, name: str, value: float | Sequence[Any]) -> None:
        """Change a tunable number, or an array of a controller; it acts from the next tick on.

        In a controller from its next call on; before the start, its `reset` already computes with it.
        """
        name = text(name, "tune: name")
        if np.ndim(value) == 0:
            value = number(value, f"tune {name}")
        self.tuning.set(name, value)
        if name in self.tuning.of_bodies:
            reopen(self._table)
        self._tell("tune", name, np.asarray(value, float).tolist())

    def robot(self, vehicle: str | None = None) -> Robot:
        """Description of a vehicle for controllers and estimators: masses, links, joints, rotors, wheels."""
        return self._modes(vehicle).instance.robot

    def scenario_now(self) -> Scenario:
        """The scenario with all present parameter values."""
        return saved(self.scenario, self.instances, self.tuning, self._changed_bodies())

    # what happens to it

    def push(
        self,
        body: str | int,
        force_w: Sequence[float],
        point_b: Sequence[float] = (0.0, 0.0, 0.0),
        torque_w: Sequence[float] = (0.0, 0.0, 0.0),
    ) -> None:
        """Push a body with a force [N, world axes] at a point of it [m, its axes], and a torque [N m, world axes].

        Until told otherwise; 0 lets go.
        """
        index = self._body(body)
        given = {"force_w": force_w, "point_b": point_b, "torque_w": torque_w}
        for name, values in given.items():
            found = np.array([*numbers(values, f"push: {name}")], np.float64)
            if found.shape != (3,) or not np.isfinite(found).all():
                raise InputError(f"push needs three finite numbers of {name.partition('_')[0]}, got {values}")
        force, point, torque = (tuple(float(value) for value in values) for values in given.values())
        self._tell("push", index, force, point, torque)
        self.arrays.applied_forces[index] = [*force, *point, *torque]
        self._count_pushes()

    def _count_pushes(self) -> None:
        """Whether any body is pushed."""
        self.arrays.world["forces_applied"] = np.delete(self.arrays.applied_forces, np.s_[3:6], axis=1).any()

    def fail(self, part: str, kind: str, amount: float = 1.0) -> None:
        """Fail a part (`vehicle.part`, `vehicle.sticks`): off, stuck, or loss of a fraction; amount 0 repairs it."""
        self._faults.put(part, kind, number(amount, "fail: amount"))
        self._tell("fail", part, kind, float(amount))
        self.tuning.refit(part.partition(".")[0])

    def set_inertia(self, body: str | int, mass: float, com_b: Sequence[float], about_com: Sequence[float]) -> None:
        """Set mass [kg], centre [m] and inertia xx, yy, zz, xy, xz, yz about it [kg m²] of a body, in its axes."""
        index = self._body(body)
        mass, com_b = number(mass, "set_inertia: mass"), numbers(com_b, "set_inertia: com_b")
        about_com = numbers(about_com, "set_inertia: about_com")
        self.masses.put(index, mass, com_b, about_com)
        self._tell("set_inertia", index, float(mass), tuple(com_b), tuple(about_com))
        reopen(self._table)

    def inertia(self, body: str | int) -> Inertia:
        """Mass, centre and inertia of a body, as `set_inertia` takes them."""
        return self.masses.now(self._body(body))

    def _changed_bodies(self) -> dict[str, Inertia]:
        """Bodies whose masses were changed, by their names."""
        return {self.model.body(body).name: one for body, one in self.masses.memory().items()}

    def start_at(self, vehicle: str | None = None, **start: Any) -> None:
        """Change the start of a vehicle from the next reset on: `position`, `velocity_b`, as under `start:`."""
        k = self._index(vehicle)
        instance = self.instances[k]
        now = instance.resolved.start.with_(start)
        placed = instance._replace(resolved=instance.resolved._replace(start=now))
        self.assembly.instances[k] = self._all_modes[k].instance = placed
        self.scenario = self.scenario.with_({f"vehicles[{k}].{name}": getattr(now, name) for name in start})

    def faults(self) -> list[Failure]:
        """All possible failures with their present amounts."""
        return self._faults.listed()

    # for the world itself

    def motion(self, vehicle: str | None = None) -> Observation:
        """Exact motion of a vehicle's root body."""
        return observation_in(self.arrays.observations[self._index(vehicle)])

    def _release(self) -> None:
        """Initial state: no push, no failure, the scenario's modes."""
        self.arrays.world["forces_applied"] = 0
        if self._faults.mend():
            self._refit_all()
        if self._before_changes:
            self.masses.remember(self._before_changes["masses"])
            self.tuning.remember(self._before_changes["touched"])
            self._refit_all()  # what parts know of the masses, too
            self._before_changes = {}
        for modes in self._all_modes:
            modes.reset()

    def _memory(self) -> dict[str, Any]:
        """State for a snapshot, besides the arrays."""
        all_modes = [modes.memory() for modes in self._all_modes]
        before = dict(self._before_changes)
        return {"modes": all_modes, "faults": self._faults.memory(), "before": before, **self._touched()}

    def _touched(self) -> dict[str, Any]:
        """What was changed since the scenario was read."""
        return {"touched": dict(self.tuning.touched), "masses": self.masses.memory()}

    def _remember(self, memory: dict[str, Any]) -> None:
        """Restore what `_memory` returned."""
        broken = self._faults.memory()
        self._faults.remember(memory["faults"])
        self._before_changes = dict(memory["before"])
        self.tuning.remember(memory["touched"])
        self.masses.remember(memory["masses"])
        if broken or memory["faults"]:
            self._refit_all()
        for modes, one in zip(self._all_modes, memory["modes"], strict=True):
            modes.remember(one)
        self._count_pushes()

    def _refit_all(self) -> None:
        for instance in self.instances:
            self.tuning.refit(instance.name)

    def _act_by_schedule(self, now: int) -> int:
        """Apply the scenario's failures, changes and pushes of this tick; returns the ticks until the next."""
        for tick, part, kind, amount in self._breakdowns:
            if tick == now:
                self.fail(part, kind, amount)
        for tick, name, value in self._changes:
            if tick == now:
                self._before_changes = self._before_changes or self._touched()
                self.tune(name, value)
        for push in self._pushes:
            if push.tick == now:
                self.push(push.body, push.force_w, push.point_b, push.torque_w)
        ticks = [one[0] for one in self._breakdowns] + [one[0] for one in self._changes]
        ticks += [push.tick for push in self._pushes]
        return min((tick - now for tick in ticks if tick > now), default=NEVER)

    def _schedule(self, scenario: Scenario, source: str) -> list[tuple[int, str, str, float]]:
        """The scenario's faults by tick."""
        for k, fault in enumerate(scenario.faults):
            try:
                self._faults.check(fault.part, fault.kind, fault.amount)
            except InputError as error:
                raise InputError(f"{source}: faults[{k}]: {error}") from None
        return sorted((due(f.time, self.dt), f.part, f.kind, f.amount) for f in scenario.faults)

    def _schedule_changes(self, scenario: Scenario, source: str) -> list[tuple[int, str, float]]:
        """The scenario's changes by tick; those of one tick as they are written."""
        for k, change in enumerate(scenario.changes):
            try:
                self.tuning.check(change.number, change.value)
            except InputError as error:
                raise InputError(f"{source}: changes[{k}]: {error}") from None
        return sorted(((due(c.time, self.dt), c.number, c.value) for c in scenario.changes), key=lambda c: c[0])

    def _body(self, body: str | int) -> int:
        names = [mujoco.mj_id2name(self.model, mujoco.mjtObj.mjOBJ_BODY, k) for k in range(self.model.nbody)]
        if isinstance(body, str) and body in names[1:]:
            return names.index(body)
        if isinstance(body, int) and not isinstance(body, bool) and 0 < body < len(names):
            return body
        raise InputError(f"there is no body {body!r}; there are: {', '.join(map(str, names[1:]))}")
