"""Plots as inline SVG: nets, edges, two bets by ratio, intervals and p-values of a simulation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

from markupsafe import Markup, escape

from engine.exact.rendering import exact, floating, general, percent, typeset
from tasks.certificate.model import Joint, SimulatedEdge, WagerFields
from tasks.report.figures import fraction

WIN, LOSS, EVEN, GRID = "#2f6f8f", "#b06a4a", "#8b929a", "#d9dde1"
#: A distribution of more nets than this is a table only.
NETS = 14


def _svg(kind: str, size: tuple[int, int], title: str, text: str, anchor: str, body: str) -> Markup:
    width, height = size
    return Markup(
        f'<svg class="{kind}" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-size="11" font-family="sans-serif" role="img" '
        f'aria-labelledby="{anchor}-t {anchor}-d">'
        f'<title id="{anchor}-t">{escape(title)}</title>'
        f'<desc id="{anchor}-d">{escape(text)}</desc>{body}</svg>'
    )


def _px(length: float) -> str:
    """A coordinate, to a tenth of a pixel."""
    return floating(length, 1)


def _text(x: float, y: float, content: str, anchor: str = "start") -> str:
    return f'<text x="{_px(x)}" y="{_px(y)}" text-anchor="{anchor}">{escape(content)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str = GRID, dash: str = "") -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line x1="{_px(x1)}" y1="{_px(y1)}" x2="{_px(x2)}" y2="{_px(y2)}" '
        f'stroke="{colour}"{dashed}/>'
    )


def signed(value: Fraction) -> str:
    """A net with its sign, in all its digits."""
    text = typeset(exact(value, grouped=True))
    return f"+{text}" if value > 0 else text


def distribution(wager: WagerFields, anchor: str) -> Markup | None:
    """Bars of probability by net; None where two numbers say it better, or there are too many."""
    chance: dict[Fraction, Fraction] = {}
    for event in wager.events:
        if event.net is None:
            return None
        net = Fraction(event.net)
        chance[net] = chance.get(net, Fraction()) + fraction(event.probability)
    nets = sorted((net for net, p in chance.items() if p > 0), reverse=True)
    if not 3 <= len(nets) <= NETS:
        return None
    peak, step, left, width = max(chance.values()), 18, 58, 400
    body, notes = [], []
    for row, net in enumerate(nets):
        y = 2 + step * row
        length = max(1.0, float(chance[net] / peak) * (width - left - 72))
        colour = WIN if net > 0 else LOSS if net < 0 else EVEN
        share = percent(chance[net], 3)
        notes.append(f"{signed(net)}: {share}")
        body += [
            _text(left - 8, y + 11, signed(net), "end"),
            f'<rect x="{left}" y="{y}" width="{_px(length)}" height="13" fill="{colour}"/>',
            _text(left + length + 6, y + 11, share),
        ]
    title = f"Net result of {wager.title} in units, and how often"
    size = (width, step * len(nets) + 2)
    return _svg("bars", size, title, "; ".join(notes), anchor, "".join(body))


def edge_bar(edge: Fraction, scale: tuple[Fraction, Fraction]) -> Markup:
    """A house edge as a bar in a table cell, all on one scale; the player's to the left of 0."""
    low, high = scale
    width, height = 96, 9
    span = (high - low) or Fraction(1)
    zero = float(-low / span) * width
    length = max(0.6, float(abs(edge) / span) * width)
    start = zero if edge >= 0 else zero - length
    colour = LOSS if edge < 0 else WIN
    return Markup(
        f'<svg class="bar" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'aria-hidden="true"><rect x="{_px(start)}" y="1" width="{_px(length)}" height="7" '
        f'fill="{colour}"/><line x1="{_px(zero)}" y1="0" x2="{_px(zero)}" y2="{height}" '
        f'stroke="#5a6572"/></svg>'
    )


def interval(edge: SimulatedEdge) -> Markup:
    """A simulated edge as a dot in its interval, the exact edge as a line, in a table cell."""
    width, height, reach = 120, 12, 46
    exact, value = (float(fraction(value)) for value in (edge.expected, edge.simulated))
    radius = (edge.high - edge.low) / 2
    middle, scale = width / 2, reach / radius if radius else 0.0
    x = middle + max(-1.3, min(1.3, (value - exact) * scale / reach)) * reach
    colour = WIN if edge.holds else LOSS
    return Markup(
        f'<svg class="bar" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'aria-hidden="true"><line x1="{_px(x - reach)}" y1="6" x2="{_px(x + reach)}" y2="6" '
        f'stroke="{colour}"/><circle cx="{_px(x)}" cy="6" r="3" fill="{colour}"/>'
        f'<line x1="{_px(middle)}" y1="0" x2="{_px(middle)}" y2="{height}" stroke="#5a6572"/></svg>'
    )


