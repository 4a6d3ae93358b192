"""Specification 2.5, platform-api 4.8: issues, their many filters and their order."""

from typing import Any

import pytest

from tests.sandbox.platform import Platform

ISSUES = "/issues"


def ids(found: list[dict[str, Any]]) -> set[str]:
    return {each["id"] for each in found}


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("statusMatchesAny", "status"),
        ("severityMatchesAny", "severity"),
        ("templateMatchesAny", "template"),
        ("readableIssueIdMatchesAny", "readableIssueId"),
        ("typeMatchesAny", "type"),
        ("sourceMatchesAny", "source.sourceType"),
        ("auditIdMatchesAny", "source.sourceId"),
        ("closeReasonMatchesAny", "closedMetadata.reason"),
    ],
)
def test_issues_are_filtered_by_a_field(platform: Platform, name: str, path: str) -> None:
    def value_of(issue: Any) -> Any:
        for part in path.split("."):
            issue = (issue or {}).get(part)
        return issue

    everything = platform.data(ISSUES)
    wanted = sorted({value_of(issue) for issue in everything} - {None})[:1]
    expected = [issue for issue in everything if value_of(issue) in wanted]
    assert 0 < len(expected) < len(everything)
    assert platform.data(ISSUES, **{name: wanted}) == expected
    if name not in {"readableIssueIdMatchesAny", "auditIdMatchesAny"}:
        assert platform.call("GET", ISSUES, query_string={name: "OTHER_ONE"}).status_code == 400


def test_issues_are_filtered_by_owner_control_and_text(platform: Platform) -> None:
    everything = platform.data(ISSUES)
    owner = next(issue["owners"][0]["ownerId"] for issue in everything if issue["owners"])
    expected = [issue for issue in everything if owner in [each["ownerId"] for each in issue["owners"]]]
    assert platform.data(ISSUES, ownerIdMatchesAny=owner) == expected
    control = next(issue["mappedControlIds"][0] for issue in everything if issue["mappedControlIds"])
    expected = [issue for issue in everything if control in issue["mappedControlIds"]]
    assert platform.data(ISSUES, controlIdMatchesAny=[control, "x"]) == expected
    issue = everything[0]
    assert platform.data(ISSUES, search=issue["readableIssueId"].lower()) == [issue]
    assert issue in platform.data(ISSUES, search=issue["title"].upper())
    assert platform.get(f"{ISSUES}/{issue['id']}") == issue


@pytest.mark.parametrize(("name", "field"), [("detected", "detectedDate"), ("created", "createdDate"), ("due", "dueDate")])
def test_dates_of_issues_are_inclusive(platform: Platform, name: str, field: str) -> None:
    everything = platform.data(ISSUES)
    at = sorted(issue[field] for issue in everything if issue[field])[4]
    after = platform.data(ISSUES, **{f"{name}AfterDate": at})
    before = platform.data(ISSUES, **{f"{name}BeforeDate": at})
    assert ids(after) == ids([issue for issue in everything if issue[field] and issue[field] >= at])
    assert ids(before) == ids([issue for issue in everything if issue[field] and issue[field] <= at])
    assert [issue[field] for issue in after if issue in before] == [at]


def test_closed_issues_have_a_moment(platform: Platform) -> None:
    closed = platform.data(ISSUES, statusMatchesAny="CLOSED")
    at = sorted(issue["closedMetadata"]["closedAt"] for issue in closed)[1]
    assert len(platform.data(ISSUES, closedAfterDate=at)) == len(closed) - 1
    assert len(platform.data(ISSUES, closedBeforeDate=at)) == 2


def test_issues_that_are_never_due(platform: Platform) -> None:
    never = ids([issue for issue in platform.data(ISSUES) if issue["dueDate"] is None])
    assert never
    assert ids(platform.data(ISSUES, includeOnlyIssuesWithoutDueDate="true")) == never
    late = {"dueAfterDate": "2020-01-01", "dueBeforeDate": "2020-02-01"}
    assert platform.data(ISSUES, **late) == []
    assert ids(platform.data(ISSUES, **late, includeIssuesWithoutDueDate="true")) == never
    wrong = platform.call("GET", ISSUES, query_string={"includeIssuesWithoutDueDate": "maybe"})
    assert list(wrong.json["errors"]) == ["includeIssuesWithoutDueDate"]


@pytest.mark.parametrize("field", ["dueDate", "createdDate", "detectedDate", "lastModifiedDate", "status", "severity"])
def test_issues_are_sorted(platform: Platform, field: str) -> None:
    up = [issue[field] for issue in platform.data(ISSUES, orderBy=field) if issue[field]]
    down = [issue[field] for issue in platform.data(ISSUES, orderBy=field, orderDirection="desc") if issue[field]]
    assert up == sorted(up)
    assert down == up[::-1]
    assert platform.call("GET", ISSUES, query_string={"orderBy": "DUE_DATE"}).status_code == 400


def test_strict_scopes_of_issues_open_issues_only(strict: Platform) -> None:
    for verb in ("read", "write"):
        headers = {"Authorization": f"Bearer {strict.issue(scope=f'svc-api.issues:{verb}')}"}
        assert [strict.http.get(f"/v1{path}", headers=headers).status_code for path in (ISSUES, "/risk-scenarios")] == [
            200,
            403,
        ]
