"""The platform's customer-trust accounts: our copy of them, found by id and by mail domain, and what the desks know of each.

The desks stand above and know no sister: each tells here what it knows of an account, and reads here what the others do.
"""
