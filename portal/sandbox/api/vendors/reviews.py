"""Security reviews and assessments of vendors, their types, and risk attributes (platform-api 4.7)."""

from portal.sandbox.api.filters import any_of, equal_to
from portal.sandbox.api.handlers import reading
from portal.sandbox.api.lists import listing
from portal.sandbox.api.route import Route
from portal.sandbox.api.vendors.vendors import ONE as VENDOR
from portal.sandbox.kinds.vendors import (
    ASSESSMENT_STATUSES,
    ASSESSMENT_TYPES,
    ASSESSMENTS,
    ATTRIBUTES,
    REVIEWS,
    TYPE_STATUSES,
)

FILTERS = (
    any_of("typeIdMatchesAny", "assessmentType.id"),
    any_of("statusMatchesAny", "status", allowed=ASSESSMENT_STATUSES),
)
TYPES = "/vendor-assessment-types"
ROUTES = (
    Route("GET", f"{VENDOR}/security-reviews", listing(REVIEWS)),
    Route("GET", f"{VENDOR}/security-reviews/<security_review_id>", reading(REVIEWS)),
    Route("GET", f"{VENDOR}/assessments", listing(ASSESSMENTS, filters=FILTERS)),
    Route("GET", f"{VENDOR}/assessments/<vendor_assessment_id>", reading(ASSESSMENTS)),
    Route("GET", TYPES, listing(ASSESSMENT_TYPES, filters=[equal_to("status", "status", allowed=TYPE_STATUSES)])),
    Route("GET", f"{TYPES}/<assessment_type_id>", reading(ASSESSMENT_TYPES)),
    Route("GET", "/vendor-risk-attributes", listing(ATTRIBUTES)),
)
