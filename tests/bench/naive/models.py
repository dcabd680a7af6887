"""A row of about the same columns as a match's."""

from django.conf import settings
from django.db import models


class NaiveMatch(models.Model):
    player = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    ruleset = models.CharField(max_length=16)
    rival = models.CharField(max_length=32)
    bots = models.TextField()
    seed = models.BinaryField(max_length=32)
    nonce = models.CharField(max_length=64, blank=True)
    ply = models.PositiveIntegerField(default=0)
    state = models.TextField()
    plays = models.TextField(blank=True)
    think_times = models.TextField(blank=True)
    winner = models.PositiveSmallIntegerField(null=True)
    started_at = models.DateTimeField()
    played_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        app_label = "naive"
