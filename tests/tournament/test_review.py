"""What is found of runs is flagged once and brings them to the desk; what their players ask, too."""

import pytest

from tournament import review, services, tasks
from tournament.decisions import NotPossible
from tournament.models import Award, ScoredRun, SecondLook
from tournament.review import AlreadyAsked, Finding, NothingToLookAt

from .books import CLOSE, MONDAY, begin, in_threads, minutes, own_faults, score, seconds, win
from .reviewing import LATER, decide, standing, state

pytestmark = pytest.mark.django_db


def in_the_books(run_id):
    """Flags of the books themselves: runs made here were not played, and whoever verifies matches says so."""
    return ScoredRun.objects.get(pk=run_id).flags.filter(kind="books").count()


def test_a_flag_is_said_once_and_the_run_is_marked(season, player):
    run_id = score(player, 1)
    for at in (MONDAY, LATER):
        review.flag(run_id=run_id, finding=Finding("pace", "Muy rápida", "40 ms", about="a"), at=at)
    review.flag(run_id=run_id, finding=Finding("pace", "Muy rápida", "30 ms", about="b"), at=LATER)
    run = ScoredRun.objects.get()
    assert run.is_flagged and sorted(run.flags.values_list("about", "at")) == [("a", MONDAY), ("b", LATER)]


def test_what_is_found_of_an_approved_run_later_brings_it_back_to_the_desk(season, player, reviewer):
    run_id = score(player, 1)
    decide(run_id, "approve", reviewer)
    for _ in range(2):
        review.flag(run_id=run_id, finding=Finding("device", "Otra cuenta"), at=LATER)
        assert state(run_id) == ("approved", True, 1)
    decide(run_id, "approve", reviewer)
    review.flag(run_id=run_id, finding=Finding("device", "Otra cuenta"), at=LATER)
    assert state(run_id) == ("approved", False, 2)


@pytest.mark.django_db(transaction=True)
def test_a_run_checked_by_thirty_at_once_has_its_flags_once(season, player):
    run_id = score(player, 3)
    Award.objects.filter(chapter=2).delete()
    in_threads([lambda: review.check_run(run_id=run_id, at=MONDAY)] * 30)
    assert in_the_books(run_id) == 1


def test_what_was_left_open_over_the_close_is_checked_and_waits_for_the_desk(season, player, rival_player):
    """Whoever never ends a run is looked at all the same."""
    run_id = begin(player)
    win(run_id, 4)
    begin(rival_player)
    assert review.runs_to_check(before=CLOSE - seconds(1)) == []
    assert review.runs_to_check(before=CLOSE + minutes(5)) == [run_id]
    review.check_run(run_id=run_id, at=CLOSE + minutes(6))
    assert state(run_id) == ("waiting", True, 0) and review.runs_to_check(before=CLOSE + minutes(9)) == []
    services.close_run(run_id=run_id, outcome="lost", at=CLOSE + minutes(7))
    assert review.runs_to_check(before=CLOSE + minutes(9)) == [run_id]


def test_what_was_verified_while_it_could_still_be_paid_is_verified_again_over_the_close(season, player):
    run_id = begin(player)
    win(run_id, 1)
    review.check_run(run_id=run_id, at=MONDAY + minutes(1))
    win(run_id, 3, MONDAY + minutes(2), first=2)
    assert review.runs_to_check(before=CLOSE + minutes(5)) == [run_id] and not state(run_id)[1]
    review.check_run(run_id=run_id, at=CLOSE + minutes(6))
    assert state(run_id)[1] and review.runs_to_check(before=CLOSE + minutes(9)) == []


