"""The settings of a tenant as one place: where they are, who may do what, how members sign in, the audit trail."""
