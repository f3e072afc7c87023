"""The owner of a server, whom a key tells from all others."""

import hmac
import secrets

from pydantic import Field
from starlette.exceptions import HTTPException

from advisor.web import models


class Owner:
    """Recognises the owner of a server by a key."""

    def __init__(self) -> None:
        self.key = secrets.token_urlsafe(18)

    def check(self, key: str) -> None:
        """Refuse a request without the owner's key.

        Raises:
            HTTPException: status 403.
        """
        if not hmac.compare_digest(key.encode(), self.key.encode()):
            raise HTTPException(403, "key: open the address that `advisor serve` has printed")


class Owned(models.Request):
    """A request of the server's owner."""

    key: str = Field(max_length=64, description="The one that the server printed when it began.")
