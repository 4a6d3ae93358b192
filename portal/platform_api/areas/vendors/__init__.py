"""Vendors with all their parts, and those that were found in use (specification 4.7, platform-api 4.7)."""

from portal.platform_api.areas.vendors.catalogue import AssessmentTypes, DiscoveredVendors, RiskAttributes
from portal.platform_api.areas.vendors.vendors import Vendors

__all__ = ["AssessmentTypes", "DiscoveredVendors", "RiskAttributes", "Vendors"]
