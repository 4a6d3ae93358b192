"""What people type into the forms of the site, and the rows that the world has of the portal's own."""

from datetime import UTC, datetime
from typing import Any
from urllib.parse import urljoin

from django.test import Client
from playwright.sync_api import FilePayload
from standardwebhooks import Webhook

from portal.access_requests.models import AccessRequest, Viewer
from portal.accounts.models import Account
from portal.contracts.models import Contract
from portal.inbox.services import ensure_endpoints, enter_secret
from portal.questionnaires.models import AssignableUser, Questionnaire, Response
from portal.tenants.scope import tenant_scope
from tests.conftest import SECRET
from tests.contracts.papers import paper

PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
CSV = b"name,domain\nNorthwind,northwind.example\n"
TERMS = (
    "7.2 Provider shall notify Customer of any Personal Data Breach within twenty-four (24) hours after becoming aware.",
    "9 Upon termination, Provider shall delete all Personal Data within thirty (30) days.",
)
TENANT = "Acme"


def file_for(accepted: str, path: str) -> FilePayload:
    """Return a file of a kind that a field takes."""
    if ".csv" in accepted or "/import/" in path or "deletion" in path:
        return {"name": "rows.csv", "mimeType": "text/csv", "buffer": CSV}
    return {"name": "agreement.pdf", "mimeType": "application/pdf", "buffer": PDF}


WANTED: dict[str, dict[str, Any]] = {
    "/answer/": {"*": "Yes, since 2021."},
    "/t/": {"domain": "brand-new.example"},
    "/rules/": {"name": "Another rule"},
    "/settings/connection/": {"name": TENANT, "delete-name": TENANT},
}
"""End or part of an address → what the fields of its forms are given, by their names."""


def wanted(path: str, address: str) -> dict[str, Any]:
    """Return what the fields of a form have to be given, by their names."""
    found: dict[str, Any] = {}
    for part, values in WANTED.items():
        if part in path or part in address:
            found |= values
    return found


def fill(made: Any) -> list[str]:
    """Give every desk something of its own; return the pages that have what others of their kind have not."""
    made.client.get(f"{made.root}questionnaires/")  # from then on it is known whom questions can be given to
    made.work()
    with tenant_scope(made.tenant.pk):
        questionnaire = Questionnaire.objects.filter(status="IN_PROGRESS").order_by("pk")[0]
        response = Response.objects.filter(questionnaire=questionnaire).order_by("position")[0]
        person = AssignableUser.objects.order_by("pk")[0]
        account = Account.objects.order_by("pk")[0]
        viewers = [Viewer.objects.order_by("pk")[0].pk]
        read = Contract.objects.exclude(account_id="").order_by("pk")[0]
    send = made.send
    send("incidents/new/", name="Leaked backup", kinds=["personal"], whom="all")
    send("incidents/templates/new/", name="First notice")
    send("commitments/standard/breach-notice/", amount="72", unit="hours")
    send(f"commitments/new/?account={account.platform_id}", term="breach-notice", amount="24", unit="hours")
    days = {"review_on": "2026-06-01", "expires_on": "2031-05-01"}
    send(
        "library/new/",
        question="Do you encrypt backups?",
        short="Yes",
        variants="Are backups encrypted?",
        tags="Crypto",
        **days,
    )
    rule = {"free_mail": "yes", "act": "deny", "reason": "Please use your business address.", "account_ids": []}
    send("access-requests/rules/new/", name="Free mail", **rule)
    send("access-requests/rules/lists/", "/add/", domain="rival.example", why="A competitor")
    send("questionnaires/targets/", "/add/", condition="everything", hours="40")
    send("questionnaires/?stage=all", "/views/of/questionnaires/", name="Everything")
    send("questionnaires/new/", url="https://northwind.example/q/1", name="Northwind's site")
    send("settings/members/", "/invite/", email="guest@northwind.example", role="20")
    send("settings/hours/", "/holidays/", day="2026-12-24", name="Christmas Eve")
    send("deletion-requests/settings/", "/link/")
    send("contracts/calendar/", "/feed/")
    send("questionnaires/clocks/", "/feed/")
    send("contracts/upload/", file=("agreement.pdf", PDF), external_id="crm-77")
    send(f"contracts/{read.platform_id}/document/", file=("terms.pdf", paper(*TERMS)))
    send("customers/new/", name="Northwind Traders", domain="northwind.example")
    asked = send("access-requests/viewers/?tab=all", "/change/", chosen=viewers, action="extend")
    made.go_on(asked, "/change/", action="extend", expiry="90")
    asked = send("deletion-requests/new/", email="gone@northwind.example")
    made.go_on(asked, "/submit/", again="gone@northwind.example", identity_note="Answered a mail.")
    desk = f"questionnaires/{questionnaire.platform_id}/"
    send(desk, "/approver/", approver=person.platform_id)
    send(f"{desk}exports/", "/request/", format="csv")
    asked = send(desk, "/ask/", chosen=[response.pk])
    expert = {"email": "expert@northwind.example", "note": "Please look.", "days": "14"}
    made.go_on(asked, "/ask/", chosen=[response.pk], how="expert", **expert)
    send(f"{desk}details/", "/status-link/")
    deliver(made)
    pages = [desk, f"{desk}responses/{response.platform_id}/", *pages_of_steps(made), review(made)]
    return [urljoin(made.root, page) for page in pages]


