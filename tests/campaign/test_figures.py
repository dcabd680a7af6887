"""A match's figures: what happened in it, written with its last play, caught up with later, gone with it."""

import random
import secrets

import pytest
from django.utils import timezone

from campaign import services
from campaign.figures import figures_of_player, summary_of
from campaign.models import Match, Picture, Summary
from campaign.owners import Owner
from campaign.tasks import sum_up
from cvarenta.accounts.services import delete_player, gather_data
from cvarenta.game.events import describe
from cvarenta.game.match import Match as Game
from cvarenta.game.rulesets import RULESETS, get_ruleset
from cvarenta.game.shuffle import first_dealer, shuffled_deck

from .ended_matches import play_out, save_ended
from .endings import LOST, WON, bring_to_its_end, finish

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("number", [0, 2, 13])
def test_the_figures_are_what_happened(player, ruleset, number):
    game, _, events, _ = play_out(number, ruleset)
    told = [describe(event) for event in events]
    plays = [event for event in told if event["event"] == "play"]
    laid = [None] + [play["card"] if play["seat"] == 0 and not play["takes"] else None for play in plays]
    summary = summary_of(save_ended(player, number, ruleset, times=700))

    assert (summary.own_score, summary.rival_score) == game.score
    assert summary.caidas == sum(play["caida"] for play in plays if play["seat"] == 0)
    assert summary.limpias == sum(play["limpia"] for play in plays if play["seat"] == 0)
    assert summary.caidas_suffered == sum(
        play["caida"] and before in play["takes"] for before, play in zip(laid, plays, strict=False)
    )
    assert summary.rondas == sum(event["event"] == "ronda" and event["seat"] == 0 for event in told)
    assert summary.cartones == " ".join(str(event["cards"][0]) for event in told if event["event"] == "carton")
    assert summary.plays == sum(play["seat"] == 0 for play in plays)
    assert summary.think_ms == 700 * summary.plays


@pytest.mark.parametrize(
    "ruleset, number, by_caida, zapatero",
    [
        ("quito", 3, True, False),
        ("quito", 1, False, False),  # the partner's caída
        ("quito", 28, False, False),  # caída and limpia at 36
        ("quito", 80, False, True),
        ("quito", 2, False, False),  # the person's pair did not reach ten
        ("mano-a-mano", 0, True, False),
        ("mano-a-mano", 105, False, False),  # from 36, a limpia first
        ("tradicional-2", 8, False, True),
        ("tradicional-2", 4, False, False),  # the rival's zapatería
        ("tradicional-2", 13, False, False),  # a doble ronda
        ("tradicional-4", 29, False, True),
    ],
)
def test_how_a_match_was_won(player, ruleset, number, by_caida, zapatero):
    summary = summary_of(save_ended(player, number, ruleset))
    assert (summary.won_by_caida, summary.is_zapatero) == (by_caida, zapatero)


def test_the_last_play_writes_them_in_practice_and_in_a_run(member):
    practice, chapter = member.start(), member.go_on()["id"]
    assert not Summary.objects.exists()
    finish(member, practice, LOST)
    finish(member, chapter, WON)
    assert Summary.objects.get(pk=practice).rival_score >= 40
    assert Summary.objects.get(pk=chapter).own_score == 40


def test_a_whole_match_played_by_hand_is_told_to_its_last_play(member):
    table, events = member.play_on(member.start(ruleset="mano-a-mano", rival="random"), random.Random(5))
    summary = Summary.objects.get(pk=table["id"])
    assert [summary.own_score, summary.rival_score] == table["score"]
    assert summary.plays == sum(event["event"] == "play" and event["seat"] == 0 for event in events)
    assert summary.limpias == sum(
        event["event"] == "play" and event["seat"] == 0 and event["limpia"] for event in events
    )


