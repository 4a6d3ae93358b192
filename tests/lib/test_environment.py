import json
import os
import subprocess
import sys

import pytest

PRODUCTION = {
    "PUBLIC_URL": "https://trust.example.com",
    "SECRET_KEY": "p" * 30 + "qrstuvwxyz0123456789abcdefghij",
    "FIELD_ENCRYPTION_KEYS": "dGVzdHMtb25seS1rZXktbnVtYmVyLW9uZS0zMmJ5dGU=",
    "EMAIL_URL": "smtp+tls://portal:password@mail.example.com:587",
    "PLATFORM_API_URL": "https://api.platform.example",
    "TRUSTED_PROXIES": "1",
    "PLATFORM_CLIENT_ID": "id",
    "PLATFORM_CLIENT_SECRET": "secret",
    "PLATFORM_APP_URLS": "us=https://app.platform.example,eu=https://app.eu.platform.example",
}


def run(tmp_path, *command: str, **changes) -> subprocess.CompletedProcess:
    """Run something of the portal with production settings."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    values = {"DATA_DIR": str(tmp_path), **PRODUCTION, **changes}
    environment = {**kept, **{name: value for name, value in values.items() if value is not None}}
    return subprocess.run([sys.executable, *command], env=environment, capture_output=True, text=True, check=False)


def check(tmp_path, **changes) -> subprocess.CompletedProcess:
    return run(tmp_path, "manage.py", "check", "--deploy", "--fail-level", "WARNING", **changes)


def test_o2_the_deployment_check_is_clean_with_production_settings(tmp_path):
    result = check(tmp_path)
    assert result.returncode == 0, result.stderr


COOKIES = {
    "SESSION_COOKIE_NAME": "__Host-session",
    "SESSION_COOKIE_SECURE": True,
    "SESSION_COOKIE_HTTPONLY": True,
    "SESSION_COOKIE_SAMESITE": "Lax",
    "SESSION_COOKIE_DOMAIN": None,
    "CSRF_COOKIE_NAME": "__Host-csrf",
    "CSRF_COOKIE_SECURE": True,
    "CSRF_COOKIE_SAMESITE": "Lax",
    "CSRF_COOKIE_DOMAIN": None,
}
"""A browser takes a cookie of such a name from this host alone, over TLS, and for all of its paths."""


def test_s7_cookies_are_strict_with_production_settings(tmp_path):
    script = (
        f"from django.conf import settings as s; import json; print(json.dumps({{n: getattr(s, n) for n in {[*COOKIES]}}}))"
    )
    result = run(tmp_path, "-c", script, DJANGO_SETTINGS_MODULE="portal.settings")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout) == COOKIES


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("SECRET_KEY", None, "SECRET_KEY is missing"),
        ("SECRET_KEY", "short", "SECRET_KEY is missing or too short"),
        ("FIELD_ENCRYPTION_KEYS", None, "FIELD_ENCRYPTION_KEYS is missing"),
        ("FIELD_ENCRYPTION_KEYS", "bm90IDMyIGJ5dGVz", "FIELD_ENCRYPTION_KEYS"),
        ("EMAIL_URL", None, "EMAIL_URL is missing"),
        ("PUBLIC_URL", None, "PUBLIC_URL"),
        ("LOG_FORMAT", "xml", "line, json"),
        ("TRUSTED_PROXIES", None, "TRUSTED_PROXIES"),
        ("DATABASE_URL", "", "DATABASE_URL names neither"),
        ("DATABASE_URL", "mysql://portal:password@db.example.com/portal", "DATABASE_URL names neither"),
        ("CELERY_BROKER_URL", "", "CELERY_BROKER_URL is not an address"),
        ("CACHE_URL", "", "CACHE_URL is empty"),
        ("CACHE_URL", "locmemcache://", "cache of one process"),
        ("METRICS_TOKEN", "short", "METRICS_TOKEN is too short"),
        ("SENTRY_DSN", "http://key@errors.example.com/7", "SENTRY_DSN is not an address of a project"),
        ("SENTRY_DSN", "https://errors.example.com/7", "SENTRY_DSN is not an address of a project"),
        ("PUBLIC_URL", "http://trust.example.com", "https://"),
        ("DEBUG", "1", "DEBUG is on"),
        ("ALLOWED_HOSTS", "*", "ALLOWED_HOSTS"),
        ("PLATFORM_API_URL", None, "PLATFORM_API_URL is missing"),
        ("PLATFORM_API_URL", "http://api.platform.example", "PLATFORM_API_URL"),
        ("PLATFORM_APP_URLS", None, "PLATFORM_APP_URLS is missing"),
        ("PLATFORM_APP_URLS", "", "PLATFORM_APP_URLS is missing"),
        ("PLATFORM_APP_URLS", "gov=https://gov.platform.example", "PLATFORM_GOV_API_URL is missing"),
        ("PLATFORM_APP_URLS", "us=http://app.platform.example", "PLATFORM_APP_URLS"),
        ("PLATFORM_APP_URLS", "uk=https://app.platform.example", "The regions are us, eu, au, gov"),
        ("PLATFORM_ISSUERS", "us=platform", "PLATFORM_ISSUERS (us)"),
    ],
)
def test_o2_an_unsafe_start_ends_with_the_name_and_the_fix(tmp_path, name, value, words):
    result = check(tmp_path, **{name: value})
    assert result.returncode != 0
    assert words in result.stderr
    assert "Traceback" not in result.stderr


def test_o2_a_start_without_what_sends_errors_ends_with_the_fix(tmp_path):
    script = "import sys; sys.modules['sentry_sdk'] = None; import manage; sys.argv[:] = ['manage.py', 'check']; manage.main()"
    result = run(tmp_path, "-c", script, SENTRY_DSN="https://key@errors.example.com/7")
    assert result.returncode != 0
    assert "pip install --require-hashes -r requirements-watching.txt" in result.stderr
    assert "Traceback" not in result.stderr
