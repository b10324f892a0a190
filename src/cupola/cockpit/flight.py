"""A world in the cockpit: handles the pages' messages and releases inputs that expire."""

import contextlib
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

from cupola.cockpit import messages as say
from cupola.cockpit.cameras import Cameras
from cupola.cockpit.condition import conditions
from cupola.cockpit.driving import ManualControl
from cupola.cockpit.flown import FlightData, gather
from cupola.cockpit.frame import Frame
from cupola.cockpit.link import Link
from cupola.cockpit.moments import LiveMoments
from cupola.cockpit.pages import NEUTRAL
from cupola.cockpit.past import Past
from cupola.cockpit.runs import SHORTEST, Runs, measured
from cupola.cockpit.scene import scene_of
from cupola.cockpit.share import answer_with
from cupola.cockpit.timeline import Timeline
from cupola.config.scenario import Mode
from cupola.record.stream import RecordingError
from cupola.record.world_recorder import WorldRecorder
from cupola.schema.whole_files import write_whole
from cupola.schema.yaml_files import InputError
from cupola.sim.events import Command
from cupola.sim.saving import as_yaml
from cupola.sim.signal_rows import SignalRows
from cupola.sim.world import Snapshot, World

MOST_SNAPSHOTS = 100
MOST_TOLD = 5000
"""Changes of the state of a run that are kept with it."""
TELL_PERIOD = 0.2
"""[s] between two looks for what pages should be told."""
Loader = Callable[[str], World]