def test_one_that_cannot_be_verified_keeps_no_other_from_it(season, player, rival_player, monkeypatch):
    monkeypatch.setattr(review, "CHECKED_AT_ONCE", 1)
    broken, other = score(player, 1), score(rival_player, 1)
    with monkeypatch.context() as during:
        during.setattr(review, "faults_of", lambda *of: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            review.check_run(run_id=broken, at=MONDAY + minutes(1))
    assert review.runs_to_check(before=LATER) == [other]
    review.check_run(run_id=other, at=LATER)
    assert review.runs_to_check(before=LATER) == [broken]


def test_a_run_that_was_checked_is_checked_again_only_when_asked(season, player):
    run_id = score(player, 3)
    review.check_run(run_id=run_id, at=MONDAY)
    Award.objects.filter(chapter=2).delete()
    tasks.check_run(run_id)
    assert in_the_books(run_id) == 0
    tasks.check_run(run_id, again=True)
    assert in_the_books(run_id) == 1 and ScoredRun.objects.get().is_flagged


# A second look


def test_a_player_asks_for_a_second_look_once(season, player, reviewer):
    run_id = score(player, 1)
    decide(run_id, "annul", reviewer)
    review.ask_again(run_id=run_id, text=" Fui yo, en la casa de mi abuela ", at=LATER)
    assert SecondLook.objects.get().text == "Fui yo, en la casa de mi abuela" and state(run_id)[1]
    with pytest.raises(AlreadyAsked):
        review.ask_again(run_id=run_id, at=LATER)
    decide(run_id, "restore", reviewer)
    decide(run_id, "approve", reviewer)
    assert not state(run_id)[1]
    with pytest.raises(AlreadyAsked):
        review.ask_again(run_id=run_id, at=LATER)
    assert not state(run_id)[1]


def test_a_second_look_may_find_the_same_again(season, player, rival_player, reviewer):
    annulled, approved = score(player, 1), score(rival_player, 1)
    decide(annulled, "annul", reviewer)
    decide(approved, "approve", reviewer)
    for run_id in (annulled, approved):
        review.ask_again(run_id=run_id, at=LATER)
    decide(annulled, "annul", reviewer, "La miramos otra vez: dos cuentas")
    decide(approved, "approve", reviewer)
    assert state(annulled) == ("annulled", False, 2) and state(approved) == ("approved", False, 2)
    for run_id, action in ((annulled, "annul"), (approved, "approve")):
        with pytest.raises(NotPossible):
            decide(run_id, action, reviewer)
    decide(annulled, "restore", reviewer)
    assert state(annulled) == ("waiting", True, 3) and standing(player) == (100, MONDAY) and not own_faults(season)


def test_a_run_under_way_has_nothing_to_be_looked_at_until_it_is_annulled(season, player, reviewer):
    run_id = begin(player)
    with pytest.raises(NothingToLookAt):
        review.ask_again(run_id=run_id, at=LATER)
    decide(run_id, "annul", reviewer)
    review.ask_again(run_id=run_id, at=LATER)
    services.close_run(run_id=run_id, outcome="lost", at=LATER)
    assert state(run_id) == ("annulled", True, 1), "its end answers nothing"
    with pytest.raises(ValueError, match="too long"):
        review.ask_again(run_id=score(player, 1), text="x" * 501, at=LATER)


@pytest.mark.django_db(transaction=True)
def test_of_twelve_requests_at_once_one_is_kept(season, player):
    run_id = score(player, 1)

    def ask():
        try:
            return bool(review.ask_again(run_id=run_id, at=LATER))
        except AlreadyAsked:
            return False

    assert sum(in_threads([ask] * 12)) == 1


def test_traces_go_after_thirty_days(season, player):
    run_id = score(player, 1)
    for _ in range(2):
        review.trace(run_id=run_id, digests={"device": "a" * 64, "address": ""}, at=MONDAY)
    assert list(ScoredRun.objects.get().traces.values_list("kind", "at")) == [("device", MONDAY)]
    assert review.forget_traces(at=MONDAY + minutes(30 * 24 * 60)) == 0
    assert review.forget_traces(at=MONDAY + minutes(30 * 24 * 60) + seconds(1)) == 1
