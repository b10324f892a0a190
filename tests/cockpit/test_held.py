"""A recording holds what it needs: it is shown after its files are gone, elsewhere, and without running code."""

import hashlib
import json
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from PIL import Image

from cupola.cockpit.link import Link
from cupola.cockpit.replay import Replay
from cupola.cockpit.scene import scene_of
from cupola.kernel.private_folder import private_base
from cupola.record.held_files import FILES, HeldRecording
from cupola.record.read import Recording
from cupola.record.stream import RecordingError
from cupola.record.world_recorder import WorldRecorder
from cupola.schema.yaml_files import InputError

MODEL = """
<mujoco>
  <compiler meshdir="shapes" texturedir="paint"/>
  <include file="more/floats.xml"/>
  <asset>
    <mesh file="hull.stl" scale="0.1 0.1 0.1"/>
    <mesh name="other" file="../elsewhere/hull.stl" scale="0.1 -0.1 0.1"/>
    <texture name="paint" type="2d" file="paint.png"/><material name="paint" texture="paint"/>
    <hfield name="hill" file="../paint/hill.png" size="5 5 1 0.1"/>
    <model name="kid" file="kid.xml"/>
  </asset>
  <worldbody>
    <geom type="hfield" hfield="hill" pos="0 0 -20"/>
    <body name="base" pos="0 0 3"><freejoint/>
      <geom type="mesh" mesh="hull" material="paint"/><geom type="mesh" mesh="other" pos="0.3 0 0"/>
      <body name="arm"><joint name="swing" axis="0 1 0"/><geom size="0.05" pos="0.2 0 0"/></body>
      <site name="top" pos="0 0 0.1"/><site name="wing" pos="0.1 0 0"/>
      <frame pos="0 0 0.5"><attach model="kid" body="mast" prefix="kid_"/></frame>
    </body>
  </worldbody>
</mujoco>"""
KID = '<mujoco model="kid"><worldbody><body name="mast"><geom size="0.02"/></body></worldbody></mujoco>'
FLOATS = '<mujoco><worldbody><body name="buoy" pos="2 0 1"><freejoint/><geom size="0.2"/></body></worldbody></mujoco>'
PARTS = {
    "push": {"kind": "own.py:Push", "site": "top"},
    "gauge": {"kind": "own.py:Gauge", "site": "top", "rate_hz": 50},
    "wing": {
        "kind": "airfoil",
        "site": "wing",
        "surface": {"area": 0.3, "span": 1.0, "chord": 0.3},
        "lift": {"file": "tables/lift.csv"},
    },
}
OWN = """
from pathlib import Path
Path({mark!r}).touch()
from typing import NamedTuple
from cupola import Controller, Load, Sensor, Vector, Wrench

class Push(Load):
    def step(self, motion, density, drive):
        return Wrench(Vector(0.0, 0.0, 30.0 + motion.vel_s.z), Vector(0.0, 0.0, 0.0))

class Height(NamedTuple):
    z: float
    '''[m]'''

class Gauge(Sensor):
    Sample = Height

    def step(self, motion, time):
        return [motion.pos_w.z]

class Pilot(Controller):
    def step(self, obs, ref):
        return [obs.pos_w.z]
"""


class Silent:
    """A line to nobody."""

    def tell(self, message):
        pass


def stl(size):
    corners = np.array([[0, 0, 0], [size, 0, 0], [0, size, 0], [0, 0, size]], float)
    faces = [
        struct.pack("<12fH", 0, 0, 0, *corners[list(f)].ravel(), 0)
        for f in ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
    ]
    return bytes(80) + struct.pack("<I", len(faces)) + b"".join(faces)


@pytest.fixture
def flown(tmp_path, make_world):
    """A recording of a vehicle that is made of every kind of file, and its folder."""
    folder = tmp_path / "ship"
    files = {
        "model.xml": MODEL, "kid.xml": KID, "more/floats.xml": FLOATS, "own.py": OWN.format(mark=str(tmp_path / "ran")),
        "shapes/hull.stl": stl(1.0), "elsewhere/hull.stl": stl(2.0),
        "tables/lift.csv": "break,a,b,c,d\n-3,0,0,1,0\n3\n",
    }  # fmt: skip
    controller = {"use": "own.py:Pilot", "rate_hz": 100}
    files["vehicle.yaml"] = json.dumps({"about": "a test", "parts": PARTS, "controller": controller})
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    (folder / "paint").mkdir()
    for name in ("paint", "hill"):
        shade = np.arange(256, dtype=np.uint8).reshape(16, 16)
        Image.fromarray(shade if name == "hill" else shade.T.copy()).save(folder / "paint" / f"{name}.png")
    world = make_world({"model": str(folder), "velocity_b": [3, 0, 0]}, physics_hz=500)
    tap = WorldRecorder(world, tmp_path / "flight.mcap")
    world.observers.append(tap)
    world.run(0.5)
    tap.close()
    (tmp_path / "ran").unlink()
    return tmp_path / "flight.mcap", world


