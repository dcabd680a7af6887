"""The application, but verifying a run stands still in the middle, when its first flag is written and nothing committed, until
there is a file named in GO; and a task that was taken and is not done after a second is given to another worker."""

import os
import time
from pathlib import Path

from celery.signals import worker_process_init

from .slow import app  # noqa: F401


@worker_process_init.connect(weak=False)
def slow_down(**_):
    from tournament import review

    flag = review.flag

    def flag_slowly(**facts):
        flag(**facts)
        print("in the middle", flush=True)
        while not Path(os.environ["GO"]).exists():
            time.sleep(0.02)

    review.flag = flag_slowly
