"""The names of accounts and tags: read together when somebody looks, as far as the grant covers them."""

import pytest
from django.utils import timezone

from portal.questionnaires.mirror import MIRRORS
from portal.questionnaires.models import Label
from portal.questionnaires.services.labels import READ_EVERY, FetchedLabels, Named, store_labels
from portal.sync.models import StaleMark
from portal.sync.services.drain import drain_tenant

PAGE = "/t/acme/questionnaires/targets/"
pytestmark = pytest.mark.once


def named(kind):
    return dict(Label.objects.filter(kind=kind).values_list("platform_id", "name"))


@pytest.fixture
def accounts(desk):
    return {one["id"]: one["name"] for one in desk.sandbox.objects(desk.tenant_id, "accounts")}


def test_they_are_read_from_the_platform_once_a_day(analyst, accounts, desk):
    analyst.get(PAGE)
    drain_tenant(MIRRORS)
    assert named("account") == accounts
    tags = named("tag").values()
    assert tags
    assert all(": " in name for name in tags)
    analyst.get(PAGE)
    assert not StaleMark.objects.due().filter(kind="labels").exists()
    Label.objects.update(read_at=timezone.now() - READ_EVERY * 2)
    analyst.get(PAGE)
    assert StaleMark.objects.due().filter(kind="labels").exists()


def test_where_the_grant_does_not_cover_accounts_tags_are_read_alone(analyst, desk, sandbox):
    sandbox.fail("status", path="/v1/customer-trust/accounts", value=403, times=5)
    analyst.get(PAGE)
    drain_tenant(MIRRORS)
    assert not named("account")
    assert named("tag")
    assert not StaleMark.objects.due().filter(kind="labels").exists()


def test_q14_names_that_are_refused_or_cannot_be_read_stay(analyst, accounts, desk, sandbox):
    analyst.get(PAGE)
    drain_tenant(MIRRORS)
    tags = named("tag")
    Label.objects.update(read_at=timezone.now() - READ_EVERY * 2)
    sandbox.fail("status", path="/v1/customer-trust/accounts", value=403, times=5)
    sandbox.fail("status", path="/v1/tag-categories/", value=404, times=1)
    analyst.get(PAGE)
    drain_tenant(MIRRORS)
    assert (named("account"), named("tag")) == (accounts, tags)
    # Whoever refuses them refuses them for a day.
    analyst.get(PAGE)
    assert not StaleMark.objects.due().filter(kind="labels").exists()


def test_q14_what_cannot_be_read_keeps_its_name_and_what_is_not_listed_goes(scoped):
    known = [Named("account", "a1", "Initech"), Named("account", "a2", "Helios"), Named("tag", "t1", "Region: EU", "c1")]
    store_labels(FetchedLabels(timezone.now(), [*known, Named("tag", "t2", "Tier: Gold", "c2")]))
    store_labels(FetchedLabels(timezone.now(), [], unread=frozenset(("a1", "c1"))))
    assert (named("account"), named("tag")) == ({"a1": "Initech"}, {"t1": "Region: EU"})
    store_labels(FetchedLabels(timezone.now(), [], whole=frozenset(("tag",))))
    assert (named("account"), named("tag")) == ({"a1": "Initech"}, {})


def test_who_is_gone_there_is_gone_here_and_odd_names_are_borne(scoped):
    now = timezone.now()
    first = [Named("account", "a1", "Initech"), Named("account", "a2", "Helios"), Named("tag", "a1", "Region: EU", "c1")]
    assert store_labels(FetchedLabels(now, first))
    assert not store_labels(FetchedLabels(now, first))
    # An id may have 512 characters (guarantee S5); the client reads no longer one.
    longest = "x" * 512
    later = [Named("account", "a1", "Initech \0 <b>"), Named("account", "a3", ""), Named("account", longest, "")]
    assert store_labels(FetchedLabels(timezone.now(), later))
    assert set(named("account")) == {"a1", "a3", longest}
    # Without a name nobody is shown an id instead.
    assert named("account")[longest] == named("account")["a3"] == "No name"
    assert "\0" not in named("account")["a1"]
    assert not named("tag")
