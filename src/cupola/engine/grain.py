"""Exposure and noise of a picture, compiled."""

from cupola.kernel.jit import jit
from cupola.parts.sensors.camera import expose
from cupola.parts.sensors.sensor import Chance
from cupola.xmath import Number


@jit
def develop(
    pixels: Number, exposure: Number, noise: Number, seed: Number, stream: Number, index: Number, noisy: Number
) -> None:
    """Turn the bytes (n, 3) of drawn picture `index` into what the camera says, in place."""
    expose(pixels, exposure, noise, Chance(seed, stream, index, noisy, 0.0))
