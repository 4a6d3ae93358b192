"""Contracts as something to comment on."""

from django.urls import reverse

from portal.comments.subjects import Subject, register_subject
from portal.contracts.models import Contract
from portal.contracts.services.store import AREA, CONTRACT
from portal.page_refresh.services import touch_areas
from portal.sync.mirrors import names_of_rows


def register() -> None:
    register_subject(
        Subject(
            kind=CONTRACT,
            label="contract",
            titles=names_of_rows(Contract, "payload", "search"),
            url=lambda slug, platform_id: reverse("contracts:detail", args=[slug, platform_id]),
            changed=lambda platform_id, words, member: touch_areas(AREA),
        )
    )
