"""Access requests as something to comment on. They are about one person: what was said of them goes when that one is erased."""

from collections.abc import Iterable

from django.urls import reverse

from portal.access_requests.models import AccessRequest
from portal.access_requests.services.outcomes import AREA
from portal.comments.subjects import Subject, register_subject
from portal.page_refresh.services import touch_areas
from portal.sync.mirrors import names_of_rows


def _of_person(email: str) -> Iterable[str]:
    return AccessRequest.objects.of_person(email).values_list("platform_id", flat=True)


def register() -> None:
    register_subject(
        Subject(
            kind="access_request",
            label="access request",
            titles=names_of_rows(AccessRequest, "payload", "search"),
            url=lambda slug, platform_id: reverse("access_requests:detail", args=[slug, platform_id]),
            changed=lambda platform_id, words, member: touch_areas(AREA),
            of_person=_of_person,
        )
    )
