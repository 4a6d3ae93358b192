"""Every party that can refuse a write, each made to do so, and whom the portal names then (guarantee R5).

A room says what it writes and how somebody does that (`test_refusers.py` in its folder). In every run each write meets one of
the refusers, and all of them in `make moods`; what was done is taken back after each. What the platform answers is made by the
sandbox.
"""

import html
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.cache import caches
from django.db import transaction
from django.test import Client
from django.utils.html import strip_tags

from portal.platform_api.reference import DEFINITIONS
from portal.platform_writes.bulk import Bulk, due_runs
from portal.tenants.models import Membership, Role
from tests.support.calls import use_up_all
from tests.support.members import set_role

type Sent = tuple[str, dict[str, Any]]
"""An address, and what a form sends to it."""

PLATFORM, UNREADABLE, LIMIT, ROLE = "the platform", "an unreadable answer", "the portal's own limit", "a missing role"
SAYS = {
    PLATFORM: "The platform rejected this",
    UNREADABLE: "answer could not be read",
    LIMIT: "The portal has reached its own call limit",
    ROLE: "You need the",
}
REFUSERS = (*SAYS,)
ROLE_LOST = "no longer has the role"
"""Of work that was asked for by somebody who had the role then."""
UNCERTAIN = (
    *("We could not confirm it", "we could not confirm it", "It may have arrived", "Being checked", "Not confirmed"),
    "It may have been sent",
)
"""What may be said instead where the platform may have done it: looking is under way, and nobody is blamed."""
ALSO_SAYS = {UNREADABLE: UNCERTAIN, ROLE: (ROLE_LOST,)}
PAGE = "right back"
"""Of the page that the sandbox answers with in place of its API."""

DEFINITION_OF = {definition.name: definition for definition in DEFINITIONS}
PLACEHOLDER = re.compile(r"{\w+}")


@dataclass(frozen=True)
class Scene:
    """Who does it, and where."""

    client: Client
    sandbox: Any
    desk: Any
    """The room's own, with a copy of what the platform has."""
    member: Membership


@dataclass(frozen=True)
class Write:
    """One call that changes something on the platform, and how somebody comes to make it."""

    call: str
    """By its name in the client's reference."""
    prepare: Callable[[Scene], Callable[[], str]]
    """Have everything there that comes before it; return what makes it, and returns the words that people read then."""


def words(answer: Any) -> str:
    """What a page says."""
    return " ".join(html.unescape(strip_tags(answer.content.decode())).split())


def opened(client: Client, page: str, /, **typed: Any) -> Sent:
    """Open the page of a form; return what it sends when these fields are changed."""
    form = client.get(page).context["form"]
    held = {field.name: "on" if field.value() is True else field.value() for field in form}
    return page, {name: value for name, value in held.items() if value not in (None, False)} | typed


def press(call: str, fill: Callable[[Scene], Sent]) -> Write:
    """Make it a form that is sent. `fill` returns what and where to; the page behind it is read."""

    def prepare(scene: Scene) -> Callable[[], str]:
        address, sent = fill(scene)
        return lambda: words(scene.client.post(address, sent, follow=True))

    return Write(call, prepare)


def turn(call: str, begin: Callable[[Scene], object], *, of: Bulk, task: Callable[[int, int], object]) -> Write:
    """Make it one turn of a worker at a run with one item; what stands in the row is read."""

    def prepare(scene: Scene) -> Callable[[], str]:
        begin(scene)

        def work() -> str:
            for tenant_id, run_id in due_runs(of):
                task(tenant_id, run_id)
            run = of.all_runs().order_by("-pk")[0]
            return f"{of.items_of(run).get().description} {run.wait_description}"

        return work

    return Write(call, prepare)


def wrongly_named(scene: Scene, writes: Mapping[str, Write], *, is_whole: bool = False) -> list[str]:
    """Have each write meet a refuser, these by turns, or every one of them; return what was said or sent wrongly."""
    wrong = []
    for place, (name, write) in enumerate(writes.items()):
        for refuser in REFUSERS if is_whole else REFUSERS[place % len(REFUSERS) :][:1]:
            with transaction.atomic():
                wrong += [f"{name}, {refuser}: {problem}" for problem in _problems(scene, write, refuser)]
                transaction.set_rollback(True)
            scene.sandbox.control("DELETE", "/faults")
            # Two pages may have the same version and other words: what was told between them is taken back.
            caches["pages"].clear()
    return wrong


def _problems(scene: Scene, write: Write, refuser: str) -> Iterator[str]:
    go = write.prepare(scene)
    before = _seen(scene, write.call)
    _refuse(scene, write.call, refuser)
    said, is_asked = go(), refuser in (PLATFORM, UNREADABLE)
    if (_seen(scene, write.call) > before) is not is_asked:
        yield f"{write.call} was {'not ' if is_asked else ''}sent"
    if PAGE in said:
        yield "shows the words of a page"
    if blamed := [other for other, sentence in SAYS.items() if other != refuser and sentence in said]:
        yield f"blames {', '.join(blamed)}"
    if not any(sentence in said for sentence in (SAYS[refuser], *ALSO_SAYS.get(refuser, ()))):
        yield f"does not say it: {said[:400]} … {said[-200:]}"


def _refuse(scene: Scene, call: str, refuser: str) -> None:
    definition = DEFINITION_OF[call]
    fault = {"method": definition.method, "path": PLACEHOLDER.sub("*", definition.path)}
    if refuser == PLATFORM:
        scene.sandbox.fail("status", value=422, **fault)
    elif refuser == UNREADABLE:
        scene.sandbox.fail("html", **fault)
    elif refuser == LIMIT:
        use_up_all()
    else:
        set_role(Role.VIEWER, pk=scene.member.pk)


def _seen(scene: Scene, call: str) -> int:
    """Count how often the platform was asked for this."""
    return sum(call in calls_of(each["method"], each["path"]) for each in scene.sandbox.requests())


PATTERNS = [
    (definition.method, re.compile(PLACEHOLDER.sub("[^/]+", definition.path)), definition.name)
    for definition in DEFINITIONS
    if definition.method != "GET"
]


def calls_of(method: str, path: str) -> set[str]:
    """Return the names of the changing calls that go to a path."""
    asked = path.removeprefix("/v1")
    return {name for verb, pattern, name in PATTERNS if verb == method and pattern.fullmatch(asked)}
