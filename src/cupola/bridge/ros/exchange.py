"""One exchange with ROS: publish what the world says now, wait for the commands (lock step) or take the newest.

Callbacks of ROS run in threads of their own; here they only leave what they bring. Everything is done by the thread of
the world: commands at the step of their vehicle, services and sticks between two ticks.
"""

import logging
import queue
import re
import threading
import time
from collections.abc import Callable
from typing import Any

from cupola.bridge.lockstep.protocol import PeerError
from cupola.bridge.ros.dialects import Dialect
from cupola.bridge.ros.graph import Asked, Commands, Graph, Incoming, Link, Sample, Service
from cupola.bridge.ros.present import Present
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

log = logging.getLogger("cupola.bridge")
AGAIN = 2.0
"""[s] after which a peer that has just come, and may have missed the state, is told it again."""
GLANCE = 0.05
"""[s] between two looks at who is there, while waiting."""
SERVED = 60.0
"""[s] that who calls a service waits for the world to do it."""


LEGAL = re.compile(r"(/[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*_?)+")
"""A name that nodes of ROS 1 and ROS 2 can write."""


def _check_names(graph: Graph) -> None:
    """Names of vehicles and parts may have letters that ROS does not know."""
    topics = [*(one.stream.topic for one in graph.outgoing), *(one.topic for one in graph.incoming)]
    odd = [name for name in (*topics, *(one.name for one in graph.services)) if not LEGAL.fullmatch(name)]
    if odd:
        log.warning(
            "ROS has names of a to z, digits and single underscores, and cannot name %s: rename the vehicle or part, "
            "or use --remap",
            ", ".join(odd),
        )


class Times:
    """How long is waited."""

    def __init__(self, timeout: float, patience: float) -> None:
        self.timeout, self.patience = timeout, patience


