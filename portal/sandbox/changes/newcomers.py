"""What comes in from outside while the sandbox runs: another questionnaire, another request for access."""

import random

from portal.sandbox.changes import access_requests, questionnaires
from portal.sandbox.changes.questionnaires import MACHINE
from portal.sandbox.kinds.questionnaires import SPREADSHEET
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.seed.access_requests import REASONS
from portal.sandbox.seed.names import COMPANY_NAMES, FIRST_NAMES, LAST_NAMES, company, mail_name
from portal.sandbox.seed.questionnaires import STANDARDS
from portal.sandbox.store import Json
from portal.sandbox.tenants import Tenant

CHOICE = random.SystemRandom()


def questionnaire(sandbox: Sandbox, tenant: Tenant) -> Json:
    """Let a customer send a spreadsheet."""
    customer = company(CHOICE.randrange(len(COMPANY_NAMES)))
    fields = {"displayName": f"{customer.name}: {CHOICE.choice(STANDARDS)}"}
    return questionnaires.create(sandbox, tenant.id, questionnaire_type=SPREADSHEET, actor=MACHINE, fields=fields)


def access_request(sandbox: Sandbox, tenant: Tenant, *, may_be_approved: bool = True) -> Json:
    """Let somebody ask for access to everything, or to a document that is not public."""
    customer = company(CHOICE.randrange(len(COMPANY_NAMES)))
    first, last = CHOICE.choice(FIRST_NAMES), CHOICE.choice(LAST_NAMES)
    person = {
        "email": f"{mail_name(first)}.{mail_name(last)}@{customer.domain}",
        "name": f"{first} {last}",
        "companyName": customer.name,
    }
    resources = sandbox.objects.all(tenant.id, "resources")
    private = [resource["id"] for resource in resources if not resource["isPublic"]]
    wanted = [CHOICE.choice(private)] if private and CHOICE.random() < 0.6 else None
    return access_requests.receive(
        sandbox,
        tenant,
        person=person,
        reason=CHOICE.choice(REASONS),
        resource_ids=wanted,
        may_be_approved=may_be_approved,
    )
