"""Sessions in the database, asked for by keys that can be one only."""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """Django's, that does not look for a key with characters no key has: PostgreSQL takes no NUL, for one."""

    def _validate_session_key(self, key):
        return super()._validate_session_key(key) and key.isascii() and key.isalnum()