def pages_of_steps(made: Any) -> list[str]:
    """Return the pages of questionnaires that wait for other steps than to be answered."""
    with tenant_scope(made.tenant.pk):
        there = Questionnaire.objects.order_by("pk")
        waiting, ready = (there.filter(status=status)[0] for status in ("WAITING_ON_COLUMN_SELECTION", "READY_FOR_REVIEW"))
        of_a_file = there.exclude(kind="WEBSITE")[0]
    steps = [f"questionnaires/{each.platform_id}/" for each in (waiting, ready)]
    return [*steps, f"questionnaires/{of_a_file.platform_id}/exports/"]


def review(made: Any) -> str:
    """Approve an answer, so that there is something to take back; return the review's page."""
    with tenant_scope(made.tenant.pk):
        found = Questionnaire.objects.filter(status__in=("IN_REVIEW", "READY_FOR_REVIEW")).values_list("platform_id", flat=True)
        pages = [f"questionnaires/{platform_id}/review/" for platform_id in found]
    for page in pages:
        answer = made.client.get(f"{made.root}{page}")
        if answer.status_code == 302:  # to the first answer that waits for a review
            made.send(answer.headers["Location"])
            return page
    raise AssertionError("no answer waits for a review")


def decide(made: Any) -> None:
    """Deny an access request. For seconds it can be taken back, so this comes last."""
    with tenant_scope(made.tenant.pk):
        chosen = [AccessRequest.objects.order_by("pk")[0].pk]
    asked = made.send("access-requests/", "/bulk/", chosen=chosen, action="deny")
    made.go_on(asked, "/bulk/", **{"action": "deny", "deny-canned": "own", "deny-words": "Not now."})


def deliver(made: Any) -> None:
    """Have one rightly signed delivery arrive, and one that nobody can read."""
    with tenant_scope(made.tenant.pk):
        endpoint = next(endpoint for endpoint in ensure_endpoints() if not endpoint.event_type)
        enter_secret(endpoint, SECRET, actor=made.owner)
    for number, body in enumerate(("{}", '{"questionnaireId": "65a0ffffffffffffffffffff"}')):
        at = datetime.now(UTC)
        headers = {
            "hook-id": f"msg_{number}",
            "hook-timestamp": str(int(at.timestamp())),
            "hook-signature": Webhook(SECRET).sign(f"msg_{number}", at, body),
        }
        Client().post(f"/hooks/{endpoint.public_id}/", data=body, content_type="application/json", headers=headers)
        made.work()
