import gzip
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.db import connection
from django.http import HttpResponse
from django.test.utils import CaptureQueriesContext

from portal.tenants.access import MENU_TENANTS
from portal.tenants.scope import current_tenant_id
from portal.tenants.services import create_tenant
from portal.ui import bundles, navigation
from portal.ui.compression import CompressPages

INLINE = re.compile(r"<style|\sstyle=|\son[a-z]+=|javascript:", re.IGNORECASE)
SCRIPT = re.compile(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)", re.IGNORECASE)
PAGES = ("/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/speak/", "/styleguide/")


PAGES_OF_ERRORS = [("/nowhere/", 404), ("/refuse/", 403), ("/crash/", 500), ("/lose-database/", 503)]


@pytest.fixture
def developing(settings):
    """As on a developer's machine."""
    settings.DEBUG = True


@pytest.mark.parametrize("path", PAGES)
def test_s3_no_page_needs_inline_script_or_style(path, client, db, developing):
    html = client.get(path).content.decode()
    assert "<title>" in html
    assert not INLINE.findall(html)
    assert not SCRIPT.findall(html)


def test_the_style_guide_exists_only_while_developing(client, db):
    assert client.get("/styleguide/").status_code == 404


@pytest.mark.parametrize(("cookie", "attribute"), [("dark", 'data-theme="dark"'), ('"><b>', None), ("", None)])
def test_the_chosen_theme_is_in_the_page_from_the_first_byte(cookie, attribute, client, db):
    client.cookies["theme"] = cookie
    html = client.get("/accounts/login/").content.decode()
    assert attribute in html if attribute else "data-theme=" not in html


def test_s3_a_message_is_escaped(client, db):
    assert b"&lt;script&gt;not run" in client.get("/speak/").content


@pytest.mark.parametrize(("path", "status"), PAGES_OF_ERRORS)
def test_an_error_page_says_what_to_do_and_nothing_of_the_inside(path, status, client, db, alice):
    client.force_login(alice)
    client.raise_request_exception = False
    response = client.get(path)
    assert response.status_code == status
    assert b"Go to the home page" in response.content
    assert b"a secret detail" not in response.content


def test_the_navigation_marks_the_open_page_and_hides_pages_without_an_address(client, alice, acme):
    client.force_login(alice)
    html = client.get("/t/acme/questionnaires/").content.decode()
    assert re.search(r'<a href="/t/acme/questionnaires/" aria-current="page">\s*<svg', html)
    assert html.count('aria-current="page"') == 2  # the side navigation and the bar of a phone
    assert "Deletion requests" not in html
    assert "Webhooks" not in html


def test_s1_a_count_sees_its_tenant_even_where_the_page_has_left_the_scope(acme):
    navigation.register_count("access_requests", lambda tenant: current_tenant_id())
    items = {item.entry.key: item for item in navigation.items(navigation.DESKS, tenant=acme, view_name="")}
    assert items["access_requests"].count == acme.pk


def test_a_count_stands_out_only_while_it_is_urgent_and_not_zero(client, alice, acme):
    navigation.register_count("access_requests", lambda tenant: 7, is_urgent=True)
    navigation.register_count("questionnaires", lambda tenant: 0, is_urgent=True)
    client.force_login(alice)
    html = client.get("/t/acme/contracts/").content.decode()
    assert html.count('class="count urgent">7<') == 1
    assert html.count("count urgent") == 1


def test_the_foot_of_the_navigation_shows_the_registered_status(client, alice, acme):
    navigation.register_status(lambda tenant: navigation.Status("warn", f"{tenant} is behind"))
    client.force_login(alice)
    assert b"Acme is behind" in client.get("/t/acme/contracts/").content


def test_s1_the_tenant_menu_names_no_tenant_of_others(client, alice, acme, globex):
    client.force_login(alice)
    assert b"Globex" not in client.get("/t/acme/contracts/").content


def test_s1_a_tenant_that_the_menu_has_no_place_for_opens_to_its_member(client, alice, acme, globex):
    for number in range(MENU_TENANTS + 2):
        create_tenant(f"Aaa {number}", owner=alice)
    last = create_tenant("Zulu", owner=alice)
    client.force_login(alice)
    answer = client.get(f"/t/{last.slug}/contracts/")
    assert answer.context["request"].tenant == last
    assert len(answer.context["navigation"].shown_memberships) == MENU_TENANTS
    assert answer.context["navigation"].has_more_memberships
    assert client.get(f"/t/{globex.slug}/contracts/").status_code == 404


