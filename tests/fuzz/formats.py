"""Every format that is read: real files to begin with, words that belong to it, and how one is read."""

import io
import json
import os
import shutil
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from mcap.writer import CompressionType, Writer
from scipy.io import netcdf_file

import cupola
from cupola.bridge.avl.vehicle import import_avl
from cupola.bridge.dave_ml.document import read_dave_ml
from cupola.bridge.fmi import fmi
from cupola.bridge.fmi.description import About, Declared, describe
from cupola.bridge.jsbsim.aircraft import import_jsbsim
from cupola.bridge.last_letter.folder import import_folder
from cupola.bridge.lockstep.protocol import Message, PeerError
from cupola.bridge.mjcf.folder import import_mjcf
from cupola.bridge.sdf.folder import import_file
from cupola.bridge.sdf.mesh_source import read_source
from cupola.build.mjcf import read_mjcf
from cupola.config.air import FASTEST
from cupola.config.routes import read_route
from cupola.config.scenario import Scenario
from cupola.config.vehicle import Vehicle
from cupola.config.wind_field import parse_wind_field
from cupola.learn.policy_file import TASK, load_policy
from cupola.learn.task import Task
from cupola.many.study import Study
from cupola.parts.table import read_spline
from cupola.record import Recorder, Recording, RecordingError
from cupola.record.stream import Stream
from cupola.schema.expressions import ExpressionError, parse_expression
from cupola.schema.input_files import InputError
from cupola.schema.yaml_files import parse, read
from cupola.teleop.hid import HidMap
from cupola.teleop.stick_file import StickFile, read_sticks

PACKAGE = Path(cupola.__file__).parent
DATA = Path(os.environ.get("CUPOLA_DATA", "/nowhere"))
CORPUS = Path(__file__).parent / "corpus"
LONGEST_SEED = 40_000
"""[bytes]: larger files say nothing more, and slower."""


class Format(NamedTuple):
    """One format."""

    name: str
    words: tuple[bytes, ...]
    """That belong to it, and are strewn in."""
    read: Callable[[bytes, Path], Any]
    """Reads the bytes, with a folder to write into."""
    errors: tuple[type[Exception], ...] = (InputError,)
    """All that may come out of it."""
    seeds: str = ""
    """Real files, in the package and among the original data."""
    made: Callable[[], list[bytes]] = list
    """Files that are made here, as they are binary."""

    def begin(self) -> list[bytes]:
        """What the damage begins with: the corpus, and real files."""
        kept = sorted((CORPUS / self.name).glob("*"))
        real = [path for base in (PACKAGE, DATA) for path in sorted(base.glob(self.seeds))] if self.seeds else []
        files = [path for path in (*kept, *real) if path.is_file() and path.stat().st_size < LONGEST_SEED]
        return [path.read_bytes() for path in files] + self.made()


def _written(data: bytes, folder: Path, name: str) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def _text(data: bytes) -> str:
    return data.decode("utf-8", errors="surrogateescape")


# Robots


def _import(suffix: str) -> Callable[[bytes, Path], Any]:
    def run(data: bytes, folder: Path) -> None:
        for kind in ("dae", "obj"):  # so that meshes are found
            shutil.copyfile(CORPUS / kind / f"corner.{kind}", folder / f"body.{kind}")
        try:
            import_file(_written(data, folder, f"f.{suffix}"), folder / "out")
        finally:
            shutil.rmtree(folder / "out", ignore_errors=True)

    return run


def _import_last_letter(data: bytes, folder: Path) -> None:
    """The first byte says which of the files it is."""
    names = ("init.yaml", "channel_mix.yaml", "aerodynamics.yaml", "propulsion.yaml", "urdf/model.urdf.xacro")
    source = folder / "plane"
    if not source.exists():
        (source / "urdf").mkdir(parents=True)
    for name, text in LAST_LETTER.items():
        (source / name).write_text(text)
    (source / names[data[0] % len(names) if data else 0]).write_bytes(data[1:])
    try:
        import_folder(source, folder / "out", find_sticks=False)
    finally:
        shutil.rmtree(folder / "out", ignore_errors=True)


def _import_mjcf(data: bytes, folder: Path) -> None:
    try:
        import_mjcf(_written(data, folder, "f.xml"), folder / "out")
    finally:
        shutil.rmtree(folder / "out", ignore_errors=True)


def _import_jsbsim(data: bytes, folder: Path) -> None:
    try:
        import_jsbsim(_written(data, folder, "f.xml"), folder / "out")
    finally:
        shutil.rmtree(folder / "out", ignore_errors=True)


