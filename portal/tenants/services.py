from django.db import transaction
from django.utils.text import slugify

from portal.tenants.models import Membership, Role, Tenant
from portal.tenants.scope import tenant_scope
from portal.users.models import User


@transaction.atomic
def create_tenant(name: str, *, owner: User) -> Tenant:
    """Create a tenant with its first owner. The address is made from the name and is unique."""
    tenant = Tenant.objects.create(name=name, slug=_free_slug(name), created_by=owner)
    with tenant_scope(tenant.pk):
        Membership.objects.create(user=owner, role=Role.OWNER)
    return tenant


def _free_slug(name: str) -> str:
    stem = slugify(name)[:50] or "tenant"
    taken = set(Tenant.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    if stem not in taken:
        return stem
    return next(slug for number in range(2, len(taken) + 3) if (slug := f"{stem}-{number}") not in taken)
