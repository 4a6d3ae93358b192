"""How often pages ask the database: the same with no row and with many, and never more than stands here."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from portal.access_requests.models import AccessRequest, Viewer
from portal.accounts.models import Account
from portal.connections.models import Connection
from portal.contracts.models import Contract
from portal.controls.models import Framework, Test
from portal.documents.models import Document
from portal.lib.page_cache import cache
from portal.people.models import Group, Person
from portal.questionnaires.models import Questionnaire
from portal.risks.models import Issue, RiskScenario
from portal.sandbox.limits import DEFAULTS
from portal.tenants.scope import tenant_scope
from portal.trust_center.models import Control
from portal.vendors.models import Vendor
from tests.conftest import connect
from tests.support.comparisons import compare_whole
from tests.support.mirrors import FOR_DESKS
from tests.work_items.support import work_off

pytestmark = pytest.mark.once
ROOT = "/t/acme/"
MANY = {"questionnaires": 8, "responses_per_questionnaire": 1, "access_requests": 8, "viewers": 12, "contracts": 8}
MAX_OF_LIST = 12
LISTS = (
    *("questionnaires/", "access-requests/", "access-requests/viewers/", "contracts/", "customers/", "deletion-requests/"),
    *("library/", "commitments/", "commitments/register/", "commitments/suggestions/", "incidents/", "tags/"),
    *("trust-center-activity/", "trust-center-activity/activity/", "trust-center-activity/conversations/", "notifications/"),
    *("access-requests/viewers/review/", "settings/", "settings/members/", "settings/audit/", "settings/event-log/"),
    *("people/", "people/groups/", "trust-center/resources/", "trust-center/faqs/", "trust-center/controls/"),
    "documents/",
    *("vendors/", "audits/", "trust-center/subprocessors/"),
    *("trust-center/to-check/", "trust-center/to-check/?show=dismissed"),
    *("trust-center/updates/", "trust-center/subscribers/", "trust-center/subscribers/groups/"),
    *("controls/", "controls/?tab=deactivated", "frameworks/", "tests/", "issues/", "risk-scenarios/"),
)
MAX_OF_OTHERS = {
    "": 24,
    "questionnaires/?view=board": 29,
    "settings/connection/": 20,
    "settings/webhooks/": 18,
    "search/?q=vendor": 18,
    "trust-center/visitor/": 20,
}
MAX_OF_DETAILS = (
    (Questionnaire, "questionnaires/", 24),
    (AccessRequest, "access-requests/", 20),
    (Viewer, "access-requests/viewers/", 18),
    (Contract, "contracts/", 14),
    (Account, "customers/", 34),
    (Person, "people/", 14),
    (Group, "people/groups/", 16),
    (Document, "documents/", 16),
    (Vendor, "vendors/", 20),
    (Control, "controls/", 18),
    (Framework, "frameworks/", 16),
    (Test, "tests/", 14),
    (Issue, "issues/", 16),
    (RiskScenario, "risk-scenarios/", 18),
)


def test_o13_no_page_asks_the_database_more_often_than_it_may(client, alice, acme, sandbox):
    client.force_login(alice)

    def too_many(pages: Mapping[str, int]) -> dict[str, int]:
        return {path: number for path, most in pages.items() if (number := queries(client, path)) > most}

    lists = dict.fromkeys(LISTS, MAX_OF_LIST)
    assert too_many(lists) == {}, "without a row"
    fill(sandbox, acme, alice)
    with tenant_scope(acme.pk):
        details = {f"{root}{kind.objects.order_by('pk')[0].platform_id}/": most for kind, root, most in MAX_OF_DETAILS}
    assert too_many(lists | MAX_OF_OTHERS | details) == {}


def queries(client: Client, path: str) -> int:
    """Count those of a page whose counts are kept: until something changes, nobody counts them anew."""
    # What an earlier page has left would be a minute old at some moment, perhaps between the two requests; and what waits
    # is counted anew with each minute.
    cache.clear()
    now = datetime.now(UTC)
    with time_machine.travel(now + timedelta(seconds=60 - now.second)):
        client.get(ROOT + path)
        with CaptureQueriesContext(connection) as captured:
            assert client.get(ROOT + path).status_code == 200
    return len(captured)


def fill(sandbox, acme, alice) -> None:
    """Have acme's copy made of a tenant with rows of every desk."""
    sandbox.control("POST", "/limits", **dict.fromkeys(DEFAULTS))
    made = sandbox.create_tenant(**MANY)
    with tenant_scope(acme.pk):
        connect(sandbox, made, alice)
        Connection.objects.update(slug_id=made["slugId"])
        compare_whole(FOR_DESKS)
        work_off()
