"""The settings of the site, all of them; what differs between places is read from the environment."""

import os
import ssl
from pathlib import Path
from urllib.parse import urlsplit

import dj_database_url
from celery.schedules import crontab
from django.core.exceptions import ImproperlyConfigured
from kombu import Queue

BASE_DIR = Path(__file__).resolve().parent.parent


def env_flag(name: str, default: bool) -> bool:
    """True for 1, true, yes, on; False for 0, false, no, off and nothing; refuses the rest."""
    word = os.environ.get(name, str(default)).strip().lower()
    if word in {"1", "true", "yes", "on"}:
        return True
    if word in {"0", "false", "no", "off", ""}:
        return False
    raise ImproperlyConfigured(f"{name} must be 1 or 0, not {word!r}.")


def env_number(name: str, default: int) -> int:
    try:
        return int(os.environ.get(name, default))
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be a whole number.") from error


def env_list(name: str) -> list[str]:
    """The words of a comma-separated variable."""
    return [word.strip() for word in os.environ.get(name, "").split(",") if word.strip()]


def env_redis(name: str, default: str = "") -> str:
    """The address of a numbered database of a Redis, `redis://host:port/0` (or `rediss://`), or nothing."""
    url = os.environ.get(name, "").strip() or default
    if not url:
        return ""
    parts = urlsplit(url)
    database = parts.path.strip("/") or "0"
    if parts.scheme not in {"redis", "rediss"} or not database.isdecimal():
        raise ImproperlyConfigured(f"{name} must be like redis://host:6379/0.")
    return parts._replace(path=f"/{database}").geturl()


def next_database(url: str) -> str:
    """The database of the same Redis with the next number."""
    parts = urlsplit(url)
    return parts._replace(path=f"/{int(parts.path[1:]) + 1}").geturl() if url else ""


def our_forms(**names: str) -> dict[str, str]:
    return {name: f"cvarenta.accounts.forms.{form}" for name, form in names.items()}


# Who we are, and how much we trust the place we run in

DEBUG = env_flag("DJANGO_DEBUG", default=False)

INSECURE_PREFIX = "django-insecure-"
SECRET_KEY = os.environ.get("DJANGO_SECRET_KEY", INSECURE_PREFIX + "for-development-on-your-own-machine-only")
if not DEBUG and (not SECRET_KEY or SECRET_KEY.startswith(INSECURE_PREFIX)):
    raise ImproperlyConfigured(
        "Set DJANGO_SECRET_KEY to a long random text of your own (or DJANGO_DEBUG=1 on your own machine)."
    )

ALLOWED_HOSTS = env_list("DJANGO_ALLOWED_HOSTS")
if DEBUG:
    ALLOWED_HOSTS += ["localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = env_list("DJANGO_CSRF_TRUSTED_ORIGINS")

SECURE = not DEBUG and env_flag("DJANGO_SECURE", default=True)
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE
SECURE_HSTS_SECONDS = env_number("DJANGO_HSTS_SECONDS", default=30 * 24 * 3600) if SECURE else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE
# Being preloaded into browsers is for the owner of the domain to choose.
SILENCED_SYSTEM_CHECKS = ["security.W021"]
BEHIND_PROXY = env_flag("DJANGO_BEHIND_PROXY", default=False)
if BEHIND_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# How many proxies add the visitor's address to X-Forwarded-For; 0 ignores the header, which anybody may send.
ALLAUTH_TRUSTED_PROXY_COUNT = env_number("DJANGO_TRUSTED_PROXIES", default=int(BEHIND_PROXY))
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "cvarenta.errors.csrf_failure"
# Bytes; nothing we take is larger than a form, and no file is taken at all.
DATA_UPLOAD_MAX_MEMORY_SIZE = FILE_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]
SESSION_ENGINE = "cvarenta.sessions"


# What we are made of

INSTALLED_APPS = [
    "whitenoise.runserver_nostatic",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "cvarenta.apps.CvarentaConfig",
    "campaign.apps.CampaignConfig",
    "tournament.apps.TournamentConfig",
]
MIDDLEWARE = [
    "cvarenta.middleware.content_security_policy",  # outermost: on refused hosts and static files too
    "cvarenta.health.answer_first",
    "cvarenta.errors.in_our_words",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "cvarenta.accounts.middleware.never_cache_accounts",
    "cvarenta.accounts.middleware.leave_with_the_account",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "cvarenta.urls"
WSGI_APPLICATION = "cvarenta.wsgi.application"
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
                "campaign.context.city",
            ],
        },
    },
]


