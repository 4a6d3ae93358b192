"""The copy of controls that are out of use, of frameworks with their requirements, and of tests; and how controls stand."""

from portal.controls.models.controls import (
    DeactivatedControl,
    DeactivatedControlQuerySet,
    Evidence,
    Test,
    TestOfControl,
    TestQuerySet,
)
from portal.controls.models.frameworks import CompanyFrameworkQuerySet, ControlOfRequirement, Framework, Requirement
from portal.controls.models.words import EVIDENCE, TEST_STATUSES

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