SHOW = """
import hashlib, sys
from pathlib import Path
from cupola.cockpit.replay import Replay
from cupola.cockpit.scene import scene_of

class Silent:
    def tell(self, message):
        pass

replay = Replay(Path(sys.argv[1]), Silent())
total = hashlib.sha256(scene_of(replay.world).model_dump_json().encode())
for _ in range(8):
    replay.frame.fill()
    total.update(replay.frame.numbers.tobytes())
    replay.step(7)
print(total.hexdigest())
"""


def shown_by(path, cwd, home):
    """Digest of all that a page is shown of a recording, in a process of its own; its compiled code is kept."""
    here = {key: value for key, value in os.environ.items() if not key.startswith("XDG_")}
    here |= {"CUPOLA_CACHE": str(private_base())}
    here |= {"HOME": str(home), "CUPOLA_CONFIG": str(home / "config"), "TMPDIR": str(home)}
    command = [sys.executable, "-P", "-c", SHOW, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=here)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_shown_the_same_elsewhere_after_its_files_are_gone(flown, tmp_path):
    path, world = flown
    here, home, empty = tmp_path / "here", tmp_path / "home", tmp_path / "empty"
    for folder in (here, home, empty):
        folder.mkdir()
    before = shown_by(path, here, here)
    shutil.rmtree(tmp_path / "ship")
    moved = shutil.move(path, empty / "moved.mcap")
    assert shown_by(moved, empty, home) == before
    assert not list(home.iterdir()) and list(empty.iterdir()) == [empty / "moved.mcap"]  # nothing is written
    assert not (tmp_path / "ran").exists()  # and nothing runs
    replay = Replay(Path(moved), cast(Link, Silent()))
    replay.step(10_000)
    np.testing.assert_allclose(replay.world.arrays.xpos, world.arrays.xpos, atol=1e-12)
    assert replay.world.model.nmesh == world.model.nmesh
    for array in ("mesh_vert", "tex_data", "hfield_data", "geom_pos", "body_inertia"):
        np.testing.assert_array_equal(getattr(replay.world.model, array), getattr(world.model, array), array)


def test_what_code_gave_is_shown_by_its_numbers_and_its_arrow(flown):
    path, world = flown
    replay = Replay(path, cast(Link, Silent()))
    replay.step(10_000)
    replay.frame.fill()
    shown = dict(zip((s.name for s in replay.frame.signals), table(replay, "signals")[:, 0], strict=True))
    assert (
        shown["ship.push.force.z"] == pytest.approx(world.signal("ship.push.force.z"), rel=1e-9)
        and shown["ship.push.force.z"] > 20
    )
    assert shown["ship.gauge.z"] == pytest.approx(world.samples["ship", "gauge"].latest()[0], rel=1e-9)
    assert replay.frame.signals[[s.name for s in replay.frame.signals].index("ship.push.force.z")].unit == "N"
    arrow = table(replay, "forces")[scene_of(replay.world).loads.index("ship.push")]
    assert np.linalg.norm(arrow[3:]) == pytest.approx(shown["ship.push.force.z"])


def table(replay, name):
    section = next(s for s in replay.frame.layout if s.name == name)
    return replay.frame.numbers[section.offset :][: section.count * section.width].reshape(section.count, section.width)


def test_code_is_there_to_read_and_each_content_once(flown):
    path, _ = flown
    attached = Recording(path).attached
    index = HeldRecording(Recording(path)).index
    assert [Path(code.file).name for code in index.code] == ["own.py"]
    assert b"class Pilot" in attached[index.code[0].attachment]
    for name, said in index.sha256.items():
        assert hashlib.sha256(attached[name]).hexdigest() == said
        assert "/" not in name or name in ("ship/vehicle.yaml", "ship/model.xml")
    assert len(set(attached.values())) == len(attached)


