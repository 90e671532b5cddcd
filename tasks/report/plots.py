"""Plots as inline SVG: a wager's distribution of nets, and the edge of two bets by ratio."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from markupsafe import Markup, escape

INK, BAR, LOSS = "#1d2733", "#3f7d9c", "#b5653f"


def distribution(wager: Mapping[str, Any]) -> Markup | None:
    """Bars of probability by net, losses and wins apart; None for a single outcome."""
    chance: dict[Fraction, float] = {}
    for event in wager["events"]:
        net = Fraction(event["net"])
        chance[net] = chance.get(net, 0.0) + float(event["probability"]["decimal"])
    nets = sorted(net for net, p in chance.items() if p > 0)
    if len(nets) < 3 or len(nets) > 14 or not wager["priced"]:
        return None
    peak = max(chance.values())
    height, left, width = 17 * len(nets) + 8, 70, 520
    parts = []
    for row, net in enumerate(nets):
        y = 4 + 17 * row
        length = max(1.0, chance[net] / peak * (width - left - 90))
        colour = BAR if net > 0 else LOSS if net < 0 else "#8a8f96"
        label = f"{float(net):+g}".replace("-", "−") if net else "0"
        parts.append(
            f'<text x="{left - 8}" y="{y + 11}" text-anchor="end">{label}</text>'
            f'<rect x="{left}" y="{y}" width="{length:.1f}" height="13" fill="{colour}"/>'
            f'<text x="{left + length + 6:.1f}" y="{y + 11}">{100 * chance[net]:.3f}%</text>'
        )
    title = escape(f"Probability of each net result of {wager['title']}, in units")
    return Markup(
        f'<svg class="bars" viewBox="0 0 {width} {height}" role="img" aria-label="{title}">'
        f"<title>{title}</title>{''.join(parts)}</svg>"
    )


def ratios(joint: Mapping[str, Any]) -> Markup:
    """Edge of both bets together against the ratio of the side bet to the base."""
    points = [
        (float(Fraction(p["ratio"])), 100 * float(p["edge"]["decimal"])) for p in joint["losses"]
    ]
    right = max(x for x, _ in points) or 1.0
    top = max(y for _, y in points) * 1.15 or 1.0
    low = min(0.0, *(y for _, y in points))
    width, height, left, bottom = 520, 200, 56, 34

    def place(x: float, y: float) -> tuple[float, float]:
        return (
            left + x / right * (width - left - 20),
            height - bottom - (y - low) / (top - low) * (height - bottom - 12),
        )

    line = " ".join(f"{u:.1f},{v:.1f}" for u, v in (place(x, y) for x, y in points))
    marks = "".join(
        f'<circle cx="{u:.1f}" cy="{v:.1f}" r="3" fill="{BAR}"/>'
        f'<text x="{u:.1f}" y="{v - 8:.1f}" text-anchor="middle">{y:.2f}%</text>'
        f'<text x="{u:.1f}" y="{height - 16}" text-anchor="middle">{x:g}</text>'
        for (x, y), (u, v) in ((p, place(*p)) for p in points)
    )
    base, side = escape(joint["base"]), escape(joint["side"])
    title = f"Edge per unit bet by the ratio of {side} to {base}"
    return Markup(
        f'<svg class="line" viewBox="0 0 {width} {height}" role="img" aria-label="{title}">'
        f'<title>{title}</title><line x1="{left}" y1="{height - bottom}" x2="{width - 12}" '
        f'y2="{height - bottom}" stroke="{INK}" stroke-width=".8"/>'
        f'<polyline points="{line}" fill="none" stroke="{BAR}" stroke-width="1.6"/>{marks}'
        f'<text x="{(left + width) / 2}" y="{height - 2}" text-anchor="middle">'
        f"units on {side} for each unit on {base}</text></svg>"
    )