class Exchange:
    """Between a world and ROS."""

    def __init__(self, link: Link, times: Times, lockstep: bool) -> None:
        self.link, self.times, self.lockstep = link, times, lockstep
        self.exchanges = 0
        self.paused = False
        self._world: World | None = None
        self._present: Present | None = None
        self._changed = threading.Condition()
        self._newest: dict[str, tuple[int, Any]] = {}
        """By topic: how many came, and the newest."""
        self._tasks: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._tick = -1
        self._sent: list[tuple[int, Sample]] = []
        self._counted: dict[str, tuple[int, float]] = {}
        """By vehicle: how many commands came, and since when."""
        self._before: dict[str, int] = {}
        """By topic: how many had come when the state was published."""
        self._told: set[str] = set()
        self._began = False

    def open(self, world: World, dialect: Dialect, commanded: bool) -> None:
        """Announce the topics and services of a world."""
        self._world, self._present = world, Present(world)
        self.graph = dialect(world, self._present, self, commanded)
        self._commanding: dict[str, list[Incoming]] = {}
        commanding = [one for one in self.graph.incoming if one.commands]
        named = dict.fromkeys(one.vehicle for one in commanding if one.vehicle)
        for one in commanding:
            for vehicle in [one.vehicle] if one.vehicle else named:
                self._commanding.setdefault(vehicle, []).append(one)
        self._asked: dict[str, Asked] = {one.vehicle: one for one in self.graph.asked}
        _check_names(self.graph)
        self.link.open(self.graph, self, self.lockstep)

    def commands_of(self, vehicle: str) -> bool:
        """Whether anybody commands this vehicle."""
        return vehicle in self._commanding or vehicle in self._asked

    # from the threads of ROS

    def arrived(self, which: Incoming, message: Any) -> None:
        """A message came."""
        if which.act:
            act = which.act
            self._tasks.put(lambda: self._act(which.topic, lambda: act(message)))
            return
        with self._changed:
            count, _ = self._newest.get(which.topic, (0, None))
            self._newest[which.topic] = count + 1, message
            self._changed.notify()

    def call(self, which: Service, request: Any) -> dict[str, Any]:
        """Do it between two ticks; returns the answer, or raises why not."""
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()

        def serve() -> None:
            try:
                done.put(which.act(request))
            except (InputError, ValueError) as error:
                log.warning("%s: %s", which.name, error)
                done.put(error)

        self._tasks.put(serve)
        try:
            found = done.get(timeout=SERVED)
        except queue.Empty:
            raise PeerError(f"{which.name}: the world did not come to it within {SERVED:g} s") from None
        if isinstance(found, Exception):
            raise found
        answer: dict[str, Any] = found
        return answer

    # in the thread of the world

    def act(self) -> None:
        """Between two ticks: services, sticks."""
        while True:
            try:
                self._tasks.get_nowait()()
            except queue.Empty:
                return

    def is_paused(self) -> bool:
        """Whether a service has stopped the time; services are served meanwhile."""
        self.act()
        return self.paused

    def pause(self, on: bool) -> None:
        """Let time stand still, or go on."""
        self.paused = on

    def reset(self) -> None:
        """Start over; who flies sees the time jump back."""
        assert self._world
        log.warning("the world starts over, as a service asked for at %g s", self._world.time)
        self._world.reset()
        self.begin_anew()

    def begin_anew(self) -> None:
        """The world was reset: the same tick has other numbers."""
        self._tick = -1
        if self._present:
            self._present.forget()

    def publish(self) -> None:
        """Say what is new; once at a tick, however many vehicles are stepped at it."""
        assert self._world
        if self._tick == self._world.tick:
            return
        self._tick = self._world.tick
        self._sent = [(k, sample) for k, one in enumerate(self.graph.outgoing) for sample in one.news()]
        with self._changed:
            self._before = {topic: count for topic, (count, _) in self._newest.items()}
        self._send()

    def _send(self) -> None:
        for k, sample in self._sent:
            self.link.send(k, sample)

    def step(self, vehicle: str) -> Commands | None:
        """Publish, then the commands of a vehicle; None in free running before the first."""
        if not self._began:
            self._wait_for_senders()
            self._began = True
        self.publish()
        assert self._present
        if vehicle in self._asked:
            limit = self.times.timeout if self.exchanges else self.times.patience
            asked = self._asked[vehicle]
            found: Commands = asked.commands(self.link.ask(asked, self._present.stamp(), limit))
            self.exchanges += 1
            return found
        wanted = self._commanding.get(vehicle, [])
        if self.lockstep:
            self._wait(vehicle, [one for one in wanted if one.awaited])
        return self._merged(wanted)

    def _merged(self, wanted: list[Incoming]) -> Commands | None:
        found: dict[int, float] = {}
        for one in wanted:
            count, message = self._newest.get(one.topic, (0, None))
            if not count:
                continue
            assert one.commands
            try:
                found |= one.commands(message)
            except InputError as error:
                self.once(f"{error}", f"{error}: it changes nothing")
        return found or None

    def silent_for(self, vehicle: str) -> float:
        """[s] of real time since the newest command of a vehicle; before the first, 0."""
        total = sum(self._newest.get(one.topic, (0, None))[0] for one in self._commanding.get(vehicle, []))
        now = time.monotonic()
        before, since = self._counted.get(vehicle, (0, now))
        self._counted[vehicle] = total, since if total == before else now
        return now - self._counted[vehicle][1] if total else 0.0

    def _wait_for_senders(self) -> None:
        """Until everybody who is waited for is there: what is published before would be lost."""
        awaited = [one for many in self._commanding.values() for one in many if one.awaited] if self.lockstep else []
        end = time.monotonic() + self.times.patience
        while missing := [one.topic for one in awaited if not self.link.senders(one)]:
            if time.monotonic() > end:
                raise PeerError(
                    f"nobody published {', '.join(missing)} within {self.times.patience:g} s: start the node "
                    "that commands, or leave the vehicles to their own controllers with --commands own"
                )
            time.sleep(GLANCE)

    def _wait(self, vehicle: str, awaited: list[Incoming]) -> None:
        """For one message of each since the state was published."""
        limit = self.times.timeout if self.exchanges else self.times.patience
        began = told_at = time.monotonic()
        told, there = 1, None
        while missing := self._wait_once(awaited, 1, GLANCE):
            now = time.monotonic()
            if now - began > limit:
                names = ", ".join(one.topic for one in missing)
                raise PeerError(f"no command on {names} within {limit:g} s")
            # Who came after the state was published may not have got it.
            others = self._there(awaited)
            there = there or others
            if now - told_at > AGAIN and all(others) and (others != there or not self.exchanges):
                told, told_at, there = told + 1, now, others
                self._send()
        if told > 1:
            self._wait_once(awaited, told, AGAIN)  # an answer to each, so that none is taken for one to the next state
        if self.exchanges and told > 1:
            assert self._world
            at = self._world.time
            self.once("anew", f"who commands {vehicle} came anew at {at:g} s; the world goes on where it was")
        self.exchanges += 1

    def _wait_once(self, awaited: list[Incoming], answers: int, seconds: float) -> list[Incoming]:
        """Wait at most so long; returns those on which fewer than so many answers have come."""
        with self._changed:
            self._changed.wait_for(lambda: not self._missing(awaited, answers), seconds)
            return self._missing(awaited, answers)

    def _missing(self, awaited: list[Incoming], answers: int) -> list[Incoming]:
        came = ((one, self._newest.get(one.topic, (0, None))[0] - self._before.get(one.topic, 0)) for one in awaited)
        return [one for one, count in came if count < answers]

    def _there(self, awaited: list[Incoming]) -> list[frozenset[str]]:
        """Who publishes each of some topics."""
        return [self.link.senders(one) for one in awaited]

    def _act(self, topic: str, act: Callable[[], None]) -> None:
        try:
            act()
        except (InputError, ValueError) as error:
            self.once(topic, f"{topic}: {error}")

    def once(self, key: str, text: str) -> None:
        """Say something, the first time that it happens."""
        if key not in self._told:
            self._told.add(key)
            log.warning(text)

    def close(self) -> None:
        """Take everything back."""
        self.link.close()
