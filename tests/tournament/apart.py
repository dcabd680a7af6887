"""A second connection to PostgreSQL, to see who waits for whom."""

import time
from threading import Event, Thread

from django.db import connection


class Apart(Thread):
    """Does something in a thread with a connection of its own, what comes `first` at once and the rest when told to go;
    `result()` is what it returned or raised."""

    def __init__(self, call, first=lambda: None):
        super().__init__(daemon=True)
        self.call, self.first, self.pid, self.answer, self.error = call, first, None, None, None
        self.is_ready, self.may_go = Event(), Event()
        self.start()
        assert self.is_ready.wait(60)

    def run(self):
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_backend_pid()")
                self.pid = cursor.fetchone()[0]
            self.first()
            self.is_ready.set()
            assert self.may_go.wait(60), "nobody told it to go"
            self.answer = self.call()
        except Exception as error:
            self.error = error
        finally:
            connection.close()

    def go(self):
        self.may_go.set()
        return self

    def waits(self):
        """Whether it has come to wait for a lock, asked for at most a minute; not if it is done."""
        deadline = time.monotonic() + 60
        while self.is_alive() and time.monotonic() < deadline:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1 FROM pg_locks WHERE pid = %s AND NOT granted", [self.pid])
                if cursor.fetchone():
                    return True
            time.sleep(0.01)
        return False

    def result(self):
        self.join(60)
        assert not self.is_alive()
        if self.error:
            raise self.error
        return self.answer
