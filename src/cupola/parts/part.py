"""Parts: data from a vehicle file, bound to a site of the model, and kernels that the loop calls.

A kind of part is one class in one file. It declares the keys of the file, `Numbers` that its kernels read, `State` with
starting values, `Output` with units, what it takes from and gives to other parts, and kernels: pure functions named
after the stages of a tick (`kernel.stages`). Everything else follows from that: memory, recording, signals, arrows,
blame for a NaN, failures, tuning, snapshots, trim.
"""

import copy
import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, get_args

import numpy as np
from pydantic import ConfigDict

from cupola.kernel.records import flat, leaves, size
from cupola.parts.binding import Arrow, BindContext, PushedSite, Row, Take
from cupola.parts.described import Described, RootFrame, Spring, Swing
from cupola.parts.shown import RecordedFields, Signal, leaf_units, named_numbers
from cupola.schema.plugins import keep_source
from cupola.schema.yaml_files import Entry

USERS = 500
"""Order of parts without one of their own: after all built-in kinds."""


class Part(Entry):
    """One entry under `parts:` of a vehicle file."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=False)

    kind: str
    Numbers: ClassVar[tuple[Any, ...]] = ()
    """NamedTuples of floats: the parameters that kernels read as `p.name`."""
    Index: ClassVar[Mapping[str, str]] = {}
    """Further columns of its row and their NumPy types: indices, switches, small arrays."""
    State: ClassVar[Any] = None
    """NamedTuple of its state; the defaults are the initial values."""
    Output: ClassVar[Any] = None
    """NamedTuple of its outputs; units are in brackets in the notes below the fields."""
    Element: ClassVar[Any] = None
    """Record type of its elements (such as strips), which are stored among the constants."""
    derived: ClassVar[Mapping[str, str]] = {}
    """Parameters of its kernels that another function of its own answers: by parameter, its name."""
    takes: ClassVar[Mapping[str, Take]] = {}
    """Data that kernels take from other parts, by parameter."""
    feeds: ClassVar[Mapping[str, tuple[Any, str]]] = {}
    """What kernels add to the collection of another part, by field of their answer: type, and the key that names it."""
    collects: ClassVar[Mapping[str, Any]] = {}
    """Sums of what other parts feed it in a tick, by parameter of the kernel that uses them."""
    gives: ClassVar[Any] = None
    """NamedTuple that its kernel `publish` gives to others, before the loads and after it has acted."""
    settles: ClassVar[tuple[str, ...]] = ()
    """Fields of its state that reach a steady state under constant commands; the solver balances them."""
    switches: ClassVar[tuple[str, ...]] = ()
    """Fields of its state that change only in jumps: a linear model has no part of them."""
    order: ClassVar[int] = USERS
    """Among kinds that do not depend on each other, the lower order runs first."""
    demand_order: ClassVar[int] = 140
    """The same for its kernel `demand`; by default after the motors and before their supply."""
    fixed: ClassVar[tuple[str, ...]] = ()
    """Parameters that cannot change while the world runs."""
    failures: ClassVar[tuple[str, ...]] = ()
    """Kinds of failure: compiled kernels notice what `fail` writes, `step` reads `failed`."""
    arrow: ClassVar[Arrow | None] = None
    """Its force arrow, if any."""
    obeys: ClassVar[str] = ""
    """What it is commanded, if controllers ask for it: one of `kernel.commands`."""
    nan_holds: ClassVar[bool] = False
    """True if a NaN command on one of its channels holds the previous value."""
    message: ClassVar[str] = ""
    """ROS message type of its topic; without one, named numbers."""
    shaft: ClassVar[tuple[str, str] | None] = None
    """Fields of its state that are angle and speed of a shaft, which is recorded with the joints."""
    events: ClassVar[Mapping[str, str]] = {}
    """Fields of its outputs or state that trigger an event when they leave 0, and the name of the event."""
    set_by_world: ClassVar[tuple[str, ...]] = ()
    """Columns of its row that the world writes; preserved when it is bound again."""
    takes_pictures: ClassVar[bool] = False
    """True if it renders the scene, which then gets light and sky."""
    plain: ClassVar[bool] = False
    """True if its kernels run as plain Python."""
    _output_at: int = -1
    _failed: frozenset[str] = frozenset()

    @classmethod
    def __pydantic_init_subclass__(cls, **options: Any) -> None:
        super().__pydantic_init_subclass__(**options)
        keep_source(cls)

    @classmethod
    def prepare(cls, data: dict[str, Any]) -> dict[str, Any]:
        """In Python the kind follows from the class and may be omitted."""
        named = get_args(cls.model_fields["kind"].annotation)  # of a Literal; one of a user's has none
        return {"kind": named[0] if named else cls.__name__, **data}

    @classmethod
    def group(cls) -> "type[Part]":
        """The class whose kernels it uses: kinds that differ only in parameters share rows and compiled code."""
        kinds = (c for c in cls.__mro__ if issubclass(c, Part))
        return next(c for c in kinds if c is Part or any(name in vars(k) for k in _own(c) for name in STAGE_KERNELS))

    def variant(self) -> str:
        """Which of the kernels of its kind it uses: `load_generic` of the variant `generic`."""
        return ""

    @classmethod
    def row_type(cls) -> np.dtype[np.void]:
        """Record type of its row."""
        return row_type_of(cls.group())

    @classmethod
    def extra_columns(cls) -> Mapping[str, str]:
        """Columns of all rows of its family, besides its own."""
        return {}

    @property
    def output_at(self) -> int:
        """Index of its first output; -1 before it is bound."""
        return self._output_at

    def at_site(self) -> str:
        """Its site, whose axes its outputs use. None for a part without a place."""
        return getattr(self, "site", "")

    def first_input(self) -> int | None:
        """First command channel of a part that is active only if the commands of the controller start there."""
        return None

    lifts: ClassVar[bool] = False
    """True for a lifting surface: a vehicle with one has a trimmed glide or cruise."""

    def deflections(self) -> Mapping[int, float | None]:
        """Command channels that deflect it, and by how much at channel value 1 [rad]; None: a stick, no angle."""
        return {}

    def control_joints(self) -> tuple[str, ...]:
        """Joints whose angles deflect it."""
        return ()

    def channel_limits(self) -> Mapping[int, tuple[float, float]]:
        """Smallest and largest value that it passes on, by channel."""
        return {}

    def channel_words(self) -> Mapping[int, str]:
        """What a channel does at 1, where that is not to move the part."""
        return {}

    def moved_actuator(self) -> str | None:
        """MuJoCo actuator that follows its channel."""
        return None

    def swings(self) -> Mapping[int, Swing]:
        """Channels that it moves to and fro."""
        return {}

    def why_not_swing(self, rate: float, swings: Mapping[int, Swing], speed: float) -> str:
        """A warning about a site that is swung at this rate [rad/s] by `swings` at a flight speed [m/s]; or empty."""
        return ""

    def thrust_channel(self) -> int | None:
        """Channel of its thrust along the x axis of its site."""
        return None

    def commanded_parts(self) -> tuple[str, ...]:
        """Parts that it commands itself."""
        return ()

    def acts_at(self) -> tuple[float, float, float]:
        """Start of its arrow, axes of the site [m]."""
        return 0.0, 0.0, 0.0

    def shown(self, row: Row) -> list[Signal]:
        """Its outputs by name, from its row in the world."""
        units = leaf_units(self.group().Output)
        return [Signal(*one, "outputs", int(row["output"]) + k) for k, one in enumerate(units.items())]

    def recorded(self, row: Row) -> RecordedFields | None:
        """Message of its topic, by default its outputs; None for a part without outputs."""
        shown = self.shown(row)
        if not shown or not self.message:
            return named_numbers(shown) if shown else None
        return RecordedFields(self.message, {one.name: (one.array, one.place) for one in shown})

    def disc_radius(self) -> float | None:
        """Of the disc about x of its site that it is drawn as [m], 0: of unknown size; None: it is not drawn as one."""
        return None

    def ray_angles(self) -> Any:
        """`(first, step, rays)` of a fan of rays in the x-y plane of its site [rad]; None for a part without one."""
        return None

    def view_height(self) -> float:
        """Angle from the upper edge of its pictures to the lower [rad]; 0 for a part that takes none."""
        return 0.0

    def wheel_bodies(self) -> tuple[str, ...]:
        """Bodies of its wheels, whose contact forces are drawn."""
        return ()

    def pushed_sites(self) -> Sequence[PushedSite]:
        """Further sites at which it applies forces, once it is bound."""
        return ()

    def code_file(self) -> str | None:
        """A file beside the vehicle file that it loads and runs; None for a part that is data."""
        return None

    def attach(self, spec: Any) -> None:
        """Add to the MuJoCo spec of the vehicle before it is compiled."""

    def pieces(self, name: str) -> "dict[str, Part]":
        """The parts to bind in its place, by name: itself, or its components."""
        return {name: self}

    @classmethod
    def shared(cls, pieces: "Mapping[str, Part]", whose: str = "one vehicle") -> "dict[str, Part]":
        """Parts that all of its kind in a vehicle have in common, by name; they are bound after all others.

        In a world with `air.wakes` it is asked once for all vehicles, whose parts then have their full names.
        """
        return {}

    def configure(self, option: Any) -> None:
        """Change MuJoCo's options of its world, if its physics requires it."""

    def used_channels(self) -> tuple[int, ...]:
        """Command channels that it reads; -1 means none."""
        return ()

    def written_channels(self) -> tuple[int, ...]:
        """Command channels that only it writes: not inputs of the vehicle."""
        return ()

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Values of its row, by column; by default its fields of the same names."""
        return {name: getattr(self, name) for cls in self.Numbers for name in cls._fields if hasattr(self, name)}

    def springs(self, places: BindContext) -> Sequence[Spring]:
        """Stiff springs and dampers that it computes; the physics step must be short enough for them."""
        return ()

    def describe(self, places: BindContext, frame: RootFrame) -> Described | None:
        """Its description for controllers and estimators; None: only kind, site and parameters."""
        return None

    def initial_state(self) -> Any:
        """Its initial state."""
        state = self.group().State
        return state() if state is not None else ()

    def initial_memory(self) -> list[float]:
        """Initial state beyond `State`, such as that of its elements."""
        return []

    def bind(self, places: BindContext) -> Row:
        """The row that its kernels read: parameters, and indices of its site, state, outputs and links."""
        row = np.zeros((), self.row_type())
        row["vehicle"] = places.vehicle
        if self.at_site():
            row["site"] = site = places.site(self.at_site())
            row["body"] = places.body_of(site)
        for name, value in self.numbers(places).items():
            row[name] = value
        row["state"] = places.state(*flat(self.initial_state()))
        memory = self.initial_memory()
        row["memory"], row["memory_size"] = places.state(*memory), len(memory)
        row["output"] = self._output_at = places.output(size(self.group().Output))
        self._link(places, row)
        return row

    def _link(self, places: BindContext, row: Row) -> None:
        """Indices of what it takes, gives, feeds and collects."""
        kind = self.group()
        if kind.gives is not None:
            row["given"] = places.given(self, kind.gives)
        for name, cls in kind.collects.items():
            row[name] = places.collected(self, cls)
        for name, take in kind.takes.items():
            giver = self._other(places, take.named_by, take.type, "gives")
            row[name] = places.given(giver, take.type)
        for name, (cls, named_by) in kind.feeds.items():
            receiver = self._other(places, named_by, cls, "collects") if named_by else self
            row[name] = places.collected(receiver, cls) if receiver is not None else -1

    def _other(self, places: BindContext, key: str, type_: Any, verb: str) -> "Part | None":
        """The part that a key of the file names; None if it names none."""
        name = getattr(self, key)
        try:
            return places.named(name, type_, verb) if name else None
        except ValueError as error:
            raise ValueError(f"{key}: {error}") from None

    def why_no_wake(self) -> str:
        """With `air.wakes`: why it neither sheds nor feels wakes of wings; empty if it does."""
        return ""

    def why_no_jet(self) -> str:
        """With `air.wakes`: why it thrusts without a jet behind it; empty if it has one, or needs none."""
        return ""

    def why_not_given(self) -> str:
        """Why its data cannot be used by others; empty if they can."""
        return ""

    def own_loss(self) -> float:
        """Fraction of samples that a healthy sensor of its kind loses."""
        return 0.0

    def fail(self, row: Row, failure: str) -> None:
        """Write a failure into its row; a repair writes the row again. By default only `off` is written."""
        if failure == "off":
            row["off"] = 1

    @property
    def failed(self) -> frozenset[str]:
        """The failures that it has now."""
        return self._failed

    has_load_at_rest: ClassVar[bool] = True
    """False for a part whose load exists only while time advances."""

    def runs_in_python(self) -> bool:
        """Whether the loop calls it back in Python, which is slow."""
        return self.plain

    def remembers_in_python(self) -> bool:
        """Whether it has state outside the arrays of the world, which a snapshot must include."""
        return self.runs_in_python()

    apart: ClassVar[bool] = False
    """Whether it has state that is stored neither in the world nor in the part."""

    def complaint(self, arrays: Any, row: Any) -> str:
        """The reason why its kernel ended the run."""
        return "gave a value that is not a number"

    def notice(self, arrays: Any, row: Any) -> str:
        """A warning to log once per run; empty if there is none."""
        return ""

    def cause(self) -> BaseException | None:
        """The exception that ended its last step."""
        return None

    def loads_shown(self, arrays: Any, row: Any) -> Any:
        """Its last forces and torques, as far as its outputs have them."""
        names = leaves(self.group().Output)
        places = [k for k, name in enumerate(names) if name.partition(".")[0] in ("force", "torque", "thrust")]
        return arrays.outputs[int(row["output"]) + np.array(places, np.intp)]

    def reset(self) -> None:
        """Called when the world is reset."""

    def memory(self) -> dict[str, Any]:
        """State for a snapshot: the fields, and attributes whose names begin with an underscore."""
        return copy.deepcopy({**vars(self), **(self.__pydantic_private__ or {})})

    def remember(self, memory: dict[str, Any]) -> None:
        """Restore what `memory` returned."""
        for name, value in copy.deepcopy(memory).items():
            if name in vars(self):
                vars(self)[name] = value  # a field of the user's may have the name of one of our class variables
            else:
                setattr(self, name, value)


STAGE_KERNELS = (
    "start",
    "reopen",
    "demand",
    "actuate",
    "exchange",
    "publish",
    "load",
    "tally",
    "inertia",
    "contact",
    "before_step",
    "after_step",
    "settle",
    "settled",
    "measure",
)
"""Names of kernels. `demand` runs with the actuators: the draw of a part before its supply is known."""
STANDARD = ("vehicle", "body", "site", "state", "memory", "memory_size", "output", "given", "off")
"""Columns that every row has."""


def _own(kind: type[Part]) -> Iterator[type]:
    """A kind, and its base classes other than `Part` that define kernels."""
    yield kind
    yield from (base for base in kind.__bases__ if not issubclass(base, Part))


@functools.cache
def row_type_of(cls: type[Part]) -> np.dtype[np.void]:
    """Record type of the rows of a group of parts."""
    floats = {name: "f8" for numbers in cls.Numbers for name in numbers._fields}
    links = dict.fromkeys((*cls.takes, *cls.feeds, *cls.collects), "i8")
    named = {**floats, **cls.Index, **cls.extra_columns(), **dict.fromkeys(STANDARD, "i8"), **links}
    return np.dtype([*named.items()])
