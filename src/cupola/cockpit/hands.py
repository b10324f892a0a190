"""People's hands on a world: sticks and pushes that expire when nobody is heard of, and the modes open to people."""

import math
import time
from collections.abc import Sequence
from typing import cast

import numpy as np

from cupola.cockpit import messages as say
from cupola.cockpit.driving import ManualControl
from cupola.cockpit.link import Link
from cupola.cockpit.obeyed import turn
from cupola.config.scenario import Mode
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World


class Hands:
    """Who holds what of one world. `may_fly`: modes that pages may choose, all when empty."""

    def __init__(self, world: World, link: Link, may_fly: Sequence[str] = ()) -> None:
        self._world, self._may_fly = world, list(may_fly)
        self._held: dict[int, float] = {}
        """When the sticks of a vehicle go to neutral [s]."""
        self._push: tuple[int, float] | None = None
        self._driving = ManualControl(world, link)
        self.hold_modes()

    def vehicle(self, index: int) -> str:
        """The name of a vehicle, or an InputError."""
        names = [instance.name for instance in self._world.instances]
        if index >= len(names):
            raise InputError(f"there is no vehicle {index}; there are {len(names)}: {', '.join(names)}")
        return names[index]

    # modes

    def must_be_open(self, *modes: str) -> None:
        """An InputError where whoever started the world has locked all of these modes."""
        if self._may_fly and not set(modes) & set(self._may_fly):
            raise InputError(f"the modes are locked: this world may be flown in {', '.join(self._may_fly)} only")

    def hold_modes(self) -> None:
        """Where modes are locked, a vehicle that is in another one gets the first that it has."""
        world = self._world
        for instance in world.instances:
            mine = [mode for mode in self._may_fly if mode in world.modes(instance.name)]
            if mine and world.mode(instance.name) not in mine:
                world.take_over(cast(Mode, mine[0]), instance.name)

    def fly(self, mode: Mode, vehicle: int) -> None:
        """Somebody else flies a vehicle from now on."""
        self._driving.leave(vehicle)
        self._world.take_over(mode, self.vehicle(vehicle))
        self._held.pop(vehicle, None)

    def hear_sticks(self, vehicle: int) -> None:
        """A mission does not listen to the sticks: assisted, else raw does."""
        world, name = self._world, self.vehicle(vehicle)
        self._driving.leave(vehicle)
        if world.mode(name) == "mission":
            open_modes = [one for one in ("assisted", "raw") if not self._may_fly or one in self._may_fly]
            mode = next((one for one in open_modes if one in world.modes(name)), None)
            if mode is None:
                raise InputError(f"{name} has no mode that hears the sticks; it has: {', '.join(world.modes(name))}")
            world.take_over(mode, name)
        self._held.pop(vehicle, None)

    # sticks, keys, pushes

    def move(self, sticks: say.Sticks) -> None:
        """Sticks are where a page says, until they expire."""
        self._driving.leave(sticks.vehicle)
        self._world.sticks(sticks.channels, self.vehicle(sticks.vehicle))
        self._held[sticks.vehicle] = time.monotonic() + say.STICKS_EXPIRE

    def turn(self, asked: say.Turn) -> None:
        """Put a channel somewhere; a stick that was put so stays until another hand comes or nobody is there."""
        name = self.vehicle(asked.vehicle)
        if hand_modes := [mode for mode in ("assisted", "raw") if mode in self._world.modes(name)]:
            self.must_be_open(*hand_modes)
        if turn(self._world, name, asked.channel, asked.value):
            self._driving.leave(asked.vehicle)
            self._held[asked.vehicle] = math.inf

    def feel(self, hand: say.Hand) -> None:
        """Drive a base by hand."""
        self.must_be_open("assisted", "raw")
        if self._driving.feel(hand, time.monotonic()):
            self._held.pop(hand.vehicle, None)

    def pull(self, push: say.Push) -> None:
        """Push a body until others come, or until it expires; one at a time."""
        if self._push and self._push[0] != push.body:
            self.release()
        self._world.push(push.body, push.force_w, push.point_b, push.torque_w)
        self._push = push.body, time.monotonic() + say.PUSH_EXPIRE

    def release(self) -> None:
        """Nobody pushes any more."""
        if self._push:
            self._world.push(self._push[0], (0.0, 0.0, 0.0))
            self._push = None

    def look(self, now: float) -> None:
        """Let go of what has expired at `now` [s]."""
        for vehicle in [v for v, until in self._held.items() if until < now]:
            self._rest(vehicle)
        if self._push and self._push[1] < now:
            self.release()
        self._driving.look(now)

    def let_go(self) -> None:
        """All hands off."""
        for vehicle in list(self._held):
            self._rest(vehicle)
        self._driving.stop()
        self.release()

    def stop_driving(self) -> None:
        """Bases that are driven by hand stop."""
        self._driving.stop()

    def forget(self, sticks: bool = True) -> None:
        """The world stands at another moment, where these hands are not; `sticks`: nor those on the sticks."""
        self._driving.leave()
        self._push = None
        if sticks:
            self._held.clear()

    def let_go_of_bodies(self) -> None:
        """Hands that pushed at the moment where the world stands are not there any more."""
        pushed = np.delete(self._world.arrays.applied_forces, np.s_[3:6], axis=1)  # places left out
        for body in np.flatnonzero(pushed.any(axis=1)):
            self._world.push(int(body), (0.0, 0.0, 0.0))

    def _rest(self, vehicle: int) -> None:
        """Rest positions of the sticks of a vehicle."""
        self._held.pop(vehicle, None)
        name = self.vehicle(vehicle)
        throttle = self._world.instances[vehicle].vehicle.channel_mix.throttle
        channels = [0.0] * self._world.arrays.sticks.shape[1]
        if throttle >= 0:
            channels[throttle] = self._world.throttle_rests_at(name)
        self._world.sticks(channels, name)
