"""Where other apps hook in to the books."""

from django.dispatch import Signal

#: A scored run has ended; `run_id`. Sent within the transaction that ends it.
run_closed = Signal()

#: A season's books are being proved; `season`. Receivers return what they find wrong, as sentences.
auditing = Signal()
