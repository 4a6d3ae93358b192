"""Settings from the environment: every missing or unsafe value stops the start and says its name and the fix."""

from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import unquote, urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

from portal.lib.sealed import InvalidKey, KeyRing

env = environ.Env()

LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
SANDBOX_URL = "http://127.0.0.1:8001"
REGIONS = ("us", "eu", "au", "gov")
MIN_SECRET_KEY = 50
"""Django's own deployment check (W009) asks for this length."""
MIN_METRICS_TOKEN = 20
LOG_FORMATS = ("line", "json")


def is_loopback(url: str) -> bool:
    """Say whether an address can only be reached from this machine."""
    return urlsplit(url).hostname in LOOPBACK_HOSTS


def origin_of(url: str) -> str:
    """Return the address without its path, as a content security policy wants it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def public_url(*, debug: bool) -> str:
    """Read PUBLIC_URL: the address people and the platform reach the portal at, without a trailing slash."""
    value: str = env.str("PUBLIC_URL", default="http://127.0.0.1:8000" if debug else "").rstrip("/")
    if urlsplit(value).scheme not in ("http", "https") or not urlsplit(value).hostname:
        raise ImproperlyConfigured(
            f"PUBLIC_URL is {value!r}. Set it to the address people open, for example https://trust.example.com"
        )
    if is_loopback(value):
        return value
    if debug:
        raise ImproperlyConfigured("DEBUG is on although PUBLIC_URL is not on this machine. Unset DEBUG.")
    if not value.startswith("https://"):
        raise ImproperlyConfigured(f"PUBLIC_URL is {value!r}. Outside of this machine it has to start with https://")
    return value


def secret_key(*, debug: bool) -> str:
    """Read SECRET_KEY, which signs sessions and links."""
    value: str = env.str("SECRET_KEY", default="development-only-" + "x" * MIN_SECRET_KEY if debug else "")
    if not debug and (len(value) < MIN_SECRET_KEY or value.startswith("development-only-")):
        raise ImproperlyConfigured(
            f"SECRET_KEY is missing or too short. Set at least {MIN_SECRET_KEY} random characters, for example "
            'from: python -c "import secrets; print(secrets.token_urlsafe(64))"'
        )
    return value


def encryption_keys(*, debug: bool) -> list[str]:
    """Read FIELD_ENCRYPTION_KEYS: base64 of 32 bytes each, comma-separated, the first one encrypts."""
    value = env.list("FIELD_ENCRYPTION_KEYS", default=["ZGV2ZWxvcG1lbnQtb25seS1rZXktb2YtMzItYnl0ZXM="] if debug else [])
    advice = (
        "Set the base64 of 32 random bytes, for example from: "
        'python -c "import base64, secrets; print(base64.b64encode(secrets.token_bytes(32)).decode())"'
    )
    if not value:
        raise ImproperlyConfigured(f"FIELD_ENCRYPTION_KEYS is missing. {advice}")
    try:
        KeyRing(value)
    except InvalidKey as error:
        raise ImproperlyConfigured(f"FIELD_ENCRYPTION_KEYS is wrong: {error}. {advice}") from None
    return list(value)


def allowed_hosts(*, site: str) -> list[str]:
    """Read ALLOWED_HOSTS; the host of PUBLIC_URL when unset."""
    hosts = env.list("ALLOWED_HOSTS", default=[urlsplit(site).hostname or ""])
    if is_loopback(site):
        return sorted({*hosts, *LOOPBACK_HOSTS - {"::1"}, "[::1]"})
    if any(host in ("", "*") or host.startswith("*") for host in hosts):
        raise ImproperlyConfigured(f"ALLOWED_HOSTS is {','.join(hosts)!r}. Name the hosts; a wildcard is not allowed.")
    return list(hosts)


def trusted_proxies(*, site: str) -> int:
    """Read TRUSTED_PROXIES: how many proxies in front of this process add to X-Forwarded-For.

    Outside of this machine it has to be said: behind a proxy that nobody counts, all clients are one, and ten wrong passwords
    of somebody shut everybody out.
    """
    value = env.str("TRUSTED_PROXIES", default="0" if is_loopback(site) else "")
    if not value.isdecimal():
        raise ImproperlyConfigured(f"TRUSTED_PROXIES is {value!r}. Set the number of proxies in front, for example 1.")
    return int(value)


def stream_url() -> str:
    """Read STREAM_URL: where browsers find the stream of changes, `/changes/` behind a proxy; empty: there is none."""
    value: str = env.str("STREAM_URL", default="")
    if value and not value.startswith(("/", "https://")) and not is_loopback(value):
        raise ImproperlyConfigured(f"STREAM_URL is {value!r}. Set a path of this site, for example /changes/, or unset it.")
    return value


def identity_provider_hosts(*, site: str) -> list[str]:
    """Read IDENTITY_PROVIDER_PRIVATE_HOSTS: tenants' identity providers that may be inside the operator's network."""
    return list(env.list("IDENTITY_PROVIDER_PRIVATE_HOSTS", default=_own_hosts(site)))


def team_channel_hosts(*, site: str) -> list[str]:
    """Read TEAM_CHANNEL_PRIVATE_HOSTS: where tenants may have notifications posted inside the operator's network."""
    return list(env.list("TEAM_CHANNEL_PRIVATE_HOSTS", default=_own_hosts(site)))


