"""What may stand on no page, whatever state the copy is in: a program's words, ids for names, links to nowhere."""

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import Resolver404, resolve

from tests.contrary.house import House, body_of
from tests.contrary.page_content import Reader, read
from tests.contrary.platform import CANARY
from tests.contrary.platform.hostile import EVALUATED

PYTHON: Final = re.compile(r"Traceback|NoneType|object at 0x|\b\w+Error\b|\bnan\b|\bNone,|\(None|\\u[0-9a-f]{4}")
OWN_ID: Final = re.compile(r"Id on the platform \S+")
"""The one place where an id is told as what it is."""
TECHNICAL: Final = ("/settings/", "/inbox/", "/audit/")
"""Pages for whoever looks for the cause of something: ids may stand there."""


def route_of(path: str) -> str:
    try:
        return resolve(path).route
    except Resolver404:
        return ""


def telling_ids(house: House) -> list[str]:
    """Return the ids of the platform's objects that cannot be words of the portal's own."""
    every = {object_id for kind in house.platform.world.kinds.values() for object_id in kind}
    return sorted(each for each in every if len(each) > 4 and not each.isalpha())


def faults_of(house: House, address: str, ids: Iterable[str]) -> list[str]:
    """Open a page and say what is wrong with it."""
    answer = house.get(address)
    if answer.status_code >= 400:
        return [f"{address}: {answer.status_code}"]
    if answer.status_code >= 300:
        return []
    content = body_of(answer)
    found = ["shows the platform's page"] if CANARY.encode() in content else []
    if answer["Content-Type"].startswith("text/html"):
        found += said_wrong(read(content), address, ids)
    return [f"{address}: {each}" for each in found]


def said_wrong(reader: Reader, address: str, ids: Iterable[str]) -> list[str]:
    """Say what a page must not say, and where it leads that is nowhere."""
    found = [f"<{tag} {name}=''>" for tag, name, value in reader.leads if value == ""]
    found += [f"leads nowhere: {value}" for _, _, value in reader.leads if is_nowhere(value)]
    found += [f"runs {each}" for each in reader.alive]
    text = OWN_ID.sub("", reader.text)
    found += [f"has worked out {around(text, EVALUATED)!r}"] if EVALUATED in text else []
    found += [f"says {around(text, match[0])!r}" for match in PYTHON.finditer(text)]
    if not any(part in urlsplit(address).path for part in TECHNICAL):
        found += [f"shows the id {each[:40]!r}: {around(text, each)!r}" for each in ids if each in text]
    return found


def is_nowhere(address: str) -> bool:
    """Say whether an address of the portal leads to no page. What others have at theirs is not for us to say."""
    host, path = urlsplit(address)[1:3]
    if host not in ("", urlsplit(settings.PUBLIC_URL).netloc):
        return False
    return path.startswith("/") and not path.startswith("/static/") and not route_of(path) and path != "/"


def around(text: str, part: str) -> str:
    at = text.index(part)
    return text[max(0, at - 50) : at + min(len(part), 30) + 30]
