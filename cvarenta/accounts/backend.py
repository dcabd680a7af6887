"""Who someone is: found by name or by e-mail, at the same cost whether found or not."""

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.models import EmailAddress
from django.db.models import Q
from django.http import HttpRequest

from cvarenta.accounts.names import name_key
from cvarenta.models import Player


def player_by_email(email: str) -> Player | None:
    """Whose confirmed address it is; an address nobody confirmed counts while only one account carries it."""
    email = email.strip().lower()
    confirmed = EmailAddress.objects.filter(email=email, verified=True).select_related("user").first()
    if confirmed:
        return confirmed.user
    carry_it = Q(pk__in=EmailAddress.objects.filter(email=email).values("user")) | Q(email=email)
    players = Player.objects.filter(carry_it)[:2]
    return players[0] if len(players) == 1 else None


def has_confirmed_email(player: Player) -> bool:
    return EmailAddress.objects.filter(user=player, verified=True).exists()


def find_player(login: str) -> Player | None:
    """By a name, in any case and with or without accents, or by an e-mail."""
    if "@" in login:
        return player_by_email(login) or Player.objects.filter(username=login).first()
    return Player.objects.filter(name_key=name_key(login.strip())).first()


class PlayerBackend(AuthenticationBackend):
    def _authenticate(self, request: HttpRequest | None, **credentials: str) -> Player | None:
        # One look-up and one password check, whatever was typed: trying several ways would tell by its time.
        login = credentials.get("username") or credentials.get("email") or ""
        return self._check_password(find_player(login), credentials["password"])
