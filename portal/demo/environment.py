"""The environment of the demo: made at the first start, kept in the data folder, never in the code. Standard library only."""

import base64
import json
import os
import secrets
import socket
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parent.parent.parent
KEPT = "demo.json"


def prepare() -> None:
    """Fill the environment before Django reads its settings. Variables that are set already win."""
    folder = Path(os.environ.setdefault("DATA_DIR", str(ROOT / "var"))).resolve()
    port, sandbox_port = os.environ.get("PORT", "8000"), os.environ.get("SANDBOX_PORT", "8001")
    kept = _kept(folder)
    sandbox = f"http://127.0.0.1:{sandbox_port}"
    # Nobody types it: any free one.
    stream_port = os.environ.setdefault("STREAM_PORT", str(_free_port()))
    for name, value in {
        "SECRET_KEY": kept["secret_key"],
        "FIELD_ENCRYPTION_KEYS": kept["field_encryption_key"],
        "PLATFORM_CLIENT_ID": kept["client_id"],
        "PLATFORM_CLIENT_SECRET": kept["client_secret"],
        "SANDBOX_PUBLIC_CLIENT_ID": kept["client_id"],
        "SANDBOX_PUBLIC_CLIENT_SECRET": kept["client_secret"],
        "DEMO_PASSWORD": kept["password"],
        # As in production: one style sheet and one script, compressed.
        "STATIC_COLLECTED": "1",
        "PUBLIC_URL": f"http://127.0.0.1:{port}",
        "STREAM_URL": f"http://127.0.0.1:{stream_port}/changes/",
        "PLATFORM_API_URL": sandbox,
        # Each region has hosts of its own, which the sandbox tells apart by their paths; a name would have to be resolved.
        "PLATFORM_GOV_API_URL": f"{sandbox}/gov",
        "PLATFORM_APP_URLS": ",".join(f"{region}={sandbox}/{region}" for region in ("us", "eu", "au", "gov")),
        "EMAIL_URL": f"filemail://{quote(str(folder / 'mail'))}",
    }.items():
        os.environ.setdefault(name, value)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _kept(folder: Path) -> dict[str, str]:
    path = folder / KEPT
    if path.exists():
        kept: dict[str, str] = json.loads(path.read_text())
        return kept
    kept = {
        "secret_key": secrets.token_urlsafe(64),
        "field_encryption_key": base64.b64encode(secrets.token_bytes(32)).decode(),
        "client_id": "portal-" + secrets.token_hex(8),
        "client_secret": secrets.token_urlsafe(32),
        "password": secrets.token_urlsafe(12),
    }
    folder.mkdir(parents=True, exist_ok=True)
    path.touch(mode=0o600)
    path.write_text(json.dumps(kept, indent=1))
    return kept
