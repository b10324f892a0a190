"""The editor of the page: the texts of the scenario and the vehicles that fly, changed, flown and saved.

A page names no file: it edits those of the world that flies, by number. A changed text is data until it is flown, and
then code that it names runs only if it is trusted. Nothing is written but new files in the output folder.
"""

import json
import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from cupola.bridge.new_folder import new_folder
from cupola.cockpit import messages as say
from cupola.cockpit.flight import Flight
from cupola.cockpit.link import Link
from cupola.cockpit.texts import problems_in, stay_inside, vehicle_files, with_full_paths
from cupola.config.own_code import check_code, code_in, is_own
from cupola.config.resolved_vehicle import resolve_vehicles, vehicle_name
from cupola.config.routes import shipped_routes
from cupola.config.scenario import SCENARIOS, Scenario
from cupola.config.vehicle import Vehicle, find_vehicle, parse_vehicle, shipped_vehicles
from cupola.control import CONTROLLERS
from cupola.schema.input_files import read_text
from cupola.schema.trust import Trust, file_of
from cupola.schema.whole_files import free_name, write_whole
from cupola.schema.yaml_files import LARGEST, InputError, parse, schema
from cupola.sim.saving import as_yaml
from cupola.sim.world import World


@cache
def schema_text(of: Literal["scenario", "vehicle"]) -> str:
    """JSON Schema of a kind of file, with the names that `cupola list` prints as examples."""
    found = schema(Scenario if of == "scenario" else Vehicle)
    for entry, key, names in (
        ("VehicleEntry", "model", shipped_vehicles()),
        ("ControllerEntry", "use", list(CONTROLLERS)),
        ("ControllerEntry", "route", shipped_routes()),
    ):
        if entry in found["$defs"]:
            found["$defs"][entry]["properties"][key]["examples"] = names
    return json.dumps(found)


SCENARIO = -1
"""Number of the scenario among the files of a world; its vehicles are counted from 0."""
Asked = say.CheckText | say.FlyText | say.SaveText
Texts = dict[Path | None, str]
"""Changed texts: of vehicle files by their paths, of the scenario under None."""


class Draft(NamedTuple):
    """A world with changed texts, read and checked but not built."""

    scenario: Scenario
    vehicles: dict[str, Vehicle]
    """Those that were changed, by name."""
    texts: Texts


