import os
import socket
import sys
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from portal.demo import seed
from portal.demo.supervisor import Supervisor


class Command(BaseCommand):
    help = "Run the portal, its worker and the sandbox platform on this machine, with two tenants to try."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--tick", type=int, default=20, help="seconds between the sandbox's small changes; 0: none")

    def handle(self, *args: Any, tick: int, **options: Any) -> None:
        port, sandbox_port = int(os.environ.get("PORT", "8000")), int(os.environ.get("SANDBOX_PORT", "8001"))
        for number, name in ((port, "PORT"), (sandbox_port, "SANDBOX_PORT")):
            _check_free(number, name)
        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        supervisor = Supervisor()
        supervisor.listen_for_signals()
        try:
            supervisor.start("sandbox", _sandbox(sandbox_port, tick))
            supervisor.wait_until_ready("sandbox", f"{settings.PLATFORM_API_URL}/healthz")
            seed.prepare(password=os.environ["DEMO_PASSWORD"])
            supervisor.start("web", _web(port), env={"PORTAL_PROCESS": "web"})
            supervisor.start("stream", _stream(), env={"PORTAL_PROCESS": "web"})
            supervisor.start("worker", _worker())
            supervisor.wait_until_ready("web", f"{settings.PUBLIC_URL}/healthz")
            supervisor.wait_until_ready("stream", f"http://127.0.0.1:{os.environ['STREAM_PORT']}/healthz")
            self.stdout.write(_welcome(os.environ["DEMO_PASSWORD"]))
            self.stdout.flush()
            code = supervisor.run()
        finally:
            supervisor.stop()
        sys.exit(code)


def _check_free(port: int, name: str) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise CommandError(f"Port {port} is in use. Stop what uses it, or set {name} to another one.") from error


def _sandbox(port: int, tick: int) -> list[str]:
    folder = settings.DATA_DIR / "sandbox"
    return [
        *(sys.executable, "-m", "portal.sandbox"),
        *("--port", str(port), "--data-dir", str(folder), "--tick", str(tick), "--control"),
    ]


def _web(port: int) -> list[str]:
    # SQLite is served best by one process with threads: its writers do not queue fairly across processes.
    return [
        *(sys.executable, "-m", "granian", "--interface", "wsgi", "--host", "127.0.0.1", "--port", str(port)),
        *("--workers", "1", "--blocking-threads", "8", "--no-ws", "--log-level", "error", "portal.wsgi:application"),
    ]


def _stream() -> list[str]:
    return [
        *(sys.executable, "-m", "granian", "--interface", "asginl", "--host", "127.0.0.1", "--port", os.environ["STREAM_PORT"]),
        *("--workers-kill-timeout", "1s", "--no-ws", "--log-level", "error", "portal.asgi:application"),
    ]


def _worker() -> list[str]:
    return [sys.executable, str(settings.BASE_DIR / "manage.py"), "worker", "--pool", "threads"]


def _welcome(password: str) -> str:
    return f"""
  The portal is ready:    {settings.PUBLIC_URL}
  The sandbox platform:   {settings.PLATFORM_API_URL}/console/
  Sign in as              {seed.DEMO_EMAIL}
  with the password       {password}

  Larkfield Cloud is connected; connect Osprey Systems yourself. {_where_mail_goes()}
  Ctrl-C stops everything; the data stays in {settings.DATA_DIR}.
"""


def _where_mail_goes() -> str:
    """Say where the codes and links that people wait for are found. EMAIL_URL may name another place than the demo's own."""
    options = settings.MAILERS["default"].get("OPTIONS")
    if isinstance(options, dict) and "file_path" in options:
        return f"Mail is written to {options['file_path']}."
    return "Mail goes where EMAIL_URL says."
