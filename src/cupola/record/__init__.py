"""Recording: MCAP files with ROS 2 messages, written while the simulation runs and read back as tables and plots."""

from cupola.record.export import write_csv
from cupola.record.frames import write_parquet
from cupola.record.plot import plot
from cupola.record.read import Recording
from cupola.record.recorder import Recorder
from cupola.record.stream import RecordingError, Stream

__all__ = ["Recorder", "Recording", "RecordingError", "Stream", "plot", "write_csv", "write_parquet"]
