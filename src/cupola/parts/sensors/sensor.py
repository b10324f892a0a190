"""What a sensor is: a place, a rate, a delay, a kernel that measures, and how its samples become messages.

A kind of sensor declares `Sample`, the numbers of one sample, and `measure`, which returns them and perhaps its new
state. A sensor whose samples differ in length from part to part says its `width` and writes into `sample` itself.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from pydantic import Field

from cupola.kernel.motion import PointMotion
from cupola.kernel.records import construct, leaves, size
from cupola.parts.binding import BindContext, Row
from cupola.parts.part import Part
from cupola.physics.noise import Pair, gaussian_pair
from cupola.xmath import Number, where

LONG_AGO = 1e9
"""[s] before its first sample a sensor has forgotten everything."""


class Message(NamedTuple):
    """How the samples of a sensor become messages on a topic."""

    type: str
    """ROS 2 message type."""
    fields: Mapping[str, int]
    """Column of the sample, from 0, of each field."""
    constants: Mapping[str, Any]
    """Fields equal in every message."""
    topic: str = ""
    """Under the sensor's own topic; a sensor with one message needs none."""
    factors: Mapping[str, float] = {}
    """What a field is multiplied with, where ROS counts in other units."""
    ends_in: str = ""
    """The last field, where it is the bytes of a picture: see `sim/camera_images.py`."""


class Sensor(Part):
    """Something that measures at a site. `rate_hz` need not divide the physics rate. One of your own writes `step`."""

    site: str = Field(description="site of the MJCF model where the sensor sits; its axes are the sensor's axes")
    rate_hz: float = Field(gt=0, description="[Hz]")
    delay: float = Field(0.0, ge=0, le=100, description="[s] from measurement to availability")

    Sample: ClassVar[Any] = None
    """NamedTuple of the numbers of one sample."""
    noise_fields: ClassVar[tuple[str, ...]] = ()
    """Fields that make it random when they are not zero."""
    has_signals: ClassVar[bool] = True
    """Whether its samples are numbers to be drawn as curves."""
    fixed: ClassVar[tuple[str, ...]] = ("rate_hz", "delay")
    failures: ClassVar[tuple[str, ...]] = ("stuck", "loss")

    @classmethod
    def extra_columns(cls) -> Mapping[str, str]:
        """The ring of its samples, and its noise."""
        places = dict.fromkeys(("noisy", "stream", "start", "capacity", "width", "counter"), "i8")
        return {"period": "f8", "interval": "f8", **places}

    def runs_in_python(self) -> bool:
        """If it has `step`."""
        return self.plain or type(self).step is not Sensor.step

    @classmethod
    def group(cls) -> type[Part]:
        """A sensor that only has `step` is called back."""
        return PythonSensor if cls.step is not Sensor.step else super().group()

    def width(self) -> int:
        """Numbers of a sample."""
        return size(self.Sample)

    def reading(self, s: list[float]) -> Any:
        """The numbers of a sample by name, as a controller sees them."""
        return construct(self.Sample, s) if self.Sample is not None else tuple(s)

    def messages(self, frame: str) -> tuple[Message, ...]:
        """What is recorded; `frame` is the name of its site's axes. Unless written otherwise, named numbers."""
        names = list(self.sample_names())
        fields = {f"value.{k}": k for k in range(len(names))}
        return (Message("cupola_msgs/msg/Numbers", fields, {"header.frame_id": frame, "name": names}),)

    def sample_names(self) -> Sequence[str]:
        """Names of the numbers of a sample."""
        return leaves(self.Sample) or [f"value_{k}" for k in range(self.width())]

    def told_elsewhere(self) -> dict[str, Any]:
        """What a reader of its samples in another process must know beside its fields, as JSON."""
        return {}

    def learn(self, told: Mapping[str, Any], kinds: Mapping[str, type[Part]]) -> None:
        """Know how to read samples without being bound, from what `told_elsewhere` says and the kinds of parts."""

    def bind(self, places: BindContext) -> Row:
        """Its row, and the ring of its samples."""
        row = super().bind(places)
        if self.Sample is None and type(self).width is Sensor.width:
            raise ValueError(f"{type(self).__name__} has no Sample and no width(): how many numbers is a sample?")
        row["interval"], row["stream"], row["width"] = 1.0 / self.rate_hz, places.stream(), self.width()
        row["noisy"] = any(getattr(self, name) != 0 for name in self.noise_fields)
        ring = places.samples(1 + self.width(), self.rate_hz, self.delay)
        row["start"], row["capacity"], row["period"], row["counter"] = ring
        return row

    def step(self, motion: PointMotion, time: float) -> Sequence[float]:
        """Sensor in plain Python: the numbers of a sample, from the exact motion of its site."""
        raise NotImplementedError(f"{type(self).__name__} has no step()")


class PythonSensor(Sensor):
    """The rows of all sensors in plain Python."""


class NoiseKey(NamedTuple):
    """The key of all random numbers of one sample, and the time since the one before."""

    seed: Number
    stream: Number
    index: Number
    noisy: Number
    interval: Number
    """[s]."""


def draw(key: NoiseKey, lane: Number) -> Pair:
    """Two standard normal numbers of this sample; zeros for a sensor without noise, which then costs nothing."""
    if key.noisy:
        return gaussian_pair(key.seed, key.stream, key.index, lane)
    return Pair(0.0, 0.0)


def since_last(key: NoiseKey) -> Number:
    """Time in which a wandering error changed [s]: before the first sample it has wandered for ever."""
    return where(key.index == 0, LONG_AGO, key.interval)
