"""What is kept of the run that a flight is in: curves, moments, what pages were told; whole runs once they are over."""

from cupola.cockpit import messages as say
from cupola.cockpit.derived import DerivedCurves
from cupola.cockpit.flown import FlightData, gather
from cupola.cockpit.frame import Frame
from cupola.cockpit.moments import LiveMoments
from cupola.cockpit.run_events import LiveEvents
from cupola.cockpit.runs import SHORTEST, Runs, measured
from cupola.cockpit.scene import scene_of
from cupola.cockpit.timeline import Timeline
from cupola.sim.measures import phases_of
from cupola.sim.signal_rows import SignalRows
from cupola.sim.world import World

MOST_TOLD = 5000
"""Changes of the state of a run that are kept with it."""


class KeptRun:
    """Of one world, since the start of the run."""

    def __init__(self, world: World, frame: Frame) -> None:
        self._world = world
        self._rows = SignalRows(world)
        self.timeline = Timeline(len(world.signals()))
        self._derived = DerivedCurves(frame.signals, phases_of(world))
        self._moments = LiveMoments(world, frame)
        self._told: list[say.Told] = []
        self.events = LiveEvents(world)
        self.runs = Runs(world)

    def observe(self) -> None:
        """Keep what is new; before a row of the world's log is lost."""
        ticks, values = self._rows.new(self._world)
        self.timeline.add(ticks * self._world.dt, values)
        self._moments.observe(self._rows.rows)
        self.events.observe(self._rows.rows)

    def step(self) -> None:
        """The world has gone on."""
        self._moments.step()

    def remember(self, changed: say.Changed) -> None:
        """What pages know from now on."""
        self._told = [*self._told[-MOST_TOLD:], say.Told(time=self._world.time, changed=changed)]

    def begin(self) -> None:
        """The world starts over."""
        self.timeline.clear()
        self._rows.begin()
        self._told.clear()
        self._moments.begin()
        self.events.begin()

    def cut(self) -> None:
        """The world goes on from where it stands in another way."""
        time = self._world.time
        self.timeline.cut(time)
        self._moments.cut(time)
        self.events.cut(time)
        self._told = [one for one in self._told if one.time <= time]
        self.rewind()

    def rewind(self) -> None:
        """The world stands at another moment; what comes after it stays known."""
        self._rows.rewind(self._world)
        self.events.rewind()

    def flown(self, hello: say.Hello, end: int) -> FlightData:
        """The run until its `end` [ticks], to be shared or compared."""
        found = gather(hello, scene_of(self._world), list(self._told), self._moments.all, self.timeline)
        # Where somebody looks back, measures are those of the moment that is shown, not of the run.
        measures = tuple(measured(self._world)) if self._world.tick == end else ()
        return found._replace(measures=measures, events=self.events.all())

    def keep(self, hello: say.Hello, end: int) -> None:
        """The run is over: what comes next may be compared with it."""
        seconds = end * self._world.dt
        if seconds >= SHORTEST:
            self.runs.keep(self._world, seconds, self.flown(hello, end))

    def curves(self, asked: say.Curves) -> bytes:
        """The answer to a page."""
        return self._derived.between(self.timeline, asked).as_bytes()

    def derive(self, asked: say.Derive) -> bytes:
        """The answer to a page."""
        return self._derived.tell(asked.formula).model_dump_json().encode()
