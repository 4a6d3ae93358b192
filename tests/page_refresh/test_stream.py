"""The stream of changes: who is told of what, what a lost message costs, and how a stream ends."""

import asyncio
import json
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import InterfaceError, OperationalError, connections
from django.test import Client

from portal.page_refresh import hub, stream
from portal.page_refresh.models import Area
from portal.page_refresh.services import touch_areas
from portal.tenants.models import Membership
from portal.tenants.scope import all_tenants, tenant_scope
from portal.users.sessions import LAST_SEEN
from tests.page_refresh.streams import Reader, cookie_of, new_site, opened

pytestmark = pytest.mark.django_db(transaction=True)


def touch(tenant, *names):
    """Change something as another process would."""
    try:
        with tenant_scope(tenant.pk):
            touch_areas(*names)
    finally:
        connections.close_all()


async def touched(tenant, *names):
    await asyncio.to_thread(touch, tenant, *names)


def run[Value](work: Coroutine[object, object, Value]) -> Value:
    """Run it on a thread of its own: on this one Playwright's loop may be running."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(hub, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(stream, "ALIVE_SECONDS", 0.2)


@pytest.fixture
def signed_in(client, alice, acme, globex):
    touch(acme, "contracts", "sync")
    touch(globex, "contracts")
    client.force_login(alice)
    return client


def test_it_begins_with_the_versions_of_ones_own_tenants_and_goes_on_with_what_changes(signed_in, acme, globex):
    async def read():
        async with opened(new_site(), signed_in) as reader:
            assert await reader.news() == {"acme": versions_of_acme}
            await touched(acme, "contracts")
            assert await reader.news() == {"acme": {"contracts": versions_of_acme["contracts"] + 1}}
            await touched(globex, "contracts")
            await touched(acme, "sync")
            assert await reader.news() == {"acme": {"sync": versions_of_acme["sync"] + 1}}

    with all_tenants("a test"):
        versions_of_acme = dict(Area.objects.filter(tenant=acme).values_list("name", "version"))
    assert {"contracts", "sync"} <= versions_of_acme.keys()
    run(read())


def test_several_streams_are_told_the_same_and_the_last_one_that_ends_takes_the_looking_with_it(signed_in, acme):
    site = new_site()

    async def read():
        async with opened(site, signed_in) as first:
            assert (await first.news())["acme"]["sync"] == 1
            async with opened(site, signed_in) as second:
                assert (await second.news())["acme"]["sync"] == 1
                await touched(acme, "sync")
                assert await first.news() == await second.news() == {"acme": {"sync": 2}}
            await touched(acme, "sync")
            assert await first.news() == {"acme": {"sync": 3}}
        async with asyncio.timeout(20):
            await site._hub._looking
        # Whoever comes after a pause finds it at work again.
        await touched(acme, "sync")
        async with opened(site, signed_in) as late:
            assert (await late.news())["acme"]["sync"] == 4

    run(read())


def test_whoever_reads_slowly_is_told_the_last_version_of_each_area_and_no_more():
    async def read():
        watcher = hub.Watcher({1: "acme", 2: "globex"})
        for version in range(1000):
            watcher.tell(1, {"sync": version})
        watcher.tell(2, {"contracts": 7})
        assert await watcher.news(5) == {"acme": {"sync": 999}, "globex": {"contracts": 7}}
        assert await watcher.news(0.01) == {}

    run(read())


def test_nobody_is_told_of_a_tenant_whose_pages_do_not_open_to_them(client, alice, acme, globex, mallory):
    touch(acme, "sync")
    with tenant_scope(globex.pk):
        Membership.objects.create(tenant=globex, user=alice, role=10)
    globex.requires_second_factor = True
    globex.save()
    client.force_login(alice)
    answer = client.get("/changes/")
    assert answer.json() == {"person": alice.pk, "tenants": {"acme": acme.pk}}


def test_a_stranger_gets_no_stream(client, signed_in):
    async def ask(cookie):
        return await Reader(new_site(), cookie).start()

    for cookie in ("", "of-nobody"):
        status, headers = run(ask(cookie))
        assert status == 403
        assert headers[b"access-control-allow-origin"] != b"*"


def test_a_stream_ends_by_itself_and_opens_only_for_who_may_see_then(signed_in, alice, acme, monkeypatch):
    monkeypatch.setattr(stream, "MIN_LIFE_SECONDS", 0.3)
    monkeypatch.setattr(stream, "MAX_LIFE_SECONDS", 0.3)

    async def read():
        reader = Reader(new_site(), cookie)
        status, headers = await reader.start()
        assert (status, headers[b"content-type"]) == (200, b"text/event-stream")
        while await reader.message() is not None:
            pass
        await reader.leave()

    cookie = cookie_of(signed_in)
    run(read())
    signed_in.logout()
    assert run(Reader(new_site(), cookie).start())[0] == 403


def test_an_open_stream_prolongs_no_session(signed_in):
    session = signed_in.session
    session[LAST_SEEN] = long_ago = session.get(LAST_SEEN, 0) - 4000
    session.save()

    async def read():
        async with opened(new_site(), signed_in) as reader:
            await reader.news()

    run(read())
    assert signed_in.session[LAST_SEEN] == long_ago


def test_while_the_database_does_not_answer_a_stream_stays_open_and_is_told_afterwards(signed_in, acme, monkeypatch, capfd):
    read_changes, failures = hub.read_changes, iter([OperationalError("gone"), InterfaceError("gone")])

    def read_or_fail(known):
        if error := next(failures, None):
            raise error
        return read_changes(known)

    monkeypatch.setattr(hub, "read_changes", read_or_fail)

    async def read():
        async with opened(new_site(), signed_in) as reader:
            assert (await reader.news())["acme"]["sync"] == 1

    run(read())
    assert capfd.readouterr().err.count("open pages are told of nothing") == 1


def test_no_more_streams_than_one_process_can_hold(signed_in, monkeypatch):
    monkeypatch.setattr(stream, "MAX_STREAMS", 1)
    site = new_site()

    async def read():
        async with opened(site, signed_in):
            status, _ = await Reader(site, cookie_of(signed_in)).start()
            assert status == 503

    run(read())


def test_no_more_streams_than_one_person_needs_and_those_of_others_open_all_the_same(signed_in, alice, mallory, settings):
    settings.STREAMS_PER_PERSON = 1
    site, elsewhere, stranger = new_site(), Client(), Client()
    elsewhere.force_login(alice)
    stranger.force_login(mallory)

    async def read():
        async with opened(site, signed_in):
            assert (await Reader(site, cookie_of(elsewhere)).start())[0] == 429
            async with opened(site, stranger) as reader:
                assert set(await reader.news()) == {"globex"}
        async with opened(site, elsewhere) as reader:
            assert set(await reader.news()) == {"acme"}

    run(read())


def test_every_other_address_is_answered_by_the_site(signed_in):
    site = new_site()

    async def get():
        reader = Reader(site, "")
        reader._connection.scope["path"] = "/healthz"
        status, _ = await reader.start()
        return status

    assert run(get()) == 200


def test_a_web_process_answers_the_address_of_the_stream_with_what_a_stream_asks_for(signed_in, alice, acme):
    answer = signed_in.get("/changes/")
    assert json.loads(answer.content) == {"person": alice.pk, "tenants": {"acme": acme.pk}}
    assert Client().get("/changes/").status_code == 302
