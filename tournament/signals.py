"""Where other apps hook in to the books."""

from django.dispatch import Signal

#: A scored run has ended; `run_id`. Sent within the transaction that ends it.
run_closed = Signal()

#: A season's books are being proved; `season`. Receivers return what they find wrong, as sentences.
auditing = Signal()

#: A scored run is being verified; `run` (a ScoredRun), `at`. Receivers return (findings, measures, others): a list of
#: `tournament.review.Finding`, a dict of figures for JSON, and what that tells of other runs, a list of (run_id,
#: Finding); or None. They write nothing.
checking_run = Signal()

#: A reviewer looks at a run; `run`, `request`. Receivers return (title, html) to be shown on its page, or None.
showing_run = Signal()
