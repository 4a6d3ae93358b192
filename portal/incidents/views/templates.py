from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from portal.incidents import services
from portal.incidents.forms import TemplateForm
from portal.incidents.models import DraftTemplate
from portal.incidents.placeholders import DEFAULT_NAME, DEFAULT_SUBJECT, DEFAULT_TEXT, PLACEHOLDERS
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_GET
@tenant_view(Role.VIEWER)
def template_list(request: TenantRequest) -> HttpResponse:
    """The texts that drafts begin with: everybody may know them, admins may change them."""
    context = {
        "templates": DraftTemplate.objects.all(),
        "built_in": {"name": DEFAULT_NAME, "subject": DEFAULT_SUBJECT, "text": DEFAULT_TEXT},
        "is_admin": request.membership.may(Role.ADMIN),
    }
    return render(request, "incidents/templates.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ADMIN)
def new_template(request: TenantRequest) -> HttpResponse:
    return show_form(request, None)


@require_http_methods(["GET", "HEAD", "POST"])
@tenant_view(Role.ADMIN)
def edit_template(request: TenantRequest, template_id: int) -> HttpResponse:
    template = DraftTemplate.objects.filter(pk=template_id).first()
    if template is None and request.POST.get("seen", "0") != "0":
        return show_removed(request)
    if template is None:
        raise Http404
    return show_form(request, template)


@require_POST
@tenant_view(Role.ADMIN)
def delete_template(request: TenantRequest, template_id: int) -> HttpResponse:
    template = get_object_or_404(DraftTemplate, pk=template_id)
    services.delete_template(template, member=request.membership)
    messages.success(request, f"Removed the template {template}. Saved drafts are kept.")
    return redirect("incidents:templates", slug=request.tenant.slug)


def show_form(request: TenantRequest, template: DraftTemplate | None) -> HttpResponse:
    """Draw the form of a template, or save it."""
    form = TemplateForm(request.POST) if request.method == "POST" else TemplateForm(initial=_typed(template))
    theirs = None
    if request.method == "POST" and form.is_valid():
        typed = form.cleaned_data
        try:
            services.store_template(template, form.message(), name=typed["name"], seen=typed["seen"], member=request.membership)
        except services.NameTaken:
            form.add_error("name", "Another template has this name.")
        except services.ChangedMeanwhile:
            theirs = DraftTemplate.objects.filter(pk=template.pk).first() if template else None
            form = TemplateForm(initial=typed | {"seen": theirs.version if theirs else 0})
        except services.TemplateRemoved:
            return show_removed(request)
        else:
            messages.success(request, "Template saved. Drafts that haven't been saved yet start with it.")
            return redirect("incidents:templates", slug=request.tenant.slug)
    return _draw(request, form, template=template, theirs=theirs, status=422 if request.method == "POST" else 200)


def show_removed(request: TenantRequest) -> HttpResponse:
    """Draw what was typed into a template that somebody has removed: saving it makes a new one."""
    form = TemplateForm(request.POST.dict() | {"seen": "0"})
    return _draw(request, form, is_removed=True, status=409)


def _draw(request: TenantRequest, form: TemplateForm, *, status: int, **context: Any) -> HttpResponse:
    whole = {"form": form, "placeholders": PLACEHOLDERS, **context}
    return render(request, "incidents/template.html", whole, status=status)


def _typed(template: DraftTemplate | None) -> dict[str, object]:
    if template is None:
        return {"subject": DEFAULT_SUBJECT, "text": DEFAULT_TEXT, "seen": 0}
    return {"name": template.name, "subject": template.subject, "text": template.text, "seen": template.version}
