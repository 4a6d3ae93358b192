"""Words are found wherever they stand, by the index as by a look at every row; and only the tenant's own."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portal.contracts.models import Contract
from portal.search import indexes
from portal.search.indexes.postgresql import MAX_TEXT_LENGTH
from portal.search.models import matching_at_once
from portal.tenants.scope import all_tenants, tenant_scope
from portal.vendors.models import Vendor

ANY_DAY = datetime(2026, 1, 1, tzinfo=UTC)

pytestmark = pytest.mark.django_db
TABLE = Contract._meta.db_table
LETTERS = st.text("abAß 'é\"\\%_&|!:*()-日本", max_size=12)


def keep(*texts: str) -> list[Contract]:
    rows = [Contract(platform_id=f"c{number}", created_at=ANY_DAY, search=text.casefold()) for number, text in enumerate(texts)]
    return Contract.objects.bulk_create(rows)


def found(words: str) -> list[str]:
    return sorted(row.search for row in Contract.objects.matching(words))


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(LETTERS, max_size=6), words=LETTERS, most=st.sampled_from([0, 2, indexes.MAX_KEYS]))
def test_the_index_finds_what_a_look_at_every_row_finds(scoped, monkeypatch, texts, words, most):
    monkeypatch.setattr(indexes, "MAX_KEYS", most)
    Contract.objects.all().delete()
    keep(*texts)
    parts = words.casefold().split()
    assert found(words) == sorted(text.casefold() for text in texts if all(part in text.casefold() for part in parts))


def test_few_rows_are_told_by_their_keys_and_many_are_not(scoped, monkeypatch):
    monkeypatch.setattr(indexes, "MAX_KEYS", 2)
    rows = keep("master agreement", "data agreement", "agreement of sale", "order form")
    assert indexes.few(TABLE, ["agreement"]) is None
    assert indexes.few(TABLE, ["master", "agreement"]) == [rows[0].pk]
    assert indexes.few(TABLE, ["of"]) is None, "two letters are in no three"
    assert indexes.few(TABLE, ["nothing like it"]) == []


def test_several_tables_are_asked_at_once_and_those_without_a_row_no_more(scoped, globex, django_assert_num_queries):
    with tenant_scope(globex.pk):
        keep("northwind of another tenant")
    (row, _) = keep("northwind msa", "helios")
    with django_assert_num_queries(1), matching_at_once([Contract, Vendor], "northwind"):
        assert indexes.few(TABLE, ["northwind"]) == [row.pk]
        assert list(Vendor.objects.matching("northwind")) == []
    with matching_at_once([Contract, Vendor], "northwind"), django_assert_num_queries(1):
        assert list(Contract.objects.matching("northwind")) == [row]
    with matching_at_once([Contract], "northwind"), django_assert_num_queries(1):
        assert indexes.few(TABLE, ["helios"]) != [], "other words are looked for"
    Contract.objects.filter(pk=row.pk).update(search="helios")
    assert indexes.few(TABLE, ["northwind"]) == [], "nothing is known any more"


def test_what_is_known_is_the_tenant_s_own(scoped, globex):
    keep("northwind")
    with matching_at_once([Contract], "northwind"), tenant_scope(globex.pk):
        assert indexes.few(TABLE, ["northwind"]) == []


@pytest.mark.parametrize("words", ["", "no", "a b"])
def test_words_that_no_index_knows_are_looked_for_in_the_rows(scoped, words):
    keep("northwind a b")
    with matching_at_once([Contract], words):
        assert found(words) == ["northwind a b"]


def test_the_index_follows_every_change(scoped):
    first, second = keep("northwind", "helios")
    first.search = "contoso"
    first.save(update_fields=["search"])
    Contract.objects.filter(pk=second.pk).update(search="fabrikam")
    assert [indexes.few(TABLE, [word]) for word in ("northwind", "helios")] == [[], []]
    assert [indexes.few(TABLE, [word]) for word in ("contoso", "fabrikam")] == [[first.pk], [second.pk]]
    key = first.pk
    first.delete()
    assert indexes.few(TABLE, ["contoso"]) == []
    column = "id" if connection.vendor == "postgresql" else "rowid"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {TABLE}_parts WHERE {column} = %s", [key])  # noqa: S608 - our own names
        assert cursor.fetchone() == (0,), "what is deleted leaves nothing behind"


def test_the_end_of_a_very_long_text_is_found(scoped):
    keep("x" * (MAX_TEXT_LENGTH + 10) + "ending")
    assert len(found("ending")) == 1


def test_another_tenants_rows_are_not_even_candidates(scoped, globex):
    (mine,) = keep("northwind")
    with tenant_scope(globex.pk):
        (theirs,) = keep("northwind")
        assert indexes.few(TABLE, ["northwind"]) == [theirs.pk]
    assert indexes.few(TABLE, ["northwind"]) == [mine.pk]
    with all_tenants("a look over all of them"):
        assert indexes.few(TABLE, ["northwind"]) is None