def test_without_the_figures_there_is_no_last_play(member, monkeypatch):
    match_id = member.start()
    play, ply = bring_to_its_end(match_id, WON)
    monkeypatch.setattr(services, "summary_of", lambda match: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        services.play(match=Match.objects.get(pk=match_id), text=play, ply=ply, at=timezone.now())
    match = Match.objects.get(pk=match_id)
    assert match.winner is None and match.ply == ply


def test_a_match_won_as_it_is_dealt_has_them_too(player, monkeypatch):
    rules = get_ruleset("tradicional-4")

    def wins_at_once(seed):
        game = Game(rules, first_dealer(seed, "", 4))
        game.begin_deck(shuffled_deck(seed, "", 0))
        return game.is_over

    seed = next(seed for n in range(20_000) if wins_at_once(seed := n.to_bytes(32, "big")))
    monkeypatch.setattr(secrets, "token_bytes", lambda size: seed)
    match = services.start_practice(owner=Owner(player.pk, ""), ruleset=rules.name, rival="greedy", at=timezone.now())
    summary = Summary.objects.get(pk=match.pk)
    assert match.is_over and (summary.plays, summary.is_zapatero) == (0, False)
    page = figures_of_player(player.pk)
    assert page["played"] == 1 and page["think"]["median_seconds"] is None


def test_the_sweep_catches_up_and_may_be_repeated(player, member):
    for number in range(3):
        save_ended(player, number)
    save_ended(None, 3, guest="somebody")
    under_way = member.start()
    assert services.sum_up(most=1) == 1 and Summary.objects.count() == 1
    assert sum_up() == 3
    written = list(Summary.objects.order_by("pk").values())
    assert sum_up() == 0
    services._write_figures(Match.objects.finished())  # as if another had been first
    assert list(Summary.objects.order_by("pk").values()) == written and len(written) == 4
    assert not Summary.objects.filter(pk=under_way).exists()


def test_a_match_that_cannot_be_told_to_its_end_counts_all_the_same(player):
    match = save_ended(player, 3)
    Match.objects.filter(pk=match.pk).update(plays=" ".join(match.plays.split()[:30]) + " KSxKH")
    assert sum_up() == 1
    assert Summary.objects.get().own_score == 40


def test_the_players_figures_add_up(player, rival_player):
    for number in (1, 2, 3):
        save_ended(player, number, times=1000 * number)
    save_ended(player, 8, "mano-a-mano", rival="maestro", times=20_000)
    save_ended(rival_player, 4)
    sum_up()
    figures, rows = figures_of_player(player.pk), Summary.objects.filter(match__player=player)
    assert (figures["played"], figures["won"]) == (4, 3)
    assert figures["by_rival"] == [
        {"rival": "greedy", "played": 3, "won": 2},
        {"rival": "maestro", "played": 1, "won": 1},
    ]
    assert [row["ruleset"] for row in figures["by_ruleset"]] == ["quito", "mano-a-mano"]
    for name in ("caidas", "caidas_suffered", "limpias", "rondas"):
        assert figures[name] == sum(getattr(row, name) for row in rows)
    cartones = [int(cards) for row in rows for cards in row.cartones.split()]
    assert sum(row["count"] for row in figures["cartones"]) == len(cartones)
    assert figures["best_carton"] == max(cartones)
    assert figures["think"]["median_seconds"] == 2.5
    assert [row["count"] for row in figures["think"]["matches"]] == [2, 1, 0, 1, 0]


def test_a_match_takes_its_figures_and_picture_along_and_so_does_an_account(player):
    kept, gone = save_ended(player, 1), save_ended(player, 2)
    sum_up()
    for match in (kept, gone):
        services.keep_picture(of={"match_id": match.pk}, says="una mesa", png=b"png")
    services.keep_picture(of={"player_id": player.pk, "badge": "buen-maestro"}, says="una insignia", png=b"png")
    gone.delete()
    assert [row.pk for row in Summary.objects.all()] == [kept.pk] and Picture.objects.count() == 2
    delete_player(player=player, at=timezone.now())
    assert not Summary.objects.exists() and not Picture.objects.exists()


def test_the_download_tells_them_and_whether_a_match_is_shared(player, member):
    match = save_ended(player, 80)
    under_way = member.start()
    sum_up()
    told = {row["id"]: row for row in gather_data(player=player)["partidas"]}
    summary = Summary.objects.get()
    assert told[match.pk]["cifras"]["caídas"] == summary.caidas and told[match.pk]["cifras"]["dejó_zapatero"] is True
    assert told[match.pk]["compartida"] is None and told[under_way]["cifras"] is None
    services.share(match=match, is_shared=True, at=timezone.now())
    assert gather_data(player=player)["partidas"][0]["compartida"] is not None
