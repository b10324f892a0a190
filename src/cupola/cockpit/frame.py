"""What moves in a world, as one array of numbers: see `Hello.layout`."""

from typing import Any, Literal

import mujoco
import numpy as np

from cupola.cockpit.messages import CLOCK, Section, Signal
from cupola.cockpit.scene import loads_of, parts_of, pushed_sites, wheels_of
from cupola.cockpit.signals import Signals
from cupola.kernel.air import motion_in_air
from cupola.kernel.motion import to_site
from cupola.kernel.planet import spin_w
from cupola.parts.aero.airfoil import Airfoil
from cupola.parts.aero.bluff import BluffBody, bluff_load
from cupola.parts.aero.liftdrag import LiftDragSurface
from cupola.parts.aero.wing import Wing
from cupola.parts.part import Part
from cupola.parts.propulsion.rotor import Rotor
from cupola.parts.sensors.laser import Laser
from cupola.sim.world import World

MOST_CONTACTS = 64
"""Contacts in a frame; a world may have more."""
POSE, ARROW, GOAL = 7, 6, 4
"""Numbers of a row: position and quaternion; point and force; position and yaw."""
FRAME = 1.0
"""First number of a frame; pictures begin with another."""
AT = {name: k for k, name in enumerate(CLOCK)}
FORCE_OF = {Airfoil: 5, LiftDragSurface: 15, Wing: 5}
"""Place of its force among the outputs of a wing."""
Name = Literal["clock", "bodies", "forces", "contacts", "signals", "sticks", "goals", "wind", "spins", "lasers"]


class Frame:
    """The frame of one world: `numbers` after each `fill`."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._signals = Signals(world)
        self._lasers = [
            (world.samples[b.vehicle, b.name], b.part.rays) for b in world.assembly.parts if isinstance(b.part, Laser)
        ]
        self._spins = np.array([int(world.arrays.rotors[b.row]["state"]) for b in parts_of(world, Rotor)], np.intp)
        self._prepare_forces()
        vehicles = len(world.members)
        rows: list[tuple[Name, int, int]] = [
            ("clock", 1, len(CLOCK)),
            ("bodies", world.model.nbody, POSE),
            ("forces", len(self._sites) + len(self._wheels) + 1, ARROW),
            ("contacts", MOST_CONTACTS, ARROW),
            ("signals", len(self._signals.listed), 1),
            ("sticks", vehicles, world.arrays.sticks.shape[1]),
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
        self.clock = self._tables["clock"][0]
        """Time, tick and contacts are filled in here; the rest by whoever runs the world."""

    @property
    def signals(self) -> list[Signal]:
        """What the rows of section `signals` are."""
        return self._signals.listed

    def fill(self) -> None:
        """Write how the world is now."""
        world, table = self._world, self._tables
        arrays = world.arrays
        self.clock[AT["time"]], self.clock[AT["tick"]] = world.time, world.tick
        table["bodies"][:, :3], table["bodies"][:, 3:] = arrays.xpos, arrays.xquat
        table["sticks"][:], table["wind"][:] = arrays.sticks, arrays.airs[:, :3]
        table["spins"][:, 0] = arrays.state[self._spins]
        self._signals.fill(table["signals"][:, 0])
        self._fill_forces(table["forces"])
        self._fill_contacts(table["contacts"])
        for row, member in zip(table["goals"], world.members, strict=True):
            row[:] = world.goal(member.name) or np.nan
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
        arrays, sites, where, points = self._world.arrays, [], [], []
        self._records = arrays.as_records()
        self._bluff_s = np.zeros((len(arrays.bluffs), 3))
        for bound in loads_of(self._world):
            row = getattr(arrays, bound.kind)[bound.row]
            sites.append(int(row["site"]))
            points.append(_acts_at(bound.part))
            if isinstance(bound.part, Airfoil | LiftDragSurface | Wing):
                where.append((arrays.outputs, int(row["output"]) + FORCE_OF[type(bound.part)], 3))
            elif isinstance(bound.part, Rotor):
                where.append((arrays.outputs, int(row["output"]), 1))
            elif isinstance(bound.part, BluffBody):
                where.append((self._bluff_s[bound.row], 0, 3))
            else:
                where.append((arrays.state, int(row["state"]), 3))
        self._where = [(array, slice(first, first + count), slice(count)) for array, first, count in where]
        for site, places in pushed_sites(self._world).values():
            sites.append(site)
            points.append((0.0, 0.0, 0.0))
            self._where.append((arrays.state, places[places >= 0], places >= 0))
        self._sites = np.array(sites, np.intp)
        self._points_s = np.array(points).reshape(-1, 3)
        self._force_s = np.zeros((len(sites), 3))
        self._wheels = list(wheels_of(self._world).values())
        self._wheel_of = _below(self._world.model, self._wheels)

    def _fill_forces(self, out: Any) -> None:
        arrays, many = self._world.arrays, len(self._sites)
        self._feel_air()
        for force, (array, source, components) in zip(self._force_s, self._where, strict=True):
            force[components] = array[source]
        if many:
            turns = arrays.site_xmat[self._sites].reshape(-1, 3, 3)
            out[:many, :3] = arrays.site_xpos[self._sites] + (turns @ self._points_s[:, :, None])[:, :, 0]
            out[:many, 3:] = (turns @ self._force_s[:, :, None])[:, :, 0]
        out[many:] = 0.0
        self._feel_floor(out[many:-1])
        if arrays.world["pushed"][0]:
            body = int(np.argmax(np.abs(arrays.pulls[:, :3]).sum(axis=1)))
            turn = self._world.data.xmat[body].reshape(3, 3)
            out[-1, :3] = arrays.xpos[body] + turn @ arrays.pulls[body, 3:]
            out[-1, 3:] = arrays.pulls[body, :3]

    def _feel_air(self) -> None:
        """Forces on bluff bodies, in the axes of their sites; the loop does not keep them."""
        v = self._records
        for force, row in zip(self._bluff_s, v.bluffs, strict=True):
            motion, density = motion_in_air(v, row)
            force[:] = bluff_load(row, motion, to_site(v, row.site, spin_w(v)), density).force

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


def _acts_at(part: Part) -> tuple[float, float, float]:
    """Where the arrow of a force begins, axes of the site [m]; of a wing of strips, half-way out."""
    if isinstance(part, LiftDragSurface):
        return part.cp
    if isinstance(part, Wing):
        return 0.0, 0.5 * part.stations[-1].y * (1.0 if part.side == "left" else -1.0), 0.0
    return 0.0, 0.0, 0.0


def _below(model: Any, bodies: list[int]) -> list[int]:
    """For every body, which of `bodies` it is or hangs on; -1: none."""
    found: list[int] = []
    for body in range(model.nbody):
        parent = int(model.body_parentid[body])
        found.append(bodies.index(body) if body in bodies else found[parent] if body else -1)
    return found
