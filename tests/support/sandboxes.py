"""One sandbox application for many tests: to make one takes a tenth of a second, to put its data back a thousandth."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import requests
from flask import Flask
from requests.adapters import BaseAdapter

from portal.sandbox.app import create_app
from portal.sandbox.limits import DEFAULTS
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.tenants import Tenant


@dataclass(frozen=True)
class Prepared:
    """An application, the session its deliveries go through, and its data as it is before every test."""

    app: Flask
    session: requests.Session
    data: sqlite3.Connection

    @property
    def sandbox(self) -> Sandbox:
        sandbox: Sandbox = self.app.extensions["sandbox"]
        return sandbox


def fresh(*, counts: Mapping[str, int], receiver: BaseAdapter | None = None, **options: Any) -> tuple[Flask, Tenant]:
    """Return an application without limits and with one tenant, as if it were new.

    Deliveries go to the receiver. What another test of this process had from here before is used again.
    """
    prepared = _prepare(tuple(sorted(counts.items())), tuple(sorted(options.items())))
    sandbox = prepared.sandbox
    prepared.data.backup(sandbox.store._connection)
    sandbox.clock.reset()
    sandbox.faults.clear()
    sandbox.limits.forget()
    prepared.session.adapters.clear()
    for scheme in ("http://", "https://"):
        prepared.session.mount(scheme, receiver or requests.adapters.HTTPAdapter())
    tenant = sandbox.tenants.newest()
    assert tenant is not None
    return prepared.app, tenant


@cache
def _prepare(counts: tuple[tuple[str, int], ...], options: tuple[tuple[str, Any], ...]) -> Prepared:
    session = requests.Session()
    app = create_app(control=True, http_session=session, **dict(options))
    prepared = Prepared(app, session, sqlite3.connect(":memory:", check_same_thread=False))
    sandbox = prepared.sandbox
    sandbox.limits.change(dict.fromkeys(DEFAULTS))
    made: dict[str, Any] = dict(counts)
    sandbox.tenants.create("Northwind", **made)
    sandbox.store._connection.backup(prepared.data)
    return prepared
