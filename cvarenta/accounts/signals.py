"""Where other apps hook in when a player leaves or asks for what is kept about them."""

from django.dispatch import Signal

# Sent inside the transaction that deletes a player, before the row goes; with player, at.
player_leaving = Signal()

# Asks for what an app keeps about a player; with player. Receivers return a dict (or None) for the download.
gathering_data = Signal()