def _import_avl(data: bytes, folder: Path) -> None:
    """Geometry, and after a line of its own the masses."""
    geometry, _, mass = data.partition(b"\n%%\n")
    (folder / "f.mass").unlink(missing_ok=True)
    if mass:
        _written(mass, folder, "f.mass")
    try:
        import_avl(_written(geometry, folder, "f.avl"), folder / "out")
    finally:
        shutil.rmtree(folder / "out", ignore_errors=True)


def _read_mesh(suffix: str) -> Callable[[bytes, Path], Any]:
    def run(data: bytes, folder: Path) -> None:
        read_source(_written(data, folder, f"f.{suffix}"))

    return run


# Recordings and archives


def _recording() -> bytes:
    streams = [
        Stream("/a/odometry", "nav_msgs/msg/Odometry", ("pose.pose.position.x",), {"child_frame_id": "b"}),
        Stream("/a/joints", "sensor_msgs/msg/JointState", ("position.0", "position.1"), {"name": ["l", "r"]}),
        Stream("/clock", "rosgraph_msgs/msg/Clock", ()),
    ]
    path = CORPUS.parent / "recording.tmp"
    try:
        with Recorder(path, streams, metadata={"seed": "1"}, attachments={"signals.json": '{"a": "m"}'}) as recorder:
            for k in range(3):
                recorder.write("/a/odometry", [k], [k], [[float(k)]])
                recorder.write("/a/joints", [k], [k], [[1.0, 2.0]])
            recorder.note(5, "a note")
            recorder.parameter_changed(7, "gain", 2.0)
        return path.read_bytes()
    finally:
        path.unlink(missing_ok=True)


def _plain_recording() -> bytes:
    """Of another writer, neither packed nor with checksums, so that damage reaches the messages themselves."""
    made = io.BytesIO()
    writer = Writer(made, compression=CompressionType.NONE, enable_crcs=False)
    writer.start("ros2")
    definition = (
        b"string name\nfloat64[] numbers\nuint8 a\nm/Inner[2] inner\n" + b"=" * 80 + b"\nMSG: m/Inner\nint32 x\n"
    )
    channel = writer.register_channel("/m", "cdr", writer.register_schema("m/msg/M", "ros2msg", definition))
    for k in range(4):
        name = b"n" * (k % 2 + 1) + b"\0"
        head = b"\0\1\0\0" + struct.pack("<I", len(name)) + name
        body = struct.pack("<I", k) + b"\0" * 4 + struct.pack(f"<{k}d", *range(k)) + b"\1" + bytes(3 + 8)
        writer.add_message(channel, k, head + bytes(-len(head) % 4) + body, k)
    writer.finish()
    return made.getvalue()


def _read_recording(data: bytes, folder: Path) -> None:
    recording = Recording(_written(data, folder, "f.mcap"))
    for _ in (recording.metadata, recording.attachments, recording.units, recording.parameters, recording.notes):
        pass
    recording.events, recording.phases("a"), recording.commands(1000)
    for topic in recording.topics:
        recording.named(topic, text=True)


def _description() -> bytes:
    groups = {role: [Declared(role, 2, 0.5, "m/s")] for role in ("input", "output", "local", "parameter")}
    return describe(About("wing", "a wing", step=0.01, duration=1.0), groups, 3).encode()


