"""A world in the cockpit: handles the pages' messages and tells pages what has changed."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from cupola.cockpit import messages as say
from cupola.cockpit.cameras import Cameras
from cupola.cockpit.course import Course
from cupola.cockpit.link import Link
from cupola.cockpit.news import faults_of
from cupola.cockpit.pages import NEUTRAL
from cupola.cockpit.routes import Routes
from cupola.cockpit.scene import scene_of
from cupola.cockpit.share import answer_with
from cupola.cockpit.surroundings import acts, feels_air, feels_wind
from cupola.cockpit.tape import Tape
from cupola.cockpit.timeline import Timeline
from cupola.schema.whole_files import write_whole
from cupola.schema.yaml_files import InputError
from cupola.sim.saving import as_yaml
from cupola.sim.world import World

TELL_PERIOD = 0.2
"""[s] between two looks for what pages should be told."""
Loader = Callable[[str], World]


class Flight:
    """A world, what is kept of its run, its snapshots and the hands on it."""

    def __init__(
        self,
        world: World,
        link: Link,
        folder: Path,
        scenarios: list[str],
        load: Loader,
        *,
        may_fly: Sequence[str] = (),
        gallery: bool = False,
    ) -> None:
        """`may_fly`: modes that pages may choose, all when empty; `gallery`: whether a page begins with the choice."""
        self.link, self.folder, self.scenarios, self._load = link, folder, scenarios, load
        self._may_fly, self._gallery = list(may_fly), gallery
        self.tape = Tape(link, folder)
        self._enter(world)

    def _enter(self, world: World) -> None:
        world.dump_folder = self.folder
        self.world, self.dt = world, world.dt
        self._waits, self._next_look = False, 0.0
        self.course = course = Course(world, self.link, self.tape, self._hello, self._may_fly)
        self.frame, self.past = course.frame, course.past
        self._cameras = Cameras(world, self.link)
        self._routes = Routes(world, self.link)

    @property
    def timeline(self) -> Timeline:
        """Since the start of the run."""
        return self.course.kept.timeline

    @property
    def recording(self) -> bool:
        """Whether a file is being written."""
        return self.tape.path is not None

    @property
    def end(self) -> float:
        """[s] the last moment that has been."""
        return self.past.end * self.dt

    @property
    def emergency(self) -> bool:
        """Whether the motors of any vehicle are held off."""
        return any(self.world.stopped(instance.name) for instance in self.world.instances)

    def begin(self) -> tuple[say.Hello, say.Scene]:
        """The first message to a page."""
        self.course.news.forget()
        return self._hello(), scene_of(self.world)

    def _hello(self) -> say.Hello:
        world = self.world
        felt = {"air": feels_air(world), "wind": feels_wind(world)}
        return say.Hello(
            scenario=world.name,
            about=world.scenario.about,
            replay=None,
            layout=self.frame.layout,
            length=len(self.frame.numbers),
            signals=self.frame.signals,
            parameters=[_parameter(name, *found) for name, found in world.parameters.items() if acts(name, **felt)],
            faults=faults_of(world),
            scenarios=self.scenarios,
            snapshots=len(self.course.snapshots),
            step=world.dt,
            gallery=self._gallery,
            may_fly=self._may_fly,
            note=_about_rows(world),
        )

    def step(self, ticks: int) -> int:
        """Go on."""
        return self.course.step(ticks)

    def close(self) -> None:
        """Complete the recording."""
        self.course.record(False)

    # what pages ask

    def obey(self, message: Any) -> bool:
        """Do it, or raise an InputError; True when there is another world from here on."""
        world, course = self.world, self.course
        hands = course.hands
        match message:
            case say.Sticks():
                hands.vehicle(message.vehicle)
                course.excitations.end("a hand is on the sticks")
                hands.move(message)
            case say.Turn():
                hands.turn(message)
            case say.Hand():
                hands.feel(message)
            case _ if message == NEUTRAL:
                hands.let_go()
            case say.Emergency():
                hands.stop_driving()
                course.excitations.end("the motors were switched")
                world.stop_motors(message.on)
            case say.Mode():
                hands.vehicle(message.vehicle)
                hands.must_be_open(message.mode)
                course.excitations.end("somebody else flies")
                hands.fly(message.mode, message.vehicle)
            case say.Reset():
                course.jump(world.reset)
            case say.Seek():
                course.go_to(message.time)
            case say.Keep():
                course.keep_snapshot()
            case say.Restore():
                course.restore(message.index)
            case say.DropBox():
                if not world.drop_box(hands.vehicle(message.vehicle)):
                    raise InputError(f"there is no box left to drop: the scenario has {world.boxes.count}")
            case say.RemoveBoxes():
                world.remove_boxes()
            case say.Push():
                hands.pull(message)
            case say.Tune():
                world.tune(message.name, message.value)
            case say.Fault():
                world.fail(message.part, message.fault, message.amount)
            case say.Record():
                course.record(message.on)
            case say.Watch():
                self._cameras.watch(message.cameras)
            case say.SaveScenario():
                self._save()
            case say.Excite():
                course.excite(message)
            case say.StopExcitation():
                course.excitations.end()
            case say.GoTo() | say.MoveWaypoint():
                self._change_plan(message)
            case say.Curves():
                course.observe()
                self.link.answer(message.number, course.kept.curves(message))
            case say.Derive():
                self.link.answer(message.number, course.kept.derive(message))
            case say.AskEvents():
                course.observe()
                self.link.answer(message.number, course.kept.events.all().model_dump_json().encode())
            case say.Share():
                self._share(message)
            case say.Load():
                if message.scenario not in self.scenarios:
                    known = ", ".join(self.scenarios)
                    raise InputError(f"there is no scenario {message.scenario!r} to load; there are: {known}")
                self.fly_another(message.scenario)
                return True
            case _:
                raise InputError(f"a world that flies cannot {message.kind}")
        self._next_look = 0.0
        return False

    def _change_plan(self, asked: say.GoTo | say.MoveWaypoint) -> None:
        """The controller of the mission flies it from now on."""
        self.course.hands.vehicle(asked.vehicle)
        self.course.hands.must_be_open("mission")
        if isinstance(asked, say.GoTo):
            self._routes.go(asked)
            self.course.excitations.end("somebody else flies")
            self.course.hands.fly("mission", asked.vehicle)
        else:
            self._routes.move(asked)

    def _share(self, asked: say.Share) -> None:
        try:
            flight = self.course.kept.runs.flight(asked.run) if asked.run else self.course.flown()
        except InputError:
            self.link.answer(asked.number, b"")  # who asked must not wait
            raise
        answer_with(self.link, asked, flight)

    def _save(self) -> None:
        wanted = self.folder / f"{self.world.name}-tuned-1.yaml"
        path = write_whole(wanted, as_yaml(self.world.scenario_now()).encode(), numbered=True)
        self.course.news.notice(f"saved {path}: fly it with `cupola fly {path}`")

    def fly_another(self, name: str) -> None:
        """Load a scenario or a vehicle."""
        self.course.news.notice(f"loading {name}")
        self.fly(self._load(name))

    def fly(self, world: World) -> None:
        """Another world from here on."""
        self.leave()
        self.course.close()
        self._gallery = False  # somebody has chosen
        self._enter(world)

    def leave(self) -> None:
        """Something else is shown: what is being recorded is complete, and nobody's hands stay on the sticks."""
        self.course.record(False)
        self.course.hands.let_go()

    # what happens by itself

    def look(self, paused: bool = False) -> None:
        """Release expired inputs, send changes to the pages, send pictures."""
        self._waits = paused
        now = time.monotonic()
        self.course.hands.look(now)
        self._cameras.look(now)
        if now > self._next_look:
            self._next_look = now + TELL_PERIOD
            self.course.observe()
            self._tell()

    def _tell(self) -> None:
        course = self.course
        self._routes.tell()
        told = course.news.tell(
            ended=course.ended,
            waits=self._waits and self.past.end == 0,
            snapshots=len(self.course.snapshots),
            recording=str(self.tape.path) if self.tape.path else None,
            runs=course.kept.runs.infos,
            excitation=course.excitations.last,
            events=course.kept.events.number,
        )
        if told and self.world.tick >= self.past.end:
            course.kept.remember(told)


def _parameter(name: str, declared: Any, value: float) -> say.ParameterInfo:
    return say.ParameterInfo(name=name, value=value, **declared._asdict())


def _about_rows(world: World) -> str:
    """How often a row is kept for plots, tables and recordings, where that is not at every tick."""
    kept, ticks = world.scenario.record_hz, world.scenario.physics_hz
    if kept >= ticks:
        return ""
    return (
        f"Curves, tables and recordings have {kept:g} rows a second, the simulation {ticks:g} ticks: "
        f"record: {{rate_hz: {ticks:g}}} in the scenario keeps all."
    )
