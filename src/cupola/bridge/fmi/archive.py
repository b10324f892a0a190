"""The archive of an FMU, looked at before anything is unpacked: its size, its names, the XML of its description."""

import zipfile
from pathlib import Path, PurePosixPath

from cupola.schema.input_files import MEBI, InputError
from cupola.schema.validation_messages import short
from cupola.schema.xml_files import LARGEST, parse_xml

LARGEST_UNPACKED = 2048 * MEBI
"""[bytes] of all files together."""
MOST_FILES = 20_000
DESCRIPTION = "modelDescription.xml"


def open_archive(path: Path) -> list[str]:
    """Names of the files in an FMU that may be unpacked; what is wrong with it is a ValueError."""
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        if len(entries) > MOST_FILES:
            raise ValueError(f"it holds {len(entries)} files; {MOST_FILES} are read")
        size = sum(entry.file_size for entry in entries)
        if size > LARGEST_UNPACKED:
            raise ValueError(f"it unpacks to {size / MEBI:.0f} MiB; {LARGEST_UNPACKED // MEBI} MiB are read")
        for entry in entries:
            if ".." in PurePosixPath(entry.filename).parts or entry.filename.startswith("/"):
                raise ValueError(f"it holds a file that leads out of it: {short(entry.filename)}")
        names = [entry.filename for entry in entries]
        if DESCRIPTION not in names:
            raise ValueError(f"there is no {DESCRIPTION} in it; there is: {short(', '.join(names)) or 'nothing'}")
        with archive.open(DESCRIPTION) as file:
            data = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise ValueError(f"its {DESCRIPTION} is larger than {LARGEST // MEBI} MiB")
    try:
        parse_xml(data, DESCRIPTION, "fmiModelDescription")  # fmpy's own reader would follow entities
    except InputError as error:
        raise ValueError(str(error)) from None
    return names
