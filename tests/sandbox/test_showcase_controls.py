"""Platform-api 4.5.6, specification 2.2 and 4.2: controls that the Trust Center shows, their tags and categories."""

from typing import Any

from tests.sandbox.platform import Platform
from tests.sandbox.test_showcase import everything, refused, remove, send


def controls(platform: Platform) -> list[dict[str, Any]]:
    return platform.data(platform.trust_center("/controls"))


def of_category(platform: Platform, category_id: str) -> list[str]:
    """Return the ids of the controls of a category in the order of the list."""
    return [each["id"] for each in controls(platform) if category_id in [held["id"] for held in each["categories"]]]


def category_ids(platform: Platform) -> list[str]:
    return [category["id"] for category in everything(platform, "/control-categories")]


def test_a_control_is_added_with_its_categories(platform: Platform) -> None:
    first, second, *_ = everything(platform, "/control-categories")
    made = send(platform, "POST", "/controls", controlId="access-review", categoryIds=[first["id"]])
    assert made == {"id": made["id"], "name": "access-review", "description": "", "categories": [first]}
    again = send(platform, "POST", "/controls", controlId=made["id"], categoryIds=[first["id"], second["id"]])
    assert again == made | {"categories": [first, second]}
    assert platform.get(platform.trust_center(f"/controls/{made['id']}")) == again
    remove(platform, f"/controls/{made['id']}")
    assert again not in controls(platform)


def test_a_control_needs_a_category_that_exists(platform: Platform) -> None:
    assert {*refused(platform, "POST", "/controls")} == {"body.controlId", "body.categoryIds"}
    assert refused(platform, "POST", "/controls", controlId="x", categoryIds=[]) == ["body.categoryIds"]
    assert refused(platform, "POST", "/controls", controlId="", categoryIds=category_ids(platform)) == ["body.controlId"]
    send(platform, "POST", "/controls", 422, controlId="x", categoryIds=["unknown"])


def tags_of(platform: Platform, number: int) -> tuple[str, list[str]]:
    """Return a tag category and its tags."""
    category_id = platform.get("/customer-trust/tag-categories")["results"][number]["id"]
    tags = platform.get(f"/customer-trust/tag-categories/{category_id}")["tags"]
    return category_id, [tag["id"] for tag in tags]


def tags_kept(platform: Platform, control: dict[str, Any]) -> Any:
    """Return the tags of a control, which no answer tells."""
    assert "tags" not in control
    return platform.sandbox.objects.get(platform.tenant.id, "trust-center-controls", control["id"])["tags"]


def test_tags_are_added_and_removed_by_category(platform: Platform) -> None:
    ids = [control["id"] for control in controls(platform)[3:5]]
    (region, (europe, america, asia)), (product, (core, *_)) = tags_of(platform, 0), tags_of(platform, 1)
    sent = {"controlIds": ids, "tagCategory": region, "tags": [europe, america]}
    tagged = send(platform, "POST", "/controls/tags", **sent)["results"]
    assert [control["id"] for control in tagged] == ids
    held = [{"categoryId": region, "tagId": europe}, {"categoryId": region, "tagId": america}]
    assert [tags_kept(platform, control) for control in tagged] == [held] * 2
    send(platform, "POST", "/controls/tags", **(sent | {"tagCategory": product, "tags": [core]}))
    left = send(platform, "DELETE", "/controls/tags", **(sent | {"tags": [america, asia]}))["results"][0]
    assert tags_kept(platform, left) == [held[0], {"categoryId": product, "tagId": core}]
    send(platform, "DELETE", "/controls/tags", **sent)
    found = platform.get(platform.trust_center(f"/controls/{ids[1]}"))
    assert tags_kept(platform, found) == [{"categoryId": product, "tagId": core}]


def test_at_most_a_hundred_controls_are_tagged_at_once(platform: Platform) -> None:
    [some, *_], (region, tags) = controls(platform), tags_of(platform, 0)
    for ids in ([], [some["id"]] * 101):
        wrong = {"controlIds": ids, "tagCategory": region, "tags": tags}
        assert refused(platform, "POST", "/controls/tags", **wrong) == ["body.controlIds"]
    send(platform, "DELETE", "/controls/tags", 422, controlIds=["unknown"], tagCategory=region, tags=tags)


def test_controls_show_a_category_as_it_is_now(platform: Platform) -> None:
    made = send(platform, "POST", "/control-categories", name="New")
    assert made == {"id": made["id"], "name": "New", "visibility": "PUBLIC", "statusVisibilityOverride": None}
    control = send(platform, "POST", "/controls", controlId="x", categoryIds=[made["id"]])
    change = {"visibility": "SHAREABLE", "statusVisibilityOverride": "SHOW_OK_ONLY"}
    path = f"/control-categories/{made['id']}"
    changed = send(platform, "PATCH", path, **change)
    assert platform.get(platform.trust_center(path)) == changed == made | change
    assert platform.get(platform.trust_center(f"/controls/{control['id']}"))["categories"] == [changed]
    assert send(platform, "PATCH", path, statusVisibilityOverride=None)["statusVisibilityOverride"] is None
    assert refused(platform, "PATCH", path, visibility="PRIVATE") == ["body.visibility"]


def test_the_controls_of_a_deleted_category_leave_with_it(platform: Platform) -> None:
    category_id = category_ids(platform)[0]
    gone, before = of_category(platform, category_id), controls(platform)
    remove(platform, f"/control-categories/{category_id}")
    assert category_id not in category_ids(platform)
    assert gone
    assert controls(platform) == [control for control in before if control["id"] not in gone]


def test_controls_enter_and_leave_a_category(platform: Platform) -> None:
    first, second, *_ = everything(platform, "/control-categories")
    here, there = of_category(platform, first["id"])[1], of_category(platform, second["id"])[0]
    path = f"/control-categories/{first['id']}/controls"
    assert send(platform, "PATCH", path, controlsToAdd=[there], controlsToRemove=[here]) == first
    assert there in of_category(platform, first["id"]) and there in of_category(platform, second["id"])
    assert here not in of_category(platform, first["id"])
    assert {*refused(platform, "PATCH", path)} == {"body.controlsToAdd", "body.controlsToRemove"}
    send(platform, "PATCH", path, 422, controlsToAdd=["unknown"], controlsToRemove=[])


def test_the_controls_of_a_category_stand_in_the_order_that_was_sent(platform: Platform) -> None:
    category_id = category_ids(platform)[0]
    before = of_category(platform, category_id)
    path = f"/control-categories/{category_id}/controls/order"
    assert send(platform, "PUT", path, orderedControlIds=before[::-1])["id"] == category_id
    assert of_category(platform, category_id) == before[::-1]
    assert refused(platform, "PUT", path, orderedControlIds=before[1:]) == ["body.orderedControlIds"]
