"""Questions over HTTP, as programs ask them."""

from typing import Any

import httpx


def ask(client: httpx.Client, path: str, /, **body: Any) -> Any:
    """The answer to what can be answered."""
    response = client.post(f"/api/{path}", json=body)
    assert response.status_code == 200, response.text
    return response.json()


def refusal(client: httpx.Client, path: str, /, **body: Any) -> str:
    """What is said of what cannot be used."""
    response = client.post(f"/api/{path}", json=body)
    assert response.status_code == 422, response.text
    assert list(response.json()) == ["error", "code"]
    return str(response.json()["error"])