class Editing:
    """What pages edit of the world that flies."""

    def __init__(self, flight: Flight, link: Link, see: Callable[[World], World]) -> None:
        """`see` is shown each world before it flies."""
        self._flight, self._link, self._see = flight, link, see
        self._edited: World | None = None
        self._texts: Texts = {}

    @property
    def _world(self) -> World:
        return self._flight.world

    def open(self, asked: say.OpenText) -> None:
        """Answer with a text."""
        try:
            answer: say.Sheet | say.Checked = self._sheet(asked.file)
        except InputError as error:
            problem = say.TextProblem(line=1, column=1, text=str(error))
            answer = say.Checked(act="check", file=asked.file, version=0, problems=[problem], done="")
        self._link.answer(asked.number, answer.model_dump_json().encode())

    def check(self, asked: say.CheckText) -> None:
        """Answer with what is wrong; reading takes a moment, in which the world goes on."""
        threading.Thread(target=lambda: self._answer(asked, "check", lambda: self._check(asked)), daemon=True).start()

    def fly(self, asked: say.FlyText) -> bool:
        """Fly the world with the changed text; False when something is wrong, and then the world that flew flies on."""
        return self._answer(asked, "fly", lambda: self._fly(asked))

    def fly_again(self) -> bool:
        """Build the world anew if it is one with changed texts."""
        if not self._changed():
            return False
        self._build(self._draft(self._texts))
        return True

    def save(self, asked: say.SaveText) -> None:
        """Write the text to a file of its own."""
        self._answer(asked, "save", lambda: self._save(asked))

    def _answer(self, asked: Asked, act: str, do: Callable[[], str]) -> bool:
        problems, done = [], ""
        try:
            done = do()
        except Exception as error:  # a model that MuJoCo refuses raises what it likes; who asked must be answered
            problems = problems_in(error, asked.text, self._source(asked.file))
        answer = say.Checked.model_validate(
            {"act": act, "file": asked.file, "version": asked.version, "problems": problems, "done": done}
        )
        self._link.answer(asked.number, answer.model_dump_json().encode())
        return not problems

    # the files of the world

    def _path(self, file: int) -> Path | None:
        """The vehicle file with this number; None for the scenario."""
        names = [instance.name for instance in self._world.instances]
        if file >= len(names):
            raise InputError(f"there is no vehicle {file} to edit; there are {len(names)}: {', '.join(names)}")
        return None if file == SCENARIO else self._world.instances[file].path

    def _source(self, file: int) -> str:
        """What messages call a file."""
        return self._world.source if file == SCENARIO else str(self._path(file))

    def _changed(self) -> Texts:
        """Texts that fly and are not those of the files."""
        return self._texts if self._edited is self._world else {}

    def _own_text(self, file: int) -> str:
        """As the file has it."""
        path = self._path(file)
        if path is not None:
            return read_text(path, LARGEST)
        world = self._world
        for home in (Path(world.source), SCENARIOS / f"{world.source}.yaml"):
            if home.is_file() and home.suffix in (".yaml", ".yml") and home.name != "vehicle.yaml":
                text = read_text(home, LARGEST)
                try:
                    parse(text, str(home), Scenario)
                except InputError:  # a vehicle, or a file that somebody is changing just now
                    continue
                return text
        return as_yaml(world.scenario)

    def _text(self, file: int) -> str:
        self._refuse_python()
        changed = self._changed()
        path = self._path(file)
        return changed[path] if path in changed else self._own_text(file)

    def _sheet(self, file: int) -> say.Sheet:
        path, text, world = self._path(file), self._text(file), self._world
        names = [world.name, *(instance.name for instance in world.instances)]
        if len(text) > say.LONGEST_TEXT:
            raise InputError(
                f"{self._source(file)} has {len(text)} characters, more than the {say.LONGEST_TEXT} that the page edits"
            )
        home = self._source(file)
        note = (
            f"{home}, as it was changed here; not saved."
            if path in self._changed()
            else f"{home}, which stays as it is."
        )
        return say.Sheet(
            file=file,
            of="scenario" if path is None else "vehicle",
            files=names,
            text=text,
            name=f"my_{names[file + 1]}",
            note=note,
        )

    def _refuse_python(self) -> None:
        world = self._world
        own = self._edited is not world and any(instance.resolved.is_given for instance in world.instances)
        given = any(spec.given is not None for one in world.instances for spec in one.resolved.specs.values())
        if own or given or not Path(world.folder).is_dir():
            raise InputError("this world was made in Python, not from files: change it there")

    # what a page asks

    def _read(self, asked: Asked) -> Draft:
        """The world with the text, as `cupola check` reads it."""
        stay_inside(asked.text, self._own_text(asked.file), self._source(asked.file))
        return self._draft({**self._changed(), self._path(asked.file): asked.text})

    def _draft(self, texts: Texts) -> Draft:
        world = self._world
        scenario = parse(texts[None], world.source, Scenario) if None in texts else world.scenario
        read = {home: parse_vehicle(text, home) for home, text in texts.items() if home is not None}
        vehicles = {}
        for entry in scenario.vehicles:
            try:
                home = find_vehicle(entry.model, world.folder)
            except InputError:  # told below, with its place
                continue
            if home in read:
                vehicles[vehicle_name(entry, home)] = read[home]
        resolved = resolve_vehicles(scenario, world.folder, {}, world.source, vehicles=vehicles)
        for code in code_in(resolved):
            check_code(code)
        return Draft(scenario, vehicles, texts)

    def _check(self, asked: Asked) -> str:
        self._read(asked)
        return "Nothing is wrong with it."

    def _fly(self, asked: say.FlyText) -> str:
        self._refuse_python()
        self._build(self._read(asked))
        return "It flies as it is written here; the file is as it was."

    def _build(self, draft: Draft) -> None:
        before = self._world
        names = {vehicle_name(entry, find_vehicle(entry.model, before.folder)) for entry in draft.scenario.vehicles}
        # Who was named on the command line flies on.
        flown = {
            instance.name: instance.resolved.controller.use
            for instance in before.instances
            if instance.name in names and instance.resolved.specs["mission"].source.startswith("controllers[")
        }
        trust = Trust(named=[file_of(use, Path()) for use in flown.values() if is_own(use)])
        world = World(
            draft.scenario,
            before.folder,
            controllers=flown,
            vehicles=draft.vehicles,
            compiled=before.compiled,
            name=before.name,
            source=before.source,
            trust=trust,
        )
        hopeless = [caution.text for caution in world.cautions if caution.hopeless]
        if hopeless:
            raise InputError(f"{before.source}: {hopeless[0]}")
        self._flight.fly(self._see(world))
        self._edited, self._texts = world, draft.texts

    def _save(self, asked: say.SaveText) -> str:
        draft, path, folder = self._read(asked), self._path(asked.file), self._flight.folder
        if path is None:
            text = with_full_paths(asked.text, Path(self._world.folder), self._world.source)
            made = write_whole(folder / f"{asked.name}.yaml", text.encode(), numbered=True)
            rest = [home.parent.name for home in draft.texts if home is not None]
            also = (
                f" The changes of {', '.join(rest)} are not in it: save them, too, and name the file." if rest else ""
            )
            return f"Saved {made}: `cupola fly {made}` flies it.{also}"
        folder.mkdir(parents=True, exist_ok=True)
        home = free_name(folder / asked.name)
        with new_folder(home, "another name") as passing:
            for name, content in vehicle_files(asked.text, path).items():
                (passing / name).write_bytes(content)
        made = home / "vehicle.yaml"
        return f"Saved {made}: `cupola fly {made}` flies it, `model: {made.resolve()}` puts it into a scenario."
