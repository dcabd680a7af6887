"""From where on something about a run is a sign to look at: each number with its why, and no number anywhere else.

A sign costs a reviewer a minute; a sign that ordinary players give all day costs the desk its eyes. So each is set
where people, also quick and good ones, do not come.
"""

from datetime import timedelta

# The pace: the time from the moment the table waits for the person until their play arrives, by the server's clock. It
# holds the way there and back, and the seeing of what three others did.

PLAYS = 20  #: of a match, below which neither pace nor beat is judged: quartiles would be chance (most have 25 to 40)
MEDIAN_MS = 500  #: half of the plays faster; who plays at sight, with the keys, at the table's fastest pace needs 700
HASTY_MS = 200  #: nobody sees, chooses and reaches the server in less: to react to a light alone takes as long
FEW = 8  #: of a shorter match, enough to judge when half of them are HASTY_MS or less: that is no chance
HASTY_SHARE = 0.2  #: so many of them: a last card played blind is one play in five, and rarely so quick

# The beat: what lies between the quartiles, and how much of the median that is. It must be little in both ways. The
# table shows what the others did for up to five seconds, nearly the same each time, before a person begins to think: of
# the even ones at the slowest pace it is an eighth of the median, but 0.8 s; of the quick ones, at once, 0.3 s, but 0.3
# of the median. A script that waits a fixed time comes to 0.05 s over the network, one of 4 s ± 5 % to 0.2 s; one that
# waited 1 s for a server with much else to do came to 0.19 s, 0.16 of its median.

EVEN_SPREAD = 0.2
EVEN_MS = 400

# The choices. Counted are the positions in which what pays most at once is not the best, and the best is better by
# CLEAR than any other play: five or so in a match. Measured over 50 matches each in seat 0 of the story, `maestro`
# asked with another chance than the person's bot: `greedy` agrees in 15 %, `aficionado` in 30 % (runs of five matches:
# 14 to 43), `cantuna`, who forgets, in 31 % (21 to 38), `manuela`, who is `maestro` with a person's memory, in 76 %
# (56 to 96), `maestro` itself in 86 % (75 to 96). A person comes near `aficionado`; the best of them, perhaps, further:
# then the others' completed runs say so.

CLEAR = 50  #: ten-thousandths of the chance of winning: less than that is also chance in what `maestro` imagines
CHOICES = 15  #: of a run, three matches; of fewer one in some thousand runs of `aficionado` would come to STRONG_SHARE
STRONG_SHARE = 0.7  #: 4.6 deviations above `aficionado` in a run of five, 2.4 below `maestro`
PEERS = 20  #: other players' completed runs, over before, that say what good players reach; of fewer, STRONG_SHARE does
PEER_SPREADS = 3  #: deviations above the middle of theirs: beyond that one honest run in 700, were they spread as usual
MOST_SHARE = 0.95  #: whatever the others reach: `maestro` itself comes to more in one run of twenty
MOST_PEERS = 300  #: the latest are enough, and a season may have a hundred thousand

# The device and the address: two accounts begin or go on with scored runs near each other. A family does it with one
# tablet, and a prize may be won by whoever does it alone: that is for the reviewer to tell.

SHARED_HOURS = {
    "device": timedelta(hours=24),  # another account for three more runs is made the same day
    "address": timedelta(hours=2),  # an address is lent to others: by a café in an afternoon, by an operator in hours
}
# Behind the address of a school or a mobile operator are hundreds. Whoever comes where so many others were in those
# hours gives no sign; since each looks back only, of a class that comes together its first four are flagged, no more.
MOST_ACCOUNTS = 4
MOST_TOLD = 5  #: other accounts of a run and kind, the nearest: a school's one computer must not fill the desk
MOST_TRACES = 200  #: looked at for each trace; four accounts do not leave so many in those hours