def rewrite(path, attachments):
    """The same recording with other attachments, as a hostile or an older writer would leave them."""
    from mcap.reader import make_reader
    from mcap.writer import Writer

    with path.open("rb") as old, (path.parent / "other.mcap").open("wb") as new:
        reader, writer = make_reader(old), Writer(new)
        writer.start("ros2", "other")
        for metadata in reader.iter_metadata():
            writer.add_metadata(metadata.name, metadata.metadata)
        for name, data in attachments.items():
            writer.add_attachment(0, 0, name, "text/plain", data)
        schemas, channels = {}, {}
        for schema, channel, message in reader.iter_messages():
            if schema.id not in schemas:
                schemas[schema.id] = writer.register_schema(schema.name, schema.encoding, schema.data)
            if channel.id not in channels:
                channels[channel.id] = writer.register_channel(channel.topic, "cdr", schemas[schema.id])
            writer.add_message(channels[channel.id], message.log_time, message.data, message.publish_time)
        writer.finish()
    return path.parent / "other.mcap"


@pytest.mark.parametrize("gone", [False, True])
def test_a_recording_of_0_1_opens_while_its_meshes_are_there(gone, flown, tmp_path):
    path, world = flown
    attached = Recording(path).attached
    old = {name: attached[name] for name in ("scenario.json", "signals.json", "ship/vehicle.yaml")}
    old = rewrite(path, {**old, "ship/model.xml": MODEL.encode()})
    if gone:
        shutil.rmtree(tmp_path / "ship")
        with pytest.raises(InputError, match=r"lift\.csv|needs .*hull\.stl"):
            Replay(old, cast(Link, Silent()))
        return
    replay = Replay(old, cast(Link, Silent()))
    replay.step(10_000)
    np.testing.assert_allclose(replay.world.arrays.xpos, world.arrays.xpos, atol=1e-12)
    assert not (tmp_path / "ran").exists()


def test_hostile_names_reach_neither_the_disk_nor_python(flown, tmp_path, monkeypatch):
    """Names that climb, absolute ones, code beside the vehicle: all are names, and nothing more."""
    path, _ = flown
    shutil.rmtree(tmp_path / "ship")
    inside = tmp_path / "inside"
    inside.mkdir()
    monkeypatch.chdir(inside)
    trap = OWN.format(mark=str(tmp_path / "ran")).encode()
    names = (
        "ship/own.py",
        "ship/evil.py",
        "../evil.py",
        f"{tmp_path}/evil.py",
        "ship/../../evil.py",
        "evil.py",
        "a\x00b",
    )
    before = set(tmp_path.rglob("*"))
    Replay(rewrite(path, {**Recording(path).attached, **dict.fromkeys(names, trap)}), cast(Link, Silent()))
    assert set(tmp_path.rglob("*")) - before == {tmp_path / "other.mcap"}


@pytest.mark.parametrize(
    "bad",
    ["sha256", "missing", "names a file", "includes a file", "counts", "no json", "places", "too many vehicles"],
)
def test_what_does_not_hold_together_is_refused_in_a_sentence(bad, flown, tmp_path):
    path, _ = flown
    attached = Recording(path).attached
    index = json.loads(attached[FILES])
    mesh = next(name for name in attached if name.endswith(".stl"))
    if bad == "sha256":
        attached[mesh] = stl(3.0)
    elif bad == "missing":
        del attached[mesh]
    elif bad in ("names a file", "includes a file"):
        stolen = tmp_path / "ship" / "more" / "floats.xml"
        tag = f'<include file="{stolen}"/>' if bad == "includes a file" else f'<asset><mesh file="{stolen}"/></asset>'
        model = attached["ship/model.xml"].decode().replace("<worldbody>", f"{tag}<worldbody>", 1).encode()
        attached["ship/model.xml"] = model
        index["sha256"]["ship/model.xml"] = hashlib.sha256(model).hexdigest()
    elif bad == "counts":
        index["vehicles"][0]["parts"]["push"]["fields"] = {"value.0": 999}
    elif bad == "places":
        index["vehicles"][0]["parts"]["push"]["site"] = "nowhere"
    elif bad == "too many vehicles":
        index["vehicles"] *= 2
    attached[FILES] = b"{" if bad == "no json" else json.dumps(index).encode()
    with pytest.raises((InputError, RecordingError)) as error:
        Replay(rewrite(path, attached), cast(Link, Silent()))
    said = str(error.value)
    assert "\n" not in said and ("other.mcap" in said or "vehicle.yaml" in said), said
