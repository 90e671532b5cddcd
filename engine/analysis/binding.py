"""From a spec's text to a program: names resolved, expressions parsed and guarded, once.

Whatever a spec gets wrong without a table being filled is told here, with the path of the key. A
name means what it means for the whole analysis: the space of a wager, the strategies that it is
priced under, the wagers by which a strategy is measured, the columns that have to be tabulated.

The way of a spec:

1. `engine.spec.loading` reads TOML into frozen models: types, allowed values, names of the file.
2. `bind` makes the game under the spec's rules and resolves every name against it. A wager gets its
   space, its basis, the lines that stand under the rules with their parsed conditions, stakes and
   pays; a strategy its space, the wagers it maximises, its parsed rules. Each distinct expression
   of a space is guarded once.
3. `Analysis` asks the program and never the text. What it fills, solves and prices it remembers.

Errors carry a path (`engine.exact.errors.at`): whoever descends into a key says so once, and what
fails below is told from the outside in, ``wagers[ante].events[tie].when: …``. Rules that no family,
wager or strategy reads are refused by their parsed names, not by their text.

What is bound is compared by identity: it is a key of tallies and results, and the text behind it
is long. A program is cheap, some milliseconds, so that readings and variants bind anew, and
workers bind for themselves; it is never pickled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from engine.contract.game import Game, RuleSpec, RuleValue, Space
from engine.exact.errors import DealproofError, at, nearest
from engine.exact.fractions import written
from engine.exact.rendering import plain
from engine.exact.tables import Feature
from engine.games import family
from engine.pricing.statistics import BY_NAME
from engine.program.bound import (
    BoundDistribution,
    BoundEvent,
    BoundFigure,
    BoundJoint,
    BoundStrategy,
    BoundValues,
    BoundWager,
    Objective,
    Program,
    columns_of,
    strategy_in,
    tabulated,
)
from engine.spec import expressions, pays
from engine.spec.expressions import Domain, Expression, Scope
from engine.spec.expressions.nodes import Kind
from engine.spec.figures import COUNTED, Context, Published
from engine.spec.model import (
    Chart,
    Distribution,
    Joint,
    Range,
    Rule,
    Spec,
    StrategySpec,
    Wager,
)


def bind(spec: Spec) -> Program:
    """Bind a spec to its game; raise DealproofError where the two do not fit.

    No table is filled: mistakes are told before anything is dealt.
    """
    game, rule_specs = make_game(spec)
    return _Binder(spec, game).program(rule_specs)


def make_game(spec: Spec) -> tuple[Game, tuple[RuleSpec, ...]]:
    """Make the game that a spec describes, with the rules that its family reads."""
    made = family(spec.family)
    rule_values = spec.rule_values
    for rule_spec in made.RULE_SPECS:
        if rule_spec.name not in rule_values:
            raise DealproofError(
                f"rules: family {spec.family} reads '{rule_spec.name}', which is missing"
            )
        rule = spec.rule(rule_spec.name)
        for value in rule.choices:
            if not rule_spec.admits(value):
                raise DealproofError(
                    f"rules[{rule.name}].allowed: {value}: family {spec.family} can play "
                    f"{rule_spec.allowed}"
                )
    return made.build(rule_values), made.RULE_SPECS


def bind_wager(
    wager: Wager, space: Space, constants: Mapping[str, RuleValue] | None = None
) -> BoundWager:
    """Bind a wager of no spec to a space; it is priced under the strategies that it names."""
    with at(f"wagers[{wager.name}]"):
        return _Reader(constants or {}, (space,)).wager(wager, space, wager.strategies)


def bind_strategy(program: Program, rule: StrategySpec) -> BoundStrategy:
    """Bind a strategy that is not of the program's spec."""
    return _Binder.of(program).strategy(rule)


