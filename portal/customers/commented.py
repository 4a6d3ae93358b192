"""Customers as something to comment on. What was said about an account that was merged stands with the customer's."""

from collections.abc import Collection, Mapping

from django.urls import reverse

from portal.accounts.merged_accounts import ids_of_customer
from portal.accounts.models import Account
from portal.accounts.services import ACCOUNT, AREA
from portal.comments.subjects import Subject, register_subject
from portal.page_refresh.services import touch_areas


def _titles(ids: Collection[str]) -> Mapping[str, str]:
    rows = Account.objects.filter(platform_id__in=ids).defer("payload", "search", "custom_fields", "tags")
    return {row.platform_id: str(row) for row in rows}


def register() -> None:
    register_subject(
        Subject(
            kind=ACCOUNT,
            label="customer",
            titles=_titles,
            url=lambda slug, platform_id: reverse("customers:customer", args=[slug, platform_id]),
            changed=lambda platform_id, words, member: touch_areas(AREA),
            together=ids_of_customer,
        )
    )
