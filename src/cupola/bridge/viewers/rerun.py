"""Rerun: the robot, its frames, scans, pictures, curves and log, live over its own server and as an .rrd file."""

import contextlib
import socket
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cupola.bridge.viewers.rows import Rows
from cupola.bridge.viewers.shapes import WORLD, solids
from cupola.record.picture import PACKED, PICTURES
from cupola.record.stream import Stream
from cupola.record.topics import TRANSFORMS
from cupola.schema.libraries import library
from cupola.schema.yaml_files import InputError

TIME = "sim_time"
"""[s] since the start of the world."""
PORT = 9876
"""On which viewers look."""
SCAN = "sensor_msgs/msg/LaserScan"
MOVE, TURN = ("translation", "xyz"), ("rotation", "xyzw")


def _sdk() -> Any:
    return library("rerun", "Rerun needs its SDK: pip install 'cupola[rerun]'")


class RerunViewer(Rows):
    """A world in Rerun; `into=` of a WorldRecorder. With `file` it is written there, else served on `port`."""

    def __init__(
        self,
        path: Path | str,
        streams: Iterable[Stream],
        *,
        model: Any,
        name: str,
        file: Path | None = None,
        port: int | None = None,
        **told: Any,
    ) -> None:
        super().__init__(path, streams, **told)
        self._rr = rr = _sdk()
        self._out = rr.RecordingStream(f"cupola {name}")
        self.address = ""
        """What the viewer connects to."""
        try:
            if file is not None:
                self._out.save(str(file))
            else:
                self.address = str(self._out.serve_grpc(grpc_port=port or _free_port()))
        except Exception as error:
            raise InputError(f"Rerun cannot show it at {file or port}: {error}") from None
        self._paths: dict[str, str] = {WORLD: WORLD}
        for one in self.streams.values():
            if one.type == TRANSFORMS:
                self._learn_frames(one)
        self._named: set[str] = set()
        self._out.log(WORLD, rr.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)
        for solid in solids(model):
            mesh = rr.Mesh3D(
                vertex_positions=solid.points.astype(np.float32),
                triangle_indices=solid.faces.astype(np.uint32),
                albedo_factor=[round(255 * value) for value in solid.rgba],
            )
            self._out.log(f"{self._path(solid.body)}/{_word(solid.name)}", mesh, static=True)

    def show(self, stream: Stream, stamps: NDArray[np.int64], rows: NDArray[Any]) -> None:
        """By the kind of message: frames, scans, pictures, words, else curves."""
        if stream.type == TRANSFORMS:
            self._show_frames(stream, stamps, rows)
        elif stream.type == SCAN:
            self._show_scans(stream, stamps, rows)
        elif stream.type in PICTURES:
            self._show_picture(stream, stamps, rows)
        elif stream.columns:
            self._show_curves(stream, stamps, rows)
        else:
            words = ", ".join(f"{value}" for key, value in stream.constants.items() if "header" not in key)
            self._log(stream.topic, stamps[0], self._rr.TextLog(words))

    def close(self, interrupted: str = "") -> None:
        """Write the rest."""
        if interrupted:
            self._out.log("/log", self._rr.TextLog(interrupted))
        self._out.flush()
        self._out.disconnect()

    def _log(self, entity: str, stamp: Any, what: Any) -> None:
        self._out.set_time(TIME, duration=1e-9 * float(stamp))
        self._out.log(entity, what)

    def _times(self, stamps: NDArray[np.int64]) -> list[Any]:
        return [self._rr.TimeColumn(TIME, duration=1e-9 * stamps)]

    def _learn_frames(self, stream: Stream) -> None:
        """Which entity a frame is: bodies under the world, sites under their bodies."""
        for key, child in stream.constants.items():
            if key.endswith(".child_frame_id"):
                parent = stream.constants[key.replace("child_frame_id", "header.frame_id")]
                self._paths[child] = f"{self._path(parent)}/{_word(child)}"

    def _path(self, frame: str) -> str:
        return self._paths.get(frame, f"{WORLD}/{_word(frame)}")

    def _show_frames(self, stream: Stream, stamps: NDArray[np.int64], rows: NDArray[Any]) -> None:
        places = {column: k for k, column in enumerate(stream.columns)}
        children = {key: value for key, value in stream.constants.items() if key.endswith(".child_frame_id")}
        for key, child in children.items():
            base = key.removesuffix(".child_frame_id")
            moved, turned = (
                rows[:, [places[f"{base}.transform.{what}.{axis}"] for axis in axes]] for what, axes in (MOVE, TURN)
            )
            if stream.topic.endswith("_static"):
                self._out.log(
                    self._path(child),
                    self._rr.Transform3D(translation=moved[0], quaternion=turned[0].tolist()),
                    static=True,
                )
                continue
            columns = self._rr.Transform3D.columns(translation=moved, quaternion=turned)
            self._out.send_columns(self._path(child), self._times(stamps), columns)

    def _show_scans(self, stream: Stream, stamps: NDArray[np.int64], rows: NDArray[Any]) -> None:
        """Rays that hit something, as points in the frame of the scanner."""
        hits = [k for k, column in enumerate(stream.columns) if column.startswith("ranges.")]
        told = stream.constants
        angles = float(told["angle_min"]) + float(told["angle_increment"]) * np.arange(len(hits))
        ranges = rows[:, hits]
        seen = np.isfinite(ranges) & (ranges <= float(told["range_max"]))
        where = np.where(seen, ranges, 0.0)[:, :, None] * np.column_stack([np.cos(angles), np.sin(angles), 0 * angles])
        columns = self._rr.Points3D.columns(positions=where[seen]).partition(seen.sum(axis=1))
        entity = f"{self._path(told['header.frame_id'])}/{_word(stream.topic)}"
        self._out.send_columns(entity, self._times(stamps), columns)

    def _show_picture(self, stream: Stream, stamps: NDArray[np.int64], rows: NDArray[Any]) -> None:
        data = rows[0].astype(np.uint8)
        if stream.type == PACKED:
            media = f"image/{stream.constants['format']}"
            what = self._rr.EncodedImage(contents=data.tobytes(), media_type=media)
        else:
            height, width = int(stream.constants["height"]), int(stream.constants["width"])
            what = self._rr.Image(data.reshape(height, width, -1))
        self._log(stream.topic, stamps[0], what)

    def _show_curves(self, stream: Stream, stamps: NDArray[np.int64], rows: NDArray[Any]) -> None:
        """All numbers of a topic as the curves of one plot."""
        if stream.topic not in self._named:
            self._named.add(stream.topic)
            lines = self._rr.SeriesLines(names=list(stream.names or stream.columns))
            self._out.log(stream.topic, lines, static=True)
        width = rows.shape[1]
        columns = self._rr.Scalars.columns(scalars=rows.ravel()).partition([width] * len(rows))
        self._out.send_columns(stream.topic, self._times(stamps), columns)


def _free_port() -> int:
    """The usual one, or any if that is taken."""
    for port in (PORT, 0):
        with socket.socket() as one, contextlib.suppress(OSError):
            one.bind(("127.0.0.1", port))
            return int(one.getsockname()[1])
    return PORT


def _word(frame: str) -> str:
    """A frame or topic as one step of an entity's path."""
    return frame.strip("/").replace("/", ".")
