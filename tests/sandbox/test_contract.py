"""A contract checker lets every operation of the description meet what it allows and what it does not.

No answer may be a 5xx, have a status or a type that the description does not name, or another shape than it promises.
"""

from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from portal.sandbox.api.openapi import camel, description
from portal.sandbox.kinds import BY_PLACEHOLDER
from tests.sandbox.platform import Platform
from tests.support.wsgi_adapter import WsgiAdapter

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
KIND_OF = {camel(placeholder): kind.name for placeholder, kind in BY_PLACEHOLDER.items()}
BASE_URL = "http://platform.test"
SCHEMA = schemathesis.openapi.from_dict(description(BASE_URL))
# Made-up requests find what the listed boundary cases find as well, in a third of the time.
SCHEMA.config.phases.coverage.enabled = False
EVERY_SECOND = 2


@pytest.fixture(scope="module")
def fuzzed() -> Platform:
    """A platform that all operations wear down together: what one deletes, the next one misses."""
    platform = Platform()
    platform.call("GET", "/users")
    return platform


@pytest.fixture(scope="module")
def session(fuzzed: Platform) -> requests.Session:
    session = requests.Session()
    session.mount(BASE_URL, WsgiAdapter(fuzzed.app))
    session.headers.update(fuzzed.headers)
    return session


@SCHEMA.parametrize()
@settings(
    max_examples=8,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_every_operation_answers_as_described(case: Case, fuzzed: Platform, session: requests.Session) -> None:
    case.path_parameters = {name: existing(fuzzed, name, value) for name, value in case.path_parameters.items()}
    answer = case.call(base_url=BASE_URL, session=session)
    case.validate_response(answer, checks=CHECKS)


def existing(platform: Platform, name: str, value: Any) -> Any:
    """Put the id of something that exists in the place of every second one that was made up."""
    if len(str(value)) % EVERY_SECOND:
        return value
    if name == "slugId":
        return platform.tenant.slug_id
    found = platform.sandbox.objects.all(platform.tenant.id, KIND_OF[name], limit=1) if name in KIND_OF else []
    return found[0]["id"] if found else value
