"""A scored run is verified: what was honestly played gives no flag, and whatever was changed behind the site's back does."""

import json

import pytest
from django.db import transaction

from campaign import proofs, signs, verification
from campaign.models import Match, Run, Summary
from cvarenta.accounts.services import delete_player
from cvarenta.game.notation import format_play
from cvarenta.game.record import record_from
from cvarenta.game.verify import positions
from tests.tournament.books import CLOSE, MONDAY, begin, minutes, quito, score
from tests.tournament.reviewing import desk_of, page_of
from tournament import review
from tournament.models import Award, Flag, ScoredRun

from .played_runs import known_seeds, play_run  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("season", "known_seeds")]


def check(run):
    """The flags of a run after it was verified, as {kind: flag}."""
    review.check_run(run_id=run.pk, at=MONDAY)
    return {flag.kind: flag for flag in Flag.objects.filter(run_id=run.pk)}


def test_a_run_that_was_honestly_played_has_no_flag_and_its_figures_are_kept(player):
    run = play_run(player, MONDAY)
    matches = Match.objects.finished().order_by("started_at")
    assert check(run) == {}
    run.refresh_from_db()
    times = [int(ms) for match in matches for ms in match.think_times.split()]
    assert run.checked_at == MONDAY and not run.is_flagged
    kept = run.measures
    assert (kept["matches"], kept["plays"], kept["unchecked"], kept["gone"]) == (len(matches), len(times), 0, [])
    assert sorted(times)[len(times) // 2 - 1] <= kept["median"] <= sorted(times)[len(times) // 2] and kept["spread"] > 0.2
    assert 0 <= kept["agreed"] <= kept["choices"] and kept["choices"] > 0
    said = dict(signs.describe(kept))
    assert said["Partidas comprobadas"] == str(len(matches)) and said["Tiempo por jugada"].endswith(" s de mediana")


# What is changed


def of_match(**fields):
    return lambda match: Match.objects.filter(pk=match.pk).update(**fields)


def of_run(**fields):
    return lambda match: Run.objects.filter(pk=match.run_id).update(**fields)


def of_both(**fields):
    """Of the run and of its books, so that they agree."""

    def change(match):
        Run.objects.filter(pk=match.run_id).update(**fields)
        ScoredRun.objects.filter(pk=match.run_id).update(**fields)

    return change


def change_state(match):
    state = json.loads(match.state)
    state["score"] = [39, 2]
    of_match(state=json.dumps(state))(match)


def change_bots_play(match):
    """Another play of a bot that is just as legal, in its last turn: the match goes another way only after it."""
    game, last = None, None
    for game, play in positions(record_from(proofs.record_of(match))):
        if game.to_play != 0 and len(game.legal()) > 1:
            last = game.ply, next(other for other in game.legal() if other != play)
    plays = match.plays.split()
    plays[last[0]] = format_play(last[1])
    of_match(plays=" ".join(plays))(match)


def put(match, i, play):
    plays = match.plays.split()
    plays[i] = play or plays[0]
    of_match(plays=" ".join(plays))(match)


CHANGES = {
    "another winner": (lambda match: of_match(winner=1 - match.winner)(match), "result awards"),
    "another score": (change_state, "result"),
    "other figures": (lambda match: Summary.objects.filter(pk=match.pk).update(own_score=39), "result"),
    "another count of plays": (lambda match: of_match(ply=match.ply + 1)(match), "result"),
    "the last play gone": (lambda match: of_match(plays=match.plays.rpartition(" ")[0])(match), "result"),
    "a think time gone": (lambda match: of_match(think_times=match.think_times.rpartition(" ")[0])(match), "result"),
    "think times that are none": (of_match(think_times=" 12 x"), "untold"),
    "no state": (of_match(state="{"), "untold"),
    "a play that is none": (lambda match: put(match, 8, "QQ"), "untold"),
    "the same card twice": (lambda match: put(match, 8, None), "bots plays"),
    "another seed": (of_match(seed=bytes(32)), "bots plays"),
    "another play of a bot": (change_bots_play, "bots plays"),
    "other bots": (of_match(bots="0:random/1,random/1,random/1"), "bots"),
    "bots that are none": (of_match(bots="greedy"), "bots"),
    "a chapter that was not won": (of_run(chapters_won=3), "result"),
    "an end that no match brought": (of_both(outcome="lost", ended_at=MONDAY), "result"),
    "a chapter that was not paid": (lambda match: Award.objects.all().delete(), "awards"),
    "a chapter paid twice over": (lambda match: Award.objects.create(run_id=match.run_id, chapter=4, points=100, at=MONDAY), "awards books"),
    "another end in the books": (lambda match: ScoredRun.objects.update(outcome="abandoned", ended_at=MONDAY), "awards"),
}  # fmt: skip


@pytest.fixture
def run(player):
    """A run that has won its first chapter; the second is under way."""
    run = play_run(player, MONDAY, matches=1)
    assert (run.outcome, Run.objects.get().chapters_won, Match.objects.count()) == ("", 1, 2)
    return run


def test_whatever_was_changed_is_flagged(run):
    match = Match.objects.order_by("started_at").first()
    for what, (change, kinds) in CHANGES.items():
        undone = transaction.savepoint()
        change(match)
        flags = check(run)
        run.refresh_from_db()
        assert set(flags) == set(kinds.split()) and run.is_flagged and run.checked_at == MONDAY, what
        for flag in flags.values():
            assert flag.reason and flag.evidence and (flag.kind == "books" or flag.about in ("", match.pk)), what
            assert flag.link.startswith(f"?partida={match.pk}&jugada=") == (flag.about == match.pk), what
        transaction.savepoint_rollback(undone)
    assert check(run) == {}


def test_the_desk_opens_it_whatever_was_changed_and_says_what_it_cannot_read(run, caplog):
    match, desk, unread = Match.objects.order_by("started_at").first(), desk_of(), []
    for what, (change, _) in CHANGES.items():
        undone = transaction.savepoint()
        change(match)
        response = desk.get(page_of(run.pk))
        assert response.status_code == 200, what
        if '<p id="repaso">No se puede leer su registro.</p>' in response.text:
            unread.append(what)
        assert (what in unread) != ('<section class="replay' in response.text), what
        transaction.savepoint_rollback(undone)
    assert unread == ["think times that are none", "no state", "a play that is none"]
    assert f"Match {match.pk} cannot be shown" in caplog.text


def test_a_record_whose_shuffle_is_another_is_flagged(run, monkeypatch):
    def altered(match):
        data = record_of(match)
        first, *others = data["decks"]
        decks = [first[2:] + first[:2], *others]
        return data | {"commitment": "0" * 64, "dealer": (data["dealer"] + 1) % 4, "decks": decks}

    record_of = proofs.record_of
    monkeypatch.setattr(proofs, "record_of", altered)
    assert check(run)["shuffle"].evidence == (
        "El sello no es el de la semilla. El primero en repartir no sale de la semilla. La baraja 1 no sale de la semilla."
    )


def test_the_flag_says_where_and_leads_there(run):
    match = Match.objects.order_by("started_at").first()
    change_bots_play(match)
    flag = check(run)["bots"]
    ply = int(flag.link.partition("jugada=")[2].partition("#")[0])
    assert flag.link == f"?partida={match.pk}&jugada={ply}#repaso" and f"En la jugada {ply + 1}, " in flag.evidence
    assert Match.objects.get(pk=match.pk).plays.split()[ply] in flag.evidence


# What cannot be checked


def test_a_bot_whose_version_is_gone_is_said_to_be_unchecked_and_flags_nothing(run):
    match = Match.objects.order_by("started_at").first()
    of_match(bots=match.bots.replace("almeida/1", "almeida/99"))(match)
    assert check(run) == {}
    run.refresh_from_db()
    assert (run.measures["unchecked"], run.measures["gone"]) == (1, ["almeida/99"])
    assert dict(signs.describe(run.measures))["Bots sin comprobar"] == "en 1 partida: ya no está aquí la versión de almeida/99"


def test_what_cannot_be_told_is_logged_and_the_other_matches_are_verified_all_the_same(player, caplog, monkeypatch):
    run = play_run(player, MONDAY, matches=2)
    first, second = Match.objects.order_by("started_at")
    verify = proofs.verify

    def verify_second(data):
        if data["seed"] == bytes(first.seed).hex():
            raise TypeError("our mistake")
        return verify(data)

    monkeypatch.setattr(proofs, "verify", verify_second)
    of_match(bots="greedy")(second)
    flags = check(run)
    assert flags["untold"].about == first.pk and flags["bots"].about == second.pk
    assert f"Match {first.pk} cannot be verified" in caplog.text and "our mistake" in caplog.text
    run.refresh_from_db()
    assert run.checked_at == MONDAY


# When


def test_verified_twice_or_late_the_flags_are_there_once(run):
    of_match(bots="greedy")(Match.objects.order_by("started_at").first())
    check(run)
    before = list(Flag.objects.values())
    review.check_run(run_id=run.pk, at=MONDAY + minutes(7 * 24 * 60))
    assert list(Flag.objects.values()) == before and len(before) == 1


def test_verifying_answers_what_it_found_also_of_others_and_writes_nothing(run, rival_player):
    other = begin(rival_player)
    for n, run_id in enumerate([other, run.pk]):
        review.trace(run_id=run_id, digests={"device": "the same"}, at=MONDAY + minutes(n))
    findings, measures, others = verification.check(run=run, at=MONDAY)
    assert [finding.kind for finding in findings] == ["device"] and measures["matches"] == 1
    assert [(run_id, finding.about) for run_id, finding in others] == [(other, f"cuenta {run.standing_id}")]
    assert not Flag.objects.exists()


def test_who_has_left_took_the_matches_along_and_the_run_is_in_order(run, player):
    delete_player(player=player, at=MONDAY + minutes(60))
    assert check(run) == {} and not Match.objects.exists()
    run.refresh_from_db()
    assert run.measures["matches"] == 0 and dict(signs.describe(run.measures)) == {"Partidas comprobadas": "0", "Jugadas suyas": "0"}


def test_a_run_left_open_over_the_close_is_found_by_the_sweep_and_its_won_chapters_are_verified(player):
    run = play_run(player, quito(12, 6, 23), matches=1)
    assert Run.objects.get().is_under_way and Award.objects.count() == 1
    match = Match.objects.finished().get()
    of_match(bots="greedy")(match)
    assert review.runs_to_check(before=CLOSE - minutes(1)) == []
    assert review.runs_to_check(before=CLOSE + minutes(5)) == [run.pk]
    review.check_run(run_id=run.pk, at=CLOSE + minutes(5))
    assert Flag.objects.get().about == match.pk and ScoredRun.objects.get().is_waiting
    assert review.runs_to_check(before=CLOSE + minutes(10)) == []


def test_a_run_that_nobody_played_is_flagged(season, player):
    run_id = score(player, 2)
    assert check(ScoredRun.objects.get(pk=run_id)).keys() == {"awards"}
