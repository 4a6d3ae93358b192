"""Q11, Q12: what may come from the platform, on every kind that a desk mirrors. One world, one list of oddities."""

from dataclasses import dataclass, replace
from typing import Any

import pytest
from django.conf import settings
from django.db import models
from django.utils import timezone

from portal.access_requests.models import AccessRequest, Viewer
from portal.accounts.models import Account
from portal.connections import http
from portal.connections.models import CallWindow
from portal.connections.services import Urgency, client_for
from portal.contracts.models import Contract
from portal.controls.kinds import DEACTIVATED_CONTROL, EVIDENCE, REQUIREMENTS, TEST
from portal.controls.kinds import FRAMEWORK as COMPANY_FRAMEWORK
from portal.documents.kinds import ACCOUNT_USER, DETAILS
from portal.documents.kinds import EVIDENCE as DOCUMENT_EVIDENCE
from portal.documents.models import Document
from portal.engagements.kinds import CONTROL as AUDIT_CONTROL
from portal.engagements.kinds import ENGAGEMENT, ORGANIZATION, REQUEST
from portal.engagements.kinds import EVIDENCE as AUDIT_EVIDENCE
from portal.engagements.kinds import PARTS as ENGAGEMENT_PARTS
from portal.event_log.models import LOG_ENTRY
from portal.inbox.routes import MIRRORS
from portal.library.kinds import ANSWER, KNOWLEDGE_RESOURCE, KNOWLEDGE_TEXT
from portal.people.kinds import IDP_GROUP
from portal.people.models import Group, Person
from portal.questionnaires.models import Questionnaire, Response
from portal.questionnaires.services.labels import LABELS
from portal.questionnaires.services.owners import OWNERS
from portal.risks.kinds import ISSUE_OWNER, RISK_CONTROLS
from portal.risks.models import Issue, RiskScenario
from portal.sync.mirrors import Mirror
from portal.sync.models import Run, RunState, StaleMark
from portal.sync.services import TRUST_CENTER, Result, drain, mark_stale, reconcile, start_reconcile
from portal.tags.models import CATEGORY, CONTEXT, TAGS
from portal.trust_center.kinds import (
    CONTROL,
    CONTROL_CATEGORY,
    FAQ_CATEGORY,
    FRAMEWORK,
    SHOWN_CONTROL,
    SUBPROCESSOR,
    SUBSCRIBER_GROUP,
    TRUST_CENTER_SETTINGS,
)
from portal.trust_center.models import Faq, Resource, Subscriber, Update
from portal.trust_center_activity.models import ACTIVITY, CONVERSATION, MESSAGES
from portal.vendors.kinds import LABELS as VENDOR_LABELS
from portal.vendors.kinds import PARTS as VENDOR_PARTS
from portal.vendors.models import Vendor
from tests.conftest import SandboxHandle
from tests.inbox.changed_answers import Tampering, on_each
from tests.support.kept import after
from tests.support.mirrors import FOR_DESKS
from tests.sync.desk import two_minutes_pass

pytestmark = pytest.mark.once

type Json = dict[str, Any]

LATER, UNHEARD = "2099-01-01T00:00:00.000Z", "NEVER_HEARD_OF"
MODELS: dict[str, tuple[type[models.Model], str]] = {
    "questionnaire": (Questionnaire, "questionnaires"),
    "responses": (Response, "responses"),
    "resource": (Resource, "resources"),
    "faq": (Faq, "faqs"),
    "access_request": (AccessRequest, "access-requests"),
    "viewer": (Viewer, "viewers"),
    "contract": (Contract, "contracts"),
    "account": (Account, "accounts"),
    "person": (Person, "people"),
    "group": (Group, "groups"),
    "document": (Document, "documents"),
    "vendor": (Vendor, "vendors"),
    "update": (Update, "updates"),
    "subscriber": (Subscriber, "subscribers"),
    "issue": (Issue, "issues"),
    "risk_scenario": (RiskScenario, "risk-scenarios"),
}
"""Kind -> the rows, and what the sandbox calls the objects."""
LISTED = [mirror.kind for mirror in MIRRORS if mirror.page]
WITH_CURSORS = [kind for kind in MODELS if kind not in ("resource", "faq")]
"""The others come in one piece."""
PAGED = [kind for kind in WITH_CURSORS if kind != "responses"]
"""Responses have pages as well, and are read from the first to the last within one fetch."""
PAGES = {
    "questionnaires/?stage=all": {"questionnaire", "responses"},
    "access-requests/?tab=all": {"access_request", "resource"},
    "access-requests/viewers/?tab=all": {"viewer", "resource"},
    "trust-center/resources/": {"resource"},
    "trust-center/faqs/": {"faq"},
    "trust-center/updates/": {"update"},
    "trust-center/subscribers/": {"subscriber"},
    "contracts/": {"contract"},
    "people/": {"person"},
    "people/groups/": {"group"},
    "documents/": {"document"},
    "vendors/": {"vendor"},
    "issues/?tab=all": {"issue"},
    "risk-scenarios/?tab=all": {"risk_scenario"},
    "customers/": {"account", "access_request", "contract", "questionnaire", "viewer"},
    "settings/connection/": {*MODELS},
}
"""The lists, and the kinds whose objects they show."""


