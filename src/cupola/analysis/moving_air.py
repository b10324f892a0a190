"""Air in which an analysis has no answer, as it is now: what was tuned counts, not what the scenario said."""

from cupola.config.air import Air
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World


def present_air(world: World) -> Air:
    """The air of the scenario with all changes since; another object after each change."""
    return world.tuning.weather.air


def refuse_moving_air(world: World, vehicle: str) -> None:
    """For what knows still air only."""
    air = present_air(world)
    blows = air.wind is not None and bool(air.wind.speed or air.wind.up or air.wind.layers or air.wind.field)
    if blows or _is_unsteady(air):
        raise InputError("trim and linearisation are those of still air; leave wind, gusts and turbulence out")
    if air.wakes and (others := [one.name for one in world.instances if one.name != vehicle]):
        raise InputError(f"trim and linearisation are those of still air: leave air.wakes out, or {', '.join(others)}")


def refuse_unsteady_air(world: World) -> None:
    """For what may drift with a steady wind."""
    air = present_air(world)
    if _is_unsteady(air):
        raise InputError("an operating point needs steady air; leave gusts, turbulence and thermals out")
    if air.wind and air.wind.field:
        raise InputError("an operating point needs the same wind wherever it drifts; leave air.wind.field out")


def _is_unsteady(air: Air) -> bool:
    turbulent = air.turbulence is not None and bool(any(air.turbulence.sigma) or air.turbulence.wind_at_6m)
    return bool(air.gusts or air.thermals) or turbulent