def test_a_page_without_navigation_asks_for_none(client, db):
    with CaptureQueriesContext(connection) as queries:
        client.get("/accounts/login/")
    assert len(queries) == 0


STYLES = sorted((Path(settings.BASE_DIR) / "static").glob("css/*.css"))
SCRIPTS = sorted((Path(settings.BASE_DIR) / "static").glob("js/*.js"))
OF_SOME_PAGES = (
    "css/commenting.css",
    "css/all_tenants.css",
    "css/answering.css",
    "css/calendar.css",
    "css/choosing.css",
    "css/entry.css",
    "css/figures.css",
    "css/inconsistent.css",
    "js/answering.js",
    "js/commenting.js",
    "js/following.js",
)
"""What the page to sign in does not link."""
PARTS = [part for parts in bundles.BUNDLES.values() for part in parts]


@pytest.mark.parametrize("path", STYLES + SCRIPTS, ids=lambda path: path.name)
def test_every_style_and_script_is_small_and_a_part_of_what_pages_link(path):
    assert len(path.read_text().splitlines()) <= 250
    assert PARTS.count(f"{path.parent.name}/{path.name}") == 1


@pytest.mark.parametrize("name", [*bundles.BUNDLES])
def test_a_page_links_one_style_sheet_and_one_script_which_hold_their_parts_in_order(name, client, db):
    html = client.get("/accounts/login/").content.decode()
    assert re.findall(r'(?:href|src)="/static/([^"]+\.(?:css|js))"', html) == [
        each for each in bundles.BUNDLES if each not in OF_SOME_PAGES
    ]
    whole = Path(finders.find(name)).read_text()
    starts = [whole.index(bundles._read(part).decode()) for part in bundles.BUNDLES[name]]
    assert starts == sorted(starts)


def test_what_only_people_read_is_left_out_and_all_else_is_kept():
    script = '// Why.\nconst at = "https://a.example"; // not a line of its own\n\n  // More.\n  go(at);\n'
    assert bundles.without_comments(script, ".js") == 'const at = "https://a.example"; // not a line of its own\ngo(at);'
    style = "/* Why,\n   and how. */\n.a {\n  color: red; /* so */\n}\n"
    assert bundles.without_comments(style, ".css") == ".a {\ncolor: red;\n}"


@pytest.mark.parametrize("path", STYLES + SCRIPTS, ids=lambda path: path.name)
def test_no_text_of_a_script_or_a_style_goes_over_the_end_of_a_line(path):
    text = bundles.without_comments(path.read_text(), path.suffix)
    assert [line for line in text.splitlines() if line.count("`") % 2 or line.count('"') % 2] == []


def test_a_bundle_follows_its_parts(tmp_path, settings, monkeypatch):
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(bundles, "BUNDLES", {"css/portal.css": ("css/base.css",)})
    alone = Path(finders.find("css/portal.css")).read_text()
    monkeypatch.setattr(bundles, "BUNDLES", {"css/portal.css": ("css/base.css", "css/rules.css")})
    both = Path(finders.find("css/portal.css")).read_text()
    assert len(both) > len(alone)
    assert both.startswith(alone)


def test_pages_are_compressed_to_another_length_each_time_and_nothing_else_is(client, db, rf):
    asked = {"Accept-Encoding": "gzip"}
    pages = [client.get("/accounts/login/", headers=asked) for _ in range(8)]
    assert {page.headers["Content-Encoding"] for page in pages} == {"gzip"}
    assert b"<title>" in gzip.decompress(pages[0].content)
    assert len({len(page.content) for page in pages}) > 1
    other = CompressPages(lambda request: HttpResponse(b"7" * 900, content_type="text/plain"))
    assert "Content-Encoding" not in other(rf.get("/", headers=asked)).headers


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_colours_are_named_in_one_place(path):
    if path.name != "tokens.css":
        assert not re.findall(r"(?<!var\()#[0-9a-f]{6}\b", path.read_text())