@dataclass
class Kept:
    """One kind, an object of it that is mirrored, and the platform behind the tampering."""

    kind: str
    tampering: Tampering
    sandbox: Any
    tenant_id: str

    @property
    def mirror(self) -> Mirror:
        return next(mirror for mirror in MIRRORS if mirror.kind == self.kind)

    @property
    def model(self) -> type[models.Model]:
        return MODELS[self.kind][0]

    def __post_init__(self) -> None:
        self.row = self.model.objects.order_by("pk")[0]
        self.object_id = self.row.questionnaire.platform_id if self.kind == "responses" else self.row.platform_id

    def fetch(self, mirror: Mirror | None = None) -> Result:
        mark_stale(self.kind, self.object_id)
        CallWindow.objects.all().delete()
        outcomes = drain([mirror or self.mirror], client_for(Urgency.PERSON))
        return next(each.result for each in outcomes if each.kind == self.kind)

    def fetch_twice(self) -> Result:
        """Look once, and again two minutes later: what is missing counts as gone only then."""
        assert self.fetch() == Result.WAITING
        two_minutes_pass()
        return self.fetch()

    def compare(self) -> Run:
        Run.objects.filter(kind=self.kind).update(next_due_at=timezone.now())
        CallWindow.objects.all().delete()
        reconcile([self.mirror], client_for(Urgency.PERSON), seconds=60)
        return Run.objects.get(kind=self.kind)

    def pages(self) -> list[str]:
        """Return the lists that show objects of the kind."""
        return [page for page, kinds in PAGES.items() if self.kind in kinds]

    def now(self) -> Any:
        return self.model.objects.get(pk=self.row.pk)

    def take_away(self) -> Json:
        """Delete the object there; return what puts it back."""
        usual = "questionnaires" if self.kind == "responses" else MODELS[self.kind][1]
        for kind in (usual, "historical-access-requests"):
            found = self.sandbox.objects.get(self.tenant_id, kind, self.object_id)
            if found is not None:
                self.sandbox.objects.delete(self.tenant_id, kind, self.object_id)
                return {"kind": kind, "body": found}
        raise AssertionError("it is not there")


def copied(handle: SandboxHandle, tenant: str) -> None:
    """Bring everything of these kinds here, as the first comparison does."""
    mirrors = [mirror for mirror in FOR_DESKS if mirror.kind in MODELS]
    start_reconcile(mirrors)
    assert reconcile(mirrors, client_for(Urgency.PERSON), seconds=60)
    drain(mirrors, client_for(Urgency.PERSON))
    StaleMark.objects.all().delete()
    CallWindow.objects.all().delete()


@pytest.fixture(params=MODELS)
@after(copied)
def kept(request, connected, scoped, sandbox, platform_tenant) -> Kept:
    tampering = Tampering(http.MOUNTS[settings.PLATFORM_API_URL])
    http.MOUNTS[settings.PLATFORM_API_URL] = tampering
    return Kept(request.param, tampering, sandbox.app.extensions["sandbox"], platform_tenant["tenant_id"])


