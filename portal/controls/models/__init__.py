"""The copy of controls that are out of use, of frameworks with their requirements, and of tests; and how controls stand."""

from portal.controls.models.choices import EVIDENCE, TEST_STATUSES
from portal.controls.models.controls import (
    DeactivatedControl,
    DeactivatedControlQuerySet,
    Evidence,
    Test,
    TestOfControl,
    TestQuerySet,
)
from portal.controls.models.frameworks import CompanyFrameworkQuerySet, ControlOfRequirement, Framework, Requirement

__all__ = [
    "EVIDENCE",
    "TEST_STATUSES",
    "CompanyFrameworkQuerySet",
    "ControlOfRequirement",
    "DeactivatedControl",
    "DeactivatedControlQuerySet",
    "Evidence",
    "Framework",
    "Requirement",
    "Test",
    "TestOfControl",
    "TestQuerySet",
]
