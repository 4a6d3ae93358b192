"""Many values in one statement: each database takes them in its own form, and finds the same rows."""

import pytest

from portal.questionnaires.models import Questionnaire

IDS = ["plain", "it's", 'a "quoted" {one}, with commas', "back\\slash", "ümläut/~", "null", ""]


@pytest.fixture
def rows(scoped) -> dict[str, int]:
    """Questionnaires with ids that quoting could spoil, and the keys of their rows."""
    made = Questionnaire.objects.bulk_create(
        [Questionnaire(platform_id=each, created_at="2026-01-01T00:00Z", updated_at="2026-01-01T00:00Z") for each in IDS]
    )
    return {row.platform_id: row.pk for row in made}


def found(**among: object) -> set[str]:
    return set(Questionnaire.objects.filter(**among).values_list("platform_id", flat=True))


@pytest.mark.parametrize("wanted", [IDS, IDS[:1], IDS[1:4], ["nothing such"], ["nothing such", IDS[-1]], []], ids=len)
def test_rows_are_found_by_many_texts_or_keys(rows, wanted):
    here = {*wanted} & {*IDS}
    assert found(platform_id__among=wanted) == here
    assert found(platform_id__among=dict.fromkeys(wanted)) == here
    assert found(pk__among=[rows.get(each, 2**40) for each in wanted]) == here


def test_rows_are_changed_and_left_out_by_many_keys(rows):
    some = [rows[each] for each in IDS[:3]]
    assert Questionnaire.objects.filter(pk__among=some).update(status="COMPLETE") == 3
    assert found(status="COMPLETE") == {*IDS[:3]}
    assert set(Questionnaire.objects.exclude(pk__among=some).values_list("platform_id", flat=True)) == {*IDS[3:]}
