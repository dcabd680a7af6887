"""Gives every player there is a key of their own; names that are too long or too alike are cut and numbered."""

from django.db import migrations

from cvarenta.accounts.names import LONGEST, name_key


def give_keys(apps, schema_editor):
    player_model = apps.get_model("cvarenta", "Player")
    keys, names = set(), set(player_model.objects.values_list("username", flat=True))
    for player in player_model.objects.order_by("pk").only("pk", "username").iterator():
        name = player.username if fits(player.username, keys) else numbered(player.username, keys, names)
        keys.add(name_key(name))
        names.add(name)
        player.username = name
        player.save(update_fields=["username", "name_key"])


def fits(name, keys):
    return len(name) <= LONGEST and name_key(name) not in keys


def numbered(name, keys, names):
    number = 1
    while True:
        end = f"-{number}" if number > 1 else ""
        shorter = name[: LONGEST - len(end)] + end
        if shorter not in names and fits(shorter, keys):
            return shorter
        number += 1


class Migration(migrations.Migration):
    dependencies = [("cvarenta", "0002_names")]

    operations = [migrations.RunPython(give_keys, migrations.RunPython.noop)]
