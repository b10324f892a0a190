"""A world and its run: it goes on, stands at a moment that has been, and goes on from there in another way."""

import contextlib
import time
from collections.abc import Callable, Sequence

from cupola.cockpit import messages as say
from cupola.cockpit.excitation import needs_sticks
from cupola.cockpit.excitations import Excitations
from cupola.cockpit.flown import FlightData
from cupola.cockpit.frame import Frame
from cupola.cockpit.hands import Hands
from cupola.cockpit.kept import KeptRun
from cupola.cockpit.link import Link
from cupola.cockpit.news import News
from cupola.cockpit.past import Past
from cupola.cockpit.tape import Tape
from cupola.schema.yaml_files import InputError
from cupola.sim.events import Command
from cupola.sim.world import Snapshot, World

MOST_SNAPSHOTS = 100


class Course:
    """The course of one world. `hello` is what a run that is kept begins with; `may_fly`: see `Hands`."""

    def __init__(
        self, world: World, link: Link, tape: Tape, hello: Callable[[], say.Hello], may_fly: Sequence[str] = ()
    ) -> None:
        _compile(world)
        self._world, self._tape, self._hello = world, tape, hello
        self.news = News(world, link)
        self.hands = Hands(world, link, may_fly)
        self.frame = Frame(world)
        self.kept = KeptRun(world, self.frame)
        self.past = Past(world, self._branch)
        self.excitations = Excitations(world, self.news.tell_tuned, self.news.notice)
        self.ended = ""
        """Why the world cannot go on."""
        self.snapshots: list[Snapshot] = []
        self._since_observed = 0
        world.listeners.append(self._heard)

    def close(self) -> None:
        """The world is left."""
        self._world.listeners.remove(self._heard)
        self.past.close()

    def step(self, ticks: int) -> int:
        """Go on; all that keeps or records looks before a row can be lost."""
        done, world = 0, self._world
        self.past.go_on()
        while done < ticks:
            if self._since_observed >= world.max_ticks_per_batch:
                self.observe()
            some = min(ticks - done, world.max_ticks_per_batch - self._since_observed)
            some = min(some, self.excitations.act() or some)
            begun = time.thread_time()
            try:
                world.step(some)
            except Exception as error:
                self.ended = str(error)
                raise
            self._since_observed += some
            done += some
            self.past.work(time.thread_time() - begun)
            self.past.keep()
        self.kept.step()
        return done

    def observe(self) -> None:
        """Keep and record what is new."""
        self._since_observed = 0
        self.kept.observe()
        self._tape.observe(self._world)

    def record(self, on: bool) -> None:
        """Begin a file with what comes from here on, or complete it."""
        if on:
            self.observe()
        self._tape.record(self._world, on)

    def excite(self, asked: say.Excite) -> None:
        """A test input from the next tick on; sticks need a mode that hears them."""
        vehicle = self.hands.vehicle(asked.vehicle)
        self.excitations.end()
        self.past.go_on()
        if needs_sticks(asked):
            self.hands.hear_sticks(asked.vehicle)
        self.excitations.begin(vehicle, asked)
        self.kept.events.add(self._world.time, self.excitations.last.text if self.excitations.last else "")

    def flown(self) -> FlightData:
        """The run until now, to be shared or compared."""
        self.observe()
        return self.kept.flown(self._hello(), self.past.end)

    def go_to(self, moment: float) -> None:
        """Show a moment that has been; the world goes on from there when it is told to."""
        self.observe()
        self.hands.forget()
        self.past.go(round(moment / self._world.dt))
        self.kept.rewind()
        self.news.tell_tuned()

    def keep_snapshot(self) -> None:
        """A moment to go back to."""
        if len(self.snapshots) >= MOST_SNAPSHOTS:
            raise InputError(f"there are {MOST_SNAPSHOTS} snapshots, as many as can be kept")
        self.snapshots.append(self._world.snapshot())

    def restore(self, index: int) -> None:
        """Go back to one that was kept."""
        if index >= len(self.snapshots):
            raise InputError(f"there is no snapshot {index}; there are {len(self.snapshots)}")
        self.jump(lambda: self._world.restore(self.snapshots[index]))

    def jump(self, there: Callable[[], object]) -> None:
        """Go to another moment: what is being recorded ends, and goes on in a file of its own."""
        recorded = self._tape.path is not None
        self.record(False)
        self.hands.forget(sticks=False)
        self.observe()
        self._keep_run()
        there()
        self.hands.hold_modes()
        self.ended = ""
        if self._world.tick:
            self._forget_after()
        else:
            self.kept.begin()
            self.excitations.clear()
        self.past.begin()
        self.news.tell_tuned()
        self.record(recorded)

    def _keep_run(self) -> None:
        """What comes next may be compared with it; whatever is wrong with it, one can start over."""
        try:
            self.kept.keep(self._hello(), self.past.end)
        except Exception as error:
            self.news.notice(f"the run could not be kept: {error}", "warning")

    def _branch(self) -> None:
        """From here on it happens in another way: what is recorded goes on in a file of its own."""
        self._forget_after()
        if not self.excitations.acts:  # one that acted then goes on
            self.hands.let_go_of_bodies()
        if self._tape.path is not None:
            self.record(False)
            self.record(True)

    def _forget_after(self) -> None:
        """What came after the moment at which the world stands has not happened."""
        self.kept.cut()
        self.excitations.forget_after(self._world.time)

    def _heard(self, command: Command) -> None:
        if not (self.past.repeats or self.excitations.gusts):
            self.kept.events.told(command)
        if command.call == "tune" and not self.excitations.gusts:
            self.news.tell_tuned()


def _compile(world: World) -> None:
    """Compile all that a flight needs before it starts; the state of the world does not change."""
    world.make_modes_ready()
    try:
        kept = world.snapshot()
    except InputError:  # a model from outside that cannot give its state: somebody will have to wait
        return
    with contextlib.suppress(Exception):  # what fails at the first tick is told when it is flown
        world.step()
    world.restore(kept)
