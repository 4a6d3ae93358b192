"""Tenants, their members and roles, and the scope every query of tenant data runs in. Knows nothing of any desk."""
