"""A camera: a pinhole with square pixels, a rate, a delay, limits of depth and noise.

The loop takes no picture. A sample is where everything stood at its tick, the coordinates of the whole model, and
`sim/camera_images.py` draws it for whoever asks, then or later: the same sample is always the same picture.
"""

import math
from typing import Any, Literal, NamedTuple

import numpy as np
from pydantic import Field, PrivateAttr, model_validator

from cupola.parts.binding import BindContext, Row
from cupola.parts.sensors.camera_exposure import develop
from cupola.parts.sensors.sensor import Message, Sensor
from cupola.physics.rotation import Quaternion, multiply
from cupola.xmath import Number

LARGEST = 4096
"""[px] of the buffer that pictures are drawn in, along each edge."""
FROM_SITE = Quaternion(0.5, -0.5, 0.5, -0.5)
"""Axes of a lens (REP 103: x right, y down, z ahead) in those of a site that looks along x, z up."""
FROM_CAMERA = Quaternion(0.0, 1.0, 0.0, 0.0)
"""The same in those of an MJCF camera, which looks along -z, y up."""


class CameraReading(NamedTuple):
    """One picture."""

    picture: np.ndarray[Any, np.dtype[np.uint8]]
    """(height, width, 3): red, green, blue from 0 to 255, the upper left corner first."""


class Intrinsics(NamedTuple):
    """The pinhole: a point (x, y, z) of the lens's axes is seen at (focal x/z + centre_x, focal y/z + centre_y)."""

    focal: float
    """[px]"""
    centre_x: float
    """[px]: the middle of the upper left pixel is 0."""
    centre_y: float


class Camera(Sensor):
    """Camera along x of its site, or in the pose of a camera of the model."""

    kind: Literal["camera"]
    site: str = Field("", description="site of the MJCF model: the camera looks along its x axis, its z axis is up")
    camera: str = Field("", description="instead of a site: camera of the MJCF model, which says only where it looks")
    rate_hz: float = Field(30.0, gt=0, description="[Hz]")
    width_px: int = Field(800, ge=1, le=LARGEST)
    height_px: int = Field(800, ge=1, le=LARGEST)
    field_of_view: float = Field(1.3962634, gt=0, lt=math.pi, description="[rad] from the left edge to the right")
    near: float = Field(0.02, gt=0, description="[m] what is closer is not seen")
    far: float = Field(300.0, gt=0, description="[m] what is farther is not seen")
    noise: float = Field(0.0, ge=0, description="standard deviation of a pixel's brightness, of 1 for white")
    exposure: float = Field(1.0, gt=0, description="brightness is multiplied with this")

    noise_fields = ("noise",)
    takes_pictures = True
    has_signals = False
    """Its samples are shown as pictures, not as curves."""
    _coordinates: int = PrivateAttr(0)

    @model_validator(mode="after")
    def _check(self) -> "Camera":
        if bool(self.site) == bool(self.camera):
            raise ValueError("give either site or camera: where does it look from?")
        if self.near >= self.far:
            raise ValueError(f"near {self.near:g} must be below far {self.far:g}")
        return self

    def at_site(self) -> str:
        """The site that `attach` adds, whose axes are those of the lens."""
        return f"{self.site}_optical" if self.site else f"{self.camera}_camera_optical"

    def attach(self, spec: Any) -> None:
        """Add a site with the axes of the lens: x right, y down, z ahead."""
        if any(site.name == self.at_site() for site in spec.sites):
            return  # two cameras may look from one place
        noun, name, turn = ("site", self.site, FROM_SITE) if self.site else ("camera", self.camera, FROM_CAMERA)
        named = {one.name: one for one in (spec.sites if self.site else spec.cameras) if one.name}
        if name not in named:
            raise ValueError(f"the model has no {noun} {name!r}; its {noun} names: {', '.join(named) or 'none'}")
        model = spec.compile()  # only then is it known where angles of any kind lead
        found = model.site(name) if self.site else model.camera(name)
        if not self.site and found.mode[0] != 0:
            raise ValueError(f"camera {name!r} must be fixed to its body, without mode or target")
        quat = multiply(Quaternion(*found.quat.tolist()), turn)
        named[name].parent.add_site(name=self.at_site(), pos=found.pos, quat=list(quat))

    def width(self) -> int:
        """The coordinates of everything."""
        return self._coordinates

    def bind(self, places: BindContext) -> Row:
        """As any sensor; a sample has as many numbers as the model has coordinates."""
        self._coordinates = int(places.model.nq)
        return super().bind(places)

    def intrinsics(self) -> Intrinsics:
        """Of the pinhole that takes these pictures."""
        focal = 0.5 * self.width_px / math.tan(0.5 * self.field_of_view)
        return Intrinsics(focal, 0.5 * (self.width_px - 1), 0.5 * (self.height_px - 1))

    def view_height(self) -> float:
        """Angle from the upper edge of a picture to the lower [rad]."""
        return 2.0 * math.atan(0.5 * self.height_px / self.intrinsics().focal)

    def develop(self, pixels: Any, seed: int, row: Row, index: int) -> None:
        """Convert the bytes (height, width, 3) of rendered picture `index` to its reading, in place."""
        if row["noisy"] or self.exposure != 1.0:
            key = (seed, int(row["stream"]), index, int(row["noisy"]))
            develop(pixels.reshape(-1, 3), self.exposure, self.noise, *key)

    def seen(self, picture: np.ndarray[Any, np.dtype[np.uint8]]) -> CameraReading:
        """A picture as a controller gets it."""
        return CameraReading(picture)

    def messages(self, frame: str) -> tuple[Message, ...]:
        """An Image, and the CameraInfo that belongs to it."""
        shape = {"header.frame_id": frame, "height": self.height_px, "width": self.width_px}
        f, x, y = self.intrinsics()
        pinhole = {
            "distortion_model": "plumb_bob",
            "d": [0.0] * 5,
            "k": [f, 0.0, x, 0.0, f, y, 0.0, 0.0, 1.0],
            "r": [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
            "p": [f, 0.0, x, 0.0, 0.0, f, y, 0.0, 0.0, 0.0, 1.0, 0.0],
        }
        picture = {"encoding": "rgb8", "step": 3 * self.width_px}
        return (
            Message("sensor_msgs/msg/Image", {}, {**shape, **picture}, "image", ends_in="data"),
            Message("sensor_msgs/msg/CameraInfo", {}, {**shape, **pinhole}, "camera_info"),
        )

    @staticmethod
    def measure(qpos: Number, sample: Number) -> None:
        """Store the coordinates of the model; the picture is rendered on request."""
        for i in range(qpos.shape[0]):
            sample[i] = qpos[i]
