"""What belongs to one framework or one control: asked for by itself, and made into rows. Runs in the caller's transaction."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from portal.controls.kinds import EVIDENCE, REQUIREMENTS
from portal.controls.models import ControlOfRequirement, Evidence, Framework, Requirement, TestOfControl
from portal.controls.models.choices import MAX_NAME_LENGTH, MAX_WORD_LENGTH
from portal.controls.services.store import counted
from portal.lib.storable import storable
from portal.platform_api import Platform
from portal.platform_api.identifiers import is_identifier
from portal.platform_api.models import compliance as remote
from portal.platform_api.paging import Collected, collect_granted
from portal.sync.freshness import ask_for
from portal.trust_center.models import Control

EVIDENCE_READ_EVERY = timedelta(minutes=15)
"""Whoever opens a control sees evidence that is no older, or sees it come."""
REQUIREMENTS_READ_EVERY = timedelta(days=1)
"""A framework seldom changes; with another number of controls it is read at once."""
MAX_REQUIREMENTS = 5000


@dataclass(frozen=True)
class FetchedFramework:
    """One framework with its requirements, and when the platform was asked for it."""

    asked_at: datetime
    found: remote.Framework

    @property
    def id(self) -> str:
        return self.found.id


@dataclass(frozen=True)
class FetchedEvidence:
    """One control with its numbers and its tests, and when the platform was asked for them."""

    asked_at: datetime
    found: remote.Control
    tests: Collected[remote.Test]

    @property
    def id(self) -> str:
        return self.found.id


def fetch_requirements(client: Platform, framework_id: str) -> FetchedFramework:
    return FetchedFramework(timezone.now(), client.frameworks.get(framework_id))


def fetch_evidence(client: Platform, control_id: str) -> FetchedEvidence:
    asked_at, listed = timezone.now(), client.controls.tests
    found = client.controls.get(control_id)
    return FetchedEvidence(asked_at, found, collect_granted(lambda cursor: listed.page(cursor, control_id)))


def ask_for_requirements(framework: Framework) -> None:
    """Have the requirements of a framework read when they are old, because somebody looks at them."""
    if framework.gone_at is None and framework.requirements_are_old(timezone.now() - REQUIREMENTS_READ_EVERY):
        ask_for(REQUIREMENTS, framework.platform_id)


def ask_for_evidence(control: Control, evidence: Evidence | None) -> None:
    """Have the evidence of a control read when it is old, because somebody looks at it."""
    if evidence is None or evidence.read_at < timezone.now() - EVIDENCE_READ_EVERY:
        ask_for(EVIDENCE, control.platform_id)


type Line = tuple[str, str, str, tuple[str, ...]]
"""Category, code and name of a requirement, and the ids of the controls that serve it."""


def store_requirements(fetched: FetchedFramework) -> bool:
    """Make the requirements of a framework equal to what was fetched; True when they changed, or came for the first time."""
    row = Framework.objects.select_for_update().filter(platform_id=fetched.id).first()
    if row is None or not row.requirements_are_old(fetched.asked_at):
        return False
    wanted = list(lines_of(fetched.found))
    is_changed = row.requirements_read_at is None or wanted != lines_stored(row)
    row.requirements_read_at, row.requirements_read_for = fetched.asked_at, counted(fetched.found.num_controls_total)
    row.save(update_fields=["requirements_read_at", "requirements_read_for"])
    if is_changed:
        row.requirements.all().delete()
        made = [
            Requirement(framework=row, position=position, category=category, code=code, name=name)
            for position, (category, code, name, _) in enumerate(wanted)
        ]
        rows = Requirement.objects.bulk_create(made, batch_size=200)
        pairs = [(requirement, each) for requirement, line in zip(rows, wanted, strict=True) for each in line[3]]
        links = [ControlOfRequirement(requirement=requirement, control_id=each) for requirement, each in pairs]
        ControlOfRequirement.objects.bulk_create(links, batch_size=200)
    return is_changed


def lines_of(found: remote.Framework) -> Iterator[Line]:
    """Read the requirements of a framework in their order; what cannot be read of them is left out."""
    number = 0
    for category in found.requirement_categories or ():
        said = storable(category)
        for each in said.get("requirements") or ():
            if not isinstance(each, dict) or number >= MAX_REQUIREMENTS:
                continue
            number += 1
            ids = [_id_of(control) for control in each.get("controls") or ()]
            yield (
                _text(said, "name"),
                _text(each, "shorthand") or _text(each, "id"),
                _text(each, "name"),
                tuple(sorted({one for one in ids if one})),
            )


def _text(said: dict[str, Any], key: str) -> str:
    return str(said.get(key) or "")[:MAX_NAME_LENGTH]


def _id_of(control: Any) -> str:
    found = control.get("id") if isinstance(control, dict) else None
    return found if isinstance(found, str) and is_identifier(found) else ""


def lines_stored(row: Framework) -> list[Line]:
    """Return the requirements of a framework as they stand in the rows."""
    return [
        (each.category, each.code, each.name, tuple(sorted(link.control_id for link in each.controls.all())))
        for each in row.requirements.prefetch_related("controls")
    ]


def store_evidence(fetched: FetchedEvidence) -> bool:
    """Make the evidence of a control equal to what was fetched; True when it changed, or came for the first time."""
    found = remote.Control.read(storable(fetched.found.raw))
    columns = {
        "status": (found.status or "")[:MAX_WORD_LENGTH],
        "documents_passing": counted(found.num_documents_passing),
        "documents_total": counted(found.num_documents_total),
        "tests_passing": counted(found.num_tests_passing),
        "tests_total": counted(found.num_tests_total),
    }
    before = Evidence.objects.select_for_update().filter(control_id=found.id).first()
    if before and before.read_at >= fetched.asked_at:
        return False
    is_changed = before is None or {name: getattr(before, name) for name in columns} != columns
    values = {**columns, "read_at": fetched.asked_at}
    row, _ = Evidence.objects.update_or_create(control_id=found.id, defaults=values)
    return _store_tests(row, fetched.tests) or is_changed


def _store_tests(row: Evidence, fetched: Collected[remote.Test]) -> bool:
    """Note which tests prove a control; True when that changed. What could not be read may well be there."""
    wanted = {each.id for each in fetched.items}
    known = set(row.tests.values_list("test_id", flat=True))
    gone = known - wanted if not fetched.problem else set()
    row.tests.filter(test_id__in=gone).delete()
    TestOfControl.objects.bulk_create([TestOfControl(evidence=row, test_id=each) for each in sorted(wanted - known)])
    return bool(gone or wanted - known)


def forget_evidence(control_id: str) -> bool:
    """The platform has no such control in use any more; True when there was something to forget."""
    number, _ = Evidence.objects.filter(control_id=control_id).delete()
    return bool(number)
