"""A world as an FMU is the world, to the bit, whoever runs it: fmpy, or our own importer inside another world."""

import math
import os
import signal
import zipfile
from pathlib import Path

import fmpy
import pytest
from fmpy.fmi2 import FMU2Slave
from fmpy.fmi3 import FMU3Slave
from fmpy.validation import validate_fmu

import cupola
from cupola.bridge.fmi.export import export_fmu
from cupola.bridge.fmi.inputs import Commands
from cupola.bridge.fmi.unit import folder_of

INPUTS = ["quadcopter.stick.roll", "air.wind_speed", "quadcopter.motor1.fail.off"]
OUTPUTS = ["quadcopter.position", "quadcopter.imu.accel_s", "quadcopter.motor1.thrust"]
DT = 0.01


def gusty():
    """The quadcopter in turbulence, which its file does not know."""
    world = cupola.load("quadcopter")
    for axis in "xyz":
        world.tune(f"air.turbulence_sigma_{axis}", 1.0)
        world.tune(f"air.turbulence_length_{axis}", 50.0)
    return world


@pytest.fixture(scope="module", params=[2, 3])
def unit(request, tmp_path_factory):
    """That world as an FMU of one version."""
    folder = tmp_path_factory.mktemp("unit with a blank")  # addresses have %20 there
    return export_fmu(gusty(), folder / "quadcopter.fmu", INPUTS, OUTPUTS, request.param)


@pytest.fixture(scope="module")
def shared(unit):
    """One instance for several tests: each starts a Python."""
    running = Running(unit.path)
    yield running
    running.fmu.freeInstance()


@pytest.fixture
def running(shared):
    """That instance, from its start."""
    shared.begin()
    return shared


class Running:
    """An instance in fmpy's hands."""

    def __init__(self, path):
        self.about = fmpy.read_model_description(str(path))
        self.version = int(self.about.fmiVersion[0])
        self.folder = fmpy.extract(str(path))
        cls = FMU2Slave if self.version == 2 else FMU3Slave
        token = self.about.guid if self.version == 2 else self.about.instantiationToken
        identifier = self.about.coSimulation.modelIdentifier
        self.refs = {v.name: v.valueReference for v in self.about.modelVariables}
        self.fmu = cls(guid=token, unzipDirectory=self.folder, modelIdentifier=identifier, instanceName="one")
        self.said = []
        if self.version == 2:
            self.fmu.instantiate()
        else:
            self.fmu.instantiate(logMessage=lambda _, status, category, text: self.said.append(text.decode()))

    def begin(self, parameters=(), start=0.0):
        self.fmu.reset()
        if self.version == 2:
            self.fmu.setupExperiment(startTime=start)
            self.fmu.enterInitializationMode()
        else:
            self.fmu.enterInitializationMode(startTime=start)
        for name, value in dict(parameters).items():
            self.put(name, value)
        self.fmu.exitInitializationMode()

    def put(self, name, value):
        (self.fmu.setReal if self.version == 2 else self.fmu.setFloat64)([self.refs[name]], [value])

    def get(self, names):
        read = self.fmu.getReal if self.version == 2 else self.fmu.getFloat64
        return list(read([self.refs[name] for name in names]))

    def step(self, time, dt):
        self.fmu.doStep(time, dt)


def act(step, tell):
    """What is done at the same moments to the FMU and to the world; `tell` by name of an input."""
    for k in range(30):
        if k == 3:
            tell("air.wind_speed", 4.0)
            tell("quadcopter.stick.roll", 0.25)
        if k == 20:
            tell("quadcopter.motor1.fail.off", 1.0)
        step(k)


def told(world):
    """The same inputs, on the world itself."""

    def tell(name, value):
        if name == "quadcopter.stick.roll":
            row = world.runner().sticks.tolist()
            world.sticks([value, *row[1:]])
        elif name.startswith("air."):
            world.tune(name, value)
        else:
            world.fail("quadcopter.motor1", "off", value)

    return tell


def flown(outputs, seed=None):
    """Rows of the world itself."""
    world, rows = gusty(), []
    world.reset(seed)

    def step(k):
        world.step(round(DT / world.dt))
        rows.append([world.signal(name) for name in outputs])

    act(step, told(world))
    return rows


