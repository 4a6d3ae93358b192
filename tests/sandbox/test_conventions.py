"""Platform-api 1: what holds for every endpoint. Each test walks the table of endpoints."""

import base64
from typing import Any
from urllib.parse import quote

import pytest

from portal.sandbox.api.route import SLUG, Route
from portal.sandbox.api.table import ROUTES
from tests.sandbox.platform import SCOPE, Platform

PATHS = [(route, path) for route in ROUTES for path in (route.path, *route.aliases)]
IDS = [f"{route.method} {path}" for route, path in PATHS]
EVERY_ENDPOINT = pytest.mark.parametrize(("route", "path"), PATHS, ids=IDS)
LOOK_UPS = [(route, path) for route, path in PATHS if route.looks_up and not (route.body or {}).get("required")]
"""Endpoints whose path names something and that take an empty body: a wrong body would be refused first."""
IN_TRUST_CENTER = [(route, path) for route, path in LOOK_UPS if "<slug_id>" in path]
PAGED = [
    (route, path)
    for route, path in PATHS
    if route.placeholders in ([], [SLUG]) and any(parameter.name == "pageCursor" for parameter in route.parameters)
]


def address(path: str, platform: Platform) -> str:
    """Fill the placeholders: the right slug, and ids that name nothing."""
    parts = [part if not part.startswith("<") else f"unknown-{part[1:-1]}" for part in path.split("/")]
    return "/".join(parts).replace("unknown-slug_id", platform.tenant.slug_id)


def sent(platform: Platform, route: Route, path: str, **options: Any) -> Any:
    if route.form and "data" not in options:
        options["data"] = {}
    elif route.body is not None:
        options.setdefault("json", {})
    return platform.http.open(address(path, platform), method=route.method, **options)


@EVERY_ENDPOINT
def test_every_endpoint_needs_a_living_token(platform: Platform, route: Route, path: str) -> None:
    for headers in ({}, {"Authorization": "Bearer sat_wrong"}, {"Authorization": "Basic eDp5"}):
        for prefix in ("", "/v1"):
            assert sent(platform, route, prefix + path, headers=headers).status_code == 401


@pytest.fixture(scope="module")
def strict() -> Platform:
    """One platform with scopes enforced for all tests of this module: what they call has ids that name nothing."""
    return Platform(strict_scopes=True)


@pytest.fixture(scope="module")
def narrow_tokens(strict: Platform) -> dict[str, set[str]]:
    """Tokens of every type of application with the scopes they were given; of the same one no other is minted here."""
    return {
        strict.connect()["access_token"]: set(SCOPE.split()),
        strict.issue("private_integration", "self:read-document"): {"self:read-document"},
        strict.issue("auditor", "auditor-api.audit:write"): {"auditor-api.audit:write"},
        strict.issue("management", "svc-api.documents:write"): {"svc-api.documents:write"},
    }


@pytest.fixture(scope="module")
def readers(strict: Platform, narrow_tokens: dict[str, set[str]]) -> dict[bool, str]:
    """Tokens of applications of their own that may read: of an auditor firm (True), and of the tenant (False)."""
    tokens = {}
    for is_auditor, scope in ((True, "auditor-api.audit:read"), (False, "svc-api.all:read")):
        application = strict.sandbox.applications.create("auditor" if is_auditor else "management")
        tokens[is_auditor] = strict.sandbox.grants.issue(application, scope=scope).access_token
    return tokens


@EVERY_ENDPOINT
def test_strict_scopes_open_an_endpoint_to_the_right_applications_only(
    strict: Platform, narrow_tokens: dict[str, set[str]], route: Route, path: str
) -> None:
    for token, scopes in narrow_tokens.items():
        status = sent(strict, route, path, headers={"Authorization": f"Bearer {token}"}).status_code
        assert (status == 403) == (not scopes & route.sufficient_scopes)


@EVERY_ENDPOINT
def test_strict_scopes_let_a_reader_only_read(strict: Platform, readers: dict[bool, str], route: Route, path: str) -> None:
    token = readers[route.is_for_auditors]
    status = sent(strict, route, path, headers={"Authorization": f"Bearer {token}"}).status_code
    assert (status == 403) == (route.method != "GET")


def test_open_scopes_let_a_public_integration_reach_everything(platform: Platform) -> None:
    headers = {"Authorization": f"Bearer {platform.connect()['access_token']}"}
    assert platform.http.get("/v1/customer-trust/questionnaires", headers=headers).status_code == 200


@EVERY_ENDPOINT
def test_every_endpoint_refuses_a_get_with_a_body_and_unknown_properties(platform: Platform, route: Route, path: str) -> None:
    if route.method == "GET":
        answer = platform.call("GET", address(path, platform), data=b"{}", content_type="application/json")
        assert (answer.status_code, answer.mimetype) == (403, "text/html")
    elif route.body is not None:
        answer = platform.call(route.method, address(path, platform), json={"extra": 1})
        assert answer.status_code == 400
        assert answer.json["message"] == "Validation error"
        problem = answer.json["errors"]["body.extra"]
        assert problem == {"message": '"extra" is an excess property and therefore is not allowed', "value": 1}


@pytest.mark.parametrize(
    ("route", "path"), [pair for pair in LOOK_UPS if pair not in IN_TRUST_CENTER or "_id>" in pair[1].replace("<slug_id>", "")]
)
def test_an_id_that_names_nothing_is_404_with_a_message(platform: Platform, route: Route, path: str) -> None:
    body = {"json": {}} if route.body is not None else {}
    answer = platform.call(route.method, address(path, platform), **body)
    assert answer.status_code == 404
    assert answer.json["message"].endswith("not found")


