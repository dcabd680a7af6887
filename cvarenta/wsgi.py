"""Where a web server finds the site."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cvarenta.settings")

application = get_wsgi_application()
