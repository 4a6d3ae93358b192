"""Pages across desks: today in one tenant, and the portfolio of all tenants a person works for."""
