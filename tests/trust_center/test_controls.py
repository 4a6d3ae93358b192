"""Controls that visitors see, and their categories: shown, moved, taken off; what a lost answer or a deletion comes to."""

import pytest
from django.core.exceptions import PermissionDenied

from portal.audit.models import Entry
from portal.connections.services import Urgency, probes
from portal.platform_api.models.showcase import ShownControl as RemoteShownControl
from portal.sync.models import StaleMark
from portal.tenants.models import Role
from portal.trust_center import services
from portal.trust_center.models import Control, ControlCategory, ShownControl
from portal.trust_center.search_hits import control_url
from portal.trust_center.services.store_controls import store_shown_control
from tests.support.members import find_member
from tests.sync.desk import two_minutes_pass
from tests.trust_center.conftest import CALL, PAGE

CONTROLS, CATEGORIES = f"{PAGE}controls/", f"{PAGE}controls/categories/"
SHOWN, PLATFORM_CATEGORIES = "trust-center-controls", "control-categories"


def category_url(row: ControlCategory, verb: str) -> str:
    return f"{CATEGORIES}{control_url('acme', row.platform_id).rpartition('controls/')[2]}{verb}/"


def add_url(row: Control) -> str:
    return f"{CONTROLS}add/{control_url('acme', row.platform_id).rpartition('controls/')[2]}"


def there(desk, control: Control | ShownControl) -> set[str]:
    """The categories a control stands in on the platform."""
    return {each["id"] for each in desk.there(SHOWN)[control.platform_id]["categories"]}


def listed(client, query: str = "") -> list[str]:
    return [row.platform_id for row in client.get(f"{CONTROLS}{query}").context["page"].rows]


@pytest.fixture
def categories(desk) -> list[ControlCategory]:
    found = list(ControlCategory.objects.present())
    assert len(found) >= 3
    return found


@pytest.fixture
def control(desk) -> Control:
    return Control.objects.not_shown()[0]


@pytest.mark.both
def test_a_control_of_the_tenant_is_shown_in_categories_moved_and_taken_off(client, desk, member, control, categories):
    analyst = member(Role.ANALYST)
    client.force_login(analyst)
    first, second, third = categories[:3]
    offered = client.get(f"{CONTROLS}add/").context["page"].rows
    assert control in offered
    assert client.post(add_url(control), {}).status_code == 422, "it needs a category"
    assert not desk.calls("POST", "/controls")
    answer = client.post(add_url(control), {"categories": [first.platform_id, second.platform_id]})
    page = control_url("acme", control.platform_id)
    assert answer["Location"] == page
    assert there(desk, control) == {first.platform_id, second.platform_id}
    assert control not in client.get(f"{CONTROLS}add/").context["page"].rows
    assert control.platform_id in listed(client, f"?category={second.platform_id}")
    form = client.get(f"{page}categories/").context["form"]
    client.post(f"{page}categories/", {"categories": [second.platform_id, third.platform_id], "seen": form.version})
    assert there(desk, control) == {second.platform_id, third.platform_id}
    shown = ShownControl.objects.get(platform_id=control.platform_id)
    assert shown.category_name == second.name
    assert control.platform_id not in listed(client, f"?category={first.platform_id}")
    assert client.post(f"{page}remove/")["Location"] == CONTROLS
    assert control.platform_id not in desk.there(SHOWN)
    assert control.platform_id not in listed(client)
    assert client.get(page).status_code == 200, "what it was can still be read"
    assert control in client.get(f"{CONTROLS}add/").context["page"].rows
    done = Entry.objects.filter(target_id=control.platform_id, actor=analyst).order_by("pk")
    assert list(done.values_list("action", flat=True)) == ["shown_control.show", "shown_control.move", "shown_control.hide"]


def test_a_viewer_reads_and_changes_nothing(client, desk, member, control, categories):
    viewer = find_member(user=member(Role.VIEWER))
    client.force_login(viewer.user)
    assert listed(client)
    assert client.get(f"{CONTROLS}add/").status_code == 403
    assert client.post(add_url(control), {"categories": [categories[0].platform_id]}).status_code == 403
    with pytest.raises(PermissionDenied):
        services.show_control(control, [categories[0].platform_id], member=viewer)
    with pytest.raises(PermissionDenied):
        services.hide_control(ShownControl.objects.all()[0], member=viewer)
    with pytest.raises(PermissionDenied):
        services.move_control_category(categories[0], up=False, member=viewer)
    assert control.platform_id not in desk.there(SHOWN)


