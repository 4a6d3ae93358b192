"""One sandbox application for many tests: to make one takes a tenth of a second, to put its data back a thousandth."""

import sqlite3
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import requests
from flask import Flask
from requests.adapters import BaseAdapter, HTTPAdapter

from portal.sandbox.app import create_app
from portal.sandbox.limits import DEFAULTS
from portal.sandbox.sandbox import Sandbox


@dataclass(frozen=True)
class Prepared:
    """An application, the session its deliveries go through, and its data as it is before every test."""

    app: Flask
    session: requests.Session
    data: sqlite3.Connection


def fresh(
    *,
    tenant: Mapping[str, Any] | None = None,
    unlimited: Collection[str] = tuple(DEFAULTS),
    receiver: BaseAdapter | None = None,
    data: sqlite3.Connection | None = None,
    **options: Any,
) -> tuple[Flask, requests.Session]:
    """Return an application as if it were new, and the session that its deliveries leave through.

    `tenant`: what the one tenant is made with, None for no tenant. `unlimited`: the buckets without a limit. What another
    test of this process had from here before is used again. `data`: what it has instead of what it is made with.
    """
    made = tuple(sorted(tenant.items())) if tenant is not None else None
    prepared = _prepare(made, tuple(sorted(unlimited)), tuple(sorted(options.items())))
    sandbox: Sandbox = prepared.app.extensions["sandbox"]
    with sandbox.store._lock:
        (data or prepared.data).backup(sandbox.store._connection)
    sandbox.clock.reset()
    sandbox.faults.clear()
    sandbox.limits.forget()
    prepared.session.adapters.clear()
    for scheme in ("http://", "https://"):
        prepared.session.mount(scheme, receiver or HTTPAdapter())
    return prepared.app, prepared.session


def copy_data(app: Flask) -> sqlite3.Connection:
    """Copy what an application has, to begin with it again."""
    sandbox: Sandbox = app.extensions["sandbox"]
    data = sqlite3.connect(":memory:", check_same_thread=False)
    with sandbox.store._lock:
        sandbox.store._connection.backup(data)
    return data


@cache
def _prepare(
    tenant: tuple[tuple[str, Any], ...] | None, unlimited: tuple[str, ...], options: tuple[tuple[str, Any], ...]
) -> Prepared:
    session = requests.Session()
    app = create_app(control=True, http_session=session, **dict(options))
    sandbox: Sandbox = app.extensions["sandbox"]
    if unlimited:
        sandbox.limits.change(dict.fromkeys(unlimited))
    if tenant is not None:
        sandbox.tenants.create(**dict(tenant))
    return Prepared(app, session, copy_data(app))
