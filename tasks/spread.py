"""Prices under other readings, worked out by a cluster while this process does something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.errors import DealproofError
from engine.readings import Prices, changes, prices_under
from engine.spec import Spec

if TYPE_CHECKING:
    from distributed import Client

Awaited = Callable[[], list[Prices]]


def begin(spec: Spec, client: Client) -> Awaited:
    """Start pricing a spec under each of its `changes`; what is returned waits for the prices.

    A cluster that is lost in the meantime costs time only: this process does its work then.
    """
    asked = changes(spec)
    futures = client.map(prices_under, [spec] * len(asked), asked, pure=False)

    def waited() -> list[Prices]:
        try:
            return list(client.gather(futures))
        except DealproofError:
            raise
        except Exception:
            return [prices_under(spec, change) for change in asked]

    return waited
