import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import cvarenta.models


class Migration(migrations.Migration):
    dependencies = [("cvarenta", "0001_initial")]

    operations = [
        migrations.AlterModelManagers(name="player", managers=[]),
        migrations.AddField("player", "name_key", cvarenta.models.NameKeyField(null=True, verbose_name="clave del nombre")),
        migrations.AddField(
            "player",
            "session_round",
            models.PositiveIntegerField(default=0, editable=False, verbose_name="época de las sesiones"),
        ),
        migrations.AlterField(
            "player", "email", models.EmailField(blank=True, db_index=True, max_length=254, verbose_name="correo")
        ),
        migrations.CreateModel(
            name="PastName",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=60, unique=True, verbose_name="clave del nombre")),
                ("since", models.DateTimeField(verbose_name="desde")),
                (
                    "player",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="past_names",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="jugador",
                    ),
                ),
            ],
            options={"verbose_name": "nombre anterior", "verbose_name_plural": "nombres anteriores"},
        ),
    ]