def _own_hosts(site: str) -> list[str]:
    return sorted(LOOPBACK_HOSTS) if is_loopback(site) else []


def breached_passwords_url() -> str:
    """Read BREACHED_PASSWORDS_URL: the service that lists breached passwords by the beginning of their hashes."""
    value: str = env.str("BREACHED_PASSWORDS_URL", default="").rstrip("/")
    if value and not value.startswith("https://") and not is_loopback(value):
        raise ImproperlyConfigured(
            f"BREACHED_PASSWORDS_URL is {value!r}. Set an address with https://, for example https://passwords.example.com/range"
        )
    return value


def name_servers() -> list[tuple[str, int]]:
    """Read DNS_SERVERS: who is asked whether a mail domain is proven. Empty stands for the name servers of the machine."""
    found = []
    for entry in env.list("DNS_SERVERS", default=[]):
        host, _, port = entry.rpartition(":") if entry.count(":") == 1 or entry.startswith("[") else (entry, "", "53")
        try:
            found.append((str(ip_address(host.strip("[]"))), int(port)))
        except ValueError:
            advice = "Set addresses of name servers, for example 9.9.9.9 or 127.0.0.1:5353"
            raise ImproperlyConfigured(f"DNS_SERVERS has {entry!r}. {advice}") from None
    return found


def log_format() -> str:
    """Read LOG_FORMAT: `line` for people, `json` for what collects lines."""
    value: str = env.str("LOG_FORMAT", default="line")
    if value not in LOG_FORMATS:
        raise ImproperlyConfigured(f"LOG_FORMAT is {value!r}. Set it to one of {', '.join(LOG_FORMATS)}.")
    return value


def metrics_token() -> str:
    """Read METRICS_TOKEN, which whoever collects figures shows as a bearer token."""
    value: str = env.str("METRICS_TOKEN", default="")
    if value and len(value) < MIN_METRICS_TOKEN:
        raise ImproperlyConfigured(f"METRICS_TOKEN is too short. Set at least {MIN_METRICS_TOKEN} random characters.")
    return value


def sentry_dsn() -> str:
    """Read SENTRY_DSN: where errors are sent, as a Sentry-compatible server shows it for a project; empty: nowhere."""
    value: str = env.str("SENTRY_DSN", default="")
    parts = urlsplit(value)
    if value and not (parts.username and parts.path.strip("/") and (parts.scheme == "https" or is_loopback(value))):
        raise ImproperlyConfigured(
            "SENTRY_DSN is not an address of a project. Set it as the server shows it, for example https://key@errors.example.com/7"
        )
    if value and find_spec("sentry_sdk") is None:
        raise ImproperlyConfigured(
            "SENTRY_DSN is set, and what sends errors is not installed. "
            "Run: python -m pip install --require-hashes -r requirements-watching.txt"
        )
    return value


def region_issuers(name: str) -> dict[str, str]:
    """Read what the platform calls itself in each region (`iss`, RFC 9207); nothing is ever sent there."""
    regions = _by_region(name)
    for region, issuer in regions.items():
        if not urlsplit(issuer).scheme:
            raise ImproperlyConfigured(
                f"{name} ({region}) is {issuer!r}. Set the issuer as the platform writes it, an address."
            )
    return regions


