"""Settings and address of a bare Django view behind five usual middlewares."""

from django.http import HttpResponse
from django.urls import path

SECRET_KEY = "bench"
ALLOWED_HOSTS = ["*"]
INSTALLED_APPS = ["django.contrib.contenttypes", "django.contrib.auth", "django.contrib.sessions", "cvarenta"]
AUTH_USER_MODEL = "cvarenta.Player"
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
]
ROOT_URLCONF = "tests.bench.bare"
urlpatterns = [path("bare/", lambda request: HttpResponse("ok"))]