def _fmu(description: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("modelDescription.xml", description)
        for machine in ("x86_64-linux", "linux64"):
            archive.writestr(f"binaries/{machine}/wing.so", b"\x7fELF")
    return made.getvalue()


def _read_fmu(data: bytes, folder: Path) -> None:
    """The archive and the description; the library in it is code and is not opened."""
    about = fmi._describe(_written(data, folder, "f.fmu"))
    for variable in about.modelVariables:
        fmi._size(variable)


def _read_description(data: bytes, folder: Path) -> None:
    _read_fmu(_fmu(data), folder)


LAST_LETTER = {
    "init.yaml": "init: {position: [0, 0, 1], orientation: [0, 0, 0]}",
    "channel_mix.yaml": "channels: {roll_in_chan: 0, throttle_in_chan: 3}",
    "aerodynamics.yaml": "nWings: 1\nairfoil1: {aerodynamicsType: 1, s: 0.3, b: 2, c: 0.15, c_lift_a: 6.9, mcoeff: 50}",
    "propulsion.yaml": "nMotors: 1\nmotor1: {motorType: 1, input_chan: 3, rotationDir: 1, s_prop: 0.01, c_prop: 1,"
    " k_motor: 55, k_t_p: 0, k_omega: 20}",
    "urdf/model.urdf.xacro": "<robot name='r'>"
    + "".join(
        f"<link name='{name}'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"
        for name in ("body_FLU", "airfoil1", "motor1")
    )
    + "".join(
        f"<joint name='j{name}' type='fixed'><parent link='body_FLU'/><child link='{name}'/></joint>"
        for name in ("airfoil1", "motor1")
    )
    + "</robot>",
}
XML_WORDS = (b"<a>", b"</a>", b"<!DOCTYPE a [<!ENTITY x 'y'>]>", b"&x;", b"<![CDATA[", b"<!--", b"-->", b"<?xml?>")
XACRO_WORDS = (
    b"${", b"}", b"${9**9**9}", b"$(arg x)", b"**", b"<xacro:if value='1'>", b"<xacro:macro name='a' params='b'/>",
    b"<xacro:include filename='f.xacro'/>", b"'a'*", b"-",
)  # fmt: skip
SDF_WORDS = (
    b"<include><uri>f.sdf</uri></include>", b"<model name='n'>", b"</model>", b"<link name='a'>", b"<pose>", b"</link>",
    b"relative_to='b'", b"<uri>body.obj</uri>", b"<scale>0 0 0</scale>", b"<world name='w'>", b"merge='true'",
)  # fmt: skip
YAML_WORDS = (
    b": ", b"- ", b"[", b"{", b"&a ", b"*a", b"!!python/name:os.system ", b"? ", b"|", b"<<: ", b"\t", b"%YAML 9.9",
)  # fmt: skip
MJCF_WORDS = (
    b"<replicate count='99999999'>", b"<body>", b"</body>", b"<include file='f.xml'/>", b"<freejoint/>",
    b"<geom size='1'/>", b"<flexcomp name='f' type='grid' count='999 999 999' spacing='1 1 1'/>",
    b"<size nkey='99999999'/>",
)  # fmt: skip


AVL_WORDS = tuple(
    b"SURFACE SECTION YDUPLICATE SCALE TRANSLATE ANGLE NACA AFILE AIRFOIL CONTROL CLAF BODY -1 1e308".split()
)
TABLE_WORDS = (
    b"<apply><times/><ci>t</ci><cn>2</cn></apply>", b"<piecewise>", b"<apply>", b"<product>", b"</product>",
    b"<table>", b"<property>fcs/wanted</property>", b"<function name='f'>", b"<value>1</value>", b"<bpRef bpID='A'/>",
)  # fmt: skip


def _in_file(name: str, reader: Callable[[Path], Any]) -> Callable[[bytes, Path], Any]:
    return lambda data, folder: reader(_written(data, folder, name))


def _read_mjcf(path: Path) -> Any:
    return read_mjcf(path, "f")


STUDY = b"scenario: hover\nduration: 1\nnumbers:\n  air.temperature_offset: {values: [0.0, 1.0]}\n"
STICKS = b"sticks:\n  - {time: 0, channels: [0.1, 0.2]}\n  - {time: 1.5, channels: [0.0, -0.2]}\n"
WIND_CSV = b"t,x,u,v,w\n0,0,1,0,0\n0,1,1,0,0\n1,0,2,0,0\n1,1,2,0,0\n"


def _read_wind(data: bytes, _: Path) -> Any:
    return parse_wind_field(data, "f", FASTEST)


def _wind_netcdf() -> bytes:
    made = io.BytesIO()
    file = netcdf_file(made, "w")
    file.createDimension("x", 2)
    for name, dimensions in (("x", ("x",)), ("u", ("x",)), ("v", ("x",))):
        file.createVariable(name, "f8", dimensions)[:] = [0.0, 1.0]
    file.flush()
    return made.getvalue()


def _policy() -> bytes:
    """A network of one layer, with its task."""
    import onnx

    node = onnx.helper.make_node("Relu", ["obs"], ["action"])
    ends = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1, 2]) for name in ("obs", "action")]
    model = onnx.helper.make_model(onnx.helper.make_graph([node], "policy", ends[:1], ends[1:]))
    entry = model.metadata_props.add()
    seen = {"observation": ["a.position.z"], "reward": "0", "success": "a.position.z > 0 m"}
    task = {"scenario": "hover", "limit": 1, "action": {"push": {"channel": 0, "low": 0, "high": 1}}, **seen}
    entry.key, entry.value = TASK, json.dumps(task)
    return bytes(model.SerializeToString())


def _last_letter() -> list[bytes]:
    return [bytes([k]) + text.encode() for k, text in enumerate(LAST_LETTER.values())]


