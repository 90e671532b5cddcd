"""Reading specs: TOML text → frozen models, with errors that name file, key and what is allowed."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from engine.exact.errors import DealproofError, at, nearest
from engine.exact.fractions import DIGITS, written
from engine.spec.base import Model
from engine.spec.figures import figures
from engine.spec.model import Spec, SpecFile, StrategySpec, Wager, WagerFile
from engine.spec.validation import message

M = TypeVar("M", bound=Model)
#: Characters that one text of a spec may have, and that an error shows of a key.
LONGEST, LONG = 100_000, 60


def catalogue_folder() -> Path:
    """Find the game specs: inside an installed wheel, or beside the package in a checkout."""
    package = Path(__file__).parents[1]
    for folder in (package / "data" / "games", package.parent / "data" / "games"):
        if folder.is_dir():
            return folder
    raise DealproofError(f"no game specs: neither {package}/data nor {package.parent}/data exists")


def catalogue() -> tuple[str, ...]:
    """Names of all games of the catalogue, sorted."""
    return tuple(sorted(path.stem for path in catalogue_folder().glob("*.toml")))


def spec_path(game: str) -> Path:
    """Path of a game's spec, by its name in the catalogue or by the path of a TOML file."""
    if game.endswith(".toml"):
        return Path(game)
    if game not in catalogue():
        raise DealproofError(f"game '{game}': {nearest(game, catalogue())}")
    return catalogue_folder() / f"{game}.toml"


def load_spec(game: str) -> Spec:
    """Read and validate a game by name or path; raise DealproofError in one line."""
    path = spec_path(game)
    spec = _spec(path, read(path, SpecFile))
    _check_names(path, spec)
    return spec


def parse_spec(text: str, source: str) -> Spec:
    """Read a game's TOML text; `source` names it in errors."""
    return _spec(Path(source), parse(text, SpecFile, source))


def _spec(path: Path, file: SpecFile) -> Spec:
    fields = {name: getattr(file, name) for name in SpecFile.model_fields if name != "published"}
    spec = Spec(**fields)
    with at(f"{path}: "):
        printed = tuple(figures(file.published, spec.rule_values))
    return spec.model_copy(update={"published": printed})


def located(game: str, error: DealproofError) -> DealproofError:
    """The error with the game's file before it, where it begins with a key of the spec."""
    message = str(error)
    key = re.match(r"([a-z]+)(?=[\[.:]| = )", message)
    if key is None or key[1] not in Spec.model_fields:
        return error
    return DealproofError(f"{spec_path(game)}: {message}")


def with_wagers(spec: Spec, path: Path) -> tuple[Spec, tuple[str, ...]]:
    """Lay a file's wagers and strategies over a game's; also the names of its wagers.

    What bears the name of one of the game's replaces it. Raises DealproofError.
    """
    given = read(path, WagerFile)
    wagers, strategies = ({i.name for i in items} for items in (given.wagers, given.strategies))
    check_events(path, given.wagers)
    unique(path, "strategies", [item.name for item in given.strategies])
    known = [item.name for item in (*spec.wagers, *given.wagers)]
    check_strategies(path, given.strategies, known)
    kept = [wager for wager in spec.wagers if wager.name not in wagers]
    ours = [strategy for strategy in spec.strategies if strategy.name not in strategies]
    laid = {"wagers": (*kept, *given.wagers), "strategies": (*ours, *given.strategies)}
    return spec.model_copy(update=laid), tuple(wager.name for wager in given.wagers)


