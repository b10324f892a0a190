"""Exposure and noise of a picture, compiled: what the camera makes of what was drawn."""

import numpy as np

from cupola.kernel.jit import jit
from cupola.parts.sensors.sensor import NoiseKey, draw
from cupola.xmath import Number

WHITE = 255.0


def expose(pixels: Number, exposure: Number, noise: Number, key: NoiseKey) -> None:
    """Turn what is drawn into what the camera says, in place: brightness, then noise.

    `pixels` (n, 3) are bytes. A pixel has one random number for its three colours, as in the source (Last_letter_2
    §3.8); two neighbours share a draw.
    """
    for k in range(0, pixels.shape[0], 2):
        pair = draw(key, k // 2)
        for i in range(min(2, pixels.shape[0] - k)):
            shift = WHITE * noise * (pair.b if i else pair.a) + 0.5
            for colour in range(3):
                said = exposure * pixels[k + i, colour] + shift
                pixels[k + i, colour] = np.uint8(min(max(said, 0.0), WHITE))


@jit
def develop(
    pixels: Number, exposure: Number, noise: Number, seed: Number, stream: Number, index: Number, noisy: Number
) -> None:
    """Convert the bytes (n, 3) of rendered picture `index` to a camera reading, in place."""
    expose(pixels, exposure, noise, NoiseKey(seed, stream, index, noisy, 0.0))
