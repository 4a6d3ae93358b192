"""`manage.py demo`: the portal, its worker and the sandbox on one machine, with two tenants to try."""
