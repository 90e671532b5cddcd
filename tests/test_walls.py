"""The import walls: flows → tasks → engine, never the reverse, and what each of them may know.

The package `dealproof` stands beside them: what Python users import, over engine and tasks.
"""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = ("engine", "tasks", "flows")
#: The public package, and its one module that starts the command line.
PUBLIC, STARTER = "dealproof", "dealproof.__main__"
WITH_PREFECT = {"flows.commands.certify", "flows.commands.serve"}
#: Modules of a game that ask the rule sheet, and those that never do.
REFEREE = ("referee", "playout", "playout_bonus", "rounds", "hand_classes")
ENUMERATION = ("enumeration", "enumeration_bonus", "expectation", "one_hand")
#: What knows no game, and may be used by both.
INFRASTRUCTURE = {
    f"engine.{name}"
    for name in (
        "contract.decision", "contract.game", "contract.shared", "contract.shoes",
        "contract.strategy", "exact.digest", "exact.errors", "exact.kernels", "exact.rendering",
        "exact.roots", "exact.tables",
    )
}  # fmt: skip
HEAVY = {"prefect", "distributed", "numba", "pyarrow", "duckdb"}


@dataclass(frozen=True)
class Import:
    """One imported name; `lazy` when merely importing the file does not run it."""

    name: str
    line: int
    lazy: bool


@dataclass(frozen=True)
class Module:
    """One source file with all its imports, those inside functions included."""

    name: str
    path: str
    imports: tuple[Import, ...]

    @property
    def game(self) -> str | None:
        """The game's package, for a module in a folder of `engine/games`."""
        folders = self.path.split("/")[:-1]
        return ".".join(folders[:3]) if folders[:2] == ["engine", "games"] and folders[2:] else None

    @property
    def light(self) -> bool:
        """Whether it belongs to the commands that never load Prefect."""
        folders = ("flows.cli", "flows.commands", "flows.views")
        return within(self.name, *folders) and not within(self.name, *WITH_PREFECT)


def within(name: str, *packages: str) -> bool:
    """Tell whether a dotted name is one of the packages or lies in one."""
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def imports(node: ast.AST, package: str, lazy: bool = False) -> Iterator[Import]:
    """Walk a syntax tree and yield every import as an absolute dotted name."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.Import(names=names):
                yield from (Import(alias.name, child.lineno, lazy) for alias in names)
            case ast.ImportFrom(module=origin, names=names, level=level):
                parts = package.split(".")[: 1 - level or None] if level else []
                base = ".".join([*parts, origin] if origin else parts)
                yield from (Import(f"{base}.{alias.name}", child.lineno, lazy) for alias in names)
            case ast.Call(
                func=ast.Attribute(attr="import_module")
                | ast.Name(id="import_module" | "__import__"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield Import(name, child.lineno, lazy)
        deferred = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) or (
            isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING")
        )
        yield from imports(child, package, lazy or deferred)


def load(root: Path) -> dict[str, Module]:
    """Read all modules of the layers and the public package; one without files is an error."""
    modules = {}
    for folder in (*LAYERS, PUBLIC, "engine/games", "flows/commands"):
        if not any((root / folder).rglob("*.py")):
            raise FileNotFoundError(f"{folder} holds no source file")
    for path in sorted(
        path for layer in (*LAYERS, PUBLIC) for path in (root / layer).rglob("*.py")
    ):
        relative = path.relative_to(root)
        name = ".".join(relative.with_suffix("").parts).removesuffix(".__init__")
        package = name if path.stem == "__init__" else name.rpartition(".")[0]
        result = tuple(imports(ast.parse(path.read_text(encoding="utf-8")), package))
        modules[name] = Module(name, relative.as_posix(), result)
    return modules


def reached(modules: dict[str, Module], start: str, lazy: bool, parents: bool) -> set[str]:
    """Return every name imported from a module, directly or through others of the project."""
    names: set[str] = set()
    todo, done = [start], set()
    while todo:
        name = todo.pop()
        while name and name not in modules:
            name = name.rpartition(".")[0]
        if not name or name in done:
            continue
        done.add(name)
        result = {item.name for item in modules[name].imports if lazy or not item.lazy}
        names |= result
        todo += result
        if parents:
            todo.append(name.rpartition(".")[0])
    return names


def forbidden(source: Module, item: Import) -> str | None:
    """Say which wall one import breaks, if any."""
    module, name = source.name, item.name
    if within(module, *LAYERS) and within(name, PUBLIC):
        return "nothing below asks the public package"
    if within(module, PUBLIC) and module != STARTER:
        if not item.lazy and within(name, *LAYERS):
            return "the public package imports at first use"
        if within(name, "flows", "prefect", "typer"):
            return "the public package knows no command line"
    if within(module, "engine"):
        if within(name, "tasks", "flows"):
            return "engine knows no tasks and no flows"
        if within(name, "dask", "distributed", "prefect", "pyarrow", "typer"):
            return "engine is mathematics"
        if within(name, "duckdb"):
            return "engine evaluates its own expressions"
    if within(module, "tasks") and within(name, "flows", "prefect", "typer"):
        return "tasks know no Prefect and no command line"
    if within(module, "engine.games"):
        if within(name, "engine.spec", "engine.program", "engine.pricing", "engine.solving"):
            return "a game never sees a wager"
        if source.game and within(name, "engine.games") and not within(name, source.game):
            return "a game imports no other game"
    if source.light and within(name, "prefect"):
        return "only certify and serve need Prefect"
    return None


def modules_of(modules: dict[str, Module], game: str, side: tuple[str, ...]) -> set[str]:
    """Modules on one side of a game, and all of the project's that they reach."""
    names: set[str] = set()
    for module in modules.values():
        if module.game == game and within(module.name, *(f"{game}.{part}" for part in side)):
            names.add(module.name)
            for name in reached(modules, module.name, lazy=True, parents=False):
                while name and name not in modules:
                    name = name.rpartition(".")[0]
                names |= {name} - {""}
    return names


