"""The site without collected files, which also sends a task when it is asked for /avisa/."""

from django.conf import settings

from cvarenta.wsgi import application as site

settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}


def application(environ, start_response):
    from campaign.tasks import forget_guests
    from cvarenta.tasks import soon

    if environ["PATH_INFO"] != "/avisa/":
        return site(environ, start_response)
    soon(forget_guests)
    start_response("200 OK", [("Content-Length", "0")])
    return [b""]