@pytest.mark.both
def test_the_list_is_in_the_order_of_the_trust_center_and_is_narrowed(client, owner, desk, categories):
    rows = list(ShownControl.objects.present())
    positions = {each.platform_id: each.position for each in categories}
    places = [min(positions[key] for key in there(desk, row)) for row in rows]
    assert places == sorted(places)
    assert listed(client) == [row.platform_id for row in rows]
    word = rows[-1].name.split()[0]
    assert rows[-1].platform_id in listed(client, f"?q={word}")
    assert set(listed(client, f"?category={categories[0].platform_id}")) == {
        key
        for key, found in desk.there(SHOWN).items()
        if categories[0].platform_id in {each["id"] for each in found["categories"]}
    }
    assert listed(client, "?category=none") == []


@pytest.mark.both
def test_a_category_is_added_once_renamed_moved_and_its_controls_follow(client, owner, desk, categories):
    client.post(f"{CATEGORIES}new/", {"name": "Resilience"})
    client.post(f"{CATEGORIES}new/", {"name": "Resilience"})
    assert [found["name"] for found in desk.there(PLATFORM_CATEGORIES).values()].count("Resilience") == 1
    first, second = categories[:2]
    client.post(category_url(first, "rename"), {"name": "Where it runs"})
    assert desk.there(PLATFORM_CATEGORIES)[first.platform_id]["name"] == "Where it runs"
    assert ShownControl.objects.present()[0].category_name == "Where it runs"
    client.post(category_url(second, "move"), {"to": "up"})
    assert list(ControlCategory.objects.present().values_list("platform_id", flat=True)[:2]) == [
        second.platform_id,
        first.platform_id,
    ]
    assert ShownControl.objects.present()[0].category_name == second.name
    client.post(category_url(second, "move"), {"to": "up"})
    assert len(desk.calls("PUT", "/control-categories/order")) == 1, "it is the first one already"
    # What was written here is what the platform says.
    columns = ("platform_id", "category_name", "category_sort")
    before = list(ShownControl.objects.values_list(*columns))
    order = list(ControlCategory.objects.present().values_list("platform_id", flat=True))
    desk.compare()
    assert list(ShownControl.objects.values_list(*columns)) == before
    assert list(ControlCategory.objects.present().values_list("platform_id", flat=True)) == order
    actions = Entry.objects.filter(action__startswith="control_category.").order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["control_category.add", "control_category.rename", "control_category.move"]


def test_q14_no_order_is_sent_that_lacks_a_category_which_cannot_be_read(client, owner, desk, categories):
    order = list(ControlCategory.objects.present().values_list("platform_id", flat=True))
    desk.change(PLATFORM_CATEGORIES, categories[2].platform_id, name=None)
    said = client.post(category_url(categories[1], "move"), {"to": "up"}, follow=True).content.decode()
    assert "could not be read (some of the categories)" in said
    assert not desk.calls("PUT", "/control-categories/order")
    assert list(ControlCategory.objects.present().values_list("platform_id", flat=True)) == order
    assert not Entry.objects.filter(action="control_category.move").exists()


@pytest.mark.both
def test_a_deleted_category_takes_along_what_is_in_no_other_one(client, owner, desk, categories):
    first, second = categories[:2]
    alone = [row for row in ShownControl.objects.present() if there(desk, row) == {first.platform_id}]
    kept, *leaving = alone
    assert leaving
    seen = services.version_of_choice([first.platform_id])
    services.set_categories(kept, [first.platform_id, second.platform_id], seen=seen, member=owner)
    client.post(category_url(first, "delete"))
    assert first.platform_id not in desk.there(PLATFORM_CATEGORIES)
    assert not {row.platform_id for row in leaving} & {*desk.there(SHOWN), *listed(client)}
    assert there(desk, kept) == {second.platform_id}
    assert kept.platform_id in listed(client, f"?category={second.platform_id}")
    assert StaleMark.objects.filter(kind="shown_control", object_id=kept.platform_id).exists(), "what became of it is looked up"


