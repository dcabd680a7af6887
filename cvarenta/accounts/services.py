"""What changes a player's account beyond what allauth does: the name, all sessions at once, leaving."""

from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import IntegrityError, transaction
from django.db.models import F

from cvarenta.accounts.names import TAKEN, NameRefused, clean_name, name_key, refuse_reserved
from cvarenta.accounts.signals import gathering_data, player_leaving
from cvarenta.models import PastName, Player


def name_for(name: str, *, player: Player | None = None) -> str:
    """The name as it may be kept, free as far as a look can tell. Raises NameRefused."""
    name = clean_name(name)
    refuse_reserved(name)
    if is_taken(name_key(name), player=player):
        raise NameRefused(TAKEN)
    return name


def is_taken(key: str, *, player: Player | None = None) -> bool:
    """Whether a name of this key is another player's than this one, or was."""
    pk = player.pk if player else None
    return Player.objects.filter(name_key=key).exclude(pk=pk).exists() or was_anothers(key, player)


def was_anothers(key: str, player: Player | None) -> bool:
    past = PastName.objects.filter(key=key)
    # exclude(player=None) would drop the names of those who left.
    return (past.exclude(player=player) if player and player.pk else past).exists()


def refuse_name_of_another(*, player: Player) -> None:
    """To be asked after the name is written and in the same transaction: whoever gave it up has committed by then.

    Raises NameRefused.
    """
    if was_anothers(player.name_key, player):
        raise NameRefused(TAKEN)


def rename_player(*, player: Player, name: str, at: datetime) -> None:
    """Raises NameRefused. The old name stays the player's: nobody else may take it."""
    name = name_for(name, player=player)
    try:
        with transaction.atomic():
            locked = Player.objects.select_for_update().get(pk=player.pk)
            old_key, locked.username = locked.name_key, name
            locked.save(update_fields=["username", "name_key", "search_key"])
            refuse_name_of_another(player=locked)
            keep_past_name(player=locked, key=old_key, at=at)
    except IntegrityError:  # someone took it since we looked
        raise NameRefused(TAKEN) from None
    player.username, player.name_key, player.search_key = locked.username, locked.name_key, locked.search_key


def keep_past_name(*, player: Player, key: str, at: datetime) -> None:
    """After a change of name: remember the old one, and forget the new one if it had been theirs before."""
    if key != player.name_key:
        PastName.objects.update_or_create(key=key, defaults={"player": player, "since": at})
        PastName.objects.filter(key=player.name_key, player=player).delete()


def end_all_sessions(*, player: Player) -> None:
    """Every session of the account, known to us or not: each carries a hash that no longer fits."""
    with transaction.atomic():
        Player.objects.filter(pk=player.pk).update(session_round=F("session_round") + 1)
        for session in UserSession.objects.filter(user=player):
            session.end()


def delete_player(*, player: Player, at: datetime) -> None:
    """The account and all that other apps keep of it; may be repeated. The name stays nobody's for good."""
    with transaction.atomic():
        locked = Player.objects.select_for_update().filter(pk=player.pk).first()
        if locked is None:
            return
        player_leaving.send(sender=Player, player=locked, at=at)
        end_all_sessions(player=locked)
        PastName.objects.update_or_create(key=locked.name_key, defaults={"player": None, "since": at})
        locked.delete()


def gather_data(*, player: Player) -> dict[str, Any]:
    """Everything kept about a player, ready for JSON."""
    data = {
        "cuenta": {
            "nombre": player.username,
            "correo": player.email,
            "desde": player.date_joined,
            "última_entrada": player.last_login,
            "equipo": player.is_staff,
            "permisos": sorted(player.get_all_permissions()) if player.is_staff else [],
        },
        "correos": list(EmailAddress.objects.filter(user=player).values("email", "verified", "primary")),
        "nombres_anteriores": list(player.past_names.order_by("since").values("key", "since")),
        "sesiones": list(
            UserSession.objects.filter(user=player).order_by("created_at").values("created_at", "ip", "user_agent")
        ),
        "segundo_paso": list(
            Authenticator.objects.filter(user=player).order_by("pk").values("type", "created_at", "last_used_at")
        ),
    }
    for _, part in gathering_data.send(sender=Player, player=player):
        data.update(part or {})
    return data
