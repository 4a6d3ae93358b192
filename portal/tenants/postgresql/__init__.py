"""Django's PostgreSQL backend, which tells the database the tenant in scope for row-level security."""
