"""The package's logger, ``turnwire``, on which it says what changes no result and is worth knowing."""

from __future__ import annotations

import logging
from functools import cache

__all__ = ["logger", "warn_once"]

logger = logging.getLogger("turnwire")


@cache
def warn_once(text: str) -> None:
    """Log *text* as a warning, the first time it is said."""
    logger.warning(text)
