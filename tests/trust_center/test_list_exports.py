"""The lists of the Trust Center's content as files: exactly what each shows, for who may have it."""

import csv
from urllib.parse import urlencode

from portal.audit.models import Entry
from portal.tenants.models import Role
from portal.trust_center.models import Faq, Framework, Resource, ShownControl, Subprocessor, Subscriber, Update
from tests.trust_center.conftest import PAGE

LISTS = {
    "subprocessors": (Subprocessor, "name"),
    "resources": (Resource, "title"),
    "faqs": (Faq, "question"),
    "controls": (ShownControl, "name"),
    "updates": (Update, "title"),
    "frameworks": (Framework, "name"),
    "subscribers": (Subscriber, "email"),
}


def shown(client, path: str, query: str = "") -> list[str]:
    return [row.platform_id for row in client.get(f"{PAGE}{path}/{query}").context["page"].rows]


def exported(client, path: str, query: str = "") -> list[list[str]]:
    content = b"".join(client.post(f"{PAGE}{path}/export/{query}").streaming_content).decode("utf-8-sig")
    return list(csv.reader(content.splitlines()))[1:]


def test_s8_each_file_is_what_its_list_shows_and_is_written_down(client, owner, desk):
    for path, (model, column) in LISTS.items():
        row = model.objects.present().order_by("pk")[0]
        query = f"?{urlencode({'q': getattr(row, column)})}"
        for narrowed in ("", query, "?q=nothing-is-called-so"):
            assert [line[0] for line in exported(client, path, narrowed)] == shown(client, path, narrowed), path
        assert row.platform_id in shown(client, path, query)
    done = Entry.objects.filter(action="trust_center.export", actor=owner.user)
    assert done.count() == 3 * len(LISTS)
    assert done.filter(summary="Exported subscribers of the Trust Center as CSV.").count() == 3
    assert row.email not in str(list(done.values_list("summary", "details")))


def test_s8_filters_and_order_are_those_of_the_list(client, owner, desk):
    Update.objects.filter(pk=Update.objects.present()[0].pk).update(is_public=False)
    category = Faq.objects.present().exclude(category_id="")[0].category_id
    for path, query in (
        ("resources", "?access=public&sort=renewal"),
        ("faqs", f"?category={category}"),
        ("controls", "?category=none"),
        ("updates", "?access=public"),
        ("subscribers", "?confirmed=yes"),
    ):
        assert [line[0] for line in exported(client, path, query)] == shown(client, path, query) != shown(client, path)


def test_s3_no_cell_is_a_formula(client, owner, desk):
    for path, (model, column) in LISTS.items():
        row = model.objects.present().order_by("pk")[0]
        model.objects.filter(pk=row.pk).update(**{column: "=cmd()"})
        [line] = [line for line in exported(client, path) if line[0] == row.platform_id]
        assert "'=cmd()" in line
        assert "=cmd()" not in line


def test_analysts_take_the_lists_and_approvers_those_with_addresses(client, desk, member):
    for role in Role:
        client.force_login(member(role))
        for path in LISTS:
            needed = Role.APPROVER if path == "subscribers" else Role.ANALYST
            assert (f"{path}/export/" in client.get(f"{PAGE}{path}/").content.decode()) is (role >= needed), (role, path)
            assert client.post(f"{PAGE}{path}/export/").status_code == (200 if role >= needed else 403)
