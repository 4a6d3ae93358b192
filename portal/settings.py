"""All settings. What differs between places comes from the environment; an unsafe value stops the start."""

import os
from pathlib import Path

from django.utils.csp import CSP

from portal.lib import environment, logs
from portal.lib.environment import env

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / "var"))).resolve()
DATA_DIR.mkdir(parents=True, exist_ok=True)

DEBUG = env.bool("DEBUG", default=False)
PUBLIC_URL = environment.public_url(debug=DEBUG)
ON_THIS_MACHINE = environment.is_loopback(PUBLIC_URL)
SECRET_KEY = environment.secret_key(debug=DEBUG)
FIELD_ENCRYPTION_KEYS = environment.encryption_keys(debug=DEBUG)
ALLOWED_HOSTS = environment.allowed_hosts(site=PUBLIC_URL)
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]

# The platform. The defaults of the addresses are the sandbox of `make demo`.
PLATFORM_API_URL = environment.platform_url("PLATFORM_API_URL", env.str("PLATFORM_API_URL", default="http://127.0.0.1:8001"))
PLATFORM_GOV_API_URL = environment.platform_url(
    "PLATFORM_GOV_API_URL", env.str("PLATFORM_GOV_API_URL", default=PLATFORM_API_URL)
)
PLATFORM_APP_URLS = environment.region_urls("PLATFORM_APP_URLS") or dict.fromkeys(("us", "eu", "au", "gov"), PLATFORM_API_URL)
# What the platform calls itself in the answer of the consent screen; where nothing is said here, its own two addresses.
PLATFORM_ISSUERS = environment.region_issuers("PLATFORM_ISSUERS")
PLATFORM_CLIENT_ID = env.str("PLATFORM_CLIENT_ID", default="")
PLATFORM_CLIENT_SECRET = env.str("PLATFORM_CLIENT_SECRET", default="")
# The four scopes of a public integration (specification section 5).
PLATFORM_SCOPES = env.str(
    "PLATFORM_SCOPES",
    default="connectors.self:read-resource connectors.self:write-resource self:read-document self:write-document",
)
PLATFORM_CONTRACTS_PATH = env.str("PLATFORM_CONTRACTS_PATH", default="/customer-trust/contracts")
WEBHOOK_HEADER_PREFIX = env.str("WEBHOOK_HEADER_PREFIX", default="hook-")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "django_htmx",
    "lucide",
    # The rooms, the lower floors first (docs/rooms.md).
    *(
        f"portal.{room}"
        for room in ("ui", "users", "tenants", "search", "audit", "page_refresh", "worker_monitoring", "members", "calendars")
    ),
    *(f"portal.{room}" for room in ("connections", "sync", "accounts", "trust_center_activity")),
    *(f"portal.{desk}" for desk in ("questionnaires", "access_requests", "contracts", "customers", "deletion_requests")),
    *(f"portal.{room}" for room in ("trust_documents", "commitments", "incidents", "inbox", "today", "demo")),
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "portal.lib.null_bytes.refuse_nul",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "portal.urls"
WSGI_APPLICATION = "portal.wsgi.application"
# The hook must answer the same with and without a trailing slash, and never with a redirect (guarantee H14).
APPEND_SLASH = False

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "portal.ui.context.navigation",
            ]
        },
    }
]
FORM_RENDERER = "portal.ui.forms.Renderer"

DATABASES = {"default": env.db_url("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'portal.sqlite3'}")}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # IMMEDIATE: a transaction that reads and then writes would otherwise fail with "database is locked" under load.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        # secure_delete: what is deleted is overwritten in the file as well (guarantee S11), whatever SQLite was built with.
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON;",
    }
    # A file: a database in memory has no WAL, and its threads lock each other out.
    DATABASES["default"]["TEST"] = {"NAME": DATA_DIR / "tests.sqlite3"}
else:
    DATABASES["default"]["ENGINE"] = "portal.tenants.postgresql"
    # Nothing is prepared but what asks for it (`lib.database.run_prepared`): the ORM's statements hold their values.
    options = {"connect_timeout": 3, "options": "-c lock_timeout=3s -c statement_timeout=4s", "prepare_threshold": 0}
    # After a restart of the database nobody is handed a connection of before it (guarantee H5).
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
    if os.environ.get("PORTAL_PROCESS") == "web":
        # The pool is for web processes only: workers fork, and a pool opened before a fork is broken (guarantee O5).
        options["pool"] = {
            "min_size": 1,
            "max_size": env.int("DATABASE_POOL_SIZE", default=10),
            "timeout": 4,
            # By default its tries grow apart up to five minutes, and a database that is back would not be noticed.
            "reconnect_timeout": 2,
        }
    else:
        DATABASES["default"]["CONN_MAX_AGE"] = 600
        options["options"] = "-c lock_timeout=10s -c statement_timeout=60s"
    DATABASES["default"]["OPTIONS"] = options

