"""What parts give each other, read from where it lies."""

from cupola.kernel.records import reader
from cupola.physics.downwash import Sheet
from cupola.physics.drive import GearPlay
from cupola.physics.slipstream import Stream

stream_at = reader(Stream)
"""The stream of a rotor, from `given` and its place there."""
sheet_at = reader(Sheet)
"""The wake of a half wing, the same way."""
gear_play_at = reader(GearPlay)
"""The play of a motor's gear, the same way."""
