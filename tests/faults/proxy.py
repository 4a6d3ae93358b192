"""The shipped proxy in front of a house: nginx with the file of `deploy/`, only places and ports changed."""

import os
import socket
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests import nginx
from tests.faults.children import Child
from tests.support.optional_programs import do_without
from tests.support.polls import until
from tests.support.ports import free_port

SHIPPED = Path(__file__).parent.parent.parent / "deploy" / "nginx" / "portal.conf"
MAIN = """{user} daemon off; worker_processes 2; pid {folder}/pid; error_log {folder}/main.log;
events {{ worker_connections 1024; }}
http {{
  types {{ text/css css; text/javascript js; }}
  client_body_temp_path {folder}/bodies; proxy_temp_path {folder}/answers; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  include {folder}/portal.conf;
}}"""


class Proxy:
    """A running nginx. `port` speaks TLS, `plain_port` sends people there."""

    def __init__(self, folder: Path, *, web_port: int, static: Path, stream_port: int = 9) -> None:
        program = nginx.find()
        if program is None:
            do_without("no nginx: run `python -m tests.nginx`")
        self.folder, self.port, self.plain_port = folder, free_port(), free_port()
        folder.mkdir()
        _make_certificate(folder)
        (folder / "portal.conf").write_text(self._configuration(web_port, stream_port, static))
        user = "user root;" if os.geteuid() == 0 else ""
        (folder / "nginx.conf").write_text(MAIN.format(user=user, folder=folder))
        self.command = [program, "-c", str(folder / "nginx.conf"), "-e", str(folder / "main.log")]
        self.child = Child(self.command, dict(os.environ))
        until(self._answers, what="the proxy")

    def _configuration(self, web_port: int, stream_port: int, static: Path) -> str:
        text = SHIPPED.read_text()
        for shipped, here in {
            "listen [::]:80;": "",
            "listen [::]:443 ssl http2;": "",
            "listen 80;": f"listen 127.0.0.1:{self.plain_port};",
            "listen 443 ssl http2;": f"listen 127.0.0.1:{self.port} ssl http2;",
            "127.0.0.1:8000": f"127.0.0.1:{web_port}",
            "127.0.0.1:8002": f"127.0.0.1:{stream_port}",
            "/etc/ssl/portal": str(self.folder),
            "/var/log/nginx": str(self.folder),
            "/srv/portal/static": str(static),
        }.items():
            assert shipped in text, f"{shipped} is no longer in {SHIPPED.name}"
            text = text.replace(shipped, here)
        return text

    def _answers(self) -> bool:
        try:
            self.connect().close()
        except OSError:
            return False
        return True

    def connect(self) -> ssl.SSLSocket:
        context = ssl.create_default_context(cafile=str(self.folder / "fullchain.pem"))
        # In 1.3 the server speaks first, with tickets; here what can be read is an answer.
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        return context.wrap_socket(plain, server_hostname="portal.example.com")

    def bodies_changed_at(self) -> int:
        """Return when a body was last written to the disk or taken from it."""
        return (self.folder / "bodies").stat().st_mtime_ns

    def stop(self) -> None:
        self.child.kill()


def peak_kilobytes(child: Child) -> int:
    """Return the most memory that a process and its children have had, added up."""
    own = Path(f"/proc/{child.process.pid}")
    below = (own / "task" / str(child.process.pid) / "children").read_text().split()
    texts = [Path(f"/proc/{pid}/status").read_text() for pid in (own.name, *below)]
    return sum(int(line.split()[1]) for text in texts for line in text.splitlines() if line.startswith("VmHWM"))


def _make_certificate(folder: Path) -> None:
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "portal.example.com")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("portal.example.com")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "privkey.pem").write_bytes(private)
    (folder / "fullchain.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
