"""The forms of the account: allauth's, in our words, and those it does not have."""

from contextlib import contextmanager

from allauth.account import forms as account_forms
from allauth.account.adapter import get_adapter
from allauth.account.fields import PasswordField
from allauth.account.models import EmailAddress
from allauth.core import context, ratelimit
from allauth.mfa.base import forms as code_forms
from allauth.mfa.totp import forms as totp_forms
from allauth.mfa.webauthn import forms as key_forms
from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.db import IntegrityError, transaction

from cvarenta.accounts.backend import has_confirmed_email, player_by_email
from cvarenta.accounts.names import TAKEN, NameRefused, name_key
from cvarenta.accounts.services import name_for, refuse_name_of_another, rename_player

LABELS = {
    "login": "Nombre o correo",
    "username": "Nombre",
    "email": "Correo",
    "password": "Contraseña",
    "password1": "Contraseña nueva",
    "oldpassword": "Contraseña actual",
    "code": "Código",
    "name": "Nombre de la llave",
    "passwordless": "Entrar solo con esta llave, sin contraseña",
}
NAME_HELP = "De 3 a 20 letras o números; así te verán en la tabla."
PASSWORD_HELP = "Al menos 8 letras, números o signos, y que no se parezca a tu nombre."
KEY_HELP = "Hace falta que la llave te reconozca: por tu huella, tu cara o un PIN."
NAME_TYPING = {"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}


class OurFields:
    """Labels instead of placeholders, kind refusals, and the first mistake has the focus."""

    labels, helps = {}, {}

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        labels = LABELS | self.labels
        for name, field in self.fields.items():
            field.label = labels.get(name, field.label)
            field.help_text = self.helps.get(name, "")
            field.widget.attrs.pop("placeholder", None)
            field.error_messages["required"] = "Falta esto: escríbelo aquí."
            if isinstance(field, forms.EmailField):
                field.error_messages["invalid"] = "Ese correo no está completo: escríbelo como nombre@sitio.com."

    def full_clean(self):
        super().full_clean()
        self.mark_mistake()

    def mark_mistake(self):
        wrong = next((name for name in self.fields if name in self.errors), None)
        shown = [name for name, field in self.fields.items() if not field.widget.is_hidden]
        if self.is_bound and self.errors and shown:
            attrs = self.fields[wrong if wrong in shown else shown[0]].widget.attrs
            attrs["autofocus"] = True
            if wrong is None:  # what is wrong is said above all fields
                attrs["aria-describedby"] = "falla"


class FreeName:
    """A name is typed as it will stand: what is too long is said, not cut off."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        field = self.fields["username"]
        field.validators = [check for check in field.validators if not isinstance(check, MaxLengthValidator)]
        field.widget.attrs.pop("maxlength", None)
        field.widget.attrs.update(NAME_TYPING)


class PasswordOnce(OurFields):
    """Typed once: it can be looked at."""

    helps = {"password1": PASSWORD_HELP}

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        del self.fields["password2"]


class SignUpForm(FreeName, OurFields, account_forms.SignupForm):
    labels = {"email": "Correo (opcional)", "password1": "Contraseña"}
    helps = {
        "username": NAME_HELP,
        "email": "Si quieres. Sirve para recuperar tu contraseña; nadie lo ve.",
        "password1": PASSWORD_HELP,
    }

    def try_save(self, request):
        """Raises NameRefused if someone took the name while this one was being looked at."""
        try:
            with transaction.atomic():
                player, response = super().try_save(request)
                if player:
                    refuse_name_of_another(player=player)
        except IntegrityError:
            raise NameRefused(TAKEN) from None
        return player, response


class LogInForm(OurFields, account_forms.LoginForm):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs.update(NAME_TYPING)


class ResetForm(OurFields, account_forms.ResetPasswordForm):
    helps = {"email": "El que pusiste en tu cuenta."}

    def clean_email(self):
        """The one account that logging in would find, unless it is only about to change to this address."""
        email = get_adapter().clean_email(self.cleaned_data["email"].lower())
        player, self.users = player_by_email(email), []
        if player and player.is_active:
            confirmed = EmailAddress.objects.filter(user=player, verified=True).values_list("email", flat=True)
            if email in confirmed or not confirmed:
                self.users = [player]
        return email


class NewPasswordForm(PasswordOnce, account_forms.ResetPasswordKeyForm):
    """An address that nobody confirmed may be a stranger's by mistake: there the account's name is asked too."""

    labels = {"username": "Nombre de tu cuenta"}
    helps = PasswordOnce.helps | {
        "username": "Como tu correo no está confirmado, queremos estar seguros de que eres tú."
    }
    field_order = ["username"]
    username = forms.CharField(widget=forms.TextInput(attrs=NAME_TYPING))

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if not self.user or has_confirmed_email(self.user):
            del self.fields["username"]

    def clean_username(self):
        if not ratelimit.consume(context.request, action="reset_name", key=f"reset:{self.user.pk}"):
            raise get_adapter().validation_error("rate_limited")
        if name_key(self.cleaned_data["username"]) != self.user.name_key:
            raise ValidationError("Ese no es el nombre de esta cuenta. Escribe el que elegiste al crearla.")
        return self.cleaned_data["username"]


class ChangePasswordForm(PasswordOnce, account_forms.ChangePasswordForm):
    pass


class SetPasswordForm(PasswordOnce, account_forms.SetPasswordForm):
    pass


class EmailForm(OurFields, account_forms.AddEmailForm):
    labels = {"email": "Correo nuevo"}


class ReauthenticateForm(OurFields, account_forms.ReauthenticateForm):
    pass


class DigitsMixin(OurFields):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs.update(autocapitalize="none", spellcheck="false")


class CodeForm(DigitsMixin, code_forms.AuthenticateForm):
    helps = {"code": "El que muestra tu aplicación ahora, o uno de tus códigos de respaldo."}


class ReauthenticateCodeForm(DigitsMixin, code_forms.ReauthenticateForm):
    helps = CodeForm.helps


class ActivateAppForm(DigitsMixin, totp_forms.ActivateTOTPForm):
    helps = {"code": "Los seis números que muestra la aplicación."}

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs["inputmode"] = "numeric"


@contextmanager
def readable_key():
    """Whatever a browser may send as a key: what is no key is refused, not tripped over."""
    try:
        yield
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:  # no ValidationError
        raise ValidationError("No se pudo leer la llave. Prueba otra vez.") from error


class KeyField(forms.JSONField):
    def to_python(self, value):
        with readable_key():
            return super().to_python(value)


class WithKey:
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.fields["credential"] = KeyField(required=True, widget=forms.HiddenInput)


class ReadableKey(WithKey):
    def clean_credential(self):
        with readable_key():
            return super().clean_credential()


class AddKeyForm(WithKey, OurFields, key_forms.AddWebAuthnForm):
    helps = {"name": "Para distinguirla de otras.", "passwordless": KEY_HELP}

    def clean(self):
        with readable_key():
            return super().clean()


class EditKeyForm(OurFields, key_forms.EditWebAuthnForm):
    pass


class KeyLogInForm(ReadableKey, key_forms.LoginWebAuthnForm):
    pass


class KeyForm(ReadableKey, key_forms.AuthenticateWebAuthnForm):
    pass


class ReauthenticateKeyForm(ReadableKey, key_forms.ReauthenticateWebAuthnForm):
    pass


class RenameForm(OurFields, forms.Form):
    helps = {"username": NAME_HELP}
    username = forms.CharField(widget=forms.TextInput(attrs=NAME_TYPING))

    def __init__(self, *args, player, **kwargs):
        self.player = player
        super().__init__(*args, initial={"username": player.username}, **kwargs)

    def clean_username(self):
        name = self.cleaned_data["username"]
        try:
            return name if name == self.player.username else name_for(name, player=self.player)
        except NameRefused as refusal:
            raise ValidationError(str(refusal)) from refusal

    def save(self, request, *, at) -> bool:
        """Whether the player has the name now; if not, the form says why."""
        name = self.cleaned_data["username"]
        if name == self.player.username:
            return True
        try:
            if not ratelimit.consume(request, action="rename", user=self.player):
                raise NameRefused("Hoy ya cambiaste de nombre varias veces: vuelve mañana.")
            rename_player(player=self.player, name=name, at=at)
        except NameRefused as refusal:
            self.add_error("username", str(refusal))
            self.mark_mistake()
            return False
        return True


class DeleteForm(OurFields, forms.Form):
    """Asks for the password, or for the name of whom nobody gave a password."""

    labels = {"username": "Escribe tu nombre"}
    password = PasswordField(autocomplete="current-password")
    username = forms.CharField(widget=forms.TextInput(attrs=NAME_TYPING | {"autocomplete": "off"}))

    def __init__(self, *args, player, **kwargs):
        self.player = player
        super().__init__(*args, **kwargs)
        del self.fields["username" if player.has_usable_password() else "password"]

    def clean_username(self):
        if name_key(self.cleaned_data["username"]) != self.player.name_key:
            raise ValidationError("Ese no es tu nombre. Escríbelo como está arriba.")
        return self.cleaned_data["username"]

    def clean_password(self):
        if not get_adapter().reauthenticate(self.player, self.cleaned_data["password"]):
            raise get_adapter().validation_error("incorrect_password")
        return self.cleaned_data["password"]
