"""A switch that the platform refused is pressed again from Today."""

from portal.tenants.models import Role
from portal.work_items.models import WorkItem
from portal.work_items.services import catch_up
from tests.support.members import set_role
from tests.tags.conftest import CENTER, PATH, press


def items() -> list[WorkItem]:
    catch_up()
    return list(WorkItem.objects.filter(kind="tag_switch"))


def test_a_refused_switch_is_pressed_again_in_place(client, owner, desk, sandbox):
    category = desk.unused
    sandbox.fail("status", value=403, method="POST", path=f"{PATH}/*/product-contexts*", times=2)
    press(client, category, CENTER)
    [item] = items()
    assert item.owner_id == owner.user_id
    path = f"/t/acme/today/{item.pk}/switch_again/"
    assert client.post(path, headers={"HX-Request": "true"}).status_code == 422
    # The press that was refused anew has a row of its own.
    [item] = items()
    answer = client.post(f"/t/acme/today/{item.pk}/switch_again/", headers={"HX-Request": "true"})
    assert answer.status_code == 200, answer.headers
    assert category.platform_id in desk.there(CENTER)
    assert items() == []


def test_s7_only_an_admin_presses_it_again(client, owner, desk, sandbox, alice):
    sandbox.fail("status", value=403, method="POST", path=f"{PATH}/*/product-contexts*", times=1)
    press(client, desk.unused, CENTER)
    [item] = items()
    set_role(Role.APPROVER, user=alice)
    before = len(desk.writes())
    assert client.post(f"/t/acme/today/{item.pk}/switch_again/").status_code == 403
    assert len(desk.writes()) == before
