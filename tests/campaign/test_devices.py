"""Two accounts in one browser, or at one address, in the same hours: both runs are flagged; nobody else's is."""

import pytest
from django.db import DatabaseError
from django.test import Client

from campaign import devices
from campaign.models import Match, Run
from cvarenta.accounts.services import delete_player
from tests.tournament.books import MONDAY, begin, crowd, minutes
from tournament import review
from tournament.models import Flag, ScoredRun, Trace

from .endings import LOST, WON, finish
from .playing import PAGE, Program

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("season", "clock")]

HOUSE, OTHER_HOUSE = "190.152.10.20", "190.152.99.1"


@pytest.fixture(autouse=True)
def behind_a_proxy(settings):
    """Which says where a visitor comes from."""
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1


@pytest.fixture
def phone():
    return Client()


def start(phone, player, address=HOUSE, ending=LOST):
    """Whoever was logged in in this browser logs out; the player logs in, begins a scored run from an address or goes on with it, and loses it at once; returns its id."""
    phone.post("/cuenta/logout/")
    phone.force_login(player)
    phone.defaults["HTTP_X_FORWARDED_FOR"] = address
    program = Program(phone)
    answer = program.go_on("scored")
    assert answer["kind"] == "scored"
    if ending is not None:
        finish(program, answer["id"], ending)
    return answer["run"]


def check(*runs, at=MONDAY):
    """Verify runs; returns the (run, kind) of all flags about devices and addresses."""
    for run in runs:
        review.check_run(run_id=run, at=at)
    return sorted(Flag.objects.filter(kind__in=("device", "address")).values_list("run_id", "kind"))


# One browser


def test_two_accounts_in_one_browser_are_both_flagged_also_the_one_verified_before(phone, player, rival_player, clock):
    first = start(phone, player)
    assert check(first) == []
    clock.move_to(MONDAY + minutes(125), tick=False)
    second = start(phone, rival_player, OTHER_HOUSE)
    assert check(second) == sorted([(first, "device"), (second, "device")])
    flags = {flag.run_id: flag for flag in Flag.objects.filter(kind="device")}
    assert f"La vuelta {second}, de otra cuenta" in flags[first].evidence and "2 horas y 5 minutos después" in flags[first].evidence
    assert f"La vuelta {first}, de otra cuenta" in flags[second].evidence and "2 horas y 5 minutos antes" in flags[second].evidence
    assert flags[first].link == f"../../{second}/change/"
    assert set(ScoredRun.objects.filter(is_flagged=True).values_list("pk", flat=True)) >= {first, second}
    assert check(first, second, first) == sorted([(first, "device"), (second, "device")])


def test_the_three_runs_of_one_player_alone_are_not_flagged_by_log_ins_and_log_outs(phone, player):
    runs = [start(phone, player) for _ in range(3)]
    assert check(*runs) == [] and Trace.objects.filter(kind="device").values("digest").distinct().count() == 1


def test_who_goes_on_days_later_in_the_browser_of_another_is_seen_there_too(phone, player, rival_player, clock):
    tablet = Client()
    first = start(phone, player, ending=WON)
    clock.move_to(MONDAY + minutes(2 * 24 * 60), tick=False)
    assert start(tablet, player, ending=WON) == first
    clock.move_to(MONDAY + minutes(2 * 24 * 60 + 3), tick=False)
    second = start(tablet, rival_player, OTHER_HOUSE)
    assert check(second) == sorted([(first, "device"), (second, "device")]) == check(first, second)
    assert f"La vuelta {first}, de otra cuenta, se jugó desde el mismo navegador 3 minutos antes." in Flag.objects.get(run=second, kind="device").evidence


def test_a_second_browser_has_another_mark(phone, player, rival_player):
    assert check(start(phone, player), start(Client(), rival_player, OTHER_HOUSE)) == []


def test_a_day_and_a_half_later_it_is_no_sign(phone, player, rival_player, clock):
    first = start(phone, player)
    clock.move_to(MONDAY + minutes(36 * 60), tick=False)
    assert check(first, start(phone, rival_player)) == []


def test_who_signs_up_anew_after_leaving_is_flagged(phone, player, rival_player):
    first = start(phone, player)
    phone.post("/cuenta/logout/")
    delete_player(player=player, at=MONDAY)
    second = start(phone, rival_player, OTHER_HOUSE)
    assert check(second) == sorted([(first, "device"), (second, "device")])


