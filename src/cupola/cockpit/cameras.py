"""Pictures of the cameras that some page shows, drawn when there is time for it."""

import time
from collections.abc import Iterable

from cupola.cockpit.link import Link
from cupola.cockpit.messages import Notice
from cupola.cockpit.scene import cameras_of
from cupola.record.picture import pack
from cupola.schema.yaml_files import InputError
from cupola.sim.camera_images import Pictures
from cupola.sim.world import World

SHARE = 0.2
"""Part of the time that may go into drawing."""


class Cameras:
    """All cameras of a world, in the order of `Scene.cameras`."""

    def __init__(self, world: World, link: Link) -> None:
        self._dt, self._link = world.dt, link
        samples = [world.samples[bound.vehicle, bound.name] for bound in cameras_of(world)]
        self._cameras = [one for one in samples if isinstance(one, Pictures)]
        self._sent: dict[int, int] = {}
        """The last picture of each camera that is watched."""
        self._next = 0.0

    def watch(self, cameras: Iterable[int]) -> None:
        """Show these."""
        self._sent = {k: self._sent.get(k, -1) for k in cameras if k < len(self._cameras)}

    def look(self, now: float) -> None:
        """Send the pictures that are new, unless drawing has taken its share of the time."""
        if not self._sent or now < self._next:
            return
        try:
            for camera, last in list(self._sent.items()):
                self._send(camera, last)
        except InputError as error:  # this machine cannot draw
            self._sent = {}
            self._link.tell(Notice(level="error", text=str(error)))
        self._next = now + (time.monotonic() - now) / SHARE

    def _send(self, camera: int, last: int) -> None:
        pictures = self._cameras[camera]
        k = pictures.newest()
        if k is not None and k != last:
            self._sent[camera] = k
            taken = float(pictures.numbers(k)[0]) * self._dt
            self._link.show_picture(camera, taken, pack(pictures.picture(k), "jpeg").tobytes())