def common(modules: dict[str, Module], game: str) -> set[str]:
    """What both sides of a game use; infrastructure and the sides themselves aside."""
    sides = (modules_of(modules, game, side) for side in (REFEREE, ENUMERATION))
    mine = [f"{game}.{part}" for part in (*REFEREE, *ENUMERATION)]
    return {n for n in set.intersection(*sides) - INFRASTRUCTURE if not within(n, *mine)}


def violations(root: Path, shared: Mapping[str, set[str]]) -> list[str]:
    """List every broken wall as `file:line: import: reason`.

    `shared`: modules that each game declares both of its sides to use.
    """
    modules = load(root)
    broken = [
        f"{module.path}:{item.line}: {item.name}: {reason}"
        for module in modules.values()
        for item in module.imports
        if (reason := forbidden(module, item))
    ]
    for module in modules.values():
        for one, other in ((REFEREE, ENUMERATION), (ENUMERATION, REFEREE)):
            if module.game and within(module.name, *(f"{module.game}.{part}" for part in one)):
                names = reached(modules, module.name, lazy=True, parents=False)
                if any(within(n, *(f"{module.game}.{part}" for part in other)) for n in names):
                    broken.append(f"{module.path}: reaches {other[0]}: neither asks the other")
        if module.light:
            names = reached(modules, module.name, lazy=False, parents=True)
            if any(within(name, "prefect") for name in names):
                broken.append(f"{module.path}: loads prefect: only certify and serve need it")
    for game in sorted({module.game for module in modules.values() if module.game}):
        broken += [
            f"{modules[name].path}: both sides of {game} use it, undeclared"
            for name in sorted(common(modules, game) - shared.get(game, set()))
        ]
    return broken


def declared(name: str) -> set[str]:
    """Modules that a game of the catalogue says its methods share."""
    rules = importlib.import_module(f"{name}.rules")
    return {part.module for part in rules.SHARED}


PROJECT = load(ROOT)
GAMES = sorted({module.game for module in PROJECT.values() if module.game})


@pytest.mark.parametrize("game", GAMES)
def test_methods_share_what_they_declare(game: str) -> None:
    result = common(PROJECT, game)
    assert result <= declared(game)
    # Deals behind a start are handed to both sides; all else is imported by them.
    assert declared(game) - result <= {"engine.cards.deck"}


def test_infrastructure_knows_no_game() -> None:
    for name in INFRASTRUCTURE:
        for result in reached(PROJECT, name, lazy=True, parents=False):
            assert not within(result, "engine.games", "engine.cards.hands")


def test_walls_hold() -> None:
    assert violations(ROOT, {game: declared(game) for game in GAMES}) == []


def test_command_line_starts_light() -> None:
    light = [module.name for module in load(ROOT).values() if module.light]
    script = f"""
import importlib, sys
import flows.cli
print(*sorted({HEAVY} & set(sys.modules)))
for name in {light}:
    importlib.import_module(name)
    if "prefect" in sys.modules:
        sys.exit(f"{{name}} loads prefect")
"""
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout.split()) == (0, []), run.stderr


