"""What pages are told of a world when it changes: numbers that were tuned, and the state that is not in every frame."""

from collections.abc import Sequence
from typing import Literal

from cupola.cockpit import messages as say
from cupola.cockpit.condition import conditions
from cupola.cockpit.link import Link
from cupola.sim.world import World


class News:
    """Of one world: each thing is said once."""

    def __init__(self, world: World, link: Link) -> None:
        self._world, self._link = world, link
        self._tuned = {name: value for name, (_, value) in world.parameters.items()}
        """As the pages know the parameters."""
        self._said: say.Changed | None = None

    def forget(self) -> None:
        """A page begins anew."""
        self._said = None

    def notice(self, text: str, level: Literal["info", "warning", "error"] = "info") -> None:
        """A sentence for people."""
        self._link.tell(say.Notice(level=level, text=text))

    def tell_tuned(self) -> None:
        """Which parameters are no longer what the pages last heard."""
        for name, (_, value) in self._world.parameters.items():
            if value != self._tuned.get(name):
                self._tuned[name] = value
                self._link.tell(say.Tuned(name=name, value=value))

    def tell(
        self,
        ended: str,
        waits: bool,
        snapshots: int,
        recording: str | None,
        runs: Sequence[say.RunInfo],
        excitation: say.Excitation | None,
        events: int,
    ) -> say.Changed | None:
        """The state, if it is new; then it is returned. `ended`: why the world cannot go on; `waits`: for a Go."""
        world = self._world
        names = [instance.name for instance in world.instances]
        now = say.Changed(
            modes=[world.mode(name) for name in names],
            missions=[world.mission(name) for name in names],
            conditions=conditions(world, ended, waits),
            faults=faults_of(world),
            snapshots=snapshots,
            recording=recording,
            runs=list(runs),
            excitation=excitation,
            events=events,
        )
        if now == self._said:
            return None
        self._said = now
        self._link.tell(now)
        return now


def faults_of(world: World) -> list[say.FaultInfo]:
    """What can be broken, and whether it is."""
    return [say.FaultInfo(part=f.part, kind=f.kind, amount=f.amount) for f in world.faults()]
