"""A language model on this machine that says what a test wants, and acme's owner in front of it."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from portal.language_model import services
from portal.lib.model_server import ModelServer
from portal.tenants.models import Membership, Tenant
from portal.users.models import User
from tests.support.listener import Listener, listening
from tests.support.members import find_member

PAGE = "/t/acme/settings/language-model/"
KEY = "canary-key-of-the-model"


def written(*sentences: tuple[str, list[int]], **more: Any) -> Callable[[dict[str, Any]], bytes]:
    """Have the model write sentences, each with the numbers of its sources."""
    content = json.dumps({"sentences": [{"text": text, "sources": sources} for text, sources in sentences]})
    return said(content, **more)


def said(content: object, **more: Any) -> Callable[[dict[str, Any]], bytes]:
    return lambda body: json.dumps({"choices": [{"message": {"content": content}}], **more}).encode()


@pytest.fixture
def model(settings: Any) -> Iterator[Listener]:
    """The operator's server. It is off for every tenant."""
    with listening() as listener:
        settings.LANGUAGE_MODEL = ModelServer(url=listener.url, name="model-of-the-tests", key=KEY, monthly_tokens=10_000)
        yield listener


@pytest.fixture
def owner(alice: User, scoped: Tenant) -> Membership:
    return find_member(user=alice)


@pytest.fixture
def turned_on(model: Listener, owner: Membership) -> Listener:
    """The server, and acme lets its texts go there."""
    services.switch(to=True, member=owner)
    return model
