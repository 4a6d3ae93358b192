from datetime import datetime
from typing import Any, Self

from django.db import models

from portal.lib.platform_choices import pill_of
from portal.lib.unnamed import named
from portal.platform_api.identifiers import MAX_ID_LENGTH
from portal.risks.models.choices import MAX_WORD_LENGTH, REVIEWS, type_label
from portal.risks.models.issues import MAX_NAME_LENGTH
from portal.search.models import SearchedModel, SearchedQuerySet
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel


class RiskScenarioQuerySet(SearchedQuerySet["RiskScenario"]):
    """Chains of risk scenarios."""

    def present(self) -> Self:
        return self.filter(gone_at__isnull=True)

    def of_person(self, folded_email: str) -> Self:
        return self.filter(folded_owner=folded_email)


class RiskScenario(SearchedModel):
    """Our copy of a risk scenario: what could happen, how likely and how bad, and who looks after it."""

    platform_id = models.CharField(max_length=MAX_ID_LENGTH)
    risk_id = models.CharField(max_length=MAX_ID_LENGTH, blank=True)
    """The tenant's own name of it, such as RISK-001."""
    title = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    title_sort = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    register = models.CharField(max_length=MAX_NAME_LENGTH, blank=True)
    review_status = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    """Free text, as the treatment: the platform adds values without notice."""
    treatment = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    owner = models.CharField(max_length=320, blank=True)
    """An email: the platform names owners of risk scenarios in no other way."""
    folded_owner = models.CharField(max_length=320, blank=True)
    score = models.PositiveIntegerField(default=0)
    """Likelihood times impact; 0 where it was not scored. From which score on it is high the API does not say."""
    residual_score = models.PositiveIntegerField(default=0)
    is_sensitive = models.BooleanField(default=False)
    is_archived = models.BooleanField(default=False)
    identified_at = models.DateTimeField(null=True)
    controls_read_at = models.DateTimeField(null=True)
    """When its controls were asked for last. That is done for one scenario, when somebody opens it."""
    payload = models.JSONField(default=dict)
    gone_at = models.DateTimeField(null=True)

    objects = TenantManager.from_queryset(RiskScenarioQuerySet)()

    class Meta(SearchedModel.Meta):
        ordering = ["title_sort", "id"]
        constraints = [models.UniqueConstraint(fields=["tenant", "platform_id"], name="one_copy_per_risk_scenario")]
        indexes = [
            models.Index(fields=["tenant", "is_archived", "-score", "-id"], name="risks_by_score"),
            models.Index(fields=["tenant", "is_archived", "-residual_score", "-id"], name="risks_by_residual_score"),
            models.Index(fields=["tenant", "is_archived", "title_sort", "id"], name="risks_by_title"),
            models.Index(fields=["tenant", "folded_owner"], name="risks_of_owner"),
        ]

    def __str__(self) -> str:
        return named(self.title, self.risk_id)

    @property
    def review(self) -> tuple[str, str]:
        return pill_of(self.review_status, REVIEWS)

    @property
    def inherent(self) -> str:
        return _product(self.score, self.payload.get("likelihood"), self.payload.get("impact"))

    @property
    def residual(self) -> str:
        return _product(self.residual_score, self.payload.get("residualLikelihood"), self.payload.get("residualImpact"))

    def controls_are_old(self, since: datetime) -> bool:
        """Say whether the controls were not asked for since a moment."""
        return self.controls_read_at is None or self.controls_read_at < since


def _product(score: int, likelihood: Any, impact: Any) -> str:
    """Write a score with what it is made of, where the platform tells that in numbers."""
    if not score:
        return "Not scored"
    is_told = all(isinstance(each, int | float) for each in (likelihood, impact))
    return f"{score} ({likelihood:g} × {impact:g})" if is_told else str(score)


class RiskControl(TenantModel):
    """One control of a risk scenario. It may be one that is out of use."""

    scenario = models.ForeignKey(RiskScenario, on_delete=models.CASCADE, related_name="controls")
    control_id = models.CharField(max_length=MAX_ID_LENGTH)
    """As the platform names it: by its short name, or by its id where it has none (management-api 3.16)."""
    control_type = models.CharField(max_length=MAX_WORD_LENGTH, blank=True)
    """What it does for the scenario. Free text."""

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["scenario", "control_id"], name="one_control_per_scenario")]
        indexes = [models.Index(fields=["tenant", "control_type"], name="risk_controls_of_type")]

    def __str__(self) -> str:
        return f"{self.control_id} of {self.scenario_id}"

    @property
    def type_label(self) -> str:
        return type_label(self.control_type)
