"""What the environment says of Redis, and what it means for cache and tasks."""

import os
import runpy
import ssl
from unittest import mock

import pytest
from celery.app.utils import find_app
from django.core.exceptions import ImproperlyConfigured

from cvarenta.celery import app

from ..campaign.serving import ROOT, production


def settings_of(**env):
    """What the settings are in a server with these variables."""
    with mock.patch.dict(os.environ, production("sqlite:///:memory:", **env), clear=True):
        return runpy.run_path(ROOT / "cvarenta" / "settings.py")


@pytest.mark.parametrize("env", [{}, {"REDIS_URL": ""}, {"REDIS_CACHE_URL": "redis://there/1"}])
def test_without_redis_the_database_is_the_cache_and_tasks_are_done_in_place(env):
    read = settings_of(**env)

    assert list(read["CACHES"]) == ["default", "pages"] and read["CACHES"]["default"]["LOCATION"] == "cvarenta_cache"
    assert read["CELERY_TASK_ALWAYS_EAGER"] and not read["CELERY_TASK_EAGER_PROPAGATES"]


@pytest.mark.parametrize("env, broker, cache", [
    ({"REDIS_URL": "redis://there"}, "redis://there/0", "redis://there/1"),
    ({"REDIS_URL": "redis://there:6380/"}, "redis://there:6380/0", "redis://there:6380/1"),
    ({"REDIS_URL": "rediss://me:a%2Fb@there:1/4?ssl_cert_reqs=none"},
     "rediss://me:a%2Fb@there:1/4?ssl_cert_reqs=none", "rediss://me:a%2Fb@there:1/5?ssl_cert_reqs=none"),
    ({"REDIS_URL": "redis://there/0", "REDIS_CACHE_URL": "redis://elsewhere"}, "redis://there/0", "redis://elsewhere/0"),
])  # fmt: skip
def test_the_cache_has_another_database_than_the_tasks_that_wait(env, broker, cache):
    read = settings_of(**env)

    assert not read["CELERY_TASK_ALWAYS_EAGER"]
    assert (read["CELERY_BROKER_URL"], read["CACHES"]["default"]["LOCATION"]) == (broker, cache)
    assert read["CACHES"]["database"]["LOCATION"] == "cvarenta_cache"


def test_a_redis_over_tls_must_show_who_it_is():
    assert settings_of(REDIS_URL="rediss://there")["CELERY_BROKER_USE_SSL"] == {"ssl_cert_reqs": ssl.CERT_REQUIRED}
    assert "CELERY_BROKER_USE_SSL" not in settings_of(REDIS_URL="redis://there")


@pytest.mark.parametrize("env", [{"REDIS_URL": "there:6379"}, {"REDIS_URL": "redis://there/first"},
                                 {"REDIS_URL": "redis://there", "REDIS_CACHE_URL": "unix:///there"}])  # fmt: skip
def test_an_address_that_is_none_is_refused(env):
    with pytest.raises(ImproperlyConfigured, match="REDIS_.*URL must be like redis://host:6379/0"):
        settings_of(**env)


def test_celery_finds_the_application_by_either_name():
    assert find_app("cvarenta") is find_app("cvarenta.celery") is app


def test_tasks_are_json_and_answer_nobody():
    assert (app.conf.accept_content, app.conf.task_serializer) == (["json"], "json")
    assert app.conf.result_backend is None and app.conf.task_ignore_result
