"""Samples of a camera: where everything stood, in the ring of all samples, and the pictures that are drawn of it."""

from typing import Any

import numpy as np

from cupola.engine.grain import develop
from cupola.kernel.memory import Views
from cupola.parts.sensors.camera import Camera, CameraReading
from cupola.sim.rendering import Renderer
from cupola.sim.samples import Samples

Picture = np.ndarray[Any, np.dtype[np.uint8]]


class Pictures(Samples):
    """Draws when asked: a world that nobody looks at draws nothing."""

    def __init__(self, part: Camera, row: Any, arrays: Views, physics_hz: int, renderer: Renderer) -> None:
        super().__init__(part, row, arrays, physics_hz)
        self.camera = part
        self._renderer = renderer
        self._site, self._stream, self._noisy = int(row["site"]), int(row["stream"]), int(row["noisy"])
        self._drawn: tuple[Any, Picture] | None = None

    def open(self) -> None:
        """Get ready to draw, or say what is missing: better before a flight than in it."""
        self._renderer.open()

    def picture(self, k: int) -> Picture:
        """Sample `k` as bytes (height, width, 3): red, green, blue."""
        place, seed = self._ring[k % len(self._ring)], int(self._arrays.world["seed"][0])
        key = (k, seed, place.tobytes())
        if self._drawn is None or self._drawn[0] != key:
            pixels = self._renderer.draw(place[1:], self._site, self.camera)
            if self._noisy or self.camera.exposure != 1.0:
                flat, camera = pixels.reshape(-1, 3), self.camera
                develop(flat, camera.exposure, camera.noise, seed, self._stream, k, self._noisy)
            pixels.flags.writeable = False
            self._drawn = key, pixels
        return self._drawn[1]

    def reading(self, k: int) -> CameraReading:
        """Sample `k` as a controller sees it."""
        return CameraReading(self.picture(k))
