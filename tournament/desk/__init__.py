"""The review desk: scored runs and the trail of what was decided on them, in the admin. Whoever may look sees all of
it, and only `tournament.review` and `tournament.decisions` write."""

from . import runs, trail  # noqa: F401
