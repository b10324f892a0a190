"""How fast the vehicles fly: against MuJoCo alone on the same model, and against JSBSim's Cessna."""

import importlib.util
import os
from collections.abc import Callable, Iterator
from typing import Any

from cupola.bench.flights import TICKS, against_bare, world_in_flight
from cupola.bench.result import Result, absent, ratio_at_least, ratio_at_most, unjudged
from cupola.bench.timing import Side, own_time, pair
from cupola.reproduce.hangar.peer import home

COMPILED_BAR, PLAIN_BAR = 1.4, 3.0
JSBSIM_BARS = {"plane_1wing": 2.0, "plane_3wing_2motor": 1.5}
ROUNDS = 100


def cases() -> Iterator[Result]:
    """Quadcopter and plane with either kind of controller, then planes against JSBSim."""
    for name in ("quadcopter", "plane_1wing"):
        for plain, bar in ((False, COMPILED_BAR), (True, PLAIN_BAR)):
            found = against_bare(world_in_flight(name, sensors=False, plain=plain), ROUNDS)
            who = "plain Python controller" if plain else "built-in controller"
            case = f"{name}, {who}: time of a step / bare mj_step of its model"
            yield ratio_at_most(case, TICKS / found.ours, "steps/s", TICKS / found.theirs, found.ratio, bar)
        yield against_unclocked(name)
    for name, bar in JSBSIM_BARS.items():
        yield against_jsbsim(name, bar)


def against_unclocked(name: str) -> Result:
    """The built-in controller's flight beside a bare step that does not ask MuJoCo's clock either."""
    found = against_bare(world_in_flight(name, sensors=False), ROUNDS, clocked=False)
    case = f"{name}, built-in controller: time of a step / bare mj_step without MuJoCo's clock"
    return unjudged(case, TICKS / found.ours, "steps/s", TICKS / found.theirs, found.ratio)


def against_jsbsim(name: str, bar: float) -> Result:
    """Steps per second of one of our planes and of JSBSim's c172x, both in steps of 0.5 ms, in turns."""
    case = f"{name}: steps/s / JSBSim c172x at the same step"
    if importlib.util.find_spec("jsbsim") is None:
        return absent(case, "jsbsim is not installed: pip install jsbsim", "steps/s", f"≥ {bar:g}")
    world = world_in_flight(name, sensors=False)
    start = world.snapshot()
    cessna = cessna_in_flight(world.dt)

    def fly_cessna() -> None:
        for _ in range(TICKS):
            cessna()

    ours = Side(lambda: world.step(TICKS), lambda: world.restore(start), own_time)
    found = pair(ours, Side(fly_cessna, clock=own_time), rounds=20)
    ratio = 1.0 / found.ratio
    return ratio_at_least(case, TICKS / found.ours, "steps/s", TICKS / found.theirs, ratio, bar)


def cessna_in_flight(dt: float) -> Callable[[], Any]:
    """Step of a Cessna 172 at 5000 ft and 100 kt with a running engine."""
    os.environ["JSBSIM_DEBUG"] = "0"  # no banner between our lines
    import jsbsim

    aircraft = jsbsim.FGFDMExec(str(home()))
    aircraft.load_model("c172x")
    aircraft.set_dt(dt)
    aircraft["ic/h-sl-ft"] = 5000.0
    aircraft["ic/vc-kts"] = 100.0
    aircraft.run_ic()
    aircraft["propulsion/set-running"] = -1
    aircraft["fcs/throttle-cmd-norm"] = 0.7
    step: Callable[[], Any] = aircraft.run
    return step
