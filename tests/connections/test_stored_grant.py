"""R9 and T11: what is stored of a grant is what the platform said: the end of its token, both tokens, and their number."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.connections.models import Connection, State
from portal.connections.services import Urgency, access_token, client_for
from portal.platform_api import oauth
from tests.conftest import connect
from tests.support.budget import forget_calls

pytestmark = pytest.mark.once

A_LITTLE = timedelta(seconds=20)


@pytest.fixture
def says(monkeypatch):
    """Have the platform say something else of its tokens."""
    real = oauth.read_tokens

    def change(**values: object) -> None:
        monkeypatch.setattr(oauth, "read_tokens", lambda decoded: real({**decoded, **values}))

    return change


def expire() -> None:
    Connection.objects.update(access_expires_at=timezone.now() - timedelta(seconds=1))


def refresh(row: Connection) -> Connection:
    forget_calls()
    expire()
    access_token(row, Urgency.PERSON)
    return Connection.objects.get()


def check_end(row: Connection, *, life: timedelta, since) -> None:
    assert since + life - A_LITTLE <= row.access_expires_at <= timezone.now() + life


@pytest.mark.parametrize("seconds", [120, 600, 3600, 7200])
@pytest.mark.parametrize("way", ["connecting", "refreshing"])
def test_r9_the_end_of_a_token_is_stored_as_the_platform_said(says, scoped, sandbox, platform_tenant, alice, way, seconds):
    since = timezone.now()
    if way == "refreshing":
        row = connect(sandbox, platform_tenant, alice)
        says(expires_in=seconds)
        row = refresh(row)
    else:
        says(expires_in=seconds)
        row = connect(sandbox, platform_tenant, alice)
    check_end(row, life=timedelta(seconds=seconds), since=since)


def test_r9_the_rotated_refresh_token_is_kept_and_the_one_before_it_too(connected, scoped, sandbox, says):
    first = connected.open("refresh_token")
    says(refresh_token="srt_the-next-one")
    row = refresh(connected)
    assert row.open("refresh_token") == "srt_the-next-one"
    assert row.open("previous_refresh_token") == first


def test_r9_each_refresh_is_made_with_the_token_that_came_last(connected, scoped, monkeypatch):
    sent, real = [], oauth.OAuthApplication.refresh

    def spy(self, refresh_token):
        sent.append(refresh_token)
        answer = real(self, refresh_token)
        sent.append(answer.refresh_token)
        return answer

    monkeypatch.setattr(oauth.OAuthApplication, "refresh", spy)
    row = refresh(refresh(connected))
    first, second, third, fourth = sent
    assert first == connected.open("refresh_token")
    assert (second, fourth) == (third, row.open("refresh_token"))
    assert len({first, second, fourth}) == 3


def test_r9_a_refresh_token_that_is_not_rotated_goes_on(connected, scoped, says):
    first = connected.open("refresh_token")
    says(refresh_token=None)
    assert refresh(connected).open("refresh_token") == first


def test_r9_the_access_token_that_calls_use_is_the_one_that_was_issued(connected, scoped, says, monkeypatch):
    said, real = [], oauth.read_tokens
    monkeypatch.setattr(oauth, "read_tokens", lambda decoded: said.append(decoded["access_token"]) or real(decoded))
    row = refresh(connected)
    assert access_token(row, Urgency.PERSON) == said[-1] == row.open("access_token")
    assert client_for(Urgency.PERSON).users.all.page().items


def test_r9_each_change_of_the_tokens_has_its_own_generation(connected, scoped, sandbox, platform_tenant, alice):
    first = connected.generation
    assert refresh(connected).generation == first + 1
    assert refresh(connected).generation == first + 2
    forget_calls()
    sandbox.advance(61)
    assert connect(sandbox, platform_tenant, alice).generation == first + 3


def test_r9_when_it_was_fetched_is_stored(connected, scoped):
    Connection.objects.update(refreshed_at=timezone.now() - timedelta(days=1))
    since = timezone.now()
    assert refresh(connected).refreshed_at >= since


@pytest.mark.parametrize("said", [None, 0, -1, -3600, "3600", "soon", True, 10 * 365 * 24 * 3600, 10**12, [], {}])
def test_t11_an_end_that_nobody_can_mean_is_not_believed(connected, scoped, sandbox, says, said):
    says(expires_in=said)
    since, before = timezone.now(), len(sandbox.token_calls())
    row = refresh(connected)
    check_end(row, life=timedelta(hours=1), since=since)
    # Neither a mint for each call, nor a token that is used for years.
    assert {access_token(row, Urgency.PERSON) for _ in range(5)} == {row.open("access_token")}
    assert len(sandbox.token_calls()) == before + 1


@pytest.mark.parametrize("seconds", [2, 30, 60])
def test_t11_a_token_that_hardly_lives_is_used_for_half_its_life(connected, scoped, sandbox, says, seconds):
    says(expires_in=seconds)
    before = len(sandbox.token_calls())
    row = refresh(connected)
    assert row.has_live_token(row.refreshed_at + timedelta(seconds=seconds * 0.4))
    assert not row.has_live_token(row.refreshed_at + timedelta(seconds=seconds * 0.6))
    assert len(sandbox.token_calls()) == before + 1
    assert row.state == State.ACTIVE
