import django.contrib.auth.validators
from django.db import migrations, models

import cvarenta.models


class Migration(migrations.Migration):
    dependencies = [("cvarenta", "0003_name_keys")]

    operations = [
        migrations.AlterField(
            "player",
            "username",
            models.CharField(
                error_messages={"unique": "Ya hay alguien con ese nombre."},
                max_length=20,
                unique=True,
                validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                verbose_name="nombre",
            ),
        ),
        migrations.AlterField(
            "player", "name_key", cvarenta.models.NameKeyField(unique=True, verbose_name="clave del nombre")
        ),
    ]
