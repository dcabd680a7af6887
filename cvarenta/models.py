"""The player, who is the site's user, and the names that nobody may take any more."""

from django.contrib.auth.models import AbstractUser, UserManager
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.db import models
from django.utils.crypto import salted_hmac

from cvarenta.accounts.names import LONGEST, name_key, search_key


class NameKeyField(models.CharField):
    """The key of the username, worked out when a whole row is written: save(), create(), bulk_create().

    Whoever writes the username alone leaves the old key: save(update_fields=["username"]) must name this field too, and
    update() and bulk_update() give it its value.
    """

    key_of = staticmethod(name_key)

    def __init__(self, *args, **kwargs):
        kwargs.setdefault("max_length", 60)  # a folded character may become three
        kwargs.setdefault("editable", False)
        super().__init__(*args, **kwargs)

    def pre_save(self, instance, add):
        key = self.key_of(instance.username)
        setattr(instance, self.attname, key)
        return key


class SearchKeyField(NameKeyField):
    """What the username is found and sorted by; written as the key is. No two players share one, for they would share
    the key too."""

    key_of = staticmethod(search_key)

    def db_parameters(self, connection):
        """Sorted by its bytes on every database, so that one order stands everywhere."""
        collation = {"collation": "C"} if connection.vendor == "postgresql" else {}
        return super().db_parameters(connection) | collation


class PlayerManager(UserManager):
    use_in_migrations = False

    def get_by_natural_key(self, username):
        return self.get(name_key=name_key(username))


class Player(AbstractUser):
    """A person who plays, known by one name only."""

    first_name = None
    last_name = None
    username = models.CharField(
        "nombre",
        max_length=LONGEST,
        unique=True,
        validators=[UnicodeUsernameValidator()],
        error_messages={"unique": "Ya hay alguien con ese nombre."},
    )
    name_key = NameKeyField("clave del nombre", unique=True)
    search_key = SearchKeyField("nombre para buscar", db_index=True)
    email = models.EmailField("correo", blank=True, db_index=True)
    session_round = models.PositiveIntegerField("época de las sesiones", default=0, editable=False)

    objects = PlayerManager()

    class Meta(AbstractUser.Meta):
        verbose_name = "jugador"
        verbose_name_plural = "jugadores"

    def save(self, *args, **kwargs):
        """A row that was deleted meanwhile is not written anew: Django would, when its update finds none."""
        if not (self._state.adding or args or kwargs.get("force_insert") or kwargs.get("update_fields")):
            kwargs["force_update"] = True
        super().save(*args, **kwargs)

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username

    def _get_session_auth_hash(self, secret=None):
        """Django's, which a new password changes, and a new round too: that ends every session there is."""
        if not self.session_round:
            return super()._get_session_auth_hash(secret)
        value = f"{self.password}:{self.session_round}"
        return salted_hmac("cvarenta.session_round", value, secret=secret, algorithm="sha256").hexdigest()


class PastName(models.Model):
    """A name that was someone's: theirs to take back while they are here, and nobody else's ever."""

    key = models.CharField("clave del nombre", max_length=60, unique=True)
    player = models.ForeignKey(
        Player, models.SET_NULL, null=True, blank=True, related_name="past_names", verbose_name="jugador"
    )
    since = models.DateTimeField("desde")

    class Meta:
        verbose_name = "nombre anterior"
        verbose_name_plural = "nombres anteriores"

    def __str__(self) -> str:
        return self.key
