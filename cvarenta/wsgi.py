"""Where a web server finds the site."""

import os

from django.core.handlers.wsgi import WSGIHandler, WSGIRequest
from django.core.wsgi import get_wsgi_application
from django.utils.http import parse_header_parameters

from cvarenta.game.bots import prepare

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cvarenta.settings")


class Request(WSGIRequest):
    """All is UTF-8 here: a charset that a request names, which may be none of text, is not looked up. Django would fail
    on it before there is anything that answers."""

    def _set_content_type_params(self, meta):
        self.content_type, self.content_params = parse_header_parameters(meta.get("CONTENT_TYPE", ""))


WSGIHandler.request_class = Request
application = get_wsgi_application()

prepare()  # so that nobody waits for the first play of the bots
