"""Celery's way to Redis, with a fault of kombu 5.7 mended."""

from kombu.transport import TRANSPORT_ALIASES, redis


class Channel(redis.Channel):
    def close(self):
        """A channel whose Redis has gone breaks off closing, as it reads a last answer first. Left half closed, it would
        end the worker when that gives back the tasks it holds."""
        try:
            super().close()
        except self.connection_errors:
            super().close()


class Transport(redis.Transport):
    Channel = Channel


TRANSPORT_ALIASES |= dict.fromkeys(["redis", "rediss"], f"{__name__}:Transport")
