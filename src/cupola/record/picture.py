"""Pictures as messages: raw, or packed as PNG (nothing is lost) or JPEG (smaller)."""

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cupola.record.stream import RecordingError, Stream

RAW, PACKED = "sensor_msgs/msg/Image", "sensor_msgs/msg/CompressedImage"
PICTURES = (RAW, PACKED)
CHANNELS = {"rgb8": (0, 1, 2), "rgba8": (0, 1, 2), "bgr8": (2, 1, 0), "bgra8": (2, 1, 0), "mono8": (0, 0, 0)}
"""Where red, green and blue lie among the bytes of a pixel."""
BYTES = {"rgb8": 3, "rgba8": 4, "bgr8": 3, "bgra8": 4, "mono8": 1}
MOST_PIXELS = 50_000_000
"""Of one picture: a few packed bytes can claim any size."""
QUALITY = 90
"""Of JPEG, of 100."""
FAST = 1
"""Of PNG, of 9: noise does not pack better for more effort."""


def compressed(stream: Stream, how: str) -> Stream:
    """The topic of a picture's packed form, where ROS looks for it."""
    constants = {"header.frame_id": stream.constants["header.frame_id"], "format": how}
    return Stream(f"{stream.topic}/compressed", PACKED, (), constants, "data")


def pack(pixels: NDArray[np.uint8], how: str) -> NDArray[np.uint8]:
    """The bytes of a picture (height, width, 3), "raw", as "png" or "jpeg"."""
    if how == "raw":
        return pixels.reshape(-1)
    from PIL import Image

    target = io.BytesIO()
    Image.fromarray(pixels).save(target, how, quality=QUALITY, compress_level=FAST)
    return np.frombuffer(target.getbuffer(), np.uint8)


def unpack(message: Any) -> NDArray[np.uint8]:
    """The picture (height, width, 3) in a message."""
    if message.__msgtype__ == RAW:
        if message.encoding not in BYTES:
            raise RecordingError(f"pictures encoded as {message.encoding!r} are not read; {', '.join(BYTES)} are")
        rows = message.data.reshape(message.height, message.step)[:, : message.width * BYTES[message.encoding]]
        pixels = rows.reshape(message.height, message.width, -1)
        return np.ascontiguousarray(pixels[:, :, CHANNELS[message.encoding]])
    from PIL import Image

    picture = Image.open(io.BytesIO(message.data.tobytes()), formats=("PNG", "JPEG"))
    if picture.width * picture.height > MOST_PIXELS:
        raise RecordingError(f"a picture of {picture.width} × {picture.height}; {MOST_PIXELS} pixels are read")
    return np.asarray(picture.convert("RGB"))
