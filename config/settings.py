"""Every setting, flat. Values come from the environment through `config.env`; the usual names are in README.md."""

from pathlib import Path

from config import pages
from config.env import BadSetting, environment
from config.logging import json_logging

env = environment()
BASE_DIR = Path(__file__).resolve().parent.parent

# --- who we are ---------------------------------------------------------------------------------
DEBUG = env.flag("DEBUG", default=False)
SECRET_KEY = env.text("SECRET_KEY")
KEY_PEPPER = env.text("KEY_PEPPER")  # keys the hash of API keys; changing it ends every key
for name, secret in (("SECRET_KEY", SECRET_KEY), ("KEY_PEPPER", KEY_PEPPER)):
    if not DEBUG and (len(secret) < 32 or secret.startswith("insecure") or len(set(secret)) < 5):
        raise BadSetting(name, "is too weak for production: set 32 random characters or more")
PUBLIC_URL = env.url("PUBLIC_URL", {"http", "https"}, "http://127.0.0.1:8000").rstrip("/")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]")
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
MCP_ORIGINS = env.words("MCP_ORIGINS", "")  # further sites whose pages may call /mcp from a browser

# --- servers ------------------------------------------------------------------------------------
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql",
        **env.database("DATABASE_URL"),
        "CONN_MAX_AGE": env.whole("DATABASE_CONNECTION_SECONDS", 600),
        "CONN_HEALTH_CHECKS": True,
        # A pooler in transaction mode can't keep cursors or prepared statements between transactions.
        "DISABLE_SERVER_SIDE_CURSORS": True,
    }
}
DATABASES["default"]["OPTIONS"].setdefault("connect_timeout", "5")
REDIS_URL = env.url("REDIS_URL", {"redis", "rediss", "redis+socket", "unix"})
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- embeddings ---------------------------------------------------------------------------------
EMBEDDINGS_URL = env.url("EMBEDDINGS_URL", {"http", "https"}, "http://127.0.0.1:8090/v1").rstrip("/")
EMBEDDINGS_MODEL = env.text("EMBEDDINGS_MODEL", "usem3-centred")
EMBEDDINGS_API_KEY = env.text("EMBEDDINGS_API_KEY", "")
EMBEDDINGS_DIMENSIONS = env.whole("EMBEDDINGS_DIMENSIONS", 512, least=1, most=4000)
EMBEDDINGS_QUERY_PREFIX = env.text("EMBEDDINGS_QUERY_PREFIX", "query: ")
EMBEDDINGS_PASSAGE_PREFIX = env.text("EMBEDDINGS_PASSAGE_PREFIX", "passage: ")
# Below this cosine (in hundredths) a record is not an answer; it belongs to the model, as the dimensions do.
EMBEDDINGS_FLOOR_PERCENT = env.whole("EMBEDDINGS_FLOOR_PERCENT", 28, most=100)
EMBEDDINGS_TIMEOUT_MS = env.whole("EMBEDDINGS_TIMEOUT_MS", 5000, least=1)

# --- limits (all answered with a clear error) ---------------------------------------------------
MAX_BODY_BYTES = env.whole("MAX_BODY_BYTES", 4 * 1024 * 1024, least=1024)
MAX_CONTENT_CHARACTERS = env.whole("MAX_CONTENT_CHARACTERS", 1_048_576, least=1_000, most=1_048_576)
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_BODY_BYTES
CHECK_ANSWERS = env.flag("CHECK_ANSWERS", default=DEBUG)  # every answer against its declared shape; for tests

# --- the archivist ------------------------------------------------------------------------------
WORK_LEASE_SECONDS = env.whole("WORK_LEASE_SECONDS", 120, least=5)  # how long a worker may hold an errand
WORK_RING_SECONDS = env.whole("WORK_RING_SECONDS", 30, least=1)  # a message not taken up by then is sent again
WORK_ATTEMPTS = env.whole("WORK_ATTEMPTS", 5, least=1)  # then the errand is given up, and a person decides
WORK_RELAY_MS = env.whole("WORK_RELAY_MS", 1000, least=50)  # how often due errands are looked for

