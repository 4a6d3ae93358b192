"""What the test client keeps of an answer: the context of its page, and no copy of it for each part that the page includes."""

from typing import Any

from django.template import Context, Template
from django.test import client

store_rendered = client.store_rendered_templates


def keep_page_contexts() -> None:
    """A list of fifty rows includes some five hundred parts: to copy the context for each takes as long as to show it."""
    client.store_rendered_templates = store_page  # type: ignore[assignment]


def store_page(store: dict[str, Any], *, template: Template, context: Context, **sent: Any) -> None:
    if context.template is template:
        store_rendered(store, template=template, context=context, **sent)
