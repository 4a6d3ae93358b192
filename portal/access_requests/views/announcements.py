"""The page between a change of the rules and its effect on what waits: who would be decided, and the person's choice."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from portal.access_requests.dry_run import try_on_past
from portal.access_requests.rule_forms import ScopeForm
from portal.access_requests.services.announcements import SCOPES, Choice, DecidesWaiting
from portal.tenants.access import TenantRequest

MAX_DIGEST_LENGTH = 64
OF_THE_CHOICE = ("csrfmiddlewaretoken", "scope", "seen")


def choice_of(request: TenantRequest) -> Choice | None:
    """Read what the person chose about the waiting requests; None where nothing was asked yet."""
    scope = request.POST.get("scope", "")
    return Choice(scope, request.POST.get("seen", "")[:MAX_DIGEST_LENGTH]) if scope in SCOPES else None


def ask(request: TenantRequest, error: DecidesWaiting, *, question: str, button: str, back: str) -> HttpResponse:
    """List the requests that the change would decide, and take the same change again together with a choice."""
    effects = error.effects
    run = try_on_past(error.book).of_rules(effects.rule_ids)
    context: dict[str, Any] = {
        "question": question,
        "button": button,
        "back": back,
        "effects": effects,
        "run": run,
        "past": len(run.tried),
        "against": run.counts()["against"],
        "form": ScopeForm(number=effects.number, seen=effects.digest),
        "was_shown": error.was_shown,
        # The change itself, to be sent again with the choice.
        "fields": [(name, value) for name in request.POST if name not in OF_THE_CHOICE for value in request.POST.getlist(name)],
        "action": request.get_full_path(),
    }
    return render(request, "access_requests/rule_effects.html", context, status=422 if error.was_shown else 200)
