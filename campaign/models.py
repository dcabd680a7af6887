"""What the play keeps: matches."""

import secrets

from django.conf import settings
from django.db import models
from django.db.models import Q

from cvarenta.game.bots import get_bot
from cvarenta.game.errors import Unreadable
from cvarenta.game.notation import parse_play
from cvarenta.game.rulesets import RULESETS, get_ruleset
from cvarenta.game.shuffle import SEED_BYTES, commitment, first_dealer
from cvarenta.game.state import load_state

SEAT = 0  #: where the person sits
ID_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
ID_LENGTH = 12


def new_match_id():
    """Some characters that nobody guesses and that say nothing of when or how many."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


def new_seed():
    """The secret a match's decks come from."""
    return secrets.token_bytes(SEED_BYTES)


class MatchQuerySet(models.QuerySet):
    """The named questions that pages and commands ask."""

    def of(self, owner):
        """Matches of an owner (see `campaign.owners`): the player's, and those begun in this browser as a guest."""
        mine = Q(pk__in=())
        if owner.player_id:
            mine |= Q(player_id=owner.player_id)
        if owner.guest:
            mine |= Q(guest=owner.guest)
        return self.filter(mine)

    def under_way(self):
        """Matches that nobody has won yet."""
        return self.filter(winner=None)

    def finished(self):
        """Matches that somebody has won."""
        return self.exclude(winner=None)

    def forgotten(self, before):
        """Guests' practice matches that nobody has touched since `before`."""
        return self.filter(player=None, played_at__lt=before)


class Match(models.Model):
    """One match of one person against bots. Its record is the seed, the nonce and the plays; its state is kept beside
    them so that a play never replays what came before."""

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_match_id, editable=False)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="matches"
    )
    guest = models.CharField(max_length=43, blank=True, help_text="The key in the browser of someone without account")
    ruleset = models.CharField(max_length=16, choices=[(name, name) for name in RULESETS])
    rival = models.CharField(max_length=32, help_text="The bot or character that was asked for")
    bots = models.TextField(help_text="From which ply which bots sat at seats 1, 2, …: 0:greedy/1,greedy/1,greedy/1")
    seed = models.BinaryField(max_length=SEED_BYTES, default=new_seed)
    nonce = models.CharField(max_length=64, blank=True)
    ply = models.PositiveIntegerField(default=0)
    state = models.TextField()
    plays = models.TextField(blank=True, help_text="Record notation, one after the other")
    think_times = models.TextField(blank=True, help_text="Milliseconds before each of the person's plays")
    winner = models.PositiveSmallIntegerField(null=True, blank=True, help_text="The winning team")
    started_at = models.DateTimeField()
    played_at = models.DateTimeField(help_text="When the last play was made")
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = MatchQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "matches"
        indexes = [
            models.Index(fields=["player", "-played_at"]),
            models.Index(fields=["guest", "-played_at"]),
            models.Index(fields=["played_at"], condition=Q(player=None), name="match_of_guest_by_age"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(player=None) & ~Q(guest="") | Q(player__isnull=False), name="match_has_an_owner"
            ),
            models.CheckConstraint(condition=Q(winner=None) | Q(winner__in=(0, 1)), name="match_winner_is_a_team"),
            models.CheckConstraint(
                condition=Q(winner=None, finished_at=None) | Q(winner__isnull=False, finished_at__isnull=False),
                name="match_is_finished_when_won",
            ),
        ]

    def __str__(self):
        return self.id

    @property
    def is_over(self):
        return self.winner is not None

    @property
    def rules(self):
        return get_ruleset(self.ruleset)

    @property
    def commitment(self):
        return commitment(bytes(self.seed))

    @property
    def first_dealer(self):
        return first_dealer(bytes(self.seed), self.nonce, self.rules.seats)

    def belongs_to(self, owner):
        """Whether the owner may see and play it."""
        mine = self.player_id is not None and self.player_id == owner.player_id
        return mine or bool(self.guest and self.guest == owner.guest)

    def load_game(self):
        """The game as it stands, a `cvarenta.game.match.Match`."""
        return load_state(self.state)

    def parsed_plays(self):
        """All plays made, as (card, takes)."""
        return [parse_play(play) for play in self.plays.split()]

    def line_up(self):
        """The bots of seats 1, 2, … now; a version that is gone gives its seat to the bot's present version."""
        return [_bot(label) for label in self.bots.split()[-1].partition(":")[2].split(",")]


def _bot(label):
    try:
        return get_bot(label)
    except Unreadable:
        return get_bot(label.partition("/")[0])
