"""S1: what one tenant's own pages lead to, asked for by the owner of another tenant under that one's name.

The house tests ask every address with ids that nobody has; here the ids are those of a tenant that has everything.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.test import Client

from portal.tenants.models import TenantModel
from tests.contrary.crawler import Map, walk
from tests.contrary.house import House, body_of, expect_none
from tests.contrary.page_content import filled as filled_in
from tests.contrary.page_content import read
from tests.contrary.platform import TOKEN
from tests.contrary.words import route_of

pytestmark = [pytest.mark.once, pytest.mark.moods]
LEAST_REFUSED = 100
"""Else hardly any id was among them."""


def about_an_object(found: Map, root: str) -> list[str]:
    """Return the addresses of a tenant that name something of it."""
    return [
        address
        for route, addresses in found.routes.items()
        if route.count("<") > 1
        for address in addresses
        if address.startswith(root)
    ]


def forms(house: House, found: Map) -> Iterator[tuple[str, dict[str, Any]]]:
    """Walk what the forms of one page of each route send, as far as it is about an object."""
    for addresses in found.routes.values():
        answer = house.get(addresses[0])
        if answer.status_code != 200 or not answer["Content-Type"].startswith("text/html"):
            continue
        for form in read(body_of(answer)).forms.values():
            path = form.action.partition("?")[0]
            if form.method == "post" and path.startswith(house.root) and route_of(path).count("<") > 1:
                yield form.action, filled_in(form)


def rows_of(house: House) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of the tenant."""
    with house.scoped():
        models = [model for model in apps.get_models() if issubclass(model, TenantModel)]
        return {model.__name__: sorted(model.objects.values_list(), key=str) for model in models}


def test_s1_no_id_of_one_tenant_opens_or_changes_anything_in_another(filled: House, globex, mallory):
    found = walk(filled, filled.root, "/portfolio/")
    addresses, sent = about_an_object(found, filled.root), list(forms(filled, found))
    before, effects = rows_of(filled), len(filled.platform.effects)
    stranger = Client(raise_request_exception=False)
    stranger.force_login(mallory)
    faults, refused = [], 0

    def ask(method: str, address: str, data: dict[str, Any]) -> None:
        nonlocal refused
        answer = getattr(stranger, method)(address.replace(filled.root, f"/t/{globex.slug}/", 1), data)
        refused += answer.status_code == 404
        text = read(body_of(answer)).text if answer.get("Content-Type", "").startswith("text/html") else str(body_of(answer))
        if answer.status_code >= 500 or TOKEN.search(text):
            faults.append(f"{method} {address}: {answer.status_code} {text[:200]}")

    for address in addresses:
        ask("get", address, {})
        ask("post", address, {})
    for address, data in sent:
        ask("post", address, data)
    faults += [f"rows of {name} have changed" for name, rows in rows_of(filled).items() if rows != before[name]]
    faults += ["something was done on the platform"] if len(filled.platform.effects) > effects else []
    expect_none(faults)
    assert refused > LEAST_REFUSED
    assert sent
