"""Tags of questionnaires: the filter, the links on rows, what tags are called, and what of it follows the platform."""

import csv
import io
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.accounts.tags import key_of_tag, tag_of_key, tags_in
from portal.questionnaires.models import Questionnaire, QuestionnaireTag
from portal.questionnaires.services.store import MAX_TAGS
from portal.saved_views.models import SavedView
from portal.sync.models import StaleMark
from portal.tags.models import TAGS, Category
from portal.tags.search_hits import find_tags
from portal.tenants.scope import tenant_scope
from tests.questionnaires.tagged import PAGE, narrowed, offered, shown
from tests.questionnaires.test_list import make

pytestmark = pytest.mark.both
ODD = ("a/b %2F?", "Ü#&+ d/e")


def name_of(desk, tag) -> str:
    return desk.there("tags")[tag[1]]["displayName"]


def label_of(desk, tag) -> str:
    return f"{desk.there('tag-categories')[tag[0]]['displayName']}: {name_of(desk, tag)}"


def test_the_list_the_board_the_tabs_and_the_file_are_narrowed_to_a_tag(analyst, tagged):
    first, second = tagged.tags()[:2]
    one, other, last = tagged.questionnaires
    everything = analyst.get(PAGE, {"stage": "all"})
    assert shown(everything) == {one.platform_id, other.platform_id, last.platform_id}
    assert offered(everything) == {key_of_tag(tag): label_of(tagged, tag) for tag in (first, second)}
    page = analyst.get(PAGE, narrowed(first))
    assert shown(page) == {one.platform_id, other.platform_id}
    assert {tab["label"]: tab["count"] for tab in page.context["tabs"]}["All"] == 2
    assert shown(analyst.get(PAGE, narrowed(second))) == {other.platform_id}
    columns = analyst.get(PAGE, narrowed(second) | {"view": "board"}).context["columns"]
    assert [card.pk for column in columns for card in column.cards] == [other.pk]
    file = b"".join(analyst.post(f"{PAGE}export/?{urlencode(narrowed(second))}").streaming_content).decode("utf-8-sig")
    [row] = csv.DictReader(io.StringIO(file))
    assert row["Id"] == other.platform_id
    assert set(row["Tags"].split("; ")) == {label_of(tagged, first), label_of(tagged, second)}
    # What is chosen with "all that match" is the narrowed list too.
    asked = analyst.post(f"{PAGE}bulk/?{urlencode(narrowed(second))}", {"action": "assign", "all": "1"})
    assert [row.pk for row in asked.context["names"]] == [other.pk]


def test_a_saved_view_keeps_the_tag(analyst, tagged):
    query = urlencode(narrowed(tagged.tags()[0]))
    analyst.post(f"/t/acme/views/of/questionnaires/?{query}", {"name": "Of this tag"})
    assert SavedView.objects.get().query == query
    assert len(shown(analyst.get(f"{PAGE}?{query}"))) == 2


@pytest.mark.parametrize("value", ["", "nonsense", "a/b", "/", "a/b/c", "%00/x", "x" * 5000, "%ED%A0%80/%"])
def test_an_unknown_tag_means_the_default(analyst, tagged, value):
    page = analyst.get(PAGE, {"stage": "all", "tag": value})
    assert len(shown(page)) == 3
    assert not page.context["filters"].is_narrowed
    assert page.context["filters"].query() == "?stage=all"


