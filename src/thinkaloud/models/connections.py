"""What all connections over HTTP share: to read the list of certificate authorities takes 50 ms of a processor."""

from __future__ import annotations

import os
import ssl
from functools import lru_cache

import httpx


def authorities(*, trust_env: bool = True) -> ssl.SSLContext:
    """Return whom to trust over TLS; with `trust_env`, SSL_CERT_FILE and SSL_CERT_DIR count, as in httpx."""
    named = ("SSL_CERT_FILE", "SSL_CERT_DIR") if trust_env else ()
    return _authorities(trust_env, *(os.environ.get(name) for name in named))


@lru_cache(maxsize=4)
def _authorities(trust_env: bool, *_: str | None) -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=trust_env)


def local_client(address: str, key: str, timeout: float | None = 5.0) -> httpx.Client:
    """Return a client for a server in this process, which speaks no TLS and is behind no proxy."""
    headers = {"Authorization": f"Bearer {key}"}
    return httpx.Client(base_url=address, headers=headers, trust_env=False, timeout=timeout, verify=False)
