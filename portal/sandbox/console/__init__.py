"""The sandbox's pages for people: the consent page and the console. They show and trigger, and decide nothing."""

from portal.sandbox.console import (  # noqa: F401 (pages register themselves)
    applications,
    endpoints,
    faults,
    objects,
    reference,
    tenants,
    vocabulary,
)
from portal.sandbox.console.blueprint import blueprint
from portal.sandbox.console.pages import render_consent, render_error

__all__ = ["blueprint", "render_consent", "render_error"]
