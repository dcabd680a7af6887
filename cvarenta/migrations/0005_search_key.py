from django.db import migrations

import cvarenta.models


class Migration(migrations.Migration):
    dependencies = [("cvarenta", "0004_names_alone")]

    operations = [
        migrations.AddField(
            "player",
            "search_key",
            cvarenta.models.SearchKeyField(
                db_index=True, default="", editable=False, max_length=60, verbose_name="nombre para buscar"
            ),
            preserve_default=False,
        )
    ]
