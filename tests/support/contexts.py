"""What the test client keeps of an answer: the context of its page, and no copy of it for each part that the page includes."""

from typing import Any

from django.template import Context, Template
from django.test import client

NAME = "store_rendered_templates"
store_rendered = getattr(client, NAME)


def keep_page_contexts() -> None:
    """A list of fifty rows includes some five hundred parts: to copy the context for each takes as long as to show it."""
    setattr(client, NAME, store_page)


def store_page(store: dict[str, Any], *, template: Template, context: Context, **sent: Any) -> None:
    if context.template is template:
        store_rendered(store, template=template, context=context, **sent)
