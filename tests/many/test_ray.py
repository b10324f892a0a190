"""A study on a Ray cluster of two nodes on this machine, one of which is killed while it works."""

import threading
import time

import pytest
from pyarrow import parquet

from cupola import InputError
from cupola.many.study import Study
from cupola.many.sweep import sweep
from cupola.many.workers import cluster, processes
from cupola.schema.yaml_files import parse

ray = pytest.importorskip("ray", reason="ray is not installed: pip install 'cupola[ray]'")
SCENARIO = """
duration: 0.1
vehicles: [{model: crazyflie, position: [0, 0, 1]}]
measures: {highest: max(crazyflie.position.z), speed: final(crazyflie.speed)}
"""
STUDY = """
scenario: hop.yaml
method: sobol
samples: 40
numbers: {crazyflie.base.mass: {values: [1.0e-9, 0.02, 0.03, 0.04]}}
"""


@pytest.fixture
def nodes(monkeypatch):
    """The address of a cluster, and its second node."""
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    node = {"num_cpus": 1, "include_dashboard": False, "object_store_memory": 80_000_000}
    made = Cluster(initialize_head=True, head_node_args=node)
    yield made, made.add_node(num_cpus=1, object_store_memory=80_000_000)
    ray.shutdown()
    made.shutdown()


def test_a_node_killed_amid_a_study_loses_nothing_and_doubles_nothing(nodes, tmp_path):
    made, doomed = nodes
    (tmp_path / "hop.yaml").write_text(SCENARIO)
    begun, second = tmp_path / "begun", doomed.node_id
    begun.mkdir()

    def killed_halfway(job, first, rows):
        """On the second node half a portion and no further; on the first not before the second has begun."""
        here = ray.get_runtime_context().get_node_id()
        (begun / f"{first}_{here}").touch()
        if here == second:
            job(first, rows[: len(rows) // 2])
            (tmp_path / "halfway").touch()
            time.sleep(1e6)
        while not (tmp_path / "halfway").exists():
            time.sleep(0.02)
        return job(first, rows)

    def workers(job, portions):
        return cluster(made.address)(lambda first, rows: killed_halfway(job, first, rows), portions)

    def kill():
        while not (tmp_path / "halfway").exists():
            time.sleep(0.02)
        made.remove_node(doomed, allow_graceful=False)

    threading.Thread(target=kill, daemon=True).start()
    study, file = parse(STUDY, "study", Study), tmp_path / "study.yaml"
    there = sweep(study, tmp_path / "there", file, workers)
    here = sweep(study, tmp_path / "here", file, processes(1))
    lost = [one.name for one in begun.iterdir() if one.name.endswith(second)]
    assert lost and len(list(begun.iterdir())) == 5 + len(lost)  # what the node had begun was begun again
    found, wanted = parquet.read_table(there), parquet.read_table(here)
    assert found.equals(wanted)  # to the bit
    assert found["run"].to_pylist() == list(range(40))
    stopped = {one.name for one in (tmp_path / "here" / "stopped").iterdir()}
    assert stopped and stopped == {one.name for one in (tmp_path / "there" / "stopped").iterdir()}


@pytest.mark.parametrize(("address", "said"), [("127.0.0.1:1", "there is no Ray cluster"), ("head", "is HOST:PORT")])
def test_a_cluster_that_is_not_there_is_said(tmp_path, address, said):
    (tmp_path / "hop.yaml").write_text(SCENARIO)
    with pytest.raises(InputError, match=said):
        sweep(parse(STUDY, "study", Study), tmp_path, tmp_path / "study.yaml", cluster(address))
