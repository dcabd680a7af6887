"""Where a web server finds the site."""

import os

from django.core.wsgi import get_wsgi_application

from cvarenta.game.bots import prepare

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cvarenta.settings")

application = get_wsgi_application()

prepare()  # so that nobody waits for the first play of the bots
