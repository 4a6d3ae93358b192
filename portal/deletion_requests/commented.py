"""Deletion requests as something to comment on."""

from collections.abc import Collection, Mapping

from django.urls import reverse

from portal.comments.subjects import Subject, register_subject
from portal.deletion_requests.models import DeletionRequest
from portal.deletion_requests.services.request_audit import AREA
from portal.page_refresh.services import touch_areas


def _titles(references: Collection[str]) -> Mapping[str, str]:
    rows = DeletionRequest.objects.filter(reference__in=references)
    return {row.reference: f"{row.reference}, {row}" for row in rows}


def register() -> None:
    register_subject(
        Subject(
            kind="deletion_request",
            label="deletion request",
            titles=_titles,
            url=lambda slug, reference: reverse("deletion_requests:detail", args=[slug, reference]),
            changed=lambda reference, words, member: touch_areas(AREA),
        )
    )
