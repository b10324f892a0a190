"""`cupola identify` and `cupola tune`: parameters from a recording, and gains from many runs."""

from pathlib import Path
from typing import Any

import numpy as np

from cupola.cli.drawing import check_file
from cupola.cli.screen import bar, columns, listen, say, show_json, stdout, waiting
from cupola.fit.identify import Fit, identify
from cupola.fit.tune import Tuned, between, tune
from cupola.schema.whole_files import whole_file, write_whole
from cupola.sim.saving import as_yaml

UNITS = {"accelerometer": "m/s²", "gyroscope": "rad/s"}


def show_fit(file: Path, names: list[str], vehicle: str | None, window: float, hold_out: float, as_json: bool) -> None:
    """Fit, and print parameters with intervals and the prediction error on the held-out part."""
    listen()
    check_file(file)
    with waiting(f"fitting {len(names)} numbers to {file.name}"):
        found = identify(file, names, vehicle=vehicle, window=window, hold_out=hold_out)
    if as_json:
        show_json(
            {
                **found._asdict(),
                "numbers": [one._asdict() for one in found.numbers],
                "correlation": found.correlation.tolist(),
            }
        )
        return
    table = columns("number", "model", "fitted", "95 % interval", "factor")
    for one in found.numbers:
        table.add_row(
            one.name, f"{one.model:.6g}", f"{one.value:.6g}", f"{one.low:.6g} to {one.high:.6g}", f"{one.factor:.4f}"
        )
    stdout().print(table)
    _tell_alike(found)
    for what, unit in UNITS.items():
        held = f"{found.before[what]:.4g} {unit} with the model's numbers, {found.after[what]:.4g} with the fitted"
        say(f"{what}: noise {found.noise[what]:.4g} {unit}; in the part held out, rms {held}")


def _tell_alike(found: Fit) -> None:
    for i, one in enumerate(found.numbers):
        for j, other in enumerate(found.numbers[:i]):
            if abs(found.correlation[i, j]) > 0.9:
                both = f"{other.name} and {one.name}"
                say(f"{both} hang together ({found.correlation[i, j]:+.2f}), which makes their intervals wide")


def show_tuning(
    name: str,
    gains: list[str],
    measure: str,
    vary: list[str],
    worlds: int,
    rounds: int,
    duration: float | None,
    seed: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Tune, and write the scenario with the new gains and the figure before and after."""
    listen()
    ends, varied = dict(map(between, gains)), dict(map(between, vary))
    with bar(f"tuning {Path(name).stem}", rounds) as told:
        found = tune(
            name,
            ends,
            measure,
            vary=varied,
            worlds=worlds,
            rounds=rounds,
            duration=duration,
            seed=seed,
            told=lambda k, _: told(k),
        )
    folder = out or Path("out") / f"tune_{Path(name).stem}"
    write_whole(folder / "scenario.yaml", as_yaml(found.scenario).encode())
    picture = draw_tuning(found, folder / "tuning.svg")
    means = [float(np.nanmean(v)) for v in (found.values_before, found.values_after)]
    if as_json:
        told_values = {"values_before": found.values_before.tolist(), "values_after": found.values_after.tolist()}
        files = [folder / "scenario.yaml", picture]
        show_json({**found._asdict(), **told_values, "scenario": files[0], "files": files, "means": means})
        return
    table = columns("gain", "before", "after")
    for key, value in found.after.items():
        table.add_row(key, f"{found.before[key]:.5g}", f"{value:.5g}")
    stdout().print(table)
    lost = [int(np.isnan(values).sum()) for values in (found.values_before, found.values_after)]
    judged = f"mean {means[0]:.4g} before, {means[1]:.4g} after, in {worlds} worlds that the search has not seen"
    say(f"{measure}: {judged}; failed flights {lost[0]} before, {lost[1]} after; {found.flights} flights in all")
    if not found.better:
        say("the new gains are not better there: keep the old ones, or search longer and in more worlds")
    say(f"{folder / 'scenario.yaml'} flies them; {picture} shows both")


def draw_tuning(found: Tuned, path: Path) -> Path:
    """The measure in every world that was held out, before and after, and how the search went."""
    from matplotlib.figure import Figure

    figure = Figure((8.0, 3.4), layout="constrained")
    left, right = figure.subplots(1, 2)
    for values, name, color in ((found.values_before, "before", "#D55E00"), (found.values_after, "after", "#0072B2")):
        known: Any = np.sort(values[~np.isnan(values)])
        left.step(known, np.arange(1, len(known) + 1) / len(values), where="post", label=name, color=color)
    left.set_xlabel(found.measure)
    left.set_ylabel("share of worlds below")
    left.legend()
    right.plot(np.arange(1, len(found.history) + 1), found.history, color="#0072B2")
    right.set_xlabel("round")
    right.set_ylabel(f"best mean of {found.measure}")
    with whole_file(path) as new:
        figure.savefig(new.file, format="svg")
    return path
