from typing import Any, Self

from django.db import models

from portal.lib.unnamed import named
from portal.people.models.choices import OWN
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager


class GroupQuerySet(SearchedQuerySet["Group"]):
    """Chains of groups."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)


class Group(SearchedModel):
    """Our copy of a group of people, made by hand or imported from an identity provider."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=300, blank=True)
    name_sort = models.CharField(max_length=300, blank=True)
    description = models.TextField(blank=True)
    source = models.CharField(max_length=120, blank=True)
    people_count = models.PositiveIntegerField(default=0)
    """As the platform counts them."""
    created_at = models.DateTimeField(null=True)
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(GroupQuerySet)()

    class Meta(SearchedModel.Meta):
        ordering = ["name_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_group")]
        indexes = [models.Index(fields=["tenant", "name_sort", "id"], name="groups_listed")]

    def __str__(self) -> str:
        return named(self.name)

    @property
    def is_imported(self) -> bool:
        return bool(self.source) and self.source.casefold() != OWN

    @property
    def source_label(self) -> str:
        """Where the group comes from."""
        return f"Imported from {_in_words(self.source)}" if self.is_imported else "Created manually"

    @property
    def contact(self) -> tuple[str, str]:
        """Name and address of whom to ask about the group; empty where the platform names nobody."""
        said: Any = self.payload.get("pointOfContact")
        found = said if isinstance(said, dict) else {}
        name, email = (str(found.get(key) or "") for key in ("displayName", "email"))
        return name or email, email if name else ""


class IdpGroupQuerySet(SearchedQuerySet["IdpGroup"]):
    """Chains of groups of identity providers."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)


class IdpGroup(SearchedModel):
    """Our copy of a group of an identity provider that can be imported."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=300, blank=True)
    name_sort = models.CharField(max_length=300, blank=True)
    integration = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(IdpGroupQuerySet)()

    class Meta(SearchedModel.Meta):
        ordering = ["name_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_idp_group")]
        indexes = [models.Index(fields=["tenant", "name_sort", "id"], name="idp_groups_listed")]

    def __str__(self) -> str:
        return named(self.name)

    @property
    def provider(self) -> str:
        """What the integration is called."""
        words = _in_words(self.integration)
        return words[:1].upper() + words[1:]


def _in_words(key: str) -> str:
    """Say the key of an integration in words: the platform gives no name beside it."""
    return key.replace("-", " ").replace("_", " ").strip()
