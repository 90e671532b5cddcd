"""A report in print: A4 pages with numbers, and their numbers in the table of contents."""

from __future__ import annotations

from typing import Any

from engine.exact.errors import DealproofError

MISSING = (
    "printing needs the system library Pango; on Debian: apt install libpango-1.0-0 "
    "libpangoft2-1.0-0 (the page itself prints from any browser)"
)


def pdf(page: str) -> bytes:
    """Print a report's page; nothing is fetched. Raises DealproofError where Pango is missing."""
    import logging

    try:
        import weasyprint
    except OSError:
        raise DealproofError(MISSING) from None
    logging.getLogger("weasyprint").setLevel(logging.CRITICAL)
    document = weasyprint.HTML(string=page, url_fetcher=_refuse)
    printed: bytes = document.write_pdf()
    return printed


def _refuse(url: str, *_: Any, **__: Any) -> Any:
    raise ValueError(f"a report fetches nothing, and not {url}")