def _ticks(low: float, high: float) -> list[Fraction]:
    """Round values between two, six of them at most."""
    span = (high - low) or 1.0
    power = Fraction(10) ** math.floor(math.log10(span / 5))
    step = next(power * factor for factor in (1, 2, 5, 10) if span / (power * factor) <= 6)
    first, last = math.ceil(low / step), math.floor(high / step)
    return [number * step for number in range(first, last + 1)]


def ratios(joint: Joint, names: Mapping[str, str], anchor: str) -> Markup | None:
    """Edge of both bets together against the ratio of the side bet to the base.

    It is the loss per unit of those bets that are put up in every deal; None where neither is.
    """
    if not joint.per_unit_of:
        return None
    losses = [point for point in joint.losses if point.edge]
    edges = [fraction(point.edge) for point in losses]
    points = [
        (float(Fraction(point.ratio)), 100 * float(edge))
        for point, edge in zip(losses, edges, strict=True)
    ]
    curve = [(float(Fraction(p.ratio)), 100 * float(p.edge)) for p in joint.curve]
    right = max(x for x, _ in points) or 1.0
    low, high = min(0.0, *(y for _, y in curve)), max(y for _, y in curve) * 1.12 or 1.0
    width, height, left, top, bottom = 560, 230, 52, 14, 40

    def to_pixels(x: float, y: float) -> tuple[float, float]:
        return (
            left + x / right * (width - left - 34),
            height - bottom - (y - low) / ((high - low) or 1.0) * (height - bottom - top),
        )

    body = []
    for tick in _ticks(low, high):
        _, y = to_pixels(0, float(tick))
        label = f"{typeset(exact(tick))}%"
        body += [_line(left, y, width - 8, y), _text(left - 7, y + 3.5, label, "end")]
    line = " ".join(f"{_px(u)},{_px(v)}" for u, v in (to_pixels(x, y) for x, y in curve))
    body.append(f'<polyline points="{line}" fill="none" stroke="{WIN}" stroke-width="1.5"/>')
    for point, edge, (x, y) in zip(losses, edges, points, strict=True):
        u, v = to_pixels(x, y)
        body += [
            f'<circle cx="{_px(u)}" cy="{_px(v)}" r="3.2" fill="{WIN}"/>',
            _text(u, v - 8, typeset(percent(edge, 2)), "middle"),
            _text(u, height - bottom + 16, str(point.ratio), "middle"),
        ]
    base, side = (names.get(name, name) for name in (joint.base, joint.side))
    body.append(
        _text((left + width) / 2, height - 5, f"units on {side} for each on {base}", "middle")
    )
    title = f"Edge per unit put up by the ratio of {side} to {base}"
    description = "; ".join(
        f"{p.ratio}: {typeset(percent(edge))}" for p, edge in zip(losses, edges, strict=True)
    )
    return _svg("line", (width, height), title, description, anchor, "".join(body))


def p_values(values: Sequence[float], anchor: str) -> Markup | None:
    """Sorted p-values against those that chance gives evenly; None for too few to be seen."""
    if len(values) < 5:
        return None
    size, left, bottom, top = 232, 34, 36, 8
    side = size - bottom - top

    def to_pixels(x: float, y: float) -> tuple[float, float]:
        return left + x * side, top + (1 - y) * side

    body = []
    for tick in (0.0, 0.5, 1.0):
        x, y = to_pixels(tick, tick)
        body += [
            _line(left, y, left + side, y),
            _line(x, top, x, top + side),
            _text(left - 6, y + 3.5, general(tick), "end"),
            _text(x, size - bottom + 15, general(tick), "middle"),
        ]
    body.append(_line(*to_pixels(0, 0), *to_pixels(1, 1), colour=EVEN, dash="3 3"))
    for rank, p in enumerate(sorted(values)):
        u, v = to_pixels((rank + 0.5) / len(values), p)
        dot = f'<circle cx="{_px(u)}" cy="{_px(v)}" r="2.2" fill="{WIN}" fill-opacity=".75"/>'
        body.append(dot)
    body.append(_text(left + side / 2, size - 4, "expected p, sorted", "middle"))
    title = "p-values of the simulation, sorted, against even spacing"
    least, greatest = general(min(values), 4), general(max(values), 4)
    label = f"{len(values)} tests; least p {least}, greatest {greatest}"
    return _svg("dots", (size, size), title, label, anchor, "".join(body))