def _by_region(name: str) -> dict[str, str]:
    pairs = [item.partition("=") for item in env.list(name, default=[])]
    regions = {region.strip(): value.strip() for region, _, value in pairs}
    unknown = sorted(regions.keys() - set(REGIONS))
    if unknown:
        raise ImproperlyConfigured(f"{name} names {', '.join(map(repr, unknown))}. The regions are {', '.join(REGIONS)}.")
    return regions


def platform_api_url(*, site: str) -> str:
    """Read PLATFORM_API_URL: the platform's API. On this machine it may be missing: then it is the sandbox of `make demo`."""
    value = env.str("PLATFORM_API_URL", default=SANDBOX_URL if is_loopback(site) else "")
    if not value:
        raise ImproperlyConfigured("PLATFORM_API_URL is missing. Set it to the address of the platform's API, with https://")
    return platform_url("PLATFORM_API_URL", value)


def platform_app_urls(*, site: str, api_url: str) -> dict[str, str]:
    """Read PLATFORM_APP_URLS: where people consent, by region. On this machine it may be missing: then it is the sandbox."""
    name = "PLATFORM_APP_URLS"
    urls = {region: platform_url(f"{name} ({region})", url) for region, url in _by_region(name).items()}
    if not urls and not is_loopback(site):
        raise ImproperlyConfigured(
            f"{name} is missing. Set the hosts that people open, by region, for example us=https://app.platform.example"
        )
    return urls or dict.fromkeys(REGIONS, api_url)


def platform_gov_api_url(*, site: str, api_url: str, app_urls: dict[str, str]) -> str:
    """Read PLATFORM_GOV_API_URL, the API of government tenants. It may be missing on this machine, and where there are none."""
    value = env.str("PLATFORM_GOV_API_URL", default="")
    if not value and "gov" in app_urls and not is_loopback(site):
        raise ImproperlyConfigured("PLATFORM_GOV_API_URL is missing. Set it, or leave `gov` out of PLATFORM_APP_URLS.")
    return platform_url("PLATFORM_GOV_API_URL", value or api_url)


def platform_url(name: str, value: str) -> str:
    """Check an address of the platform: https, or this machine (the sandbox)."""
    value = value.rstrip("/")
    if value and not value.startswith("https://") and not is_loopback(value):
        raise ImproperlyConfigured(f"{name} is {value!r}. Tokens travel there: it has to start with https://")
    return value


def mailer(*, site: str) -> dict[str, object]:
    """Read EMAIL_URL as an entry of Django's MAILERS; on this machine it may be missing and mail is printed.

    `filemail:///folder` writes files into `/folder`, as `file:///folder` would.
    """
    if not is_loopback(site) and not env.str("EMAIL_URL", default=""):
        raise ImproperlyConfigured(
            "EMAIL_URL is missing: invitations and password resets go by mail. "
            "Set it to your mail server, for example smtp+tls://user:password@mail.example.com:587"
        )
    values = env.email_url("EMAIL_URL", default="consolemail://")
    backend = values["EMAIL_BACKEND"]
    if backend.endswith("filebased.EmailBackend"):
        # django-environ cuts off the slash that the path begins with: mail would land below whatever folder is the current one.
        folder = Path("/", unquote(urlsplit(env.str("EMAIL_URL")).path))
        return {"BACKEND": "portal.lib.readable_mail.FileBackend", "OPTIONS": {"file_path": str(folder)}}
    if backend.endswith("console.EmailBackend"):
        return {"BACKEND": "portal.lib.readable_mail.ConsoleBackend"}
    if not backend.endswith("smtp.EmailBackend"):
        return {"BACKEND": backend}
    options = {
        "host": values["EMAIL_HOST"],
        "port": values["EMAIL_PORT"],
        "username": values["EMAIL_HOST_USER"],
        "password": values["EMAIL_HOST_PASSWORD"],
        "use_tls": values.get("EMAIL_USE_TLS", False),
        "use_ssl": values.get("EMAIL_USE_SSL", False),
        "timeout": 10,
    }
    return {"BACKEND": backend, "OPTIONS": {name: value for name, value in options.items() if value is not None}}
