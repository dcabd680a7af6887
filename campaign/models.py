"""What the play keeps: runs through the story, and matches."""

import secrets

from django.conf import settings
from django.db import models
from django.db.models import Q

from cvarenta.game.bots import get_bot
from cvarenta.game.errors import Unreadable
from cvarenta.game.notation import parse_play
from cvarenta.game.rulesets import RULESETS, get_ruleset
from cvarenta.game.shuffle import SEED_BYTES, commitment, first_dealer, shuffled_deck
from cvarenta.game.state import load_state

from .chapters import LAST, layers_on

SEAT = 0  #: where the person sits
ID_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
ID_LENGTH = 12


def new_id():
    """Some characters that nobody guesses and that say nothing of when or how many."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


def new_seed():
    """The secret a match's decks come from."""
    return secrets.token_bytes(SEED_BYTES)


class RunQuerySet(models.QuerySet):
    """The named questions about runs."""

    def of(self, user):
        """The runs of a user; none of someone who is not logged in."""
        return self.filter(player=user) if user.is_authenticated else self.none()

    def under_way(self):
        """Runs that have not ended; a player has one at most."""
        return self.filter(ended_at=None)

    def ended(self):
        return self.exclude(ended_at=None)

    def completed(self):
        return self.filter(outcome=Run.Outcome.COMPLETED)


class Run(models.Model):
    """One passage of a player through the five chapters. Its row outlives the player's account, without a name."""

    class Outcome(models.TextChoices):
        """How a run ended."""

        COMPLETED = "completed", "Completa"
        LOST = "lost", "Perdida"
        ABANDONED = "abandoned", "Abandonada"

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_id, editable=False)
    player = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="runs")
    is_scored = models.BooleanField(default=False, help_text="Whether it holds one of the day's slots")
    attempts = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="How often each chapter may be tried; empty: as often as wanted"
    )
    chapters_won = models.PositiveSmallIntegerField(default=0)
    outcome = models.CharField(max_length=9, choices=Outcome, blank=True)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["player", "-started_at"])]
        constraints = [
            models.UniqueConstraint(fields=["player"], condition=Q(ended_at=None), name="one_run_under_way"),
            models.CheckConstraint(condition=Q(chapters_won__lte=LAST), name="run_has_five_chapters"),
            models.CheckConstraint(
                condition=Q(outcome="", ended_at=None) | ~Q(outcome="") & Q(ended_at__isnull=False),
                name="run_ends_with_an_outcome",
            ),
            models.CheckConstraint(
                condition=Q(outcome="completed", chapters_won=LAST)
                | ~Q(outcome="completed") & Q(chapters_won__lt=LAST),
                name="run_is_completed_when_all_is_won",
            ),
        ]

    def __str__(self):
        return self.id

    @property
    def is_under_way(self):
        return self.ended_at is None

    @property
    def chapter(self):
        """The number of the chapter that is to be won next; the last one when all are."""
        return min(self.chapters_won + 1, LAST)

    @property
    def layers(self):
        return layers_on(self.chapters_won)


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

    def practice(self):
        """Matches that belong to no run."""
        return self.filter(run=None)

    def under_way(self):
        """Matches that can be played on."""
        return self.filter(winner=None, abandoned_at=None)

    def finished(self):
        """Matches that somebody has won."""
        return self.exclude(winner=None)

    def won(self):
        """Matches that the person's team has won."""
        return self.filter(winner=SEAT % 2)

    def lost(self):
        return self.finished().exclude(winner=SEAT % 2)

    def lessons(self):
        """Practice matches that lead their player, or did until it was left or learnt."""
        return self.exclude(lesson="")

    def knowing_lessons(self):
        """Each with `was_led`: whether any of all these led its player."""
        return self.annotate(was_led=models.Exists(self.lessons()))

    def unsummed(self):
        """Finished matches whose figures nobody has written down yet."""
        return self.finished().filter(summary=None)

    def forgotten(self, before):
        """Guests' practice matches that nobody has touched since `before`."""
        return self.filter(player=None, played_at__lt=before)


