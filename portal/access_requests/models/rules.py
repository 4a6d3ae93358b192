from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from portal.access_requests.models.requests import AccessRequest
from portal.access_requests.rulebook import ACT_LABELS, ACT_TONES, Act, Facts, RuleBook
from portal.tenants.managers import TenantManager
from portal.tenants.models import TenantModel, TenantQuerySet


class NeverChanged(RuntimeError):
    """A version of the rules was about to be changed: what decided then must be readable for ever."""


class RuleSwitch(TenantModel):
    """The kill switch of a tenant, and how far its rules have come. Locked by whoever changes rules or acts by one."""

    is_stopped = models.BooleanField(default=False)
    """No rule acts by itself. They go on suggesting."""
    stopped_at = models.DateTimeField(null=True)
    stopped_by_name = models.CharField(max_length=120, blank=True)
    applied_fact_version = models.CharField(db_column="applied_stamp", max_length=200, blank=True)
    """Of everything that facts are made of, when the rules were last applied to all that waits."""
    applied_at = models.DateTimeField(null=True)
    """Empty before these rules were applied to all that waits for the first time."""
    pass_fact_version = models.CharField(db_column="pass_stamp", max_length=200, blank=True, default="", db_default="")
    """The same, when the pass over all that waits began that has yet to come to its end; empty: there is none."""
    pass_version = models.PositiveIntegerField(default=0, db_default=0)
    """Of the rules that the current pass applies, or that the last one has applied."""
    pass_after = models.PositiveBigIntegerField(default=0, db_default=0)
    """The key of the last request that this pass has given its verdict."""
    acted_after = models.PositiveBigIntegerField(default=0, db_default=0)
    """The key of the last verdict that was looked at, while others are left for the next turn."""
    turn_at = models.DateTimeField(null=True)
    """When a worker last took a turn: who has waited longest comes first."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["tenant"], name="one_rule_switch_per_tenant")]

    def __str__(self) -> str:
        return "stopped" if self.is_stopped else "running"


class RuleVersion(TenantModel):
    """The rules as they were from one change to the next. Never changed."""

    number = models.PositiveIntegerField()
    rules = models.JSONField(default=list)
    changes = models.JSONField(default=list)
    """What is different from the version before, in words."""
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    made_by_name = models.CharField(max_length=120)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["tenant", "number"], name="one_rule_version_per_number")]

    def __str__(self) -> str:
        return f"Version {self.number}"

    def save(self, *args: Any, **options: Any) -> None:
        if self.pk:
            raise NeverChanged(str(self))
        super().save(*args, **options)

    @property
    def book(self) -> RuleBook:
        return RuleBook.read(self.number, self.rules)


class RuleVerdictQuerySet(TenantQuerySet["RuleVerdict"]):
    """Chains of verdicts."""

    def to_act(self) -> "RuleVerdictQuerySet":
        """Those of a rule that acts by itself, which it has not done yet and nobody has taken out of its hands."""
        return self.filter(is_automatic=True, acted_at=None, is_left=False)


class RuleVerdict(TenantModel):
    """What the rules say to a request that waits: the suggestion on the page, and the work of a rule that acts by itself."""

    access_request = models.OneToOneField(AccessRequest, on_delete=models.CASCADE, related_name="verdict")
    version = models.PositiveIntegerField()
    rule_id = models.CharField(max_length=32, blank=True)
    rule_name = models.CharField(max_length=120, blank=True)
    act = models.CharField(max_length=10, choices=list(ACT_LABELS.items()), default=Act.PEOPLE.value)
    """What the rule says, whoever acts."""
    description = models.TextField(blank=True)
    """Why, as it was when the rule was applied."""
    facts = models.JSONField(default=dict)
    is_automatic = models.BooleanField(default=False)
    caution = models.CharField(max_length=300, blank=True)
    """Why a rule that acts by itself leaves this request to people."""
    waits = models.CharField(max_length=300, blank=True)
    """Why a rule that acts by itself has not yet."""
    is_left = models.BooleanField(default=False)
    """Somebody or something has decided this request before, and it is open again: that is a person's now."""
    acted_at = models.DateTimeField(null=True)
    applied_at = models.DateTimeField(default=timezone.now)

    objects = TenantManager.from_queryset(RuleVerdictQuerySet)()

    class Meta:
        indexes = [
            models.Index(fields=["tenant"], condition=models.Q(is_automatic=True, acted_at=None), name="rule_verdicts_to_do")
        ]

    def __str__(self) -> str:
        return f"{self.rule_name}: {self.act_label}"

    @property
    def as_facts(self) -> Facts:
        return Facts.read(self.facts)

    @property
    def act_label(self) -> str:
        return ACT_LABELS[Act(self.act)]

    @property
    def tone(self) -> str:
        return ACT_TONES[Act(self.act)]
