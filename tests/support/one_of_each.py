"""One row in every table with tenant data, all with the same key: whoever asks with it meets a row, whatever the table."""

from typing import Any
from uuid import UUID

from django.apps import apps
from django.db import models
from django.utils import timezone

from portal.audit.models import ChainHead
from portal.tenants.models import Membership, Role, Tenant, TenantModel
from portal.tenants.scope import tenant_scope
from portal.users.models import User

TABLES = [model for model in apps.get_models() if issubclass(model, TenantModel)]
MADE_BY_ITSELF = {ChainHead}
"""A trigger makes it with the first entry, whatever key it gets."""
PAYLOAD = {"name": "", "status": "OPEN", "approvalStatus": "X", "detectedDate": "2026-01-02T03:04:05Z"}
"""What objects of the platform cannot be read without, beside their id."""
FIT: dict[str, dict[str, Any]] = {
    "calendars.OfficeHours": {"zone": "Europe/Berlin"},
    "comments.Comment": {"kind": "access_request"},
    "commitments.Standard": {"unit": ""},
    "customers.NotDuplicates": {"one_id": "0"},
    "incidents.Notice": {"zone": "Europe/Berlin"},
    "language_model.ModelCall": {"sent": '[{"content": "{\\"question\\": \\"\\", \\"sources\\": []}"}]'},
}
"""What texts have to be for their row to be shown."""


def make_one_of_each(tenant: Tenant, *, key: int, words: str) -> User:
    """Fill every table for a tenant, and return its new owner, whose rows they are.

    The ids of the platform and the UUIDs are the key too. Texts say the words.
    """
    user = User.objects.create_user(f"{words}@{words}.example".lower(), name=words, pk=key)
    with tenant_scope(tenant.pk):
        for model in TABLES:
            if model not in MADE_BY_ITSELF:
                model.objects.bulk_create([_row(model, key=key, words=words)])
        Membership.objects.filter(user=user).update(role=Role.OWNER)
    return user


def as_uuid(key: int) -> UUID:
    """Return the UUID that is written like the key."""
    return UUID(str(key).zfill(32))


def _row(model: type[TenantModel], *, key: int, words: str) -> TenantModel:
    values = {field.attname: _value(field, key=key, words=words) for field in model._meta.concrete_fields}
    del values["tenant_id"]
    return model(**values | FIT.get(model._meta.label, {}))


def _value(field: Any, *, key: int, words: str) -> Any:
    if field.primary_key:
        return key
    if isinstance(field, models.ForeignKey):
        return key if issubclass(field.related_model, TenantModel | User) else None
    if isinstance(field, models.CharField) and field.name.endswith(("_id", "reference")):
        return str(key)
    if field.null:
        return None
    is_text = isinstance(field, models.CharField | models.TextField) and not field.choices
    return _text(field, words) if is_text else _plain(field, key)


def _text(field: Any, words: str) -> str:
    return (f"{words}@{words}.example" if isinstance(field, models.EmailField) else words)[: field.max_length]


def _plain(field: Any, key: int) -> Any:
    match field:
        case models.UUIDField():
            return as_uuid(key)
        case _ if field.name == "payload":
            return PAYLOAD | {"id": str(key)}
        case _ if field.has_default():
            return field.get_default()
        case _ if field.choices:
            return field.choices[0][0]
        case models.DateTimeField():
            return timezone.now()
        case models.DateField():
            return timezone.now().date()
        case models.JSONField():
            return {}
        case models.BinaryField():
            return b""
        case models.FileField():
            return ""
    return 1
