"""What moves in a world, as one array of numbers: see `Hello.layout`."""

from collections.abc import Mapping
from typing import Any, Literal

import mujoco
import numpy as np

from cupola.cockpit.messages import CLOCK, Section, Signal
from cupola.cockpit.scene import arrow_of, lasers_of, loads_of, pushed_sites, rotors_of, spin_of, wheels_of
from cupola.cockpit.setpoints import setpoints
from cupola.kernel.array_groups import as_numbers
from cupola.kernel.memory import STICKS
from cupola.kernel.rows import AIR_AT, column_of
from cupola.sim.signals import Signals
from cupola.sim.world import World

MOST_CONTACTS = 64
"""Contacts in a frame; a world may have more."""
POSE, ARROW, GOAL = 7, 6, 4
"""Numbers of a row: position and quaternion; point and force; position and yaw."""
FRAME = 1.0
"""First number of a frame; pictures begin with another."""
AT = {name: k for k, name in enumerate(CLOCK)}
WIND = [column_of(AIR_AT, f"wind_{axis}") for axis in "xyz"]
Name = Literal["clock", "bodies", "forces", "contacts", "signals", "sticks", "goals", "wind", "spins", "lasers"]


class Frame:
    """The frame of one world: `numbers` after each `fill`. `beside`: units of signals that the world does not have."""

    def __init__(self, world: World, beside: Mapping[str, str] | None = None) -> None:
        self._world = world
        self._signals = Signals(world)
        self._beside = dict(beside or {})
        self._lasers = [
            (world.samples[bound.vehicle, bound.name], bound.part.ray_angles().rays) for bound in lasers_of(world)
        ]
        self._spins = np.array([spin_of(bound) for bound in rotors_of(world)], np.intp)
        self._air = as_numbers(world.arrays.air_samples).reshape(len(world.instances), -1)
        self._prepare_forces()
        vehicles = len(world.instances)
        rows: list[tuple[Name, int, int]] = [
            ("clock", 1, len(CLOCK)),
            ("bodies", world.model.nbody, POSE),
            ("forces", len(self._sites) + len(self._wheels) + 1, ARROW),
            ("contacts", MOST_CONTACTS, ARROW),
            ("signals", len(self._signals.listed) + len(self._beside), 1),
            ("sticks", vehicles, STICKS),
            ("goals", vehicles, GOAL),
            ("wind", vehicles, 3),
            ("spins", len(self._spins), 1),
            ("lasers", sum(rays for _, rays in self._lasers), 1),
        ]
        self.layout: list[Section] = []
        at = 0
        for name, count, width in rows:
            self.layout.append(Section(name=name, offset=at, count=count, width=width))
            at += count * width
        self.numbers = np.zeros(at)
        self.numbers[AT["kind"]] = FRAME
        self._tables = {s.name: self._table(s) for s in self.layout}
        self.clock: Any = self._tables["clock"][0]
        """Time, tick and contacts are filled in here; the rest by the runner of the world."""
        self.beside: Any = self._tables["signals"][len(self._signals.listed) :, 0]
        """Values of the signals that the world does not have, filled in by the caller."""

    @property
    def signals(self) -> list[Signal]:
        """What the rows of section `signals` are."""
        units = {**{one.name: one.unit for one in self._signals.listed}, **self._beside}
        follows = setpoints(units)
        return [Signal(name=name, unit=unit, setpoint_of=follows.get(name, "")) for name, unit in units.items()]

    def fill(self) -> None:
        """Write how the world is now."""
        world, table = self._world, self._tables
        arrays = world.arrays
        self.clock[AT["time"]], self.clock[AT["tick"]] = world.time, world.tick
        table["bodies"][:, :3], table["bodies"][:, 3:] = arrays.xpos, arrays.xquat
        self._signals.fill(table["signals"][: len(self._signals.listed), 0])
        self._fill_contacts(table["contacts"])
        self.fill_felt()

    def fill_felt(self) -> None:
        """The same of what is felt alone: forces, sticks, goals, wind, spins, scans."""
        world, table = self._world, self._tables
        arrays = world.arrays
        table["sticks"][:], table["wind"][:] = arrays.sticks, self._air[:, WIND]
        table["spins"][:, 0] = arrays.state[self._spins]
        self._fill_forces(table["forces"])
        for row, instance in zip(table["goals"], world.instances, strict=True):
            row[:] = world.goal(instance.name) or np.nan
        at = 0
        for samples, count in self._lasers:
            k = samples.newest()
            table["lasers"][at : at + count, 0] = np.inf if k is None else samples.numbers(k)[1 : 1 + count]
            at += count

    def _table(self, section: Section) -> Any:
        end = section.offset + section.count * section.width
        return self.numbers[section.offset : end].reshape(section.count, section.width)

    def _prepare_forces(self) -> None:
        """Of every load: its site, where it acts in the axes of the site, and the array and columns of its force."""
        arrays, sites, points = self._world.arrays, [], []
        self._where: list[tuple[Any, Any, Any]] = []
        for bound in loads_of(self._world):
            force = arrow_of(bound)
            assert force is not None
            sites.append(int(bound.row["site"]))
            points.append(bound.part.acts_at())
            self._where.append((arrays.outputs, force, slice(force.stop - force.start)))
        for one in pushed_sites(self._world).values():
            places = np.array(one.force)
            sites.append(one.site)
            points.append((0.0, 0.0, 0.0))
            self._where.append((arrays.state, places[places >= 0], places >= 0))
        self._sites = np.array(sites, np.intp)
        self._points_s = np.array(points).reshape(-1, 3)
        self._force_s = np.zeros((len(sites), 3))
        self._wheels = list(wheels_of(self._world).values())
        self._wheel_of = _below(self._world.model, self._wheels)

    def _fill_forces(self, out: Any) -> None:
        arrays, many = self._world.arrays, len(self._sites)
        for force, (array, source, components) in zip(self._force_s, self._where, strict=True):
            force[components] = array[source]
        if many:
            turns = arrays.site_xmat[self._sites].reshape(-1, 3, 3)
            out[:many, :3] = arrays.site_xpos[self._sites] + (turns @ self._points_s[:, :, None])[:, :, 0]
            out[:many, 3:] = (turns @ self._force_s[:, :, None])[:, :, 0]
        out[many:] = 0.0
        self._feel_floor(out[many:-1])
        if arrays.world["forces_applied"][0]:
            forces_w, points_b, _ = np.hsplit(arrays.applied_forces, 3)
            body = int(np.argmax(np.abs(forces_w).sum(axis=1)))
            turn = self._world.data.xmat[body].reshape(3, 3)
            out[-1, :3] = arrays.xpos[body] + turn @ points_b[body]
            out[-1, 3:] = forces_w[body]

    def _feel_floor(self, out: Any) -> None:
        """Forces [N, world axes] on wheels, each where it stands: the sum over its contacts."""
        data = self._world.data
        for k in range(int(data.ncon) if len(out) else 0):
            contact = data.contact[k]
            for geom, sign in zip(contact.geom, (-1.0, 1.0), strict=True):
                wheel = self._wheel_of[self._world.model.geom_bodyid[geom]] if geom >= 0 else -1
                if wheel >= 0:
                    out[wheel, :3] = contact.pos
                    out[wheel, 3:] += sign * self._contact_force(k)

    def _fill_contacts(self, out: Any) -> None:
        """Where things touch, and the force [N, world axes] on what touches from above."""
        model, data = self._world.model, self._world.data
        count = min(int(data.ncon), len(out))
        self.clock[AT["contacts"]] = count
        for k in range(count):
            contact = data.contact[k]
            on_second = self._contact_force(k)
            fixed = model.geom_bodyid[contact.geom2] == 0 if contact.geom2 >= 0 else False
            out[k, :3], out[k, 3:] = contact.pos, -on_second if fixed else on_second

    def _contact_force(self, k: int) -> Any:
        """Force [N, world axes] on the second of the two that touch."""
        force = np.zeros(6)
        mujoco.mj_contactForce(self._world.model, self._world.data, k, force)
        return self._world.data.contact[k].frame.reshape(3, 3).T @ force[:3]


def _below(model: Any, bodies: list[int]) -> list[int]:
    """For every body, which of `bodies` it is or hangs on; -1: none."""
    found: list[int] = []
    for body in range(model.nbody):
        parent = int(model.body_parentid[body])
        found.append(bodies.index(body) if body in bodies else found[parent] if body else -1)
    return found
