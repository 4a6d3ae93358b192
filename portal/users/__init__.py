"""Who signs in: a person known by a mail address. Knows nothing of tenants."""
