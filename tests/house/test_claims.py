"""Guarantee R3 for every page there is: before the platform was read once, none says that there is nothing of its objects."""

import re
from collections.abc import Iterator
from html import unescape

import pytest
from django.test import Client

from tests.house.addresses import addresses

pytestmark = pytest.mark.once

EMPTY = re.compile(r'<div class="empty">\s*(?:<svg.*?</svg>)?\s*<h[12]>(.*?)</h[12]>', re.DOTALL)
ZERO = re.compile(r'<a [^>]*>([^<]+?) <span class="num(?: muted)?">0</span>')
OWN = {
    "": ("Not checked yet",),
    "access-requests/rules/": ("No rules yet",),
    "access-requests/rules/lists/": ("No domains are marked",),
    "access-requests/rules/versions/": ("No versions yet",),
    "commitments/register/": ("No commitments yet",),
    "commitments/suggestions/": ("No suggestions yet",),
    "contracts/calendar/": ("No end, renewal or notice dates",),
    "contracts/queue/": ("No uploads in progress",),
    "deletion-requests/": (
        *("All 0", "Closed 0", "Due soon 0", "Erased 0", "Needs attention 0"),
        *("No deletion requests yet", "Open 0", "Overdue 0", "To check 0"),
    ),
    "incidents/": ("No incidents",),
    "library/": ("All 0", "Expired 0", "Needs review 0", "No entries yet", "Verified 0"),
    "library/coverage/": ("Not checked yet",),
    "library/duplicates/": ("No duplicates",),
    "notifications/": ("No notifications yet", "Unread 0"),
    "questionnaires/clocks/": ("No targets yet",),
    "questionnaires/targets/": ("No targets yet",),
    "settings/hours/": ("No holidays yet",),
    "settings/language-model/": ("Nothing was sent",),
    "settings/webhooks/": ("All 0", "Failed 0", "Ignored 0", "No deliveries yet", "Processed 0", "Waiting 0"),
    "today/copy/": ("No other tenants",),
    "trust-center-activity/": ("No watched words yet",),
    "views/": ("No saved views yet",),
}
"""What is the portal's own: nobody has to be asked to know that there is none of it."""


def claims_of(html: str) -> list[str]:
    """Return what a page says that there is none of: titles of empty places, and tabs with a zero."""
    return [unescape(found.strip()) for found in (*EMPTY.findall(html), *(f"{label} 0" for label in ZERO.findall(html)))]


def claims(client: Client) -> Iterator[tuple[str, str]]:
    for address in addresses():
        if address.is_of_a_tenant and address.pattern.count("<") == 1:
            answer = client.get(address.path)
            if answer.status_code == 200 and "text/html" in answer["Content-Type"]:
                place = address.pattern.removeprefix("t/<slug:slug>/")
                yield from ((place, claim) for claim in claims_of(answer.content.decode()))


def test_r3_before_the_first_look_no_page_claims_that_there_is_nothing(connected, client, alice):
    client.force_login(alice)
    assert set(claims(client)) == {(place, claim) for place, own in OWN.items() for claim in own}


def test_r3_a_page_that_claims_it_is_found():
    page = (
        '<div class="empty"> <svg>\n</svg>\n <h2>Everybody is matched</h2></div><a href="?">Open <span class="num">0</span></a>'
    )
    assert claims_of(page) == ["Everybody is matched", "Open 0"]
    assert claims_of('<a>Open <span class="num">–</span></a><a>Held <span class="num">10</span></a>') == []