def test_s1_a_tag_of_another_tenant_filters_nothing_and_is_offered_to_nobody(analyst, tagged, globex, mallory):
    foreign = ("c-globex", "t-globex")
    with tenant_scope(globex.pk):
        theirs = make("Globex secret", tags=[{"categoryId": foreign[0], "tagId": foreign[1]}])
        QuestionnaireTag.objects.create(questionnaire=theirs, category_id=foreign[0], tag_id=foreign[1])
        tags = [{"id": foreign[1], "name": "Merger"}]
        Category.objects.create(platform_id=foreign[0], name="Secret", tags=tags, search="secret merger")
    page = analyst.get(PAGE, narrowed(foreign))
    assert len(shown(page)) == 3
    assert key_of_tag(foreign) not in offered(page)
    assert "Merger" not in page.content.decode()
    assert list(find_tags("merger", "acme", 5)) == []
    analyst.force_login(mallory)
    theirs_narrowed = analyst.get("/t/globex/questionnaires/", narrowed(foreign))
    assert shown(theirs_narrowed) == {theirs.platform_id}
    # And the other way round: a tag of acme's is none of theirs.
    page = analyst.get("/t/globex/questionnaires/", narrowed(tagged.tags()[0]))
    assert shown(page) == {theirs.platform_id}
    assert not page.context["filters"].is_narrowed


def test_a_tag_leads_from_its_row_and_from_the_details_to_the_list(analyst, tagged):
    first, *others = tagged.tags()
    row = tagged.questionnaires[1]
    tagged.tag(row, first, *others)
    tagged.compare()
    page = analyst.get(PAGE, {"stage": "all", "due": "", "sort": "updated"})
    [tags] = [tags for shown_row, tags in page.context["rows"] if shown_row.pk == row.pk]
    assert [tag["label"] for tag in tags] == [name_of(tagged, tag) for tag in (first, *others)]
    assert tags[0]["url"] == f"?{urlencode({'stage': 'all', 'tag': key_of_tag(first), 'sort': 'updated'})}"
    text = " ".join(page.content.decode().split())
    assert text.count('class="tag"') == 1 + 2, "the first two of a row"
    assert f'<span aria-hidden="true">+{len(others) - 1}</span>' in text
    assert label_of(tagged, others[-1]) in text, "the others are named where one looks for them"
    details = analyst.get(f"{PAGE}{row.platform_id}/details/").content.decode()
    for tag in (first, *others):
        assert f"{PAGE}?{urlencode(narrowed(tag)).replace('&', '&amp;')}" in details
    assert shown(analyst.get(PAGE, narrowed(others[-1]))) == {row.platform_id}


def test_another_name_of_a_tag_stands_on_open_pages_at_once(analyst, tagged):
    first = tagged.tags()[0]
    analyst.get(PAGE)
    tagged.compare()  # the first look has the people read who can own a questionnaire
    page = analyst.get(PAGE, narrowed(first))
    details = f"{PAGE}{tagged.questionnaires[0].platform_id}/details/"
    open_list = {"HX-Request": "true", "Seen": page.context["page_version"]}
    open_details = {"HX-Request": "true", "Seen": analyst.get(details).context["facts_version"]}
    tagged.read_tags_anew()
    assert analyst.get(PAGE, narrowed(first), headers=open_list).status_code == 204
    tagged.change("tags", first[1], displayName="Antarctica")
    tagged.read_tags_anew()
    answer = analyst.get(PAGE, narrowed(first), headers=open_list)
    assert answer.status_code == 200
    assert "Antarctica" in answer.content.decode()
    assert "Antarctica" in analyst.get(details, headers=open_details).content.decode()
    assert offered(answer)[key_of_tag(first)].endswith(": Antarctica")


def test_a_tag_that_the_platform_removed_is_called_by_its_name_and_offered_no_more(analyst, tagged):
    first, second = tagged.tags()[:2]
    label = label_of(tagged, first)
    there = tagged.objects.get(tagged.tenant_id, "tags", first[1])
    tagged.objects.delete(tagged.tenant_id, "tags", first[1])
    tagged.read_tags_anew()
    assert set(offered(analyst.get(PAGE, {"stage": "all"}))) == {key_of_tag(second)}
    # Who still has it in an address or a saved view sees what it is, and what has it.
    page = analyst.get(PAGE, narrowed(first))
    assert len(shown(page)) == 2
    assert offered(page)[key_of_tag(first)] == label
    assert label in page.content.decode()
    tagged.objects.add(tagged.tenant_id, "tags", there, parent_id=first[0])
    tagged.read_tags_anew()
    assert offered(analyst.get(PAGE, {"stage": "all"}))[key_of_tag(first)] == label


