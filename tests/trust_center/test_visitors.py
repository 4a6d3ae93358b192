"""What visitors see: by level, for one viewer, and what of it is not known."""

import pytest

from portal.trust_center.models import (
    ControlCategory,
    ControlPlacement,
    Faq,
    Framework,
    Resource,
    ShownControl,
    Subprocessor,
    Update,
)
from portal.trust_center.search_hits import update_url
from portal.trust_center.visitors import Level, Sight, Visitor, visitor_of
from tests.trust_center.conftest import PAGE

VISITOR = f"{PAGE}visitor/"


def seen(client, query: str = "", address: str = VISITOR) -> dict[str, dict[Sight, int]]:
    return {part.key: dict(part.counts) for part in client.get(f"{address}{query}").context["parts"]}


def documents(client, query: str = "", address: str = VISITOR) -> dict[str, Sight]:
    [part] = client.get(f"{address}?part=documents{query}").context["parts"]
    return {row.platform_id: each.sight for row, each in zip(part.page.rows, part.objects, strict=True)}


def test_each_level_sees_what_the_platform_shows_it(client, owner, desk):
    public = {key for key, found in desk.there("resources").items() if found["isPublic"]}
    others = set(desk.there("resources")) - public
    assert public
    assert others
    expected = {"public": Sight.LOCKED, "nda": Sight.LOCKED, "partial": Sight.GRANTED, "full": Sight.SHOWN}
    for level, sight in expected.items():
        found = documents(client, f"&level={level}")
        assert {key for key, each in found.items() if each == Sight.SHOWN} == (
            public if sight != Sight.SHOWN else public | others
        )
        assert {found[key] for key in others} == {sight}
    for part in ("faqs", "subprocessors", "frameworks"):
        model = {"faqs": Faq, "subprocessors": Subprocessor, "frameworks": Framework}[part]
        assert seen(client)[part] == {Sight.SHOWN: model.objects.filter(gone_at=None).count()}


def test_updates_of_viewers_are_hidden_from_the_public_and_nobody_knows_of_those_without_an_nda(client, owner, desk):
    row = Update.objects.order_by("pk")[0]
    desk.change("updates", row.platform_id, visibilityType="PRIVATE")
    desk.compare()
    rest = Update.objects.present().count() - 1
    expected = {"public": Sight.HIDDEN, "nda": Sight.UNKNOWN}
    for level, sight in expected.items():
        assert seen(client, f"?level={level}")["updates"] == {Sight.SHOWN: rest, sight: 1}
    for level in ("partial", "full"):
        assert seen(client, f"?level={level}")["updates"] == {Sight.SHOWN: rest + 1}


def test_c3_who_sees_an_update_is_not_known_where_the_platform_has_another_word_for_it(client, owner, desk):
    row = Update.objects.order_by("pk")[0]
    desk.change("updates", row.platform_id, visibilityType="PARTNERS_ONLY")
    desk.compare()
    rest = Update.objects.present().count() - 1
    for level in ("public", "partial", "full"):
        assert seen(client, f"?level={level}")["updates"] == {Sight.SHOWN: rest, Sight.UNKNOWN: 1}
    page = client.get(update_url("acme", row.platform_id)).content
    assert (b"Partners only" in page, b"Everyone you gave access" in page) == (True, False)


def test_a_shareable_category_is_said_to_be_undocumented_and_a_public_one_beside_it_counts(client, owner, desk):
    first, second = ControlCategory.objects.present()[:2]
    inside = ShownControl.objects.present().in_category(first.platform_id).count()
    assert inside
    total = ShownControl.objects.present().count()
    desk.change("control-categories", first.platform_id, visibility="SHAREABLE")
    desk.compare()
    assert seen(client)["controls"] == {Sight.SHOWN: total - inside, Sight.UNKNOWN: inside}
    row = ShownControl.objects.present().in_category(first.platform_id)[0]
    ControlPlacement.objects.create(control=row, category_id=second.platform_id, category_name=second.name)
    assert seen(client, "?level=full")["controls"][Sight.UNKNOWN] == inside - 1


def test_a_trust_center_that_is_not_public_is_said_to_be_so(client, owner, desk):
    assert client.get(VISITOR).context["openness"].is_public is True
    [center] = desk.there("trust-centers")
    desk.change("trust-centers", center, isPublic=False)
    desk.compare()
    page = client.get(VISITOR)
    assert page.context["openness"].is_public is False
    assert "isn't public" in page.content.decode()


def test_what_went_there_is_seen_by_nobody(client, owner, desk):
    number = Resource.objects.present().count()
    Resource.objects.filter(pk=Resource.objects.order_by("pk")[0].pk).update(gone_at="2026-01-01T00:00Z")
    assert sum(seen(client)["documents"].values()) == number - 1


def test_r3_what_was_not_read_yet_is_no_none(client, alice, connected):
    client.force_login(alice)
    page = client.get(VISITOR)
    assert all(not part.readiness.is_known and not part.counts for part in page.context["parts"])
    assert not page.context["openness"].is_read
    assert "None</span>" not in page.content.decode()


@pytest.mark.parametrize(
    ("facts", "level", "granted"),
    [
        ({}, Level.FULL, None),
        ({"resource_ids": ["r1"]}, Level.FULL, None),
        ({"access_level": "PARTIAL_ACCESS", "resource_ids": ["r1"]}, Level.PARTIAL, frozenset({"r1"})),
        ({"access_level": "PARTIAL_ACCESS", "resource_ids": []}, Level.PARTIAL, frozenset()),
        ({"access_level": "PARTIAL_ACCESS"}, Level.FULL, None),
        ({"is_nda_pending": True}, Level.NDA, None),
        ({"is_over": True, "is_nda_pending": True}, Level.PUBLIC, None),
        ({"access_level": "HEARD_OF_LATER"}, Level.OTHER, None),
    ],
)
def test_what_visitor_a_viewer_is(facts, level, granted):
    known = {"access_level": "FULL_ACCESS", "resource_ids": None, "is_nda_pending": False, "is_over": False}
    assert visitor_of(**known | facts) == Visitor(level=level, granted=granted)
