"""Customers as something to comment on. What was said about an account that was merged stands with the customer's."""

from django.urls import reverse

from portal.accounts.merged_accounts import ids_of_customer
from portal.accounts.models import Account
from portal.accounts.services import ACCOUNT, AREA
from portal.comments.subjects import Subject, register_subject
from portal.page_refresh.services import touch_areas
from portal.sync.mirrors import names_of_rows


def register() -> None:
    register_subject(
        Subject(
            kind=ACCOUNT,
            label="customer",
            titles=names_of_rows(Account, "payload", "search", "custom_fields", "tags"),
            url=lambda slug, platform_id: reverse("customers:customer", args=[slug, platform_id]),
            changed=lambda platform_id, words, member: touch_areas(AREA),
            together=ids_of_customer,
        )
    )