def test_tags_of_a_category_that_is_gone_are_offered_no_more(analyst, tagged):
    gone = tagged.tags()[0][0]
    Category.objects.filter(platform_id=gone).update(gone_at=timezone.now())
    assert gone not in {tag_of_key(key)[0] for key in offered(analyst.get(PAGE, {"stage": "all"}))}


def test_what_the_platform_takes_from_a_questionnaire_is_taken_here(analyst, tagged):
    first, second = tagged.tags()[:2]
    one, other, _ = tagged.questionnaires
    tagged.tag(one)
    tagged.tag(other, second)
    tagged.compare()
    page = analyst.get(PAGE, narrowed(first))
    assert shown(page) == set(), "it is a tag of the platform, and no questionnaire has it"
    assert key_of_tag(first) not in offered(analyst.get(PAGE, {"stage": "all"}))
    assert list(QuestionnaireTag.objects.values_list("questionnaire_id", flat=True)) == [other.pk]


def test_a_questionnaire_that_is_gone_has_no_tag_until_it_comes_back(analyst, tagged):
    second = tagged.tags()[1]
    other = tagged.questionnaires[1]
    mirror = next(each for each in tagged.mirrors if each.kind == "questionnaire")
    assert mirror.mark_gone(other.platform_id)
    assert not QuestionnaireTag.objects.filter(questionnaire=other).exists()
    assert shown(analyst.get(PAGE, narrowed(second))) == set()
    tagged.compare()
    assert shown(analyst.get(PAGE, narrowed(second))) == {other.platform_id}


def test_a_tag_that_is_not_known_yet_is_told_apart_by_its_id_and_asked_for(analyst, tagged):
    category_id = tagged.tags()[0][0]
    new = (category_id, "65b1000000000000000000ff")
    tagged.tag(tagged.questionnaires[0], new)
    tagged.compare()
    [label] = [label for key, label in offered(analyst.get(PAGE, {"stage": "all"})).items() if key == key_of_tag(new)]
    assert label.endswith(f": Unknown tag ({new[1]})")
    assert not StaleMark.objects.due().filter(kind=TAGS).exists(), "its category was read within the hour"
    Category.objects.update(tags_read_at=timezone.now() - timedelta(hours=2))
    added = {"id": new[1], "category": category_id, "displayName": "Brand new"}
    tagged.objects.add(tagged.tenant_id, "tags", added, parent_id=category_id)
    before = len(tagged.calls("GET", f"/tag-categories/{category_id}"))
    tagged.compare()
    assert len(tagged.calls("GET", f"/tag-categories/{category_id}")) == before + 1
    assert offered(analyst.get(PAGE, {"stage": "all"}))[key_of_tag(new)].endswith(": Brand new")


def test_where_the_grant_covers_no_categories_tags_are_shown_as_they_came(analyst, tagged):
    Category.objects.all().delete()
    first, second = tagged.tags()[:2]
    assert offered(analyst.get(PAGE, {"stage": "all"})) == {
        key_of_tag(tag): f"Unknown tag ({tag[1]})" for tag in (first, second)
    }
    assert len(shown(analyst.get(PAGE, narrowed(first)))) == 2


