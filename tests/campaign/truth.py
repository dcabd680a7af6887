"""What really happened in a match: its record played again, its row held against it."""

import json

from campaign.models import Match
from cvarenta.game.bots import get_bot
from cvarenta.game.cards import format_cards
from cvarenta.game.events import describe
from cvarenta.game.match import Match as Game
from cvarenta.game.notation import format_play
from cvarenta.game.record import read_record, replay
from cvarenta.game.shuffle import bot_stream, commitment, shuffled_deck
from cvarenta.game.state import dump_state
from cvarenta.game.view import view_of


def replayed(text):
    """A record's text played again: the game at its end and the events as programs see them."""
    record = read_record(text)
    game = record.new_match()
    return game, [describe(event) for event in replay(record, game)]


def assert_bots_played_it(text):
    """The record's shuffle is the seed's, and each play of a bot is the one that bot chooses from what it could see."""
    data, record = json.loads(text), read_record(text)
    seed, nonce, game = bytes.fromhex(data["seed"]), data["nonce"], record.new_match()
    assert data["commitment"] == commitment(seed)
    labels = data["bots"].split()[-1].partition(":")[2].split(",")
    plays = iter(record.plays)
    while not game.is_over:
        if game.awaits_deck:
            deck = shuffled_deck(seed, nonce, game.deck_number + 1)
            assert record.decks[game.deck_number + 1] == format_cards(deck)
            game.begin_deck(deck)
            continue
        play = next(plays)
        if game.to_play:
            bot = get_bot(labels[game.to_play - 1])
            chosen = bot.choose(view_of(game, game.to_play), bot_stream(seed, game.ply))
            assert play == format_play(chosen), (game.ply, play)
        legal = [move for move in game.legal() if format_play(move) == play]
        assert legal, (game.ply, play)
        game.play(legal[0])


def assert_whole(match_id):
    """A match's row is of one piece: its plays lead to its state, each was made once, and each of the person's has its time."""
    match = Match.objects.get(pk=match_id)
    game, seed, mine = Game(match.rules, match.first_dealer), bytes(match.seed), 0

    def deal():
        while game.awaits_deck and not game.is_over:
            game.begin_deck(shuffled_deck(seed, match.nonce, game.deck_number + 1))

    deal()
    for play in match.parsed_plays():
        mine += game.to_play == 0
        game.play(play)
        deal()
    assert len(match.plays.split()) == match.ply == game.ply
    assert dump_state(game) == match.state
    assert (match.winner, match.finished_at is not None) == (game.winner, game.is_over)
    assert len(match.think_times.split()) == mine
    assert game.is_over or game.to_play == 0
    return match


def row_of(match_id):
    """Every column of a match as it lies in the database."""
    row = Match.objects.filter(pk=match_id).values().get()
    return row | {"seed": bytes(row["seed"])}
