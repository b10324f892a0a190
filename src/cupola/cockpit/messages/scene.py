"""Messages about the scene: what does not move, fetched once from /scene.json."""

from typing import Literal

from cupola.cockpit.messages.base import Four, Message, Three


class Geom(Message):
    """A shape fixed to a body."""

    name: str
    body: int
    kind: Literal["plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"]
    size: Three
    pos_b: Three
    quat_b: Four
    rgba: Four
    mesh: int
    """Index of its mesh, -1 for none."""
    material: int
    """Index of its material, -1 for none."""
    collides: bool
    visible: bool
    """Whether it is drawn when nobody asks for collision shapes."""


class Mesh(Message):
    """Vertices [m] and triangles, flat."""

    vertices: list[float]
    faces: list[int]
    uv: list[float]
    """Where each vertex lies in a texture, from the lower left corner; empty for nowhere."""


class Texture(Message):
    """A picture that is laid on shapes."""

    kind: Literal["2d", "cube", "skybox"]
    """The six sides of a cube lie one above the other: right, left, up, down, front, back."""
    png: str
    """In base64."""


class Material(Message):
    """How a shape is painted."""

    texture: int
    """Index, -1 for none."""
    repeat: tuple[float, float]
    """How often the texture is laid along x and y of the shape."""
    uniform: bool
    """Per metre instead of per shape."""


class Light(Message):
    """A lamp, or a sun that shines from one direction."""

    kind: Literal["directional", "point", "spot"]
    body: int
    pos_b: Three
    dir_b: Three
    colour: Three


class Waypoint(Message):
    """A place of a plan."""

    position: Three
    land: bool


class Body(Message):
    """A link."""

    name: str
    vehicle: int
    """Index of the vehicle it belongs to, -1 for none."""
    mass: float
    com_b: Three
    inertia_quat_b: Four
    inertia_box: Three
    """Half sizes [m] of the box with the same mass and inertia."""


class Joint(Message):
    """An axis that a body turns about or slides along."""

    name: str
    body: int
    kind: Literal["hinge", "slide", "ball", "free"]
    pos_b: Three
    axis_b: Three


class Camera(Message):
    """A view from a body; looks along its -z, y up, as in MuJoCo."""

    name: str
    body: int
    pos_b: Three
    quat_b: Four
    fovy: float
    """[rad]."""
    part: bool
    """Whether it takes pictures; those that do stand first."""


class Rotor(Message):
    """A propeller: its site's x axis is the shaft."""

    name: str
    body: int
    pos_b: Three
    quat_b: Four
    radius: float
    """[m]; 0 when nothing says."""


class Surface(Message):
    """A shape that turns with the channel that deflects a part."""

    geom: int
    """Place in `geoms`."""
    pos_b: Three
    """[m] on its hinge."""
    axis_b: Three
    signal: str
    angle: float
    """[rad] about the hinge where the signal is 1."""


class Laser(Message):
    """A scanner: rays in the x-y plane of its site."""

    name: str
    body: int
    pos_b: Three
    quat_b: Four
    angle_min: float
    angle_step: float
    count: int


class VehicleKey(Message):
    """A key that presses a channel of a vehicle's own controller: a character, or up, down, left, right."""

    name: str
    channel: int


class ChannelInfo(Message):
    """A channel that something hears; `name` is empty where nobody says what it does."""

    channel: int
    name: str


class Obeyed(Message):
    """A channel that a vehicle obeys and that a hand may set: see `Turn`."""

    channel: int
    name: str
    """Of what hangs on it."""
    low: float
    high: float
    """Its range; 1e6 to either side where no part declares one."""
    unit: str
    default: float
    """Where it is when no hand moves it."""
    stick: bool
    """Whether it is a stick, which other hands move too."""


class StickWords(Message):
    """What a vehicle does when a stick moves, towards +1 and towards -1; empty: nothing. +1 of pitch is pulled back."""

    roll: tuple[str, str]
    pitch: tuple[str, str]
    yaw: tuple[str, str]
    throttle: tuple[str, str]


class VehicleInfo(Message):
    """One vehicle."""

    name: str
    model: str
    root: int
    """Body that carries it."""
    mission: bool
    """Whether a plan is flown."""
    plan: list[Waypoint]
    """The places of that plan in turn."""
    goes: bool = False
    """Whether its plan can be changed while it flies."""
    modes: list[str]
    """Who can fly it: `mission`, `assisted`, `raw`."""
    mode_texts: list[str]
    """What the controller of each of them does with the sticks, in a sentence."""
    stick_words: list[StickWords]
    """The same beside each stick, in each of the modes."""
    sticks: list[int]
    """Channels of roll, pitch, yaw, throttle; -1 for none."""
    keys: list[VehicleKey]
    channels: list[list[ChannelInfo]]
    """Those that do something, in each of the modes."""
    obeyed: list[list[Obeyed]]
    """Those that a hand may set to stay there, in each of the modes."""
    throttle_rests_at: list[float]
    """Where the throttle stick is when nobody holds it, in each of the modes."""
    manual: bool
    """Whether a `Hand` can drive it."""
    wheels: list[str]
    """Its Mecanum wheels: front right, front left, rear left, rear right. Signal `<name>.velocity`, a load each."""
    lifts: bool
    """Whether it can move up and down."""
    tilts: bool
    """Whether it can turn about a level axis."""


class Scene(Message):
    """All that does not change while a scenario runs."""

    bodies: list[Body]
    geoms: list[Geom]
    meshes: list[Mesh]
    textures: list[Texture]
    materials: list[Material]
    lights: list[Light]
    joints: list[Joint]
    cameras: list[Camera]
    rotors: list[Rotor]
    surfaces: list[Surface]
    lasers: list[Laser]
    loads: list[str]
    """Who pushes: names of the rows of section `forces`; the last is the hand of a `Push`."""
    vehicles: list[VehicleInfo]
    gravity: bool
    """Whether there is an up."""
    air: bool
    """Whether there is air around; without any the sky is black."""
    boxes: int
    """That can be dropped."""
