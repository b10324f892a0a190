"""Samples of a camera: coordinates of the model in the ring of samples, and pictures rendered from them."""

from typing import Any

import numpy as np

from cupola.kernel.memory import Views
from cupola.sim.rendering import Renderer
from cupola.sim.samples import Samples

Picture = np.ndarray[Any, np.dtype[np.uint8]]


class Pictures(Samples):
    """Renders a picture only when it is read."""

    def __init__(self, part: Any, row: Any, arrays: Views, physics_hz: int, renderer: Renderer) -> None:
        super().__init__(part, row, arrays, physics_hz)
        self.camera = part
        """A part that `takes_pictures`: a `Lens` that processes the rendered picture."""
        self._renderer, self._row = renderer, row
        self._drawn: tuple[Any, Picture] | None = None

    def open(self) -> None:
        """Open the renderer; an InputError names what this machine lacks."""
        self._renderer.open()

    def picture(self, k: int) -> Picture:
        """Sample `k` as bytes (height, width, 3): red, green, blue."""
        place, seed = self._ring[k % len(self._ring)], int(self.arrays.world["seed"][0])
        key = (k, seed, place.tobytes())
        if self._drawn is None or self._drawn[0] != key:
            pixels = self._renderer.draw(place[1:], int(self._row["site"]), self.camera)
            self.camera.develop(pixels, seed, self._row, k)
            pixels.flags.writeable = False
            self._drawn = key, pixels
        return self._drawn[1]

    def reading(self, k: int) -> Any:
        """Sample `k` as a controller sees it."""
        return self.camera.seen(self.picture(k))
