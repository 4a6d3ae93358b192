"""S1: whatever field of a request names an object, one of another tenant is as good as none, and stays as it is."""

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy

import pytest
from django.contrib.messages import get_messages
from django.core.cache import cache
from django.db import models, transaction
from django.http import HttpResponse
from django.test import Client

from portal.celery import app
from portal.tenants.models import Tenant, TenantModel
from portal.tenants.scope import tenant_scope
from portal.users.models import User
from tests.house.addresses import addresses, written
from tests.house.foreign_ids import FOREIGN, OWN, Sent, foreign_values, forms_on, names_read, path_of, places_of
from tests.support.one_of_each import TABLES, make_one_of_each

METHODS = ("get", "post")
UNREAD = (404, 405)
"""Nothing of such a request was looked at; what fails by itself is no better."""
ADDRESSES = addresses()
AT_ONCE = 65
GROUPS = [ADDRESSES[start : start + AT_ONCE] for start in range(0, len(ADDRESSES), AT_ONCE)]
BY_TABLE = {model._meta.db_table: model for model in TABLES}


@contextmanager
def as_if(client: Client) -> Iterator[set[str]]:
    """Ask something and take it all back; give the tables that were written."""
    cookies = deepcopy(client.cookies)
    with transaction.atomic(), written() as tables:
        yield tables
        transaction.set_rollback(True)
    client.cookies = cookies
    # What is kept is kept for a version: where nothing was written, each still means what it meant.
    if tables:
        cache.clear()


class Watch:
    """The rows of a tenant as they were, and what is wrong with an answer to somebody else."""

    def __init__(self, client: Client, owner: Tenant, stranger: Tenant) -> None:
        self.client, self.owner, self.stranger = client, owner, stranger
        self.rows = {table: self._rows(table) for table in BY_TABLE}

    def ask(self, sent: Sent) -> tuple[int, set[str]]:
        """Send what is one's own alone; return the status and the fields that were read."""
        with as_if(self.client), names_read() as names:
            status = sent.ask(self.client).status_code
        return status, names | {*sent.data}

    def try_out(self, sent: Sent) -> list[str]:
        """Send what names an object of somebody else; return what was told, changed or referred to."""
        with as_if(self.client) as tables:
            answer = sent.ask(self.client)
            found = ["fails"] if answer.status_code >= 500 else self._told(answer) + self.reached(tables)
        return [f"{sent.method} {sent.path} {dict(sent.data)}: {each}" for each in found]

    def reached(self, tables: set[str]) -> list[str]:
        """Say which rows of somebody else were changed, or are referred to now, in tables that were written."""
        return self._changed(tables) + self._referred(tables)

    def _rows(self, table: str) -> list[tuple]:
        with tenant_scope(self.owner.pk):
            return sorted(BY_TABLE[table].objects.values_list(), key=str)

    def _told(self, answer: HttpResponse) -> list[str]:
        content = b"" if answer.streaming else answer.content
        said = content.decode(errors="replace") + "".join(map(str, get_messages(answer.wsgi_request)))
        at = said.find("Foreign")
        return [f"tells {said[max(0, at - 60) : at + 40]!r}"] if at >= 0 else []

    def _changed(self, tables: set[str]) -> list[str]:
        return [f"has changed {table}" for table in tables & BY_TABLE.keys() if self._rows(table) != self.rows[table]]

    def _referred(self, tables: set[str]) -> list[str]:
        with tenant_scope(self.stranger.pk):
            return [
                f"refers to it in {table}.{column.name}"
                for table in tables & BY_TABLE.keys()
                for column in BY_TABLE[table]._meta.concrete_fields
                if isinstance(column, models.ForeignKey) and issubclass(column.related_model, TenantModel | User)
                if BY_TABLE[table].objects.filter(**{column.attname: FOREIGN}).exists()
            ]


@pytest.fixture
def watch(client: Client, acme: Tenant, globex: Tenant) -> Watch:
    client.force_login(make_one_of_each(acme, key=OWN, words="Owned"))
    make_one_of_each(globex, key=FOREIGN, words="Foreign")
    client.raise_request_exception = False
    return Watch(client, globex, acme)


@pytest.mark.once
@pytest.mark.parametrize("group", GROUPS, ids=lambda group: str(ADDRESSES.index(group[0])))
def test_s1_no_part_of_an_address_and_no_field_names_an_object_of_another_tenant(client, watch, group):
    places = [Sent(method, path_of(address, place)) for address in group for place in places_of(address) for method in METHODS]
    own = [Sent(method, path_of(address)) for address in group for method in METHODS]
    attempts, tried = [*places], set[tuple[str, str]]()
    for sent in [*forms_on(group, client), *own]:
        status, names = watch.ask(sent)
        if status not in UNREAD and status < 500:
            attempts += attempts_with(sent, names, tried)
    faults = [fault for sent in attempts for fault in watch.try_out(sent)]
    assert faults == []
    assert len(attempts) > len(places) + len(group) / 2, "hardly any field was found"
    assert client.get("/t/acme/").status_code == 200, "whoever asked was signed out meanwhile"


def attempts_with(sent: Sent, names: set[str], tried: set[tuple[str, str]]) -> list[Sent]:
    """Name an object of somebody else in each field; a page is only looked at, with all of its filters at once.

    What names an object of one's own is tried with everything that a form can ask for, any other field once.
    """
    if sent.method == "get":
        return [Sent("get", sent.path, {**sent.data, **dict.fromkeys(names, str(FOREIGN))})] if names else []
    wanted = sorted(name for name in names if str(OWN) in str(sent.data.get(name)) or (sent.path, name) not in tried)
    tried.update((sent.path, name) for name in wanted)
    return [sent.with_field(name, value) for name in wanted for value in sorted(foreign_values(sent, name))]


def of_tenants() -> dict[str, list[str]]:
    """Return the arguments of each task that works for one tenant."""
    app.loader.import_default_modules()
    found = {name: [*inspect.signature(task.run).parameters] for name, task in app.tasks.items() if name.startswith("portal.")}
    return {name: arguments for name, arguments in found.items() if "tenant_id" in arguments}


def test_s1_no_task_of_one_tenant_reaches_an_object_of_another(watch, acme):
    faults, tasks = [], of_tenants()
    for name, arguments in sorted(tasks.items()):
        with as_if(watch.client) as tables:
            app.tasks[name].run(*(acme.pk if each == "tenant_id" else FOREIGN for each in arguments))
            faults += [f"{name}: {each}" for each in watch.reached(tables)]
    assert faults == []
    assert len(tasks) > 20