# What we keep

DATABASES = {
    "default": dj_database_url.config(
        default=f"sqlite:///{BASE_DIR / 'db.sqlite3'}", conn_max_age=60, conn_health_checks=True
    )
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # Writers queue instead of failing, and readers never wait for them.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# The cache has a numbered database to itself: clearing it empties that, and must not take waiting tasks along.
REDIS_URL = env_redis("REDIS_URL")
REDIS_CACHE_URL = REDIS_URL and env_redis("REDIS_CACHE_URL", default=next_database(REDIS_URL))
# Seconds; whoever asks a Redis that hangs waits no longer.
REDIS_TIMEOUTS = {"socket_connect_timeout": 0.5, "socket_timeout": 0.5}

# Every process must see the same counts of who tried what how often.
IN_THE_DATABASE = {
    "BACKEND": "django.core.cache.backends.db.DatabaseCache",
    "LOCATION": "cvarenta_cache",
    "OPTIONS": {"MAX_ENTRIES": 20_000},
}
IN_REDIS = {
    "BACKEND": "cvarenta.cache.RedisOrDatabaseCache",
    "LOCATION": REDIS_CACHE_URL,
    "KEY_PREFIX": "cvarenta",
    "OPTIONS": REDIS_TIMEOUTS,
}
# Pages that are the same for all, in each process: only what the key itself says to be fresh may be kept there.
IN_THE_PROCESS = {
    "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
    "TIMEOUT": 10,
    "OPTIONS": {"MAX_ENTRIES": 50},
}
CACHES = {"default": IN_THE_DATABASE, "pages": IN_THE_PROCESS}
if REDIS_URL:
    CACHES |= {"default": IN_REDIS, "database": IN_THE_DATABASE}


# Who plays

AUTH_USER_MODEL = "cvarenta.Player"
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
AUTHENTICATION_BACKENDS = ["cvarenta.accounts.backend.PlayerBackend"]

LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/campana/"
LOGOUT_REDIRECT_URL = ACCOUNT_LOGOUT_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "cvarenta.accounts.adapter.AccountAdapter"
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True  # whom guesses of others have locked out is in again at once
# Signing up with another's address must look like any sign-up: it makes an account whose address nobody confirmed.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_EMAIL_CONFIRMATION_AUTHENTICATED_REDIRECT_URL = "/cuenta/"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_METHODS = {"password", "mfa"}
ACCOUNT_FORMS = our_forms(
    signup="SignUpForm",
    login="LogInForm",
    reset_password="ResetForm",
    reset_password_from_key="NewPasswordForm",
    change_password="ChangePasswordForm",
    set_password="SetPasswordForm",
    add_email="EmailForm",
    reauthenticate="ReauthenticateForm",
)
# A hall of two hundred behind one address may come in within ten minutes; one account is guessed at ten times from an
# address, a hundred times from all.
ACCOUNT_RATE_LIMITS = {
    "signup": "600/10m/ip",
    "login": "1000/10m/ip",
    "login_failed": "300/10m/ip,10/10m/key",  # the key: an account from an address
    "login_failed_anywhere": "100/10m/key",
    "reset_password": "300/10m/ip,5/10m/key",
    "reset_password_from_key": "300/10m/ip",
    "reset_name": "5/h/key",
    "reauthenticate": "10/10m/user",
    "change_password": "10/10m/user",
    "manage_email": "20/10m/user",
    "confirm_email": "1/m/key",
    "rename": "5/d/user",
    "verify": "20/10m/ip",  # a record may take seconds
}
MFA_ADAPTER = "cvarenta.accounts.adapter.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True  # accounts belong to their name here: an unconfirmed address opens none
MFA_TOTP_ISSUER = "Cvarenta de Qvito"
MFA_TOTP_TOLERANCE = 1  # telephones' clocks
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = DEBUG
MFA_RATE_LIMITS = {"webauthn_login": "300/10m/ip"}
MFA_FORMS = our_forms(
    authenticate="CodeForm",
    reauthenticate="ReauthenticateCodeForm",
    activate_totp="ActivateAppForm",
    add_webauthn="AddKeyForm",
    edit_webauthn="EditKeyForm",
    login_webauthn="KeyLogInForm",
    authenticate_webauthn="KeyForm",
    reauthenticate_webauthn="ReauthenticateKeyForm",
)


# What we send

EMAIL_HOST = os.environ.get("DJANGO_EMAIL_HOST", "")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
EMAIL_PORT = env_number("DJANGO_EMAIL_PORT", default=587)
EMAIL_HOST_USER = os.environ.get("DJANGO_EMAIL_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("DJANGO_EMAIL_PASSWORD", "")
EMAIL_USE_SSL = EMAIL_PORT == 465
EMAIL_USE_TLS = not EMAIL_USE_SSL and env_flag("DJANGO_EMAIL_TLS", default=True)
EMAIL_TIMEOUT = 10  # seconds
DEFAULT_FROM_EMAIL = SERVER_EMAIL = os.environ.get("DJANGO_FROM_EMAIL", "Cvarenta de Qvito <cuarenta@localhost>")


# What they see

LANGUAGE_CODE = "es"
TIME_ZONE = "America/Guayaquil"
USE_TZ = True

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = Path(os.environ.get("DJANGO_STATIC_ROOT", BASE_DIR / "staticfiles"))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "cvarenta.storage.StaticStorage"
    },
}
WHITENOISE_KEEP_ONLY_HASHED_FILES = True


