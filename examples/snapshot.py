"""Branch the future: fly half of the square, then go on from the same moment in three ways."""

import cupola

world = cupola.load("square")
world.run(11.0)
here = world.snapshot()


def go_on(**changes: float) -> cupola.Vector:
    """Position 6 s after the snapshot, with other gains."""
    world.restore(here)
    for name, value in changes.items():
        world.tune(f"quadcopter.{name}", value)
    world.run(6.0)
    return world.motion().pos_w


as_planned = go_on()
hasty = go_on(position_kp=2.5)
again = go_on()  # restoring brings the old gains back too
print("as planned ", as_planned)
print("hasty      ", hasty)
print("again      ", again, "the same bits" if again == as_planned else "DIFFERENT")
