"""Where the books of scored runs and what was played in them part: what the audit and the verification of a run ask."""

from collections.abc import Iterator
from typing import NamedTuple

from tournament.models import Award, ScoredRun, Season

from .models import Match, Run


class Difference(NamedTuple):
    """A run of which books and play tell otherwise: how (a key of `TOLD`), with the chapters that were `paid` and those
    that were `won` before the close (their number alone, where the matches are gone)."""

    run_id: str
    kind: str
    paid: list[int] | int = 0
    won: list[int] | int = 0

    def told(self, words: dict[str, str]) -> str:
        """It in words: a sentence for each kind that may quote the fields."""
        return words[self.kind].format(**self._asdict())


TOLD = {
    "unplayed": "run {run_id} is in the books and was not played as scored",
    "span": "run {run_id} began or ended otherwise than the books say",
    "player": "run {run_id} is another player's than the books say",
    "sum": "run {run_id} is paid {paid} chapters and won {won}",
    "chapters": "run {run_id} is paid chapters {paid} and won {won} before the close",
}


def differences(season: Season, books: dict[str, ScoredRun]) -> Iterator[Difference]:
    """Of runs of a season by their ids, one Difference at most for each; asks the database the same few questions
    however many they are."""
    runs = Run.objects.in_bulk(books)
    paid, won = {run_id: set() for run_id in books}, {run_id: set() for run_id in books}
    awards = Award.objects.filter(run_id__in=books, chapter__isnull=False)
    for run_id, chapter in awards.values_list("run_id", "chapter"):
        paid[run_id].add(chapter)
    matches = Match.objects.won().filter(run_id__in=books, finished_at__lt=season.closes_at)
    for run_id, chapter in matches.values_list("run_id", "chapter"):
        won[run_id].add(chapter)
    for run_id, entry in books.items():
        run = runs.get(run_id)
        if run is None or not run.is_scored:
            yield Difference(run_id, "unplayed")
        elif (run.outcome, run.ended_at, run.started_at) != (entry.outcome, entry.ended_at, entry.started_at):
            yield Difference(run_id, "span")
        elif run.player_id != entry.standing.player_id:
            yield Difference(run_id, "player")
        elif run.player_id is None:  # who leaves takes the matches along
            if len(paid[run_id]) > run.chapters_won:
                yield Difference(run_id, "sum", len(paid[run_id]), run.chapters_won)
        elif paid[run_id] != won[run_id]:
            yield Difference(run_id, "chapters", sorted(paid[run_id]), sorted(won[run_id]))