CACHES = {
    # What all processes have to count together: failed sign-ins, mails to one address (guarantee S14).
    "default": env.cache_url("CACHE_URL", default="dbcache://shared_cache?max_entries=10000"),
    # Pieces of pages, which are right in each process for itself.
    "pages": env.cache_url("CACHE_URL", default="locmemcache://"),
}
# How many proxies in front of the web processes add to X-Forwarded-For.
TRUSTED_PROXIES = environment.trusted_proxies()

AUTH_USER_MODEL = "users.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "portfolio"
ACCOUNT_ADAPTER = "portal.users.adapter.AccountAdapter"
ACCOUNT_RATE_LIMITS = {
    # Per client, and for one account per client.
    "login_failed": "10/m/ip,5/5m/key",
    # For one account from everywhere. More than any one client reaches: nobody is shut out by another alone.
    "login_failed_account": "30/5m/key",
    # Mails to one address: of one client fewer than of all, for the same reason.
    "confirm_email": "3/m/ip,40/10m/key",
    "reset_password": "4/m/ip,10/m/key",
}
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*", "password2*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
# A code is worth something only in the browser that signed up or knows the password. Whoever opened a link instead would prove
# the address for an account that somebody else has set up (guarantee S13).
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
# Further factors and the proof of the address are still asked for.
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_FORMS = {"signup": "portal.users.forms.SignUpForm"}
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "http" if ON_THIS_MACHINE else "https"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]

MAILERS = {"default": environment.mailer(site=PUBLIC_URL)}
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default="Customer trust portal <no-reply@localhost>")

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = ON_THIS_MACHINE
STORAGES = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        # For nobody but the portal: no address serves them.
        "OPTIONS": {"file_permissions_mode": 0o600, "directory_permissions_mode": 0o700},
    },
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if ON_THIS_MACHINE
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
MEDIA_ROOT = DATA_DIR / "files"

SECURE_CSP = {
    "default-src": [CSP.SELF],
    "img-src": [CSP.SELF, "data:"],
    "object-src": [CSP.NONE],
    "base-uri": [CSP.NONE],
    "frame-ancestors": [CSP.NONE],
    # The connect form answers with a redirect to the platform's consent page, which browsers count as a form target.
    "form-action": [CSP.SELF, *sorted({environment.origin_of(url) for url in PLATFORM_APP_URLS.values()})],
}
# In the cookie they would cost every request a signer, also those that have none to show.
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
# An answer may have hundreds of parts with a dozen ticks each, a bulk run a thousand rows.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000
# A folder of contracts comes as one form; each of its files is open until the answer is written.
DATA_UPLOAD_MAX_NUMBER_FILES = 300
LARGEST_UPLOAD = 50 * 1024 * 1024
LARGEST_CONTRACT = 25 * 1024 * 1024
FILE_UPLOAD_HANDLERS = [
    "portal.lib.uploads.AbortOversizedUpload",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
if not ON_THIS_MACHINE:
    SESSION_COOKIE_NAME = "__Host-session"
    CSRF_COOKIE_NAME = "__Host-csrf"
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    # The hook and the health checks may arrive without the proxy's header; they must never be redirected (H14).
    SECURE_REDIRECT_EXEMPT = [r"^hooks/", r"^healthz$", r"^readyz$", r"^metrics$"]
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = True

CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="filesystem://localhost")
# When no worker has taken a task for so long, the operator is told. Longer than a supervisor takes to replace its worker.
WORKER_SILENT_SECONDS = env.float("WORKER_SILENT_SECONDS", default=60.0)

DEFAULT_EXCEPTION_REPORTER = "portal.lib.reports.Report"
DEFAULT_EXCEPTION_REPORTER_FILTER = "portal.lib.reports.RedactingExceptionFilter"

# Where the processes of this machine keep what they count; prometheus_client reads it from the environment.
os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(DATA_DIR / "metrics"))
Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]).mkdir(parents=True, exist_ok=True)

LOGGING = logs.configuration(level=env.str("LOG_LEVEL", default="INFO"))
