"""`python -m cupola.cockpit.packing RECORDING FILE`: a recording as a packed flight, for the server of the page."""

import logging
import sys
from pathlib import Path

from cupola.cockpit.opening import read_flight
from cupola.record.stream import RecordingError
from cupola.schema.yaml_files import InputError


def main(recording: str, file: str) -> None:
    """Write it, or say in one line why not."""
    logging.disable(logging.WARNING)
    try:
        Path(file).write_bytes(read_flight(Path(recording)).packed())
    except (InputError, RecordingError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(*sys.argv[1:])