@pytest.mark.parametrize(("route", "path"), IN_TRUST_CENTER)
def test_the_slug_of_another_tenant_is_404(platform: Platform, route: Route, path: str) -> None:
    other = platform.sandbox.tenants.create("Fabrikon", seed=2)
    platform.headers = {"Authorization": f"Bearer {platform.connect()['access_token']}"}
    address_there = address(path, platform).replace(platform.tenant.slug_id, other.slug_id)
    answer = platform.call(route.method, address_there, **({"json": {}} if route.body is not None else {}))
    assert answer.status_code == 404
    assert "Trust Center" in answer.json["message"]


@pytest.mark.parametrize(("method", "path"), [("GET", "/v1/nope"), ("PUT", "/v1/users"), ("GET", "/v1/users/")])
def test_an_unknown_route_is_404_html(platform: Platform, method: str, path: str) -> None:
    answer = platform.http.open(path, method=method)
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
    assert f"Cannot {method} {path}" in answer.text


@pytest.mark.parametrize("name", ["a\nb", "\r\n", "ünknown", "'", "%00"])
def test_any_text_may_be_an_id_that_names_nothing(platform: Platform, name: str) -> None:
    answer = platform.call("GET", f"/customer-trust/accounts/{quote(name)}")
    assert (answer.status_code, answer.mimetype) == (404, "application/json")


def test_an_unknown_route_does_not_echo_markup(platform: Platform) -> None:
    assert "<script>" not in platform.http.get("/v1/<script>alert(1)</script>").text


def name_of(found: dict[str, Any]) -> str:
    """Return the id of an object; an integration has a key in its place, a risk scenario its own name."""
    return str(found["integrationId"] if "resourceKinds" in found else found["riskId"] if "riskId" in found else found["id"])


@pytest.mark.parametrize(("route", "path"), PAGED)
def test_pages_walk_the_whole_list_once(platform: Platform, route: Route, path: str) -> None:
    path = address(path, platform)
    everything = [name_of(found) for found in platform.data(path)]
    walked: list[str] = []
    query: dict[str, Any] = {"pageSize": 2}
    while True:
        results = platform.get(path, **query)["results"]
        walked += [name_of(found) for found in results["data"]]
        info = results["pageInfo"]
        assert set(info) == {"startCursor", "endCursor", "hasNextPage", "hasPreviousPage"}
        assert info["hasPreviousPage"] == ("pageCursor" in query)
        if not info["hasNextPage"]:
            break
        query["pageCursor"] = info["endCursor"]
    assert len(everything) >= 3, "a tenant starts with something in every list"
    assert walked[:100] == everything


def test_a_page_has_ten_objects_unless_asked(platform: Platform) -> None:
    assert len(platform.get("/customer-trust/questionnaires")["results"]["data"]) == 10


@pytest.mark.parametrize("size", ["0", "101", "-1", "x", "", "1.5", "٣", "9" * 5000])
def test_a_wrong_page_size_is_400(platform: Platform, size: str) -> None:
    answer = platform.call("GET", "/users", query_string={"pageSize": size})
    assert answer.status_code == 400
    assert "pageSize" in answer.json["errors"]


@pytest.mark.parametrize(
    "cursor", ["x", "é", base64.b64encode(b"other:1").decode(), base64.b64encode(b"arrayconnection:x").decode()]
)
def test_a_foreign_cursor_is_400(platform: Platform, cursor: str) -> None:
    assert platform.call("GET", "/users", query_string={"pageCursor": cursor}).status_code == 400


def test_a_deleted_object_does_not_disturb_the_next_page(platform: Platform) -> None:
    path = "/customer-trust/questionnaires"
    first = platform.get(path, pageSize=3)["results"]
    rest = [found["id"] for found in platform.data(path)][3:]
    platform.call("DELETE", f"{path}/{first['data'][-1]['id']}")
    platform.call("POST", f"{path}/website", json={"displayName": "new", "url": "https://x.example"})
    assert [found["id"] for found in platform.data(path, pageCursor=first["pageInfo"]["endCursor"])] == rest


def test_50_requests_a_minute_per_application_and_source(platform: Platform) -> None:
    platform.sandbox.limits.change({"management": 50})
    one = {"Authorization": f"Bearer {platform.connect('workspace-1')['access_token']}"}
    other = {"Authorization": f"Bearer {platform.connect('workspace-2')['access_token']}"}
    assert {platform.http.get("/v1/users", headers=one).status_code for _ in range(50)} == {200}
    refused = platform.http.get("/v1/users", headers=one)
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert platform.http.get("/v1/users", headers=other).status_code == 200
    platform.sandbox.clock.advance(61)
    assert platform.http.get("/v1/users", headers=one).status_code == 200


def test_a_regional_host_answers_308_only(platform: Platform) -> None:
    answer = platform.http.get("/v1/users", base_url="https://api.eu.platform.test")
    assert (answer.status_code, answer.mimetype) == (308, "text/plain")
    assert answer.location == "https://api.platform.test/v1/users"


def test_a_body_of_60_megabytes_is_413(platform: Platform) -> None:
    platform.call("GET", "/users")
    announced = {"CONTENT_LENGTH": "60000000", "CONTENT_TYPE": "multipart/form-data; boundary=x"}
    answer = platform.http.post("/v1/contracts", headers=platform.headers, environ_overrides=announced)
    assert answer.status_code == 413


@pytest.mark.parametrize(
    "body", ['{"displayName": NaN}', '{"a":' * 5000, "[]", '"x"', "", "{", "\ud800".encode("utf-8", "surrogatepass")]
)
def test_json_that_is_none_is_400(platform: Platform, body: str | bytes) -> None:
    path = f"/customer-trust/questionnaires/{platform.data('/customer-trust/questionnaires')[0]['id']}"
    answer = platform.call("PATCH", path, data=body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json["message"] == "Validation error"