# What is done later, and again and again

# Without a Redis a task is done where it is sent; its errors are logged and go no further.
CELERY_TASK_ALWAYS_EAGER = not REDIS_URL
CELERY_TASK_EAGER_PROPAGATES = False
CELERY_BROKER_URL = REDIS_URL or "memory://localhost"
if REDIS_URL.startswith("rediss:"):
    CELERY_BROKER_USE_SSL = {"ssl_cert_reqs": ssl.CERT_REQUIRED}  # or it would believe any certificate
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker
# A task taken and not done, as its worker was killed, is given to another after ten minutes.
CELERY_BROKER_TRANSPORT_OPTIONS = REDIS_TIMEOUTS | {
    "max_retries": 0,  # for who sends; a worker goes by the settings above
    "visibility_timeout": 600,
}
CELERY_TASK_PUBLISH_RETRY = False  # or a request would wait for it
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_QUEUES = [Queue("celery"), Queue("slow")]  # a worker that is told nothing does both
SLOW_TASKS = ("campaign.tasks.analyse", "campaign.tasks.analyse_waiting", "tournament.tasks.check_run")
CELERY_TASK_ROUTES = {name: {"queue": "slow"} for name in SLOW_TASKS}
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True  # only as every task may be done twice
CELERY_TASK_TIME_LIMIT = 300
# Takes all there is: with a limit, tasks done whose answer Redis did not take (it hung) would fill it for good.
CELERY_WORKER_PREFETCH_MULTIPLIER = 0
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = TIME_ZONE
# What is not done before it is due again need not be done: without a worker the same task does not wait a thousand
# times.
CELERY_BEAT_SCHEDULE = {
    "forget guests": {"task": "campaign.tasks.forget_guests", "schedule": crontab(hour=4, minute=30)},
    "sum up": {"task": "campaign.tasks.sum_up", "schedule": crontab(minute=20)},
    "analyse waiting": {"task": "campaign.tasks.analyse_waiting", "schedule": 120, "options": {"expires": 120}},
    "close seasons": {"task": "tournament.tasks.close_seasons", "schedule": 30, "options": {"expires": 30}},
    "refresh ranking": {"task": "tournament.tasks.refresh_ranking", "schedule": 4, "options": {"expires": 4}},
    "forget pledges": {"task": "campaign.tasks.forget_pledges", "schedule": crontab(hour=4, minute=35)},
    "clear sessions": {"task": "cvarenta.tasks.clear_sessions", "schedule": crontab(hour=4, minute=50)},
    "forget traces": {"task": "tournament.tasks.forget_traces", "schedule": crontab(hour=4, minute=40)},
    "check runs": {"task": "tournament.tasks.check_runs", "schedule": 300, "options": {"expires": 300}},
}


# What we say to those who run us

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": os.environ.get("DJANGO_LOG_LEVEL", "INFO")},
    "loggers": {"django": {"handlers": [], "propagate": True}},  # instead of e-mails nobody set up
}
