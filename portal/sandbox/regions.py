"""Which of the platform's hosts was called (specification 5, platform-api 2.2).

The platform has an app host for each region, one API host for all commercial regions, and another for government. The sandbox
is one process, so it tells them apart by the first label of the host (`eu.localhost:8001`) or by the first part of the path
(`127.0.0.1:8001/eu`). Its bare address stands for every host at once: nothing is refused there for the sake of a region.
"""

from typing import TYPE_CHECKING, Final
from urllib.parse import quote

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

GOV: Final = "gov"
COMMERCIAL: Final = "commercial"
REGION_OF_LABEL: Final = {"us": "us", "eu": "eu", "au": "au", "aus": "au", "gov": GOV}
REGION: Final = "sandbox.region"
"""Where in the environment of a request the region stands; empty at the bare address."""
APP_PATHS: Final = ("", "/", "/oauth/authorize")
"""What an app host serves. It is no API host: everything else is told the way to the one that is."""


def locate(environ: "WSGIEnvironment") -> None:
    """Note which region's host was called, and take the part of the path that said so out of the path."""
    region = region_of_host(environ.get("HTTP_HOST", ""))
    part = environ["PATH_INFO"].removeprefix("/").partition("/")[0]
    if not region and part in REGION_OF_LABEL:
        region = REGION_OF_LABEL[part]
        environ["SCRIPT_NAME"] = f"{environ.get('SCRIPT_NAME', '')}/{part}"
        for name in {"PATH_INFO", "RAW_URI", "REQUEST_URI"} & environ.keys():
            environ[name] = environ[name].removeprefix(f"/{part}")
    environ[REGION] = region


def path_as_sent(environ: "WSGIEnvironment") -> str:
    """Return the path with its percent-encoding: in the decoded one a slash of an id looks like any other."""
    sent: str = environ.get("RAW_URI") or environ.get("REQUEST_URI") or quote(environ["PATH_INFO"].encode("latin-1"))
    path = sent.partition("?")[0].partition("#")[0]
    # A proxy is asked for a whole address (RFC 9112, absolute form).
    return path if path.startswith("/") else "/" + path.partition("://")[2].partition("/")[2]


def region_of_host(host: str) -> str:
    """Return the region of an app host, or "gov" for the government's API host; empty for every other one."""
    labels = host.lower().split(".")
    if len(labels) == 1:
        return ""
    return GOV if labels[:2] == ["api", GOV] else REGION_OF_LABEL.get(labels[0], "")


def api_home(environ: "WSGIEnvironment") -> str | None:
    """Return the address of the API host if a regional one was called, or an app host for more than it serves; else None."""
    first, _, others = environ.get("HTTP_HOST", "").partition(".")
    second, _, rest = others.partition(".")
    if first.lower() == "api" and second.lower() in REGION_OF_LABEL and second.lower() != GOV:
        host = f"{first}.{rest}"
    elif environ[REGION] in ("", GOV) or environ["PATH_INFO"] in APP_PATHS:
        return None
    else:
        host = others if first.lower() in REGION_OF_LABEL else environ.get("HTTP_HOST", "")
    return f"{environ['wsgi.url_scheme']}://{host}{path_as_sent(environ)}"


def cell_of(region: str) -> str:
    """Say at whose API host a grant of a region is good: the commercial one, or the government's; empty for both."""
    if not region:
        return ""
    return GOV if region == GOV else COMMERCIAL


def is_at_home(cell: str, region_called: str) -> bool:
    """Say whether what was made for a cell may be used at the API host that was called; the bare one is commercial."""
    return cell in ("", GOV if region_called == GOV else COMMERCIAL)
