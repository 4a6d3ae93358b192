"""The look is tested on a small site of its own, so that no desk can break it."""

import pytest
from django.template.loader import render_to_string

from portal.ui import navigation


@pytest.fixture(autouse=True)
def small_site(settings, monkeypatch):
    """Serve `tests.ui.site`, with nothing registered by the desks."""
    settings.ROOT_URLCONF = "tests.ui.site"
    monkeypatch.setattr(navigation, "_counts", {})
    monkeypatch.setattr(navigation, "_status", [])


@pytest.fixture
def draw():
    """Render a component with the given context and squeeze its white space."""

    def render(name: str, **context: object) -> str:
        return " ".join(render_to_string(f"components/{name}.html", context).split())

    return render


@pytest.fixture
def tenant_cookie(session_cookie, acme):
    """Alice's session, with a tenant to look at."""
    return session_cookie
