"""Two bets on one hand: where the best play changes as one grows against the other."""

from __future__ import annotations

from fractions import Fraction

from engine import analysis
from engine.envelope import Study, study
from engine.errors import DealproofError, nearest
from engine.spec import Spec
from flows.cli import exact, show


def tell_joint(spec: Spec, name: str, as_json: bool) -> None:
    """Print every break point of a joint study, and the loss in between as a line of the ratio."""
    found = next((joint for joint in spec.joint if joint.name == name), None)
    if found is None:
        raise DealproofError(f"--joint {name}: {nearest(name, [j.name for j in spec.joint])}")
    made = analysis.build(spec)
    told = study(exact.solve(spec, made, wagers=(found.base, found.side)), found)
    if as_json:
        show.emit(
            {
                "game": spec.game,
                "rules": spec.settings,
                "joint": found.name,
                "base": found.base,
                "side": found.side,
                "breaks": [
                    {
                        "ratio": b.ratio,
                        "information": b.information,
                        "before": b.before,
                        "after": b.after,
                    }
                    for b in told.breaks
                ],
                "pieces": [
                    {"from": start, "loss": loss, "slope": slope}
                    for start, loss, slope in told.pieces
                ],
            }
        )
        return
    print(f"{spec.title}: {found.title}; t = units of {found.side} for one unit of {found.base}")
    print(show.rules(spec.settings) + "\n")
    _tell_pieces(told)
    if not told.breaks:
        print("The best play is the same at every ratio.")
        return
    columns = tuple(told.breaks[0].information)
    print(f"\n{len(told.breaks)} changes of action:\n")
    show.table(
        ("At t", "Exact", *columns, "Before", "After"),
        [
            (show.decimal(b.ratio), b.ratio, *b.information.values(), b.before, b.after)
            for b in told.breaks
        ],
        right=False,
    )


def _tell_pieces(told: Study) -> None:
    ends: list[Fraction | None] = [piece[0] for piece in told.pieces[1:]]
    rows = []
    for (start, loss, slope), end in zip(told.pieces, [*ends, None], strict=True):
        sign = "-" if slope < 0 else "+"
        rows.append(
            (
                f"{show.decimal(start)} … {show.decimal(end) if end is not None else '∞'}",
                f"{show.decimal(loss)} {sign} {show.decimal(abs(slope))} t",
                f"{loss} {sign} {abs(slope)} t",
                show.percent((loss + start * slope) / (1 + start)),
            )
        )
    show.table(("t", "Expected loss", "Exact", "Edge per unit bet at start"), rows)