def test_a_lost_answer_is_looked_up_and_nothing_is_sent_twice(client, owner, desk, control, categories, sandbox):
    chosen = {"categories": [categories[0].platform_id]}
    sandbox.fail("drop_answer", method="POST", path=f"{CALL}/controls", times=1)
    assert client.post(add_url(control), chosen).status_code == 302
    assert len(desk.calls("POST", "/controls")) == 1
    other = Control.objects.not_shown()[0]
    sandbox.fail("drop_answer", method="POST", path=f"{CALL}/controls", times=1)
    sandbox.fail("status", method="GET", path=f"{CALL}/controls/*", value=503, times=9)
    answer = client.post(add_url(other), chosen)
    assert answer.status_code == 422
    assert answer.context["form"]["categories"].value() == chosen["categories"]
    assert StaleMark.objects.filter(kind="shown_control", object_id=other.platform_id, urgent=True).exists()
    assert not ShownControl.objects.filter(platform_id=other.platform_id).exists()
    sandbox.control("DELETE", "/faults")
    desk.drain()
    assert ShownControl.objects.present().filter(platform_id=other.platform_id).exists()


def test_w2_categories_that_somebody_else_has_chosen_are_shown_before_they_are_replaced(client, owner, desk, categories):
    row = ShownControl.objects.present()[0]
    page = f"{control_url('acme', row.platform_id)}categories/"
    form = client.get(page).context["form"]
    other = next(each.platform_id for each in categories if each.platform_id not in there(desk, row))
    theirs, mine = there(desk, row) | {other}, {"categories": [other], "seen": form.version}
    services.set_categories(row, theirs, seen=form.version, member=owner)
    for _ in range(2):
        shown = client.post(page, mine)
        assert (shown.status_code, len(shown.context["now"])) == (422, len(theirs))
    assert there(desk, row) == theirs
    assert client.post(page, mine | {"seen": shown.context["form"]["seen"].value()}).status_code == 302
    assert there(desk, row) == {other}


def test_an_answer_in_html_changes_nothing_here(client, owner, desk, sandbox):
    shown = ShownControl.objects.present()[0]
    sandbox.fail("html", method="DELETE", path=f"{CALL}/controls/*", times=9)
    page = control_url("acme", shown.platform_id)
    assert client.post(f"{page}remove/")["Location"] == page
    assert shown.platform_id in listed(client)


def test_what_is_gone_there_is_said_and_looked_at(client, owner, desk, control, categories, sandbox):
    desk.objects.delete(desk.tenant_id, PLATFORM_CATEGORIES, categories[0].platform_id)
    answer = client.post(add_url(control), {"categories": [categories[0].platform_id]})
    assert answer.status_code == 422
    assert control.platform_id not in desk.there(SHOWN)
    assert client.post(category_url(categories[0], "move"), {"to": "down"}).status_code == 302
    assert StaleMark.objects.filter(kind="control_category", object_id=categories[0].platform_id, urgent=True).exists()
    assert not desk.calls("PUT", "/control-categories/order")


def test_a_control_that_the_tenant_has_deactivated_is_offered_no_longer(client, owner, desk, control):
    desk.objects.delete(desk.tenant_id, "controls", control.platform_id)
    desk.compare()
    two_minutes_pass()
    desk.compare()
    assert control not in client.get(f"{CONTROLS}add/").context["page"].rows


def test_nothing_of_a_control_s_owner_is_kept(desk):
    assert Control.objects.count() == len(desk.there("controls"))
    owners = {found["owner"]["emailAddress"] for found in desk.there("controls").values() if found.get("owner")}
    assert owners
    kept = " ".join(str(row) for row in Control.objects.values())
    assert not [email for email in owners if email in kept]


@pytest.mark.parametrize(
    "change", [{"categories": None}, {"name": ""}, {"categories": [{"id": "of/it", "name": "", "visibility": "NEW"}]}]
)
def test_odd_objects_have_a_page(client, owner, desk, change):
    """Missing names, ids with a slash, categories that are null (management-api 3.7) or that nobody knows."""
    body = next(iter(desk.there(SHOWN).values())) | {"id": "odd/one"} | change
    store_shown_control(RemoteShownControl.read(body))
    assert client.get(control_url("acme", "odd/one")).status_code == 200
    assert "odd/one" in listed(client)


def test_a_grant_without_controls_is_said_where_one_is_added(client, owner, desk, control, sandbox):
    sandbox.fail("status", value=403, path="/v1/controls*")
    assert probes.probe(Urgency.PERSON)
    page = client.get(f"{CONTROLS}add/")
    assert b"The connection does not cover controls" in page.content
    assert control in page.context["page"].rows, "what is here stays"
