"""Every published figure we claim, beside ours: each row is measured by the code that flies, none is written down.

A group is one module or a few; a row that needs a data file reads it from the folder in `CUPOLA_DATA`.
"""

from collections.abc import Callable, Iterable
from typing import Any

from cupola.reproduce import rigid_body, standard_atmosphere
from cupola.reproduce.cepheus import capture as cepheus_capture
from cupola.reproduce.cepheus import capture_map as cepheus_capture_map
from cupola.reproduce.cepheus import closed_forms as cepheus_closed_forms
from cupola.reproduce.cepheus import contact as cepheus_contact
from cupola.reproduce.cepheus import force_sensor as cepheus_force_sensor
from cupola.reproduce.cepheus import hardware as cepheus_hardware
from cupola.reproduce.cepheus import momentum as cepheus_momentum
from cupola.reproduce.cepheus import sensors as cepheus_sensors
from cupola.reproduce.hangar import accelerations as hangar_accelerations
from cupola.reproduce.hangar import engines as hangar_engines
from cupola.reproduce.hangar import minutes as hangar_minutes
from cupola.reproduce.hangar import steps as hangar_steps
from cupola.reproduce.last_letter import motors as last_letter_motors
from cupola.reproduce.last_letter import vehicles as last_letter_vehicles
from cupola.reproduce.last_letter import wings as last_letter_wings
from cupola.reproduce.mavsim import check_values as mavsim_check_values
from cupola.reproduce.mavsim import linear as mavsim_linear
from cupola.reproduce.morphing import beat as morphing_beat
from cupola.reproduce.morphing import cessna as morphing_cessna
from cupola.reproduce.morphing import coupling as morphing_coupling
from cupola.reproduce.morphing import curves as morphing_curves
from cupola.reproduce.morphing import envelope as morphing_envelope
from cupola.reproduce.morphing import flapper as morphing_flapper
from cupola.reproduce.morphing import gull as morphing_gull
from cupola.reproduce.morphing import lattice as morphing_lattice
from cupola.reproduce.morphing import liftdrag as morphing_liftdrag
from cupola.reproduce.morphing import pitching as morphing_pitching
from cupola.reproduce.morphing import ports as morphing_ports
from cupola.reproduce.morphing import range as morphing_range
from cupola.reproduce.morphing import strips as morphing_strips
from cupola.reproduce.morphing import theory as morphing_theory
from cupola.reproduce.morphing import yeo as morphing_yeo
from cupola.reproduce.nanobench import prediction as nanobench_prediction
from cupola.reproduce.nesc import check_cases as nesc_check_cases
from cupola.reproduce.nesc import f16 as nesc_f16
from cupola.reproduce.omni import detail as omni_detail
from cupola.reproduce.omni import experiments as omni_experiments
from cupola.reproduce.omni import inertial as omni_inertial
from cupola.reproduce.omni import room as omni_room
from cupola.reproduce.omni import square as omni_square
from cupola.reproduce.row import Row
from cupola.schema.yaml_files import InputError

GROUPS: dict[str, tuple[Callable[[bool], Iterable[Row]], ...]] = {
    "last_letter": (last_letter_wings.rows, last_letter_motors.rows, last_letter_vehicles.rows),
    "atmosphere": (standard_atmosphere.rows,),
    "rigid_body": (rigid_body.rows,),
    "mavsim": (mavsim_check_values.rows, mavsim_linear.rows),
    "nesc": (nesc_check_cases.rows, nesc_f16.rows),
    "hangar": (hangar_accelerations.rows, hangar_engines.rows, hangar_steps.rows, hangar_minutes.rows),
    "nanobench": (nanobench_prediction.rows,),
    "morphing": (
        morphing_liftdrag.rows,
        morphing_cessna.rows,
        morphing_theory.rows,
        morphing_strips.rows,
        morphing_curves.rows,
        morphing_pitching.rows,
        morphing_coupling.rows,
        morphing_ports.rows,
        morphing_beat.rows,
        morphing_gull.rows,
        morphing_lattice.rows,
        morphing_yeo.rows,
        morphing_flapper.rows,
        morphing_range.rows,
        morphing_envelope.rows,
    ),
    "omni": (omni_square.rows, omni_experiments.rows, omni_inertial.rows, omni_detail.rows, omni_room.rows),
    "cepheus": (
        cepheus_closed_forms.rows,
        cepheus_momentum.rows,
        cepheus_force_sensor.rows,
        cepheus_sensors.rows,
        cepheus_contact.rows,
        cepheus_hardware.rows,
        cepheus_capture.rows,
        cepheus_capture_map.rows,
    ),
}
"""Rows of each group; the argument says whether to run the long studies too."""


def run(names: list[str], full: bool = False, progress: Callable[[str], None] | None = None) -> list[dict[str, Any]]:
    """Rows of the named groups, of all when none is named. `progress` is told the id of each row as it is done."""
    unknown = [name for name in names if name not in GROUPS]
    if unknown:
        raise InputError(f"there is no group {', '.join(map(repr, unknown))} to reproduce; known: {', '.join(GROUPS)}")
    table = []
    for name in names or GROUPS:
        for rows in GROUPS[name]:
            for row in rows(full):
                table.append(row.as_dict())
                if progress:
                    progress(row.id)
    return table


__all__ = ["GROUPS", "run"]
