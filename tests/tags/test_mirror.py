"""Categories, their tags and where they are used: how the copy becomes and stays equal to the platform."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from portal.connections import http
from portal.connections.models import Answer, CallWindow, Capability
from portal.connections.services import Urgency, client_for
from portal.inbox.routes import MIRRORS
from portal.platform_api.models.knowledge import TagCategory
from portal.sync.models import Run, RunState, StaleMark
from portal.sync.services import reconcile, start_reconcile
from portal.tags.mirror import MIRRORS as OURS
from portal.tags.models import CATEGORY, CONTEXT, CONTEXTS, TAGS, Category, Context, Use
from portal.tags.services.store import AREA, store_context
from portal.tags.services.verification import fetch_context
from portal.tags.tag_names import TAG_NAMES
from tests.inbox.changed_answers import Tampering
from tests.tags.conftest import ASKED, CENTER, PAGE, PATH, here, words


@pytest.fixture
def tampering(desk, settings):
    """Sits before the platform and changes its answers."""
    made = Tampering(http.MOUNTS[settings.PLATFORM_API_URL])
    http.MOUNTS[settings.PLATFORM_API_URL] = made
    return made


def compare_as_far_as_it_goes() -> None:
    CallWindow.objects.all().delete()
    start_reconcile(OURS)
    reconcile(OURS, client_for(Urgency.PERSON), seconds=60)


def test_categories_tags_and_uses_are_copied(desk):
    there = desk.sandbox.objects(desk.tenant_id, "tag-categories")
    assert {row.platform_id: row.name for row in Category.objects.all()} == {one["id"]: one["displayName"] for one in there}
    for context in CONTEXTS:
        assert here(context) == desk.there(context)
    assert here(ASKED)
    tags = desk.sandbox.objects(desk.tenant_id, "tags")
    for row in Category.objects.all():
        assert {tag["id"]: tag["name"] for tag in row.tags} == {
            one["id"]: one["displayName"] for one in tags if one["category"] == row.platform_id
        }


def test_what_changes_there_changes_here(desk):
    category = desk.unused
    desk.switch_there(category, CENTER, is_on=True)
    there = desk.objects.get(desk.tenant_id, "tag-categories", category.platform_id)
    desk.objects.save(desk.tenant_id, "tag-categories", there | {"displayName": "Renamed"})
    desk.compare()
    assert category.platform_id in here(CENTER)
    assert Category.objects.get(pk=category.pk).name == "Renamed"
    desk.switch_there(category, CENTER, is_on=False)
    desk.compare()
    assert category.platform_id not in here(CENTER)


def test_a_category_that_is_gone_is_kept_and_comes_back(desk):
    category = desk.unused
    there = desk.objects.get(desk.tenant_id, "tag-categories", category.platform_id)
    desk.objects.delete(desk.tenant_id, "tag-categories", category.platform_id)
    desk.compare()
    assert Category.objects.get(pk=category.pk).gone_at
    desk.objects.add(desk.tenant_id, "tag-categories", there)
    desk.compare()
    assert Category.objects.get(pk=category.pk).gone_at is None


def test_tags_are_read_once_a_day_and_not_with_every_comparison(desk):
    before = len(desk.sandbox.requests(f"{PATH}/"))
    desk.compare()
    assert len(desk.sandbox.requests(f"{PATH}/")) == before
    Category.objects.update(tags_read_at=timezone.now() - timedelta(days=2))
    desk.compare()
    assert len(desk.sandbox.requests(f"{PATH}/")) == before + Category.objects.count()


def test_an_answer_to_an_older_question_does_not_undo_a_newer_one(desk):
    client = client_for(Urgency.PERSON)
    category = desk.unused
    older = fetch_context(client, CENTER)
    desk.switch_there(category, CENTER, is_on=True)
    assert store_context(fetch_context(client, CENTER))
    assert not store_context(older)
    assert category.platform_id in here(CENTER)


def test_a_category_that_only_a_context_names_is_shown(desk):
    found = fetch_context(client_for(Urgency.PERSON), CENTER)
    new = TagCategory.read({"id": "65a000000000000000000001", "displayName": "Brand new", "brandNew": [1]})
    assert store_context(replace(found, categories=[*found.categories, new]))
    row = Category.objects.get(platform_id=new.id)
    assert (row.name, row.payload["brandNew"]) == ("Brand new", [1])
    assert Use.objects.filter(category=row, context=CENTER).exists()


def test_an_unknown_context_is_shown_as_it_came_and_does_not_stop_the_others(desk, client, owner):
    Context.objects.create(platform_id="PARTNER_PORTAL", asked_at=timezone.now() - timedelta(days=1))
    Use.objects.create(category=desk.unused, context="PARTNER_PORTAL")
    desk.compare()
    assert {run.state for run in Run.objects.filter(kind__in=(CATEGORY, CONTEXT))} == {RunState.DONE}
    page = words(client.get(PAGE))
    assert "PARTNER_PORTAL" in page
    assert "The platform does not say what is used here" in page
    assert "PARTNER_PORTAL|" not in page  # nothing can be pressed there
    assert here("PARTNER_PORTAL")  # what was known stays


def test_contexts_that_are_not_found_say_so_and_keep_what_was_known(desk, sandbox):
    before = {context: here(context) for context in CONTEXTS}
    sandbox.fail("status", method="GET", path=PATH, value=404)
    compare_as_far_as_it_goes()
    assert Run.objects.get(kind=CONTEXT).state == RunState.DONE, "one of them stops no other"
    assert set(Context.objects.exclude(problem="").values_list("platform_id", flat=True)) == set(CONTEXTS)
    assert {context: here(context) for context in CONTEXTS} == before


def test_a_refused_area_blocks_the_comparison_and_is_said_plainly(desk, sandbox, client, owner):
    sandbox.fail("status", value=403, path=f"{PATH}*")
    compare_as_far_as_it_goes()
    assert {run.state for run in Run.objects.filter(kind__in=(CATEGORY, CONTEXT))} == {RunState.BLOCKED}
    Capability.objects.update_or_create(area="tag_categories", defaults={"answer": Answer.NO, "asked_at": timezone.now()})
    page = words(client.get(PAGE))
    assert "The connection does not cover tags" in page
    assert desk.unused.name in page


@pytest.mark.parametrize("answer", [b"<html>Be right back</html>", b'{"results": {"da', b"[]"], ids=repr)
def test_an_answer_that_cannot_be_read_keeps_the_rows(desk, tampering, answer):
    before = {context: here(context) for context in CONTEXTS}
    tampering.change = lambda decoded: answer
    compare_as_far_as_it_goes()
    assert {run.state for run in Run.objects.filter(kind__in=(CATEGORY, CONTEXT))} == {RunState.FAILED}
    assert {context: here(context) for context in CONTEXTS} == before
    assert not Category.objects.gone().exists()


def test_the_mirrors_are_known_to_the_drain():
    assert {CATEGORY, TAGS, CONTEXT} <= {mirror.kind for mirror in MIRRORS}
    assert {mirror.area for mirror in MIRRORS if mirror.kind in (CATEGORY, TAGS, CONTEXT)} == {AREA}


def test_a_name_that_the_platform_makes_a_mess_of_is_kept_short(desk, tampering):
    def mess(answer):
        for one in answer.get("results", []) if isinstance(answer, dict) else []:
            one["displayName"] = "\x00<script>" + "x" * 1000
        return answer

    tampering.change = mess
    desk.compare()
    assert max(len(row.name) for row in Category.objects.all()) == 300
    assert not StaleMark.objects.filter(kind=CATEGORY).exists()


def test_a_tag_that_is_gone_is_known_by_its_name_until_it_comes_back(desk):
    category = Category.objects.order_by("id")[0]
    tag = category.tags[0]
    there = desk.objects.get(desk.tenant_id, "tags", tag["id"])
    desk.objects.delete(desk.tenant_id, "tags", tag["id"])
    read_tags_anew(desk)
    category.refresh_from_db()
    assert tag not in category.tags
    assert category.former_tags == [tag]
    assert TAG_NAMES.fetch({category.platform_id})[category.platform_id].removed == {tag["id"]}
    read_tags_anew(desk)
    category.refresh_from_db()
    assert category.former_tags == [tag], "it is still known the day after"
    desk.objects.add(desk.tenant_id, "tags", there, parent_id=category.platform_id)
    read_tags_anew(desk)
    category.refresh_from_db()
    assert tag in category.tags
    assert category.former_tags == []


def test_q14_a_tag_that_cannot_be_read_is_not_taken_for_gone(desk, tampering):
    category = Category.objects.order_by("id")[0]
    before = category.tags

    def spoil(answer):
        if isinstance(answer, dict) and answer.get("category", {}).get("id") == category.platform_id:
            answer["tags"][0].pop("id")
        return answer

    tampering.change = spoil
    read_tags_anew(desk)
    category.refresh_from_db()
    assert sorted(tag["id"] for tag in category.tags) == sorted(tag["id"] for tag in before)
    assert category.former_tags == []


def read_tags_anew(desk) -> None:
    Category.objects.update(tags_read_at=timezone.now() - timedelta(days=2))
    desk.compare()
