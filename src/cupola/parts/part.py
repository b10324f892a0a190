"""What a part is: data from a vehicle file, bound to a place of the model, and kernels that the loop calls.

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
from cupola.parts.described import Described, RootFrame, Spring
from cupola.parts.shown import RecordedFields, Signal, leaf_units, named_numbers
from cupola.schema.yaml_files import Entry

USERS = 500
"""Order of parts that do not say theirs: after all that ship."""


class Part(Entry):
    """One entry under `parts:` of a vehicle file."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=False)

    kind: str
    Numbers: ClassVar[tuple[Any, ...]] = ()
    """NamedTuples of floats: the numbers that kernels read as `p.name`."""
    Index: ClassVar[Mapping[str, str]] = {}
    """Further columns of its row and their NumPy types: places, switches, small arrays."""
    State: ClassVar[Any] = None
    """NamedTuple of what it remembers from tick to tick; the defaults are the starting values."""
    Output: ClassVar[Any] = None
    """NamedTuple of what it shows; units stand in brackets in the notes below the fields."""
    Element: ClassVar[Any] = None
    """Record type of the elements it is made of, which lie among the constants."""
    derived: ClassVar[Mapping[str, str]] = {}
    """Parameters of its kernels that another function of its own answers: by parameter, its name."""
    takes: ClassVar[Mapping[str, Take]] = {}
    """What kernels are given of other parts, by parameter."""
    feeds: ClassVar[Mapping[str, tuple[Any, str]]] = {}
    """What kernels add to the collection of another part, by field of their answer: type, and the key that names it."""
    collects: ClassVar[Mapping[str, Any]] = {}
    """What others feed it in a tick, summed, by parameter of the kernel that uses it up."""
    gives: ClassVar[Any] = None
    """NamedTuple that its kernel `publish` gives to others, before the loads and after it has acted."""
    settles: ClassVar[tuple[str, ...]] = ()
    """Fields of its state that come to rest under held commands, found by balancing."""
    switches: ClassVar[tuple[str, ...]] = ()
    """Fields of its state that only jump: small motions do not move them."""
    order: ClassVar[int] = USERS
    """Among kinds that do not depend on each other, the lower one goes first."""
    demand_order: ClassVar[int] = 140
    """The same for its kernel `demand`: unless said otherwise after the motors and before their supply."""
    fixed: ClassVar[tuple[str, ...]] = ()
    """Numbers that cannot change while the world runs."""
    failures: ClassVar[tuple[str, ...]] = ()
    """How it can break: see `fail`."""
    arrow: ClassVar[Arrow | None] = None
    """What is drawn of it."""
    nan_holds: ClassVar[bool] = False
    """True if a NaN command on one of its channels means: hold the previous value."""
    message: ClassVar[str] = ""
    """ROS message type of its topic; without one, named numbers."""
    shaft: ClassVar[tuple[str, str] | None] = None
    """Fields of its state that are angle and speed of a shaft, which is told among the joints."""
    events: ClassVar[Mapping[str, str]] = {}
    """Fields of its outputs or its state that say, when they leave 0, that something happened: in which word."""
    set_by_world: ClassVar[tuple[str, ...]] = ()
    """Columns of its row that the world writes; they survive when it is bound again."""
    takes_pictures: ClassVar[bool] = False
    """True if it draws the scene, which then gets light and sky."""
    plain: ClassVar[bool] = False
    """True if its kernels run as plain Python."""
    _output_at: int = -1

    @classmethod
    def prepare(cls, data: dict[str, Any]) -> dict[str, Any]:
        """Built in Python, its kind is that of its class and need not be said."""
        named = get_args(cls.model_fields["kind"].annotation)  # of a Literal; one of a user's has none
        return {"kind": named[0] if named else cls.__name__, **data}

    @classmethod
    def group(cls) -> "type[Part]":
        """The class whose kernels it has: kinds that only say other numbers share rows and compiled code."""
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
        """Columns that all rows of its family have, beside those of its own."""
        return {}

    @property
    def output_at(self) -> int:
        """Where its outputs begin; -1 before it is bound."""
        return self._output_at

    def at_site(self) -> str:
        """The site it sits at; its axes are those of its outputs. None for a part without a place."""
        return getattr(self, "site", "")

    def first_input(self) -> int | None:
        """First command channel of a part that acts only for a controller whose commands begin there."""
        return None

    lifts: ClassVar[bool] = False
    """True for a lifting surface: a vehicle with one has a trimmed glide or cruise."""

    def deflections(self) -> Mapping[int, float]:
        """Command channels that deflect it, and by how much at channel value 1 [rad]."""
        return {}

    def control_joints(self) -> tuple[str, ...]:
        """Joints whose angles deflect it."""
        return ()

    def channel_limits(self) -> Mapping[int, tuple[float, float]]:
        """Least and largest value that it passes on, by channel."""
        return {}

    def moved_actuator(self) -> str | None:
        """MuJoCo actuator that follows its channel."""
        return None

    def thrust_channel(self) -> int | None:
        """Channel of its thrust along the x axis of its site."""
        return None

    def commanded_parts(self) -> tuple[str, ...]:
        """Parts that it commands itself."""
        return ()

    def acts_at(self) -> tuple[float, float, float]:
        """Where its arrow begins, axes of the site [m]."""
        return 0.0, 0.0, 0.0

    def shown(self, row: Row) -> list[Signal]:
        """Everything it shows, by its own names, from its row in the world. Unless written otherwise, its outputs."""
        units = leaf_units(self.group().Output)
        return [Signal(*one, "outputs", int(row["output"]) + k) for k, one in enumerate(units.items())]

    def recorded(self, row: Row) -> RecordedFields | None:
        """Message of its topic; None for a part that shows nothing. Unless written otherwise, what it shows."""
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
        """Sites that it pushes beside its own, once it is bound."""
        return ()

    def code_file(self) -> str | None:
        """A file beside the vehicle file that it loads and runs; None for a part that is data."""
        return None

    def attach(self, spec: Any) -> None:
        """Add to the MuJoCo spec of the vehicle before it is compiled."""

    def pieces(self, name: str) -> "dict[str, Part]":
        """What is bound in its place: itself, or the parts that it is made of, by their names."""
        return {name: self}

    @classmethod
    def shared(cls, pieces: "Mapping[str, Part]", whose: str = "one vehicle") -> "dict[str, Part]":
        """Parts that all of its kind in a vehicle have in common, by name; they are bound after all others.

        In a world with `air.wakes` it is asked once for all vehicles, whose parts then have their full names.
        """
        return {}

    def configure(self, option: Any) -> None:
        """Change MuJoCo's options of the world it is in, where its physics needs it."""

    def used_channels(self) -> tuple[int, ...]:
        """Command channels it listens to; -1 means none."""
        return ()

    def written_channels(self) -> tuple[int, ...]:
        """Command channels that it writes and nobody else can: no inputs of the vehicle."""
        return ()

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Values of its row, by column; unless written otherwise, its fields of the same names."""
        return {name: getattr(self, name) for cls in self.Numbers for name in cls._fields if hasattr(self, name)}

    def springs(self, places: BindContext) -> Sequence[Spring]:
        """Stiff springs and dampers of its own, which a step of the physics must be short enough for."""
        return ()

    def describe(self, places: BindContext, frame: RootFrame) -> Described | None:
        """What controllers and estimators are told of it; None: no more than its kind, its site and its numbers."""
        return None

    def initial_state(self) -> Any:
        """Its state at the start."""
        state = self.group().State
        return state() if state is not None else ()

    def initial_memory(self) -> list[float]:
        """Numbers of its state beyond `State`, such as those of its elements, at the start."""
        return []

    def bind(self, places: BindContext) -> Row:
        """The row of numbers that its kernels read: its own, and where its place, state, outputs and links are."""
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
        """Where what it takes, gives, feeds and collects lies."""
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
        """With `air.wakes`: what keeps its lift from leaving a wake and from feeling those of wings; empty: nothing."""
        return ""

    def why_not_given(self) -> str:
        """Why what it gives cannot be used; empty if it can."""
        return ""

    def own_loss(self) -> float:
        """Share of samples that a whole sensor of its kind loses."""
        return 0.0

    def fail(self, row: Row, failure: str) -> None:
        """Write a failure into its row; the row is written anew when it is mended."""
        row["off"] = 1

    has_load_at_rest: ClassVar[bool] = True
    """False for a part that has a load only while time passes."""

    def runs_in_python(self) -> bool:
        """Whether the loop calls it back, which slows it."""
        return self.plain

    def remembers_in_python(self) -> bool:
        """Whether it keeps something outside the arrays of the world, which a snapshot must hold."""
        return self.runs_in_python()

    apart: ClassVar[bool] = False
    """Whether what it remembers lies neither in the world nor in the part."""

    def complaint(self, arrays: Any, row: Any) -> str:
        """What was wrong when its kernel ended the run."""
        return "gave a value that is not a number"

    def notice(self, arrays: Any, row: Any) -> str:
        """A sentence worth saying once in a run; empty if there is nothing to say."""
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
        """Called when the world starts over."""

    def memory(self) -> dict[str, Any]:
        """Everything a snapshot must hold: the fields, and what the part keeps under names with an underscore."""
        return copy.deepcopy({**vars(self), **(self.__pydantic_private__ or {})})

    def remember(self, memory: dict[str, Any]) -> None:
        """Go back to what `memory` returned."""
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
"""Names of kernels. `demand` goes with the actuators: what a part will draw, before its supply is known."""
STANDARD = ("vehicle", "body", "site", "state", "memory", "memory_size", "output", "given", "off")
"""Columns that every row has."""


def _own(kind: type[Part]) -> Iterator[type]:
    """A kind, and the classes beside `Part` from which it has kernels."""
    yield kind
    yield from (base for base in kind.__bases__ if not issubclass(base, Part))


@functools.cache
def row_type_of(cls: type[Part]) -> np.dtype[np.void]:
    """Record type of the rows of a group of parts."""
    floats = {name: "f8" for numbers in cls.Numbers for name in numbers._fields}
    links = dict.fromkeys((*cls.takes, *cls.feeds, *cls.collects), "i8")
    named = {**floats, **cls.Index, **cls.extra_columns(), **dict.fromkeys(STANDARD, "i8"), **links}
    return np.dtype([*named.items()])
