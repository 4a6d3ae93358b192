"""All settings. What differs between places comes from the environment; an unsafe value stops the start."""

import os
from pathlib import Path
from urllib.parse import urlsplit

from django.utils.csp import CSP

from portal.lib import allauth_forms, environment, logs, server_addresses
from portal.lib.environment import env
from portal.lib.model_server import model_server
from portal.lib.private_files import make_private

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = Path(env.str("DATA_DIR", default=str(BASE_DIR / "var"))).resolve()
make_private(DATA_DIR)

DEBUG = env.bool("DEBUG", default=False)
PUBLIC_URL = environment.public_url(debug=DEBUG)
ON_THIS_MACHINE = environment.is_loopback(PUBLIC_URL)
SECRET_KEY = environment.secret_key(debug=DEBUG)
# Keys of before: what they signed is good until they are taken away.
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
FIELD_ENCRYPTION_KEYS = environment.encryption_keys(debug=DEBUG)
ALLOWED_HOSTS = environment.allowed_hosts(site=PUBLIC_URL)
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]

# The platform. The defaults of the addresses are the sandbox of `make demo`.
PLATFORM_API_URL = environment.platform_api_url(site=PUBLIC_URL)
PLATFORM_APP_URLS = environment.platform_app_urls(site=PUBLIC_URL, api_url=PLATFORM_API_URL)
PLATFORM_GOV_API_URL = environment.platform_gov_api_url(site=PUBLIC_URL, api_url=PLATFORM_API_URL, app_urls=PLATFORM_APP_URLS)
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
    # First: its `collectstatic` is asked before Django's own.
    "portal.ui",
    "portal.ui.apps.StaticFiles",
    *(f"allauth{part}" for part in ("", ".account", ".mfa", ".socialaccount", ".usersessions")),
    "django_htmx",
    # The rooms, the lower floors first (docs/rooms.md).
    *(f"portal.{room}" for room in ("users", "tenants", "search", "audit", "page_refresh", "worker_monitoring")),
    *(f"portal.{room}" for room in ("members", "calendars", "saved_views", "work_items", "comments", "connections")),
    *(f"portal.{room}" for room in ("notifications", "single_sign_on", "backups", "sync", "accounts", "event_log")),
    *(f"portal.{room}" for room in ("trust_center", "trust_center_activity", "library", "language_model")),
    *(f"portal.{desk}" for desk in ("questionnaires", "access_requests", "contracts", "customers", "deletion_requests")),
    *(f"portal.{desk}" for desk in ("tags", "people", "documents", "vendors", "engagements", "risks", "controls")),
    *(f"portal.{room}" for room in ("commitments", "incidents", "inbox")),
    *(f"portal.{room}" for room in ("today", "commands", "help", "first_hour", "tenant_settings", "slack", "demo")),
]

MIDDLEWARE = [
    "portal.lib.request_ids.name_requests",
    "portal.lib.probes.welcome_probes",
    "django.middleware.security.SecurityMiddleware",
    "portal.lib.permissions_policy.set_permissions_policy",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Behind WhiteNoise, whose files are compressed ahead.
    "portal.ui.compression.CompressPages",
    "portal.lib.null_bytes.refuse_nul",
    "django.middleware.csp.ContentSecurityPolicyMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "portal.users.sessions.LimitSessions",
    "portal.users.cache_headers.keep_accounts_nowhere",
    "portal.page_refresh.services.share_reads",
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
            # How a date is written hangs on who reads it.
            "builtins": ["portal.ui.templatetags.dates"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "portal.ui.context.navigation",
            ],
        },
    }
]
FORM_RENDERER = "portal.ui.forms.Renderer"

DATABASES = {"default": server_addresses.database(data_dir=DATA_DIR)}
# Whom `migrate`, run by the owner of the tables, lets read and write them. Unset: one role does both.
DATABASE_APPLICATION_ROLE = env.str("DATABASE_APPLICATION_ROLE", default="")

