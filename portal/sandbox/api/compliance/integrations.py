"""Integrations and the resources they bring in (platform-api 4.10)."""

from portal.sandbox.api.handlers import reading
from portal.sandbox.api.lists import listing
from portal.sandbox.api.route import Route

PATH = "/integrations"
ONE = f"{PATH}/<integration_id>"
KIND = f"{ONE}/resource-kinds/<resource_kind_id>"
ROUTES = (
    Route("GET", PATH, listing("integrations")),
    Route("GET", ONE, reading("integrations")),
    Route("GET", f"{ONE}/resource-kinds", listing("resource-kinds")),
    Route("GET", KIND, reading("resource-kinds")),
    Route("GET", f"{KIND}/resources", listing("integration-resources")),
    Route("GET", f"{KIND}/resources/<integration_resource_id>", reading("integration-resources")),
)
