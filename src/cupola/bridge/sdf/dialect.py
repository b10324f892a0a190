"""Which of the laws that share a name a plugin means: gazebo-classic's, PX4's or gz-sim's. Decided by origin.

The same file name, libLiftDragPlugin.so, is one law in gazebo-classic and another in PX4; so the plugins around it, and
elements that only one of them reads, decide.
"""

import re

from cupola.bridge.report import Report
from cupola.bridge.sdf.node import Node

CLASSIC, PX4, GZ = "gazebo-classic", "px4", "gz-sim"
DIALECTS = (CLASSIC, PX4, GZ)
GZ_NAME = re.compile(r"gz-sim|ignition-gazebo|gz::sim|ignition::gazebo")
PX4_NAME = re.compile(r"^(lib)?gazebo_(?!ros)\w+")
PX4_ELEMENTS = ("windSubTopic", "robotNamespace", "topic_name", "cm_delta", "ref_pt")
"""Which gazebo-classic's LiftDrag does not read."""


def names_of(node: Node) -> str:
    """File and name of a plugin in one text."""
    return f"{node.element.get('filename', '')} {node.name}"


class Origin:
    """The origin of a model, for each of its plugins."""

    def __init__(self, plugins: list[tuple[str, Node]], given: str | None, report: Report) -> None:
        self.given, self.report = given, report
        self.sign: str = next((f for _, node in plugins if PX4_NAME.match(f := node.element.get("filename", ""))), "")
        """A plugin that only PX4 has."""

    def of(self, node: Node) -> str:
        """The dialect of a plugin; what was concluded is listed."""
        found, why = self._decide(node)
        self.report.assume(f"law of {node.element.get('filename', '?')}", f"{found}'s, as {why}")
        return found

    def _decide(self, node: Node) -> tuple[str, str]:
        if self.given:
            return self.given, "--dialect says so"
        if GZ_NAME.search(names_of(node)):
            return GZ, "its name is that of gz-sim"
        if self.sign:
            return PX4, f"the model has {self.sign} of PX4"
        only = [tag for tag in PX4_ELEMENTS if node.element.find(tag) is not None]
        if only:
            return PX4, f"<{only[0]}> is read by PX4's alone"
        return CLASSIC, "nothing in the model is PX4's or gz-sim's"
