"""Who belongs to a tenant: invitations, roles, leaving. The first owner comes with the tenant itself."""