class Flight:
    """A world, its recording, its snapshots and its manual inputs."""

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
        self._recorder: WorldRecorder | None = None
        self._enter(world)

    def _enter(self, world: World) -> None:
        world.dump_folder = self.folder
        _compile(world)
        self._waits = False
        self._hold_modes(world)
        self.world, self.dt, self.frame = world, world.dt, Frame(world)
        self.snapshots: list[Snapshot] = []
        self._held: dict[int, float] = {}
        self._push: tuple[int, float] | None = None
        self._since_observed = 0
        self._ended = ""
        self._tuned = {name: value for name, (_, value) in world.parameters.items()}
        """As the pages know the parameters."""
        self._next_look = 0.0
        self._said: say.Changed | None = None
        self._rows = SignalRows(world)
        self.timeline = Timeline(len(world.signals()))
        """Since the start of the run."""
        self._moments = LiveMoments(world, self.frame)
        self._history: list[say.Told] = []
        self.runs = Runs(world)
        self.past = Past(world, self._branch)
        self._cameras = Cameras(world, self.link)
        self._driving = ManualControl(world, self.link)
        world.listeners.append(self._told)

    @property
    def recording(self) -> bool:
        """Whether a file is being written."""
        return self._recorder is not None

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
        self._said = None
        return self._hello(), scene_of(self.world)

    def _hello(self) -> say.Hello:
        world = self.world
        return say.Hello(
            scenario=world.name,
            about=world.scenario.about,
            replay=None,
            layout=self.frame.layout,
            length=len(self.frame.numbers),
            signals=self.frame.signals,
            parameters=[_parameter(name, *found) for name, found in world.parameters.items()],
            faults=self._faults(),
            scenarios=self.scenarios,
            snapshots=len(self.snapshots),
            step=world.dt,
            gallery=self._gallery,
            may_fly=self._may_fly,
        )

    def step(self, ticks: int) -> int:
        """Go on; the recorder looks before a row can be lost."""
        done = 0
        self.past.go_on()
        while done < ticks:
            if self._since_observed >= self.world.max_ticks_per_batch:
                self._observe()
            some = min(ticks - done, self.world.max_ticks_per_batch - self._since_observed)
            try:
                self.world.step(some)
            except Exception as error:
                self._ended = str(error)
                raise
            self._since_observed += some
            done += some
            self.past.keep()
        self._moments.step()
        return done

    def flown(self) -> FlightData:
        """The run until now, to be shared or compared."""
        self._observe()
        found = gather(self._hello(), scene_of(self.world), list(self._history), self._moments.all, self.timeline)
        # Where somebody looks back, measures are those of the moment that is shown, not of the run.
        whole = self.world.tick == self.past.end
        return found._replace(measures=tuple(measured(self.world)) if whole else ())

    def close(self) -> None:
        """Complete the recording."""
        self._record(False)

    # what pages ask

    def obey(self, message: Any) -> bool:
        """Do it, or raise an InputError; True when there is another world from here on."""
        world = self.world
        match message:
            case say.Sticks():
                vehicle = self._vehicle(message.vehicle)
                self._driving.leave(message.vehicle)
                world.sticks(message.channels, vehicle)
                self._held[message.vehicle] = time.monotonic() + say.STICKS_EXPIRE
            case say.Hand():
                if self._may_fly and not {"assisted", "raw"} & set(self._may_fly):
                    raise InputError(self._locked())
                if self._driving.feel(message, time.monotonic()):
                    self._held.pop(message.vehicle, None)
            case _ if message == NEUTRAL:
                self._let_go()
            case say.Emergency():
                self._driving.stop()
                world.stop_motors(message.on)
            case say.Mode():
                vehicle = self._vehicle(message.vehicle)
                if self._may_fly and message.mode not in self._may_fly:
                    raise InputError(self._locked())
                self._driving.leave(message.vehicle)
                world.take_over(message.mode, vehicle)
                self._held.pop(message.vehicle, None)
            case say.Reset():
                self._jump(world.reset)
            case say.Seek():
                self._go_to(message.time)
            case say.Keep():
                if len(self.snapshots) >= MOST_SNAPSHOTS:
                    raise InputError(f"there are {MOST_SNAPSHOTS} snapshots, as many as can be kept")
                self.snapshots.append(world.snapshot())
            case say.Restore():
                if message.index >= len(self.snapshots):
                    raise InputError(f"there is no snapshot {message.index}; there are {len(self.snapshots)}")
                self._jump(lambda: world.restore(self.snapshots[message.index]))
            case say.DropBox():
                if not world.drop_box(self._vehicle(message.vehicle)):
                    raise InputError(f"there is no box left to drop: the scenario has {world.boxes.count}")
            case say.RemoveBoxes():
                world.remove_boxes()
            case say.Push():
                self._pull(message)
            case say.Tune():
                world.tune(message.name, message.value)
            case say.Fault():
                world.fail(message.part, message.fault, message.amount)
            case say.Record():
                self._record(message.on)
            case say.Watch():
                self._cameras.watch(message.cameras)
            case say.SaveScenario():
                self._save()
            case say.Curves():
                self._answer(message)
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

    def _locked(self) -> str:
        return f"the modes are locked: this world may be flown in {', '.join(self._may_fly)} only"

    def _hold_modes(self, world: World) -> None:
        """Where modes are locked, a vehicle that is in another one gets the first that it has."""
        for instance in world.instances:
            mine = [mode for mode in self._may_fly if mode in world.modes(instance.name)]
            if mine and world.mode(instance.name) not in mine:
                world.take_over(cast(Mode, mine[0]), instance.name)

    def _go_to(self, time: float) -> None:
        """Show a moment that has been; the world goes on from there when it is told to."""
        self._observe()
        self._driving.leave()
        self._held.clear()
        self._push = None
        self.past.go(round(time / self.dt))
        self._rows.rewind(self.world)
        self._tell_tuned()

    def _branch(self) -> None:
        """From here on it happens in another way: what is recorded goes on in a file of its own."""
        self._forget_after(self.world.time)
        self._rows.rewind(self.world)
        if self.recording:
            self._record(False)
            self._record(True)

    def _forget_after(self, time: float) -> None:
        self.timeline.cut(time)
        self._moments.cut(time)
        self._history = [one for one in self._history if one.time <= time]

    def _share(self, asked: say.Share) -> None:
        try:
            flight = self.runs.flight(asked.run) if asked.run else self.flown()
        except InputError:
            self.link.answer(asked.number, b"")  # who asked must not wait
            raise
        answer_with(self.link, asked, flight)

    def _answer(self, asked: say.Curves) -> None:
        self._observe()
        signals = [k for k in asked.signals if k < len(self.frame.signals)]
        found = self.timeline.between(signals, asked.since, asked.until, asked.points)
        self.link.answer(asked.number, found.as_bytes())

    def _vehicle(self, index: int) -> str:
        names = [instance.name for instance in self.world.instances]
        if index >= len(names):
            raise InputError(f"there is no vehicle {index}; there are {len(names)}: {', '.join(names)}")
        return names[index]

    def _pull(self, push: say.Push) -> None:
        if self._push and self._push[0] != push.body:
            self._release()
        self.world.push(push.body, push.force_w, push.point_b)
        self._push = push.body, time.monotonic() + say.PUSH_EXPIRE

    def _jump(self, there: Callable[[], object]) -> None:
        """Go to another moment: what is being recorded ends, and goes on in a file of its own."""
        recorded = self.recording
        self._record(False)
        self._driving.leave()
        self._observe()
        self._keep_run()
        there()
        self._hold_modes(self.world)
        self._ended = ""
        if self.world.tick:
            self._forget_after(self.world.time)
            self._rows.rewind(self.world)
        else:
            self.timeline.clear()
            self._rows.begin()
            self._history.clear()
            self._moments.begin()
        self.past.begin()
        self._push = None
        self._tell_tuned()
        self._record(recorded)

    def _keep_run(self) -> None:
        """What comes next may be compared with it; whatever is wrong with it, one can start over."""
        try:
            if self.end >= SHORTEST:
                self.runs.keep(self.world, self.end, self.flown())
        except Exception as error:
            self.link.tell(say.Notice(level="warning", text=f"the run could not be kept: {error}"))

    def _tell_tuned(self) -> None:
        """Tell the pages which parameters are no longer what they last heard."""
        for name, (_, value) in self.world.parameters.items():
            if value != self._tuned.get(name):
                self._tuned[name] = value
                self.link.tell(say.Tuned(name=name, value=value))

    def _record(self, on: bool) -> None:
        if self._recorder and not on:
            tap, self._recorder = self._recorder, None
            tap.close()
            self._notice(f"recorded {tap.path}: see it again with `cupola replay {tap.path}`")
        elif on and not self._recorder:
            self._recorder = WorldRecorder(self.world, self.folder / f"{self.world.name}-1.mcap", numbered=True)
            self._since_observed = 0

    def _give_up(self, error: Exception) -> None:
        """The file cannot be written any further; the flight goes on."""
        assert self._recorder
        tap, self._recorder = self._recorder, None
        with contextlib.suppress(RecordingError):
            tap.close()
        self.link.tell(say.Notice(level="error", text=f"the recording ended: {error}"))

    def _save(self) -> None:
        wanted = self.folder / f"{self.world.name}-tuned-1.yaml"
        path = write_whole(wanted, as_yaml(self.world.scenario_now()).encode(), numbered=True)
        self._notice(f"saved {path}: fly it with `cupola fly {path}`")

    def fly_another(self, name: str) -> None:
        """Load a scenario or a vehicle."""
        self._notice(f"loading {name}")
        world = self._load(name)
        self.leave()
        self.world.listeners.remove(self._told)
        self.past.close()
        self._gallery = False  # somebody has chosen
        self._enter(world)

    def leave(self) -> None:
        """Something else is shown: what is being recorded is complete, and nobody's hands stay on the sticks."""
        self._record(False)
        self._let_go()

    # what happens by itself

    def look(self, paused: bool = False) -> None:
        """Release expired inputs, send changes to the pages, send pictures."""
        self._waits = paused
        now = time.monotonic()
        for vehicle in [v for v, until in self._held.items() if until < now]:
            self._rest(vehicle)
        if self._push and self._push[1] < now:
            self._release()
        self._driving.look(now)
        self._cameras.look(now)
        if now > self._next_look:
            self._next_look = now + TELL_PERIOD
            self._observe()
            self._tell()

    def _let_go(self) -> None:
        for vehicle in list(self._held):
            self._rest(vehicle)
        self._driving.stop()
        self._release()

    def _rest(self, vehicle: int) -> None:
        """Rest positions of the sticks of a vehicle."""
        self._held.pop(vehicle, None)
        name = self._vehicle(vehicle)
        throttle = self.world.instances[vehicle].vehicle.channel_mix.throttle
        channels = [0.0] * self.world.arrays.sticks.shape[1]
        if throttle >= 0:
            channels[throttle] = self.world.throttle_rests_at(name)
        self.world.sticks(channels, name)

    def _release(self) -> None:
        if self._push:
            self.world.push(self._push[0], (0.0, 0.0, 0.0))
            self._push = None

    def _observe(self) -> None:
        self._since_observed = 0
        ticks, values = self._rows.new(self.world)
        self.timeline.add(ticks * self.dt, values)
        self._moments.observe(self._rows.rows)
        if self._recorder:
            try:
                self._recorder.observe(self.world)
            except RecordingError as error:
                self._give_up(error)

    def _told(self, command: Command) -> None:
        if command.call == "tune":
            self._tell_tuned()

    def _tell(self) -> None:
        names = [instance.name for instance in self.world.instances]
        now = say.Changed(
            modes=[self.world.mode(name) for name in names],
            missions=[self.world.mission(name) for name in names],
            conditions=conditions(self.world, self._ended, self._waits and self.past.end == 0),
            faults=self._faults(),
            snapshots=len(self.snapshots),
            recording=str(self._recorder.path) if self._recorder else None,
            runs=self.runs.infos,
        )
        if now != self._said:
            self._said = now
            self.link.tell(now)
            if self.world.tick >= self.past.end:
                self._history = [*self._history[-MOST_TOLD:], say.Told(time=self.world.time, changed=now)]

    def _faults(self) -> list[say.FaultInfo]:
        return [say.FaultInfo(part=f.part, kind=f.kind, amount=f.amount) for f in self.world.faults()]

    def _notice(self, text: str) -> None:
        self.link.tell(say.Notice(level="info", text=text))


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


def _parameter(name: str, declared: Any, value: float) -> say.ParameterInfo:
    return say.ParameterInfo(name=name, value=value, **declared._asdict())
