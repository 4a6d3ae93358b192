from django.db import transaction

from portal.audit.services import record
from portal.tenants.models import Membership
from portal.users.factors import has_second_factor


class NoFactorYourself(Exception):
    """Whoever requires a second factor of others has one, or would shut themself out."""


@transaction.atomic
def set_second_factor(by: Membership, *, is_required: bool) -> bool:
    """Require a second factor of every member, or no longer; return whether that changed anything."""
    tenant = by.tenant
    if is_required and not has_second_factor(by.user):
        raise NoFactorYourself(by.user.email)
    if tenant.requires_second_factor == is_required:
        return False
    tenant.requires_second_factor = is_required
    tenant.save(update_fields=["requires_second_factor"])
    text = "Members now need a second factor." if is_required else "Members no longer need a second factor."
    record(
        "tenant.require_factor" if is_required else "tenant.allow_password",
        target=("tenant", str(tenant.pk)),
        summary=text,
        actor=by.user,
        details={"before": {"second_factor_required": not is_required}, "after": {"second_factor_required": is_required}},
    )
    return True


@transaction.atomic
def record_audit_export(query: str, *, member: Membership) -> None:
    """Write down that the audit trail was taken along, and whether it was narrowed."""
    record(
        "audit.export",
        target=("tenant", str(member.tenant_id)),
        summary=f"Exported the audit trail{', filtered' if query else ''}.",
        actor=member.user,
        details={"is_filtered": bool(query)},
    )
