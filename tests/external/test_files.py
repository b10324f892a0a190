"""FMUs and libraries as files: what is in them, and what is said of those that do not fit."""

import itertools
import re
import shutil
import zipfile

import fmpy
import pytest

from cupola import InputError
from cupola.bridge.fmi.pack import compile_library, pack
from cupola.cockpit.course import _compile

NUMBERS = itertools.count()
ENDS = {"inputs": {"joint.flap.velocity": "rate"}, "outputs": {"joint.flap.torque": "torque"}}
VECTOR = """
const char *cupola_names(int which)
{
    return which == 0 ? "gain wind[3]" : which == 1 ? "size push[3]" : which == 3 ? "scale=2 turn[2]=1.5" : "last[3]=1";
}
int cupola_step(const double *in, double *out, double *state, const double *p, double time, double dt)
{
    out[0] = state[0] + state[1] + state[2];
    for (int k = 0; k < 3; k++) {
        out[1 + k] = p[0] * p[2] * in[1 + k];
        state[k] = in[1 + k];
    }
    return 0;
}
"""


def changed(source, target, **edits):
    """A copy of an FMU with another description, or other names in it."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for item in old.namelist():
            data = old.read(item)
            if item == "modelDescription.xml":
                for before, after in edits.get("text", ()):
                    assert before in data.decode()
                    data = data.decode().replace(before, after).encode()
            for before, after in edits.get("names", ()):
                item = item.replace(before, after)
            new.writestr(item, data)
    return target


def refuse(flapper, part, said):
    with pytest.raises(InputError) as caught:
        flapper({**ENDS, **part}, name=f"v{next(NUMBERS)}")
    assert re.search(said, str(caught.value)), str(caught.value)


@pytest.mark.parametrize("version", [2, 3])
def test_an_fmu_that_does_not_fit_says_so(flapper, built, tmp_path, version):
    file = built[f"fmi{version}"]
    fmu = {"kind": "fmu", "file": str(file)}
    known = "rate, air, density"
    refuse(flapper, {**fmu, "inputs": {"joint.flap.velocity": "speed"}}, f"no such variable 'speed'; it has: {known}")
    refuse(
        flapper, {**fmu, "outputs": {"joint.flap.torque": "lift"}}, "'lift'; it has: torque, force, stored, supplied"
    )
    refuse(flapper, {**fmu, "parameters": {"mass": 1.0}}, "parameters: .* has no 'mass'; it has: stiffness, damping")
    refuse(flapper, {**fmu, "file": "none.fmu"}, r"file: there is no .*none\.fmu; FMUs there: none")
    here = fmpy.platform if version == 2 else fmpy.platform_tuple
    other = changed(file, tmp_path / "other.fmu", names=[(here, "win64")])
    refuse(flapper, {**fmu, "file": str(other)}, f"has no binaries/{here}/wing.so, which this machine needs; .*: win64")
    exchange = changed(file, tmp_path / "exchange.fmu", text=[("<CoSimulation", "<ModelExchange")])
    refuse(flapper, {**fmu, "file": str(exchange)}, "is not an FMU|model exchange only")
    broken = tmp_path / "broken.fmu"
    broken.write_bytes(b"no zip")
    refuse(flapper, {**fmu, "file": str(broken)}, "is not an FMU")


def test_an_fmu_with_a_step_of_its_own_takes_only_multiples(flapper, built, tmp_path):
    fixed = [('canGetAndSetFMUState="true"', 'canGetAndSetFMUState="true" fixedInternalStepSize="0.004"')]
    file = changed(built["fmi3"], tmp_path / "fixed.fmu", text=fixed)
    part = {"kind": "fmu", "file": str(file), **ENDS}
    flapper({**part, "rate_hz": 125}, name="fits").step(20)
    said = r"rate_hz: 0.001 s is no multiple of the 0.004 s .*; nearest valid: 250 or 125 Hz"
    refuse(flapper, part, said)


@pytest.mark.parametrize("version", [2, 3])
def test_an_fmu_that_cannot_give_its_state_has_no_snapshot(flapper, built, tmp_path, version):
    word = "FMUstate" if version == 2 else "FMUState"
    mute = [(f'canGetAndSet{word}="true" canSerialize{word}="true"', "")]
    file = changed(built[f"fmi{version}"], tmp_path / "mute.fmu", text=mute)
    world = flapper({"kind": "fmu", "file": str(file), **ENDS})
    world.step(10)
    with pytest.raises(InputError, match=r"mute\.fmu cannot give its state"):
        world.snapshot()
    _compile(world)  # the cockpit opens it all the same
    world.reset()
    world.step(10)


@pytest.mark.parametrize("version", [2, 3])
def test_a_state_that_cannot_leave_its_fmu_serves_its_own_world(flapper, built, digest, tmp_path, version):
    word = "FMUstate" if version == 2 else "FMUState"
    file = changed(built[f"fmi{version}"], tmp_path / "home.fmu", text=[(f' canSerialize{word}="true"', "")])
    part = {"kind": "fmu", "file": str(file), **ENDS}
    world, other = flapper(part, name="one"), flapper(part, name="two")
    world.data.qvel[0] = 5.0
    world.step(100)
    kept = world.snapshot()
    world.step(100)
    end = digest(world)
    world.restore(kept)
    world.step(100)
    assert digest(world) == end
    before = digest(other)
    with pytest.raises(InputError, match="only the world that took it may go back"):
        other.restore(kept)
    assert digest(other) == before


def test_parameters_reach_the_model(doors):
    for door in ("c", "fmi2", "fmi3"):
        torques = []
        for k, stiffness in enumerate((2.0, 4.0)):
            world = doors(door, name=f"{door}{k}", parameters={"stiffness": stiffness, "damping": 0.0})
            world.data.qvel[0] = 1.0
            world.reset()
            world.data.qvel[0] = 1.0
            world.step(1)
            torques.append(float(world.data.qfrc_applied[0]))
        # After one short step the bend is that of the root alone: the torque is all but twice as large.
        assert torques[1] / torques[0] == pytest.approx(2.0, rel=0.01)


def test_vectors_travel_whole(flapper, tmp_path):
    source = tmp_path / "vector.c"
    source.write_text(VECTOR)
    library = compile_library([source], tmp_path / "vector.so")
    ways = [
        ("c", library, "wind", "push"),
        ("fmu", pack(source, tmp_path / "v3.fmu", 3), "wind", "push"),
        (
            "fmu",
            pack(source, tmp_path / "v2.fmu", 2),
            *([f"{name}[{k}]" for k in (1, 2, 3)] for name in ("wind", "push")),
        ),
    ]
    for k, (kind, file, wind, push) in enumerate(ways):
        inputs = {"time": "gain", "air.wind_w": wind}
        outputs = {"site.nose.force_s": push, "show.size": "size"}
        air = {"wind": {"speed": 3.0, "from_deg": 270, "up": 1.0}}
        world = flapper({"kind": kind, "file": str(file), "inputs": inputs, "outputs": outputs}, name=f"w{k}", air=air)
        values = []
        for _ in range(2):
            world.step(1)
            names = world.assembly.parts[0].part.signals()[1]
            values.append({name: world.signal(f"w{k}.wing.{name}") for name in names})
        first, last = values
        assert first["size"] == 3.0 and last["size"] == pytest.approx(4.0)  # three ones; then 3 + 0 + 1 of the wind
        name = "push" if isinstance(push, str) else "push[1]"
        assert first[name] == pytest.approx(2.0 * 1.5 * 3.0)


def test_a_library_that_does_not_fit_says_so(flapper, built, tmp_path):
    part = {"kind": "c", "file": str(built["c"]), **ENDS}
    refuse(flapper, part, "nothing feeds the variable 'air' of the model; it needs air, density")
    refuse(flapper, {**part, "file": "gone.so"}, r"there is no .*gone\.so; shared libraries there: none")
    text = tmp_path / "text.so"
    text.write_text("no library")
    refuse(flapper, {**part, "file": str(text)}, "is not a shared library for this machine")
    source = tmp_path / "empty.c"
    source.write_text("int nothing;")
    empty = compile_library([source], tmp_path / "empty.so")
    refuse(flapper, {**part, "file": str(empty)}, "lacks a function: .*cupola_names")
    refuse(flapper, {**part, "parameters": {"mass": 1.0}}, "has no 'mass'; it has: stiffness, damping")


def test_a_compiler_that_refuses_or_is_missing_says_so(tmp_path, monkeypatch):
    source = tmp_path / "wrong.c"
    source.write_text("int cupola_step(")
    with pytest.raises(InputError, match=r"wrong\.c.*error"):
        compile_library([source], tmp_path / "wrong.so")
    monkeypatch.setenv("CC", "no-such-compiler")
    with pytest.raises(InputError, match="no C compiler 'no-such-compiler'"):
        compile_library([source], tmp_path / "wrong.so")


def test_a_library_compiled_anew_is_loaded_anew(flapper, tmp_path):
    source, file = tmp_path / "gain.c", tmp_path / "gain.so"
    text = """
    const char *cupola_names(int which) { return which == 1 ? "torque" : ""; }
    int cupola_step(const double *i, double *out, double *s, const double *p, double t, double dt)
    { out[0] = GAIN; return 0; }
    """
    for gain in ("0.25", "0.5"):
        source.write_text(text.replace("GAIN", gain))
        compile_library([source], file)
        world = flapper({"kind": "c", "file": str(file), "outputs": ENDS["outputs"]}, name=f"g{gain[2:]}")
        world.step(1)
        assert world.data.qfrc_applied[0] == float(gain)


def test_the_packed_fmus_are_as_the_standard_wants_them(built):
    from fmpy.validation import validate_fmu

    for version in (2, 3):
        assert validate_fmu(str(built[f"fmi{version}"])) == []


def test_small_faults_of_a_description_are_told_and_let_pass(flapper, built, tmp_path, caplog):
    file = changed(built["fmi2"], tmp_path / "odd.fmu", text=[("<CoSimulation ", '<CoSimulation oddity="1" ')])
    flapper({"kind": "fmu", "file": str(file), **ENDS}).step(10)
    assert "odd.fmu" in caplog.text and "oddity" in caplog.text


def test_without_fmpy_one_is_told_what_to_install(flapper, built, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "fmpy", None)
    refuse(flapper, {"kind": "fmu", "file": str(built["fmi2"])}, r"pip install 'cupola\[fmi\]'")


def test_nothing_is_left_behind(flapper, built, tmp_path, monkeypatch):
    import gc
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temp"))
    (tmp_path / "temp").mkdir()
    world = flapper({"kind": "fmu", "file": str(built["fmi2"]), **ENDS})
    assert list((tmp_path / "temp").iterdir())
    del world
    gc.collect()
    assert not list((tmp_path / "temp").iterdir())
    assert shutil.which("cc")  # what these tests need
