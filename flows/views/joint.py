"""Two bets on one hand: where the best play changes as one grows against the other."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from engine.analysis.analysis import Analysis
from engine.exact.errors import DealproofError, nearest
from engine.exact.rendering import count, decimal, percent
from engine.program.bound import BoundJoint, Program
from engine.spec.model import Joint, Spec
from engine.studies.joint import Study, study
from flows.views import show

#: Changes of action that are listed; beyond, only when all of them are asked for.
LISTED = 200
#: Ratios at which a long study is told.
TOLD = tuple(map(Fraction, ("0", "1/100", "1/20", "1/10", "1/5", "1/2", "1", "2", "5", "10")))


def print_joint(
    program: Program, name: str, as_json: bool, every: bool = False, out: Path | None = None
) -> None:
    """Print every break point of a joint study, and the loss in between as a line of the ratio.

    A study of more than LISTED changes is told at a few ratios unless `every` one is asked for;
    `out` receives every information set and action as Parquet instead.
    """
    spec = program.spec
    if name not in program.joints:
        raise DealproofError(f"--joint {name}: {nearest(name, program.joints)}")
    joint_study = study(Analysis(program), program.joints[name])
    joint = joint_study.joint
    if out is not None:
        from tasks.certificate.joint import sets_bytes

        show.write(out, sets_bytes(joint_study, {"game": spec.game, "rules": spec.rule_values}))
        return
    if as_json:
        show.emit(
            {
                **_about(spec, joint),
                "breaks": [
                    {
                        "ratio": b.ratio,
                        "information": b.information,
                        "before": b.before,
                        "after": b.after,
                    }
                    for b in joint_study.breaks
                ],
                "per_unit_of": joint_study.put_up,
                "pieces": [
                    {"from": start, "loss": loss, "slope": slope}
                    for start, loss, slope in joint_study.pieces
                ],
            }
        )
        return
    print(f"{spec.title}: {joint.title}; t = units of {joint.side} for one unit of {joint.base}")
    print(show.rules(spec.rule_values) + "\n")
    if not joint_study.ratios:
        _print_pieces(joint_study)
        print("The best play is the same at every ratio.")
    elif every or len(joint_study.ratios) <= LISTED:
        _print_pieces(joint_study)
        _print_breaks(joint_study)
    else:
        _sum_up(joint_study)


def at_ratio(program: Program, bound: BoundJoint, ratio: Fraction, as_json: bool) -> None:
    """Print the expected loss of the best play at one ratio."""
    spec, joint = program.spec, bound.spec
    joint_study = study(Analysis(program), bound)
    loss, edge = joint_study.loss(ratio), joint_study.edge(ratio)
    if as_json:
        show.emit(
            {
                **_about(spec, joint),
                "ratio": ratio,
                "loss": loss,
                "edge": edge,
                "per_unit_of": joint_study.put_up,
            }
        )
        return
    print(f"{spec.title}: {joint.title}, {ratio} on {joint.side} for 1 on {joint.base}")
    print(show.rules(spec.rule_values) + "\n")
    print(f"Expected loss  {decimal(loss)} = {loss}")
    if edge is not None:
        print(f"Edge           {percent(edge)} = {edge}, {_units(joint_study)}")


def _about(spec: Spec, joint: Joint) -> dict[str, object]:
    return {
        "game": spec.game,
        "rules": spec.rule_values,
        "joint": joint.name,
        "base": joint.base,
        "side": joint.side,
    }


def _print_breaks(joint_study: Study) -> None:
    columns = tuple(joint_study.breaks[0].information)
    print(f"\n{len(joint_study.breaks)} changes of action:\n")
    show.table(
        ("At t", "Exact", *columns, "Before", "After"),
        [
            (decimal(b.ratio), b.ratio, *b.information.values(), b.before, b.after)
            for b in joint_study.breaks
        ],
        right=False,
    )


def _sum_up(joint_study: Study) -> None:
    """Tell a long study at some ratios."""
    sets = count(len(joint_study.lines.base))
    print(
        f"{count(len(joint_study.ratios))} changes of action in {sets} information sets, at "
        f"{count(len({*joint_study.ratios}))} ratios\n"
        f"from t = {decimal(joint_study.ratios[0], 9)} = {joint_study.ratios[0]} "
        f"to t = {decimal(joint_study.ratios[-1])} = {joint_study.ratios[-1]}.\n"
    )
    rows = []
    for ratio in TOLD:
        loss = joint_study.loss(ratio)
        before = sum(break_ <= ratio for break_ in joint_study.ratios)
        rows.append((ratio, decimal(loss, 9), loss, _edge(joint_study, ratio), count(before)))
    show.table(
        ("t", "Expected loss", "Exact", f"Edge {_units(joint_study)}", "Changes up to here"), rows
    )
    print("\nAsk for one hand at one ratio with HAND --side WAGER=RATIO, list all with --all, or")
    print("write them with --out FILE.parquet.")


def _print_pieces(joint_study: Study) -> None:
    ends: list[Fraction | None] = [piece[0] for piece in joint_study.pieces[1:]]
    rows = []
    for (start, loss, slope), end in zip(joint_study.pieces, [*ends, None], strict=True):
        sign = "-" if slope < 0 else "+"
        rows.append(
            (
                f"{decimal(start)} … {decimal(end) if end is not None else '∞'}",
                f"{decimal(loss)} {sign} {decimal(abs(slope))} t",
                f"{loss} {sign} {abs(slope)} t",
                _edge(joint_study, start),
            )
        )
    show.table(("t", "Expected loss", "Exact", f"Edge {_units(joint_study)} at start"), rows)


def _edge(joint_study: Study, ratio: Fraction) -> str:
    edge = joint_study.edge(ratio)
    return "–" if edge is None else percent(edge)


def _units(joint_study: Study) -> str:
    """Of which bets an edge is the loss per unit, in words."""
    return f"per unit of {' + '.join(joint_study.put_up) or 'nothing put up'}"
