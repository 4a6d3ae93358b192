"""Who documents and files name: found and taken out when a deletion request asks for it. The documents stay."""

from functools import partial

from django.db import transaction

from portal.documents.kinds import AREA
from portal.documents.models import AccountUser, Document, Upload, UploadAttempt
from portal.documents.models.attempts import OPEN
from portal.page_refresh.services import touch_areas
from portal.tenants.payloads import Payloads, register_payloads
from portal.tenants.personal_data import Rows, each_once, fold, register_holding
from portal.tenants.texts import Texts


def of_person(email: str) -> Rows:
    return AccountUser.objects.filter(folded_email=fold(email)).exclude(folded_email="")


@transaction.atomic
def erase(rows: Rows, email: str) -> None:
    """Take name and address out of the users, and the name out of what they own and have uploaded."""
    ids = list(rows.values_list("platform_id", flat=True))
    rows.update(name="", folded_email="")
    Document.objects.filter(owner_id__in=ids).update(owner_name="")
    Upload.objects.filter(uploader_id__in=ids).update(uploader_name="")
    touch_areas(AREA)


def register_personal_data() -> None:
    register_holding(
        "Owners of documents",
        rows=of_person,
        erase=erase,
        addresses=lambda: each_once(AccountUser.objects.exclude(folded_email="")),
        keeps_rows=True,
    )
    attempts = Texts(kind=UploadAttempt, columns=("file_name",), changed=partial(touch_areas, AREA))
    register_holding(
        "Names of uploaded documents",
        # The name of one that is on its way tells whether it has arrived; the follow-up check finds it once that is known.
        rows=lambda email: attempts.rows(email).exclude(state__in=OPEN),
        erase=attempts.erase,
        addresses=attempts.addresses,
        keeps_rows=True,
    )
    register_payloads("Subscribers of documents", Payloads(kind=Document, changed=partial(touch_areas, AREA)))
