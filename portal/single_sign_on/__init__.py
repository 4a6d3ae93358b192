"""Signing in through the identity provider of a tenant: proven mail domains, the provider, members made at first sign-in."""
