"""Contracts as something to comment on."""

from collections.abc import Collection, Mapping

from django.urls import reverse

from portal.comments.subjects import Subject, register_subject
from portal.contracts.models import Contract
from portal.contracts.services.storing import AREA, CONTRACT
from portal.page_refresh.services import touch_areas


def _titles(ids: Collection[str]) -> Mapping[str, str]:
    rows = Contract.objects.filter(platform_id__in=ids).defer("payload", "search")
    return {row.platform_id: str(row) for row in rows}


def register() -> None:
    register_subject(
        Subject(
            kind=CONTRACT,
            label="contract",
            titles=_titles,
            url=lambda slug, platform_id: reverse("contracts:detail", args=[slug, platform_id]),
            changed=lambda platform_id, words, member: touch_areas(AREA),
        )
    )
