"""Writes the page "Python": every public name of `cupola`, from its docstrings, at the place of `{{ api }}`."""

import cupola

GROUPS = {
    "Run": ("load", "World", "batch"),
    "Analyse": ("equilibrium", "periodic_orbit", "linearize"),
    "Learn": ("env", "envs", "parallel_env"),
    "Record": ("WorldRecorder", "Recording", "Recorder"),
    "Describe": ("Scenario", "Vehicle"),
    "Extend": ("Controller", "parameter", "Load", "Actuator", "Sensor", "External", "Arrow"),
    "Values": ("Observation", "Reference", "Vector", "Wrench"),
    "Errors": ("InputError", "SimulationError", "RecordingError"),
}
OPTIONS = {"Describe": "\n    options:\n      show_if_no_docstring: true"}
"""What can be written in files is described in its fields."""


def on_page_markdown(markdown: str, **_: object) -> str:
    """Called by MkDocs for each page."""
    return markdown.replace("{{ api }}", body()) if "{{ api }}" in markdown else markdown


def body() -> str:
    """A heading for each group, and below it what mkdocstrings turns into the reference of each name."""
    grouped = sorted(name for names in GROUPS.values() for name in names)
    if grouped != cupola.__all__:
        raise ValueError(f"docs/hooks/api_page.py lists {grouped}, but the public names are {cupola.__all__}")
    # A name is found where it is written: `cupola` itself hands it out without importing anything before.
    homes = cupola._HOME
    return "\n\n".join(
        "\n\n".join([f"## {group}", *(f"::: {homes[name]}.{name}{OPTIONS.get(group, '')}" for name in names)])
        for group, names in GROUPS.items()
    )
