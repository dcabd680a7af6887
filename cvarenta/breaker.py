"""Keeps those who come after from waiting for a service that just did not answer."""

import logging
import time
from collections.abc import Callable
from typing import Any

logger = logging.getLogger(__name__)

OPEN_SECONDS = 5


class Breaker:
    """One for each service in a process. After one of these errors the service is not asked again for some seconds."""

    def __init__(self, service: str, *errors: type[Exception]):
        self.service, self.errors, self.open_until = service, errors, 0.0

    def call(self, ask: Callable[[], Any], otherwise: Callable[[], Any]) -> Any:
        """What `ask` returns or raises; what `otherwise` does if the service does not answer, or lately did not."""
        if time.monotonic() >= self.open_until:
            try:
                return ask()
            except self.errors as error:
                self.open_until = time.monotonic() + OPEN_SECONDS
                logger.warning("%s does not answer, and is left alone for a moment: %r", self.service, error)
        return otherwise()