def in_fmpy(running, outputs, seed=None, start=0.0):
    """Rows of the FMU."""
    running.begin({} if seed is None else {"seed": float(seed)}, start)
    rows = []

    def step(k):
        running.step(start + k * DT, DT)
        rows.append(running.get(outputs))

    act(step, running.put)
    return rows


def same(a, b):
    return [[float(x).hex() for x in row] for row in a] == [[float(x).hex() for x in row] for row in b]


def test_fmpy_runs_the_world_to_the_bit(unit, running):
    expected = flown(unit.outputs)
    assert same(in_fmpy(running, unit.outputs), expected)
    other = flown(unit.outputs, seed=77)
    assert same(in_fmpy(running, unit.outputs, seed=77, start=100.0), other)
    assert not same(other, expected)
    assert same(in_fmpy(running, unit.outputs), expected)


def test_the_description_is_valid_and_has_units(unit):
    assert validate_fmu(str(unit.path)) == []
    about = fmpy.read_model_description(str(unit.path))
    known = {v.name: v for v in about.modelVariables}
    assert known["quadcopter.position.x"].unit == "m" and known["air.wind_speed"].unit == "m/s"
    assert {n for n, v in known.items() if v.causality == "input"} == set(unit.inputs)
    assert {n for n, v in known.items() if v.causality == "output"} == set(unit.outputs)


def test_our_own_importer_runs_it_to_the_bit(unit, tmp_path):
    """Inside another world, as a part; its own sensors see the exported quadcopter fly."""
    shown = {f"show.{name.replace('.', '_')}": name for name in unit.outputs}
    (tmp_path / "model.xml").write_text(
        '<mujoco><worldbody><body name="base"><geom type="box" size=".1 .1 .1" mass="1"/></body></worldbody></mujoco>'
    )
    (tmp_path / "vehicle.yaml").write_text(
        "about: a world in a world\nparts:\n  inner:\n    kind: fmu\n"
        f"    file: '{unit.path}'\n    rate_hz: 100\n    inputs: {{channel.0: quadcopter.stick.roll}}\n"
        f"    outputs: {shown}\n".replace("'show", "show").replace("':", ":")
        + "controller: {use: pass_through, rate_hz: 100}\n"
    )
    outer, inner = cupola.load(tmp_path / "vehicle.yaml", trust=True), gusty()
    name = outer.instances[0].name
    outer.sticks([0.25])
    outer.step(round(0.3 / outer.dt))
    inner.sticks([0.25, *inner.runner().sticks.tolist()[1:]])
    inner.step(round(0.3 / inner.dt))
    found = [outer.signal(f"{name}.inner.{one}") for one in unit.outputs]
    assert same([found], [[inner.signal(one) for one in unit.outputs]])


def test_a_state_is_kept_and_gone_back_to(unit, running):
    running.put("quadcopter.stick.roll", 0.2)
    running.step(0.0, DT)
    get, put = running.fmu.getFMUState, running.fmu.setFMUState
    state = get()
    running.step(DT, DT)
    there = running.get(unit.outputs)
    put(state)
    assert running.get(["quadcopter.stick.roll"]) == [0.2]
    running.step(DT, DT)
    assert same([running.get(unit.outputs)], [there])
    running.fmu.freeFMUState(state)
    running.fmu.reset()
    assert running.get(["quadcopter.stick.roll"]) == [0.0]


def test_wrong_steps_and_values_are_errors_in_words(running):

    def refused(call):
        with pytest.raises(Exception, match=r"3|[Ee]rror"):
            call()
        return "".join(running.said)

    texts = [
        refused(lambda: running.step(0.0, 0.0007)),
        refused(lambda: running.step(1.0, DT)),
    ]
    running.put("quadcopter.motor1.fail.off", 0.5)
    texts.append(refused(lambda: running.step(0.0, DT)))
    if running.version == 3:  # fmpy prints those of FMI 2 from a library of its own
        assert "no multiple of 0.0005 s" in texts[0] and "the world is at 0.0 s" in texts[1]
        assert "quadcopter.motor1.off must be 0 (whole) or 1 (broken)" in texts[2]
    running.put("quadcopter.motor1.fail.off", 0.0)
    running.step(0.0, DT)  # and it goes on
    later = [(math.nan, DT), (DT, math.nan), (DT, math.inf), (DT, 0.0), (DT, -DT)]
    texts = [refused(lambda t=t, dt=dt: running.step(t, dt)) for t, dt in later]
    for value in (math.nan, math.inf):
        running.put("quadcopter.stick.roll", value)
        texts.append(refused(lambda: running.step(DT, DT)))
    if running.version == 3:
        assert "a step from nan s" in texts[0] and "a step of nan s is no multiple" in texts[1]
        assert "quadcopter.stick.roll: expected a finite number, got nan" in texts[-1]
    running.put("quadcopter.stick.roll", 0.0)
    running.step(DT, DT)