def test_every_kind_is_looked_at_here():
    # The others have no rows with a payload of their own: tests/questionnaires look at the people, and at the names. What
    # visitors do and ask, and the event log, is only added to: their own tests look at that. Of tag categories the tags and
    # the contexts are read in other calls than the list: tests/tags look at them.
    others = {TRUST_CENTER, OWNERS, LABELS, ACTIVITY, CONVERSATION, MESSAGES, CATEGORY, TAGS, CONTEXT, LOG_ENTRY}
    # Read by the same functions as documents and FAQs; tests/trust_center look at them.
    others |= {
        TRUST_CENTER_SETTINGS,
        FAQ_CATEGORY,
        SUBPROCESSOR,
        FRAMEWORK,
        CONTROL,
        CONTROL_CATEGORY,
        SHOWN_CONTROL,
        SUBSCRIBER_GROUP,
    }
    # Read by the same functions as groups; tests/people look at them.
    others |= {IDP_GROUP}
    # Of documents the details are read by the same functions; files, links and names have no payload.
    others |= {DETAILS, DOCUMENT_EVIDENCE, ACCOUNT_USER}
    # What belongs to a vendor is read in several calls, and names are read for all of them at once: see tests/vendors.
    others |= {VENDOR_PARTS, VENDOR_LABELS}
    # Rows that keep no object of the platform, only what their pages show; tests/controls_desk and tests/risks look at them.
    others |= {DEACTIVATED_CONTROL, COMPANY_FRAMEWORK, TEST, REQUIREMENTS, EVIDENCE, ISSUE_OWNER, RISK_CONTROLS}
    # Details of documents are read by the same functions; files, links and names: tests/compliance_documents.
    others |= {DETAILS, EVIDENCE, ACCOUNT_USER}
    # Answers become entries like those that people write, and documents passages: tests/library look at them.
    others |= {ANSWER, KNOWLEDGE_RESOURCE, KNOWLEDGE_TEXT}
    # Of an audit firm's grant alone: tests/audits_desk.
    others |= {ENGAGEMENT, ENGAGEMENT_PARTS, ORGANIZATION, REQUEST, AUDIT_EVIDENCE, AUDIT_CONTROL}
    assert {mirror.kind for mirror in MIRRORS} == {*MODELS, *others}


@pytest.mark.parametrize("answer", [b"<html>Be right back</html>", b'{"results": {"da', b"", b"[]"], ids=repr)
def test_q12_an_answer_that_cannot_be_read_keeps_the_row_and_is_reported_once(kept, answer):
    kept.tampering.change = lambda decoded: answer
    assert kept.fetch() == Result.WAITING
    mark = StaleMark.objects.get(kind=kept.kind)
    assert mark.last_error.startswith("The platform's answer could not be read")
    assert mark.due_at > timezone.now()
    assert kept.now().payload == kept.row.payload
    if kept.mirror.page:
        run = kept.compare()
        assert (run.state, bool(run.error)) == (RunState.FAILED, True)
        assert kept.now().gone_at is None


def test_q12_new_fields_are_kept(kept):
    kept.tampering.change = on_each(lambda one: one.update(brandNew={"a": [1]}, updatedDate=LATER))
    assert kept.fetch() == Result.CHANGED
    assert kept.now().payload["brandNew"] == {"a": [1]}


def test_q12_unknown_values_are_shown_as_they_came(kept, client, alice):
    def change(one: Json) -> None:
        for name in ("status", "accessLevel", "outcome", "type", "originType"):
            if isinstance(one.get(name), str):
                one[name] = UNHEARD
        one["updatedDate"] = LATER

    kept.tampering.change = on_each(change)
    kept.fetch()
    if kept.mirror.page:
        assert kept.compare().state == RunState.DONE
    client.force_login(alice)
    shown = [client.get(f"/t/acme/{page}") for page in kept.pages()]
    assert {page.status_code for page in shown} == {200}
    if kept.kind in ("questionnaire", "access_request"):
        assert any(UNHEARD in page.content.decode() for page in shown)


