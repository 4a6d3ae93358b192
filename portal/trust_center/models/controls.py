from typing import Self

from django.db import models
from django.db.models import Count

from portal.lib.platform_choices import readable
from portal.lib.unnamed import named
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet

MAX_NAME_LENGTH, MAX_WORD_LENGTH, MAX_SORT_LENGTH = 300, 80, 12
UNCATEGORIZED = "Uncategorized"
VISIBILITIES = {"PUBLIC": "Public", "SHAREABLE": "Shareable"}


class ControlCategoryQuerySet(TenantQuerySet["ControlCategory"]):
    """Chains of categories."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)


class ControlCategory(TenantModel):
    """Our copy of a category of controls."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    position = models.PositiveIntegerField(default=0)
    """Its place in the platform's list: visitors see the categories in this order."""
    visibility = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(ControlCategoryQuerySet)()

    class Meta:
        ordering = ["position", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_control_category")]
        indexes = [models.Index(fields=["tenant", "position", "id"], name="control_categories_listed")]

    def __str__(self) -> str:
        return named(self.name)

    @property
    def visibility_label(self) -> str:
        """Who sees it, as people say it; a value that the platform has added is shown as it is."""
        return VISIBILITIES.get(self.visibility, self.visibility)


class ShownControlQuerySet(SearchedQuerySet["ShownControl"]):
    """Chains of controls that the Trust Center shows."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)

    def in_category(self, category_id: str) -> Self:
        """Those that stand in a category, the first or another one of theirs; an empty id means none."""
        placed = ControlPlacement.objects.all()
        if not category_id:
            return self.exclude(pk__in=placed.values("control_id"))
        return self.filter(pk__in=placed.filter(category_id=category_id).values("control_id"))

    def in_one_category(self) -> Self:
        """Those that leave the Trust Center with their category."""
        numbers = ControlPlacement.objects.order_by().values("control_id").annotate(number=Count("pk"))
        return self.filter(pk__in=numbers.filter(number=1).values("control_id"))


class ShownControl(SearchedModel):
    """Our copy of a control that the Trust Center shows. Lists show it under the first of its categories."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    name_sort = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    description = models.TextField(blank=True)
    category_sort = models.CharField(max_length=MAX_SORT_LENGTH, blank=True)
    """Made of the place of its first category: controls are listed in the order of the Trust Center."""
    category_name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(ShownControlQuerySet)()

    class Meta(SearchedModel.Meta):
        ordering = ["category_sort", "name_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_shown_control")]
        indexes = [models.Index(fields=["tenant", "category_sort", "name_sort", "id"], name="shown_controls_by_category")]

    def __str__(self) -> str:
        return named(self.name)

    @property
    def category_label(self) -> str:
        return named(self.category_name) if self.category_sort != control_sort_key(None) else UNCATEGORIZED


class ControlPlacement(TenantModel):
    """One category that a control stands in, as the control itself names it."""

    control = models.ForeignKey(ShownControl, on_delete=models.CASCADE, related_name="placements")
    category_id = models.CharField(max_length=MAX_ID_LENGTH)
    """The platform's id: the category itself may not be here yet."""
    category_name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["control", "category_id"], name="one_place_per_category")]
        indexes = [models.Index(fields=["tenant", "category_id"], name="controls_of_category")]

    def __str__(self) -> str:
        return named(self.category_name)


class ControlQuerySet(SearchedQuerySet["Control"]):
    """Chains of controls of the tenant."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)

    def not_shown(self) -> Self:
        """Those that the Trust Center does not show: it knows a control by the same id (specification 2.2)."""
        shown = ShownControl.objects.present().values("platform_id")
        return self.present().exclude(platform_id__in=shown)


class Control(SearchedModel):
    """Our copy of a control that the tenant has in use. What the platform says of its owner is not kept."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    name_sort = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    external_id = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    description = models.TextField(blank=True)
    domain = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    """The first of its domains. Free text: the platform adds values without notice."""
    is_own = models.BooleanField(default=False)
    """The tenant has written it, and the platform has not."""
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(ControlQuerySet)()

    class Meta(SearchedModel.Meta):
        ordering = ["name_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_control")]
        indexes = [
            models.Index(fields=["tenant", "name_sort", "id"], name="controls_listed"),
            models.Index(fields=["tenant", "domain", "name_sort", "id"], name="controls_of_domain"),
        ]

    def __str__(self) -> str:
        return named(self.name)

    @property
    def domain_label(self) -> str:
        """The domain in words; one that is not in upper snake case stays as it came."""
        return readable(self.domain)


def control_sort_key(position: int | None) -> str:
    """Return what controls are ordered by: the categories in their order, and behind them what is in none."""
    return "1" if position is None else f"0{position:08d}"