class _Reader:
    """Guards expressions, once for each space, and remembers the names that wagers use."""

    def __init__(
        self,
        constants: Mapping[str, RuleValue],
        spaces: Sequence[Space],
        rules: Sequence[Rule] = (),
    ) -> None:
        self.constants, self.spaces = constants, spaces
        self.domains = {rule.name: _domain(rule) for rule in rules}
        self.named: set[str] = set()
        self.rules_alone = self.over(())
        self._scopes: dict[str, Scope] = {}
        self._guarded: dict[tuple[str, int, Kind | None], Expression] = {}

    def guard(self, text: str, scope: Scope, kind: Kind | None = "condition") -> Expression:
        """Guard an expression of one kind; a scope is made once and told by identity."""
        key = text, id(scope), kind
        if key not in self._guarded:
            self._guarded[key] = expressions.guard(text, scope, kind)
        return self._guarded[key]

    def over(
        self, features: tuple[Feature, ...], elsewhere: Mapping[str, str] | None = None
    ) -> Scope:
        """What expressions over some columns may name: these and the rules."""
        return Scope(features, self.constants, elsewhere or {}, self.domains)

    def scope(self, space: Space) -> Scope:
        """What expressions over a space may name."""
        if space.name not in self._scopes:
            others = (other for other in self.spaces if other is not space)
            elsewhere = {f.name: other.name for other in others for f in other.features}
            self._scopes[space.name] = self.over(space.features, elsewhere)
        return self._scopes[space.name]

    def wager(self, wager: Wager, space: Space, strategies: tuple[str, ...]) -> BoundWager:
        """Bind a wager to its space; errors have no path yet."""
        basis = wager.counted_in or next(iter(space.denominators))
        with at("counted_in"):
            if basis not in space.denominators:
                raise DealproofError(f"= '{basis}': {nearest(basis, space.denominators)}")
        scope, names = self.scope(space), set[str]()
        bound: list[BoundEvent] = []
        for number, event in enumerate(wager.events):
            with at(f"events[{event.event}]"):
                with at("when"):
                    when = self.guard(plain(event.when), scope)
                with at("staked"):
                    staked = self.guard(plain(event.staked), scope, "number")
                with at("under"):
                    under = self.guard(event.under, self.rules_alone)
                    stands = expressions.true_of_rules(under, self.constants)
                names.update(when.names, staked.names)
                self.named.update(names, under.names, pays.names(event.pays))
                if stands:
                    with at("pays"):
                        pay = pays.parse(event.pays, self.constants)
                    path = f"wagers[{wager.name}].events[{event.event}]"
                    bound.append(BoundEvent(event.event, number, when, staked, pay, path))
        with at("events"):
            if not bound:
                raise DealproofError("none stands under these rules")
            if {"to", "for"} <= {one.pay.style for one in bound}:
                raise DealproofError(
                    "pays mixes 'to' (profit) and 'for' (stake included); write one of them "
                    "throughout"
                )
        whole = basis, space.denominators[basis]
        return BoundWager(
            wager, space, whole, tuple(bound), strategies, frozenset(names), self.constants
        )