def test_the_mark_is_left_once_by_a_scored_start_and_by_no_other_and_seen_at_each_match(phone, player, clock):
    guest = Program(phone)
    guest.start(ruleset="quito", rival="greedy")
    assert devices.COOKIE not in phone.cookies
    phone.force_login(player)
    run = guest.go_on("free")["run"]
    guest.post(f"/campana/{run}/abandonar/", {})
    assert devices.COOKIE not in phone.cookies and not Trace.objects.exists()

    answer = guest.go_on("scored")
    cookie = phone.cookies[devices.COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", 400 * 24 * 3600)
    mark = cookie.value
    finish(guest, answer["id"], WON)
    clock.move_to(MONDAY + minutes(9), tick=False)
    assert guest.go_on("scored")["chapter"] == 2 and phone.cookies[devices.COOKIE].value == mark
    traces = Trace.objects.filter(kind="device").order_by("at")
    assert [trace.at for trace in traces] == [MONDAY, MONDAY + minutes(9)] and len({trace.digest for trace in traces}) == 1


def test_the_page_without_script_leaves_it_too(phone, player):
    phone.force_login(player)
    response = phone.post("/campana/", {"kind": "scored"}, headers=PAGE)
    assert response.status_code == 302 and devices.COOKIE in response.cookies and Trace.objects.filter(kind="device").exists()


def test_a_forged_mark_is_replaced_and_nothing_kept_tells_device_or_address(phone, player):
    phone.cookies[devices.COOKIE] = "someone-elses:forged"
    start(phone, player, ending=None)
    kept = dict(Trace.objects.values_list("kind", "digest"))
    mark = phone.cookies[devices.COOKIE].value
    assert mark != "someone-elses:forged" and all(len(digest) == 64 for digest in kept.values())
    assert mark.partition(":")[0] not in str(kept) and HOUSE not in str(kept)


def test_a_start_never_fails_for_its_trace(phone, player, monkeypatch, caplog):
    def fail(**facts):
        raise DatabaseError("no room")

    monkeypatch.setattr(review, "trace", fail)
    start(phone, player, ending=None)
    assert Run.objects.get().is_scored and Match.objects.count() == 1 and not Trace.objects.exists()
    assert "without a trace" in caplog.text


# One address


def test_two_accounts_at_one_address_in_the_same_hours_are_flagged(player, rival_player, clock):
    first = start(Client(), player)
    clock.move_to(MONDAY + minutes(90), tick=False)
    second = start(Client(), rival_player)
    assert check(first, second) == sorted([(first, "address"), (second, "address")])


def test_later_in_the_day_the_address_is_no_sign(player, rival_player, clock):
    first = start(Client(), player)
    clock.move_to(MONDAY + minutes(121), tick=False)
    assert check(first, start(Client(), rival_player)) == []


def flagged(run_id):
    """The runs that get a flag, and of which account, when a run is verified."""
    run = ScoredRun.objects.get(pk=run_id)
    found = list(devices.shared(run))
    return {(run_id, own.about) for _, own, _ in found} | {(other.pk, theirs.about) for other, _, theirs in found}


@pytest.mark.parametrize("accounts", [4, 5, 50])
def test_a_house_is_a_sign_and_of_a_whole_school_only_the_first_four_are(accounts):
    """Whoever comes when there were so few before: each looks back, and does not know yet who will come."""
    runs = [begin(player) for player in crowd(accounts)]
    for n, run in enumerate(runs):
        review.trace(run_id=run, digests={"device": f"{n}", "address": "the same"}, at=MONDAY + minutes(n))
    assert {run for each in runs for run, _ in flagged(each)} == set(runs[:4])


@pytest.mark.parametrize("kind", ["device", "address"])
@pytest.mark.parametrize("matches", [1, 3])
def test_the_signs_are_the_same_whenever_runs_are_verified(kind, matches):
    """Each when its last match is begun, and all at the end."""
    runs, at_once = [begin(player) for player in crowd(8)], set()
    for match in range(matches):
        for n, run in enumerate(runs):
            review.trace(run_id=run, digests={kind: "the same"}, at=MONDAY + minutes(100 * match + n // 2))
            at_once |= flagged(run) if match == matches - 1 else set()
    late = set().union(*(flagged(run) for run in reversed(runs)))
    assert at_once == late and late


def test_of_another_account_the_moment_is_told_when_they_came_nearest(player, rival_player):
    one, earlier, later = begin(player), begin(rival_player), begin(rival_player)
    for run, minute in [(earlier, 60), (one, 100), (later, 190), (one, 200), (earlier, 260), (one, 300)]:
        review.trace(run_id=run, digests={"device": "the same"}, at=MONDAY + minutes(minute))
    [(other, own, theirs)] = devices.shared(ScoredRun.objects.get(pk=one))
    assert other.pk == later and "10 minutos antes" in own.evidence and "10 minutos después" in theirs.evidence


def test_a_run_of_many_matches_asks_one_question_for_each_trace(player, rival_player, django_assert_num_queries):
    one, other = begin(player), begin(rival_player)
    for n in range(10):
        for run in (other, one):
            review.trace(run_id=run, digests={"device": "the same", "address": "the same"}, at=MONDAY + minutes(30 * n))
    run = ScoredRun.objects.get(pk=one)
    with django_assert_num_queries(1 + 20):
        assert [(found.pk, own.kind) for found, own, _ in devices.shared(run)] == [(other, "device"), (other, "address")]


def test_a_schools_one_computer_does_not_fill_the_desk():
    runs = [begin(player) for player in crowd(30)]
    for n, run in enumerate([*runs[10:], *runs]):
        review.trace(run_id=run, digests={"device": "the same"}, at=MONDAY + minutes(n))
    others = [other.pk for other, _, _ in devices.shared(ScoredRun.objects.get(pk=runs[10]))]
    assert others == runs[9:4:-1]


@pytest.mark.parametrize(("sent", "taken"), [
    ("190.152.10.20", "190.152.10.20"), ("127.0.0.1", ""), ("10.0.0.7", ""), ("192.168.1.9", ""), ("::1", ""), ("fe80::1", ""),
    ("2800:4f0:12:34:aaaa:bbbb:cccc:dddd", "2800:4f0:12:34::/64"), ("::ffff:190.152.10.20", "190.152.10.20"), ("::ffff:10.0.0.7", ""),
    ("nowhere", ""), ("", ""),
])  # fmt: skip
def test_only_addresses_of_the_internet_count_and_an_ipv6_one_by_its_home(rf, sent, taken):
    assert devices.address_of(rf.get("/", HTTP_X_FORWARDED_FOR=sent)) == taken
