from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from portal.questionnaires import four_eyes, services
from portal.questionnaires.forms import RulesForm
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.VIEWER)
def rules(request: TenantRequest) -> HttpResponse:
    """How this tenant wants its questionnaires worked on: everybody may know it, admins may change it."""
    if request.method != "POST":
        is_on = four_eyes.is_on()
        context = {
            "form": RulesForm(initial={"four_eyes": is_on}),
            "four_eyes": is_on,
            "may_change": request.membership.may(Role.ADMIN),
        }
        return render(request, "questionnaires/rules.html", context)
    form = RulesForm(request.POST)
    form.is_valid()  # there is nothing in it that could be wrong
    services.set_four_eyes(form.cleaned_data["four_eyes"], member=request.membership)
    messages.success(request, "Saved.")
    return redirect("questionnaire_rules:rules", slug=request.tenant.slug)