CACHES = {
    # What all processes have to count together: failed sign-ins, mails to one address (guarantee S14).
    "default": server_addresses.shared_cache(site=PUBLIC_URL),
    # Fragments of pages, which are right in each process for itself. Each tenant in use has some thirty.
    "pages": env.cache_url("CACHE_URL", default="locmemcache://?max_entries=1000"),
}
TRUSTED_PROXIES = environment.trusted_proxies(site=PUBLIC_URL)
STREAM_URL = environment.stream_url()
STREAMS_PER_PERSON = env.int("STREAMS_PER_PERSON", default=10)

AUTH_USER_MODEL = "users.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
_VALIDATION = "django.contrib.auth.password_validation"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"{_VALIDATION}.UserAttributeSimilarityValidator", "OPTIONS": {"user_attributes": ("email", "name")}},
    {"NAME": f"{_VALIDATION}.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "portal.users.passwords.CommonWordValidator"},
    {"NAME": f"{_VALIDATION}.NumericPasswordValidator"},
    {"NAME": "portal.users.passwords.VariedPasswordValidator"},
    {"NAME": "portal.users.breached_passwords.BreachedPasswordValidator"},
]
BREACHED_PASSWORDS_URL = environment.breached_passwords_url()
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
ACCOUNT_ADAPTER = "portal.users.adapter.AccountAdapter"
ACCOUNT_RATE_LIMITS = {
    # Per client, and for one account per client.
    "login_failed": "10/m/ip,5/5m/key",
    # For one account from everywhere. More than any one client reaches: nobody is shut out by another alone.
    "login_failed_account": "30/5m/key",
    # For one account in a browser that it was signed in with before: what others fail elsewhere is not counted there.
    "login_failed_known": "10/5m/key",
    # Second factors in the same way. Their codes are short, so that those of an hour count.
    "code_failed": "10/m/ip,5/5m/key,10/h/key",
    "code_failed_account": "30/h/key",
    # Mails to one address: of one client fewer than of all, for the same reason.
    "confirm_email": "3/m/ip,40/10m/key",
    "reset_password": "4/m/ip,10/m/key",
    # Whoever creates a tenant can have mail sent to anybody. To one address of one person fewer than of all, once more.
    "invitation": "5/h/key,300/d/user",
    "invitation_to_address": "30/h/key",
    # A tenant's public page takes so many requests a day in all: one client alone does not use them up.
    "erasure_request": "20/d/ip",
    # What a button has sent or asked elsewhere (guarantee S9).
    "test_message": "10/m/user,60/h/user",
    "check_domain": "10/m/user,60/h/user",
    "company_sign_in": "60/m/ip",
    "company_sign_out": "600/m/ip",
}
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
# A code is worth something only in the browser that signed up or knows the password. Whoever opened a link instead would prove
# the address for an account that somebody else has set up (guarantee S13).
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = True
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT = 10 * 60
# Of a link that sets a password.
PASSWORD_RESET_TIMEOUT = 3600
# Further factors and the proof of the address are still asked for.
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_FORMS = allauth_forms.ACCOUNT_FORMS
# Sending takes a while. If only known addresses were written to, the time of the answer would tell which ones are.
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = True
# How long somebody is remembered is decided by the limits of the session, not by a tick.
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "http" if ON_THIS_MACHINE else "https"
# Whatever changes how somebody signs in is told to them by mail.
ACCOUNT_EMAIL_NOTIFICATIONS = True
# For so long after somebody has shown again who they are, nobody asks them once more.
ACCOUNT_REAUTHENTICATION_TIMEOUT = 10 * 60
SOCIALACCOUNT_ADAPTER = "portal.single_sign_on.adapter.SocialAccountAdapter"
IDENTITY_PROVIDER_PRIVATE_HOSTS = environment.identity_provider_hosts(site=PUBLIC_URL)
TEAM_CHANNEL_PRIVATE_HOSTS = environment.team_channel_hosts(site=PUBLIC_URL)
LANGUAGE_MODEL = model_server()
SLACK_API_URL = env.str("SLACK_API_URL", default="https://slack.com/api/")
DNS_SERVERS = environment.name_servers()
USERSESSIONS_ADAPTER = "portal.users.sessions.SessionsAdapter"
MFA_ADAPTER = "portal.users.factors.FactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_FORMS = allauth_forms.MFA_FORMS
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = ON_THIS_MACHINE
MFA_TOTP_TOLERANCE = 1  # the clocks of phones are a little wrong

