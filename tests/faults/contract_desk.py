"""What a process of the house can be told about the contract desk: to take documents in, to send, read and delete, to die."""

import signal
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from functools import cache
from io import BytesIO
from typing import Any

from django.core.files.storage import default_storage
from django.db.models import Q
from django.utils import timezone

from portal.connections.models import CallWindow
from portal.connections.services import Urgency, client_for
from portal.contracts import selectors, services
from portal.contracts.mirror import CONTRACT
from portal.contracts.models import Contract, Reading, Removal, Upload
from portal.contracts.services import outcomes, removals, text_extraction, uploads
from portal.contracts.tasks import read_document, remove_contract, send_upload
from portal.inbox.routes import MIRRORS
from portal.sync.services import drain
from portal.tenants.scope import tenant_scope
from tests.contracts.papers import paper
from tests.faults.moments import Moment, after, before, stop_at
from tests.faults.mortal import in_a_child
from tests.support.members import strongest_member
from tests.sync.desk import two_minutes_pass

UPLOADING: dict[str, Moment] = {
    "the upload is claimed": after(uploads, "claim"),
    "the platform has taken it": after(uploads, "_create"),
    "it is stored but not committed": after(outcomes, "store_contract"),
    "its document is handed on but not committed": after(outcomes, "read_uploaded"),
    "it is committed": after(uploads, "finish"),
    "its document is claimed": after(text_extraction, "_claim"),
    "its text is in hand": before(text_extraction, "record_text_extraction"),
    "its text is stored but not committed": after(text_extraction, "store_pages"),
}
"""The steps from a file to a contract with its text."""
REMOVING: dict[str, Moment] = {
    "the removal is claimed": after(removals, "_claim"),
    "the platform has been asked": before(removals, "finish_removal"),
    "the removal is committed": after(removals, "finish_removal"),
}
"""The steps from a request to a contract that is gone."""


@cache
def document_of(name: str) -> bytes:
    """The same bytes each time: a file of today's and one of yesterday's are two documents, and both would be kept."""
    return paper(f"Contract {name}.")


def take_contracts(tenant_id: int, names: list[str]) -> int:
    """Take documents in; return how many were new."""
    with tenant_scope(tenant_id):
        documents = [
            services.NewUpload(file=BytesIO(document_of(name)), filename=f"{name}.pdf", external_id=name) for name in names
        ]
        results = services.accept_uploads(documents, member=strongest_member(tenant_id))
        return sum(result.outcome == services.Outcome.TAKEN for result in results)


def work_on_contracts(tenant_id: int) -> dict[str, int]:
    """Do what the sweeps and their workers do, as far as it is due; return how many uploads stand how."""
    for task, found in (
        (send_upload, selectors.due_uploads),
        (read_document, selectors.due_readings),
        (remove_contract, selectors.due_removals),
    ):
        for tenant, key in found():
            if tenant == tenant_id:
                task(tenant, key)
    with tenant_scope(tenant_id):
        return dict(Counter(Upload.objects.values_list("state", flat=True)))


def die_over_contracts(tenant_id: int, moment: str) -> int:
    steps = UPLOADING | REMOVING
    return in_a_child(lambda: stop_at(steps[moment], signal.SIGKILL), lambda: work_on_contracts(tenant_id))


def ask_removal(tenant_id: int, external_id: str) -> None:
    with tenant_scope(tenant_id):
        contract = Contract.objects.present().get(external_id=external_id)
        services.remove_contract(contract, member=strongest_member(tenant_id))


def contracts_here(tenant_id: int) -> dict[str, int]:
    """Return the contracts that are there by external id, with the number of pages that were read of each."""
    with tenant_scope(tenant_id):
        there = Contract.objects.present().exclude(external_id="")
        return {row.external_id: row.pages.count() for row in there}


def contract_files(tenant_id: int) -> int:
    """Return how many stored files are left, once the sweep has done its work."""
    with tenant_scope(tenant_id):
        services.delete_leftover_files()
    folder = f"contracts/{tenant_id}"
    return len(default_storage.listdir(folder)[1]) if default_storage.exists(folder) else 0


def look_for_missing(tenant_id: int) -> None:
    """Have the mirror look twice, two minutes apart, for what the platform did not have (guarantee Q15)."""
    with tenant_scope(tenant_id):
        for _ in range(2):
            CallWindow.objects.all().delete()
            drain(MIRRORS, client_for(Urgency.PERSON), among=Q(kind=CONTRACT))
            two_minutes_pass()


def pass_contract_time(tenant_id: int) -> None:
    """Let every lease and every pause of the desk be over."""
    past = timezone.now() - timedelta(seconds=1)
    with tenant_scope(tenant_id):
        Upload.objects.open().exclude(lease_until=None).update(lease_until=past)
        Upload.objects.open().update(due_at=past)
        Reading.objects.exclude(lease_until=None).update(lease_until=past)
        Removal.objects.open().exclude(lease_until=None).update(lease_until=past)
        Removal.objects.open().update(due_at=past)
        CallWindow.objects.all().delete()


COMMANDS: dict[str, Callable[..., Any]] = {
    command.__name__: command
    for command in (
        *(take_contracts, work_on_contracts, die_over_contracts, ask_removal),
        *(contracts_here, contract_files, look_for_missing, pass_contract_time),
    )
}
