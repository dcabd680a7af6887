"""The first season, and the promise that two seasons are never open at one moment."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.db import migrations

QUITO = "America/Guayaquil"

# On SQLite one writes at a time, and the form looks before it writes.
ONE_AT_A_TIME = """
ALTER TABLE tournament_season ADD CONSTRAINT one_season_at_a_time
EXCLUDE USING gist (tstzrange(opens_at, closes_at) WITH &&)
"""


def begin(apps, schema_editor):
    apps.get_model("tournament", "Season").objects.create(
        name="Fiestas de Quito 2026",
        slug="fiestas-de-quito-2026",
        closes_at=datetime(2026, 12, 6, 23, 59, tzinfo=ZoneInfo(QUITO)),
        time_zone=QUITO,
        runs_a_day=3,
        chapter_points=100,
        bonus_points=200,
        attempts=1,
    )


def exclude(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(ONE_AT_A_TIME)


class Migration(migrations.Migration):
    dependencies = [("tournament", "0001_books")]

    operations = [
        migrations.RunPython(exclude, migrations.RunPython.noop),
        migrations.RunPython(begin, migrations.RunPython.noop),
    ]
