"""Does looking for what is kept about one person, and erasing it, stay quick with a hundred thousand answers?"""

from django.db import transaction
from django.utils import timezone

from portal.deletion_requests.services import NewRequest, receive
from portal.library.models import KnowledgeResource, Passage
from portal.questionnaires.models import Questionnaire, Response
from portal.tenants import erased_people
from portal.tenants.models import Tenant
from portal.tenants.scope import tenant_scope
from tests.bench.contracts import make_contracts
from tests.bench.medians import per_second
from tests.bench.pages import Site, compare, tenant_with_client
from tests.bench.world import make_questionnaires, make_responses
from tests.support.members import find_member

FEW, MANY = 100, 100_000
NAMED_IN = 10
"""Rows of each kind that name the person, however many there are."""
PERSON = "pat.person@customer.test"
COLLEAGUES = 50
PER_CONTRACT, PER_PASSAGE = 50, 10
"""So many answers for each contract of three pages, and for each passage of the knowledge base."""
BATCH = 1000


def print_erasure() -> None:
    print(f"\nThe data of one person, among {FEW} answers of a tenant and among {MANY:,}:")
    sites = [_tenant(count) for count in (FEW, MANY)]
    compare(*(site for _, site in sites))
    for count, (tenant, _) in zip((FEW, MANY), sites, strict=True):
        seconds = 1 / per_second(lambda tenant=tenant: _erase(tenant), count=1)
        print(f"  erasing among {count:>7,}: {seconds:.2f} s")


def _tenant(count: int) -> tuple[Tenant, Site]:
    tenant, client = tenant_with_client(f"Erasure among {count}")
    make_questionnaires(tenant, 1)
    make_contracts(tenant, max(count // PER_CONTRACT, 1))
    with tenant_scope(tenant.pk):
        questionnaire = Questionnaire.objects.get()
        make_responses(questionnaire, count)
        _name_people(count)
        _make_passages(max(count // PER_PASSAGE, NAMED_IN))
        new = NewRequest(email=PERSON, received_on=timezone.localdate(), regulation="gdpr")
        row = receive(new, member=find_member(tenant=tenant))
    page = f"/t/{tenant.slug}/deletion-requests/{row.reference}/review/"
    return tenant, (client, {"what is kept of a person": (page, {})})


def _name_people(count: int) -> None:
    """Have each answer name who has given it."""
    size = -(-count // COLLEAGUES)
    for each in range(COLLEAGUES):
        _name(f"colleague{each}@example.test", range(each * size, (each + 1) * size))
    _name(PERSON, range(NAMED_IN))


def _name(who: str, positions: range) -> None:
    payload = {"answeredBy": {"email": who}, "answer": {"text": "Yes, see our policy. " * 20}}
    Response.objects.filter(position__gte=positions.start, position__lt=positions.stop).update(payload=payload)


def _make_passages(count: int) -> None:
    now = timezone.now()
    resource = KnowledgeResource.objects.create(platform_id="f" * 24, title="Handbook", updated_at=now)
    for start in range(0, count, BATCH):
        Passage.objects.bulk_create(_passage(resource, place) for place in range(start, min(start + BATCH, count)))


def _passage(resource: KnowledgeResource, place: int) -> Passage:
    who = PERSON if place < NAMED_IN else f"team{place % COLLEAGUES}@example.test"
    text = f"{place}. Whoever sees an incident writes to {who} within an hour. " + "The policy is read once a year. " * 20
    return Passage(resource=resource, position=place, page=1, text=text, edition="")


def _erase(tenant: Tenant) -> None:
    with tenant_scope(tenant.pk), transaction.atomic():
        assert erased_people.erase(PERSON)