ALL = (
    Format("scenario", YAML_WORDS, lambda d, _: parse(_text(d), "f", Scenario), seeds="scenarios/*.yaml"),
    Format("vehicle", YAML_WORDS, lambda d, _: parse(_text(d), "f", Vehicle), seeds="models/*/vehicle.yaml"),
    Format("study", YAML_WORDS, lambda d, _: parse(_text(d), "f", Study), made=lambda: [STUDY]),
    Format("task", YAML_WORDS, lambda d, _: parse(_text(d), "f", Task), seeds="learn/tasks/*.yaml"),
    Format("policy", (b"\n", b"cupola"), _in_file("f.onnx", load_policy), made=lambda: [_policy()]),
    Format("yaml_sticks", YAML_WORDS, lambda d, _: parse(_text(d), "f", StickFile), made=lambda: [STICKS]),
    Format("joystick", YAML_WORDS, _in_file("f.yaml", lambda path: read(path, HidMap)), seeds="*/param/HID.yaml"),
    Format(
        "mjcf", (*XML_WORDS, *MJCF_WORDS), _in_file("f.xml", lambda p: read_mjcf(p, "f")), seeds="models/*/model.xml"
    ),
    Format("foreign_mjcf", (*XML_WORDS, *MJCF_WORDS), _import_mjcf, seeds="models/*/model.xml"),
    Format("sdf", (*XML_WORDS, *SDF_WORDS), _import("sdf"), seeds="gazebo_*/**/*.[sw][do][fr]*"),
    Format("xacro", (*XML_WORDS, *XACRO_WORDS), _import("xacro"), seeds="last_letter_models/*/urdf/*.xacro"),
    Format("last_letter", (*YAML_WORDS, *XACRO_WORDS), _import_last_letter, made=_last_letter),
    Format("dave_ml", (*XML_WORDS, *TABLE_WORDS), _in_file("f.dml", read_dave_ml), seeds="nesc/*/*.dml"),
    Format("avl", AVL_WORDS, _import_avl),
    Format("jsbsim", (*XML_WORDS, *TABLE_WORDS), _import_jsbsim),
    Format("dae", (*XML_WORDS, b"<instance_node url='#n'/>"), _read_mesh("dae"), seeds="*/*/meshes/*.dae"),
    Format("obj", (b"f 1 2 3\n", b"v ", b"//", b"\\\n"), _read_mesh("obj")),
    Format("stl", (b"vertex ", b"solid"), _read_mesh("stl")),
    Format(
        "recording",
        (b"\x89MCAP0\r\n", b"lz4", b"float64 x\n", b"\x06"),
        _read_recording,
        (RecordingError,),
        made=lambda: [_recording(), _plain_recording()],
    ),
    Format("fmu", (b"PK\1\2", b"PK\3\4"), _read_fmu, (ValueError,), made=lambda: [_fmu(_description())]),
    Format(
        "description",
        (*XML_WORDS, b"<Dimension start='99999999'/>", b"<Dimension valueReference='1'/>"),
        _read_description,
        (ValueError,),
        made=lambda: [_description()],
    ),
    Format("sticks", (b",", b'"', b"\n", b"\r"), _in_file("f.csv", read_sticks)),
    Format("route", (b",", b" ", b"\n"), _in_file("f.csv", read_route), seeds="scenarios/routes/*.csv"),
    Format("wind", (b",", b"\n", b"1,1,2,0,0\n", b"x,"), _read_wind, made=lambda: [WIND_CSV, _wind_netcdf()]),
    Format("table", (b",", b'"'), _in_file("f.csv", read_spline), (InputError, ValueError), seeds="models/*/*.csv"),
    Format(
        "expression",
        (b"(", b"not ", b"-", b"^", b"when ", b"max(", b"`"),
        lambda d, _: parse_expression(_text(d)),
        (ExpressionError,),
    ),
    Format("message", (b"[", b"{", b'"\\ud800"'), lambda d, _: Message(b"H", d).json(), (PeerError,)),
)
FORMATS = {one.name: one for one in ALL}
"""By name."""
OF_ENDINGS = {
    ".sdf": "sdf", ".world": "sdf", ".sdf.jinja": "sdf", ".urdf": "xacro", ".xacro": "xacro", ".gazebo": "xacro",
    ".xml": "foreign_mjcf", ".mjcf": "foreign_mjcf", ".dml": "dave_ml", ".avl": "avl", ".dae": "dae",
    ".obj": "obj", ".stl": "stl",
}  # fmt: skip
"""Which format stands for files of each ending that `cupola import` reads; .xml of JSBSim has its own, too."""
OF_YAML = {
    "Scenario": "scenario", "Vehicle": "vehicle", "HidMap": "joystick", "Study": "study", "Task": "task",
    "StickFile": "yaml_sticks",
}  # fmt: skip
"""And for each class that is read from YAML."""
