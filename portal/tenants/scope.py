"""The tenant that queries run for. No scope, no rows: a query outside of any scope raises.

A context variable, so that it follows async code and never leaks into another thread.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

ALL_TENANTS = 0
"""Stands for "every tenant"; no tenant has this primary key."""

_scope: ContextVar[int | None] = ContextVar("tenant_scope", default=None)
_person: ContextVar[int | None] = ContextVar("person_scope", default=None)


class NoTenantScope(RuntimeError):
    """Tenant data was touched outside of a tenant scope."""


class WrongTenant(RuntimeError):
    """A row of one tenant was about to be written in the scope of another."""


@contextmanager
def tenant_scope(tenant_id: int) -> Iterator[None]:
    """Run a block for one tenant, given by its primary key."""
    if not isinstance(tenant_id, int) or tenant_id <= ALL_TENANTS:  # whatever the types say: this is the last wall
        raise NoTenantScope(f"a tenant scope needs the primary key of a tenant, not {tenant_id!r}")
    token = _scope.set(tenant_id)
    try:
        yield
    finally:
        _scope.reset(token)


@contextmanager
def all_tenants(reason: str) -> Iterator[None]:
    """Run a block over every tenant: sweeps, pruning, finding an owner by an address. The reason is for the reader."""
    if not reason:
        raise NoTenantScope("say why this has to see every tenant")
    token = _scope.set(ALL_TENANTS)
    try:
        yield
    finally:
        _scope.reset(token)


@contextmanager
def person_scope(user_id: int) -> Iterator[None]:
    """Run a block that asks which tenants somebody is in: it sees that person's own memberships, and nothing of any tenant."""
    if not user_id:
        raise NoTenantScope("a person's scope needs the primary key of a user")
    token, person = _scope.set(None), _person.set(user_id)
    try:
        yield
    finally:
        _person.reset(person)
        _scope.reset(token)


def person_in_scope() -> int | None:
    """Return whose memberships are asked for; None inside of a tenant's scope, and outside of any."""
    return _person.get() if _scope.get() is None else None


def scope() -> int | None:
    """Return the tenant's primary key, ALL_TENANTS, or None outside of any scope."""
    return _scope.get()


def current_tenant_id() -> int:
    """Return the primary key of the one tenant in scope. Raises NoTenantScope outside of one."""
    tenant_id = _scope.get()
    if not tenant_id:
        raise NoTenantScope("this needs the scope of one tenant")
    return tenant_id
