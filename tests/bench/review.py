"""Verifying a full run of five matches against what the run's bots took when it was played.

Run: python -m tests.bench.review [--rounds 7]
The run is the story's, won whole by `maestro` in the person's place. Each round plays its matches again, timing the
choices of the seats 1, 2 and 3, and verifies their records in the same process: without the bots, with them worked out
anew, and as the site does it, which also asks `maestro` about the person's choices. The medians of the rounds are
printed, with their quartiles; the site's few queries beside it are not counted.
"""

import argparse
import hashlib
import os
import statistics
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
os.environ.setdefault("DJANGO_DEBUG", "1")
django.setup()

from campaign.chapters import CHAPTERS, RULESET  # noqa: E402
from campaign.characters import get_rival, line_up_for  # noqa: E402
from campaign.models import SEAT  # noqa: E402
from campaign.signs import agreement  # noqa: E402
from cvarenta.game.bots import get_bot, prepare  # noqa: E402
from cvarenta.game.match import Match  # noqa: E402
from cvarenta.game.record import record_from, write_record  # noqa: E402
from cvarenta.game.rulesets import get_ruleset  # noqa: E402
from cvarenta.game.shuffle import Stream, bot_stream, commitment, first_dealer, shuffled_deck  # noqa: E402
from cvarenta.game.verify import verify  # noqa: E402
from cvarenta.game.view import view_of  # noqa: E402


def played(chapter, seed):
    """A match of a chapter: its record, the seconds of its bots' choices, and who won."""
    rules = get_ruleset(RULESET)
    line_up, person = line_up_for(rules, get_rival(chapter.rival)), get_bot("maestro")
    match, decks, plays, seconds = Match(rules, first_dealer(seed, "", rules.seats)), [], [], 0.0
    dealer = match.dealer
    while not match.is_over:
        if match.awaits_deck:
            decks.append(shuffled_deck(seed, "", match.deck_number + 1))
            match.begin_deck(decks[-1])
            continue
        seat = match.to_play
        if seat == SEAT:
            play = person.choose(view_of(match, seat), Stream(seed, f"person|{match.ply}"))
        else:
            start = time.perf_counter()
            play = line_up[seat - 1].choose(view_of(match, seat), bot_stream(seed, match.ply))
            seconds += time.perf_counter() - start
        plays.append(play)
        match.play(play)
    record = write_record(
        rules, dealer, (0, 0), decks, plays, seed=seed.hex(), commitment=commitment(seed), nonce="",
        bots="0:" + ",".join(bot.label for bot in line_up),
    )  # fmt: skip
    return record, seconds, match.winner


def won(chapter):
    """The first seed with which the person wins a chapter."""
    numbers = (hashlib.sha256(b"bench %d %d" % (chapter.number, n)).digest() for n in range(1000))
    return next(seed for seed in numbers if played(chapter, seed)[2] == SEAT % 2)


def timed(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    prepare()
    seeds = [won(chapter) for chapter in CHAPTERS]
    rows = {"its bots, as it was played": [], "verified without the bots": [], "with the bots": [], "as the site does": []}
    for _ in range(options.rounds):
        run = [played(chapter, seed) for chapter, seed in zip(CHAPTERS, seeds, strict=True)]
        records = [record for record, _, _ in run]
        assert all(verify(record).is_proved for record in records)

        def as_the_site_does(records=records):
            for record, seed in zip(records, seeds, strict=True):
                verify(record)
                agreement(record_from(record), seed)

        seconds = (
            sum(seconds for _, seconds, _ in run),
            timed(lambda records=records: [verify(record, with_bots=False) for record in records]),
            timed(lambda records=records: [verify(record) for record in records]),
            timed(as_the_site_does),
        )
        for row, figure in zip(rows.values(), seconds, strict=True):
            row.append(figure)
    plays = sum(len(record["plays"]) for record in records)
    print(f"a run of five matches, {plays} plays, {options.rounds} rounds")
    base = rows["its bots, as it was played"]
    for name, row in rows.items():
        low, middle, high = statistics.quantiles(row, n=4)
        ratios = statistics.quantiles([figure / theirs for figure, theirs in zip(row, base, strict=True)], n=4)
        print(
            f"{name}: {middle:.3f} s [{low:.3f} – {high:.3f}], "
            f"{ratios[1]:.2f} times the bots' [{ratios[0]:.2f} – {ratios[2]:.2f}]"
        )


if __name__ == "__main__":
    main()
