"""One file that shows a flight in any browser, from a disk, without a server: the page with its code and the flight.

The flight stands in the file as base64, so nothing in it can end a tag; the policy of the file allows the page's own
code only, by its hash, and no request at all.
"""

import base64
import hashlib
import logging
import re
import threading
from html import escape
from pathlib import Path

from cupola.cockpit import messages as say
from cupola.cockpit.built_page import find_page
from cupola.cockpit.flown import FlightData
from cupola.cockpit.link import Link
from cupola.schema.hostile_text import writable

SCRIPT = re.compile(r'<script type="module"[^>]*\ssrc="\./([^"]+)"[^>]*></script>')
STYLE = re.compile(r'<link rel="stylesheet"[^>]*\shref="\./([^"]+)"[^>]*>')
TITLE = re.compile("<title>.*</title>")
DATA = "flight"
"""Id of the element with the flight."""


log = logging.getLogger("cupola")


def answer_with(link: Link, asked: say.Share, flight: FlightData) -> None:
    """Hand a flight over to whoever asked for it; packing takes a second or two, in which the world goes on."""

    def pack() -> None:
        content = b""
        try:
            packed = asked.form == "data"
            content = flight.packed(asked.view) if packed else as_page(flight, find_page(), asked.view)
        except Exception as error:  # the one who asked must not wait for an answer that does not come
            log.error("the flight could not be shared: %s", error)
            link.tell(say.Notice(level="error", text=f"the flight could not be shared: {error}"))
        link.answer(asked.number, content)

    threading.Thread(target=pack, daemon=True).start()


def as_page(flight: FlightData, page: Path, view: str = "") -> bytes:
    """The built page with everything inside of it, and a flight."""
    text = (page / "index.html").read_text(encoding="utf-8")
    # In a string of JavaScript a backslash before these changes nothing; in HTML they would end the script.
    code = _only(SCRIPT, text, page).replace("</script", "<\\/script").replace("<!--", "<\\!--")
    style = _only(STYLE, text, page).replace("</style", "<\\/style")
    digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    data = base64.b64encode(flight.packed(view)).decode()
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}" />'
    text = text.replace("<head>", f"<head>\n    {head}", 1)
    text = TITLE.sub(lambda _: f"<title>{escape(writable(flight.hello.scenario))} · Cupola</title>", text, count=1)
    held = f'<script type="application/octet-stream" id="{DATA}">{data}</script>'
    text = text.replace("</body>", f"  {held}\n  </body>", 1)
    text = STYLE.sub(lambda _: f"<style>{style}</style>", text, count=1)
    return SCRIPT.sub(lambda _: f'<script type="module">{code}</script>', text, count=1).encode()


def _only(pattern: re.Pattern[str], text: str, page: Path) -> str:
    """The one file that a tag of the page names."""
    name: str
    (name,) = pattern.findall(text)
    return (page / name).read_text(encoding="utf-8").replace("\r\n", "\n")