def test_s5_odd_ids_and_odd_shapes_are_borne(analyst, tagged):
    one = tagged.questionnaires[0]
    odd = [None, "x", {}, {"categoryId": "c"}, {"categoryId": 1, "tagId": 2}, {"categoryId": "..", "tagId": "t"}]
    listed = [*odd, *[{"categoryId": ODD[0], "tagId": ODD[1]}] * 2]
    tagged.change("questionnaires", one.platform_id, tagAndCategoryIds=listed)
    tagged.compare()
    assert Questionnaire.objects.get(pk=one.pk).tag_ids == [ODD]
    page = analyst.get(PAGE, narrowed(ODD))
    assert shown(page) == {one.platform_id}
    [(_, [tag])] = page.context["rows"]
    assert shown(analyst.get(PAGE + tag["url"])) == {one.platform_id}
    assert tag_of_key(key_of_tag(ODD)) == ODD
    assert tags_in("nothing") == tags_in(None) == tags_in(odd) == []
    many = [{"categoryId": "c", "tagId": str(number)} for number in range(MAX_TAGS + 5)]
    tagged.change("questionnaires", one.platform_id, tagAndCategoryIds=many)
    tagged.compare()
    assert QuestionnaireTag.objects.filter(questionnaire=one).count() == MAX_TAGS


def test_s3_hostile_names_are_text(analyst, tagged):
    first = tagged.tags()[0]
    tagged.change("tags", first[1], displayName='<img src=x onerror="alert(1)">')
    tagged.read_tags_anew()
    for page in (PAGE, f"{PAGE}{tagged.questionnaires[0].platform_id}/details/"):
        text = analyst.get(page, {"stage": "all"}).content.decode()
        assert "<img src=x" not in text
        assert "&lt;img src=x" in text


@pytest.mark.usefixtures("within_a_minute")
def test_tags_cost_the_list_no_query(analyst, tagged):
    first = tagged.tags()[0]

    def asked(query) -> int:
        analyst.get(PAGE, query)  # what is counted once and kept
        with CaptureQueriesContext(connection) as captured:
            analyst.get(PAGE, query)
        return len(captured)

    few, few_narrowed = asked({"stage": "all"}), asked(narrowed(first))
    for number in range(60):
        row = make(f"Many {number}", due=number, tags=[{"categoryId": first[0], "tagId": first[1]}])
        QuestionnaireTag.objects.create(questionnaire=row, category_id=first[0], tag_id=first[1])
    assert asked({"stage": "all"}) == few
    assert asked(narrowed(first)) == few_narrowed
    Questionnaire.objects.update(tags=[])
    QuestionnaireTag.objects.all().delete()
    assert asked({"stage": "all"}) == few, "with tags and without"


def test_pages_lead_through_everything_with_a_tag(analyst, tagged):
    first = tagged.tags()[0]
    for number in range(120):
        row = make(f"{number:03} tagged", due=number // 7)
        QuestionnaireTag.objects.create(questionnaire=row, category_id=first[0], tag_id=first[1])
    found, cursor = list[str](), ""
    for _ in range(3):
        page = analyst.get(PAGE, {"tag": key_of_tag(first), "q": "tagged", "cursor": cursor}).context["page"]
        found += [row.name for row in page.rows]
        cursor = page.next_cursor
    assert found == [f"{number:03} tagged" for number in range(120)]
    assert cursor is None


def test_the_search_over_all_desks_finds_a_tag_and_leads_to_its_questionnaires(analyst, tagged):
    first = tagged.tags()[0]
    [found] = find_tags(label_of(tagged, first).replace(":", ""), "acme", 5)
    assert (found.title, found.note) == (name_of(tagged, first), label_of(tagged, first).partition(":")[0])
    assert len(shown(analyst.get(found.url))) == 2
    page = analyst.get("/t/acme/search/", {"q": name_of(tagged, first)}).content.decode()
    assert found.url.replace("&", "&amp;") in page
    listed = analyst.get("/t/acme/tags/").content.decode()
    assert found.url.replace("&", "&amp;") in listed


def test_the_form_of_a_new_questionnaire_offers_no_tag_that_is_gone(analyst, tagged):
    first, second = tagged.tags()[:2]
    tagged.objects.delete(tagged.tenant_id, "tags", first[1])
    tagged.read_tags_anew()
    page = analyst.get(f"{PAGE}new/").content.decode()
    assert label_of(tagged, second) in page
    assert f'value="{"/".join(first)}"' not in page