CELERY_BROKER_URL = REDIS_URL
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # The lease in the database decides who does what; Redis only has to be slower than it, or it would ring twice.
    "visibility_timeout": max(3600, 10 * WORK_LEASE_SECONDS),
    "queue_order_strategy": "round_robin",
    # A broker that drops packets costs seconds and not for ever.
    "socket_timeout": 5,
    "socket_connect_timeout": 2,
    "socket_keepalive": True,
    "health_check_interval": 10,
}
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # however long it is away
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False  # their effect needs no broker
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_STORE_EAGER_RESULT = False
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_TASK_TIME_LIMIT = WORK_LEASE_SECONDS - 1  # ends before the lease does: one record, one worker
CELERY_TASK_SOFT_TIME_LIMIT = max(1, WORK_LEASE_SECONDS * 3 // 4)
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"  # the plan below is all there is to remember
CELERY_TASK_CREATE_MISSING_QUEUES = True
CELERY_TASK_DEFAULT_QUEUE = "relay"
CELERY_TASK_QUEUES: dict[str, dict[str, str]] = {name: {} for name in ("relay", "embed", "scan", "review")}
CELERY_TASK_ROUTES = {
    "archivist.embed_records": {"queue": "embed"},
    "archivist.scan_records": {"queue": "scan"},
    "archivist.review_record": {"queue": "review"},
}
CELERY_BEAT_SCHEDULE = {
    "relay": {
        "task": "archivist.relay",
        "schedule": WORK_RELAY_MS / 1000,
        "options": {"expires": max(2.0, WORK_RELAY_MS / 1000)},  # nobody needs yesterday's
    },
    "purge": {"task": "archivist.purge", "schedule": 600.0, "options": {"expires": 600}},
}

# --- Django -------------------------------------------------------------------------------------
INSTALLED_APPS = [
    "orgs",
    "memory",
    "archivist",
    "unfold.apps.BasicAppConfig",  # its templates stand before those of Django's admin
    "django.contrib.admin.apps.SimpleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "guardian",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
]
MIDDLEWARE = [
    "config.requests.RequestLog",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.safety.ContentSecurityPolicy",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
APPEND_SLASH = False  # a redirect loses a POST's body; both spellings are routed instead
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "libraries": {"wording": "memory.web.wording", "key_words": "orgs.web.wording"},
        },
    }
]
UNFOLD = pages.UNFOLD

AUTH_USER_MODEL = "orgs.User"
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
ANONYMOUS_USER_NAME = None  # guardian: no shared anonymous account
SILENCED_SYSTEM_CHECKS = ["guardian.W001"]  # object permissions are asked through orgs.grants, not through a backend
GUARDIAN_MONKEY_PATCH_USER = False

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("ru", "Русский"), ("zh-hans", "简体中文")]
LOCALE_PATHS = [BASE_DIR / "config" / "locale"]
USE_TZ = True
TIME_ZONE = env.text("TIME_ZONE", "UTC")
STATIC_URL = "static/"
STATIC_ROOT = env.text("STATIC_ROOT", str(BASE_DIR / "staticfiles"))

# --- safety -------------------------------------------------------------------------------------
_https = PUBLIC_URL.startswith("https:")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _https
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SECURE_SSL_REDIRECT = _https
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_HSTS_SECONDS = 31536000 if _https else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = _https
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env.flag("BEHIND_PROXY", default=False) else None
X_FRAME_OPTIONS = "DENY"
CSRF_FAILURE_VIEW = "orgs.web.problems.csrf_failed"
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "memory:search"

# --- REST ---------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "orgs.authentication.KeyAuthentication",
        "orgs.authentication.MemberAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["memory.api.formats.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["memory.api.formats.ShapeRenderer"],
    "DEFAULT_SCHEMA_CLASS": "memory.api.openapi.DeclaredSchema",
    "EXCEPTION_HANDLER": "memory.api.problems.problem",
    "UNAUTHENTICATED_USER": None,
    "URL_FORMAT_OVERRIDE": None,  # `format` is a parameter like any other
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Palimpsest",
    "DESCRIPTION": "Shared memory for teams of people and AI agents.",
    "VERSION": "1",
    "OAS_VERSION": "3.1.1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": False,
}

LOGGING = json_logging(level=env.text("LOG_LEVEL", "INFO").upper())
