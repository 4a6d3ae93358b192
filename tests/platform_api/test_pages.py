"""Lists: several pages, lazily, each object once, and an end whatever the cursors say."""

import itertools
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import responses

from portal.platform_api import Page, Platform, errors
from portal.platform_api.models import Listed
from portal.platform_api.paging import PAGE_SIZE, Unread, collect, collect_each, walk
from portal.platform_api.trails import Trail
from tests.platform_api.calls.core import person
from tests.platform_api.world import BASE_URL, Tokens, World

MANY = 250


@pytest.fixture
def crowded(world: World) -> World:
    """A world whose tenant has more viewers than fit on two pages."""
    body = world.sandbox.objects.all(world.tenant.id, "viewers")[0]
    missing = MANY - len(world.ids("viewers"))
    viewers = [body | {"id": f"65d0{number:020x}", "email": f"v{number}@buyer.example"} for number in range(missing)]
    world.sandbox.objects.add_many(world.tenant.id, "viewers", viewers)
    return world


def test_all_pages_are_walked_and_each_object_comes_once(crowded: World) -> None:
    found = [viewer.id for viewer in crowded.trust_center.viewers.all()]
    assert sorted(found) == sorted(crowded.ids("viewers"))
    assert len(found) == MANY
    assert len(crowded.requests()) == 3


def test_pages_are_fetched_only_as_far_as_they_are_read(crowded: World) -> None:
    walked = crowded.trust_center.viewers.all()
    assert crowded.requests() == []
    for count, requests in [(1, 1), (PAGE_SIZE - 1, 1), (1, 2), (PAGE_SIZE, 3)]:
        assert len(list(itertools.islice(walked, count))) == count
        assert len(crowded.requests()) == requests


def test_a_page_says_where_the_next_begins(crowded: World) -> None:
    viewers = crowded.trust_center.viewers
    first = viewers.all.page()
    second = viewers.all.page(first.next_cursor)
    third = viewers.all.page(second.next_cursor)
    assert [len(page.items) for page in (first, second, third)] == [100, 100, 50]
    assert third.next_cursor is None
    assert len({viewer.id for page in (first, second, third) for viewer in page.items}) == MANY


def test_an_error_on_a_later_page_is_an_error_and_not_an_end(crowded: World) -> None:
    walked = crowded.trust_center.viewers.all()
    list(itertools.islice(walked, PAGE_SIZE))
    crowded.fail("status", value=503, times=1)
    with pytest.raises(errors.Unavailable):
        next(walked)


def test_filters_hold_on_every_page(crowded: World) -> None:
    for viewer_id in crowded.ids("viewers")[:120]:
        crowded.sandbox.objects.remove(crowded.tenant.id, "viewers", viewer_id)
    present = list(crowded.trust_center.viewers.all(include_removed=False))
    assert len(present) == MANY - 120
    assert len(list(crowded.trust_center.viewers.all(include_removed=True))) == MANY


def test_a_list_that_grows_while_it_is_read_gives_no_object_twice(crowded: World) -> None:
    walked = crowded.trust_center.viewers.all()
    found = [viewer.id for viewer in itertools.islice(walked, PAGE_SIZE)]
    crowded.trust_center.viewers.create(**person("late@buyer.example"))
    crowded.trust_center.viewers.delete(crowded.ids("viewers")[MANY // 2])
    found += [viewer.id for viewer in walked]
    assert len(found) == len(set(found)) >= MANY


def test_an_empty_list_is_empty(world: World) -> None:
    for contract in list(world.api.contracts.all()):
        world.api.contracts.delete(contract.id)
    assert list(world.api.contracts.all()) == []
    assert world.api.contracts.all.page() == Page([], None)


def pages(*found: tuple[str, str | None]) -> Callable[[str | None], Page[Listed]]:
    """Serve pages, one per call: the ids of the objects on it, and its cursor."""
    served: Iterator[tuple[str, str | None]] = iter(found)

    def fetch(_cursor: str | None) -> Page[Listed]:
        ids, cursor = next(served)
        return Page([Listed.read({"id": each}) for each in ids], cursor)

    return fetch


def ids(walked: Iterator[Listed]) -> str:
    return "".join(each.id for each in walked)


def test_an_object_that_moves_to_a_later_page_comes_once() -> None:
    assert ids(walk(pages(("abc", "1"), ("cd", "2"), ("ae", None)))) == "abcde"


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ([("a", "1"), ("b", "2"), ("c", "1"), ("x", "3")], "abc"),
        ([("a", "1"), ("a", "1"), ("x", None)], "a"),
        ([("ab", str(number)) for number in range(20)], "ab"),
        ([("", str(number)) for number in range(20)], ""),
    ],
)
def test_q16_a_walk_that_goes_in_circles_ends_and_is_not_the_whole(shown: list, expected: str) -> None:
    asked = itertools.count()
    fetch = pages(*shown)
    met: list[str] = []
    with pytest.raises(errors.EndlessList):
        met.extend(each.id for each in walk(lambda cursor: (next(asked), fetch(cursor))[1]))
    assert "".join(met) == expected
    assert next(asked) <= 10