class Match(models.Model):
    """One match of one person against bots. Its record is the seed, the nonce and the plays; its state is kept beside
    them so that a play never replays what came before."""

    class Lesson(models.TextChoices):
        """How a practice match that leads its player step by step stands."""

        LED = "led", "Guiada"
        LEFT = "left", "Guía dejada"
        DONE = "done", "Aprendida"

    id = models.CharField(primary_key=True, max_length=ID_LENGTH, default=new_id, editable=False)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="matches"
    )
    guest = models.CharField(max_length=43, blank=True, help_text="The key in the browser of someone without account")
    run = models.ForeignKey(Run, null=True, blank=True, on_delete=models.CASCADE, related_name="matches")
    chapter = models.PositiveSmallIntegerField(null=True, blank=True, help_text="Of the run, from 1; empty in practice")
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
    abandoned_at = models.DateTimeField(null=True, blank=True, help_text="When its run was, in the middle of it")
    lesson = models.CharField(max_length=4, choices=Lesson, blank=True, help_text="Empty: it leads nobody")
    shared_at = models.DateTimeField(null=True, blank=True, help_text="Since when others may look back at it too")

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
            models.CheckConstraint(condition=Q(winner=None) | Q(abandoned_at=None), name="match_is_won_or_abandoned"),
            models.CheckConstraint(
                condition=Q(run=None, chapter=None)
                | Q(run__isnull=False, chapter__isnull=False, chapter__gte=1, chapter__lte=LAST),
                name="match_of_a_run_has_a_chapter",
            ),
            models.UniqueConstraint(
                fields=["run"], condition=Q(winner=None, abandoned_at=None), name="one_match_under_way_per_run"
            ),
            models.UniqueConstraint(fields=["run", "chapter"], condition=Q(winner=0), name="one_win_per_chapter"),
        ]

    def __str__(self):
        return self.id

    @property
    def is_over(self):
        """Whether somebody has won it."""
        return self.winner is not None

    @property
    def has_won(self):
        """Whether the person's team has won it."""
        return self.winner == SEAT % 2

    @property
    def is_abandoned(self):
        return self.abandoned_at is not None

    @property
    def is_shared(self):
        """Whether others may look back at it; nobody looks into a match under way."""
        return self.is_over and self.shared_at is not None

    @property
    def is_public(self):
        """Whether others are let in: it is shared, and its player has an account that is in use, or none."""
        return self.is_shared and (self.player is None or self.player.is_active)

    @property
    def rules(self):
        return get_ruleset(self.ruleset)

    @property
    def commitment(self):
        return commitment(bytes(self.seed))

    @property
    def first_dealer(self):
        return first_dealer(bytes(self.seed), self.nonce, self.rules.seats)

    def deck(self, n):
        """Deck n of the match, as a list of forty cards."""
        return shuffled_deck(bytes(self.seed), self.nonce, n)

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


class Summary(models.Model):
    """A finished match in figures, so that a player's page adds up rows and replays nothing. `caidas`, `limpias` and
    `rondas` are the person's own, not the partner's."""

    match = models.OneToOneField(Match, primary_key=True, on_delete=models.CASCADE, related_name="summary")
    own_score = models.PositiveSmallIntegerField()
    rival_score = models.PositiveSmallIntegerField()
    caidas = models.PositiveSmallIntegerField()
    caidas_suffered = models.PositiveSmallIntegerField(help_text="Caídas on cards the person had laid")
    limpias = models.PositiveSmallIntegerField()
    rondas = models.PositiveSmallIntegerField()
    won_by_caida = models.BooleanField(help_text="The person won it by a caída with the pair at 38")
    is_zapatero = models.BooleanField(help_text="The person won it and the rival did not reach ten")
    cartones = models.TextField(blank=True, help_text="Cards of the person's pair at each count of a deck: 22 18")
    plays = models.PositiveIntegerField(help_text="The person's own")
    think_ms = models.PositiveBigIntegerField(help_text="Milliseconds before all of them")

    class Meta:
        verbose_name_plural = "summaries"

    def __str__(self):
        return self.match_id


class AnalysisQuerySet(models.QuerySet):
    """The named questions about analyses."""

    def awaited(self):
        """Those that are still to be worked out."""
        return self.filter(finished_at=None)

    def stuck(self, since):
        """Awaited ones that have not got on since then: lost on the way, if that is long ago."""
        return self.awaited().filter(told_at__lte=since)


class Analysis(models.Model):
    """What each of the person's plays of a finished match cost, asked for once and worked out in the background. The
    same match and version give the same result."""

    match = models.OneToOneField(Match, primary_key=True, on_delete=models.CASCADE, related_name="analysis")
    version = models.PositiveSmallIntegerField()
    done = models.PositiveIntegerField(default=0, help_text="Steps of `total` that have been worked out")
    total = models.PositiveIntegerField()
    result = models.JSONField(null=True, blank=True)
    asked_at = models.DateTimeField()
    told_at = models.DateTimeField(help_text="When it was asked for, or last got on")
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = AnalysisQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "analyses"
        constraints = [
            models.CheckConstraint(
                condition=Q(result__isnull=True, finished_at=None) | Q(result__isnull=False, finished_at__isnull=False),
                name="analysis_is_finished_with_a_result",
            ),
        ]

    def __str__(self):
        return self.match_id

    @property
    def is_finished(self):
        return self.finished_at is not None


class Picture(models.Model):
    """A PNG for sharing a finished match, or a player's badge; drawn again when what it says has changed."""

    match = models.OneToOneField(Match, null=True, blank=True, on_delete=models.CASCADE, related_name="picture")
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="pictures"
    )
    badge = models.CharField(max_length=32, blank=True)
    says = models.TextField(help_text="In words, what is to be seen")
    png = models.BinaryField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(match__isnull=False, player=None, badge="")
                | Q(match=None, player__isnull=False) & ~Q(badge=""),
                name="picture_of_a_match_or_a_badge",
            ),
            models.UniqueConstraint(fields=["player", "badge"], name="one_picture_per_badge"),
        ]

    def __str__(self):
        return self.says


class SpentPledge(models.Model):
    """A pledge (see `campaign.pledges`) that has dealt a match; kept longer than a pledge is valid, whatever becomes of
    the match."""

    id = models.CharField(primary_key=True, max_length=22)
    at = models.DateTimeField()

    def __str__(self):
        return self.id


def _bot(label):
    try:
        return get_bot(label)
    except Unreadable:
        return get_bot(label.partition("/")[0])
