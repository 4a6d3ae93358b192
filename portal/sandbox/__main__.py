"""Runs the sandbox: `python -m portal.sandbox --port 8001 --data-dir var/sandbox`."""

import argparse
import signal
import sys
import threading
from pathlib import Path

from portal.sandbox.app import create_app
from portal.sandbox.applications import PUBLIC
from portal.sandbox.sandbox import Sandbox
from portal.sandbox.server import Server

LOOK_SECONDS = 0.2
"""How often it looks whether it has been told to end."""


def main(arguments: list[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    app = create_app(
        data_dir=options.data_dir,
        control=options.control,
        strict_scopes=options.strict_scopes,
        strict_transitions=options.strict_transitions,
        portal_url=options.portal_url.rstrip("/"),
    )
    sandbox: Sandbox = app.extensions["sandbox"]
    if sandbox.portal_url:
        register_portal(sandbox)
    server = Server(app, host=options.host, port=options.port, tick_seconds=options.tick)
    server.start()
    sys.stdout.write(f"The sandbox platform is ready on http://{options.host}:{server.port}\n")
    sys.stdout.flush()
    # A signal that the system hands to another thread does not wake this one: it looks by itself.
    while not stop.wait(LOOK_SECONDS):
        pass
    server.stop()
    sandbox.close()
    return 0


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m portal.sandbox", description="A full imitation of the platform.")
    parser.add_argument("--port", type=int, required=True, help="0 takes a free one")
    parser.add_argument("--data-dir", type=Path, required=True, help="where everything is kept")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--control", action="store_true", help="serve /_control/, for tests and demos only")
    parser.add_argument("--strict-scopes", action="store_true", help="refuse integrations the management areas")
    parser.add_argument("--strict-transitions", action="store_true", help="move questionnaires along a table only")
    parser.add_argument("--tick", type=float, default=0, metavar="SECONDS", help="let small things happen this often")
    parser.add_argument("--portal-url", default="", metavar="URL", help="whose callback address is registered at once")
    return parser


def register_portal(sandbox: Sandbox) -> None:
    """Let the portal at this address connect without a visit to the console."""
    application = next(known for known in sandbox.applications.all() if known.type == PUBLIC)
    sandbox.applications.add_redirect_uri(application.client_id, f"{sandbox.portal_url}/connect/callback/")


if __name__ == "__main__":
    sys.exit(main())