@pytest.mark.parametrize("length", [1, 2, 5, 11, 12, 13, 40, 100])
@pytest.mark.parametrize("size", [1, 3, 7])
def test_q16_a_circle_of_any_length_is_found_whatever_its_cursors(length: int, size: int) -> None:
    objects = [f"object {number}" for number in range(length * size - (size > 1))]
    trail, asked = Trail(), 0
    with pytest.raises(errors.EndlessList):
        for asked in range(20 * length + 20):
            met = [objects[(asked * size + place) % len(objects)] for place in range(size)]
            trail = Trail(json.loads(json.dumps(trail.kept())))
            trail.follow(f"cursor {asked}", met)
    assert asked <= 4 * length + 10


def test_q16_a_long_list_that_grows_while_it_is_read_is_read_to_its_end() -> None:
    trail = Trail()
    for page in range(3000):
        # Two objects of the page before have moved on: two new ones have come in front.
        trail.follow(str(page), [str(page * 98 + place) for place in range(100)])
    assert len(json.dumps(trail.kept())) < 20_000


def test_an_empty_page_in_the_middle_is_not_the_end() -> None:
    assert ids(walk(pages(("a", "1"), ("", "2"), ("b", None)))) == "ab"


@pytest.fixture
def api() -> Platform:
    return Platform(BASE_URL, tokens=Tokens(lambda: "token"))


def envelope(*found: str, **info: Any) -> dict[str, Any]:
    return {"results": {"data": [{"id": each} for each in found], "pageInfo": info}}


@pytest.mark.parametrize(
    "info",
    [
        {},
        {"hasNextPage": False},
        {"hasNextPage": None, "endCursor": "x"},
        {"hasNextPage": False, "endCursor": None, "startCursor": None},
    ],
)
def test_both_cursors_may_be_missing_on_the_last_page(
    api: Platform, wire: responses.RequestsMock, info: dict[str, Any]
) -> None:
    wire.get(f"{BASE_URL}/v1/users", json=envelope("a", **info))
    assert [user.id for user in api.users.all()] == ["a"]


@pytest.mark.parametrize("cursor", [None, "", 7, {}])
def test_a_list_that_goes_on_without_a_cursor_is_not_passed_off_as_whole(
    api: Platform, wire: responses.RequestsMock, cursor: object
) -> None:
    wire.get(f"{BASE_URL}/v1/users", json=envelope("a", hasNextPage=True, endCursor=cursor))
    with pytest.raises(errors.UnexpectedAnswer):
        list(api.users.all())


@pytest.mark.parametrize("info", [7, "x", [1]])
def test_a_page_whose_information_is_none_is_unexpected(api: Platform, wire: responses.RequestsMock, info: object) -> None:
    wire.get(f"{BASE_URL}/v1/users", json={"results": {"data": [], "pageInfo": info}})
    with pytest.raises(errors.UnexpectedAnswer):
        api.users.all.page()


def test_a_cursor_is_opaque_and_sent_back_as_it_came(api: Platform, wire: responses.RequestsMock) -> None:
    cursor = "YXJyYXk6MQ==&pageSize=1 %2F+ü"
    query = responses.matchers.query_param_matcher
    wire.get(f"{BASE_URL}/v1/users", json=envelope("a", hasNextPage=True, endCursor=cursor), match=[query({"pageSize": 100})])
    wire.get(f"{BASE_URL}/v1/users", json=envelope("b"), match=[query({"pageSize": 100, "pageCursor": cursor})])
    assert [user.id for user in api.users.all()] == ["a", "b"]


@pytest.mark.parametrize("results", [[{"id": "a", "displayName": "A"}], {"data": [{"id": "a", "displayName": "A"}]}])
def test_unpaged_lists_have_two_envelopes(api: Platform, wire: responses.RequestsMock, results: object) -> None:
    wire.get(f"{BASE_URL}/v1/customer-trust/questionnaires/assignable-users", json={"results": results})
    assert [user.display_name for user in api.questionnaires.assignable_users()] == ["A"]


def test_q14_q16_pages_of_which_nothing_can_be_read_lead_on_to_those_behind_them() -> None:
    def page(cursor: str | None) -> Page[Listed]:
        number = int(cursor or 0)
        unread = (Unread(f"odd-{number}", "its name is missing"),)
        return Page([], str(number + 1), unread) if number < 5 else Page([Listed.read({"id": "a"})], None)

    found = collect(page)
    assert ([each.id for each in found.items], len(found.unread), found.circle) == (["a"], 5, "")


def test_one_of_several_lists_that_is_refused_or_missing_keeps_out_no_other() -> None:
    def given(_: str | None) -> Page[Listed]:
        return Page([Listed.read({"id": "a"})], None)

    def refused(_: str | None) -> Page[Listed]:
        raise errors.PermissionRefused("GET", "/refused", status=403)

    def missing(_: str | None) -> Page[Listed]:
        raise errors.NotFound("GET", "/missing", status=404)

    found = collect_each({"given": given, "refused": refused, "missing": missing})
    assert {key: (len(each.items), each.is_whole, bool(each.problem)) for key, each in found.items()} == {
        "given": (1, True, False),
        "refused": (0, False, True),
        "missing": (0, False, True),
    }
    with pytest.raises(errors.PermissionRefused):
        collect_each({"missing": missing, "refused": refused})
    with pytest.raises(errors.NotFound):
        collect_each({"missing": missing, "another": missing})