def read(path: Path, model: type[M]) -> M:
    """Read one TOML file into a model, decimals exact."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise DealproofError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise DealproofError(f"{path}: not UTF-8 text ({error.reason} at {error.start})") from None
    return parse(text, model, str(path))


def parse(text: str, model: type[M], source: str) -> M:
    """Read TOML text into a model; `source` names it in errors."""
    try:
        raw = tomllib.loads(text, parse_float=_fraction)
        _check_plain(raw)
        given = _tuples(raw)
    except (tomllib.TOMLDecodeError, ValueError) as error:
        raise DealproofError(f"{source}: not TOML: {error}") from None
    except DealproofError as error:
        raise DealproofError(f"{source}: {error}") from None
    except RecursionError:
        raise DealproofError(f"{source}: nested too deeply") from None
    try:
        return model.model_validate(given)
    except ValidationError as error:
        raise DealproofError(f"{source}: {message(error.errors(), given, model)}") from None


def _fraction(text: str) -> Fraction:
    return written(text.replace("_", ""))


def _check_plain(value: Any, key: str = "") -> None:
    """Refuse what no rack card holds: endless text, control characters, huge integers."""
    if isinstance(value, dict):
        for name, item in value.items():
            _check_plain(name, f"a key in {key}" if key else "a key")
            _check_plain(item, name[:LONG])
    elif isinstance(value, list):
        for item in value:
            _check_plain(item, key)
    elif isinstance(value, str):
        if len(value) > LONGEST:
            raise DealproofError(f"{key}: {len(value):,} characters; allowed: {LONGEST:,}")
        strange = next((c for c in value if _strange(c)), None)
        if strange is not None:
            raise DealproofError(f"{key}: character {strange!a} is not allowed")
    elif isinstance(value, int) and abs(value) >= 10**DIGITS:
        raise DealproofError(f"{key}: a number of more than {DIGITS} digits")


def _strange(character: str) -> bool:
    return character not in "\n\t" and unicodedata.category(character) in ("Cc", "Cf", "Cs")


def _tuples(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _tuples(item) for key, item in value.items()}
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value


def unique(source: Path, key: str, names: list[str]) -> None:
    """Refuse a name that appears twice in one list of a file."""
    for name in names:
        if names.count(name) > 1:
            raise DealproofError(f"{source}: {key}[{name}]: the name appears twice")


def check_events(source: Path, wagers: Sequence[Wager]) -> None:
    """Refuse wagers and events of one wager that bear the same name."""
    unique(source, "wagers", [wager.name for wager in wagers])
    for wager in wagers:
        unique(source, f"wagers[{wager.name}].events", [line.event for line in wager.events])


def _known(source: Path, path: str, name: str | None, allowed: list[str]) -> None:
    if name is not None and name not in allowed:
        raise DealproofError(f"{source}: {path} = '{name}': {nearest(name, allowed)}")


def check_strategies(source: Path, strategies: Sequence[StrategySpec], wagers: list[str]) -> None:
    """Check how strategies are written and that the `wagers` that they maximise exist."""
    for strategy in strategies:
        path = f"strategies[{strategy.name}]"
        ways = (strategy.maximises, strategy.choose, strategy.prefers)
        if sum(way is not None for way in ways) != 1:
            raise DealproofError(
                f"{source}: {path}: give either 'maximises', 'choose' or 'prefers'"
            )
        if strategy.maximises is None and strategy.by is not None:
            raise DealproofError(f"{source}: {path}.by: goes with 'maximises' only")
        if strategy.choose is not None and not strategy.removal:
            raise DealproofError(f"{source}: {path}.removal: goes with expected values only")
        for name in strategy.maximises or ():
            _known(source, f"{path}.maximises", name, wagers)


def _check_names(source: Path, spec: Spec) -> None:
    rules = [rule.name for rule in spec.rules]
    wagers = [wager.name for wager in spec.wagers]
    strategies = [strategy.name for strategy in spec.strategies]
    for key, group in (("rules", rules), ("strategies", strategies)):
        unique(source, key, group)
    check_events(source, spec.wagers)
    if source.stem != spec.game:
        raise DealproofError(
            f"{source}: game = '{spec.game}': allowed: '{source.stem}', the file's own name"
        )
    for rule in spec.rules:
        if not rule.admits(rule.value):
            raise DealproofError(
                f"{source}: rules[{rule.name}].value = {rule.value!r}: allowed: {rule.allowed_text}"
            )
        for value in rule.variant_values:
            if not rule.admits(value):
                raise DealproofError(
                    f"{source}: rules[{rule.name}].variants: {value!r}: "
                    f"allowed: {rule.allowed_text}"
                )
        for word in rule.meaning:
            _known(source, f"rules[{rule.name}].meaning", word, [str(c) for c in rule.choices])
    for wager in spec.wagers:
        for name in wager.strategies:
            _known(source, f"wagers[{wager.name}].strategies", name, strategies)
    check_strategies(source, spec.strategies, wagers)
    optima = [strategy.name for strategy in spec.strategies if strategy.maximises is not None]
    for strategy in spec.strategies:
        _known(source, f"strategies[{strategy.name}].against", strategy.against, optima)
    for joint in spec.joint:
        _known(source, f"joint[{joint.name}].base", joint.base, wagers)
        _known(source, f"joint[{joint.name}].side", joint.side, wagers)
    for chart in spec.charts:
        _known(source, f"charts[{chart.title}].strategy", chart.strategy, strategies)
        _known(source, f"charts[{chart.title}].against", chart.against, strategies)
    for table in spec.values:
        _known(source, f"values[{table.title}].strategy", table.strategy, strategies)
    unique(source, "distributions", [distribution.name for distribution in spec.distributions])
    for distribution in spec.distributions:
        path = f"distributions[{distribution.name}]"
        _known(source, f"{path}.strategy", distribution.strategy, strategies)
        for name in distribution.given:
            _known(source, f"{path}.given", name, [*distribution.rows, *distribution.columns])
    for wager in spec.wagers:
        printed = [figure.printed for figure in spec.published if figure.wager == wager.name]
        for text in wager.recovered_from:
            _known(source, f"wagers[{wager.name}].recovered_from", text, printed)
    for figure in spec.published:
        path = figure.path
        if figure.counted_in is not None and figure.quantity not in ("combinations", "deals"):
            raise DealproofError(f"{source}: {path}.counted_in: goes with counts of deals only")
        _known(source, f"{path}.wager", figure.wager, wagers)
        _known(source, f"{path}.strategy", figure.strategy, strategies)
        events = [event.event for event in spec.wager(figure.wager).events]
        _known(source, f"{path}.event", figure.event, events)
        for name, value in figure.rules.items():
            _known(source, f"{path}.rules", name, rules)
            if not spec.rule(name).admits(value):
                allowed = spec.rule(name).allowed_text
                raise DealproofError(f"{source}: {path}.rules.{name} = {value}: {allowed}")
