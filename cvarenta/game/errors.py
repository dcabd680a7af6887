"""The ways in which what was asked of the game cannot be done; messages quote the play and never a hidden card."""


class GameError(ValueError):
    """What was asked of the game cannot be done."""


class Unreadable(GameError):
    """The text is no card, play, deck, state or record."""


class NotAllowed(GameError):
    """The rules do not allow this play, or not now."""
