"""The test inputs of one run in turn, one at a time: begun, acted out at their ticks, ended by whoever takes over."""

from collections.abc import Callable

from cupola.cockpit import messages as say
from cupola.cockpit.excitation import Excitation
from cupola.sim.world import World


class Excitations:
    """Those of one world. `over` is called when one is; `say_so` gets a sentence when one ended before its time."""

    def __init__(self, world: World, over: Callable[[], None], say_so: Callable[[str], None]) -> None:
        self._world, self._over, self._say_so = world, over, say_so
        self._all: list[Excitation] = []
        self.gusts = False
        """Whether one is tuning the wind at this moment: pages are told when it is over."""

    @property
    def last(self) -> say.Excitation | None:
        """What pages are told."""
        return self._all[-1].info if self._all else None

    @property
    def acts(self) -> bool:
        """Whether one acts where the world stands."""
        return bool(self._all) and self._all[-1].covers(self._world.tick)

    def begin(self, vehicle: str, asked: say.Excite) -> None:
        """From the next tick on."""
        self._all.append(Excitation(self._world, vehicle, asked))

    def act(self) -> int | None:
        """Do what is to be done at this tick; returns the ticks until there is more to do, None when nothing acts."""
        if not self._all:
            return None
        last, tick = self._all[-1], self._world.tick
        if last.is_due(tick):
            self.gusts = True
            last.act()
            self.gusts = False
            if not last.covers(tick):
                self._over()
        return last.next(tick) - tick if last.covers(tick) else None

    def end(self, why: str = "") -> None:
        """Before its time, if one acts."""
        if not self.acts:
            return
        one = self._all[-1]
        one.stop()
        self._all[-1] = one.ended(self._world.tick)
        self._over()
        if why:
            self._say_so(f"{one.info.text} ended: {why}")

    def forget_after(self, time: float) -> None:
        """The world goes on from `time` [s] in another way; one that acted then acts again."""
        self._all = [one for one in self._all if one.info.since <= time]
        for one in self._all:
            if one.covers(self._world.tick):
                one.again()

    def clear(self) -> None:
        """The world starts over."""
        self._all.clear()