class _Binder:
    """Binds one spec to its game."""

    def __init__(self, spec: Spec, game: Game) -> None:
        self.spec, self.game, self.constants = spec, game, spec.rule_values
        self.reader = _Reader(self.constants, game.spaces, spec.rules)
        self.wagers: dict[str, BoundWager] = {}
        self.strategies: dict[str, BoundStrategy] = {}

    @classmethod
    def of(cls, program: Program) -> _Binder:
        """Go on from a program, to bind something more."""
        binder = cls(program.spec, program.game)
        binder.wagers, binder.strategies = dict(program.wagers), dict(program.strategies)
        return binder

    def program(self, rule_specs: Sequence[RuleSpec]) -> Program:
        """Bind everything in the order of its needs."""
        spec = self.spec
        for wager in spec.wagers:
            self.wagers[wager.name] = self._wager(wager)
        for rule in spec.strategies:
            self.strategies[rule.name] = self.strategy(rule)
        for bound in self.wagers.values():
            self._decided_here(bound)
        program = Program(
            spec,
            self.game,
            self.constants,
            self.wagers,
            self.strategies,
            {joint.name: self._joint(joint) for joint in spec.joint},
            tuple(self._distribution(one) for one in spec.distributions),
            self._values(),
            tuple(self._chart(chart) for chart in spec.charts),
            tuple(self._figure(figure) for figure in spec.published),
        )
        self._every_rule_is_read({rule_spec.name for rule_spec in rule_specs})
        return program

    def _every_rule_is_read(self, by_engine: set[str]) -> None:
        for rule in self.spec.rules:
            if rule.name not in by_engine | self.reader.named:
                raise DealproofError(
                    f"rules[{rule.name}]: no family, wager or strategy reads it; "
                    f"{nearest(rule.name, by_engine)}"
                )

    def _wager(self, wager: Wager) -> BoundWager:
        with at(f"wagers[{wager.name}]"):
            with at("space"):
                space = _named(wager.space, self.game.spaces)
            return self.reader.wager(wager, space, self._strategies_of(wager, space))

    def _strategies_of(self, wager: Wager, space: Space) -> tuple[str, ...]:
        """Strategies under which a wager is priced: its own, or the first of its space."""
        if space.decision is None:
            return ()
        if wager.strategies:
            return wager.strategies
        for rule in self.spec.strategies:
            if rule.space in (None, space.name):
                return (rule.name,)
        with at("strategies"):
            raise DealproofError(f"space {space.name} needs a strategy")

    def _decided_here(self, wager: BoundWager) -> None:
        for name in wager.strategies:
            with at(wager.path):
                other = self._decided(name).space
            if other is not wager.space:
                raise DealproofError(
                    f"{wager.path}.strategies: '{name}' decides in space {other.name}, the wager "
                    f"is settled in {wager.space.name}"
                )

    # Strategies

    def strategy(self, rule: StrategySpec) -> BoundStrategy:
        """Bind a strategy, of the spec or not."""
        with at(f"strategies[{rule.name}]"):
            space = self._deciding(rule.space)
            scope = self.reader.scope(space)
            choose = None
            if rule.choose is not None:
                choose = tuple(
                    self._choice(number, choice.when, choice.action, space, scope)
                    for number, choice in enumerate(rule.choose, start=1)
                )
            prefers = None
            if rule.prefers is not None:
                prefers = tuple(
                    self._guarded(f"prefers[{number}]", text, scope, None)
                    for number, text in enumerate(rule.prefers, start=1)
                )
            allowed = None
            if rule.allowed is not None:
                allowed = self._guarded("allowed", rule.allowed, scope)
            objective = self._objective(rule, space)
            _check_columns("by", rule.by or (), space)
            if rule.order_of is not None:
                _check_columns("order_of", (rule.order_of,), space)
                with at("order_of"):
                    if tabulated(space) or rule.prefers is None:
                        raise DealproofError(
                            "goes with 'prefers', in a space that solves for itself"
                        )
        bound = BoundStrategy(rule, space, objective, choose, prefers, allowed, self.constants)
        self.reader.named |= columns_of(bound).union(*(one.names for one in prefers or ()))
        return bound

    def _guarded(
        self, key: str, text: str, scope: Scope, kind: Kind | None = "condition"
    ) -> Expression:
        with at(key):
            return self.reader.guard(text, scope, kind)

    def _choice(
        self, number: int, when: str, action: str, space: Space, scope: Scope
    ) -> tuple[Expression, int]:
        actions = space.decision.actions if space.decision else ()
        with at(f"choose[{number}]"):
            with at("action"):
                if action not in actions:
                    raise DealproofError(f"= '{action}': {nearest(action, actions)}")
            return self._guarded("when", when, scope), actions.index(action)

    def _objective(self, rule: StrategySpec, space: Space) -> Objective:
        """Wagers and units bet by which a strategy is measured: its own, or those that name it."""
        if rule.maximises is not None:
            return tuple(
                (self._known(name), _weight(name, text)) for name, text in rule.maximises.items()
            )
        using = [w for w in self.spec.wagers if rule.name in w.strategies]
        here = [w for w in self.spec.wagers if w.space == space.name and w.priced]
        if not (using or here):
            raise DealproofError("no wager is priced under it")
        return ((self.wagers[(using or here)[0].name], Fraction(1)),)

    # What a spec tells beside its wagers

    def _joint(self, joint: Joint) -> BoundJoint:
        with at(f"joint[{joint.name}]"):
            space = self._deciding(joint.space)
            base, side = (
                self.strategy(
                    StrategySpec(
                        name=joint.name,
                        title=joint.title,
                        space=space.name,
                        maximises={wager: 1},
                        allowed=joint.allowed,
                    )
                )
                for wager in (joint.base, joint.side)
            )
        return BoundJoint(joint, space, base, side)

    def _distribution(self, one: Distribution) -> BoundDistribution:
        with at(f"distributions[{one.name}]"):
            with at("space"):
                space = _named(one.space, self.game.spaces)
            strategy = strategy_in(space, self.strategies.values(), one.strategy)
            for key, names in (("rows", one.rows), ("columns", one.columns)):
                _check_columns(key, names, space)
        return BoundDistribution(one, space, strategy)

    def _values(self) -> tuple[BoundValues, ...]:
        bound = []
        for table in self.spec.values:
            with at(f"values[{table.title}]"):
                strategy = self._decided(table.strategy)
            decision = strategy.space.decision
            known = decision.information if decision else ()
            seen = tuple(f for f in strategy.space.features if f.name in known)
            with at(f"values[{table.title}]"):
                _check_columns("by", table.by, strategy.space, known)
                where = self._guarded("where", table.where, self.reader.over(seen))
            bound.append(BoundValues(table, strategy, where))
        return tuple(bound)

    def _chart(self, chart: Chart) -> Chart:
        with at(f"charts[{chart.title}]"):
            space = self._decided(chart.strategy).space
            for key, names in (("rows", chart.rows), ("columns", chart.columns)):
                _check_columns(key, names, space)
        return chart

    def _figure(self, figure: Published) -> BoundFigure:
        with at(figure.path):
            wager, when = self._known(figure.wager), None
            if figure.quantity not in (*COUNTED, *BY_NAME):
                known = nearest(figure.quantity, (*COUNTED, *BY_NAME, *Context.model_fields))
                with at(figure.quantity):
                    raise DealproofError(f"unknown key; {known}")
            if figure.when is not None:
                when = self._guarded("when", figure.when, self.reader.scope(wager.space))
            meant = all(self.constants[rule] == value for rule, value in figure.rules.items())
            bases, basis = wager.space.denominators, figure.counted_in
            with at("counted_in"):
                if meant and basis is not None and basis not in bases:
                    raise DealproofError(f"= '{basis}': {nearest(basis, bases)}")
        return BoundFigure(figure, wager, when)

    # Names

    def _known(self, wager: str) -> BoundWager:
        if wager not in self.wagers:
            raise DealproofError(f"wager '{wager}': {nearest(wager, self.wagers)}")
        return self.wagers[wager]

    def _decided(self, strategy: str) -> BoundStrategy:
        if strategy not in self.strategies:
            raise DealproofError(f"strategy '{strategy}': {nearest(strategy, self.strategies)}")
        return self.strategies[strategy]

    def _deciding(self, name: str | None) -> Space:
        """The space of a decision by name, or the first with a decision."""
        with at("space"):
            return _named(name, [s for s in self.game.spaces if s.decision is not None])


def _domain(rule: Rule) -> Domain | None:
    """Values that a rule may take; None where some are words and some numbers."""
    if isinstance(rule.allowed, Range):
        return Domain(low=rule.allowed.min, high=rule.allowed.max)
    return Domain.among(rule.allowed)


def _named(name: str | None, spaces: Sequence[Space]) -> Space:
    for space in spaces:
        if name in (None, space.name):
            return space
    raise DealproofError(f"= '{name}': {nearest(str(name), [space.name for space in spaces])}")


def _weight(name: str, text: object) -> Fraction:
    with at(f"maximises.{name}"):
        try:
            weight = Fraction(text) if isinstance(text, int | Fraction) else written(str(text))
        except DealproofError:
            raise DealproofError(f"= {text!r}: expected a number of units") from None
        if weight < 0:
            raise DealproofError(f"= {text}: expected 0 units or more")
        return weight


def _check_columns(
    key: str, names: Iterable[str], space: Space, among: Sequence[str] | None = None
) -> None:
    known = [f.name for f in space.features] if among is None else among
    with at(key):
        for name in names:
            if name not in known:
                raise DealproofError(f"column '{name}': {nearest(name, known)}")
