from typing import Self

from django.db import models

from portal.controls.models.choices import EVIDENCE, MAX_NAME_LENGTH, MAX_WORD_LENGTH, TEST_STATUSES
from portal.lib.platform_choices import pill_of, readable
from portal.lib.unnamed import named
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel


class DeactivatedControlQuerySet(SearchedQuerySet["DeactivatedControl"]):
    """Chains of controls that are out of use."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)

    def of_the_library(self) -> Self:
        """Those that the platform has written: they can be taken into use on the platform."""
        return self.present().filter(is_own=False)


class DeactivatedControl(SearchedModel):
    """Our copy of a control that is out of use. What the platform says of its owner is not kept."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    name_sort = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    external_id = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    description = models.TextField(blank=True)
    domain = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    is_own = models.BooleanField(default=False)
    reason = models.TextField(blank=True)
    """Why it is out of use."""
    codes = models.JSONField(default=list)
    """The frameworks that it would serve: pairs of a name and its sections."""
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(DeactivatedControlQuerySet)()

    class Meta(SearchedModel.Meta):
        ordering = ["name_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_deactivated_control")]
        indexes = [
            models.Index(fields=["tenant", "name_sort", "id"], name="deactivated_controls_listed"),
            models.Index(fields=["tenant", "is_own", "name_sort", "id"], name="library_controls_listed"),
        ]

    def __str__(self) -> str:
        return named(self.name)

    @property
    def domain_label(self) -> str:
        return readable(self.domain)


class TestQuerySet(SearchedQuerySet["Test"]):
    """Chains of tests."""

    __test__ = False  # it is none of pytest's

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)


class Test(SearchedModel):
    """Our copy of an automated test with the result of its last run. What the platform says of its owner is not kept."""

    __test__ = False  # it is none of pytest's

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    name = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    name_sort = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    description = models.TextField(blank=True)
    category = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    status = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    """Free text: the platform adds values without notice."""
    status_rank = models.PositiveSmallIntegerField(default=0)
    integrations = models.TextField(blank=True)
    last_run_at = models.DateTimeField(null=True)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(TestQuerySet)()

    class Meta(SearchedModel.Meta):
        ordering = ["status_rank", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_test")]
        indexes = [
            models.Index(fields=["tenant", "status_rank", "id"], name="tests_by_state"),
            models.Index(fields=["tenant", "status", "name_sort", "id"], name="tests_of_state"),
            models.Index(fields=["tenant", "name_sort", "id"], name="tests_by_name"),
        ]

    def __str__(self) -> str:
        return named(self.name)

    @property
    def state(self) -> tuple[str, str]:
        return pill_of(self.status, TEST_STATUSES)


class Evidence(TenantModel):
    """How a control in use stands: asked for when somebody opens it. The control is named by its id."""

    control_id = models.CharField(max_length=MAX_ID_LENGTH)
    status = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    documents_passing = models.PositiveIntegerField(default=0)
    documents_total = models.PositiveIntegerField(default=0)
    tests_passing = models.PositiveIntegerField(default=0)
    tests_total = models.PositiveIntegerField(default=0)
    read_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "control_id"], name="one_evidence_per_control")]

    def __str__(self) -> str:
        return f"{readable(self.status)}: {self.control_id}"

    @property
    def state(self) -> tuple[str, str]:
        return pill_of(self.status, EVIDENCE)


class TestOfControl(TenantModel):
    """One test that proves a control, as the control's own list names it. The test itself may not be here yet."""

    __test__ = False  # it is none of pytest's

    evidence = models.ForeignKey(Evidence, on_delete=models.CASCADE, related_name="tests")
    test_id = models.CharField(max_length=MAX_ID_LENGTH)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["evidence", "test_id"], name="proves_a_control_once")]
        indexes = [models.Index(fields=["tenant", "test_id"], name="controls_of_test")]

    def __str__(self) -> str:
        return self.test_id
