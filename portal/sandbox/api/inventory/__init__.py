"""Computers, assets, vulnerabilities and their remediation."""

from portal.sandbox.api.inventory import computers, vulnerabilities
from portal.sandbox.api.route import Route

ROUTES: tuple[Route, ...] = (*computers.ROUTES, *vulnerabilities.ROUTES)
