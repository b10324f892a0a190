"""Our air against the tables of the U.S. Standard Atmosphere, 1976, and against a NASA flight simulation tool."""

import csv
from collections.abc import Iterator
from pathlib import Path

from cupola.physics.atmosphere import Atmosphere, atmosphere, speed_of_sound
from cupola.reproduce.row import Row, at_most, data_file, missing, printed, within

TABLE_I = (
    # geometric altitude [m], temperature [K], pressure [Pa], density [kg/m³] as printed
    (-1000, "294.651", "1.1393e5", "1.3470"),
    (0, "288.150", "1.01325e5", "1.2250"),
    (1000, "281.651", "8.9876e4", "1.1117"),
    (5000, "255.676", "5.4048e4", "7.3643e-1"),
    (10000, "223.252", "2.6499e4", "4.1351e-1"),
    (15000, "216.650", "1.2111e4", "1.9476e-1"),
    (20000, "216.650", "5.5293e3", "8.8910e-2"),
    (25000, "221.552", "2.5492e3", "4.0084e-2"),
    (30000, "226.509", "1.1970e3", "1.8410e-2"),
)
LAST_DIGIT = 1e-4
"""Pressures have five digits, some of them cut off rather than rounded: a whole last digit is allowed."""
SOUND = ((0, "340.294"), (10000, "299.532"))
SOURCE = "U.S. Standard Atmosphere, 1976, table I"
SOUND_SOURCE = "U.S. Standard Atmosphere, 1976, table III"

NESC_FILE = "nesc/Atmos_01_sim_05.csv"
NESC_SOURCE = "NASA NESC 6-DoF check case Atmos_01, tool 05"
NESC_COLUMNS = {"temperature": "temperature_k", "pressure": "pressure_pa", "density": "density_kg_m3"}
NESC_BOUND = 1e-5
"""Relative; the three tools that use this very atmosphere (04 to 06) differ by 3e-5 among themselves."""


def rows(full: bool) -> Iterator[Row]:
    """Tables I and III of the standard, then the air that a sphere meets falling from 9144 m for 30 s."""
    for height, temperature, pressure, density in TABLE_I:
        air, at = atmosphere(float(height), Atmosphere()), f"at {height} m"
        yield printed(f"temperature_{height}", SOURCE, f"temperature {at}", temperature, air.temperature, "K")
        cut = LAST_DIGIT * 10.0 ** int(pressure[-1])
        yield within(f"pressure_{height}", SOURCE, f"pressure {at}", float(pressure), air.pressure, cut, "Pa")
        yield printed(f"density_{height}", SOURCE, f"density {at}", density, air.density, "kg/m³")
    for height, sound in SOUND:
        measured = speed_of_sound(atmosphere(float(height), Atmosphere()).temperature)
        yield printed(f"sound_{height}", SOUND_SOURCE, f"speed of sound at {height} m", sound, measured, "m/s")
    yield from nesc_rows(data_file(NESC_FILE))


def nesc_rows(path: Path | str) -> Iterator[Row]:
    """Largest relative difference of temperature, pressure and density along the fall."""
    for name, column in NESC_COLUMNS.items():
        key, quantity = f"nesc_01_{name}", f"largest relative difference in {name}, 9.1 to 4.8 km"
        if isinstance(path, str):
            yield missing(key, NESC_SOURCE, quantity, path)
            continue
        with path.open(newline="") as file:
            lines = [(float(line["altitude_m"]), float(line[column])) for line in csv.DictReader(file)]
        worst = max(abs(getattr(atmosphere(z, Atmosphere()), name) / value - 1.0) for z, value in lines)
        yield at_most(key, NESC_SOURCE, quantity, NESC_BOUND, worst)
