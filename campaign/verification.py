"""What the books ask when a scored run is verified: what is kept of it against what was played, its matches against
their records (`proofs`), and the signs of a play that was not one person's (`signs`). A reviewer judges it."""

from django.db import transaction
from django.dispatch import receiver

from cvarenta.wording import counted
from tournament.models import ScoredRun
from tournament.review import Finding
from tournament.signals import checking_run

from . import devices, signs
from .differences import differences
from .models import Run
from .proofs import check_match

VERSION = 1  #: of the measures; whoever changes what they count gives them a new one
DIFFERENCES = {
    "unplayed": "Los libros tienen esta vuelta, y no se jugó como puntuable.",
    "span": "La vuelta empezó o terminó de otro modo de como dicen los libros.",
    "player": "La vuelta es de otra persona que la que dicen los libros.",
    "sum": "Capítulos pagados: {paid}. Ganados: {won}.",
    "chapters": "Capítulos pagados: {paid}. Ganados antes del cierre: {won}.",
}


@receiver(checking_run)
def check(run: ScoredRun, **_) -> tuple[list[Finding], dict, list[tuple[str, Finding]]]:
    """The findings and measures of a scored run, and what is to be said of other accounts' runs that were played from
    where it was, as (run_id, Finding)."""
    findings, matches = _check_story(run.pk)
    checked = [check_match(match) for match in matches]
    for match in checked:
        findings += match.findings
    measures = {
        "version": VERSION,
        "matches": len(matches),
        "unchecked": sum(bool(match.gone) for match in checked),
        "gone": sorted(frozenset().union(*(match.gone for match in checked))),
        **signs.measured(
            [ms for match in checked for ms in match.times],
            sum(match.choices for match in checked),
            sum(match.agreed for match in checked),
        ),
    }
    if found := signs.strong(measures, signs.peers_of(run, VERSION)):
        findings.append(found)
    shared = list(devices.shared(run))
    findings += [own for _, own, _ in shared]
    return findings, measures, [(other.pk, theirs) for other, _, theirs in shared]


# The run


def _check_story(run_id):
    """What is wrong with a run as a whole, and its finished matches."""
    with transaction.atomic():
        # Held, as a play that ends a chapter holds it: books, run and matches are seen at one moment.
        run = Run.objects.select_for_update(no_key=True).filter(pk=run_id).first()
        entry = ScoredRun.objects.select_related("season", "standing").get(pk=run_id)
        findings = [
            Finding("awards", "Los premios no son los que ganaron sus partidas", difference.told(DIFFERENCES))
            for difference in differences(entry.season, {run_id: entry})
        ]
        matches = list(run.matches.finished().select_related("summary").order_by("started_at")) if run else []
    if run and run.player_id is not None and (wrong := _wrong_of(run, matches)):  # who leaves takes the matches along
        findings.append(Finding("result", "La vuelta no termina como sus partidas", wrong))
    return findings, matches


def _wrong_of(run, matches):
    """How the end of a run parts from its matches, in a sentence; "" if it does not."""
    won = sorted(match.chapter for match in matches if match.has_won)
    lost = [match.chapter for match in matches if not match.has_won]
    if won != list(range(1, run.chapters_won + 1)):
        return f"Capítulos ganados según la vuelta: {run.chapters_won}. Según sus partidas: {won}."
    if any(chapter > run.chapter for chapter in lost):
        return f"Perdió partidas de los capítulos {lost}, y la vuelta iba por el {run.chapter}."
    most = max(map(lost.count, lost), default=0)
    may_lose = run.attempts or most + 1  # as often as wanted
    is_lost = most >= may_lose
    if is_lost != (run.outcome == Run.Outcome.LOST):
        ended = run.get_outcome_display() or "en juego"
        return f"La vuelta está «{ended.lower()}», con {counted(len(lost), 'partida perdida', 'partidas perdidas')}."
    return ""