def children():
    """Processes that this one started."""
    found = set()
    for task in Path("/proc/self/task").iterdir():
        found |= {int(p) for p in (task / "children").read_text().split()}
    return found


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="looks at processes where Linux shows them")
def test_a_world_that_is_killed_is_an_error_and_nothing_is_left_behind(unit):
    before = children()
    running = Running(unit.path)
    running.begin()
    (process,) = children() - before
    running.step(0.0, DT)
    os.kill(process, signal.SIGKILL)
    with pytest.raises(Exception, match=r"4|[Ff]atal"):
        running.step(DT, DT)
    running.fmu.freeInstance()
    assert children() <= before


def test_a_machine_without_cupola_refuses_to_make_an_instance(unit, monkeypatch):
    monkeypatch.setenv("CUPOLA_PYTHON", "/nowhere/python")
    with pytest.raises(Exception, match=r"[Ii]nstantiate"):
        Running(unit.path)


def test_commands_of_the_importer_fly_instead_of_the_controller(tmp_path):
    names = [f"quadcopter.command.{k}" for k in range(4)]
    unit = export_fmu(cupola.load("quadcopter"), tmp_path / "q.fmu", names, ["quadcopter.position"])
    running, world = Running(unit.path), cupola.load("quadcopter", controllers={"quadcopter": (pilot := Commands())})
    running.begin()
    pilot.row = [0.62, 0.0, 0.001, 0.0]
    for name, value in zip(names, pilot.row, strict=True):
        running.put(name, value)
    running.step(0.0, 0.5)
    world.step(round(0.5 / world.dt))
    assert same([running.get(unit.outputs)], [world.signal("quadcopter.position")])
    assert world.signal("quadcopter.position.z") != cupola.load("quadcopter").signal("quadcopter.position.z")
    running.fmu.freeInstance()


def test_the_archive_needs_no_file_of_the_vehicle(unit):
    inside = zipfile.ZipFile(unit.path).namelist()
    assert "resources/scenario.json" in inside and "resources/quadcopter/vehicle.yaml" in inside


def test_unknown_names_are_answered_with_the_nearest(tmp_path):
    world = cupola.load("quadcopter")
    with pytest.raises(cupola.InputError, match=r"no input 'quadcopter\.stick\.rol'.*quadcopter\.stick\.roll"):
        export_fmu(world, tmp_path / "q.fmu", ["quadcopter.stick.rol"])
    with pytest.raises(cupola.InputError, match=r"no signal 'quadcopter\.positions'"):
        export_fmu(world, tmp_path / "q.fmu", [], ["quadcopter.positions"])
    world.step()
    with pytest.raises(cupola.InputError, match="begins at the start"):
        export_fmu(world, tmp_path / "q.fmu")
    assert not (tmp_path / "q.fmu").exists()


def test_code_of_the_user_is_refused_by_its_name(tmp_path, vehicle):
    text = "from cupola import Controller\n\n\nclass Mine(Controller):\n    step = lambda self, obs, ref: [0.0]\n"
    body = '<body name="base"><geom type="box" size=".1 .1 .1" mass="1"/></body>'
    own = vehicle(body, files={"mine.py": text}, controller={"use": "mine.py:Mine", "rate_hz": 100})
    with pytest.raises(cupola.InputError, match=r"carries no code of yours.*mine\.py"):
        export_fmu(cupola.load(own, trust=True), tmp_path / "q.fmu")


def test_addresses_of_resources_are_paths():
    assert folder_of("file:///a%20b/resources") == Path("/a b/resources") == folder_of("/a b/resources")
