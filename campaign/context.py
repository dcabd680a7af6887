"""What every page shows of the player's own city."""

from django.db.models import Q

from .chapters import layers_on
from .models import Run


def city(request):
    """`layers`: those switched on by the run under way, and all of them for someone who once completed the story. Asked
    of the database only when a page draws it; the pages of a run show that run's own."""

    def layers():
        if not hasattr(request, "user"):  # something was refused before anybody asked who it is
            return []
        runs = Run.objects.of(request.user).filter(Q(ended_at=None) | Q(outcome=Run.Outcome.COMPLETED))
        return layers_on(runs.order_by("-chapters_won").values_list("chapters_won", flat=True).first() or 0)

    return {"layers": layers}
