"""HTML representation of a world for notebooks: time, control modes, positions."""

from typing import TYPE_CHECKING

from cupola.schema.html_table import html_table

if TYPE_CHECKING:
    from cupola.sim.world import World


def world_html(world: "World") -> str:
    """One row per vehicle, and the measures so far."""
    rows = []
    for instance in world.instances:
        now = world.motion(instance.name)
        place = ", ".join(f"{value:.2f}" for value in now.pos_w)
        speed = f"{sum(value**2 for value in now.vel_w) ** 0.5:.2f}"
        parts = sum(bound.vehicle == instance.name for bound in world.assembly.parts)
        rows.append((instance.name, world.mode(instance.name), world.mission(instance.name), place, speed, parts))
    head = ("vehicle", "mode", "does", "x, y, z [m]", "speed [m/s]", "parts")
    known = [(name, m.value, m.unit) for name, m in world.measures().items() if m.value is not None]
    note = "; ".join(f"{name}: {value:.4g} {unit}" for name, value, unit in known)
    seed = int(world.arrays.world["seed"][0])
    said = f"{world.name}: {world.time:.3f} s of {world.scenario.duration:g} s, tick {world.tick}, seed {seed}"
    return html_table(said, head, rows, note)
