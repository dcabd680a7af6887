"""What allauth asks of the site: names, what may be said and to which address, where visitors come from."""

import logging
from typing import Any

from allauth.account import signals
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.core.internal import ratelimit
from allauth.mfa.adapter import DefaultMFAAdapter
from django.core.exceptions import ImproperlyConfigured, PermissionDenied, ValidationError
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

from cvarenta.accounts.backend import has_confirmed_email
from cvarenta.accounts.names import NameRefused, name_key
from cvarenta.accounts.services import name_for
from cvarenta.models import Player

logger = logging.getLogger(__name__)

NO_ADDRESS = "0.0.0.0"
WRONG_LOGIN = "El nombre o la contraseña no coinciden. Revísalos, o recupera tu contraseña por correo."
PASSWORD_REFUSALS = {
    "password_too_short": "Tu contraseña es muy corta: usa al menos 8 letras, números o signos.",
    "password_too_common": "Esa contraseña la adivina cualquiera: piensa en otra.",
    "password_too_similar": "Esa contraseña se parece mucho a tu nombre o a tu correo: piensa en otra.",
}


class AccountAdapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "account_inactive": "Esta cuenta está cerrada por ahora.",
        "cannot_remove_primary_email": "Ese correo es el principal de tu cuenta y no se puede quitar.",
        "duplicate_email": "Ese ya es tu correo.",
        "email_password_mismatch": WRONG_LOGIN,
        "username_password_mismatch": WRONG_LOGIN,
        "email_taken": "Ese correo no se puede usar aquí.",
        "enter_current_password": "Esa no es tu contraseña actual. Escríbela otra vez.",
        "incorrect_code": "Ese código no vale. Mira el que sale ahora y escríbelo otra vez.",
        "incorrect_password": "Esa no es tu contraseña. Escríbela otra vez.",
        "invalid_password_reset": "Este enlace ya no sirve: pide otro.",
        "too_many_login_attempts": "Van muchos intentos. Espera diez minutos, o recupera tu contraseña por correo.",
        "rate_limited": "Van muchos intentos seguidos. Espera diez minutos y prueba otra vez.",
        "same_as_current": "Ese ya es el tuyo.",
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        try:
            return name_for(username)
        except NameRefused as refusal:
            raise ValidationError(str(refusal)) from refusal

    def clean_password(self, password: str, user: Player | None = None) -> str:
        try:
            return super().clean_password(password, user)
        except ValidationError as error:
            raise ValidationError([PASSWORD_REFUSALS.get(e.code, e) for e in error.error_list]) from error

    def reauthenticate(self, user: Player, password: str) -> bool:
        # Not through the counter of failed log-ins: a stranger's guesses must not shut the owner's own session.
        return user.check_password(password)

    def get_client_ip(self, request: HttpRequest) -> str:
        """0.0.0.0 where the server was not told, as on a Unix socket without DJANGO_BEHIND_PROXY."""
        try:
            return super().get_client_ip(request)
        except (PermissionDenied, ImproperlyConfigured):
            return NO_ADDRESS

    def ajax_response(self, request: HttpRequest, response: HttpResponse, *args: Any, **kwargs: Any) -> HttpResponse:
        # allauth's would tell programs 200 and nothing: what they sent was in order, only too often.
        return response if response.status_code == 429 else super().ajax_response(request, response, *args, **kwargs)

    def is_safe_url(self, url: str | None) -> bool:
        try:
            return bool(url) and url.startswith("/") and super().is_safe_url(url)
        except ValueError:  # «//[» is no address
            return False

    def clean_email(self, email: str) -> str:
        email = super().clean_email(email)
        try:
            email.lower().rpartition("@")[2].encode("idna")
        except UnicodeError:  # no mail could be sent there
            raise ValidationError(self.error_messages["email_taken"]) from None
        return email

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        # From each address apart, so that a stranger's guesses do not shut the owner out.
        return f"{login_key(credentials)}|{self.get_client_ip(request)}"

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        super().pre_authenticate(request, **credentials)
        # And from all addresses together, so that many of them do not guess on.
        self._failed_anywhere = ratelimit.consume(
            request, app="allauth.account", action="login_failed_anywhere", key=login_key(credentials)
        )
        if not self._failed_anywhere:
            raise self.validation_error("too_many_login_attempts")

    def _rollback_login_failed_rl_usage(self) -> None:
        super()._rollback_login_failed_rl_usage()
        self._failed_anywhere.rollback()

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        try:
            super().send_mail(template_prefix, email, context)
        except OSError:  # SMTP's errors are too: what was done is done, and may be sent again
            logger.exception("Could not send %s", template_prefix)

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation, signup: bool) -> None:
        address = emailconfirmation.email_address.email
        if EmailAddress.objects.is_verified(address):  # on another account: there is nothing to confirm
            self.send_account_already_exists_mail(address)
        else:
            super().send_confirmation_mail(request, emailconfirmation, signup)

    def send_password_reset_mail(self, user: Player, email: str, context: dict[str, Any]) -> None:
        # Whoever reads an address that nobody confirmed is not told whose account gave it.
        context["username"] = user.username if has_confirmed_email(user) else ""
        super().send_password_reset_mail(user, email, context)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        confirmed = EmailAddress.objects.filter(user=email_address.user_id, verified=True)
        request.confirmed_before = set(confirmed.values_list("email", flat=True))
        return super().confirm_email(request, email_address)

    def send_notification_mail(self, template_prefix: str, user: Player, context=None, email=None) -> None:
        # What happens in an account is told to a confirmed address only, be it the one just given up.
        if email is None:
            confirmed = EmailAddress.objects.get_verified(user)
            email = confirmed and confirmed.email
        elif email not in getattr(self.request, "confirmed_before", ()):
            return
        if email:
            super().send_notification_mail(template_prefix, user, context, email)


class SecondFactorAdapter(DefaultMFAAdapter):
    error_messages = DefaultMFAAdapter.error_messages | {
        "cannot_delete_authenticator": "Este segundo paso no se puede quitar.",
        "cannot_generate_recovery_codes": "Primero activa la aplicación o una llave; luego saca códigos de respaldo.",
        "incorrect_code": "Ese código no vale. Mira el que sale ahora y escríbelo otra vez.",
    }

    def _get_user_identifier(self, user: Player) -> str:
        return user.username

    def _get_site_name(self) -> str:
        return "Cvarenta de Qvito"

    def generate_authenticator_name(self, user: Player, type) -> str:
        number = user.authenticator_set.filter(type=type).count() + 1
        return "Mi llave" if number == 1 else f"Mi llave {number}"


def login_key(credentials: dict[str, Any]) -> str:
    """All spellings of a name are one account, and an e-mail must not tell whose it is: it counts apart."""
    login = credentials.get("email") or credentials.get("username") or ""
    return f"mail:{login.lower()}" if "@" in login else f"name:{name_key(login)}"


@receiver(signals.password_reset)
def let_in_again(sender, request: HttpRequest, user: Player, **kwargs) -> None:
    """Guesses at the old password no longer count."""
    request, key = context.request or request, login_key({"username": user.username})
    address = AccountAdapter(request).get_client_ip(request)
    for action, counted in (("login_failed", f"{key}|{address}"), ("login_failed_anywhere", key)):
        ratelimit.clear(request, app="allauth.account", action=action, key=counted)
