"""Matches one play from their end, so that a test decides who wins them."""

from campaign.models import Match
from cvarenta.game.cards import mask_of, parse_cards
from cvarenta.game.state import dump_state

WON, LOST = 0, 1


def bring_to_its_end(match_id, winner):
    """Arrange a match of the house game so that the person's next play ends it; returns that play and the ply it answers."""
    match = Match.objects.get(pk=match_id)
    game = match.load_game()
    game.to_play, game.stock = 0, []
    if winner == WON:  # a caída at 38
        game.hands, game.played, game.score = [parse_cards("5D"), [], [], []], [(parse_cards("5C")[0], 0)], (38, 0)
        game.set_table(mask_of(parse_cards("5C")), parse_cards("5C")[0])
        play = "5Dx5C"
    else:  # their cartón
        game.hands, game.played, game.score, game.taken = [parse_cards("KD"), [], [], []], [], (0, 28), [0, 26]
        game.set_table(0, -1)
        play = "KD"
    Match.objects.filter(pk=match_id).update(state=dump_state(game), ply=game.ply)
    return play, game.ply


def finish(program, match_id, winner):
    """Play that last play as the program's person; returns the answer."""
    play, ply = bring_to_its_end(match_id, winner)
    response = program.play(match_id, play, ply)
    assert response.status_code == 200, response.text
    assert response.json()["winner"] == winner
    return response.json()
