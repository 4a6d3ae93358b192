"""Acme's library, and who writes in it."""

import csv
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from portal.library.models import Entry
from portal.library.services import EntryContent, add_entry
from portal.library.typed import REVIEW_AFTER
from portal.tenants.models import Membership, Tenant
from portal.users.models import User
from tests.support.members import find_member

PAGE = "/t/acme/library/"


@pytest.fixture
def owner(client: Client, alice: User, scoped: Tenant) -> Membership:
    client.force_login(alice)
    return find_member(tenant=scoped, user=alice)


@pytest.fixture
def add(owner: Membership) -> Callable[..., Entry]:
    """Have Alice write an entry."""

    def make(question: str, text: str = "", *, review_on: Any = None, **words: Any) -> Entry:
        if not text and "short" not in words:
            words["short"] = "Yes"
        return add_entry(EntryContent(question=question, text=text, **words), review_on=review_on, member=owner)

    return make


def typed(**values: Any) -> dict[str, Any]:
    """What a browser sends for an entry."""
    names = ("short", "text", "variants", "contraries", "tags", "products", "language", "owner", "expires_on")
    review_on = (timezone.localdate() + REVIEW_AFTER).isoformat()
    return {**dict.fromkeys(names, ""), "question": "Do you encrypt backups?", "review_on": review_on, **values}


def read_file(answer: Any) -> list[dict[str, str]]:
    text = b"".join(answer.streaming_content).decode().removeprefix("\ufeff")
    return list(csv.DictReader(StringIO(text)))
