"""The player, who is the site's user."""

from django.contrib.auth.models import AbstractUser


class Player(AbstractUser):
    """A person who plays, known by one name only."""

    first_name = None
    last_name = None

    class Meta(AbstractUser.Meta):
        verbose_name = "jugador"
        verbose_name_plural = "jugadores"

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username