MAILERS = {"default": environment.mailer(site=PUBLIC_URL)}
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default=f"Trust portal <no-reply@{urlsplit(PUBLIC_URL).hostname}>")

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
STATIC_URL = "static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", default=str(DATA_DIR / "static")))
STATICFILES_DIRS = [BASE_DIR / "static"]
_FINDERS = "django.contrib.staticfiles.finders"
STATICFILES_FINDERS = ["portal.ui.bundles.Bundles", f"{_FINDERS}.FileSystemFinder", f"{_FINDERS}.AppDirectoriesFinder"]
# Collected: hashed, compressed ahead, kept by browsers for ever. Otherwise the sources are served, as a developer wants them.
STATIC_COLLECTED = not DEBUG and env.bool("STATIC_COLLECTED", default=not ON_THIS_MACHINE)
WHITENOISE_USE_FINDERS = not STATIC_COLLECTED
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
STORAGES = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        # For nobody but the portal: no address serves them.
        "OPTIONS": {"file_permissions_mode": 0o600, "directory_permissions_mode": 0o700},
    },
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if STATIC_COLLECTED
        else "django.contrib.staticfiles.storage.StaticFilesStorage",
        # For everybody: a proxy serves them.
        "OPTIONS": {"file_permissions_mode": 0o644, "directory_permissions_mode": 0o755},
    },
}
MEDIA_ROOT = DATA_DIR / "files"

SECURE_CSP = {
    "default-src": [CSP.SELF],
    "connect-src": [CSP.SELF, *([environment.origin_of(STREAM_URL)] if "://" in STREAM_URL else [])],
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
# A session ends so long after it began, and after so many hours without anything done in it.
SESSION_COOKIE_AGE = env.int("SESSION_MAX_HOURS", default=7 * 24) * 3600
SESSION_IDLE_HOURS = env.int("SESSION_IDLE_HOURS", default=12)
SESSION_ENGINE = "portal.users.session_store"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
# An answer may have hundreds of parts with a dozen ticks each, a bulk run a thousand rows.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000
# A folder of contracts comes as one form; each of its files is open until the answer is written.
DATA_UPLOAD_MAX_NUMBER_FILES = 300
MAX_UPLOAD_BYTES = 50 * 1024 * 1024
MAX_CONTRACT_BYTES = 25 * 1024 * 1024
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

CELERY_BROKER_URL = server_addresses.broker_url()
# When no worker has taken a task for so long, the operator is told. Longer than a supervisor takes to replace its worker.
WORKER_SILENT_SECONDS = env.float("WORKER_SILENT_SECONDS", default=60.0)

# Who may read /metrics; without it only this machine.
METRICS_TOKEN = environment.metrics_token()

DEFAULT_EXCEPTION_REPORTER = "portal.lib.reports.Report"
DEFAULT_EXCEPTION_REPORTER_FILTER = "portal.lib.reports.RedactingExceptionFilter"

# Where the processes of this machine keep what they count; prometheus_client reads it from the environment.
os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(DATA_DIR / "metrics"))
Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]).mkdir(parents=True, exist_ok=True)

SENTRY_DSN = environment.sentry_dsn()
LOGGING = logs.configuration(level=env.str("LOG_LEVEL", default="INFO"), form=environment.log_format(), sentry_dsn=SENTRY_DSN)