SHARES = {"engine.games.one": {"engine.hands"}}
CLEAN = {
    "engine/__init__.py": "",
    "engine/spec/expressions.py": "import numpy\n",
    "engine/pricing.py": "from engine.spec import expressions\n",
    "engine/hands.py": "import numpy\n",
    "engine/games/__init__.py": "from engine.games.one import space\n",
    "engine/games/one/__init__.py": "",
    "engine/games/one/referee.py": "from engine import hands\n",
    "engine/games/one/enumeration.py": "from engine import hands\n",
    "engine/games/one/space.py": "from engine.games.one import enumeration, referee\n",
    "engine/games/two/__init__.py": "",
    "dealproof/__init__.py": "def load():\n    from engine import pricing\n",
    "dealproof/__main__.py": "def main():\n    import flows.commands\n",
    "tasks/__init__.py": "import dask, pyarrow, duckdb\nfrom engine import pricing\n",
    "flows/__init__.py": "",
    "flows/certify.py": "import prefect\nimport tasks\n",
    "flows/commands/__init__.py": (
        "import typer\ndef certify():\n    from flows.commands import certify\n"
    ),
    "flows/commands/certify.py": "from flows import certify\n",
    "flows/commands/games.py": "from flows import commands\n",
}


def write(root: Path, files: dict[str, str]) -> Path:
    for name, source in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source, encoding="utf-8")
    return root


def test_checker_passes_a_clean_house(tmp_path: Path) -> None:
    assert violations(write(tmp_path, CLEAN), SHARES) == []


@pytest.mark.parametrize(
    ("path", "source", "reason"),
    [
        ("dealproof/x.py", "def f():\n    from flows import commands", "no command line"),
        ("dealproof/__init__.py", "from engine import pricing", "at first use"),
        ("tasks/x.py", "import dealproof", "nothing below asks"),
        ("flows/x.py", "from dealproof import __main__", "nothing below asks"),
        ("engine/x.py", "import tasks.store", "engine knows no tasks"),
        ("engine/x.py", "def f():\n    from flows import certify", "engine knows no tasks"),
        *(
            ("engine/x.py", f"import {name}", "engine is mathematics")
            for name in ("dask.array", "distributed", "prefect", "pyarrow.parquet", "typer")
        ),
        ("engine/x.py", "import importlib\nimportlib.import_module('pyarrow')", "mathematics"),
        ("engine/x.py", "def f():\n    import duckdb", "its own expressions"),
        ("engine/expressions/x.py", "import duckdb", "its own expressions"),
        ("tasks/x.py", "from prefect import flow", "tasks know no Prefect"),
        ("tasks/x.py", "from flows import certify", "tasks know no Prefect"),
        ("tasks/x.py", "import typer", "tasks know no Prefect"),
        ("engine/games/one/x.py", "from engine import pricing", "never sees a wager"),
        ("engine/games/one/x.py", "from ...spec import y", "never sees a wager"),
        ("engine/games/one/x.py", "from engine.games import two", "no other game"),
        ("engine/games/one/x.py", "from ..two import space", "no other game"),
        ("engine/games/one/referee.py", "from . import enumeration", "reaches enumeration"),
        ("engine/games/one/enumeration.py", "import engine.games.one.referee", "reaches referee"),
        ("engine/games/one/referee.py", "from engine.games.one import space", "reaches enum"),
        ("engine/games/one/playout.py", "from engine.games.one import enumeration", "reaches enum"),
        ("engine/games/one/expectation.py", "from . import referee", "reaches referee"),
        ("flows/commands/games.py", "def f():\n    import prefect", "only certify and serve"),
        ("flows/commands/games.py", "from flows import certify", "loads prefect"),
        ("flows/commands/games.py", "from flows.commands.certify import x", "loads prefect"),
    ],
)
def test_checker_sees_a_broken_wall(tmp_path: Path, path: str, source: str, reason: str) -> None:
    result = violations(write(tmp_path, CLEAN | {path: source}), SHARES)
    assert result
    assert all(line.startswith(path) and reason in line for line in result)


def test_checker_sees_a_common_module_that_is_not_declared(tmp_path: Path) -> None:
    root = write(tmp_path, CLEAN | {
        "engine/games/one/words.py": "",
        "engine/games/one/playout.py": "from engine.games.one.words import x",
        "engine/games/one/enumeration.py": "from engine.games.one import words",
    })  # fmt: skip
    (result,) = violations(root, SHARES)
    assert result.startswith("engine/games/one/words.py: both sides of engine.games.one")
    assert violations(root, {"engine.games.one": {"engine.games.one.words"}}) == []


@pytest.mark.parametrize("folder", [*LAYERS, PUBLIC, "engine/games", "flows/commands"])
def test_checker_refuses_an_empty_folder(tmp_path: Path, folder: str) -> None:
    files = {name: text for name, text in CLEAN.items() if not name.startswith(f"{folder}/")}
    with pytest.raises(FileNotFoundError, match="holds no source file"):
        violations(write(tmp_path, files), SHARES)
