"""Gives every player there is what they are found and sorted by."""

from django.db import migrations

from cvarenta.accounts.names import search_key

AT_A_TIME = 1000


def give_search_keys(apps, schema_editor):
    players = apps.get_model("cvarenta", "Player").objects.only("pk", "username").order_by("pk")
    last = 0
    while batch := list(players.filter(pk__gt=last)[:AT_A_TIME]):
        for player in batch:
            player.search_key = search_key(player.username)
        players.model.objects.bulk_update(batch, ["search_key"])
        last = batch[-1].pk


class Migration(migrations.Migration):
    dependencies = [("cvarenta", "0005_search_key")]

    operations = [migrations.RunPython(give_search_keys, migrations.RunPython.noop)]
