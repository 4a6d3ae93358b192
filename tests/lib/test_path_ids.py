"""S5: whatever id the platform gives stands in our addresses, and comes back as it was."""

import re

import pytest
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, resolve, reverse
from hypothesis import given
from hypothesis import strategies as st

from portal.lib.path_ids import read_id, write_id

ODD = [
    "a/b",
    "/",
    "//",
    "/a",
    "a/",
    ".",
    "..",
    "...",
    "~",
    "~2f",
    "%2e%2e",
    "%",
    "a?b=c",
    "a#b",
    "a b",
    " ",
    "Ünïcode",
    "\U0001f4c4",
    "a;b",
    "a+b",
    "new",
    "viewers",
    "bulk",
    "rules",
    "123",
    "00000000-0000-4000-8000-000000000000",
    "certificate.pdf",
    "x" * 512,
    "\U0001f4c4" * 512,
]
OURS = {"endpoint_id", "event_type", "reference", "token", "term", "rule_id"}
"""Keys that the portal has made itself."""


def named(resolver: URLResolver, spaces: tuple[str, ...] = ()) -> list[tuple[str, URLPattern, str]]:
    """Return every named address with its whole route."""
    found = []
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            inner = named(entry, (*spaces, entry.namespace) if entry.namespace else spaces)
            found += [(name, pattern, str(entry.pattern) + route) for name, pattern, route in inner]
        elif entry.name:
            found.append((":".join((*spaces, entry.name)), entry, str(entry.pattern)))
    return found


WITH_IDS = [(name, route) for name, _, route in named(get_resolver()) if "<id:" in route]


@given(st.text(max_size=60) | st.text("./~%\\?#aZ09é ", max_size=12))
def test_s5_what_is_written_is_one_plain_part_of_a_path_and_reads_as_it_was(text):
    text = text.replace("\0", "")
    written = write_id(text)
    assert re.fullmatch(r"[A-Za-z0-9_~-]+", written)
    if text:
        assert read_id(written) == text


@pytest.mark.parametrize("known", ["65a000000000000000000001", "usr_1234567890", "iso27001_2022", "v2-policy"])
def test_ids_of_the_usual_forms_are_readable(known):
    assert write_id(known) == known


def test_an_id_written_plainly_by_hand_is_read_too():
    assert [read_id(plain) for plain in ("new", "a.b", "Ü 1")] == ["new", "a.b", "Ü 1"]


@pytest.mark.parametrize("broken", ["~", "~2", "~zz", "a~", "~ff", "~00", "~C3"])
def test_what_nobody_has_written_names_nothing(broken):
    with pytest.raises(ValueError):
        read_id(broken)


def test_many_addresses_are_looked_at():
    assert len(WITH_IDS) > 40


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: ascii(odd[:12]))
def test_s5_every_address_with_an_odd_id_leads_to_its_own_view_and_id(odd):
    for name, route in WITH_IDS:
        kinds = re.findall(r"<(?:(\w+):)?(\w+)>", route)
        values = {key: odd if kind == "id" else 7 if kind == "int" else "acme" for kind, key in kinds}
        path = reverse(name, kwargs=values)
        match = resolve(path)
        # An address may name more to its view than stands in it.
        assert (match.view_name, {key: match.kwargs.get(key) for key in values}) == (name, values), route


def test_no_address_takes_an_id_of_the_platform_in_any_other_way():
    others = set()
    for _, _, route in named(get_resolver()):
        if not route.startswith(("accounts/", "styleguide/")):
            others |= {key for kind, key in re.findall(r"<(?:(\w+):)?(\w+)>", route) if kind in ("str", "path", "")}
    assert others == OURS


def test_a_page_that_has_no_id_can_still_be_drawn():
    try:
        path = reverse("customers:customer", args=["acme", ""])
    except NoReverseMatch:
        pytest.fail("an empty id must not break the page that names it")
    assert path.endswith("/customers/~/")
