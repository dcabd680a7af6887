#!/usr/bin/env python
"""The command line of the site."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cvarenta.settings")
    if "DJANGO_SECRET_KEY" not in os.environ:
        # A command by hand on somebody's own machine: no server runs like this.
        os.environ.setdefault("DJANGO_DEBUG", "1")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
