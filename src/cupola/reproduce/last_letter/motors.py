"""The electric motor of Last_letter_2: steady states and spin-up, on a test stand in a world of its own."""

from collections.abc import Iterator

from cupola.reproduce.row import Row, printed, within
from cupola.reproduce.stand import STEADY, stand, steps_to

SOURCE = "Last_letter_2 specification §3.5"
POINTS = (
    # throttle, air speed [m/s]; shaft speed [rad/s], thrust [N], shaft power [W] as printed
    (1.0, 0.0, "831", "31.7", "494"),
    (1.0, 10.0, "883", "15.7", "366"),
    (1.0, 20.0, "908", "9.3", "296"),
    (0.5, 0.0, "449", "9.3", None),
)
SPUN_UP = 0.95
LITERAL_STEPS = "4"
PHYSICAL_STEPS = 2020
ABOUT = 0.02
"""The source says "about": two per cent are allowed."""


def rows(full: bool) -> Iterator[Row]:
    """Steady states at four points, then the number of steps of 2.5 ms that the spin-up takes with either rule."""
    for throttle, speed, omega, thrust, power in POINTS:
        motor = stand(throttle, speed, "physical")
        motor.world.run(STEADY)
        point, at = f"{throttle:g}_{speed:g}", f"at throttle {throttle:g}, {speed:g} m/s"
        yield printed(f"motor_omega_{point}", SOURCE, f"shaft speed {at}", omega, motor.read("omega"), "rad/s")
        yield printed(f"motor_thrust_{point}", SOURCE, f"thrust {at}", thrust, motor.read("thrust"), "N")
        if power:
            yield printed(f"motor_power_{point}", SOURCE, f"shaft power {at}", power, motor.read("power"), "W")
    literal, physical = steps_to(SPUN_UP, "literal"), steps_to(SPUN_UP, "physical")
    quantity = "steps to 95 % of full speed"
    yield printed("motor_steps_literal", SOURCE, f"{quantity}, literal rule", LITERAL_STEPS, literal)
    about = ABOUT * PHYSICAL_STEPS
    yield within("motor_steps_physical", SOURCE, f"{quantity}, time-step rule", PHYSICAL_STEPS, physical, about)