def test_q12_missing_fields_keep_the_row_or_show_what_is_left(kept, client, alice):
    def strip(one: Json) -> None:
        # Of a risk scenario the riskId is the only id.
        for name in [name for name in one if name not in {"id", "riskId"}]:
            del one[name]

    before = kept.row.payload
    kept.tampering.change = on_each(strip)
    result = kept.fetch()
    if result == Result.WAITING:
        assert kept.now().payload == before
        assert StaleMark.objects.get(kind=kept.kind).last_error
    if kept.mirror.page:
        kept.compare()
    assert kept.now().gone_at is None
    client.force_login(alice)
    assert {client.get(f"/t/acme/{page}").status_code for page in kept.pages()} == {200}


@pytest.mark.parametrize("kept", WITH_CURSORS, indirect=True)
@pytest.mark.parametrize("info", [{"hasNextPage": True}, {"hasNextPage": True, "endCursor": None}], ids=repr)
def test_q12_a_list_that_goes_on_without_a_cursor_is_not_taken_for_the_whole(kept, info):
    def lose(answer: Any) -> Any:
        if isinstance(answer.get("results"), dict) and "pageInfo" in answer["results"]:
            answer["results"]["pageInfo"] = dict(info)
        return answer

    kept.tampering.change = lose
    if kept.mirror.page:
        run = kept.compare()
        assert (run.state, "cursor" in run.error) == (RunState.FAILED, True)
    else:
        assert kept.fetch() == Result.WAITING
    assert not kept.model.objects.exclude(gone_at=None).exists()


@pytest.mark.parametrize("kept", PAGED, indirect=True)
def test_q12_a_list_that_changes_while_it_is_paged_ends_equal_to_the_platform(kept):
    def lose_one(cursor: str) -> None:
        if cursor:
            kept.tampering.before_page = lambda cursor: None
            kept.take_away()

    kept.tampering.before_page = lose_one
    assert kept.compare().state == RunState.DONE
    kept.compare()
    for _ in range(2):  # what was not named is looked for twice
        two_minutes_pass()
        CallWindow.objects.all().delete()
        drain([kept.mirror], client_for(Urgency.PERSON))
    kept.compare()
    # Without a type the platform lists no enterprise risks (platform-api 4.9).
    every = kept.sandbox.objects.all(kept.tenant_id, MODELS[kept.kind][1])
    there = {one["id"] for one in every if one.get("type") != "Enterprise Risk"}
    if kept.kind == "access_request":
        there |= {one["id"] for one in kept.sandbox.objects.all(kept.tenant_id, "historical-access-requests")}
    assert set(kept.model.objects.filter(gone_at=None).values_list("platform_id", flat=True)) == there
    assert kept.now().gone_at


def test_q11_a_fetch_that_ends_late_does_not_overwrite_a_newer_one(kept):
    newer = replace(kept.mirror)

    def fetch_and_dawdle(client: Any, object_id: str) -> Any:
        answer = kept.mirror.fetch(client, object_id)
        # Meanwhile its lease runs out, the object changes, and another worker fetches and stores it.
        StaleMark.objects.update(lease_until=timezone.now())
        kept.tampering.change = on_each(lambda one: one.update(brandNew=True, updatedDate=LATER))
        assert kept.fetch(newer) == Result.CHANGED
        return answer

    assert kept.fetch(replace(kept.mirror, fetch=fetch_and_dawdle)) == Result.LOST
    assert kept.now().payload["brandNew"] is True


def test_q11_what_is_gone_is_kept_and_comes_back_with_its_history(kept):
    taken = kept.take_away()
    parent = Questionnaire.objects.filter(platform_id=kept.object_id)
    assert kept.fetch_twice() == Result.GONE
    assert (parent.get() if kept.kind == "responses" else kept.now()).gone_at
    assert kept.now().payload == kept.row.payload
    assert kept.fetch_twice() == Result.GONE  # once more says the same, and never that it was an example
    kept.sandbox.objects.add(kept.tenant_id, taken["kind"], taken["body"])
    if kept.kind == "responses":
        for response in Response.objects.filter(questionnaire=parent.get()):
            kept.sandbox.objects.add(kept.tenant_id, "responses", response.payload, parent_id=kept.object_id)
        mark_stale("questionnaire", kept.object_id)
        drain(MIRRORS, client_for(Urgency.PERSON))
        assert parent.get().gone_at is None
    else:
        assert kept.fetch() == Result.CHANGED
    assert kept.now().gone_at is None
    assert kept.now().pk == kept.row.pk
