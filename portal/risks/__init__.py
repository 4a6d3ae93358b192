"""What went wrong in the tenant's own house and what could: issues with their days, risk scenarios with their controls."""
