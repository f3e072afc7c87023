"""The owner of a server: whoever started it, known by the key that `advisor serve` prints."""

import hmac
import secrets

from starlette.exceptions import HTTPException


class Owner:
    """Holds the key. The server prints it as ``#owner=KEY`` of an address, which no log records."""

    def __init__(self) -> None:
        self.key = secrets.token_urlsafe(18)

    def check(self, key: str) -> None:
        """Refuse whoever does not have the key.

        Raises:
            HTTPException: 403.
        """
        if not hmac.compare_digest(key.encode(), self.key.encode()):
            raise HTTPException(403, "key: open the address that `advisor serve` has printed")
