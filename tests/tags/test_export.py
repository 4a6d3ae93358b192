"""The matrix of tags as a file: exactly the filtered categories, each with how its switches stand."""

import csv

from portal.audit.models import Entry
from portal.tags.models import CONTEXTS, Category, Context
from portal.tags.models.categories import title_of
from portal.tenants.models import Role
from tests.tags.conftest import CENTER, PAGE, here


def exported(client, query: str = "") -> list[list[str]]:
    content = b"".join(client.post(f"{PAGE}export/{query}").streaming_content).decode("utf-8-sig")
    return list(csv.reader(content.splitlines()))


def test_s8_the_file_is_what_the_matrix_shows_guarded_and_is_written_down(client, desk, member):
    client.force_login(member(Role.ANALYST))
    assert "tags/export/" in client.get(PAGE).content.decode()
    queries = ("", f"?use={CENTER}", "?use=nowhere", "?presence=gone", f"?q={desk.unused.name.split()[0]}")
    for query in queries:
        shown = [row.category.platform_id for row in client.get(f"{PAGE}{query}").context["rows"]]
        assert [line[0] for line in exported(client, query)[1:]] == shown
    head, *lines = exported(client)
    place = head.index(title_of(CENTER))
    assert {line[0] for line in lines if line[place] == "On"} == here(CENTER) != set()
    assert {line[place] for line in lines} == {"On", "Off"}
    assert head[3:][: len(CONTEXTS)] == [*CONTEXTS.values()]
    Category.objects.filter(pk=desk.unused.pk).update(name="=cmd()", tags=[{"id": "t1", "name": "+1"}])
    [line] = [line for line in exported(client) if line[0] == desk.unused.platform_id]
    assert line[1:3] == ["'=cmd()", "'+1"]
    assert client.post(f"{PAGE}export/").status_code == 200
    Context.objects.filter(platform_id=CENTER).delete()
    Category.objects.filter(pk=desk.unused.pk).update(tags=[], tags_read_at=None)
    head, *lines = exported(client)
    assert {line[head.index(title_of(CENTER))] for line in lines} == {"Not checked yet"}
    assert [line[2] for line in lines if line[0] == desk.unused.platform_id] == ["Not checked yet"]
    assert Entry.objects.filter(action="tags.export").count() == len(queries) + 4
    client.force_login(member(Role.VIEWER))
    assert client.post(f"{PAGE}export/").status_code == 403
    assert "tags/export/" not in client.get(PAGE).content.decode()
