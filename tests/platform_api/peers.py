"""The other end of a real connection, as bad as a test needs it: what no mock of a library can show."""

import datetime
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

HOST = "127.0.0.1"

type Behaviour = Callable[[socket.socket], None]


class Peer:
    """A server that does with every connection what the test says, and keeps what it was sent."""

    def __init__(self, behave: Behaviour, *, tls: ssl.SSLContext | None = None) -> None:
        self.received: list[bytes] = []
        self._behave = behave
        self._tls = tls
        self._listener = socket.create_server((HOST, 0))
        self.url = f"{'https' if tls else 'http'}://{HOST}:{self._listener.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection, suppress(OSError):
                connection.settimeout(5)
                talking = self._tls.wrap_socket(connection, server_side=True) if self._tls else connection
                self.received.append(read_request(talking))
                self._behave(talking)
                talking.close()

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(5)


@contextmanager
def peer(behave: Behaviour | bytes, *, tls: ssl.SSLContext | None = None) -> Iterator[Peer]:
    """Listen on a port of its own; bytes are the whole answer."""
    found = Peer(says(behave) if isinstance(behave, bytes) else behave, tls=tls)
    try:
        yield found
    finally:
        found.close()


def says(answer: bytes) -> Behaviour:
    return lambda connection: connection.sendall(answer)


def answer(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    """Write a whole and honest answer."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def read_request(connection: socket.socket) -> bytes:
    """Read the head and as much body as the head promises."""
    received = b""
    while b"\r\n\r\n" not in received:
        if not (chunk := connection.recv(65536)):
            return received
        received += chunk
    head, _, body = received.partition(b"\r\n\r\n")
    lengths = [line.split(b":")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    while lengths and len(body) < int(lengths[0]):
        if not (chunk := connection.recv(65536)):
            break
        body += chunk
    return head + b"\r\n\r\n" + body


@contextmanager
def nobody() -> Iterator[str]:
    """Give the address of a port on which nobody listens: it is bound, so that nobody else takes it meanwhile."""
    with socket.socket() as held:
        held.bind((HOST, 0))
        yield f"http://{HOST}:{held.getsockname()[1]}"


@contextmanager
def deaf() -> Iterator[str]:
    """Give the address of a host that does not answer to connections: its queue is full and stays so."""
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        listener.listen(0)
        waiting = [socket.socket() for _ in range(8)]
        for each in waiting:
            each.setblocking(False)
            each.connect_ex(listener.getsockname())
        try:
            yield f"http://{HOST}:{listener.getsockname()[1]}"
        finally:
            for each in waiting:
                each.close()


def self_signed(folder: Path) -> tuple[ssl.SSLContext, Path]:
    """Make a certificate for 127.0.0.1 that nobody vouches for; return how to serve with it, and its file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "platform.test")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path = folder / "certificate.pem"
    path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM) + private)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context, path
