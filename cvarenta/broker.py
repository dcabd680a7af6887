"""Celery's way to Redis, with a fault of kombu 5.7 mended."""

from kombu.transport import TRANSPORT_ALIASES, redis


class Channel(redis.Channel):
    def close(self):
        """Breaks off if Redis has gone, for it reads a last answer first: then once more, without that. A channel left
        half closed would end the worker as soon as that gives back the tasks it holds."""
        try:
            super().close()
        except self.connection_errors:
            super().close()


class Transport(redis.Transport):
    Channel = Channel


TRANSPORT_ALIASES |= dict.fromkeys(["redis", "rediss"], f"{__name__}:Transport")
