"""Comments on requests, evidence and controls: the same three views, told by the address what they are on."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST

from portal.engagements import services
from portal.engagements.forms import CommentForm
from portal.engagements.models import EngagementPart
from portal.engagements.services.comments import FAMILIES
from portal.engagements.views.pages import NEW_COMMENT, place_of, send
from portal.engagements.views.rendering import act_and_return, row_of
from portal.tenants.access import TenantRequest, tenant_view
from portal.tenants.models import Role


@require_POST
@tenant_view(Role.ANALYST)
def add_comment(request: TenantRequest, audit_id: str, object_id: str, model: type[Any]) -> HttpResponse:
    row = row_of(model, audit_id, object_id)

    def act(said: dict[str, Any]) -> None:
        services.add_comment(row, said["text"], written_at=said["written_at"], member=request.membership)

    return send(request, row, CommentForm(request.POST), NEW_COMMENT, "Comment added", act)


@require_POST
@tenant_view(Role.ANALYST)
def change_comment(request: TenantRequest, audit_id: str, object_id: str, part_id: str, model: type[Any]) -> HttpResponse:
    row = row_of(model, audit_id, object_id)
    part = part_of(row, part_id)

    def act(said: dict[str, Any]) -> None:
        services.change_comment(row, part, said["text"], member=request.membership)

    return send(request, row, CommentForm(request.POST, key="edit"), place_of(part_id), "Comment changed", act)


@require_POST
@tenant_view(Role.ANALYST)
def delete_comment(request: TenantRequest, audit_id: str, object_id: str, part_id: str, model: type[Any]) -> HttpResponse:
    row = row_of(model, audit_id, object_id)
    part = part_of(row, part_id)
    return act_and_return(
        request, row, "Comment deleted", lambda: services.delete_comment(row, part, member=request.membership)
    )


def part_of(row: Any, part_id: str) -> EngagementPart:
    """Return a comment on an object. Raises Http404."""
    return get_object_or_404(EngagementPart.objects.of(row, FAMILIES[type(row)].kind), platform_id=part_id)
